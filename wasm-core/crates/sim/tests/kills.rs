//! Stores that fail at random operations: nothing acknowledged is lost, and the nodes go on as if nothing had been.
#![allow(clippy::unwrap_used)]

use svc_sim::settings::Settings;
use svc_sim::testing::{is_full, seeds, small_prune_profile};
use svc_sim::world::World;

#[test]
fn killed_nodes_lose_nothing_and_agree() {
    // `SVC_KILLS` asks for another number; `npm run test:full -- kills` adds up what is printed.
    let wanted = std::env::var("SVC_KILLS").ok();
    let wanted: Option<usize> = wanted.and_then(|kills| kills.parse().ok());
    let (blocks, kills) = match wanted {
        Some(kills) => (3_000, kills),
        None if is_full() => (3_000, 200),
        None => (1_000, 20),
    };
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
        println!("kills: store {} points, 0 lost", report.kills);
    }
}
