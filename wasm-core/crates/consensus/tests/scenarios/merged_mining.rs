//! Merge-mined blocks under real proof of work: both forms, every rule of acceptance on both sides, and what
//! is kept of a witness (specification consensus 5, 6).

use serde_json::json;
use svc_chain::block::Block;
use svc_chain::header::raw::HashedHeader;
use svc_chain::merge_commitment::nonce_for;
use svc_chain::merkle::fold_first;
use svc_chain::transaction::TxInput;
use svc_chain::witness::Witness;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_WITNESS_LEN;
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::store::tables;
use svc_pow::heavy_hash::{block_level, check_pow};

use crate::scenarios::kit::{Node, simnet};
use crate::scenarios::merge_kit::{
    above_level_0, add, before_the_fork, bind, bytes, commitment, fault, form0, form0_from, form1,
    is_bound, level, merge_mined, mine_native, mined, node, offer, parent_with, stored, with_nonce,
};

#[test]
fn a_merge_mined_block_is_taken_with_its_witness_and_gets_the_parents_level() {
    for mut node in [before_the_fork(), node(&[])] {
        let block = node.build(1, &[]);
        let (block, witness) = above_level_0(&node, block);
        assert_eq!(fault(&mut node, &block, None), "none");
        let hash = add(&mut node, &block, Some(&witness));
        assert_eq!(node.sink(), hash);
        let value = check_pow(&witness.parent).0;
        assert_eq!(level(&node, &hash), block_level(250, value));
        assert_eq!(block_level(250, check_pow(&block.header).0), 0);
        let copy = node.copy();
        assert_eq!(stored(&copy, &hash), bytes(&witness));
        assert_eq!(level(&copy, &hash), block_level(250, value));
        mine_native(&mut node, 2);
    }
}

#[test]
fn a_witness_swapped_between_blocks_helps_neither() {
    for mut node in [before_the_fork(), node(&[])] {
        let templates = [node.build(1, &[]), node.build(2, &[])];
        let [a, b] = templates.map(|block| merge_mined(&node, block));
        let expected = if is_bound(&node, &a.0) {
            "nonce"
        } else {
            "commitment"
        };
        assert_eq!(fault(&mut node, &a.0, bytes(&b.1)), expected);
        assert_eq!(fault(&mut node, &b.0, bytes(&a.1)), expected);
        let a_hash = add(&mut node, &a.0, Some(&a.1));
        let inserted = offer(&mut node, &b.0, bytes(&b.1));
        assert!(matches!(inserted, Inserted::Accepted { new: true, .. }));
        assert_eq!(stored(&node, &a_hash), bytes(&a.1));
        assert_eq!(stored(&node, &b.0.hash()), bytes(&b.1));
        let merger = node.build(3, &[]);
        assert_eq!(merger.header.direct_parents().len(), 2);
        add(&mut node, &with_nonce(merger, true), None);
    }
}

/// Leaf 0 is read as the reference reads it: a transaction that spends does the same work as a coinbase.
#[test]
fn the_first_transaction_of_a_parent_may_spend() {
    for mut node in [before_the_fork(), node(&[])] {
        let block = with_nonce(node.build(1, &[]), false);
        let mut witness = parent_with(commitment(&node, &block));
        witness.coinbase.inputs = vec![TxInput {
            txid: Hash32([7; 32]),
            index: 0,
            script: vec![1],
            sequence: 0,
            compute: 1,
        }];
        witness.parent.hash_merkle_root = fold_first(witness.coinbase.hash(), &witness.branch);
        let (block, witness) = if is_bound(&node, &block) {
            bind(block, witness)
        } else {
            (block, mined(witness, true))
        };
        let hash = add(&mut node, &block, Some(&witness));
        assert_eq!(stored(&node, &hash), bytes(&witness));
    }
}

#[test]
fn a_malformed_witness_does_not_harm_native_work() {
    let mut node = before_the_fork();
    let honest = parent_with(Vec::new()).to_bytes();
    let cut = honest[..honest.len() - 1].to_vec();
    let long = vec![0; MAX_WITNESS_LEN + 1];
    for witness in [cut, vec![0xff; 40], long, honest] {
        let block = with_nonce(node.build(1, &[]), true);
        let inserted = offer(&mut node, &block, Some(witness));
        assert!(
            matches!(inserted, Inserted::Accepted { new: true, .. }),
            "{inserted:?}"
        );
        assert_eq!(stored(&node, &block.hash()), None);
    }
    assert_eq!(node.dump(&[tables::WITNESSES]), []);
}

