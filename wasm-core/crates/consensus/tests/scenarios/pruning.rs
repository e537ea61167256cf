//! Pruning: a node that deletes what lies below its pruning point judges like one that keeps everything.

use crate::kit::Node;
use crate::pruning_kit::{
    DEPTH, FINALITY, Miners, assert_agree, live_size, prune_all, pruned_points, rows_by_table,
    small_network,
};

/// One node keeps everything, one prunes whenever it can, one a block at a time.
fn run(seed: u64, blocks: usize, latency: u64) {
    let profile = small_network();
    let mut miners = Miners::new(&profile, seed, 4);
    miners.latency = latency;
    let mut full = Node::new(profile.clone());
    let mut eager = Node::new(profile.clone());
    let mut slow = Node::new(profile);
    let mut last = 0;
    for count in 0..blocks {
        let block = miners.mine();
        for node in [&mut full, &mut eager, &mut slow] {
            node.insert(&block);
            if count % 3 == 0 {
                node.settle();
            }
        }
        prune_all(&mut eager, 40);
        slow.engine.prune(1).unwrap();
        let index = full.engine.state().pruning().unwrap().index;
        if index != last {
            last = index;
            assert_agree(&full, &eager);
            assert_agree(&full, &slow);
        }
    }
    for node in [&mut full, &mut eager, &mut slow] {
        node.settle();
    }
    assert_agree(&full, &eager);
    assert_agree(&full, &slow);
    let steps = (full.blue_score(&full.sink()) - DEPTH) / FINALITY;
    assert!(last + 1 >= steps && last > 2, "{last} of {steps} steps");
    assert_eq!(pruned_points(&eager).len() as u64, last);
}

#[test]
fn a_pruned_node_agrees_with_one_that_keeps_everything() {
    run(1, 500, 6);
    run(2, 500, 14);
}

#[test]
fn one_more_pruned_seed_when_named() {
    let seed = std::env::var("SVC_SEED").map(|seed| seed.parse().unwrap());
    match seed {
        Ok(seed) => run(seed, 900, 3 + seed % 22),
        Err(_) => println!("SVC_SEED names no seed: only the fixed ones were run"),
    }
}

/// The store of a node that prunes stops growing.
#[test]
fn what_is_kept_does_not_grow_with_the_chain() {
    let mut node = Node::new(small_network());
    let mut sizes = Vec::new();
    for _ in 0..12 {
        node.mine_many(1, 100);
        prune_all(&mut node, 64);
        sizes.push(live_size(&node));
    }
    println!("{sizes:?} {:?}", rows_by_table(&node));
    let (early, late) = (sizes[5], sizes[11]);
    // What grows is one header and one state for each pruning point, and proofs with the logarithm of the chain.
    assert!(late.0 <= early.0 + early.0 / 8, "{sizes:?}");
    assert!(late.1 <= early.1 + early.1 / 8, "{sizes:?}");
}
