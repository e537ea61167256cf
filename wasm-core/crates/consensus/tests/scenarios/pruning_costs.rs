//! What a step of pruning costs, however much there is to prune.

use svc_consensus::store::tables;
use svc_dag::store::DagStore;

use crate::scenarios::kit::Node;
use crate::scenarios::pruning_kit::{Miners, small_network};

/// The longest list of blocks whose lists a block stands in for deleted ones, and the most children of a block.
fn longest_lists(node: &Node) -> (usize, usize) {
    let rows = node.dump(&[tables::INHERITED_MERGES]);
    let inherited = rows.iter().map(|(.., value)| value.len() / 32).max();
    let records = node.engine.records();
    let nodes = node.dump(&[tables::REACHABILITY]);
    let children = nodes.iter().map(|(_, key, _)| {
        let hash = svc_codec::hash32::Hash32(key.as_slice().try_into().unwrap());
        records.reachability(&hash).unwrap().children.len()
    });
    (inherited.unwrap_or(0), children.max().unwrap_or(0))
}

/// A wide chain is swept at once, as after a first synchronisation: what a deleted block leaves to its heirs does not
/// grow with the blocks that were deleted before.
#[test]
fn a_long_sweep_leaves_short_lists() {
    let profile = small_network();
    let mut miners = Miners::new(&profile, 11, 4);
    miners.latency = 8;
    let mut node = Node::new(profile);
    for count in 0..700 {
        node.insert(&miners.mine());
        if count % 8 == 0 {
            node.settle();
        }
    }
    for _ in 0..40 {
        node.settle();
    }
    let before = longest_lists(&node);
    let (mut most, mut seen) = ((0, 0), Vec::new());
    while !node.engine.prune(8).unwrap().done {
        let now = longest_lists(&node);
        most = (most.0.max(now.0), most.1.max(now.1));
        seen.push(now);
    }
    println!("{before:?} {seen:?}");
    assert!(most.0 <= 24 && most.1 <= 24, "{most:?}");
}
