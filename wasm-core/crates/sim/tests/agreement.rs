//! Simulated networks whose nodes must agree, at reduced size or at the full one (`SVC_TEST_SIZE=full`). Seeds are
//! printed; `SVC_SEED` runs another one.
#![allow(clippy::unwrap_used)]

use svc_sim::settings::{Report, Settings};
use svc_sim::swing::swing;
use svc_sim::testing::{forks_profile, is_full, prune_profile, seeds, small_prune_profile};
use svc_sim::world::World;

fn run(settings: Settings) -> Report {
    println!("seed {}", settings.seed);
    let report = World::new(settings)
        .and_then(|mut world| world.run())
        .unwrap();
    println!("{report}");
    report
}

#[test]
fn two_honest_miners_agree() {
    let report = run(Settings {
        miners: 2,
        blocks: 120,
        adversary_permille: 0,
        quiet_every: 40,
        ..Settings::new(1, prune_profile().unwrap())
    });
    assert_eq!((report.refused, report.never_chain), (0, 0));
    assert!(report.applied > 0);
}

#[test]
fn a_network_with_attackers_and_partitions_agrees() {
    let (miners, blocks, kills) = if is_full() {
        (8, 20_000, 200)
    } else {
        (3, 2_000, 0)
    };
    for seed in seeds(&[1]) {
        let report = run(Settings {
            miners,
            blocks,
            quiet_every: if is_full() { 250 } else { 50 },
            // Some of those planned come too late to happen.
            kills: kills * 5 / 4,
            ..Settings::new(seed, prune_profile().unwrap())
        });
        assert!(report.codes.len() >= 8, "too few rules were broken");
        assert!(report.kills >= kills, "{} kills", report.kills);
        if is_full() {
            assert!(report.pruning_steps >= 8 && report.pruned > 0);
            assert!(report.widest_mergeset >= 18 && report.partitions >= 10);
            assert!(report.applied >= blocks / 10, "{} payments", report.applied);
        }
        for (what, count) in [
            ("reds", report.reds),
            ("mergesets of reds only", report.only_reds),
            ("partitions", report.partitions),
            ("rolled back", report.deepest_reorg),
            ("never on a chain", report.never_chain),
            ("applied", report.applied),
            ("dropped", report.dropped),
        ] {
            assert!(count > 0, "seed {seed}: the run has none: {what}");
        }
    }
}

#[test]
fn nodes_that_prune_agree_with_one_that_keeps_everything() {
    let blocks = if is_full() { 12_000 } else { 1_200 };
    for seed in seeds(&[6]) {
        let report = run(Settings {
            miners: 4,
            blocks,
            quiet_every: 150,
            longest_partition: 20,
            kills: blocks / 150,
            ..Settings::new(seed, small_prune_profile().unwrap())
        });
        assert!(report.pruning_steps as usize >= blocks / 200, "{report}");
        assert!(report.pruned > blocks, "{report}");
        assert!(report.kills > 0 && report.applied > 0 && report.reds > 0);
    }
}

#[test]
fn a_network_that_crosses_every_height_agrees() {
    let heights = if is_full() { 10 } else { 1 };
    let profile = forks_profile(heights).unwrap();
    for seed in seeds(&[4]) {
        let report = run(Settings {
            blocks: 320 * heights as usize,
            ..Settings::new(seed, profile.clone())
        });
        let last = profile.activations.dev_fee_end.unwrap();
        let crossed = report.daa_score;
        assert!(crossed > last + 20, "the chain ends at {crossed} of {last}");
        assert!(report.applied > 0 && report.reds > 0);
    }
}

#[test]
fn forward_back_forward_gives_the_same_bytes() {
    let depth = if is_full() { 450 } else { 60 };
    for seed in seeds(&[2]) {
        println!("seed {seed}");
        let settings = Settings {
            blocks: 120,
            ..Settings::new(seed, prune_profile().unwrap())
        };
        swing(settings, depth).unwrap();
    }
}
