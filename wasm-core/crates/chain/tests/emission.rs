//! The subsidy schedule against its printed table and the supply table of the service.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_chain::emission::{Reduction, next_reduction, reduced_by, scheduled_total, subsidy};
use svc_chain::profile::Profile;
use svc_chain::profile::values::Sompi;

use crate::common::{list, load, number, small};

const SECONDS_PER_MONTH: u64 = 2_629_800;
const SOMPI_PER_COIN: u64 = 100_000_000;

fn mainnet() -> Profile {
    Profile::built_in("mainnet").unwrap()
}

/// Everything minted below a DAA score that is a multiple of the step.
fn minted(profile: &Profile, end: u64) -> u64 {
    let step = 657_450 * profile.blocks_per_second();
    assert_eq!(end % step, 0);
    (0..end / step)
        .map(|index| subsidy(profile, index * step) * step)
        .sum()
}

#[test]
fn every_step_of_the_table_begins_at_its_block() {
    let profile = mainnet();
    let vectors = load("emission.json");
    let steps = list(&vectors["steps"])
        .iter()
        .map(|row| (&row["fromDaa"], &row["sompi"]));
    let tails = list(&vectors["tails"])
        .iter()
        .map(|row| (&row["fromDaa"], &row["sompi"]));
    let mut before = None;
    for (from, sompi) in steps.chain(tails) {
        let from = number(from);
        assert_eq!(subsidy(&profile, from), number(sompi), "DAA score {from}");
        if let Some(before) = before {
            assert_eq!(
                subsidy(&profile, from - 1),
                before,
                "DAA score {}",
                from - 1
            );
        }
        before = Some(number(sompi));
    }
    assert_eq!(Some(subsidy(&profile, u64::MAX)), before);
}

#[test]
fn cumulative_supply() {
    let profile = mainnet();
    for row in list(&load("emission.json")["cumulative"]) {
        let months: u64 = small(&row["months"]);
        let sompi = minted(&profile, months * SECONDS_PER_MONTH);
        // The printed totals are rounded, some of them up.
        let printed = number(&row["coins"]) * SOMPI_PER_COIN;
        assert!(
            sompi.abs_diff(printed) < SOMPI_PER_COIN,
            "{months} months: {sompi}"
        );
    }
}

#[test]
fn other_block_rates_mint_about_the_same_per_second() {
    let mut profile = mainnet();
    let end = 24 * SECONDS_PER_MONTH;
    let per_second = minted(&profile, end);
    for rate in [2, 4, 5, 8, 10] {
        profile.target_time_per_block_ms = 1000 / rate;
        let minted = minted(&profile, end * rate);
        // Ceilings and floors move a block's subsidy by less than two sompi.
        assert!(minted.abs_diff(per_second) < 2 * rate * end, "rate {rate}");
    }
    profile.target_time_per_block_ms = 100;
    assert_eq!(subsidy(&profile, 0), 600_000_000);
    // ceil(41530469757 / 10) · 3 / 22, rounded down.
    assert_eq!(subsidy(&profile, 6_574_500), 566_324_587);
    assert_eq!(subsidy(&profile, u64::MAX), 6_000_000);
}

#[test]
fn flat_before_the_schedule_starts() {
    let mut profile = mainnet();
    profile.emission.deflationary_phase_start_daa = 1000;
    profile.emission.pre_deflationary_subsidy_sompi = Sompi(5_000_000_000);
    assert_eq!(subsidy(&profile, 999), 5_000_000_000);
    assert_eq!(subsidy(&profile, 1000), 6_000_000_000);
    assert_eq!(subsidy(&profile, 1000 + 657_450), 5_663_245_875);
}

#[test]
fn the_next_reduction_is_the_next_step_of_the_table() {
    let profile = mainnet();
    let vectors = load("emission.json");
    let rows: Vec<(u64, u64)> = list(&vectors["steps"])
        .iter()
        .chain(list(&vectors["tails"]))
        .map(|row| (number(&row["fromDaa"]), number(&row["sompi"])))
        .collect();
    for pair in rows.windows(2) {
        let next = Reduction {
            daa_score: pair[1].0,
            subsidy: pair[1].1,
        };
        for at in [pair[0].0, pair[1].0 - 1] {
            assert_eq!(next_reduction(&profile, at), Some(next), "DAA score {at}");
        }
    }
    let last = rows.last().unwrap().0;
    assert_eq!(next_reduction(&profile, last), None);
    assert_eq!(next_reduction(&profile, u64::MAX), None);
}

#[test]
fn the_first_reduction_may_follow_a_rise() {
    let mut profile = mainnet();
    profile.emission.deflationary_phase_start_daa = 1000;
    let reduction = |daa_score, subsidy| Some(Reduction { daa_score, subsidy });
    profile.emission.pre_deflationary_subsidy_sompi = Sompi(7_000_000_000);
    assert_eq!(next_reduction(&profile, 0), reduction(1000, 6_000_000_000));
    // Less than the curve begins with: the first step below it is the next reduction, and no block is said to bring less before.
    profile.emission.pre_deflationary_subsidy_sompi = Sompi(5_700_000_000);
    let first = reduction(1000 + 657_450, 5_663_245_875);
    assert_eq!(next_reduction(&profile, 0), first);
}

#[test]
fn the_scheduled_total_is_the_sum_over_all_scores() {
    let profile = mainnet();
    for steps in [0, 1, 2, 12, 40, 41, 96, 97, 200] {
        let end = steps * 657_450;
        let total = u128::from(minted(&profile, end));
        assert_eq!(scheduled_total(&profile, end), total, "{steps} steps");
        let next = total + u128::from(subsidy(&profile, end));
        assert_eq!(scheduled_total(&profile, end + 1), next);
    }
    let recorded = scheduled_total(&profile, 12_774);
    assert_eq!(
        recorded, 76_644_000_000_000,
        "specification corrections B13"
    );
    assert!(scheduled_total(&profile, u64::MAX) > 1 << 64);
}

#[test]
fn the_scheduled_total_counts_what_came_before_the_curve() {
    let mut profile = mainnet();
    profile.emission.deflationary_phase_start_daa = 10;
    profile.emission.pre_deflationary_subsidy_sompi = Sompi(7);
    assert_eq!(scheduled_total(&profile, 10), 70);
    assert_eq!(scheduled_total(&profile, 12), 70 + 2 * 6_000_000_000);
}

#[test]
fn reductions_add_up_to_what_they_took() {
    let profile = mainnet();
    for score in [1, 657_450, 657_451, 2_000_000, 70_000_000] {
        let taken = 6_000_000_000 - subsidy(&profile, score - 1);
        assert_eq!(reduced_by(&profile, score), taken, "DAA score {score}");
    }
}
