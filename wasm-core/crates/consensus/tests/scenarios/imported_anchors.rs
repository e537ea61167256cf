//! What may be spent against below a pruning point that a node began at: it has the anchor entries of those blocks, but
//! no state of them.

use svc_codec::hash32::Hash32;
use svc_consensus::store::{Change, Store};
use svc_consensus::tables;
use svc_dag::store::DagStore;

use crate::import_refusals::{made, node as full_node, offers};
use crate::importing::{FORK, Offer, new_node};
use crate::kit::{Node, listed};
use crate::payments::Payment;

/// A node that began at the pruning point and knows a few blocks above.
fn imported(offer: &Offer) -> Node {
    let mut node = new_node();
    offer.take_graph(&mut node).unwrap();
    offer.take_above(&mut node).unwrap();
    offer.take_state(&mut node).unwrap();
    node
}

/// The first block down the chain from the pruning point that is at least so much below it in blue score.
fn ancestor(full: &Node, point: &Hash32, age: u64) -> Hash32 {
    let score = full.blue_score(point);
    let chain = full.chain();
    let mut below = chain.iter().rev();
    *below
        .find(|block| full.blue_score(block) + age <= score)
        .unwrap()
}

/// No root covers the pairs of tree root and block from before the fork. Those that cannot be true do not count.
#[test]
fn false_pairs_from_before_the_fork_do_not_count() {
    let full = full_node();
    let lie = Hash32([1; 32]);
    let [mut before, mut behind] = offers();
    let point = made().points[0];
    let (young, old) = (ancestor(&full, &point, 3), ancestor(&full, &point, 21));
    let beside = before.bodies[1].block.hash();
    let unknown = Hash32([9; 32]);
    assert!(full.daa(&point) < FORK);
    before.state.older = [young, old, beside, unknown, point]
        .map(|block| (lie, block))
        .to_vec();
    let taken = imported(&before);
    let state = taken.engine.state();
    for block in [young, old, beside, point] {
        assert!(state.has_reachability(&block).unwrap(), "known by its hash");
    }
    assert_eq!(state.anchor_producers(&lie, 10).unwrap(), [young]);
    for block in [old, beside, unknown] {
        assert_eq!(state.anchor_entry(&block).unwrap(), None);
    }
    let own = state.anchor_entry(&point).unwrap().unwrap();
    assert_eq!(own.tree_root, full.state_of(&point).tree_root);

    // Behind the fork the log tells.
    let point = made().points[1];
    let young = ancestor(&full, &point, 3);
    assert!(full.daa(&young) >= FORK);
    behind.state.older = vec![(lie, young)];
    let taken = imported(&behind);
    let state = taken.engine.state();
    assert_eq!(state.anchor_producers(&lie, 10).unwrap(), []);
    let entry = state.anchor_entry(&young).unwrap().unwrap();
    assert_eq!(entry.tree_root, full.state_of(&young).tree_root);
}

/// A copy of the node whose store has lost these rows of a block.
fn without(node: &Node, block: &Hash32, lost: &[u8]) -> Node {
    let mut store = node.engine.state().overlay.store().clone();
    let row = |table: &u8| Change {
        table: *table,
        key: block.as_bytes().to_vec(),
        value: None,
    };
    store.commit(lost.iter().map(row).collect()).unwrap();
    Node::open(store, node.engine.rules().profile.clone())
}

/// Specification shielded 15.3. The entry stands for the block, even where its place in the graph is gone; without
/// both it is not final.
#[test]
fn a_spend_against_an_imported_entry_is_applied() {
    let full = full_node();
    for (offer, point) in offers().iter().zip(made().points) {
        let mut node = imported(offer);
        node.settle();
        let source = ancestor(&full, &point, 1);
        let state = node.engine.state();
        assert_ne!(state.position().unwrap(), point);
        let entry = state.anchor_entry(&source).unwrap().unwrap();
        assert_eq!(entry.tree_root, full.state_of(&source).tree_root);
        assert!(state.find_chain_state(&source).unwrap().is_none());
        let named = Payment::of(1_000_000).against(&full, &source);
        let is_behind = full.daa(&point) >= FORK;
        let spend = if is_behind { named } else { named.plain() }.build();
        let both = [tables::REACHABILITY, tables::ANCHOR_ENTRIES];
        for (lost, is_applied) in [(&both[..0], true), (&both[..1], true), (&both[..], false)] {
            let mut node = without(&node, &source, lost);
            let block = node.build_carrying(1, std::slice::from_ref(&spend));
            assert_eq!(block.header.daa_score >= FORK, is_behind);
            node.add(&block);
            let merging = node.mine(1, &[]);
            let facts = node.chain_facts(&merging);
            let key = if is_applied { "applied" } else { "dropped" };
            assert!(listed(&facts, key).contains(&spend.id()), "{lost:?}");
        }
    }
}
