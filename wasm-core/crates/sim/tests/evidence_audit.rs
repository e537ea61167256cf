//! Evidence of a simulated chain with reorganisations and the security fork inside it, at reduced size or at the full one
//! (`SVC_TEST_SIZE=full`). Seeds are printed; `SVC_SEED` runs another one.
#![allow(clippy::unwrap_used)]

use std::time::Instant;

use serde_json::{Value, json};
use svc_chain::profile::Profile;
use svc_sim::audit::evidence_audit::audit_evidence;
use svc_sim::settings::Settings;
use svc_sim::testing::{forks_profile, is_full, seeds};
use svc_sim::world::World;

/// The network of the heights, with work and retargeting.
fn profile(scale: u64) -> Profile {
    let text = forks_profile(scale).unwrap().canonical_json();
    let mut json: Value = serde_json::from_str(&text).unwrap();
    json["skipProofOfWork"] = json!(false);
    json["fixedDifficulty"] = json!(false);
    // Every fourth block or so is of level 1 or higher, so that a long run has levels to go by.
    json["maxBlockLevel"] = json!(254);
    Profile::from_json(&json.to_string()).unwrap()
}

#[test]
fn all_evidence_of_a_long_chain_with_reorganisations_and_the_fork_inside_holds() {
    let (blocks, scale, least) = match is_full() {
        true => (12_500, 40, 5_000),
        false => (1_600, 5, 600),
    };
    for seed in seeds(&[8]) {
        println!("seed {seed}");
        let started = Instant::now();
        let mut world = World::new(Settings {
            blocks,
            real_work: true,
            ..Settings::new(seed, profile(scale))
        })
        .unwrap();
        let run = world.run().unwrap();
        println!("{run}\nmade in {:.0} s", started.elapsed().as_secs_f64());
        let started = Instant::now();
        let chain = world.nodes()[0].engine().chain();
        let report = audit_evidence(chain).unwrap();
        println!("{report}, {:.1} s", started.elapsed().as_secs_f64());
        assert!(report.blocks >= least, "{report}");
        assert_eq!(report.openings, report.blocks);
        // A run over all of it, by the headers of a level where they are too many.
        let (over, headers) = report.longest_run;
        assert!(over as usize > report.blocks * 9 / 10 && headers < 600);
        assert!(report.payments > 0, "no payment was checked");
        let share = report.memberships * 100 / report.blocks;
        assert!((20..=80).contains(&share), "the fork is not inside");
        assert!(run.deepest_reorg > 2 && run.reds > 0 && run.applied > 0);
    }
}
