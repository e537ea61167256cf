//! A miner's script has a version, which a template of ours sets to 0 and no rule forbids to be another. Rewards are paid to
//! the script under the version that the miner chose (specification consensus 10.4, 10.5).

use serde_json::json;
use svc_chain::block::Block;
use svc_codec::hash32::Hash32;

use crate::scenarios::kit::{
    CUT, Node, REWARD, dev_script, script_of, seal, simnet, simnet_with, with_payload,
};

/// A version that no template of ours has.
const OTHER: u16 = 7;

/// A payment of a coinbase: value, script version, script.
type Paid = (u64, u16, Vec<u8>);

/// A block whose miner chose another script version.
fn of_version(block: &Block, version: u16) -> Block {
    with_payload(block, |payload| payload.script_version = version)
}

fn mine_as(node: &mut Node, miner: u32, version: u16) -> Hash32 {
    let block = of_version(&node.build(miner, &[]), version);
    let hash = node.add(&block);
    assert_eq!(node.sink(), hash, "{:?}", node.status(&hash));
    hash
}

fn paid(node: &Node, block: &Hash32) -> Vec<Paid> {
    let body = node.engine.records().body(block).unwrap();
    let outputs = body[0].outputs.iter();
    outputs
        .map(|output| (output.value, output.script_version, output.script.clone()))
        .collect()
}

/// One script under two versions is two payees: the slot changes hands between them.
#[test]
fn the_accrual_slot_tells_versions_of_one_script_apart() {
    let mut node = Node::new(simnet());
    node.mine_many(1, 3);
    mine_as(&mut node, 1, OTHER);
    let script = script_of(1);
    let change = node.mine(1, &[]);
    assert_eq!(paid(&node, &change), [(3 * REWARD, 0, script.clone())]);
    let slot = node.state_of(&change).slot;
    let expected = (REWARD, OTHER, script.clone());
    assert_eq!((slot.amount, slot.script_version, slot.script), expected);
    let back = node.mine(1, &[]);
    assert_eq!(paid(&node, &back), [(REWARD, OTHER, script.clone())]);
    let slot = node.state_of(&back).slot;
    assert_eq!((slot.amount, slot.script_version), (REWARD, 0));
    node.assert_supply();
}

#[test]
fn a_slot_accrues_and_is_paid_under_the_version_of_its_miner() {
    let mut node = Node::new(simnet());
    let blocks: Vec<Hash32> = (0..11).map(|_| mine_as(&mut node, 1, OTHER)).collect();
    assert!(
        blocks[..10]
            .iter()
            .all(|block| paid(&node, block).is_empty())
    );
    assert_eq!(
        paid(&node, &blocks[10]),
        [(10 * REWARD, OTHER, script_of(1))]
    );
    node.assert_supply();
}

#[test]
fn every_block_is_paid_under_its_own_version_before_the_fork() {
    let mut node = Node::new(simnet_with(&[("/activations/securityFork", json!(null))]));
    node.mine_many(1, 2);
    mine_as(&mut node, 2, OTHER);
    let next = mine_as(&mut node, 3, 1);
    assert_eq!(paid(&node, &next), [(REWARD, OTHER, script_of(2))]);
    let last = node.mine(4, &[]);
    assert_eq!(paid(&node, &last), [(REWARD, 1, script_of(3))]);
    node.assert_supply();
}

/// The rewards of reds go to the miner who merges them, under the version of that block's own payload.
#[test]
fn reds_are_paid_under_the_version_of_who_merges_them() {
    let mut node = Node::new(simnet_with(&[
        ("/ghostdagK", json!(1)),
        ("/activations/securityFork", json!(null)),
    ]));
    node.mine_many(1, 3);
    for sibling in [2, 3, 4, 5].map(|miner| node.build(miner, &[])) {
        node.add(&sibling);
    }
    let sink = node.sink();
    let template = node.build(9, &[]);
    assert_eq!(template.transactions[0].outputs.len(), 3);
    // Another version in the payload than in the output is another coinbase than the rules give.
    let wrong = of_version(&template, OTHER);
    node.add(&wrong);
    assert_eq!(node.sink(), sink);
    let status = node.status(&wrong.hash());
    let expected = ("disqualified".into(), "virtual/wrong-coinbase".into());
    assert_eq!(status, expected);
    let mut right = wrong;
    right.transactions[0].outputs[2].script_version = OTHER;
    let right = node.add(&seal(right));
    assert_eq!(node.sink(), right);
    assert_eq!(paid(&node, &right)[2], (2 * REWARD, OTHER, script_of(9)));
}

/// The development fee has version 0, whatever its miner chose.
#[test]
fn the_development_fee_has_no_version_of_a_miner() {
    let mut node = Node::new(simnet());
    let blocks: Vec<Hash32> = (0..21).map(|_| mine_as(&mut node, 1, OTHER)).collect();
    let expected = [
        (10 * REWARD, OTHER, script_of(1)),
        (20 * CUT, 0, dev_script(&simnet())),
    ];
    assert_eq!(paid(&node, &blocks[20]), expected);
}
