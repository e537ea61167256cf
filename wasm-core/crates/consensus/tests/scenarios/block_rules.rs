//! Blocks the body stage refuses, and what it remembers of them.

use serde_json::json;
use svc_chain::transaction::TxOutput;
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_consensus::pipeline::inserted::Inserted;
use svc_dag::store::DagStore;

use crate::scenarios::kit::{
    Node, SUBSIDY, listed, script_of, seal, simnet, simnet_with, with_payload,
};
use crate::scenarios::payments::{Payment, carrying};

fn node() -> Node {
    let mut node = Node::new(simnet());
    node.mine_many(1, 12);
    node
}

#[test]
fn a_body_error_is_remembered_and_falls_on_the_children() {
    let mut node = node();
    let bad = with_payload(&node.build(1, &[]), |payload| payload.subsidy += 1);
    assert_eq!(node.refusal(&bad), "coinbase/wrong-subsidy");
    assert_eq!(node.refusal(&bad), "header/known-invalid");
    let mut child = node.build(1, &[]);
    let levels = vec![vec![bad.hash()]];
    child.header.parents = svc_chain::header::parents::Parents::from_levels(&levels).unwrap();
    assert_eq!(node.refusal(&child), "header/invalid-parent");
}

#[test]
fn a_wrong_merkle_root_does_not_poison_the_id() {
    let mut node = node();
    let good = node.build(1, &[Payment::of(1).build()]);
    let mut torn = good.clone();
    torn.transactions.pop();
    assert_eq!(torn.hash(), good.hash());
    assert_eq!(node.refusal(&torn), "body/bad-merkle-root");
    torn.transactions.clear();
    assert_eq!(node.refusal(&torn), "body/no-transactions");
    assert_eq!(node.status(&good.hash()).0, "headerOnly");
    node.add(&good);
    assert_eq!(node.sink(), good.hash());
}