#[test]
fn native_work_comes_first_and_makes_the_level() {
    let mut node = before_the_fork();
    let mut block = with_nonce(node.build(1, &[]), true);
    let mut witness = mined(parent_with(commitment(&node, &block)), true);
    // Another level than the block's own.
    while block_level(250, check_pow(&witness.parent).0)
        == block_level(250, check_pow(&block.header).0)
    {
        block.header.nonce += 1;
        block = with_nonce(block, true);
        witness = mined(parent_with(commitment(&node, &block)), true);
    }
    let hash = add(&mut node, &block, Some(&witness));
    assert_eq!(
        level(&node, &hash),
        block_level(250, check_pow(&block.header).0)
    );
    assert_eq!(stored(&node, &hash), None);
}

#[test]
fn the_first_witness_stays() {
    let mut node = before_the_fork();
    let block = node.build(1, &[]);
    let (block, first) = form0(&node, block);
    let mut second = first.clone();
    second.parent.nonce += 1;
    let second = mined(second, true);
    let hash = add(&mut node, &block, Some(&first));
    let again = offer(&mut node, &block, bytes(&second));
    assert!(matches!(again, Inserted::Accepted { new: false, .. }));
    assert_eq!(stored(&node, &hash), bytes(&first));
}

#[test]
fn without_proof_of_work_no_witness_is_looked_at() {
    let mut node = Node::new(simnet());
    let block = node.build(1, &[]);
    let inserted = offer(&mut node, &block, Some(vec![1, 2, 3]));
    assert!(matches!(inserted, Inserted::Accepted { new: true, .. }));
    assert_eq!(stored(&node, &block.hash()), None);
}

#[test]
fn what_form_zero_asks_for() {
    let mut node = before_the_fork();
    let block = with_nonce(node.build(1, &[]), false);
    let commitment = commitment(&node, &block);
    let twice = [commitment.as_slice(), b" ", &commitment].concat();
    let upper = commitment.to_ascii_uppercase();
    let other = form0(&node, node.copy().build(2, &[])).1;
    for payload in [Vec::new(), twice, upper, commitment[..67].to_vec()] {
        let witness = mined(parent_with(payload), true);
        assert_eq!(fault(&mut node, &block, bytes(&witness)), "commitment");
    }
    assert_eq!(fault(&mut node, &block, bytes(&other)), "commitment");
    let lazy = mined(parent_with(commitment.clone()), false);
    assert_eq!(fault(&mut node, &block, bytes(&lazy)), "work");
    let mut astray = parent_with(commitment.clone());
    astray.branch.push(Hash32::ZERO);
    let astray = mined(astray, true);
    assert_eq!(fault(&mut node, &block, bytes(&astray)), "branch");
    let mut long = parent_with(commitment);
    long.branch = vec![Hash32([5; 32]); 65];
    long.parent.hash_merkle_root = fold_first(long.coinbase.hash(), &long.branch);
    let over = mined(long.clone(), true);
    assert_eq!(fault(&mut node, &block, bytes(&over)), "undecodable");
    assert_eq!(fault(&mut node, &block, Some(vec![0; 40])), "undecodable");
    long.branch.pop();
    long.parent.hash_merkle_root = fold_first(long.coinbase.hash(), &long.branch);
    add(&mut node, &block, Some(&mined(long, true)));
}

/// A witness with another one inside its parent header, as the wire may carry it.
fn nested(witness: &Witness) -> Vec<u8> {
    const HEADER_LEN: usize = 32 + 2 + 4 + 3 * 32 + 8 + 4 + 8 + 8 + 24 + 8 + 32;
    let bytes = witness.to_bytes();
    let inner = parent_with(Vec::new()).to_bytes();
    [&bytes[..HEADER_LEN], &[1], &inner, &bytes[HEADER_LEN + 1..]].concat()
}

