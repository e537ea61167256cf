//! Spends of one note: in parallel blocks, in one block, behind a bad anchor, with a bad proof.

use serde_json::json;
use svc_chain::block::Block;
use svc_chain::transaction::Transaction;
use svc_codec::hash32::Hash32;

use crate::scenarios::kit::{Node, REWARD, listed, script_of, simnet, simnet_with};
use crate::scenarios::payments::{Payment, nullifier};

/// Without the fork: every payment of the coinbase is an output of its own.
fn plain_node() -> Node {
    let mut node = Node::new(simnet_with(&[("/activations/securityFork", json!(null))]));
    node.mine_many(1, 3);
    node
}

/// Two siblings by miners 2 and 3 carrying one payment each, and the block of miner 9 that merges both.
fn merge_siblings(node: &mut Node, payments: [&Transaction; 2]) -> ([Block; 2], Hash32) {
    let blocks = [
        node.build_carrying(2, &[payments[0].clone()]),
        node.build_carrying(3, &[payments[1].clone()]),
    ];
    for block in &blocks {
        node.add(block);
    }
    let merging = node.mine(9, &[]);
    (blocks, merging)
}

fn reward_of(node: &Node, merging: &Hash32, miner: u32) -> u64 {
    let minted = node.minted(merging);
    let found = minted
        .iter()
        .find(|(_, script)| *script == script_of(miner));
    found.unwrap().0
}

#[test]
fn of_a_double_spend_in_parallel_blocks_exactly_one_survives() {
    let mut node = plain_node();
    let spends = [(0, 1_000), (1, 5_000)].map(|(salt, fee)| {
        let payment = Payment::of(7).plain().salted(salt).fee(fee);
        payment.build()
    });
    let (blocks, merging) = merge_siblings(&mut node, [&spends[0], &spends[1]]);
    let facts = node.chain_facts(&merging);
    let (applied, dropped) = (listed(&facts, "applied"), listed(&facts, "dropped"));
    assert_eq!((applied.len(), dropped.len()), (1, 1));
    assert_eq!(facts["dropped"][0]["reason"], "tx/nullifier-spent");
    let winner = usize::from(applied[0] == spends[1].id());
    assert_eq!(dropped[0], spends[1 - winner].id());
    // The selected parent comes first in acceptance order.
    assert_eq!(
        node.block_facts(&merging)["selectedParent"],
        blocks[winner].hash().to_string()
    );
    let fee = [1_000, 5_000][winner];
    let state = node.state_of(&merging);
    assert_eq!(state.cumulative_fees, u128::from(fee));
    assert_eq!(reward_of(&node, &merging, 2 + winner as u32), REWARD + fee);
    assert_eq!(
        reward_of(&node, &merging, 3 - winner as u32),
        REWARD,
        "the fee of a dropped spend is not minted again"
    );
    assert_eq!(state.nullifier_count, 1);
    node.assert_supply();
}

/// A proof against an invented tree can hold, so a spend that is sure to be dropped may claim any fee: two of
/// them in one block exceed 64 bits, and the payment beside them must still earn exactly its own.
#[test]
fn the_fee_of_a_dropped_spend_is_never_added_to_a_sum() {
    let mut node = plain_node();
    let lost = |note: u64| {
        let mut payment = Payment::of(note).plain().fee(i64::MAX);
        payment.anchor = Hash32([9; 32]);
        payment.build()
    };
    let good = Payment::of(3).plain().fee(1_000).build();
    let block = node.build_carrying(2, &[lost(1), lost(2), good.clone()]);
    node.add(&block);
    let merging = node.mine(9, &[]);
    let facts = node.chain_facts(&merging);
    assert_eq!(listed(&facts, "applied"), [good.id()]);
    assert_eq!(listed(&facts, "dropped").len(), 2);
    assert_eq!(reward_of(&node, &merging, 2), REWARD + 1_000);
    assert_eq!(node.state_of(&merging).cumulative_fees, 1_000);
    node.assert_supply();
}

#[test]
fn the_same_transaction_in_two_parallel_blocks_is_applied_once() {
    let mut node = plain_node();
    let spend = Payment::of(7).plain().fee(4_000).build();
    let (_, merging) = merge_siblings(&mut node, [&spend, &spend]);
    let facts = node.chain_facts(&merging);
    assert_eq!(listed(&facts, "applied"), [spend.id()]);
    assert_eq!(listed(&facts, "dropped"), [spend.id()]);
    assert_ne!(facts["applied"][0]["block"], facts["dropped"][0]["block"]);
    let rewards = [2, 3].map(|miner| reward_of(&node, &merging, miner));
    assert_eq!(rewards.iter().sum::<u64>(), 2 * REWARD + 4_000);
    node.assert_supply();
}

