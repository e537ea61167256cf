//! How the chain and its coins grow: rewards, parallel blocks, the anchor log.

use serde_json::json;
use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::muhash::MuHash;
use svc_codec::hash32::Hash32;
use svc_consensus::questions;
use svc_consensus::records::chain_state::{ChainState, MinerSlot};
use svc_consensus::records::lane_diff::LaneDiff;
use svc_consensus::records::lanes;
use svc_consensus::rules::acceptance::Acceptance;
use svc_consensus::rules::coinbase::BuiltCoinbase;
use svc_consensus::rules::sequencing::Sequencing;
use svc_consensus::rules::transition::{Effects, advance};
use svc_consensus::store::tables;
use svc_consensus::store::{Change, Store};
use svc_dag::store::DagStore;
use svc_shielded::anchor_log::{AnchorLog, LogEntry, LogPersonals};
use svc_shielded::frontier::Frontier;
use svc_shielded::state_root::{Carried, Parts0, root0, root1};

use crate::scenarios::kit::{
    CUT, Node, REWARD, SUBSIDY, dev_script, listed, script_of, simnet, simnet_with,
};
use crate::scenarios::payments::Payment;

#[test]
fn linear_chain_pays_its_miner_and_the_development_fee() {
    let mut node = Node::new(simnet());
    let blocks = node.mine_many(1, 25);
    for (index, block) in blocks.iter().enumerate() {
        // The first block over genesis has DAA score 0 and merges nobody who is paid.
        assert_eq!(node.daa(block), index as u64);
        let expected = match index {
            10 => vec![(10 * REWARD, script_of(1))],
            20 => vec![
                (10 * REWARD, script_of(1)),
                (20 * CUT, dev_script(&simnet())),
            ],
            _ => vec![],
        };
        assert_eq!(node.minted(block), expected, "block {index}");
    }
    node.assert_supply();
    let tip = questions::tip(node.engine.chain()).unwrap();
    assert_eq!(tip["treeSize"], "3");
    assert_eq!(tip["chainIndex"], "25");
    assert_eq!(tip["daaScore"], "25", "of the next block");
    assert_eq!(tip["virtualParents"], json!([blocks[24].to_string()]));
}

#[test]
fn parallel_blocks_are_all_merged_and_paid() {
    let mut node = Node::new(simnet_with(&[("/activations/securityFork", json!(null))]));
    node.mine_many(1, 3);
    let siblings = [2, 3, 4].map(|miner| node.build(miner, &[]));
    for block in &siblings {
        node.add(block);
    }
    let merging = node.mine(9, &[]);
    let facts = node.block_facts(&merging);
    assert_eq!(facts["blues"].as_array().unwrap().len(), 3);
    assert_eq!(facts["reds"], json!([]));
    let minted = node.minted(&merging);
    assert_eq!(minted.len(), 3);
    for (index, blue) in facts["blues"].as_array().unwrap().iter().enumerate() {
        let blue: Hash32 = blue.as_str().unwrap().parse().unwrap();
        let position = siblings.iter().position(|block| block.hash() == blue);
        let miner = 2 + position.unwrap() as u32;
        assert_eq!(minted[index], (REWARD, script_of(miner)), "blue order");
    }
    assert_eq!(node.daa(&merging), node.daa(&siblings[0].hash()) + 3);
    node.assert_supply();
}

#[test]
fn reds_are_paid_to_the_miner_who_merges_them() {
    let mut node = Node::new(simnet_with(&[
        ("/ghostdagK", json!(1)),
        ("/activations/securityFork", json!(null)),
    ]));
    node.mine_many(1, 3);
    let siblings = [2, 3, 4, 5].map(|miner| node.build(miner, &[]));
    for block in &siblings {
        node.add(block);
    }
    let merging = node.mine(9, &[]);
    let facts = node.block_facts(&merging);
    assert_eq!(facts["blues"].as_array().unwrap().len(), 2, "k + 1");
    assert_eq!(facts["reds"].as_array().unwrap().len(), 2);
    let minted = node.minted(&merging);
    assert_eq!(minted.len(), 3);
    assert_eq!(minted[0].0, REWARD);
    assert_eq!(minted[1].0, REWARD);
    assert_eq!(minted[2], (2 * REWARD, script_of(9)));
    assert_eq!(
        node.blue_score(&merging),
        node.blue_score(&siblings[0].hash()) + 2,
        "reds add no blue score"
    );
    node.assert_supply();
}

