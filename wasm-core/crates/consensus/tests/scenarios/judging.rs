//! Chain candidates that are refused, and that a refused one never stops the node.

use serde_json::json;
use svc_chain::block::Block;
use svc_chain::profile::Profile;
use svc_codec::hash32::Hash32;
use svc_consensus::pipeline::event::Event;
use svc_consensus::store::tables;
use svc_dag::store::DagStore;

use crate::scenarios::kit::{Node, script_of, seal, simnet, simnet_with, with_payload};
use crate::scenarios::payments::Payment;

/// A node whose next block pays out: DAA score 10.
fn at_payout() -> Node {
    let mut node = Node::new(simnet());
    node.mine_many(1, 10);
    node
}

fn assert_disqualified(node: &mut Node, block: &Block, code: &str) {
    let sink = node.sink();
    node.add(block);
    assert_eq!(node.sink(), sink);
    let status = node.status(&block.hash());
    assert_eq!(status, ("disqualified".into(), code.into()));
}

#[test]
fn a_coinbase_one_sompi_off_is_refused() {
    for difference in [-1_i64, 1] {
        let mut node = at_payout();
        let mut block = node.build(1, &[]);
        let value = &mut block.transactions[0].outputs[0].value;
        *value = value.checked_add_signed(difference).unwrap();
        assert_disqualified(&mut node, &seal(block), "virtual/wrong-coinbase");
    }
}

#[test]
fn the_coinbase_pays_the_right_recipient() {
    let mut node = at_payout();
    let mut block = node.build(1, &[]);
    block.transactions[0].outputs[0].script = script_of(2);
    assert_disqualified(&mut node, &seal(block), "virtual/wrong-coinbase");
    let mut block = node.build(1, &[]);
    block.transactions[0].outputs.clear();
    assert_disqualified(&mut node, &seal(block), "virtual/wrong-coinbase");
}

#[test]
fn the_state_root_is_that_of_the_selected_parent() {
    let mut node = at_payout();
    let block = with_payload(&node.build(1, &[]), |payload| {
        payload.state_root = Hash32::ZERO;
    });
    assert_disqualified(&mut node, &block, "virtual/wrong-state-root");
}

/// Reported tips without the finality point.
fn violations(node: &Node) -> Vec<(Hash32, u64)> {
    let of = |event: &Event| match event {
        Event::FinalityViolation { tip, blue_score } => Some((*tip, *blue_score)),
        _ => None,
    };
    node.events.iter().filter_map(of).collect()
}

/// The refused tip is heavier than the sink: it may not become a parent of virtual.
#[test]
fn mining_goes_on_beside_a_heavier_refused_tip() {
    let mut node = at_payout();
    let sink = node.sink();
    let mut refused = Vec::new();
    for miner in 2..5 {
        let block = node.build_carrying(miner, &[Payment::of(1).broken().build()]);
        node.add(&block);
        refused.push(block.hash());
    }
    assert_eq!(
        node.engine.records().virtual_record().unwrap().parents,
        [sink]
    );
    let blocks = node.mine_many(1, 3);
    assert_eq!(node.sink(), blocks[2]);
    assert_eq!(
        node.engine.records().tips().unwrap(),
        [blocks[2]],
        "all merged"
    );
    for block in refused {
        assert_eq!(node.status(&block).0, "disqualified");
    }
    node.assert_supply();
}

#[test]
fn what_stands_on_a_refused_block_is_refused_with_it() {
    let mut honest = at_payout();
    // This node's host believes every proof, so it builds on the broken block.
    let mut gullible = honest.copy();
    let payment = Payment::of(1).broken().build();
    let bad = gullible.build_carrying(2, std::slice::from_ref(&payment));
    gullible
        .engine
        .insert_block(bad.clone(), bad.header.timestamp_ms)
        .unwrap();
    let named = svc_shielded::bundle::BundleFormat::NamedAnchor;
    gullible
        .engine
        .note_verdict(payment.id(), named, true)
        .unwrap();
    gullible.settle();
    gullible.mine_many(2, 30);
    let branch: Vec<Hash32> = gullible.chain().split_off(11);
    for hash in &branch {
        let block = gullible.engine.records().block(hash).unwrap().unwrap();
        honest.insert(&block);
    }
    let sink = honest.sink();
    honest.settle();
    assert_eq!(honest.sink(), sink);
    assert_eq!(honest.status(&branch[0]).1, "virtual/bad-transactions");
    for hash in &branch[1..] {
        let status = honest.status(hash);
        assert_eq!(
            status,
            ("disqualified".into(), "virtual/disqualified".into())
        );
    }
    // One more on top, known to be refused at once, and the honest chain outgrows them all.
    let tip = gullible.build(2, &[]);
    honest.add(&tip);
    assert_eq!(honest.status(&tip.hash()).0, "disqualified");
    honest.mine_many(1, 40);
    assert_eq!(honest.engine.records().tips().unwrap().len(), 1);
    honest.assert_supply();
}

