//! Headers that run ahead of their bodies while the pruning point moves behind the sink.

use svc_chain::block::Block;
use svc_consensus::pipeline::inserted::Inserted;

use crate::scenarios::kit::Node;
use crate::scenarios::pruning_kit::{DEPTH, Miners, assert_agree, prune_all, small_network};

/// A wide chain several pruning points long, and a node that took it in block by block and keeps everything.
fn wide_chain(seed: u64) -> (Vec<Block>, Node) {
    let profile = small_network();
    let mut miners = Miners::new(&profile, seed, 4);
    let mut full = Node::new(profile);
    for _ in 0..350 {
        let block = miners.mine();
        full.insert(&block);
        full.settle();
    }
    assert!(full.engine.records().pruning().unwrap().index > 1);
    (miners.blocks, full)
}

#[test]
fn all_headers_first() {
    let (blocks, full) = wide_chain(31);
    let mut node = Node::new(small_network());
    node.add_headers(&blocks);
    assert_eq!(node.headers_tip(), full.headers_tip());
    for (count, block) in blocks.iter().enumerate() {
        node.insert(block);
        node.settle();
        node.engine.prune(3).unwrap();
        assert_eq!(node.headers_tip(), full.headers_tip(), "after {count}");
    }
    prune_all(&mut node, 40);
    assert_agree(&full, &node);
}

/// Headers a little more than the pruning depth ahead, with restarts: what is below is gone when they come.
#[test]
fn headers_ahead_of_a_node_that_prunes() {
    let (blocks, full) = wide_chain(32);
    let ahead = DEPTH as usize + 20;
    let mut node = Node::new(small_network());
    for (count, block) in blocks.iter().enumerate() {
        let from = if count == 0 { 0 } else { count + ahead - 1 };
        let next = blocks.get(from..(count + ahead).min(blocks.len()));
        node.add_headers(next.unwrap_or_default());
        node.insert(block);
        node.settle();
        prune_all(&mut node, 40);
        if count % 90 == 89 {
            node = node.copy();
        }
    }
    assert_agree(&full, &node);
    assert_eq!(node.headers_tip(), full.headers_tip());
}

/// Headers whose bodies never come leave the store when the pruning point has passed them.
#[test]
fn headers_without_bodies_leave() {
    let mut node = Node::new(small_network());
    node.mine_many(1, 5);
    let mut other = node.copy();
    let stray: Vec<Block> = other
        .mine_many(2, 8)
        .iter()
        .map(|hash| other.engine.records().block(hash).unwrap().unwrap())
        .collect();
    node.add_headers(&stray);
    assert_eq!(node.headers_tip(), stray[7].hash());
    node.mine_many(1, DEPTH as usize + 60);
    assert_eq!(node.headers_tip(), node.sink());
    prune_all(&mut node, 10);
    for block in &stray {
        let records = node.engine.records();
        assert!(records.status(&block.hash()).unwrap().is_none());
    }
    let late = node.insert_headers(&stray[3..4]);
    assert!(
        matches!(&late[..], [Inserted::MissingParents(_)]),
        "{late:?}"
    );
    node.mine_many(3, 3);
}