#[test]
fn a_mergeset_of_reds_only() {
    let mut node = Node::new(simnet_with(&[
        ("/ghostdagK", json!(1)),
        ("/activations/securityFork", json!(null)),
    ]));
    node.mine_many(1, 3);
    let side = node.build(5, &[]);
    node.mine_many(1, 3);
    let before = node.blue_score(&node.sink());
    node.add(&side);
    let merging = node.mine(9, &[]);
    let facts = node.block_facts(&merging);
    assert_eq!(facts["blues"].as_array().unwrap().len(), 1, "the parent");
    assert_eq!(facts["reds"], json!([side.hash().to_string()]));
    assert_eq!(node.blue_score(&merging), before + 1);
    let expected = vec![(REWARD, script_of(1)), (REWARD, script_of(9))];
    assert_eq!(node.minted(&merging)[..2], expected);
    node.mine(1, &[]);
    node.assert_supply();
}

/// k + 1 blues of different miners, a red, somebody else's slot and the development fee: k + 4 outputs, which
/// is the bound.
#[test]
fn the_maximal_mergeset_pays_k_plus_4_outputs() {
    let mut node = Node::new(simnet_with(&[("/maxBlockParents", json!(64))]));
    node.mine_many(1, 3);
    let siblings: Vec<_> = (0..20).map(|miner| node.build(100 + miner, &[])).collect();
    for block in &siblings {
        node.add(block);
    }
    let merging = node.mine(9, &[]);
    let facts = node.block_facts(&merging);
    assert_eq!(facts["blues"].as_array().unwrap().len(), 19, "k + 1");
    assert_eq!(facts["reds"].as_array().unwrap().len(), 1);
    let minted = node.minted(&merging);
    assert_eq!(minted.len(), 22);
    assert_eq!(minted[0].1, script_of(1), "who held the slot");
    assert_eq!(minted[20], (REWARD, script_of(9)), "the red's reward");
    assert_eq!(minted[21].1, dev_script(&simnet()));
    node.mine_many(9, 2);
    node.assert_supply();
}

#[test]
fn a_mergeset_of_180_blocks_is_merged_at_once() {
    let mut node = Node::new(simnet_with(&[("/activations/securityFork", json!(null))]));
    node.mine_many(1, 2);
    let mut side = node.copy();
    node.mine_many(1, 182);
    side.mine_many(2, 179);
    node.insert_chain(&side, 3);
    node.settle();
    let first = node.mine(9, &[]);
    let merged = node.engine.records().ghostdag(&first).unwrap();
    assert_eq!(merged.mergeset_size(), 180, "with the selected parent");
    let expected = vec![(REWARD, script_of(1)), (179 * REWARD, script_of(9))];
    assert_eq!(node.minted(&first)[..2], expected);
    node.mine(9, &[]);
    node.assert_supply();
}

/// Blocks too far behind for the difficulty window earn no subsidy. The fees of a blue one are lost, those of a
/// red one go to the miner who merges it.
#[test]
fn blocks_outside_the_window_earn_no_subsidy() {
    for (k, red) in [(18, false), (1, true)] {
        let mut node = Node::new(simnet_with(&[
            ("/ghostdagK", json!(k)),
            ("/difficultyWindowSize", json!(2)),
            ("/minDifficultyWindowSize", json!(2)),
            ("/activations/securityFork", json!(null)),
        ]));
        node.mine_many(1, 5);
        let payment = Payment::of(1).plain().fee(700).build();
        let late = node.build_carrying(5, std::slice::from_ref(&payment));
        node.mine_many(1, 15);
        let before = node.state_of(&node.sink());
        node.add(&late);
        let merging = node.mine(9, &[]);
        let excluded = node.engine.records().daa_excluded(&merging).unwrap();
        assert_eq!(excluded.as_slice(), [late.hash()]);
        let facts = node.chain_facts(&merging);
        assert_eq!(listed(&facts, "applied"), [payment.id()]);
        let mut expected = vec![(REWARD, script_of(1))];
        if red {
            expected.push((700, script_of(9)));
        }
        let mut minted = node.minted(&merging);
        minted.retain(|(_, script)| *script != dev_script(&simnet()));
        assert_eq!(minted, expected);
        let after = node.state_of(&merging);
        let pool = |state: &ChainState| state.cumulative_coinbase - state.cumulative_fees;
        let carried = |state: &ChainState| u128::from(state.dev_accrued);
        let lost = if red { 0 } else { 700 };
        assert_eq!(
            pool(&after) + carried(&after) + lost,
            pool(&before) + carried(&before) + u128::from(SUBSIDY)
        );
        node.mine(1, &[]);
    }
}