#[test]
fn missing_parents_are_named_and_nothing_is_remembered() {
    let mut node = node();
    let mut ahead = node.copy();
    let parent = ahead.build(1, &[]);
    ahead.add(&parent);
    let child = ahead.build(1, &[]);
    match node.insert(&child) {
        Inserted::MissingParents(parents) => assert_eq!(parents, [parent.hash()]),
        other => panic!("{other:?}"),
    }
    assert!(
        node.engine
            .records()
            .status(&child.hash())
            .unwrap()
            .is_none()
    );
    node.add(&parent);
    node.add(&child);
    match node.insert(&child) {
        Inserted::Accepted { new, .. } => assert!(!new),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_child_waits_for_its_parents_body_and_falls_with_it() {
    let mut node = node();
    let mut ahead = node.copy();
    let parent = ahead.build(1, &[]);
    ahead.add(&parent);
    let child = ahead.build(1, &[]);
    let mut torn = parent.clone();
    torn.transactions.clear();
    assert_eq!(node.refusal(&torn), "body/no-transactions");
    match node.insert(&child) {
        Inserted::MissingParents(parents) => assert_eq!(parents, [parent.hash()]),
        other => panic!("{other:?}"),
    }
    // The same header over a body that breaks a rule for good.
    let bad = with_payload(&node.build(1, &[]), |payload| payload.blue_score += 1);
    let mut over_bad = ahead.build(1, &[]);
    let levels = vec![vec![bad.hash()]];
    over_bad.header.parents = svc_chain::header::parents::Parents::from_levels(&levels).unwrap();
    let mut headless = bad.clone();
    headless.transactions.clear();
    assert_eq!(node.refusal(&headless), "body/no-transactions");
    assert!(matches!(
        node.insert(&over_bad),
        Inserted::MissingParents(_)
    ));
    assert_eq!(node.refusal(&bad), "coinbase/wrong-blue-score");
    assert_eq!(node.refusal(&over_bad), "header/invalid-parent");
}

#[test]
fn coinbase_payload_rules() {
    let mut node = node();
    let block = node.build(1, &[]);
    let blue_score = with_payload(&block, |payload| payload.blue_score -= 1);
    let subsidy = with_payload(&block, |payload| payload.subsidy = SUBSIDY - 1);
    let short = with_payload(&block, |payload| payload.script.truncate(42));
    let not_a_key = with_payload(&block, |payload| payload.script[11..].fill(0xff));
    for (block, code) in [
        (blue_score, "coinbase/wrong-blue-score"),
        (subsidy, "coinbase/wrong-subsidy"),
        (short, "coinbase/bad-recipient"),
        (not_a_key, "coinbase/bad-recipient"),
    ] {
        assert_eq!(node.refusal(&block), code);
    }
    let mut cut = block.clone();
    cut.transactions[0].payload.truncate(50);
    assert_eq!(node.refusal(&seal(cut)), "coinbase/payload-too-short");
    let mut long = block;
    long.transactions[0].payload.resize(205, 0);
    assert_eq!(node.refusal(&seal(long)), "coinbase/payload-too-long");
}

#[test]
fn coinbase_position_and_shape() {
    let mut node = node();
    let block = node.build_carrying(1, &[Payment::of(1).build()]);
    let mut swapped = block.clone();
    swapped.transactions.swap(0, 1);
    assert_eq!(node.refusal(&seal(swapped)), "body/first-not-coinbase");
    let mut twice = block.clone();
    twice.transactions.push(block.transactions[0].clone());
    assert_eq!(node.refusal(&seal(twice)), "body/multiple-coinbases");
    let mut repeated = block.clone();
    repeated.transactions.push(block.transactions[1].clone());
    assert_eq!(node.refusal(&seal(repeated)), "body/duplicate-transaction");
    let mut mass = block;
    mass.transactions[0].storage_mass = 1;
    assert_eq!(node.refusal(&seal(mass)), "coinbase/bad-storage-mass");
}

/// Gas and version are rules of every transaction on its own, the coinbase included: such a block never enters
/// the DAG, where it could be merged and paid.
#[test]
fn gas_and_version_of_a_coinbase() {
    let mut node = node();
    let block = node.build(1, &[]);
    let changed = |change: fn(&mut svc_chain::transaction::Transaction)| {
        let mut block = block.clone();
        change(&mut block.transactions[0]);
        seal(block)
    };
    let gas = changed(|coinbase| coinbase.gas = 1);
    assert_eq!(node.refusal(&gas), "tx/gas-not-zero");
    for version in [3, 7, u16::MAX] {
        let mut block = block.clone();
        block.transactions[0].version = version;
        assert_eq!(node.refusal(&seal(block)), "tx/unsupported-version");
    }
    // Other known versions are for the chain to refuse: it knows the one that belongs to the height.
    for version in [0, 2] {
        let mut block = block.clone();
        block.transactions[0].version = version;
        let block = seal(block);
        node.add(&block);
        let status = node.status(&block.hash());
        assert_eq!(
            status,
            ("disqualified".into(), "virtual/wrong-coinbase".into())
        );
    }
}

fn with_outputs(node: &mut Node, count: usize) -> svc_chain::block::Block {
    let mut block = node.build(1, &[]);
    let output = TxOutput {
        value: 1,
        script_version: 0,
        script: script_of(1),
        covenant: None,
    };
    block.transactions[0].outputs = vec![output; count];
    seal(block)
}

#[test]
fn the_output_bound_is_k_plus_4_and_the_references_k_plus_2_where_asked_for() {
    // k = 18.
    for (k4, fork, bound) in [(true, None, 22), (false, None, 20), (false, Some(0), 22)] {
        let mut node = Node::new(simnet_with(&[
            ("/outputBoundK4", json!(k4)),
            ("/activations/securityFork", json!(fork)),
        ]));
        let beyond = with_outputs(&mut node, bound + 1);
        assert_eq!(node.refusal(&beyond), "coinbase/too-many-outputs");
        // The bound itself passes the body stage; the chain refuses the made-up outputs.
        let within = with_outputs(&mut node, bound);
        node.add(&within);
        let status = node.status(&within.hash());
        assert_eq!(
            status,
            ("disqualified".into(), "virtual/wrong-coinbase".into())
        );
    }
}

#[test]
fn a_merge_mining_commitment_is_banned_from_its_height_on() {
    let digest = "b657dc4e6ee9059b653b0fd0b7a55e6be2bc11e838ea72928a0b931b4d23797b";
    let tags = simnet().merge_mining_tags;
    for tag in [tags.form0, tags.form1] {
        let extra = [tag.as_bytes().as_slice(), digest.as_bytes()].concat();
        let mut node = Node::new(simnet_with(&[
            ("/activations/commitmentBan", json!(3)),
            ("/activations/boundMergeMining", json!(5)),
            ("/activations/securityFork", json!(5)),
        ]));
        node.mine_many(1, 2);
        let before = with_payload(&node.build(1, &[]), |payload| payload.extra = extra.clone());
        assert_eq!(before.header.daa_score, 2);
        node.add(&before);
        assert_eq!(node.sink(), before.hash());
        node.mine(1, &[]);
        let behind = with_payload(&node.build(1, &[]), |payload| payload.extra = extra.clone());
        assert_eq!(node.refusal(&behind), "coinbase/carries-commitment");
        let mut twice = extra.clone();
        twice.truncate(20);
        let broken = with_payload(&node.build(1, &[]), |payload| payload.extra = twice);
        node.add(&broken);
        assert_eq!(node.sink(), broken.hash(), "half a commitment is none");
    }
}

/// Two branches cross a height at their own pace: a straggler is judged by its own DAA score, not by the chain's.
#[test]
fn stragglers_keep_the_commitment_ban_and_the_output_bound_of_their_own_height() {
    let digest = [b'a'; 64];
    let tag = simnet().merge_mining_tags.form0;
    let extra = [tag.as_bytes().as_slice(), &digest].concat();
    let mut node = Node::new(simnet_with(&[
        ("/outputBoundK4", json!(false)),
        ("/activations/commitmentBan", json!(4)),
        ("/activations/boundMergeMining", json!(6)),
        ("/activations/securityFork", json!(6)),
    ]));
    let tagged = |node: &mut Node, miner: u32| {
        let block = node.build(miner, &[]);
        with_payload(&block, |payload| payload.extra = extra.clone())
    };
    node.mine_many(1, 3);
    let before_ban = tagged(&mut node, 2);
    node.mine_many(1, 2);
    let (behind_ban, many) = (tagged(&mut node, 3), with_outputs(&mut node, 21));
    assert_eq!((before_ban.header.daa_score, many.header.daa_score), (3, 5));
    node.mine_many(1, 3);
    assert_eq!(node.refusal(&behind_ban), "coinbase/carries-commitment");
    assert_eq!(node.refusal(&many), "coinbase/too-many-outputs", "k + 2");
    let within = with_outputs(&mut node, 22);
    assert!(within.header.daa_score >= 6);
    node.add(&within);
    node.add(&before_ban);
    let blocks = node.mine_many(1, 3);
    let merged: Vec<Hash32> = blocks
        .iter()
        .flat_map(|block| node.engine.records().ghostdag(block).unwrap().blues.clone())
        .collect();
    assert!(merged.contains(&before_ban.hash()), "merged behind the ban");
    node.assert_supply();
}

#[test]
fn lock_time_is_compared_with_height_or_median_time() {
    compare_lock_times(false);
}

#[test]
fn lock_time_is_compared_when_the_header_came_first() {
    compare_lock_times(true);
}

fn compare_lock_times(header_first: bool) {
    let mut node = node();
    let announce = |node: &mut Node, block: &svc_chain::block::Block| {
        if header_first {
            node.insert_headers(std::slice::from_ref(block));
        }
    };
    let daa = node.build(1, &[]).header.daa_score;
    let carrying = |node: &mut Node, note: u64, lock_time: u64| {
        let payment = Payment {
            lock_time,
            ..Payment::of(note)
        };
        node.build_carrying(1, &[payment.build()])
    };
    // A time an hour ahead of every block, and the height of the block itself.
    for (note, lock_time) in [(1, daa), (2, node.next_time() + 3_600_000)] {
        let block = carrying(&mut node, note, lock_time);
        announce(&mut node, &block);
        let Inserted::Rejected(error) = node.insert(&block) else {
            panic!("lock time {lock_time} was taken");
        };
        assert_eq!(error.code, Code::TxLockTime, "{lock_time}");
        let named = ("txid", block.transactions[1].id().to_string());
        assert!(error.data.contains(&named), "{error}");
    }
    for (note, lock_time) in [(3, daa - 1), (4, simnet().genesis.timestamp_ms)] {
        let daa = node.build(1, &[]).header.daa_score;
        assert!(lock_time < daa || lock_time > 500_000_000_000);
        let block = carrying(&mut node, note, lock_time);
        announce(&mut node, &block);
        node.add(&block);
        assert_eq!(node.sink(), block.hash());
    }
}

#[test]
fn payloads_that_are_no_bundle() {
    let mut node = node();
    let bundle = Payment::of(1).bundle();
    let bytes = bundle.encode();
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        bytes
    };
    let cases = [
        (with(&|bytes| bytes.push(0)), "codec/trailing-bytes"),
        (with(&|bytes| bytes.truncate(5_000)), "codec/unexpected-end"),
        (Vec::new(), "codec/unexpected-end"),
        (with(&|bytes| bytes[0] |= 0b0100), "tx/burn-disabled"),
        (with(&|bytes| bytes[44] = 63), "shielded/bad-binding-length"),
        (
            with(&|bytes| bytes[111] = 0xff),
            "shielded/too-many-actions",
        ),
    ];
    for (payload, code) in cases {
        let block = node.build_carrying(1, &[carrying(payload)]);
        assert_eq!(node.refusal(&block), code);
        let again = node.refusal(&block);
        assert_eq!(again, "header/known-invalid", "{code}");
    }
    let mut empty = Payment::of(1);
    empty.notes.clear();
    let block = node.build_carrying(1, &[empty.build()]);
    assert_eq!(node.refusal(&block), "tx/no-actions");
}

/// Flags are judged where a payment is accepted (specification consensus 9.4, 9.5; shielded 5.2): the block
/// stays in the DAG, is no chain block, and when merged its payment is skipped and pays nothing.
#[test]
fn flags_that_are_not_canonical_leave_the_block_in_the_dag() {
    for flags in [0b1000_0011u8, 0b1_1011, 0b1011_1011, 0b0011] {
        let mut node = node();
        let payment = Payment::of(1).fee(1_000);
        let mut bytes = payment.bundle().encode();
        bytes[0] = flags;
        if flags & 0b1000 == 0 {
            // Without the bit no block follows the proof.
            bytes.truncate(bytes.len() - 32);
        }
        let transaction = carrying(bytes);
        let good = Payment::of(2).build();
        let block = node.build_carrying(2, &[transaction.clone(), good.clone()]);
        node.add(&block);
        let status = node.status(&block.hash());
        assert_eq!(
            status,
            ("disqualified".into(), "virtual/bad-transactions".into()),
            "{flags:b}"
        );
        // It is as heavy as the sink, so the next block but one merges it.
        let merging = node.mine_many(1, 2)[1];
        let facts = node.chain_facts(&merging);
        assert_eq!(listed(&facts, "applied"), [good.id()], "{flags:b}");
        assert_eq!(listed(&facts, "dropped"), []);
        let record = node.engine.records().acceptance(&merging).unwrap();
        let accepted: Vec<Hash32> = record
            .merged
            .iter()
            .flat_map(|merged| merged.accepted.clone())
            .collect();
        assert!(accepted.contains(&good.id()));
        assert!(!accepted.contains(&transaction.id()));
        assert_eq!(node.state_of(&merging).cumulative_fees, 0);
        let refused = node.engine.check_transaction(&transaction.clone().into());
        assert!(refused.is_err(), "no pool takes it");
        node.mine_many(1, 2);
        node.assert_supply();
    }
}

#[test]
fn envelopes_that_are_not_a_payment() {
    let mut node = node();
    let payment = Payment::of(1).build();
    let refusal = |node: &mut Node, change: &dyn Fn(&mut svc_chain::transaction::Transaction)| {
        let mut payment = payment.clone();
        change(&mut payment);
        let block = node.build_carrying(1, &[payment]);
        node.refusal(&block)
    };
    let output = TxOutput {
        value: 1,
        script_version: 0,
        script: Vec::new(),
        covenant: None,
    };
    let input = svc_chain::transaction::TxInput {
        txid: Hash32::ZERO,
        index: 0,
        script: Vec::new(),
        sequence: 0,
        compute: 0,
    };
    assert_eq!(
        refusal(&mut node, &|tx| tx.version = 1),
        "tx/unsupported-version"
    );
    assert_eq!(
        refusal(&mut node, &|tx| tx.version = 3),
        "tx/unsupported-version"
    );
    assert_eq!(refusal(&mut node, &|tx| tx.gas = 1), "tx/gas-not-zero");
    assert_eq!(
        refusal(&mut node, &|tx| tx.subnetwork_id[0] = 2),
        "tx/unsupported-subnetwork"
    );
    assert_eq!(
        refusal(&mut node, &|tx| tx.inputs.push(input.clone())),
        "tx/has-inputs"
    );
    assert_eq!(
        refusal(&mut node, &|tx| tx.outputs.push(output.clone())),
        "tx/has-outputs"
    );
    assert_eq!(
        refusal(&mut node, &|tx| tx.storage_mass = 500_001),
        "body/storage-mass"
    );
}

#[test]
fn a_block_holds_a_bounded_mass() {
    let mut node = node();
    let payments: Vec<_> = (0..42).map(|note| Payment::of(note).build()).collect();
    let fits = node.build_carrying(1, &payments[..40]);
    node.add(&fits);
    let full = node.build_carrying(1, &payments[40..]);
    let mut heavy = full.clone();
    for note in 100..140 {
        heavy.transactions.push(Payment::of(note).build());
    }
    assert_eq!(node.refusal(&seal(heavy)), "body/transient-mass");
}

/// The host keeps a block that waits by its id: one with another body must not take its place.
#[test]
fn a_wrong_body_does_not_wait_for_parents() {
    let mut node = node();
    let mut ahead = node.copy();
    let parent = ahead.build(1, &[]);
    ahead.add(&parent);
    let child = ahead.build(1, &[]);
    let mut wrong = child.clone();
    wrong.transactions[0].payload.push(0);
    assert_eq!(node.refusal(&wrong), "body/bad-merkle-root");
    wrong.transactions.clear();
    assert_eq!(node.refusal(&wrong), "body/no-transactions");
    assert!(matches!(node.insert(&child), Inserted::MissingParents(_)));
    node.add(&parent);
    node.add(&child);
}