#[test]
fn only_form_zero_may_nest() {
    let mut old = before_the_fork();
    let block = old.build(1, &[]);
    let (block, witness) = form0(&old, block);
    let inserted = offer(&mut old, &block, Some(nested(&witness)));
    assert!(matches!(inserted, Inserted::Accepted { new: true, .. }));
    assert_eq!(stored(&old, &block.hash()), Some(nested(&witness)));
    let mut new = node(&[]);
    let block = new.build(1, &[]);
    let (block, witness) = form1(&new, block);
    assert_eq!(fault(&mut new, &block, Some(nested(&witness))), "nested");
    add(&mut new, &block, Some(&witness));
}

#[test]
fn what_form_one_asks_for() {
    let mut node = node(&[]);
    let template = node.build(1, &[]);
    let (block, witness) = form1(&node, template.clone());
    // The commitment leaves the nonce out; the nonce names one parent.
    let mut elsewhere = witness.clone();
    elsewhere.parent.nonce += 1;
    let elsewhere = mined(elsewhere, true);
    assert_eq!(fault(&mut node, &block, bytes(&elsewhere)), "nonce");
    let mut moved = block.clone();
    moved.header.timestamp_ms += 1;
    moved.header.nonce = nonce_for(&witness.parent.hash());
    if !check_pow(&moved.header).1 {
        assert_eq!(fault(&mut node, &moved, bytes(&witness)), "commitment");
    }
    let id_only = [
        node.engine
            .rules()
            .profile
            .merge_mining_tags
            .form0
            .as_bytes()
            .as_slice(),
        &commitment(&node, &template)[4..],
    ]
    .concat();
    let both = [commitment(&node, &template), id_only.clone()].concat();
    let (block0, old) = bind(template.clone(), parent_with(id_only));
    assert_eq!(fault(&mut node, &block0, bytes(&old)), "two forms");
    let (block2, two) = bind(template.clone(), parent_with(both));
    assert_eq!(fault(&mut node, &block2, bytes(&two)), "two forms");
    let mut lazy = mined(parent_with(commitment(&node, &template)), false);
    let mut unmined = template;
    loop {
        unmined.header.nonce = nonce_for(&lazy.parent.hash());
        if !check_pow(&unmined.header).1 {
            break;
        }
        lazy.parent.nonce += 1;
        lazy = mined(lazy, false);
    }
    assert_eq!(fault(&mut node, &unmined, bytes(&lazy)), "work");
    add(&mut node, &block, Some(&witness));
}

/// What a parent carries under form 0, whatever the height says.
fn commitment0(block: &Block) -> Vec<u8> {
    format!("ZKMM{}", block.hash()).into_bytes()
}

#[test]
fn merged_mining_begins_at_its_height() {
    let mut node = form0_from(2);
    mine_native(&mut node, 1);
    let early = with_nonce(node.build(1, &[]), false);
    assert_eq!(early.header.daa_score, 1);
    assert_eq!(node.engine.merge_commitment(&early.header), None);
    let witness = mined(parent_with(commitment0(&early)), true);
    assert_eq!(fault(&mut node, &early, bytes(&witness)), "not active");
    mine_native(&mut node, 1);
    let block = node.build(1, &[]);
    assert_eq!(block.header.daa_score, 2);
    let (block, witness) = form0(&node, block);
    add(&mut node, &block, Some(&witness));
}

/// The chain has passed the height; a branch that has not is still below it and needs its own work.
#[test]
fn a_straggler_below_the_height_of_merged_mining_needs_its_own_work() {
    let mut node = form0_from(2);
    mine_native(&mut node, 1);
    let late = with_nonce(node.build(7, &[]), false);
    assert_eq!(late.header.daa_score, 1);
    let mut branch = node.copy();
    mine_native(&mut node, 3);
    let witness = mined(parent_with(commitment0(&late)), true);
    assert_eq!(fault(&mut node, &late, bytes(&witness)), "not active");
    // With work of its own it is taken. Its branch reaches the height as well.
    let late = with_nonce(late, true);
    add(&mut branch, &late, None);
    let above = branch.build(7, &[]);
    assert_eq!(above.header.daa_score, 2);
    let (above, witness) = form0(&branch, above);
    for (block, witness) in [(&late, None), (&above, bytes(&witness))] {
        let inserted = offer(&mut node, block, witness.clone());
        assert!(matches!(inserted, Inserted::Accepted { new: true, .. }));
        assert_eq!(stored(&node, &block.hash()), witness);
    }
}

