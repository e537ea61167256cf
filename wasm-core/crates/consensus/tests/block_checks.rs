//! Checks of recorded blocks, natively mined and merge-mined, from their bytes alone; and liars, each with the step that
//! names the lie.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use serde_json::Value;
use svc_chain::block::WitnessedBlock;
use svc_chain::genesis::genesis_block;
use svc_chain::profile::Profile;
use svc_chain::witness::Witness;
use svc_codec::hash32::Hash32;
use svc_consensus::checks::block_check::{BlockReport, check_block};
use svc_consensus::checks::steps::{Outcome, Step};
use svc_consensus::parameters::Parameters;

use crate::corpus::{self, Corpus};

/// The recorded chain with real work, both kinds of it.
struct Recorded {
    rules: Parameters,
    native: Vec<WitnessedBlock>,
    merged: Vec<WitnessedBlock>,
}

impl Recorded {
    fn read() -> Self {
        let corpus = Corpus::open(PathBuf::from(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../../tests/vectors/reference/w"
        )));
        let witnesses = corpus.witnesses();
        let blocks = corpus.blocks().skip(1).map(|recorded| {
            let block = corpus::block(&recorded);
            let witness = witnesses.get(&block.header.hash_merkle_root).cloned();
            WitnessedBlock { block, witness }
        });
        let (merged, native) = blocks.partition(|block| block.witness.is_some());
        Self {
            rules: Parameters::new(corpus.profile()),
            native,
            merged,
        }
    }

    /// One of each kind.
    fn samples(&self) -> [&WitnessedBlock; 2] {
        [&self.native[40], &self.merged[40]]
    }

    fn check(&self, asked: &Hash32, bytes: &[u8]) -> BlockReport {
        check_block(&self.rules, asked, bytes)
    }

    /// The steps that differ when a node answers with an altered block.
    fn lies(
        &self,
        sample: &WitnessedBlock,
        alter: impl FnOnce(&mut WitnessedBlock),
    ) -> Vec<&'static str> {
        let mut altered = sample.clone();
        alter(&mut altered);
        assert_ne!(altered, *sample, "the lie changes something");
        differing(&self.check(&sample.block.hash(), &altered.to_bytes()).steps)
    }
}

fn differing(steps: &[Step]) -> Vec<&'static str> {
    let differ = steps.iter().filter(|step| step.outcome == Outcome::Differs);
    differ.map(|step| step.step).collect()
}

fn word(report: &BlockReport) -> Value {
    serde_json::to_value(&report.facts).unwrap()["work"].clone()
}

#[test]
fn every_recorded_block_passes() {
    let recorded = Recorded::read();
    for (blocks, kind) in [(&recorded.native, "native"), (&recorded.merged, "merged")] {
        assert!(blocks.len() > 100);
        for incoming in blocks {
            let report = recorded.check(&incoming.block.hash(), &incoming.to_bytes());
            assert_eq!(differing(&report.steps), [""; 0], "{:?}", report.steps);
            assert_eq!(word(&report), kind);
        }
    }
}

#[test]
fn the_last_step_says_what_one_block_does_not_show() {
    let recorded = Recorded::read();
    for sample in recorded.samples() {
        let report = recorded.check(&sample.block.hash(), &sample.to_bytes());
        let last = report.steps.last().unwrap();
        assert_eq!(
            (last.step, last.outcome),
            ("ancestry", Outcome::NotProvable)
        );
    }
}

#[test]
fn an_altered_timestamp_is_seen() {
    let recorded = Recorded::read();
    for sample in recorded.samples() {
        let lies = recorded.lies(sample, |told| told.block.header.timestamp_ms += 1);
        assert!(lies.contains(&"headerHash"), "{lies:?}");
    }
}

#[test]
fn altered_bits_are_seen_and_judged_by_the_work() {
    let recorded = Recorded::read();
    for sample in recorded.samples() {
        let lies = recorded.lies(sample, |told| told.block.header.bits = 0x1b02_d093);
        assert_eq!(lies, ["headerHash", "work"]);
    }
}

