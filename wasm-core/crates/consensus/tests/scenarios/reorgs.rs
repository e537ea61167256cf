//! Changes of the selected chain: what is undone, what comes back, and that nothing else remains.

use svc_chain::block::Block;
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_consensus::engine::Engine;
use svc_consensus::pipeline::event::Event;
use svc_consensus::questions;
use svc_consensus::store::tables;
use svc_consensus::store::{Change, Store};

use crate::scenarios::kit::{Node, listed, simnet};
use crate::scenarios::payments::{Payment, nullifier};

fn block_of(node: &Node, hash: &Hash32) -> Block {
    node.engine.records().block(hash).unwrap().unwrap()
}

/// Hands every block of one node's selected chain to another.
fn deliver_chain(from: &Node, to: &mut Node) {
    for hash in from.chain().iter().skip(1) {
        to.add(&block_of(from, hash));
    }
}

#[test]
fn a_re_spend_after_a_reorg_of_a_note_whose_spend_was_undone() {
    let mut left = Node::new(simnet());
    left.mine_many(1, 3);
    let mut right = left.copy();
    let (first, second) = (Payment::of(7).build(), Payment::of(7).salted(1).build());
    let carrier = left.build_carrying(1, std::slice::from_ref(&first));
    left.add(&carrier);
    let abandoned = left.mine(1, &[]);
    assert_eq!(
        listed(&left.chain_facts(&abandoned), "applied"),
        [first.id()]
    );
    let other = right.build_carrying(2, std::slice::from_ref(&second));
    right.add(&other);
    let joined = right.mine(2, &[]);
    right.mine_many(2, 3);
    deliver_chain(&right, &mut left);
    assert_eq!(left.sink(), right.sink());
    assert_eq!(listed(&left.chain_facts(&joined), "applied"), [second.id()]);
    assert!(left.engine.records().is_spent(&nullifier(7)).unwrap());
    // Now the abandoned branch is merged: its spend comes too late.
    let merging = left.mine(1, &[]);
    let facts = left.chain_facts(&merging);
    assert_eq!(listed(&facts, "dropped"), [first.id()]);
    assert_eq!(listed(&facts, "applied"), []);
    left.assert_supply();
}

#[test]
fn the_change_is_told_once_and_in_order() {
    let mut left = Node::new(simnet());
    let base = left.mine_many(1, 3);
    let mut right = left.copy();
    let old = left.mine_many(1, 2);
    let new = right.mine_many(2, 4);
    left.events.clear();
    for hash in &new {
        left.insert(&block_of(&right, hash));
    }
    left.settle();
    let added: Vec<&Event> = left
        .events
        .iter()
        .filter(|event| matches!(event, Event::BlockAdded { .. }))
        .collect();
    assert_eq!(added.len(), 4);
    let Some(Event::VirtualChanged(change)) = left.events.last() else {
        panic!("{:?}", left.events);
    };
    assert_eq!(change.removed, [old[1], old[0]], "newest first");
    let joined: Vec<&str> = change
        .added
        .iter()
        .map(|facts| facts["hash"].as_str().unwrap())
        .collect();
    let expected: Vec<String> = new.iter().map(Hash32::to_string).collect();
    assert_eq!(joined, expected, "oldest first");
    assert_eq!(change.added[0]["index"], "4");
    assert_eq!(change.sink, new[3]);
    let facts = questions::virtual_chain_from(left.engine.records(), &old[1], 10).unwrap();
    assert_eq!(facts["removed"].as_array().unwrap().len(), 2);
    assert_eq!(facts["added"][0]["hash"], new[0].to_string());
    assert_eq!(left.chain()[1..4], base);
}

/// Mines with a payment in every third block; `from` numbers the notes.
fn mine_with_payments(node: &mut Node, miner: u32, count: u64, from: u64) {
    for index in 0..count {
        if index % 3 == 0 {
            let fee = if from < 1_000 {
                0
            } else {
                1_000 + index as i64
            };
            let payment = Payment::of(from + index).fee(fee).build();
            node.mine(miner, &[payment]);
        } else {
            node.mine(miner, &[]);
        }
    }
}

/// Tables that say what is on the chain now: they must be equal as a whole.
const CURRENT: [u8; 6] = [
    tables::CHAIN_BY_INDEX,
    tables::CHAIN_BY_HASH,
    tables::NULLIFIERS,
    tables::LANES,
    tables::LANE_NODES,
    tables::LANE_EXPIRY,
];
/// Tables keyed by block: equal for every block both nodes know.
const BY_BLOCK: [u8; 12] = [
    tables::HEADERS,
    tables::BODIES,
    tables::STATUS,
    tables::GHOSTDAG,
    tables::DAA_EXCLUDED,
    tables::DEPTHS,
    tables::ACCEPTANCE,
    tables::CHAIN_STATE,
    tables::NULLIFIER_DIFFS,
    tables::LANE_DIFFS,
    tables::SCAN_RECORDS,
    tables::CHAIN_EVIDENCE,
];

