//! What a template takes in and what it leaves out.

use svc_chain::subnetwork;
use svc_chain::transaction::Transaction;
use svc_codec::hash32::Hash32;
use svc_consensus::rules::coinbase::MinerData;

use crate::scenarios::kit::{Node, held, listed, script_of, simnet};
use crate::scenarios::payments::Payment;

fn node() -> Node {
    let mut node = Node::new(simnet());
    node.mine_many(1, 12);
    node
}

/// Candidates a template refused with the code.
fn refused(node: &mut Node, payments: &[Transaction]) -> Vec<(Hash32, &'static str)> {
    let built = node.template(1, payments);
    let block = built.block.clone();
    let codes = built.rejected.into_iter();
    let codes = codes
        .map(|(txid, error)| (txid, error.code.as_str()))
        .collect();
    // Whatever was offered, the block is a good one.
    let mut copy = node.copy();
    for payment in payments {
        copy.note_proof(payment);
    }
    copy.add(&block);
    assert_eq!(copy.sink(), block.hash());
    codes
}

#[test]
fn conflicting_candidates_are_left_out_in_order_of_preference() {
    let mut node = node();
    let [first, second, third] = [0, 1, 2].map(|salt| Payment::of(7).salted(salt).build());
    let other = Payment::of(8).build();
    let candidates = [first.clone(), second.clone(), other.clone(), third.clone()];
    let built = node.template(1, &candidates);
    assert_eq!(
        built.block.transactions[1..],
        [first.clone(), other.clone()]
    );
    assert_eq!(
        refused(&mut node, &candidates),
        [
            (second.id(), "tx/nullifier-spent"),
            (third.id(), "tx/nullifier-spent")
        ]
    );
    // Also against what the template's own mergeset will apply, and what the chain has applied.
    node.add(&built.block);
    let again = Payment::of(8).salted(5).build();
    let candidates = [again.clone(), other.clone()];
    let expected = [
        (again.id(), "tx/nullifier-spent"),
        (other.id(), "tx/nullifier-spent"),
    ];
    assert_eq!(refused(&mut node, &candidates), expected);
    node.mine_many(1, 2);
    assert_eq!(refused(&mut node, &candidates), expected);
}

#[test]
fn candidates_without_a_good_verdict_are_left_out() {
    let mut node = node();
    let good = Payment::of(1).build();
    let broken = Payment::of(2).broken().build();
    let expected = [(broken.id(), "tx/missing-verdict")];
    assert_eq!(
        refused(&mut node, &[broken.clone(), good.clone()]),
        expected
    );
    let unknown = Payment::of(3).build();
    let data = MinerData {
        script_version: 0,
        script: script_of(1),
        extra: Vec::new(),
    };
    let now = node.next_time();
    let built = node
        .engine
        .build_template(data, held(&[unknown.clone(), good.clone()]), now)
        .unwrap();
    assert_eq!(built.block.transactions[1..], [good]);
    assert_eq!(built.rejected[0].0, unknown.id());
    assert_eq!(built.rejected[0].1.code.as_str(), "tx/missing-verdict");
}

/// The proof of each of these holds; the chain would still refuse a block with one of them.
#[test]
fn candidates_that_would_spoil_the_block_are_left_out() {
    let mut node = node();
    let mints = Payment::of(1).fee(-1).build();
    let mut massive = Payment::of(2).build();
    massive.storage_mass = 1;
    let mut locked = Payment::of(3);
    locked.lock_time = 1_000;
    let mut thirsty = Payment::of(4).build();
    thirsty.subnetwork_id[..4].copy_from_slice(&[1, 2, 3, 4]);
    thirsty.gas = 1_000_000_001;
    let young = Payment::of(5).against(&node, &node.sink()).build();
    let plain = Payment::of(6).plain().build();
    let candidates = [
        mints.clone(),
        massive.clone(),
        locked.build(),
        thirsty.clone(),
        young.clone(),
        plain.clone(),
    ];
    let expected = [
        (mints.id(), "tx/negative-fee"),
        (massive.id(), "tx/storage-mass-not-zero"),
        (locked.build().id(), "tx/lock-time"),
        (thirsty.id(), "tx/gas-not-zero"),
        (young.id(), "tx/anchor-not-final"),
        (plain.id(), "tx/anchor-block-missing"),
    ];
    assert_eq!(refused(&mut node, &candidates), expected);
}

#[test]
fn what_does_not_fit_waits() {
    let mut node = node();
    let candidates: Vec<Transaction> = (0..60).map(|note| Payment::of(note).build()).collect();
    let built = node.template(1, &candidates);
    assert!(built.rejected.is_empty(), "they may be mined later");
    let count = built.block.transactions.len() - 1;
    assert!((40..60).contains(&count), "{count}");
    let block = node.add(&built.block);
    assert_eq!(node.sink(), block);
    let merging = node.mine(1, &candidates[count..]);
    assert_eq!(listed(&node.chain_facts(&merging), "applied").len(), count);
}

#[test]
fn gas_of_a_lane_is_bounded_over_all_candidates() {
    let mut node = node();
    let lane = |note| {
        let mut payment = Payment::of(note).build();
        payment.subnetwork_id = subnetwork::NATIVE;
        payment.subnetwork_id[..4].copy_from_slice(&[1, 2, 3, 4]);
        payment.gas = 600_000_000;
        payment
    };
    let candidates = [lane(1), lane(2)];
    let built = node.template(1, &candidates);
    assert_eq!(built.block.transactions[1..], candidates[..1]);
    assert_eq!(refused(&mut node, &candidates), []);
}

#[test]
fn miner_data_is_checked() {
    let mut node = node();
    let now = node.next_time();
    let data = |script: Vec<u8>, extra: Vec<u8>| MinerData {
        script_version: 0,
        script,
        extra,
    };
    let mut code = |data: MinerData| match node.engine.build_template(data, Vec::new(), now) {
        Ok(_) => "built",
        Err(error) => error.code.as_str(),
    };
    // 204 bytes of payload less 51 of fields and 43 of script.
    assert_eq!(code(data(script_of(1), vec![0; 110])), "built");
    assert_eq!(
        code(data(script_of(1), vec![0; 111])),
        "coinbase/extra-too-long"
    );
    assert_eq!(
        code(data(vec![1; 42], Vec::new())),
        "coinbase/bad-recipient"
    );
    let other_version = MinerData {
        script_version: 1,
        ..data(script_of(1), Vec::new())
    };
    assert_eq!(code(other_version), "coinbase/bad-recipient");
    let digest = [b'a'; 64];
    let tag = simnet().merge_mining_tags.form1;
    let commitment = [tag.as_bytes().as_slice(), &digest].concat();
    assert_eq!(
        code(data(script_of(1), commitment)),
        "coinbase/carries-commitment"
    );
}

#[test]
fn time_is_the_hosts_but_above_the_median() {
    let mut node = node();
    let now = node.next_time() + 77;
    let data = || MinerData {
        script_version: 0,
        script: script_of(1),
        extra: Vec::new(),
    };
    let built = node.engine.build_template(data(), Vec::new(), now).unwrap();
    assert_eq!(built.block.header.timestamp_ms, now);
    let built = node.engine.build_template(data(), Vec::new(), 0).unwrap();
    assert!(built.block.header.timestamp_ms > simnet().genesis.timestamp_ms);
    node.add(&built.block);
}
