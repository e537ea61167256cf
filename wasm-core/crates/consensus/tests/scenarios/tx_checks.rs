//! The engine's word on a single payment, for the mempool.

use std::rc::Rc;

use serde_json::json;
use svc_chain::transaction::Transaction;
use svc_codec::hash32::Hash32;
use svc_consensus::records::block_status::Verdict;
use svc_consensus::rules::acceptance::fee_in_utxo_context;
use svc_consensus::rules::held_transaction::HeldTransaction;
use svc_shielded::bundle::{BundleFormat, wire_len};

use crate::scenarios::kit::{Node, simnet};
use crate::scenarios::payments::{Payment, carrying, nullifier};

fn node() -> Node {
    let mut node = Node::new(simnet());
    for index in 0..20 {
        node.mine(index % 2, &[]);
    }
    node
}

fn code(node: &mut Node, transaction: &Transaction) -> &'static str {
    match node.engine.check_transaction(&transaction.clone().into()) {
        Ok(_) => "ok",
        Err(error) => error.code.as_str(),
    }
}

#[test]
fn facts_of_a_good_payment() {
    let mut node = node();
    let anchor = node.chain()[8];
    let payment = Payment::of(7).against(&node, &anchor).fee(2_000_000);
    let transaction = payment.build();
    let facts = node
        .engine
        .check_transaction(&transaction.clone().into())
        .unwrap()
        .to_json();
    let size = 94 + wire_len(1, BundleFormat::NamedAnchor);
    assert_eq!(
        facts,
        json!({
            "txid": transaction.id().to_string(),
            "format": 1,
            "verdict": "needed",
            "fee": "2000000",
            "size": size,
            "computeMass": (size + 1_000).to_string(),
            "transientMass": (4 * size).to_string(),
            "minimumFee": (200 * size).to_string(),
            "nullifiers": [nullifier(7).to_string()],
            "anchor": payment.anchor.to_string(),
            "anchorBlock": anchor.to_string(),
            "anchorBlueScore": "8",
            "lockTime": "0",
        })
    );
    node.note_proof(&transaction);
    let facts = node
        .engine
        .check_transaction(&transaction.clone().into())
        .unwrap()
        .to_json();
    assert_eq!(facts["verdict"], "known");
}

#[test]
fn a_held_payment_decodes_its_bundle_once_for_each_form_in_a_row() {
    let mut node = node();
    let payment = Payment::of(7).build();
    let held = HeldTransaction::from_bytes(&payment.to_bytes()).unwrap();
    assert_eq!((held.transaction(), *held.txid()), (&payment, payment.id()));
    node.note_proof(&payment);
    node.engine.check_transaction(&held).unwrap();
    let bundle = held.bundle(BundleFormat::NamedAnchor).unwrap();
    node.engine.check_transaction(&held).unwrap();
    let again = held.bundle(BundleFormat::NamedAnchor).unwrap();
    assert!(Rc::ptr_eq(&bundle, &again));
    // The other form is judged by itself, and leaves nothing behind when it does not fit.
    let other = held.bundle(BundleFormat::Plain).unwrap_err();
    assert_eq!(other.code.as_str(), "tx/anchor-block-unexpected");
    let still = held.bundle(BundleFormat::NamedAnchor).unwrap();
    assert!(Rc::ptr_eq(&bundle, &still));
}