/// `node` went through reorganisations; `fresh` knows nothing but the winning chain.
fn assert_same_chain(node: &Node, fresh: &Node) {
    assert_eq!(node.sink(), fresh.sink());
    assert_eq!(node.dump(&CURRENT), fresh.dump(&CURRENT));
    let known = node.dump(&BY_BLOCK);
    for row in fresh.dump(&BY_BLOCK) {
        assert!(known.binary_search(&row).is_ok(), "table {} differs", row.0);
    }
    let position = node.engine.records().position().unwrap();
    assert_eq!(position, fresh.engine.records().position().unwrap());
    let facts = |node: &Node| questions::shielded_facts(node.engine.chain(), &node.sink()).unwrap();
    assert_eq!(facts(node), facts(fresh));
    let mut tips = [node, fresh].map(|node| {
        let chain = node.engine.chain();
        questions::tip(chain).unwrap()
    });
    // What depends on the blocks beside the chain.
    for tip in &mut tips {
        for key in [
            "tips",
            "virtualParents",
            "pastMedianTime",
            "blockCount",
            "headerCount",
            "daaScore",
        ] {
            tip.as_object_mut().unwrap().remove(key);
        }
    }
    assert_eq!(tips[0], tips[1]);
}

#[test]
fn a_reorganisation_of_a_hundred_blocks_and_back_leaves_no_trace() {
    let mut left = Node::new(simnet());
    mine_with_payments(&mut left, 1, 20, 0);
    let mut right = left.copy();
    mine_with_payments(&mut left, 1, 100, 1_000);
    // The same notes as on the other branch: undoing must come first.
    mine_with_payments(&mut right, 2, 102, 1_001);
    let mut node = left.copy();
    deliver_chain(&right, &mut node);
    assert_same_chain(&node, &{
        let mut fresh = Node::new(simnet());
        deliver_chain(&right, &mut fresh);
        fresh
    });
    mine_with_payments(&mut left, 1, 4, 2_000);
    deliver_chain(&left, &mut node);
    let mut fresh = Node::new(simnet());
    deliver_chain(&left, &mut fresh);
    assert_same_chain(&node, &fresh);
    // The length of each change, which comes in pages.
    let mut depths = vec![0];
    for event in &node.events {
        let Event::VirtualChanged(change) = event else {
            continue;
        };
        *depths.last_mut().unwrap() += change.removed.len();
        if change.last {
            depths.push(0);
        }
    }
    assert!(depths.into_iter().max() >= Some(100));
    node.assert_supply();
}

#[test]
fn a_small_budget_and_a_large_one_end_the_same() {
    let mut left = Node::new(simnet());
    mine_with_payments(&mut left, 1, 12, 0);
    let mut right = left.copy();
    mine_with_payments(&mut left, 1, 9, 1_000);
    mine_with_payments(&mut right, 2, 12, 1_001);
    let mut stepwise = left.copy();
    stepwise.budget = 1;
    let mut at_once = left.copy();
    for node in [&mut stepwise, &mut at_once] {
        node.insert_chain(&right, 13);
        node.settle();
    }
    assert!(stepwise.resolves > 20, "one block at a time");
    assert_eq!(at_once.resolves, 1);
    let everything: Vec<u8> = (0..=u8::MAX).collect();
    assert_eq!(stepwise.dump(&everything), at_once.dump(&everything));
}

#[test]
fn a_lost_record_of_what_a_block_did_stops_the_engine() {
    let mut left = Node::new(simnet());
    left.mine_many(1, 3);
    let mut right = left.copy();
    let carrier = left.build_carrying(1, &[Payment::of(7).build()]);
    left.add(&carrier);
    let applying = left.mine(1, &[]);
    right.mine_many(2, 3);
    for (table, code) in [
        (tables::NULLIFIER_DIFFS, Code::StoreCorrupt),
        (tables::LANE_DIFFS, Code::StoreMissing),
    ] {
        let mut store = left.engine.records().overlay.store().clone();
        let key = applying.as_bytes().to_vec();
        assert!(store.get(table, &key).unwrap().is_some());
        let value = None;
        store.commit(vec![Change { table, key, value }]).unwrap();
        let mut engine = Engine::open(store, simnet()).unwrap();
        for hash in right.chain().iter().skip(4) {
            let block = block_of(&right, hash);
            let now = block.header.timestamp_ms;
            engine.insert_block(block, now).unwrap();
        }
        let error = engine.resolve(100).map(drop).unwrap_err();
        assert_eq!(error.code, code, "table {table}");
        let restarted = engine.resolve(100).map(drop).unwrap_err();
        assert_eq!(restarted.code, Code::EngineRestarted);
    }
}
