//! Which tree states a spend may refer to: age with both bounds, branch, and the named block.

use serde_json::json;
use svc_chain::transaction::Transaction;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_ANCHOR_PRODUCERS;
use svc_consensus::records::block_status::Stage;
use svc_consensus::store::tables;
use svc_consensus::store::{Change, Store};

use crate::scenarios::kit::{Node, listed, simnet_with};
use crate::scenarios::payments::Payment;

const DEPTH: u64 = 10;
const MAX_AGE: u64 = 30;

/// A chain of 45 blocks whose tree grows with every block from the third on.
fn long_chain(fork: Option<u64>) -> Node {
    chain_with(fork, Some(0))
}

/// The same with multi-producer anchors from a height of its own.
fn chain_with(fork: Option<u64>, multi_producer: Option<u64>) -> Node {
    let mut node = Node::new(simnet_with(&[
        ("/shieldedAnchorDepth", json!(DEPTH)),
        ("/maxShieldedAnchorAge", json!(MAX_AGE)),
        ("/activations/securityFork", json!(fork)),
        ("/activations/multiProducerAnchors", json!(multi_producer)),
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
fn an_aged_anchor_counts_at_both_ends_of_the_window_only() {
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

/// Whoever offers a payment to a template sees it applied: the block that merges the template's is at least one
/// higher than virtual, where an anchor on its last day is too old.
#[test]
fn a_template_carries_no_spend_that_is_too_old_when_merged() {
    for fork in [None, Some(0)] {
        let mut node = long_chain(fork);
        let virtual_score = node.blue_score(&node.sink()) + 1;
        let aged = |age: u64| {
            let payment = Payment::of(age).against(&node, &at(&node, virtual_score - age));
            match fork {
                Some(_) => payment.build(),
                None => payment.plain().build(),
            }
        };
        let payments = [DEPTH - 1, DEPTH, MAX_AGE - 1, MAX_AGE].map(aged);
        let built = node.template(1, &payments);
        assert_eq!(built.block.transactions[1..], payments[1..3]);
        let refused: Vec<_> = built
            .rejected
            .iter()
            .map(|(txid, error)| (*txid, error.code.as_str()))
            .collect();
        let expected = [
            (payments[0].id(), "tx/anchor-not-final"),
            (payments[3].id(), "tx/anchor-too-old"),
        ];
        assert_eq!(refused, expected, "fork {fork:?}");
        let too_old = payments[3].clone().into();
        let check = node.engine.check_transaction(&too_old).err().unwrap();
        assert_eq!(check.code.as_str(), "tx/anchor-too-old");
        node.add(&built.block);
        let merging = node.mine(1, &[]);
        let facts = node.chain_facts(&merging);
        assert_eq!(listed(&facts, "applied").len(), 2);
        assert_eq!(facts["dropped"], json!([]));
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
            let block = other.engine.records().block(hash).unwrap().unwrap();
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

/// Siblings with equal coinbases leave equal trees: the root counts if any of its producers is final, before
/// multi-producer anchors if the one on the chain is, and from the fork on only the named one counts. This node
/// judged the other twin last, which must change nothing.
#[test]
fn of_two_producers_of_one_root_the_one_on_the_chain_counts() {
    // The spend is merged at DAA score 63.
    let heights = [Some(0), Some(63), Some(64), None].map(|multi| (None, multi));
    for (fork, multi) in heights.into_iter().chain([(Some(0), Some(0))]) {
        let mut node = chain_with(fork, multi);
        let twin = node.build(1, &[]);
        let mut sibling = twin.clone();
        sibling.header.nonce = 1;
        node.add(&twin);
        let mut other = node.copy();
        // Two nodes each saw another twin first and built on it.
        let mut second = chain_with(fork, multi);
        second.add(&sibling);
        for index in 0..13 {
            other.mine(index % 2, &[]);
            if index < 2 {
                second.mine(index % 2, &[]);
            }
        }
        for from in [&second, &other] {
            for hash in from.chain().iter().skip(1) {
                let block = from.engine.records().block(hash).unwrap().unwrap();
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
            assert_eq!(outcomes(&mut node, &payments), [""], "{multi:?}");
            assert_eq!(node.daa(&node.sink()), 63);
        }
    }
}

/// Blocks mint nothing but the development fee, every 20 blocks, so those between leave one root. The highest of its
/// producers is the sink for long: a spend against it tells the rules on both sides of the height apart.
fn one_root_of_twenty(multi_producer: u64, blocks: u64) -> Node {
    let mut node = Node::new(simnet_with(&[
        ("/shieldedAnchorDepth", json!(DEPTH)),
        ("/maxShieldedAnchorAge", json!(MAX_AGE)),
        ("/activations/securityFork", json!(null)),
        ("/activations/multiProducerAnchors", json!(multi_producer)),
        ("/devFee/permille", json!(1_000)),
        ("/devFee/payoutIntervalDaa", json!(20)),
    ]));
    node.mine_many(1, blocks as usize);
    let ends = [at(&node, 21), at(&node, blocks.min(40))];
    let roots = ends.map(|block| node.state_of(&block).tree_root);
    assert!(roots[0] == roots[1] && ends[0] != ends[1]);
    node
}

/// A spend against the root that the blocks of DAA score 20 to 39 leave.
fn spend_of_shared_root(node: &Node) -> Transaction {
    let first = at(node, 21);
    assert_eq!(node.daa(&first), 20);
    Payment::of(1).plain().against(node, &first).build()
}

/// The height counts for the block that merges the spend, exactly.
#[test]
fn one_root_of_many_chain_blocks_on_both_sides_of_the_multi_producer_height() {
    const NOT_FINAL: &str = "tx/anchor-not-final";
    let judged = |height: u64, daa_score: u64| {
        // The sink is two below the block that merges.
        let mut node = one_root_of_twenty(height, daa_score - 1);
        let spend = spend_of_shared_root(&node);
        let outcome = outcomes(&mut node, &[spend]).remove(0);
        assert_eq!(node.daa(&node.sink()), daa_score);
        node.assert_supply();
        outcome
    };
    assert_eq!(judged(33, 32), NOT_FINAL, "the highest counts");
    assert_eq!(judged(33, 33), "", "any counts");
    // Before the lowest is old enough neither rule lets it pass, and both do when the highest is.
    assert_eq!([judged(0, 29), judged(0, 30)], [NOT_FINAL, ""]);
    assert_eq!([judged(60, 48), judged(60, 49)], [NOT_FINAL, ""]);
}

/// One branch merges the block with the spend below the height, the other, wider by a block, at the height. Whatever
/// a node saw first, the branch that wins decides.
#[test]
fn two_branches_judge_a_shared_root_at_their_own_height() {
    const HEIGHT: u64 = 33;
    let mut left = one_root_of_twenty(HEIGHT, 31);
    let carrier = {
        let spend = spend_of_shared_root(&left);
        left.build_carrying(2, &[spend])
    };
    let mut right = left.copy();
    let beside = right.build(3, &[]);
    left.add(&carrier);
    for block in [&carrier, &beside] {
        right.add(block);
    }
    let [below, behind] = [&mut left, &mut right].map(|node| node.mine(1, &[]));
    assert_eq!(left.daa(&below), HEIGHT - 1);
    assert_eq!(right.daa(&behind), HEIGHT);
    let id = carrier.transactions[1].id();
    assert_eq!(listed(&left.chain_facts(&below), "dropped"), [id]);
    assert_eq!(listed(&right.chain_facts(&behind), "applied"), [id]);
    // The wider branch has more work.
    let wide = right.copy();
    left.add(&beside);
    left.insert_chain(&wide, 1);
    left.settle();
    assert_eq!(left.sink(), behind);
    assert_eq!(left.state_of(&behind).nullifier_count, 1);
    // The narrow one grows on and outweighs it.
    let mut narrow = one_root_of_twenty(HEIGHT, 31);
    narrow.add(&carrier);
    narrow.mine_many(1, 4);
    for node in [&mut left, &mut right] {
        node.insert_chain(&narrow, 1);
        node.settle();
        assert_eq!(node.sink(), narrow.sink());
        assert_eq!(node.state_of(&node.sink()).nullifier_count, 0);
        node.assert_supply();
    }
}

/// A block whose place in the DAG was given up answers like one that is on no chain; it never stops the node.
#[test]
fn a_producer_that_was_pruned_is_not_final() {
    for fork in [None, Some(0)] {
        let node = long_chain(fork);
        let (gone, kept) = (at(&node, 20), at(&node, 21));
        let spends = [(1, gone), (2, kept)].map(|(note, block)| {
            let payment = Payment::of(note).against(&node, &block);
            if fork.is_some() {
                payment.build()
            } else {
                payment.plain().build()
            }
        });
        let mut store = node.engine.records().overlay.store().clone();
        let change = svc_consensus::store::Change {
            table: svc_consensus::store::tables::REACHABILITY,
            key: gone.as_bytes().to_vec(),
            value: None,
        };
        svc_consensus::store::Store::commit(&mut store, vec![change]).unwrap();
        let mut node = Node::open(store, node.engine.rules().profile.clone());
        let block = node.build_carrying(1, &spends);
        node.add(&block);
        let merging = node.mine(1, &[]);
        let facts = node.chain_facts(&merging);
        assert_eq!(listed(&facts, "applied"), [spends[1].id()]);
        // It is on the chain of every judge, so a spend that names it came too late. One that names a root alone is
        // told nothing.
        let reason = match fork {
            Some(_) => "tx/anchor-too-old",
            None => "tx/anchor-not-final",
        };
        assert_eq!(facts["dropped"][0]["reason"], reason);
    }
}

/// The node with so many producers of a root more, which come before all others and were judged on no chain that is left.
fn with_producers(node: &Node, root: &Hash32, count: u64) -> Node {
    let mut store = node.engine.records().overlay.store().clone();
    let rows = (0..count).map(|number| {
        let mut producer = [0; 32];
        producer[24..].copy_from_slice(&number.to_be_bytes());
        Change {
            table: tables::ANCHOR_PRODUCERS,
            key: [root.as_bytes().as_slice(), &producer].concat(),
            value: Some(Vec::new()),
        }
    });
    store.commit(rows.collect()).unwrap();
    Node::open(store, node.engine.rules().profile.clone())
}

/// All producers of a root are tried. A node with more than it tries stops: which of them it knows is chance, and another
/// node may know others.
#[test]
fn of_too_many_producers_of_a_root_none_is_left_out() {
    // Before multi-producer anchors the highest on the chain counts, later any.
    for multi_producer in [None, Some(0)] {
        let node = chain_with(None, multi_producer);
        let block = at(&node, 21);
        let root = node.state_of(&block).tree_root;
        let own = node.engine.records().anchor_producers(&root).unwrap();
        assert_eq!(own, [block]);
        let spend = Payment::of(1).plain().against(&node, &block).build();
        // Written out: with fewer, nodes would stop at what a chain can hold.
        assert_eq!(MAX_ANCHOR_PRODUCERS, 4_096);
        let most = 4_095;
        let mut full = with_producers(&node, &root, most);
        assert_eq!(outcomes(&mut full, &[spend]), [""]);
        // The same two blocks, at a node that saw one producer more.
        let mut over = with_producers(&node, &root, most + 1);
        let chain = full.chain();
        let [carrier, merging] = *chain.last_chunk().unwrap();
        for hash in [carrier, merging] {
            over.insert(&full.engine.records().block(&hash).unwrap().unwrap());
        }
        let error = over.engine.resolve(100).map(|_| ()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "engine/overflow what=producers of one anchor"
        );
        // The block that merges the spend is neither valid nor refused.
        let stage = over.engine.records().stage(&merging).unwrap();
        assert_eq!(stage, Some(Stage::Pending));
    }
}
