//! Limits of a whole block, each tested from both sides.

use serde_json::json;
use svc_chain::block::Block;
use svc_chain::mass;
use svc_chain::transaction::Transaction;
use svc_codec::limits::{MAX_GAS_PER_LANE, MAX_LANES_PER_BLOCK};

use crate::scenarios::kit::{Node, simnet_with};
use crate::scenarios::payments::Payment;

/// A payment in a lane of its own namespace.
fn in_lane(note: u64, lane: u8, gas: u64) -> Transaction {
    let mut payment = Payment::of(note).build();
    payment.subnetwork_id = [0; 20];
    payment.subnetwork_id[..4].copy_from_slice(&[lane, 2, 3, 4]);
    payment.gas = gas;
    payment
}

fn assert_merged(node: &mut Node, block: &Block) {
    node.add(block);
    assert_eq!(node.sink(), block.hash());
    node.mine(1, &[]);
}

#[test]
fn compute_mass() {
    let one = mass::compute_mass(&Payment::of(1).build(), 1);
    for (limit, fits) in [(2 * one, true), (2 * one - 1, false)] {
        let mut node = Node::new(simnet_with(&[("/massLimits/compute", json!(limit))]));
        node.mine_many(1, 3);
        let payments: Vec<_> = (0..2).map(|note| Payment::of(note).build()).collect();
        let block = node.build_carrying(1, &payments);
        if fits {
            assert_merged(&mut node, &block);
        } else {
            assert_eq!(node.refusal(&block), "body/compute-mass");
        }
    }
}

#[test]
fn storage_mass_is_what_payments_commit_to() {
    let mut node = Node::new(simnet_with(&[("/massLimits/storage", json!(100))]));
    node.mine_many(1, 3);
    let mut payment = Payment::of(1).build();
    payment.storage_mass = 101;
    let beyond = node.build_carrying(1, std::slice::from_ref(&payment));
    assert_eq!(node.refusal(&beyond), "body/storage-mass");
    payment.storage_mass = 100;
    let within = node.build_carrying(1, &[payment]);
    node.add(&within);
    // No payment may commit to any: that falls on the chain block.
    let status = node.status(&within.hash());
    assert_eq!(
        status,
        ("disqualified".into(), "virtual/bad-transactions".into())
    );
}

#[test]
fn gas_of_a_lane() {
    let mut node = Node::new(simnet_with(&[]));
    node.mine_many(1, 3);
    let half = MAX_GAS_PER_LANE / 2;
    let block = node.build_carrying(1, &[in_lane(1, 1, half), in_lane(2, 1, half + 1)]);
    assert_eq!(node.refusal(&block), "body/lane-gas");
    let payments = [
        in_lane(1, 1, half),
        in_lane(2, 1, half),
        in_lane(3, 2, MAX_GAS_PER_LANE),
    ];
    let block = node.build_carrying(1, &payments);
    assert_merged(&mut node, &block);
    let block = node.build_carrying(1, &[in_lane(4, 1, MAX_GAS_PER_LANE + 1)]);
    assert_eq!(node.refusal(&block), "tx/gas-not-zero");
}

#[test]
fn number_of_lanes() {
    let most = u8::try_from(MAX_LANES_PER_BLOCK).unwrap();
    let mut node = Node::new(simnet_with(&[("/massLimits/transient", json!(4_000_000))]));
    node.mine_many(1, 3);
    let payments: Vec<_> = (0..=most)
        .map(|lane| in_lane(u64::from(lane), lane, 0))
        .collect();
    let block = node.build_carrying(1, &payments);
    assert_eq!(node.refusal(&block), "body/too-many-lanes");
    let block = node.build_carrying(1, &payments[1..]);
    assert_merged(&mut node, &block);
    node.assert_supply();
}