/// The fork is at DAA score 3; below it blocks are bound by their id, from it by their parent.
#[test]
fn a_fork_of_the_graph_straddles_the_change_of_form() {
    let mut node = node(&[
        ("/activations/securityFork", json!(3)),
        ("/activations/boundMergeMining", json!(3)),
    ]);
    mine_native(&mut node, 2);
    let late = node.build(7, &[]);
    assert_eq!(late.header.daa_score, 2);
    // The last block under form 0 on the chain, the first under form 1 on top of it.
    let block = node.build(1, &[]);
    let (block, witness) = form0(&node, block);
    add(&mut node, &block, Some(&witness));
    let block = node.build(1, &[]);
    assert_eq!(block.header.daa_score, 3);
    let (old_form, old_witness) = {
        let block = with_nonce(block.clone(), false);
        let parent = parent_with(commitment0(&block));
        (block, mined(parent, true))
    };
    assert_eq!(fault(&mut node, &old_form, bytes(&old_witness)), "nonce");
    let (block, witness) = form1(&node, block);
    add(&mut node, &block, Some(&witness));
    // A side block below the fork comes late: its own score decides.
    let bound = {
        let fork = self::node(&[]);
        form1(&fork, late.clone())
    };
    assert_eq!(fault(&mut node, &bound.0, bytes(&bound.1)), "commitment");
    let (late, late_witness) = form0(&node, late);
    let inserted = offer(&mut node, &late, bytes(&late_witness));
    assert!(matches!(inserted, Inserted::Accepted { new: true, .. }));
    // And a block above the fork, merge-mined under form 1, merges it.
    let merger = node.build(1, &[]);
    assert!(merger.header.direct_parents().contains(&late.hash()));
    let (merger, witness) = form1(&node, merger);
    let hash = add(&mut node, &merger, Some(&witness));
    assert_eq!(node.sink(), hash);
    let facts = node.chain_facts(&hash);
    assert!(
        facts["merged"]
            .to_string()
            .contains(&late.hash().to_string())
    );
    node.assert_supply();
}

/// One parent carries both tags: work for a block below the fork may not count again above it.
#[test]
fn one_solution_does_not_back_blocks_on_both_sides_of_the_fork() {
    let mut node = node(&[
        ("/activations/securityFork", json!(2)),
        ("/activations/boundMergeMining", json!(2)),
    ]);
    mine_native(&mut node, 1);
    let low = with_nonce(node.build(2, &[]), false);
    assert_eq!(low.header.daa_score, 1);
    mine_native(&mut node, 1);
    let high = node.build(1, &[]);
    assert_eq!(high.header.daa_score, 2);
    let both = [commitment(&node, &low), commitment(&node, &high)].concat();
    let (high, solution) = bind(high, parent_with(both));
    assert_eq!(fault(&mut node, &high, bytes(&solution)), "two forms");
    let inserted = offer(&mut node, &low, bytes(&solution));
    assert!(matches!(inserted, Inserted::Accepted { new: true, .. }));
}

/// A header came without its witness and was refused; when the witness came, nothing of that is left: bodies travel
/// without one.
#[test]
fn a_block_taken_with_its_witness_is_known_without_it() {
    for mut node in [before_the_fork(), node(&[])] {
        let block = node.build(1, &[]);
        let (block, witness) = merge_mined(&node, block);
        assert_eq!(fault(&mut node, &block, None), "none");
        let header = HashedHeader::new(block.header.clone(), bytes(&witness));
        let now = block.header.timestamp_ms;
        let taken = node.engine.insert_headers(&[header], now).unwrap();
        assert!(matches!(taken[..], [Inserted::Accepted { new: true, .. }]));
        let hash = add(&mut node, &block, None);
        assert_eq!(stored(&node, &hash), bytes(&witness));
        let again = offer(&mut node, &block, None);
        assert!(matches!(again, Inserted::Accepted { new: false, .. }));
    }
}
