//! Payments under headers: what holds, and one named error for each thing that does not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_chain::header::raw::ReadHeader;
use svc_chain::seq_commit::{activity_leaf, lane_branch, lane_digest, lane_digest_over};
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_evidence::payload::{PayloadOpening, prove_payload};
use svc_evidence::run::Run;
use svc_shielded::bundle::{Action, Bundle};

use crate::common::TestChain;

/// A named change.
type Change = (&'static str, fn(&mut PayloadOpening), Code);

fn bundle(anchor_block: Option<Hash32>) -> Bundle {
    let action = |seed: u8| Action {
        nullifier: Hash32([seed; 32]),
        rk: [2; 32],
        cmx: Hash32([seed + 1; 32]),
        cv_net: [4; 32],
        epk: [5; 32],
        enc_ciphertext: [6; 580],
        out_ciphertext: [7; 80],
        signature: [8; 64],
    };
    Bundle {
        flags: if anchor_block.is_some() { 0b1011 } else { 0b11 },
        value_balance: 9,
        anchor: Hash32([10; 32]),
        binding_signature: [11; 64],
        actions: vec![action(30), action(40)],
        proof: vec![12; 7],
        anchor_block,
    }
}

/// A payment in the place of a lane of so many, under a header that commits to it.
fn opened(place: u32, count: u32, bundle: &Bundle) -> PayloadOpening {
    let transaction = Transaction {
        version: 2,
        inputs: Vec::new(),
        outputs: Vec::new(),
        lock_time: 0,
        subnetwork_id: [0; 20],
        gas: 0,
        payload: bundle.encode(),
        storage_mass: 0,
    };
    let leaves: Vec<Hash32> = (0..count)
        .map(|at| match at == place {
            true => activity_leaf(&transaction.id(), 2, at + 1),
            false => Hash32([at as u8 + 100; 32]),
        })
        .collect();
    let path = lane_branch(&leaves, place as usize);
    assert_eq!(
        lane_digest_over(leaves[place as usize], place, &path),
        lane_digest(&leaves)
    );
    let chain = chain();
    let (header, _) = chain.header(BESIDE);
    let mut told = PayloadOpening {
        header: (header, None),
        parent: Hash32([13; 32]),
        shortcut: Hash32([14; 32]),
        context: Hash32([15; 32]),
        payload_root: Hash32([16; 32]),
        lanes: vec![
            (Hash32([17; 32]), Hash32([18; 32])),
            (Hash32([19; 32]), Hash32([20; 32])),
        ],
        lane_tip: Hash32([21; 32]),
        index: place + 1,
        place,
        path,
        transaction,
    };
    told.header.0.accepted_id_merkle_root = told.commitment();
    chain.mine(&mut told.header.0, 0);
    told
}

/// The block beside which the header of a payment is mined.
const BESIDE: usize = 2;
const LENGTH: usize = 12;

fn chain() -> TestChain {
    TestChain::make(7, LENGTH, 1, 0, 0)
}

fn refused(told: &PayloadOpening, block: &Hash32) -> Code {
    let proved: Result<_, SvcError> = prove_payload(block, told);
    proved.expect_err("must be refused").code
}

#[test]
fn a_payment_of_every_place_of_a_lane_holds_in_both_forms() {
    for form in [None, Some(Hash32([22; 32]))] {
        let bundle = bundle(form);
        for (place, count) in (1..=9).flat_map(|count| (0..count).map(move |place| (place, count)))
        {
            let told = opened(place, count, &bundle);
            let read = PayloadOpening::decode(&told.encode()).unwrap();
            assert_eq!(read, told);
            let proved = prove_payload(&told.header.0.hash(), &read).unwrap();
            assert_eq!(proved.txid(), told.transaction.id());
            let recorded = proved.as_recorded();
            let mut reader = Reader::new(&recorded);
            assert_eq!(reader.hash().unwrap(), told.transaction.id());
            assert_eq!(reader.u16().unwrap(), 2);
            assert_eq!(reader.remaining(), 2 * 788);
            assert_eq!(reader.hash().unwrap(), bundle.actions[0].nullifier);
            assert_eq!(reader.hash().unwrap(), bundle.actions[0].cmx);
        }
    }
}

#[test]
fn every_other_part_is_refused_by_name() {
    let changes: [Change; 15] = [
        (
            "header",
            |one| one.header.0.nonce ^= 1,
            Code::EvidenceOtherHeader,
        ),
        (
            "ciphertext",
            |one| one.transaction.payload[300] ^= 1,
            Code::EvidenceOtherPayload,
        ),
        (
            "lock time",
            |one| one.transaction.lock_time = 1,
            Code::EvidenceOtherPayload,
        ),
        (
            "parent",
            |one| one.parent.0[0] ^= 1,
            Code::EvidenceOtherPayload,
        ),
        (
            "shortcut",
            |one| one.shortcut.0[0] ^= 1,
            Code::EvidenceOtherPayload,
        ),
        (
            "context",
            |one| one.context.0[0] ^= 1,
            Code::EvidenceOtherPayload,
        ),
        (
            "payloads",
            |one| one.payload_root.0[0] ^= 1,
            Code::EvidenceOtherPayload,
        ),
        (
            "lane before",
            |one| one.lane_tip.0[0] ^= 1,
            Code::EvidenceOtherPayload,
        ),
        (
            "another lane",
            |one| one.lanes[1].1.0[0] ^= 1,
            Code::EvidenceOtherPayload,
        ),
        (
            "no other lane",
            |one| one.lanes.clear(),
            Code::EvidenceOtherPayload,
        ),
        ("index", |one| one.index += 1, Code::EvidenceOtherPayload),
        ("place", |one| one.place ^= 1, Code::EvidenceOtherPayload),
        (
            "order of lanes",
            |one| one.lanes.reverse(),
            Code::CodecNotCanonical,
        ),
        (
            "place beyond the path",
            |one| one.place |= 1 << 20,
            Code::CodecNotCanonical,
        ),
        (
            "mass",
            |one| one.transaction.storage_mass = 1,
            Code::CodecNotCanonical,
        ),
    ];
    let told = opened(2, 5, &bundle(None));
    let block = told.header.0.hash();
    for (name, change, code) in changes {
        let mut changed = told.clone();
        change(&mut changed);
        assert_eq!(refused(&changed, &block), code, "{name}");
    }
}

/// One header's work is the price of a payment that the chain never accepted: only where the header stands tells.
#[test]
fn a_header_beside_the_chain_commits_to_any_payment_and_no_evidence_holds_it() {
    let told = opened(0, 1, &bundle(None));
    let block = told.header.0.hash();
    assert_eq!(
        prove_payload(&block, &told).unwrap().txid(),
        told.transaction.id()
    );
    let chain = chain();
    chain
        .with_judge(None, |judge| judge.header(told.header.clone()))
        .unwrap();
    let under = |base: ReadHeader| {
        let opening = chain.opening(BESIDE - 1, false).encode(&base);
        let run = Run {
            base,
            ..chain.run(BESIDE, LENGTH, 0)
        };
        chain.with_judge(None, |judge| judge.tip(&opening, &run.encode()))
    };
    let held = under(chain.header(BESIDE)).unwrap();
    assert_eq!(held.run().base().hash(), chain.hash(BESIDE));
    assert_eq!(
        under(told.header).unwrap_err().code,
        Code::EvidenceNotLinked
    );
    chain.with_judge(None, |judge| {
        let top = judge.header(chain.header(LENGTH)).unwrap();
        let top = judge
            .opening(&top, chain.opening(LENGTH - 1, false))
            .unwrap();
        let entry = judge
            .membership(&top, chain.membership(BESIDE, LENGTH - 1))
            .unwrap();
        assert_eq!(entry.entry().block, chain.hash(BESIDE));
        let mut named = chain.membership(BESIDE, LENGTH - 1);
        named.entry.block = block;
        let refused = judge.membership(&top, named).unwrap_err();
        assert_eq!(refused.code, Code::EvidenceNotMember);
    });
}

#[test]
fn what_is_no_payment_is_refused_though_the_block_accepted_it() {
    let mut told = opened(0, 1, &bundle(None));
    told.transaction.version = 1;
    told.header.0.accepted_id_merkle_root = told.commitment();
    chain().mine(&mut told.header.0, 0);
    assert_eq!(
        refused(&told, &told.header.0.hash()),
        Code::EvidenceOtherPayload
    );
}
