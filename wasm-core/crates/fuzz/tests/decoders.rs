//! No decoder panics, takes a second encoding, or allocates more than its input justifies.
//!
//! `SVC_SEED` gives the runs another seed, `SVC_FUZZ` runs only the targets whose names contain it, and `SVC_FUZZ_INPUTS`
//! makes so many inputs for each.

use svc_fuzz::registry::{AREAS, area};
use svc_fuzz::runner::{Plan, fuzz};

/// The seed of a run that names no other.
const SEED: u64 = 11;
/// Inputs of each target at both sizes.
const REDUCED: u64 = 2_000;
const FULL: u64 = 1_000_000;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn plan() -> Plan {
    let is_full = std::env::var("SVC_TEST_SIZE").is_ok_and(|size| size == "full");
    let usual = if is_full { FULL } else { REDUCED };
    Plan {
        seed: number("SVC_SEED").unwrap_or(SEED),
        inputs: number("SVC_FUZZ_INPUTS").unwrap_or(usual),
        is_full,
    }
}

fn peak_of(run: &mut dyn FnMut()) -> u64 {
    allocation_counter::measure(run).bytes_max
}

/// Runs all targets of an area, so that one finding does not hide the next.
fn fuzz_area(name: &str) {
    let (plan, wanted) = (plan(), std::env::var("SVC_FUZZ").unwrap_or_default());
    println!("seed {}, {} inputs", plan.seed, plan.inputs);
    let mut findings = Vec::new();
    for target in area(name) {
        if !target.name.contains(&wanted) {
            continue;
        }
        match fuzz(target, plan, peak_of) {
            Ok(report) => println!("{}: {report}", target.name),
            Err(finding) => findings.push(finding.to_string()),
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[test]
fn blocks_and_transactions() {
    fuzz_area("chain");
}

#[test]
fn bundles_trees_and_payments() {
    fuzz_area("shielded");
}

#[test]
fn pruning_proofs() {
    fuzz_area("pruning");
}

#[test]
fn stored_records() {
    fuzz_area("stored");
}

#[test]
fn live_lanes() {
    fuzz_area("lanes");
}

#[test]
fn pages_and_wallet_trees() {
    fuzz_area("wallet");
}

#[test]
fn messages_of_a_proof() {
    fuzz_area("proving");
}

#[test]
fn circuit_files() {
    fuzz_area("circuit");
}

#[test]
fn text_forms() {
    fuzz_area("text");
}

#[test]
fn checks_of_what_a_server_says() {
    fuzz_area("checks");
}

#[test]
fn evidence_of_a_chain() {
    fuzz_area("evidence");
}

#[test]
fn every_target_has_its_own_name_and_a_test() {
    let tested = [
        "chain", "shielded", "stored", "lanes", "pruning", "wallet", "proving", "circuit", "text",
        "checks", "evidence",
    ];
    let areas: Vec<&str> = AREAS.iter().map(|(name, _)| *name).collect();
    assert_eq!(areas, tested);
    let mut names: Vec<&str> = AREAS
        .iter()
        .flat_map(|(_, all)| *all)
        .map(|t| t.name)
        .collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