#[test]
fn an_altered_nonce_is_seen() {
    let recorded = Recorded::read();
    for sample in recorded.samples() {
        let lies = recorded.lies(sample, |told| told.block.header.nonce ^= 1);
        assert!(lies.contains(&"headerHash"), "{lies:?}");
    }
}

#[test]
fn the_header_of_another_block_is_seen() {
    let recorded = Recorded::read();
    let other = recorded.native[41].block.header.clone();
    for sample in recorded.samples() {
        let lies = recorded.lies(sample, |told| told.block.header = other.clone());
        assert!(lies.contains(&"headerHash"), "{lies:?}");
        assert!(lies.contains(&"merkleRoot"), "{lies:?}");
    }
}

#[test]
fn an_added_transaction_is_seen() {
    let recorded = Recorded::read();
    for sample in recorded.samples() {
        let lies = recorded.lies(sample, |told| {
            let again = told.block.transactions[0].clone();
            told.block.transactions.push(again);
        });
        assert_eq!(lies, ["merkleRoot", "coinbase"]);
    }
}

#[test]
fn a_removed_transaction_is_seen() {
    let recorded = Recorded::read();
    for sample in recorded.samples() {
        let lies = recorded.lies(sample, |told| told.block.transactions.clear());
        assert_eq!(lies, ["merkleRoot", "coinbase"]);
    }
}

/// A block with payments: of this recording all carry the coinbase alone.
#[test]
fn swapped_transactions_are_seen() {
    let recorded = Recorded::read();
    for sample in recorded.samples() {
        let mut several = sample.clone();
        let mut second = several.block.transactions[0].clone();
        second.lock_time = 7;
        several.block.transactions.push(second);
        several.block.header.hash_merkle_root = several.block.merkle_root();
        let lies = recorded.lies(&several, |told| told.block.transactions.swap(0, 1));
        assert!(lies.contains(&"merkleRoot"), "{lies:?}");
    }
}

#[test]
fn an_altered_merkle_root_is_seen() {
    let recorded = Recorded::read();
    for sample in recorded.samples() {
        let lies = recorded.lies(sample, |told| told.block.header.hash_merkle_root.0[0] ^= 1);
        assert!(lies.starts_with(&["headerHash"]), "{lies:?}");
        assert!(lies.contains(&"merkleRoot"), "{lies:?}");
    }
}

#[test]
fn other_transactions_under_a_root_of_their_own_are_seen() {
    let recorded = Recorded::read();
    for sample in recorded.samples() {
        let lies = recorded.lies(sample, |told| {
            told.block.transactions[0].outputs.clear();
            told.block.header.hash_merkle_root = told.block.merkle_root();
        });
        assert!(lies.starts_with(&["headerHash"]), "{lies:?}");
    }
}

#[test]
fn an_altered_subsidy_is_held_against_the_schedule() {
    let recorded = Recorded::read();
    for sample in recorded.samples() {
        let lies = recorded.lies(sample, |told| told.block.transactions[0].payload[8] ^= 1);
        assert_eq!(lies, ["merkleRoot", "subsidy"]);
    }
}

#[test]
fn an_altered_score_in_the_coinbase_is_seen() {
    let recorded = Recorded::read();
    for sample in recorded.samples() {
        let lies = recorded.lies(sample, |told| told.block.transactions[0].payload[0] ^= 1);
        assert_eq!(lies, ["merkleRoot", "coinbase"]);
    }
}

#[test]
fn truncated_and_padded_bytes_are_seen() {
    let recorded = Recorded::read();
    for sample in recorded.samples() {
        let bytes = sample.to_bytes();
        let asked = sample.block.hash();
        let padded = [bytes.as_slice(), &[0]].concat();
        for told in [&bytes[..bytes.len() - 1], &bytes[..1], &[], &padded] {
            let report = recorded.check(&asked, told);
            assert_eq!(differing(&report.steps), ["bytes"]);
            assert!(report.facts.is_none());
        }
    }
}

