//! What a call with headers reads and writes does not grow with the number of headers that wait for their bodies.

use svc_chain::block::Block;
use svc_chance::chance::Chance;
use svc_codec::hash32::Hash32;
use svc_consensus::store::MemoryStore;

use crate::bounded_steps::Counted;
use crate::headers_first::{bodiless, header_over};
use crate::kit::{Node, simnet};

/// Headers of one call.
const CALL: usize = 100;

/// Headers one above the other.
fn branch(from: Hash32, count: usize, seed: u64) -> Vec<Block> {
    let mut chance = Chance::new(seed);
    let mut node = Node::new(simnet());
    let (mut tip, mut made) = (from, Vec::new());
    for _ in 0..count {
        let block = bodiless(header_over(&node, &[tip], &mut chance));
        node.add_headers(std::slice::from_ref(&block));
        tip = block.hash();
        made.push(block);
    }
    made
}

/// Reads and writes of one call, nothing being remembered from the last.
fn cost(node: &mut Node<Counted>, headers: &[Block]) -> (usize, usize) {
    node.engine.state().clear_caches();
    node.engine.state().overlay.store().take();
    node.add_headers(headers);
    node.engine.state().overlay.store().take()
}

/// Sums of both halves of the calls.
fn halves(costs: &[(usize, usize)]) -> [(usize, usize); 2] {
    println!("reads and writes: {costs:?}");
    let (early, late) = costs.split_at(costs.len() / 2);
    let sum = |part: &[(usize, usize)]| {
        let reads = part.iter().map(|cost| cost.0).sum();
        (reads, part.iter().map(|cost| cost.1).sum())
    };
    [sum(early), sum(late)]
}

#[test]
fn one_branch() {
    let mut node = Node::open(Counted::over(&MemoryStore::new()), simnet());
    let genesis = node.engine.rules().genesis_hash;
    let headers = branch(genesis, 12 * CALL, 1);
    let costs: Vec<_> = headers
        .chunks(CALL)
        .map(|call| cost(&mut node, call))
        .collect();
    // The windows fill first.
    let [early, late] = halves(&costs[4..]);
    assert!(late.0 <= early.0 + early.0 / 10, "{early:?} {late:?}");
    assert!(late.1 <= early.1 + early.1 / 10, "{early:?} {late:?}");
}

/// Two branches that overtake each other with every call: room for intervals does not run back and forth. Room beside
/// the chain doubles when it is used up, so that one call may take more; what counts is the sum.
#[test]
fn two_branches_in_turns() {
    let mut node = Node::open(Counted::over(&MemoryStore::new()), simnet());
    let genesis = node.engine.rules().genesis_hash;
    let branches = [2, 3].map(|seed| branch(genesis, 12 * CALL, seed));
    let mut costs = Vec::new();
    for (first, second) in branches[0].chunks(CALL).zip(branches[1].chunks(CALL)) {
        let (a, b) = (cost(&mut node, first), cost(&mut node, second));
        costs.push((a.0 + b.0, a.1 + b.1));
    }
    let [early, late] = halves(&costs[4..]);
    assert!(late.0 <= 2 * early.0, "{early:?} {late:?}");
    assert!(late.1 <= 2 * early.1, "{early:?} {late:?}");
}