#[test]
fn a_tip_without_verdicts_is_not_merged_and_its_jobs_are_asked_for_again() {
    let mut node = at_payout();
    let payment = Payment::of(1).build();
    let side = node.build_carrying(2, std::slice::from_ref(&payment));
    node.mine_many(1, 2);
    // The host restarts before it answers: the new engine has only the store.
    node.engine
        .insert_block(side.clone(), side.header.timestamp_ms)
        .unwrap();
    let sink = node.sink();
    let mut restarted = node.copy();
    let resolved = restarted.engine.resolve(100).unwrap();
    assert!(resolved.done);
    assert_eq!(resolved.jobs.len(), 1);
    assert_eq!(resolved.jobs[0].txid, payment.id());
    let block = restarted.build(1, &[]);
    assert_eq!(block.header.direct_parents(), [sink], "work goes on");
    let other = Payment::of(2).build().into();
    let check = restarted.engine.check_transaction(&other);
    assert!(check.is_ok());
    restarted.settle();
    let block = restarted.build(1, &[]);
    assert_eq!(block.header.direct_parents(), [sink, side.hash()]);
}

#[test]
fn a_damaged_record_stops_the_engine_and_judges_nobody() {
    for table in [
        tables::GHOSTDAG,
        tables::STATUS,
        tables::CHAIN_STATE,
        tables::BODIES,
        tables::DEPTHS,
    ] {
        let mut node = at_payout();
        let block = node.build(1, &[]);
        let sink = node.sink();
        let mut store = node.engine.records().overlay.store().clone();
        let key = sink.as_bytes().to_vec();
        let value = Some(vec![1, 2, 3]);
        let change = svc_consensus::store::Change { table, key, value };
        svc_consensus::store::Store::commit(&mut store, vec![change]).unwrap();
        let mut damaged = svc_consensus::engine::Engine::open(store, simnet()).unwrap();
        let outcome = damaged
            .insert_block(block.clone(), block.header.timestamp_ms)
            .and_then(|_| damaged.resolve(100));
        let error = outcome.err().unwrap_or_else(|| panic!("table {table}"));
        assert_eq!(error.code.as_str(), "store/corrupt", "table {table}");
    }
}

fn shallow_finality() -> Profile {
    simnet_with(&[
        ("/mergeDepth", json!(10)),
        ("/maxShieldedAnchorAge", json!(15)),
        ("/finalityDepth", json!(20)),
        ("/pruningDepth", json!(20_000)),
    ])
}

#[test]
fn a_tip_that_lacks_the_finality_point_is_never_adopted() {
    let mut left = Node::new(shallow_finality());
    left.mine_many(1, 2);
    let mut right = left.copy();
    left.mine_many(1, 30);
    right.mine_many(2, 40);
    let sink = left.sink();
    left.insert_chain(&right, 1);
    left.settle();
    assert_eq!(left.sink(), sink);
    assert_eq!(left.status(&right.sink()).0, "pending");
    assert_eq!(
        violations(&left),
        [(right.sink(), right.blue_score(&right.sink()))]
    );
    let block = left.mine(1, &[]);
    assert_eq!(left.sink(), block);
    let header = left.engine.records().header(&block).unwrap();
    assert_eq!(header.header.direct_parents(), [sink]);
    // Told once, however the branch grows, and again by an engine that starts over.
    let longer = right.mine(2, &[]);
    let block = right.engine.records().block(&longer).unwrap().unwrap();
    left.insert(&block);
    left.settle();
    left.mine(1, &[]);
    assert_eq!(violations(&left).len(), 1);
    let mut restarted = left.copy();
    restarted.settle();
    let score = right.blue_score(&longer);
    assert_eq!(violations(&restarted), [(longer, score)]);
    assert_eq!(restarted.sink(), left.sink());
}

#[test]
fn a_lighter_tip_without_the_finality_point_is_nothing_to_tell() {
    let mut left = Node::new(shallow_finality());
    left.mine_many(1, 2);
    let mut right = left.copy();
    left.mine_many(1, 40);
    for hash in right.mine_many(2, 30) {
        let block = right.engine.records().block(&hash).unwrap().unwrap();
        left.insert(&block);
    }
    left.settle();
    assert!(violations(&left).is_empty());
}