#[test]
fn a_merge_mined_block_without_its_witness_has_no_work() {
    let recorded = Recorded::read();
    let [_, merged] = recorded.samples();
    let report = recorded.check(&merged.block.hash(), &merged.block.to_bytes());
    assert_eq!(differing(&report.steps), ["work"]);
    let work = report.steps.iter().find(|step| step.step == "work");
    assert!(
        work.unwrap()
            .found
            .as_ref()
            .unwrap()
            .ends_with("witness: none")
    );
    assert_eq!(word(&report), "missing");
}

#[test]
fn the_witness_of_another_block_does_no_work_here() {
    let recorded = Recorded::read();
    let [_, merged] = recorded.samples();
    let other = recorded.merged[41].witness.clone();
    assert_eq!(recorded.lies(merged, |told| told.witness = other), ["work"]);
}

#[test]
fn a_parent_of_less_work_is_seen() {
    let recorded = Recorded::read();
    let [_, merged] = recorded.samples();
    let mut witness = Witness::from_bytes(merged.witness.as_ref().unwrap()).unwrap();
    let lies = recorded.lies(merged, |told| {
        // Some nonce of these misses the target.
        for _ in 0..4_096 {
            witness.parent.nonce += 1;
            told.witness = Some(witness.to_bytes());
            let report = recorded.check(&told.block.hash(), &told.to_bytes());
            if !differing(&report.steps).is_empty() {
                return;
            }
        }
    });
    assert_eq!(lies, ["work"]);
}

#[test]
fn a_block_of_another_networks_profile_is_seen() {
    let recorded = Recorded::read();
    let other = Parameters::new(Profile::built_in("mainnet").unwrap());
    for sample in recorded.samples() {
        let report = check_block(&other, &sample.block.hash(), &sample.to_bytes());
        let lies = differing(&report.steps);
        assert!(lies.contains(&"network"), "{:?}", report.steps);
        let is_merged = sample.witness.is_some();
        assert_eq!(lies.contains(&"work"), is_merged, "{:?}", report.steps);
    }
}

#[test]
fn the_genesis_of_another_network_is_seen() {
    let recorded = Recorded::read();
    let ours = genesis_block(&recorded.rules.profile);
    let report = recorded.check(&ours.hash(), &ours.to_bytes());
    assert_eq!(differing(&report.steps), [""; 0]);
    assert_eq!(word(&report), "genesis");
    let theirs = genesis_block(&Profile::built_in("mainnet").unwrap());
    let report = recorded.check(&theirs.hash(), &theirs.to_bytes());
    assert_eq!(differing(&report.steps), ["genesis", "version", "subsidy"]);
}

const VECTORS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../tests/vectors/checked-blocks.json"
);

/// The vectors that TypeScript reads are of this recording. `SVC_WRITE_VECTORS` writes them.
#[test]
fn the_vectors_are_of_this_recording() {
    let recorded = Recorded::read();
    let cases = recorded.samples().map(|sample| {
        let asked = sample.block.hash();
        let report = recorded.check(&asked, &sample.to_bytes());
        serde_json::json!({
            "hash": asked,
            "raw": svc_codec::hex::encode(&sample.to_bytes()),
            "work": word(&report),
            "parentBlock": serde_json::to_value(&report.facts).unwrap()["parentBlock"],
            "timestamp": sample.block.header.timestamp_ms.to_string(),
        })
    });
    let profile: Value = serde_json::from_str(&recorded.rules.profile.canonical_json()).unwrap();
    let vectors = serde_json::json!({
        "origin": "recorded chain w of the reference node: a block mined natively and one merge-mined, with its witness, in raw form; names in the profile are data of that network",
        "profile": profile,
        "cases": cases,
    });
    let text = serde_json::to_string_pretty(&vectors).unwrap() + "\n";
    if std::env::var_os("SVC_WRITE_VECTORS").is_some() {
        std::fs::write(VECTORS, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(VECTORS).unwrap() == text,
        "the vectors are others"
    );
}
