//! What a sender reads back from scan records, and what nobody else does.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use svc_codec::hash32::Hash32;
use svc_scan::facts::{FoundOutput, ScanFacts};
use svc_scan::scanner::Scanner;
use svc_shielded::keys::address::encode;
use svc_shielded::keys::address_at;

use crate::common::{fvk, paid, paid_by, profile, record};

/// Where the sender's copy of an action begins, behind nullifier, commitment, ephemeral key and note ciphertext.
const COPY_AT: usize = 3 * 32 + 580;

fn scan(keys: &[u8], actions: &[Vec<u8>]) -> ScanFacts {
    let keys: Vec<[u8; 96]> = keys.iter().map(|seed| fvk(*seed)).collect();
    let scanner = Scanner::for_keys(profile(), &keys).unwrap();
    let body = record(5, 100, &[], &[actions.to_vec()]);
    scanner.scan_records(&body, 1).unwrap()
}

fn sent(keys: &[u8], actions: &[Vec<u8>]) -> Vec<FoundOutput> {
    scan(keys, actions).blocks.remove(0).sent
}

fn at(seed: u8, index: u32) -> [u8; 43] {
    address_at(&fvk(seed), index).unwrap()
}

#[test]
fn the_sender_reads_payee_value_and_memo() {
    let actions = [
        paid(at(9, 0), 10, b"by somebody", 1),
        paid_by(&fvk(7), at(9, 3), 30, b"thank you", 2),
        paid_by(&fvk(7), at(7, 0), 40, b"change", 3),
    ];
    let found = sent(&[7], &actions);
    let expected = FoundOutput {
        key: 0,
        txid: Hash32([0; 32]),
        output_index: 1,
        recipient: at(9, 3),
        address: encode(&profile().hrp, &at(9, 3)),
        value: 30,
        memo: b"thank you".to_vec(),
    };
    assert_eq!(found, [expected]);
}

#[test]
fn nobody_else_reads_it_and_nothing_is_written_for_nothing() {
    let actions = [paid_by(&fvk(7), at(9, 3), 30, b"thank you", 2)];
    let facts = scan(&[8, 9], &actions);
    assert_eq!(facts.blocks[0].sent, []);
    assert!(!serde_json::to_string(&facts).unwrap().contains("\"sent\""));
}

#[test]
fn of_several_keys_the_sender_is_told_apart_from_the_payee() {
    let actions = [paid_by(&fvk(7), at(9, 3), 30, b"", 2)];
    let facts = scan(&[9, 7], &actions);
    let keys = |found: &[FoundOutput]| found.iter().map(|output| output.key).collect::<Vec<_>>();
    assert_eq!(keys(&facts.blocks[0].sent), [1]);
    assert_eq!(facts.blocks[0].notes[0].key, 0);
}

#[test]
fn an_altered_action_is_read_back_by_nobody() {
    let whole = paid_by(&fvk(7), at(9, 3), 30, b"", 2);
    assert_eq!(sent(&[7], core::slice::from_ref(&whole)).len(), 1);
    // Commitment, ephemeral key, the copy, its authenticator, the value commitment.
    for place in [33, 70, COPY_AT, COPY_AT + 79, COPY_AT + 80] {
        let mut altered = whole.clone();
        altered[place] ^= 1;
        assert_eq!(sent(&[7], &[altered]), [], "byte {place}");
    }
}

#[test]
fn a_copy_for_another_note_is_not_believed() {
    // Whoever holds the key seals a copy of the first note for the second: the note does not follow from it.
    let first = paid_by(&fvk(7), at(9, 3), 30, b"", 2);
    let mut second = paid_by(&fvk(7), at(9, 4), 31, b"", 3);
    second[3 * 32..COPY_AT].copy_from_slice(&first[3 * 32..COPY_AT]);
    assert_eq!(sent(&[7], &[second]), []);
}
