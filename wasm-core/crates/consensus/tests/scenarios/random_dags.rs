//! Random DAGs: whatever the order of arrival, every node ends in the same state.

use std::collections::BTreeMap;

use serde_json::json;
use svc_chain::block::Block;
use svc_chance::chance::Chance;
use svc_codec::hash32::Hash32;
use svc_consensus::questions;
use svc_consensus::questions::comparable_record::stored_record;
use svc_consensus::records::meta;
use svc_consensus::store::tables;

use crate::scenarios::bounded_steps::follow;
use crate::scenarios::kit::{Node, named_seed, simnet_with};
use crate::scenarios::payments::Payment;

/// Rounds of mining.
const BLOCKS: usize = 150;
const MINERS: usize = 4;
/// DAA score of the security fork.
const FORK: u64 = 50;

pub fn new_node() -> Node {
    // A small k gives reds, low heights put forks into the run.
    Node::new(simnet_with(&[
        ("/ghostdagK", json!(3)),
        ("/shieldedAnchorDepth", json!(4)),
        ("/maxShieldedAnchorAge", json!(20)),
        ("/activations/devFeeAccrual", json!(20)),
        ("/activations/multiProducerAnchors", json!(35)),
        ("/activations/securityFork", json!(FORK)),
        ("/activations/devFeeEnd", json!(90)),
    ]))
}

/// Some payments have a bad proof, strange flags or a huge fee against an invented tree; notes repeat, anchors come
/// from anywhere on the chain.
fn payments(
    chance: &mut Chance,
    node: &Node,
    named: bool,
) -> Vec<svc_chain::transaction::Transaction> {
    let chain = node.chain();
    (0..chance.below(3))
        .map(|_| {
            let mut payment = Payment::of(chance.below(60));
            payment = payment
                .salted(chance.below(4))
                .fee(chance.below(10_000) as i64);
            if chance.below(4) > 0 {
                let depth = 1 + chance.below(25).min(chain.len() as u64 - 1) as usize;
                payment = payment.against(node, &chain[chain.len() - depth]);
            }
            if chance.below(30) == 0 {
                payment = payment.broken();
            }
            if chance.below(8) == 0 {
                payment = payment.fee(i64::MAX);
                payment.anchor = Hash32([9; 32]);
            }
            let payment = if named { payment } else { payment.plain() };
            let mut transaction = payment.build();
            if chance.below(30) == 0 {
                transaction.payload[0] |= 0b1_0000;
            }
            transaction
        })
        .collect()
}

/// Miners that hear of each other's blocks late. Returns all blocks, parents first.
pub fn mine_dag(chance: &mut Chance) -> Vec<Block> {
    mine_dag_of(chance, &new_node, (BLOCKS, FORK))
}

/// [`mine_dag`] by nodes of another network, in so many rounds. From DAA score `fork` on payments name the block of their
/// anchor.
pub fn mine_dag_of(
    chance: &mut Chance,
    new_node: &dyn Fn() -> Node,
    (rounds, fork): (usize, u64),
) -> Vec<Block> {
    let mut miners: Vec<Node> = (0..MINERS).map(|_| new_node()).collect();
    let mut heard = [0; MINERS];
    let mut blocks: Vec<Block> = Vec::new();
    for _ in 0..rounds {
        let who = chance.below(MINERS as u64) as usize;
        let latency = chance.below(8) as usize;
        let known = heard[who].max(blocks.len().saturating_sub(latency));
        for block in &blocks[heard[who]..known] {
            miners[who].insert(block);
        }
        heard[who] = known;
        miners[who].settle();
        let node = &mut miners[who];
        let named = node.build(who as u32, &[]).header.daa_score >= fork;
        let carried = payments(chance, node, named);
        let mut distinct = BTreeMap::new();
        for payment in carried {
            distinct.insert(payment.id(), payment);
        }
        let carried: Vec<_> = distinct.into_values().collect();
        let mut block = node.build_carrying(who as u32, &carried);
        block.header.nonce = chance.bits();
        node.add(&block);
        blocks.push(block);
    }
    blocks
}

/// A random order in which every block comes after its parents.
pub fn shuffled(chance: &mut Chance, blocks: &[Block]) -> Vec<Block> {
    let mut waiting: Vec<&Block> = blocks.iter().collect();
    let mut known: Vec<Hash32> = vec![new_node().engine.rules().genesis_hash];
    let mut order = Vec::new();
    while !waiting.is_empty() {
        let ready: Vec<usize> = (0..waiting.len())
            .filter(|index| {
                let parents = waiting[*index].header.direct_parents();
                parents.iter().all(|parent| known.contains(parent))
            })
            .collect();
        let chosen = ready[chance.below(ready.len() as u64) as usize];
        let block = waiting.remove(chosen);
        known.push(block.hash());
        order.push(block.clone());
    }
    order
}

