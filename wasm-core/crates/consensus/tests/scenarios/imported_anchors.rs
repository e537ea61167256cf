//! Anchors below the pruning point at which a node began: it has the anchor entries of those blocks, but no state of
//! them.

use svc_codec::hash32::Hash32;
use svc_consensus::rules::anchor_binding::AnchorBinding;
use svc_consensus::store::tables;
use svc_consensus::store::{Change, Store};
use svc_dag::store::DagStore;

use crate::scenarios::import_refusals::{made, node as full_node, offers};
use crate::scenarios::importing::{FORK, Offer, new_node};
use crate::scenarios::kit::{Node, listed};
use crate::scenarios::payments::Payment;

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

/// Where nobody has what binds them, pairs of tree root and block from before the fork are taken as they came. Those that
/// cannot be true do not count.
#[test]
fn false_pairs_from_before_the_fork_do_not_count_where_nobody_binds_them() {
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
    let mut taken = claimed(&before);
    taken.engine.importing().waive_bindings().unwrap();
    taken.engine.importing().finish_import().unwrap();
    let records = taken.engine.records();
    for block in [young, old, beside, point] {
        assert!(
            records.has_reachability(&block).unwrap(),
            "known by its hash"
        );
    }
    assert_eq!(records.anchor_producers(&lie).unwrap(), [young]);
    for block in [old, beside, unknown] {
        assert_eq!(records.anchor_entry(&block).unwrap(), None);
    }
    let own = records.anchor_entry(&point).unwrap().unwrap();
    assert_eq!(own.tree_root, full.state_of(&point).tree_root);

    // Behind the fork the log tells.
    let point = made().points[1];
    let young = ancestor(&full, &point, 3);
    assert!(full.daa(&young) >= FORK);
    behind.state.older = vec![(lie, young)];
    let taken = imported(&behind);
    let records = taken.engine.records();
    assert_eq!(records.anchor_producers(&lie).unwrap(), []);
    let entry = records.anchor_entry(&young).unwrap().unwrap();
    assert_eq!(entry.tree_root, full.state_of(&young).tree_root);
}

/// A node that took all but what binds the anchors.
fn claimed(offer: &Offer) -> Node {
    let mut node = new_node();
    offer.take_graph(&mut node).unwrap();
    offer.take_above(&mut node).unwrap();
    let engine = &mut node.engine;
    engine.importing().import_binding(&offer.child).unwrap();
    engine.importing().import_lanes(offer.lanes.0).unwrap();
    engine.importing().import_lane_page(&offer.lanes.1).unwrap();
    engine
        .importing()
        .import_state(offer.state.clone())
        .unwrap();
    engine
        .importing()
        .import_nullifiers(&offer.nullifiers)
        .unwrap();
    node
}

/// A false old anchor: the root of a tree that its sender made up, for a block of the chain.
#[test]
fn a_false_old_anchor_is_refused() {
    let full = full_node();
    let [honest, _] = offers();
    let count = honest.bindings.len();
    assert_eq!(count, honest.state.older.len());
    assert!(count > 5);
    let refusal = |change: &dyn Fn(&mut Offer)| {
        let mut offer = honest.clone();
        change(&mut offer);
        let mut node = claimed(&offer);
        assert!(node.importing().wants_bindings().unwrap());
        let error = offer.bind_anchors(&mut node.engine).unwrap_err();
        let after = node.importing().finish_import().unwrap_err();
        assert_eq!(after.code.as_str(), "import/unbound");
        (error.code.as_str(), error.data[1].1.clone())
    };
    let lie = Hash32([1; 32]);
    let at = count / 2;
    let forged = |root: Hash32, by: usize| {
        let mut bytes = honest.bindings[by].1.to_bytes();
        bytes[1..33].copy_from_slice(root.as_bytes());
        AnchorBinding::from_bytes(&bytes).unwrap()
    };
    let mut refused = 0;
    for (change, reason) in [
        (
            &(|offer: &mut Offer| offer.state.older[at].0 = lie) as &dyn Fn(&mut Offer),
            ("import/wrong-entry", "its root is another"),
        ),
        (
            &|offer| {
                offer.state.older[at].0 = lie;
                offer.bindings[at].1 = forged(lie, at);
            },
            (
                "import/wrong-binding",
                "the coinbase commits to another state",
            ),
        ),
        (
            &|offer| {
                offer.state.older[at].0 = lie;
                offer.bindings[at].1 = forged(lie, at - 1);
            },
            (
                "import/wrong-binding",
                "the coinbase is not that of the child",
            ),
        ),
        (
            &|offer| {
                offer.state.older.remove(at);
            },
            ("import/wrong-entry", "older ones are left out"),
        ),
        (
            &|offer| {
                offer.state.older.remove(at);
                offer.bindings.remove(at);
            },
            ("import/wrong-entry", "older ones are left out"),
        ),
        (
            &|offer| offer.bindings[at].0 = offer.bindings[at - 1].0,
            ("import/wrong-binding", "it is not asked for"),
        ),
    ] {
        let (code, why) = refusal(change);
        assert_eq!((code, why.as_str()), reason);
        refused += 1;
    }
    println!("{count} anchors, {refused} lies about one of them refused");
    assert!(full.daa(&made().points[0]) < FORK);
}

#[test]
fn an_import_does_not_end_before_old_anchors_are_bound() {
    let [before, behind] = offers();
    let mut node = claimed(&before);
    let (last, others) = before.bindings.split_last().unwrap();
    for page in others.chunks(9) {
        node.importing().import_bindings(page).unwrap();
    }
    assert!(node.importing().wants_bindings().unwrap());
    let mut early = claimed(&before);
    let error = early.engine.importing().finish_import().unwrap_err();
    assert_eq!(error.code.as_str(), "import/unbound");
    node.importing()
        .import_bindings(std::slice::from_ref(last))
        .unwrap();
    assert!(!node.importing().wants_bindings().unwrap());
    node.importing().finish_import().unwrap();
    // Behind the fork by more than the age of an anchor there is nothing to bind.
    assert!(behind.bindings.is_empty() && behind.state.older.is_empty());
    assert!(
        !claimed(&behind)
            .engine
            .importing()
            .wants_bindings()
            .unwrap()
    );
}

/// What an import brought is served on, byte for byte.
#[test]
fn bindings_are_served_on_by_who_began_with_them() {
    let [before, _] = offers();
    let node = imported(&before);
    let records = node.engine.records();
    for (block, binding) in &before.bindings {
        let kept = records.anchor_binding(block, &Hash32::ZERO).unwrap();
        assert_eq!(kept.as_ref(), Some(binding));
    }
}

/// A copy of the node whose store has lost these rows of a block.
fn without(node: &Node, block: &Hash32, lost: &[u8]) -> Node {
    let mut store = node.engine.records().overlay.store().clone();
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
        let records = node.engine.records();
        assert_ne!(records.position().unwrap(), point);
        let entry = records.anchor_entry(&source).unwrap().unwrap();
        assert_eq!(entry.tree_root, full.state_of(&source).tree_root);
        assert!(records.find_chain_state(&source).unwrap().is_none());
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