/// Halt rather than inflate: more fees than the pool ever held is what a broken proof system would bring.
#[test]
fn supply_underflow_is_refused() {
    for (beyond, stage) in [(0, "valid"), (1, "disqualified")] {
        let mut node = Node::new(simnet());
        node.mine_many(1, 12);
        let state = node.state_of(&node.sink());
        let pool = state.cumulative_coinbase - state.cumulative_fees;
        assert_eq!(pool, u128::from(10 * REWARD));
        let fee = i64::try_from(pool).unwrap() + beyond;
        let block = node.build_carrying(1, &[Payment::of(1).fee(fee).build()]);
        node.add(&block);
        assert_eq!(node.sink(), block.hash());
        // The slot keeps all it gets until DAA score 20: nothing is minted here.
        let merging = node.build(1, &[]);
        node.add(&merging);
        let (found, reason) = node.status(&merging.hash());
        assert_eq!(found, stage);
        if beyond > 0 {
            assert_eq!(reason, "virtual/supply-mismatch");
        }
    }
}

/// Gives a state so many sompi to carry.
type Carry = fn(&mut ChainState, u64);

/// The pool grows by what the emission gives, to the sompi. A balance that the rules do not carry on is not minted either,
/// so these coins would be gone: only a damaged store has one before its activation.
#[test]
fn a_balance_that_nothing_carries_on_halts_the_chain() {
    let slot = |state: &mut ChainState, amount: u64| {
        state.slot = MinerSlot {
            script_version: 0,
            script: script_of(3),
            amount,
        };
    };
    let fee = |state: &mut ChainState, amount: u64| state.dev_accrued = amount;
    let cases: [(&str, Carry); 2] = [
        ("/activations/securityFork", slot),
        ("/activations/devFeeAccrual", fee),
    ];
    for (height, change) in cases {
        for (amount, stage, reason) in [
            (0, "valid", ""),
            (1, "disqualified", "virtual/supply-mismatch"),
        ] {
            let mut off = vec![("/activations/securityFork", json!(null))];
            off.push((height, json!(null)));
            let mut node = Node::new(simnet_with(&off));
            node.mine_many(1, 3);
            let sink = node.sink();
            let mut state = node.state_of(&sink);
            change(&mut state, amount);
            let mut node = with_state(&node, &sink, &state);
            let block = node.build(1, &[]);
            node.add(&block);
            let found = node.status(&block.hash());
            assert_eq!(found, (stage.into(), reason.into()), "{height} {amount}");
        }
    }
}

/// One sompi more or less than the coinbase was built for, whatever it was built by.
#[test]
fn a_pool_that_grows_by_another_sum_than_expected_is_refused() {
    let mut node = Node::new(simnet_with(&[("/activations/securityFork", json!(null))]));
    node.mine_many(1, 3);
    let block = node.build(1, &[]);
    let (rules, parent_hash) = (node.engine.rules(), node.sink());
    let parent = node.state_of(&parent_hash);
    let sequencing = Sequencing {
        state: Hash32::ZERO,
        parent_path: None,
        commitment: Hash32::ZERO,
        lanes: lanes::plan(node.engine.records(), LaneDiff::default()).unwrap(),
        shortcut: Hash32::ZERO,
    };
    let acceptance = Acceptance::default();
    for (expected_delta, grows) in [
        (i128::from(REWARD) - 1, false),
        (i128::from(REWARD), true),
        (i128::from(REWARD) + 1, false),
    ] {
        let built = BuiltCoinbase {
            transaction: block.transactions[0].clone(),
            dev_accrued: 0,
            slot: MinerSlot::default(),
            expected_delta,
        };
        let effects = Effects {
            header: &block.header,
            hash: block.hash(),
            coinbase: &block.transactions[0],
            coinbase_txid: block.transactions[0].id(),
            acceptance: &acceptance,
            built: &built,
            sequencing: &sequencing,
        };
        let advanced = advance(rules, &parent, &parent_hash, effects);
        let found = advanced.map(|to| to.state.cumulative_coinbase);
        let found = found.map_err(|error| error.code.as_str());
        let expected = parent.cumulative_coinbase + u128::from(REWARD);
        let expected = grows.then_some(expected).ok_or("virtual/supply-mismatch");
        assert_eq!(found, expected);
    }
}

