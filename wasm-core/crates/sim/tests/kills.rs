//! Stores that fail at random operations: nothing acknowledged is lost, and the nodes go on as if nothing had been.
#![allow(clippy::unwrap_used)]

use svc_sim::settings::Settings;
use svc_sim::testing::{is_full, seeds, small_prune_profile};
use svc_sim::world::World;

#[test]
fn killed_nodes_lose_nothing_and_agree() {
    let (blocks, kills) = if is_full() { (3_000, 200) } else { (1_000, 20) };
    for seed in seeds(&[3]) {
        println!("seed {seed}");
        let settings = Settings {
            blocks,
            // Some of those planned come too late to happen.
            kills: kills * 5 / 4,
            // No longer than what its merge depth allows.
            longest_partition: 20,
            ..Settings::new(seed, small_prune_profile().unwrap())
        };
        let report = World::new(settings).unwrap().run().unwrap();
        println!("{report}");
        assert!(report.kills >= kills, "{} kills", report.kills);
        assert!(report.pruning_steps > 0 && report.pruned > 0, "{report}");
    }
}