#[test]
fn a_later_spend_of_a_spent_note_is_dropped() {
    let mut node = Node::new(simnet());
    let block = node.build_carrying(1, &[Payment::of(7).build()]);
    node.add(&block);
    node.mine(1, &[]);
    let again = Payment::of(7).salted(1).build();
    let block = node.build_carrying(1, std::slice::from_ref(&again));
    node.add(&block);
    assert_eq!(node.status(&block.hash()).0, "valid", "its carrier is fine");
    let merging = node.mine(1, &[]);
    let facts = node.chain_facts(&merging);
    assert_eq!(listed(&facts, "dropped"), [again.id()]);
    assert_eq!(listed(&facts, "applied"), []);
}

#[test]
fn inside_one_block_the_first_of_two_conflicting_spends_wins() {
    let mut node = Node::new(simnet());
    let spends = [0, 1].map(|salt| Payment::of(7).salted(salt).build());
    let block = node.build_carrying(1, &spends);
    node.add(&block);
    let facts = {
        let merging = node.mine(1, &[]);
        node.chain_facts(&merging)
    };
    assert_eq!(listed(&facts, "applied"), [spends[0].id()]);
    assert_eq!(listed(&facts, "dropped"), [spends[1].id()]);
}

#[test]
fn a_spend_that_repeats_its_own_nullifier_is_dropped_whole() {
    let mut node = Node::new(simnet());
    let mut payment = Payment::of(7);
    payment.notes = vec![6, 7, 7];
    let block = node.build_carrying(1, &[payment.build()]);
    node.add(&block);
    let merging = node.mine(1, &[]);
    assert_eq!(
        listed(&node.chain_facts(&merging), "dropped"),
        [payment.build().id()]
    );
    assert!(!node.engine.records().is_spent(&nullifier(6)).unwrap());
    assert_eq!(node.state_of(&merging).nullifier_count, 0);
}

#[test]
fn a_bad_anchor_spend_beside_a_good_one_does_not_claim_its_nullifiers() {
    let mut node = Node::new(simnet());
    let blocks = node.mine_many(1, 12);
    // Its tree is not empty and only one block old.
    let young = Payment::of(7).against(&node, &blocks[11]).build();
    let good = Payment::of(7).salted(1).build();
    let block = node.build_carrying(1, &[young.clone(), good.clone()]);
    node.add(&block);
    let merging = node.mine(1, &[]);
    let facts = node.chain_facts(&merging);
    assert_eq!(listed(&facts, "applied"), [good.id()]);
    assert_eq!(facts["dropped"][0]["txid"], young.id().to_string());
    assert_eq!(facts["dropped"][0]["reason"], "tx/anchor-not-final");
}

#[test]
fn a_block_with_a_bad_proof_leaves_the_chain_and_its_spend_has_no_effect() {
    for broken in [
        Payment::of(7).broken(),
        // The proof holds and the bundle would create coins.
        Payment::of(7).fee(-1),
    ] {
        let mut node = Node::new(simnet());
        let base = *node.mine_many(1, 3).last().unwrap();
        let good = Payment::of(8).build();
        let block = node.build_carrying(2, &[good.clone(), broken.build()]);
        node.insert(&block);
        node.settle();
        assert_eq!(node.sink(), base);
        let status = node.status(&block.hash());
        assert_eq!(
            status,
            ("disqualified".into(), "virtual/bad-transactions".into())
        );
        // Two blocks outweigh the disqualified tip, and the second or third merges it.
        node.mine_many(1, 3);
        let merging = merger_of(&node, &block.hash());
        let facts = node.chain_facts(&merging);
        assert_eq!(listed(&facts, "applied"), [good.id()]);
        assert_eq!(listed(&facts, "dropped"), [], "not even accepted");
        assert!(!node.engine.records().is_spent(&nullifier(7)).unwrap());
        node.assert_supply();
    }
}

/// The chain block that merged a side block.
fn merger_of(node: &Node, side: &Hash32) -> Hash32 {
    let merges = |block: &Hash32| {
        let facts = node.chain_facts(block);
        let merged = facts["merged"].as_array().unwrap().clone();
        merged.iter().any(|row| row["hash"] == side.to_string())
    };
    node.chain().into_iter().find(merges).expect("merged")
}
