//! Whether the chain of an import shows more work than the one in use, which the importing engine judges.

use std::rc::Rc;

use svc_chain::uint256::U256;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::export::Export;
use svc_consensus::import::contest::TipWorks;
use svc_consensus::proof::Proof;
use svc_consensus::proof::compare::{Claim, is_better};
use svc_consensus::proof::validate::{ProofView, validate_proof};
use svc_dag::store::DagStore;

use crate::scenarios::importing::{Offer, full_node, new_node, samples};
use crate::scenarios::kit::Node;

fn code(error: SvcError) -> &'static str {
    error.code.as_str()
}

/// A node that takes a pruning point of a full one, with the proof of it judged.
fn made() -> (Node, Node, Offer) {
    let full = full_node();
    let points = samples(&full);
    let offer = Offer::of(&full, &points[points.len() - 2].0);
    let mut node = new_node();
    node.importing().begin_import(offer.proof.clone()).unwrap();
    while node.importing().import_proof(40).unwrap().is_none() {}
    (full, node, offer)
}

/// The proof of a chain block as it is served.
fn proof_of(full: &Node, point: &Hash32) -> Proof {
    let chain = full.engine.chain();
    let mut export = Export::begin(&chain.records, point).unwrap();
    while !export.step(chain, 50).unwrap() {}
    export.proof(chain).unwrap()
}

/// What the engine says in steps of a budget, and how many it took.
fn contest(node: &mut Node, own: &Proof, works: TipWorks, budget: usize) -> (bool, usize) {
    node.importing().contest_proof(own.clone(), works).unwrap();
    for step in 1.. {
        if let Some(is_better) = node.importing().contest_step(budget).unwrap() {
            return (is_better, step);
        }
    }
    panic!("no end");
}

/// Work above both pruning points.
fn works(own: &ProofView, their: &ProofView, (ours, theirs): (u64, u64)) -> TipWorks {
    TipWorks {
        own: own.blue_work + U256::from(ours),
        their: their.blue_work + U256::from(theirs),
    }
}

#[test]
fn the_answer_is_that_of_the_comparison() {
    let (full, mut node, offer) = made();
    let rules = full.engine.rules();
    let judged = |proof: &Proof| validate_proof(rules, proof.clone()).unwrap();
    let theirs = judged(&offer.proof);
    let genesis = rules.genesis_hash;
    let points = samples(&full).into_iter().map(|(point, _)| point);
    let (mut said, mut greatest) = ([0, 0], false);
    for point in std::iter::once(genesis).chain(points) {
        let proof = proof_of(&full, &point);
        let own = judged(&proof);
        assert_eq!(
            (own.pruning_point, own.is_genesis),
            (point, point == genesis)
        );
        for above in [(0, 0), (1, 0), (0, 1), (1 << 40, 0), (0, 1 << 40), (7, 7)] {
            let claim = |proof, work: u64| Claim {
                proof,
                period_work: U256::from(work),
            };
            let expected = is_better(claim(&theirs, above.1), claim(&own, above.0));
            let found = contest(&mut node, &proof, works(&own, &theirs, above), 40).0;
            assert_eq!(found, expected, "{above:?} against {point}");
            said[usize::from(found)] += 1;
        }
        greatest |= point == theirs.pruning_point;
    }
    println!("{said:?} of a refusal and of more work");
    assert!(said[0] > 3 && said[1] > 3 && greatest);
}

#[test]
fn equal_work_is_not_more() {
    let (_, mut node, offer) = made();
    let rules = node.engine.rules();
    let view = validate_proof(rules, offer.proof.clone()).unwrap();
    let mut better = |above| contest(&mut node, &offer.proof, works(&view, &view, above), 40).0;
    assert!(!better((5, 5)));
    assert!(better((5, 6)));
    assert!(!better((6, 5)));
    // A tip below its pruning point has nothing above it.
    let below = |own: u64, their: u64| TipWorks {
        own: U256::from(own),
        their: U256::from(their),
    };
    assert!(!contest(&mut node, &offer.proof, below(0, 1), 40).0);
}