/// What every node that knows the same blocks must agree on.
pub fn summary(node: &Node) -> Vec<String> {
    let chain = node.engine.chain();
    let mut tip = questions::tip(chain).unwrap();
    let mut tips: Vec<String> = tip["tips"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tip| tip.to_string())
        .collect();
    tips.sort();
    tip["tips"] = json!(tips);
    let mut lines = vec![tip.to_string()];
    for hash in node.chain() {
        lines.push(
            questions::chain_facts(&chain.records, &hash)
                .unwrap()
                .unwrap()
                .to_string(),
        );
        lines.push(questions::shielded_facts(chain, &hash).unwrap().to_string());
    }
    let present = [
        tables::NULLIFIERS,
        tables::LANES,
        tables::LANE_NODES,
        tables::LANE_EXPIRY,
    ];
    lines.push(format!("{:?}", node.dump(&present)));
    lines.extend(compared_records(node));
    lines
}

/// Records in the form that two stores are compared by.
fn compared_records(node: &Node) -> Vec<String> {
    const OF_BLOCKS: [u8; 7] = [
        tables::HEADERS,
        tables::BODIES,
        tables::GHOSTDAG,
        tables::DAA_EXCLUDED,
        tables::DEPTHS,
        tables::REACHABILITY,
        tables::CHILDREN,
    ];
    const OF_CHAIN_BLOCKS: [u8; 6] = [
        tables::ACCEPTANCE,
        tables::CHAIN_STATE,
        tables::NULLIFIER_DIFFS,
        tables::LANE_DIFFS,
        tables::SCAN_RECORDS,
        tables::CHAIN_EVIDENCE,
    ];
    let records = node.engine.records();
    let line = |table: u8, key: &[u8]| {
        let record = stored_record(records, table, key).unwrap();
        format!("{table} {} {record:?}", svc_codec::hex::encode(key))
    };
    let rows = node.dump(&OF_BLOCKS);
    let mut lines: Vec<String> = rows
        .iter()
        .map(|(table, key, _)| line(*table, key))
        .collect();
    lines.push(line(tables::META, meta::TIPS));
    for block in node.chain() {
        lines.extend(OF_CHAIN_BLOCKS.map(|table| line(table, block.as_bytes())));
    }
    lines
}

fn run(seed: u64) {
    println!("seed {seed}");
    let mut chance = Chance::new(seed);
    let blocks = mine_dag(&mut chance);
    // In order of creation, a block at a time.
    let mut first = new_node();
    for block in &blocks {
        first.add(block);
    }
    let expected = summary(&first);
    // The run stays inside the DAA window, so no fee is lost and the plain rule holds.
    first.assert_supply();
    // Shuffled, restarted midway, one judged block per call.
    let mut second = new_node();
    second.budget = 1;
    for (index, block) in shuffled(&mut chance, &blocks).iter().enumerate() {
        second.insert(block);
        if index == BLOCKS / 2 {
            second.engine.resolve(1).unwrap();
            second = second.copy();
            second.budget = 1;
        }
        if chance.below(3) == 0 {
            second.settle();
        }
    }
    second.settle();
    assert!(summary(&second) == expected, "seed {seed}: shuffled");
    // All at once, then resolved, in a group.
    let mut third = new_node();
    third.engine.set_group_commit(true).unwrap();
    for block in shuffled(&mut chance, &blocks) {
        third.insert(&block);
    }
    third.settle();
    third.engine.set_group_commit(false).unwrap();
    third.settle();
    // Whoever follows what is published knows the chain.
    for node in [&first, &third] {
        let mut chain = vec![node.engine.rules().genesis_hash];
        assert!(follow(&node.events, &mut chain) > 0);
        assert_eq!(chain, node.chain(), "seed {seed}: events");
    }
    assert!(summary(&third) == expected, "seed {seed}: at once");
    let counts = kinds(&first);
    assert!(
        counts.iter().all(|(_, count)| *count > 0),
        "seed {seed}: the run exercises too little: {counts:?}"
    );
}

/// How much of each interesting thing happened on the chain.
fn kinds(node: &Node) -> Vec<(&'static str, usize)> {
    let (mut merged, mut reds, mut applied, mut dropped) = (0, 0, 0, 0);
    for hash in node.chain() {
        let facts = node.chain_facts(&hash);
        let rows = facts["merged"].as_array().unwrap();
        merged += rows.len().saturating_sub(1);
        reds += rows.iter().filter(|row| row["color"] == "red").count();
        applied += facts["applied"].as_array().unwrap().len();
        dropped += facts["dropped"].as_array().unwrap().len();
    }
    vec![
        ("merged", merged),
        ("reds", reds),
        ("applied", applied),
        ("dropped", dropped),
    ]
}

#[test]
fn every_order_of_arrival_ends_in_the_same_state() {
    for seed in [1, 2, 3].into_iter().chain(named_seed()) {
        run(seed);
    }
}
