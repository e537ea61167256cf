//! Both sides of the security fork, of accrual and of the end of the development fee, in one short chain.

use serde_json::json;
use svc_chain::block::Block;
use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::profile::Profile;
use svc_codec::hash32::Hash32;
use svc_shielded::bundle::FLAG_ANCHOR_BLOCK;

use crate::scenarios::kit::{
    CUT, Node, REWARD, SUBSIDY, dev_script, listed, script_of, simnet_with,
};
use crate::scenarios::payments::{Payment, carrying};

const FORK: u64 = 15;

/// Accrual from DAA score 4, fork at 15, end of the fee at 27; fee paid every 5, slot every 10.
fn crossing() -> Profile {
    simnet_with(&[
        ("/activations/devFeeAccrual", json!(4)),
        ("/activations/securityFork", json!(FORK)),
        ("/activations/devFeeEnd", json!(27)),
        ("/devFee/payoutIntervalDaa", json!(5)),
        ("/minerSlotPayoutIntervalDaa", json!(10)),
    ])
}

#[test]
fn coinbase_of_every_phase() {
    let mut node = Node::new(crossing());
    let blocks = node.mine_many(1, 41);
    let dev = |cuts: u64| (cuts * CUT, dev_script(&crossing()));
    let miner = |value: u64| (value, script_of(1));
    for (daa, block) in blocks.iter().enumerate() {
        let expected = match daa {
            0 => vec![],
            // One output per payment, the fee in every block.
            1..=3 => vec![miner(REWARD), dev(1)],
            // The fee is carried.
            5 => vec![miner(REWARD), dev(2)],
            10 => vec![miner(REWARD), dev(5)],
            4..=14 => vec![miner(REWARD)],
            // The fork: payments go into the slot.
            15 => vec![dev(5)],
            20 => vec![miner(6 * REWARD), dev(5)],
            25 => vec![dev(5)],
            16..=26 => vec![],
            // The end: no cut any more, the carried balance leaves once.
            27 => vec![dev(1)],
            30 => vec![miner(6 * REWARD + 4 * SUBSIDY)],
            40 => vec![miner(10 * SUBSIDY)],
            _ => vec![],
        };
        assert_eq!(node.daa(block), daa as u64);
        assert_eq!(node.minted(block), expected, "DAA score {daa}");
    }
    assert_eq!(node.state_of(&blocks[26]).dev_accrued, CUT);
    assert_eq!(node.state_of(&blocks[27]).dev_accrued, 0);
    assert_eq!(node.state_of(&blocks[14]).anchor_log.count(), 0);
    assert_eq!(node.state_of(&blocks[15]).anchor_log.count(), 1);
    node.assert_supply();
}

/// Two siblings before the fork are merged by a block behind it.
#[test]
fn siblings_before_the_fork_merged_behind_it() {
    let mut node = Node::new(crossing());
    let base = node.mine_many(1, 13);
    let payments = [7, 8].map(|note| {
        let payment = Payment::of(note).plain().against(&node, &base[3]);
        payment.fee(500 + note as i64).build()
    });
    let siblings =
        [2, 3].map(|miner| node.build_carrying(miner, &[payments[miner as usize - 2].clone()]));
    for block in &siblings {
        node.add(block);
        assert_eq!(node.daa(&block.hash()), 13);
    }
    let merging = node.mine(1, &[]);
    assert_eq!(node.daa(&merging), FORK);
    let first = node.sink_of(&merging);
    let (selected, other) = if first == siblings[0].hash() {
        (0, 1)
    } else {
        (1, 0)
    };
    let reward = |index: usize| REWARD + 507 + index as u64;
    let miner = |index: usize| script_of(2 + index as u32);
    let expected = vec![
        (reward(selected), miner(selected)),
        (5 * CUT, dev_script(&crossing())),
    ];
    assert_eq!(node.minted(&merging), expected);
    let state = node.state_of(&merging);
    assert_eq!(
        (state.slot.amount, state.slot.script),
        (reward(other), miner(other)),
        "the second payment waits in the slot"
    );
    let applied = listed(&node.chain_facts(&merging), "applied");
    assert_eq!(applied, [selected, other].map(|index| payments[index].id()));
    // The state of a block before the fork is committed in form 0, of one behind it in form 1.
    let child = node.mine(1, &[]);
    for (block, parent) in [(merging, first), (child, merging)] {
        let state = node.state_of(&parent);
        let root = state.state_root(&crossing(), node.daa(&parent));
        assert_eq!(payload(&node, &block).state_root, root);
    }
    assert_eq!(node.state_of(&first).anchor_log.count(), 0);
    assert_eq!(node.state_of(&merging).anchor_log.count(), 1);
    node.assert_supply();
}