/// The answer comes in as many steps as the proof in use is long, and the import goes on between any two and after it.
#[test]
fn the_import_goes_on_around_it() {
    let (full, mut node, offer) = made();
    let (point, _) = samples(&full)[0];
    let own = proof_of(&full, &point);
    let view = validate_proof(node.engine.rules(), own.clone()).unwrap();
    let their = full.engine.records().header(&full.sink()).unwrap();
    let works = TipWorks {
        own: view.blue_work,
        their: their.header.blue_work,
    };
    let parts = own.header_count() + own.levels.len();
    assert_eq!(contest(&mut node, &own, works, 1), (true, parts));
    assert_eq!(
        contest(&mut node, &own, works, 1_000).1,
        parts.div_ceil(1_000)
    );

    node.importing().contest_proof(own.clone(), works).unwrap();
    assert_eq!(node.importing().contest_step(1).unwrap(), None);
    assert!(
        node.importing()
            .import_points(offer.points.clone())
            .unwrap()
    );
    for page in &offer.pages {
        assert_eq!(node.importing().contest_step(1).unwrap(), None);
        node.importing().import_trusted(page.clone()).unwrap();
    }
    while node.importing().link_trusted(30).unwrap().is_none() {}
    for body in &offer.bodies {
        node.importing().import_body(body.clone()).unwrap();
    }
    offer.take_above(&mut node).unwrap();
    assert_eq!(
        node.importing().contest_step(usize::MAX).unwrap(),
        Some(true)
    );
    offer.take_state(&mut node).unwrap();
    let over = node.importing().contest_proof(own, works).unwrap_err();
    assert_eq!(code(over), "import/out-of-order");
    node.settle();
    assert_eq!(node.sink(), full.sink());
}

#[test]
fn it_has_its_time_and_what_it_refuses_leaves_the_import() {
    let full = full_node();
    let (point, _) = samples(&full)[1];
    let offer = Offer::of(&full, &point);
    let own = proof_of(&full, &full.engine.rules().genesis_hash);
    let works = TipWorks {
        own: U256::from(9),
        their: U256::from(10),
    };
    let mut node = new_node();
    let engine = &mut node.engine;
    let out_of_order = Err("import/out-of-order");
    assert_eq!(
        engine.importing().contest_step(1).map_err(code),
        out_of_order.map(|()| None)
    );
    assert_eq!(
        engine
            .importing()
            .contest_proof(own.clone(), works)
            .map_err(code),
        out_of_order
    );
    engine
        .importing()
        .begin_import(offer.proof.clone())
        .unwrap();
    assert_eq!(
        engine
            .importing()
            .contest_proof(own.clone(), works)
            .map_err(code),
        out_of_order
    );
    while engine.importing().import_proof(40).unwrap().is_none() {}
    assert_eq!(
        engine.importing().contest_step(1).map_err(code),
        out_of_order.map(|()| None)
    );

    let mut fewer = own.clone();
    fewer.levels.pop();
    let refused = engine.importing().contest_proof(fewer, works).map_err(code);
    assert_eq!(refused, Err("proof/wrong-level-count"));
    assert_eq!(
        engine.importing().contest_step(1).map_err(code),
        out_of_order.map(|()| None)
    );
    // Judged from the highest level down: this one is found late.
    let mut twice = own.clone();
    let header = Rc::clone(&twice.levels[0][0]);
    twice.levels[0].push(header);
    engine.importing().contest_proof(twice, works).unwrap();
    let mut steps = (0..1_000).map(|_| engine.importing().contest_step(1).map_err(code));
    let refused = steps.find(|step| *step != Ok(None));
    assert_eq!(refused, Some(Err("proof/unknown-parents")));
    assert_eq!(
        engine.importing().contest_step(1).map_err(code),
        out_of_order.map(|()| None)
    );

    // Genesis has no work below it.
    engine
        .importing()
        .contest_proof(own.clone(), works)
        .unwrap();
    assert_eq!(
        engine.importing().contest_step(usize::MAX).unwrap(),
        Some(true)
    );
    assert_eq!(
        engine.importing().contest_step(1).map_err(code),
        out_of_order.map(|()| None)
    );
    assert!(
        engine
            .importing()
            .import_points(offer.points.clone())
            .unwrap()
    );
}

/// A node whose pruning point is still genesis serves it like another: a proof, the point itself, and nothing below.
#[test]
fn genesis_can_be_exported() {
    let node = full_node();
    let chain = node.engine.chain();
    let genesis = chain.rules.genesis_hash;
    let mut export = Export::begin(&chain.records, &genesis).unwrap();
    let before = export.proof(chain).unwrap();
    while !export.step(chain, 5).unwrap() {}
    assert!(export.proof(chain).unwrap() == before);
    assert!(before.levels.iter().all(|level| level.len() == 1));
    let points = export.points(&chain.records, 0).unwrap();
    assert_eq!(points.len(), 1);
    assert_eq!(points[0].hash(), genesis);
    assert_eq!(export.bodies(), [genesis]);
    assert_eq!(export.trusted(&chain.records, 0, 100).unwrap().count(), 0);
    assert!(
        export
            .nullifier_page(&chain.records, None)
            .unwrap()
            .is_empty()
    );
    assert!(export.lane_page(&chain.records, None).unwrap().is_empty());
    assert_eq!(export.state_claim(&chain.records).unwrap().chain_index, 0);
    // What binds lanes is made of merged blocks, and nobody begins at genesis.
    assert!(export.lanes_claim(&chain.records).is_err());
}