/// The same node with another state after a block.
fn with_state(node: &Node, block: &Hash32, state: &ChainState) -> Node {
    let mut store = node.engine.records().overlay.store().clone();
    let change = Change {
        table: tables::CHAIN_STATE,
        key: block.as_bytes().to_vec(),
        value: Some(state.encode()),
    };
    store.commit(vec![change]).unwrap();
    Node::open(store, node.engine.rules().profile.clone())
}

/// The tree has room for 2^32 notes. The block that mints the last one is a chain block, one above it that mints another
/// is not.
#[test]
fn a_full_tree_takes_no_more_notes() {
    let profile = simnet_with(&[("/activations/securityFork", json!(null))]);
    let mut node = Node::new(profile);
    node.mine_many(1, 3);
    let sink = node.sink();
    let mut state = node.state_of(&sink);
    // The left sibling of the last leaf is the one appended last: 31 siblings are complete.
    let (leaf, ommers) = (Hash32([1; 32]), [Hash32([2; 32]); 31]);
    state.frontier = Frontier::from_parts((1 << 32) - 1, Some(leaf), &ommers).unwrap();
    state.tree_root = state.frontier.root();
    let mut node = with_state(&node, &sink, &state);
    let last = node.mine(1, &[]);
    assert_eq!(node.minted(&last).len(), 1);
    assert_eq!(node.state_of(&last).frontier.size(), 1 << 32);
    let over = node.build(1, &[]);
    node.add(&over);
    assert_eq!(node.minted(&over.hash()).len(), 1);
    let status = node.status(&over.hash());
    assert_eq!(status, ("disqualified".into(), "shielded/tree-full".into()));
    assert_eq!(node.sink(), last);
}

#[test]
fn accrual_slot_merges_one_payer_and_emits_at_another() {
    let mut node = Node::new(simnet());
    node.mine_many(1, 3);
    node.mine(2, &[]);
    // Merges the block of miner 2 while the slot holds two rewards of miner 1.
    let change = node.mine(2, &[]);
    assert_eq!(node.minted(&change), vec![(3 * REWARD, script_of(1))]);
    let slot = node.state_of(&change).slot;
    assert_eq!((slot.amount, slot.script), (REWARD, script_of(2)));
    node.mine_many(2, 5);
    let flush = node.mine(2, &[]);
    assert_eq!(node.daa(&flush), 10);
    assert_eq!(node.minted(&flush), vec![(7 * REWARD, script_of(2))]);
    let slot = node.state_of(&flush).slot;
    assert_eq!((slot.amount, slot.script.len()), (0, 0), "an empty slot");
    node.assert_supply();
}

#[test]
fn each_block_logs_its_anchor_and_its_child_commits_to_it() {
    let profile = simnet();
    let personals = LogPersonals::of(&profile);
    let mut node = Node::new(profile.clone());
    for index in 0..15 {
        node.mine(index % 2, &[]);
    }
    let chain = node.chain();
    let mut log = AnchorLog::default();
    for pair in chain.windows(2).skip(1) {
        let (block, child) = (pair[0], pair[1]);
        let header = node.engine.records().header(&block).unwrap();
        let parent = node
            .engine
            .records()
            .ghostdag(&block)
            .unwrap()
            .selected_parent;
        let state = node.state_of(&block);
        log.append(
            &personals,
            &LogEntry {
                block,
                parent,
                tree_root: state.frontier.root(),
                blue_score: header.header.blue_score,
            },
        );
        let plain = root0(
            profile.personalisation.state_root.as_bytes(),
            &Parts0 {
                tree_root: state.frontier.root(),
                nullifier_root: MuHash::new().finalize(),
                cumulative_coinbase: state.cumulative_coinbase,
                cumulative_fees: 0,
                burn_root: Hash32::ZERO,
            },
        );
        let expected = root1(
            profile.personalisation.state_root_v1.as_bytes(),
            &plain,
            &Carried {
                dev_accrued: state.dev_accrued,
                anchor_commitment: log.commitment(&personals),
                slot_script_version: state.slot.script_version,
                slot_script: state.slot.script.clone(),
                slot_amount: state.slot.amount,
            },
        );
        let body = node.engine.records().body(&child).unwrap();
        let payload = CoinbasePayload::decode(&body[0].payload).unwrap();
        assert_eq!(payload.state_root, expected, "committed by {child}");
    }
    assert_eq!(log.count(), 14);
}