#[test]
fn each_refusal_has_its_own_code() {
    let mut node = node();
    let good = Payment::of(7);
    let chain = node.chain();
    let with = |change: &dyn Fn(&mut Transaction)| {
        let mut transaction = good.build();
        change(&mut transaction);
        transaction
    };
    let mut empty = good.clone();
    empty.notes.clear();
    let mut unknown = good.clone().against(&node, &chain[8]);
    unknown.anchor_block = Some(Hash32([9; 32]));
    let mut mismatch = good.clone().against(&node, &chain[8]);
    mismatch.anchor_block = Some(chain[9]);
    let mut twice = good.clone();
    twice.notes = vec![7, 7];
    let mut locked = good.clone();
    locked.lock_time = 1_000;
    let mut trailing = good.bundle().encode();
    trailing.push(0);
    let cases = [
        (good.build(), "ok"),
        (with(&|tx| tx.version = 1), "tx/unsupported-version"),
        (with(&|tx| tx.storage_mass = 1), "tx/storage-mass-not-zero"),
        (with(&|tx| tx.gas = 1), "tx/gas-not-zero"),
        (carrying(trailing), "codec/trailing-bytes"),
        (carrying(Vec::new()), "codec/unexpected-end"),
        (empty.build(), "tx/no-actions"),
        (good.clone().plain().build(), "tx/anchor-block-missing"),
        (good.clone().fee(-5).build(), "tx/negative-fee"),
        (locked.build(), "tx/lock-time"),
        (twice.build(), "tx/nullifier-spent"),
        (unknown.build(), "tx/anchor-not-final"),
        (mismatch.build(), "tx/anchor-block-mismatch"),
        (
            good.clone().against(&node, &chain[20]).build(),
            "tx/anchor-not-final",
        ),
    ];
    for (transaction, expected) in cases {
        assert_eq!(code(&mut node, &transaction), expected);
    }
}

#[test]
fn a_spent_note_is_refused_from_the_block_that_carries_it_on() {
    let mut node = node();
    let spend = Payment::of(7).build();
    let again = Payment::of(7).salted(1).build();
    assert_eq!(code(&mut node, &again), "ok");
    node.mine(1, std::slice::from_ref(&spend));
    assert_eq!(
        code(&mut node, &again),
        "tx/nullifier-spent",
        "in virtual's mergeset"
    );
    node.mine_many(1, 2);
    assert_eq!(
        code(&mut node, &again),
        "tx/nullifier-spent",
        "on the chain"
    );
    assert_eq!(code(&mut node, &spend), "tx/nullifier-spent");
}

/// Judging half a reorganisation must not answer from half a nullifier set.
#[test]
fn no_answer_while_the_chain_is_being_judged() {
    let mut left = node();
    let mut right = left.copy();
    left.mine(1, &[Payment::of(7).build()]);
    left.mine_many(1, 2);
    let again = Payment::of(7).salted(1).build();
    assert_eq!(code(&mut left, &again), "tx/nullifier-spent");
    right.mine_many(2, 6);
    left.insert_chain(&right, 1);
    // Undoes two of the three blocks: the spend is off the chain and its branch still the sink.
    let resolved = left.engine.resolve(2).unwrap();
    assert!(!resolved.done);
    assert_eq!(code(&mut left, &again), "template/not-ready");
    let data = svc_consensus::rules::coinbase::MinerData {
        script_version: 0,
        script: crate::scenarios::kit::script_of(1),
        extra: Vec::new(),
    };
    let now = left.next_time();
    let error = left
        .engine
        .build_template(data, Vec::new(), now)
        .err()
        .unwrap();
    assert_eq!(error.code.as_str(), "template/not-ready");
    left.settle();
    assert_eq!(
        code(&mut left, &again),
        "tx/nullifier-spent",
        "merged by virtual"
    );
}

/// Only a proof that was found to hold counts, whatever else is right.
#[test]
fn a_payment_without_a_good_verdict_has_no_place_in_a_block() {
    let payment = Payment::of(1).fee(5).build();
    let judged = |verdict| {
        fee_in_utxo_context(&payment, verdict, BundleFormat::NamedAnchor)
            .map_err(|error| error.code.as_str())
    };
    assert_eq!(judged(Verdict::Valid), Ok(5));
    for verdict in [Verdict::Invalid, Verdict::Unknown] {
        assert_eq!(judged(verdict), Err("tx/invalid-proof"), "{verdict:?}");
    }
    // A value that no proof makes right is told first.
    let mints = Payment::of(1).fee(-1).build();
    let told = fee_in_utxo_context(&mints, Verdict::Invalid, BundleFormat::NamedAnchor);
    assert_ne!(told.unwrap_err().code.as_str(), "tx/invalid-proof");
}