impl Node {
    /// Selected parent of a block.
    fn sink_of(&self, block: &Hash32) -> Hash32 {
        let facts = self.block_facts(block);
        facts["selectedParent"].as_str().unwrap().parse().unwrap()
    }
}

fn payload(node: &Node, block: &Hash32) -> CoinbasePayload {
    let body = node.engine.records().body(block).unwrap();
    CoinbasePayload::decode(&body[0].payload).unwrap()
}

/// A side branch stays before the fork while the chain crosses it; the form is judged by the carrier.
#[test]
fn straggler_keeps_the_form_of_its_own_height() {
    let mut node = Node::new(crossing());
    let base = node.mine_many(1, 14);
    let spend = Payment::of(1).plain().against(&node, &base[3]).build();
    let late = node.build_carrying(5, std::slice::from_ref(&spend));
    node.mine_many(1, 3);
    node.add(&late);
    assert_eq!(node.daa(&late.hash()), 14);
    let merging = node.mine(1, &[]);
    assert!(node.daa(&merging) > FORK);
    assert_eq!(listed(&node.chain_facts(&merging), "applied"), [spend.id()]);
    node.assert_supply();
}

/// The wrong form is no layout error as long as it decodes in the carrier's form: before the fork bit 3 carries
/// no field, from it a missing bit is only refused where the payment would be accepted.
#[test]
fn the_anchor_block_is_named_from_the_fork_on_and_refused_before() {
    let mut node = Node::new(crossing());
    let base = node.mine_many(1, 14);
    let named = Payment::of(1).against(&node, &base[3]);
    let plain = named.clone().plain();
    let before = node.build_carrying(1, &[named.build()]);
    assert_eq!(before.header.daa_score, FORK - 1);
    assert_eq!(
        node.refusal(&before),
        "codec/trailing-bytes",
        "before the fork nothing follows the proof"
    );
    let mut bit_only = named.bundle().encode();
    bit_only.truncate(bit_only.len() - 32);
    let bit_only = carrying(bit_only);
    let before = node.build_carrying(1, std::slice::from_ref(&bit_only));
    node.add(&before);
    assert_no_chain_block(&node, &before);
    let before = node.build_carrying(3, &[plain.build()]);
    node.add(&before);
    assert_eq!(node.status(&before.hash()).0, "valid");
    let merging = node.mine(1, &[]);
    let applied = listed(&node.chain_facts(&merging), "applied");
    assert_eq!(applied, [plain.build().id()], "both blocks were merged");

    let behind = node.build_carrying(1, &[plain.salted(1).build()]);
    assert!(behind.header.daa_score >= FORK);
    node.add(&behind);
    assert_no_chain_block(&node, &behind);
    let mut field_only = named.clone().salted(2).bundle().encode();
    field_only[0] &= !FLAG_ANCHOR_BLOCK;
    let behind = node.build_carrying(1, &[carrying(field_only)]);
    assert_eq!(node.refusal(&behind), "codec/trailing-bytes");
    let mut named = named.salted(3);
    named.notes = vec![9];
    let behind = node.build_carrying(1, &[named.build()]);
    node.add(&behind);
    assert_eq!(node.status(&behind.hash()).0, "valid");
    let merging = node.mine(1, &[]);
    let applied = listed(&node.chain_facts(&merging), "applied");
    assert_eq!(applied, [named.build().id()]);
    node.assert_supply();
}

fn assert_no_chain_block(node: &Node, block: &Block) {
    let status = node.status(&block.hash());
    assert_eq!(
        status,
        ("disqualified".into(), "virtual/bad-transactions".into())
    );
}

#[test]
fn two_forks_of_the_chain_cross_the_end_of_the_fee_at_their_own_height() {
    let mut left = Node::new(crossing());
    left.mine_many(1, 26);
    let mut right = left.copy();
    let paid = left.mine_many(1, 3);
    assert_eq!(left.daa(&paid[1]), 27);
    assert_eq!(left.minted(&paid[1]), vec![(CUT, dev_script(&crossing()))]);
    // The other branch jumps over the end: two siblings lie before it, their merging block behind it.
    let siblings = [2, 3].map(|miner| right.build(miner, &[]));
    for block in &siblings {
        right.add(block);
        assert_eq!(right.daa(&block.hash()), 26);
    }
    let jump = right.mine(1, &[]);
    assert_eq!(right.daa(&jump), 28);
    let fee = (CUT, dev_script(&crossing()));
    assert_eq!(
        right.minted(&jump).last(),
        Some(&fee),
        "what its parent carried"
    );
    assert_eq!(right.state_of(&jump).dev_accrued, 0);
    right.mine_many(1, 3);
    for block in &siblings {
        left.insert(block);
    }
    left.insert_chain(&right, 1);
    left.settle();
    assert_eq!(left.sink(), right.sink());
    left.assert_supply();
    right.assert_supply();
}

