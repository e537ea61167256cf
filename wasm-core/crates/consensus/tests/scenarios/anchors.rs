//! Which tree states a spend may refer to: age with both bounds, branch, and the named block.

use serde_json::json;
use svc_chain::transaction::Transaction;
use svc_codec::hash32::Hash32;

use crate::kit::{Node, listed, simnet_with};
use crate::payments::Payment;

const DEPTH: u64 = 10;
const MAX_AGE: u64 = 30;

/// A chain of 45 blocks whose tree grows with every block from the third on.
fn long_chain(fork: Option<u64>) -> Node {
    let mut node = Node::new(simnet_with(&[
        ("/shieldedAnchorDepth", json!(DEPTH)),
        ("/maxShieldedAnchorAge", json!(MAX_AGE)),
        ("/activations/securityFork", json!(fork)),
    ]));
    for index in 0..45 {
        node.mine(index % 2, &[]);
    }
    node
}

/// The chain block of a blue score, which on these chains is its index.
fn at(node: &Node, blue_score: u64) -> Hash32 {
    let block = node.chain()[blue_score as usize];
    assert_eq!(node.blue_score(&block), blue_score);
    block
}

/// Carries payments in one block, merges it with the next, and tells why each was dropped; "" = applied.
fn outcomes(node: &mut Node, payments: &[Transaction]) -> Vec<String> {
    let block = node.build_carrying(1, payments);
    node.add(&block);
    let merging = node.mine(1, &[]);
    let facts = node.chain_facts(&merging);
    let applied = listed(&facts, "applied");
    let dropped = facts["dropped"].as_array().unwrap().clone();
    let outcome = |payment: &Transaction| {
        if applied.contains(&payment.id()) {
            return String::new();
        }
        let txid = payment.id().to_string();
        let row = dropped.iter().find(|row| row["txid"] == txid);
        row.unwrap()["reason"].as_str().unwrap().to_owned()
    };
    payments.iter().map(outcome).collect()
}

#[test]
fn the_window_holds_both_its_ends() {
    for fork in [None, Some(0)] {
        let mut node = long_chain(fork);
        // The merging block comes two after the sink.
        let judged_at = node.blue_score(&node.sink()) + 2;
        let aged = |age: u64| {
            let payment = Payment::of(age).against(&node, &at(&node, judged_at - age));
            match fork {
                Some(_) => payment.build(),
                None => payment.plain().build(),
            }
        };
        let payments = [DEPTH - 1, DEPTH, MAX_AGE, MAX_AGE + 1].map(aged);
        let expected = ["tx/anchor-not-final", "", "", "tx/anchor-too-old"];
        assert_eq!(outcomes(&mut node, &payments), expected, "fork {fork:?}");
        node.assert_supply();
    }
}

#[test]
fn the_empty_tree_is_always_final() {
    let mut node = long_chain(Some(0));
    let payments = [Payment::of(1).build()];
    assert_eq!(outcomes(&mut node, &payments), [""]);
}

#[test]
fn a_root_or_block_nobody_knows_is_not_final() {
    let mut named = long_chain(Some(0));
    let block = at(&named, 20);
    let mut unknown_root = Payment::of(1).against(&named, &block);
    unknown_root.anchor = Hash32([9; 32]);
    let mut unknown_block = Payment::of(2).against(&named, &block);
    unknown_block.anchor_block = Some(Hash32([9; 32]));
    let mut other_block = Payment::of(3).against(&named, &block);
    other_block.anchor_block = Some(at(&named, 21));
    let payments = [unknown_root, unknown_block, other_block].map(|payment| payment.build());
    let expected = [
        "tx/anchor-block-mismatch",
        "tx/anchor-not-final",
        "tx/anchor-block-mismatch",
    ];
    assert_eq!(outcomes(&mut named, &payments), expected);

    let mut plain = long_chain(None);
    let mut unknown_root = Payment::of(1).plain();
    unknown_root.anchor = Hash32([9; 32]);
    assert_eq!(
        outcomes(&mut plain, &[unknown_root.build()]),
        ["tx/anchor-not-final"]
    );
}

#[test]
fn the_anchor_of_an_abandoned_branch_is_not_final() {
    for fork in [None, Some(0)] {
        let mut node = long_chain(fork);
        let mut other = node.copy();
        let orphan = node.mine(7, &[]);
        let orphan = {
            // The tree changes where the payee does.
            let child = node.mine(8, &[]);
            assert_ne!(
                node.state_of(&child).tree_root,
                node.state_of(&orphan).tree_root
            );
            child
        };
        let twin = Payment::of(1).against(&node, &orphan);
        for index in 0..14 {
            other.mine(index % 2, &[]);
        }
        for hash in other.chain().iter().skip(1) {
            let block = other.engine.state().block(hash).unwrap().unwrap();
            node.add(&block);
        }
        assert_eq!(node.sink(), other.sink());
        assert_eq!(node.status(&orphan).0, "valid", "it was a chain block once");
        let spend = if fork.is_some() { twin } else { twin.plain() };
        assert_eq!(
            outcomes(&mut node, &[spend.build()]),
            ["tx/anchor-not-final"],
            "fork {fork:?}"
        );
    }
}

/// Siblings with equal coinbases leave equal trees: the root counts if any of its producers is final, and
/// from the fork on only the named one counts.
#[test]
fn of_two_producers_of_one_root_the_one_on_the_chain_counts() {
    for fork in [None, Some(0)] {
        let mut node = long_chain(fork);
        let twin = node.build(1, &[]);
        let mut sibling = twin.clone();
        sibling.header.nonce = 1;
        node.add(&twin);
        let mut other = node.copy();
        // Two nodes each saw another twin first and built on it.
        let mut second = long_chain(fork);
        second.add(&sibling);
        for index in 0..13 {
            other.mine(index % 2, &[]);
            if index < 2 {
                second.mine(index % 2, &[]);
            }
        }
        for from in [&second, &other] {
            for hash in from.chain().iter().skip(1) {
                let block = from.engine.state().block(hash).unwrap().unwrap();
                node.add(&block);
            }
        }
        assert_eq!(node.sink(), other.sink());
        let roots = [&twin, &sibling].map(|block| node.state_of(&block.hash()).tree_root);
        assert_eq!(roots[0], roots[1]);
        let named = |note, block| Payment::of(note).against(&node, block);
        if fork.is_some() {
            let payments = [
                named(1, &twin.hash()).build(),
                named(2, &sibling.hash()).build(),
            ];
            assert_eq!(outcomes(&mut node, &payments), ["", "tx/anchor-not-final"]);
        } else {
            let payments = [named(1, &twin.hash()).plain().build()];
            assert_eq!(outcomes(&mut node, &payments), [""]);
        }
    }
}