/// From accrual on the cuts are carried. A branch that jumps over the height carries what another would have paid.
#[test]
fn two_branches_cross_the_accrual_at_their_own_height() {
    let profile = simnet_with(&[
        ("/activations/devFeeAccrual", json!(4)),
        ("/activations/securityFork", json!(null)),
        ("/devFee/payoutIntervalDaa", json!(7)),
    ]);
    let fee = |cuts: u64| (cuts * CUT, dev_script(&profile));
    let mut left = Node::new(profile.clone());
    left.mine_many(1, 3);
    let mut right = left.copy();
    let blocks = left.mine_many(1, 5);
    let expected = [
        vec![(REWARD, script_of(1)), fee(1)],
        vec![(REWARD, script_of(1))],
        vec![(REWARD, script_of(1))],
        vec![(REWARD, script_of(1))],
        vec![(REWARD, script_of(1)), fee(4)],
    ];
    for ((daa, block), expected) in (3..).zip(&blocks).zip(expected) {
        assert_eq!(left.daa(block), daa);
        assert_eq!(left.minted(block), expected, "DAA score {daa}");
    }
    // Two siblings lie before the height, their merging block behind it.
    let siblings = [2, 3].map(|miner| right.build(miner, &[]));
    for block in &siblings {
        right.add(block);
        assert_eq!(right.daa(&block.hash()), 3);
        assert_eq!(right.state_of(&right.sink()).dev_accrued, 0);
    }
    assert_eq!(right.minted(&right.sink()).last(), Some(&fee(1)));
    let jump = right.mine(1, &[]);
    assert_eq!(right.daa(&jump), 5);
    let minted = right.minted(&jump);
    assert!(minted.len() == 2 && minted.iter().all(|(value, _)| *value == REWARD));
    assert_eq!(right.state_of(&jump).dev_accrued, 2 * CUT);
    let paid = right.mine_many(1, 2)[1];
    assert_eq!(right.minted(&paid).last(), Some(&fee(4)));
    right.mine_many(1, 3);
    exchange(&mut left, &mut right, &siblings);
}

/// Both nodes learn of the other's branch and agree; the right one has more work.
fn exchange(left: &mut Node, right: &mut Node, siblings: &[Block]) {
    let expected = right.sink();
    let chain = left.copy();
    for block in siblings {
        left.insert(block);
    }
    left.insert_chain(right, 1);
    right.insert_chain(&chain, 1);
    for node in [left, right] {
        node.settle();
        assert_eq!(node.sink(), expected);
        node.assert_supply();
    }
}

/// Tree roots that two blocks of equal coinbases leave on the same chain, and their DAA score.
fn roots_of_twins(node: &Node) -> (u64, [Hash32; 2]) {
    let twin = node.copy().build(1, &[]);
    let mut sibling = twin.clone();
    sibling.header.nonce += 1;
    assert_eq!(twin.transactions, sibling.transactions);
    let roots = [&twin, &sibling].map(|block| {
        let mut node = node.copy();
        node.add(block);
        assert_eq!(node.sink(), block.hash());
        assert!(!node.minted(&block.hash()).is_empty());
        node.state_of(&block.hash()).tree_root
    });
    (twin.header.daa_score, roots)
}

/// The score of the block that mints decides, on every branch (specification shielded 6.3).
#[test]
fn twins_leave_different_trees_from_the_seed_rule_on() {
    const SEED_RULE: u64 = 5;
    let profile = simnet_with(&[
        ("/activations/coinbaseSeedByBlockHash", json!(SEED_RULE)),
        ("/activations/securityFork", json!(null)),
    ]);
    let assert_at = |node: &Node, daa_score: u64| {
        let (found, roots) = roots_of_twins(node);
        assert_eq!(found, daa_score);
        assert_eq!(roots[0] == roots[1], daa_score < SEED_RULE, "{daa_score}");
    };
    let mut left = Node::new(profile);
    left.mine_many(1, SEED_RULE as usize - 2);
    assert_at(&left, SEED_RULE - 2);
    left.mine(1, &[]);
    let mut right = left.copy();
    for daa_score in SEED_RULE - 1..SEED_RULE + 2 {
        assert_at(&left, daa_score);
        left.mine(1, &[]);
    }
    // The siblings lie before the rule, their merging block behind it.
    let siblings = [2, 3].map(|miner| right.build(miner, &[]));
    for block in &siblings {
        right.add(block);
        assert_eq!(right.daa(&block.hash()), SEED_RULE - 1);
    }
    assert_at(&right, SEED_RULE + 1);
    right.mine_many(1, 3);
    exchange(&mut left, &mut right, &siblings);
}
