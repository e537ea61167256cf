//! What incoming viewing keys find in scan records: the received notes of the full keys, and nothing else.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::prelude::*;
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_SCAN_KEYS;
use svc_scan::facts::{BlockFacts, FoundNote, NoteKind, ScanFacts};
use svc_scan::incoming_facts::{IncomingBlock, IncomingFacts, IncomingNote};
use svc_scan::incoming_scanner::IncomingScanner;
use svc_scan::scanner::Scanner;
use svc_shielded::keys::incoming::{IVK_LEN, addresses};
use svc_shielded::keys::{address_at, incoming_viewing_key};

use crate::common::{BLOCK, fvk, minted, paid, profile, record};

/// First index of the addresses of invoices.
const INVOICES: u32 = 1 << 31;

fn ivk(seed: u8) -> [u8; IVK_LEN] {
    incoming_viewing_key(&fvk(seed)).unwrap()
}

fn at(seed: u8, index: u32) -> [u8; 43] {
    address_at(&fvk(seed), index).unwrap()
}

/// The facts of full keys without what incoming keys cannot know.
fn without_nullifiers(facts: ScanFacts) -> IncomingFacts {
    let note = |note: FoundNote| IncomingNote {
        key: note.key,
        txid: note.txid,
        output_index: note.output_index,
        cmx: note.cmx,
        position: note.position,
        rho: note.rho,
        rseed: note.rseed,
        value: note.value,
        recipient: note.recipient,
        address_index: note.address_index,
        memo: note.memo,
    };
    let block = |block: BlockFacts| IncomingBlock {
        hash: block.hash,
        blue_score: block.blue_score,
        daa_score: block.daa_score,
        timestamp: block.timestamp,
        first_leaf: block.first_leaf,
        leaves: block.leaves,
        notes: block
            .notes
            .into_iter()
            .filter(|found| found.kind == NoteKind::Received)
            .map(note)
            .collect(),
    };
    IncomingFacts {
        blocks: facts.blocks.into_iter().map(block).collect(),
    }
}

/// A page of two blocks with notes of the seeds 7 and 9, and of a stranger.
fn page() -> Vec<u8> {
    let outputs = [minted(at(7, 3), 0, 10), minted(at(9, 0), 1, 20)];
    let txs = |tag: u8| {
        vec![
            vec![
                paid(at(11, 0), 30, b"", tag),
                paid(at(9, INVOICES), 40, b"order 17", tag + 1),
            ],
            vec![],
            vec![
                paid(at(7, u32::MAX), 50, b"", tag + 2),
                paid(at(9, INVOICES + 1), 60, b"", tag + 3),
            ],
        ]
    };
    let first = record(5, 100, &outputs, &txs(1));
    [first, record(6, 106, &[], &txs(21))].concat()
}

#[test]
fn notes_are_those_of_the_full_keys_without_nullifiers() {
    let full = Scanner::for_keys(profile(), &[fvk(9), fvk(7)]).unwrap();
    let incoming = IncomingScanner::for_keys(&[ivk(9), ivk(7)]).unwrap();
    let found = incoming.scan_records(&page(), 2).unwrap();
    assert_eq!(
        found,
        without_nullifiers(full.scan_records(&page(), 2).unwrap())
    );
    let notes = &found.blocks[0].notes;
    let seen: Vec<_> = notes
        .iter()
        .map(|note| (note.key, note.output_index, note.value, note.address_index))
        .collect();
    assert_eq!(
        seen,
        [
            (0, 1, 40, Some(INVOICES)),
            (1, 0, 50, Some(u32::MAX)),
            (0, 1, 60, Some(INVOICES + 1)),
        ]
    );
    assert_eq!(notes[0].memo, b"order 17");
    assert_eq!(notes[1].txid, Hash32([2; 32]));
    let block = &found.blocks[1];
    assert_eq!((block.hash, block.blue_score), (BLOCK, 6));
    assert_eq!((block.first_leaf, block.leaves), (106, 4));
}

#[test]
fn each_of_several_keys_that_read_a_note_is_told_of_it() {
    let mut wrong = ivk(9);
    wrong[..32].fill(1);
    let keys = [ivk(7), wrong, ivk(9), ivk(9)];
    let scanner = IncomingScanner::for_keys(&keys).unwrap();
    let found = scanner.scan_records(&page(), 2).unwrap();
    let alone = |seed| {
        let scanner = IncomingScanner::for_keys(&[ivk(seed)]).unwrap();
        scanner.scan_records(&page(), 2).unwrap()
    };
    for (key, seed) in [(0, 7), (2, 9), (3, 9)] {
        for (block, expected) in found.blocks.iter().zip(&alone(seed).blocks) {
            let own: Vec<_> = block
                .notes
                .iter()
                .filter(|note| note.key == key)
                .cloned()
                .map(|note| IncomingNote { key: 0, ..note })
                .collect();
            assert_eq!(own, expected.notes, "key {key}");
            assert!(!own.is_empty());
        }
    }
    let of_wrong: Vec<_> = found.blocks[0]
        .notes
        .iter()
        .filter(|note| note.key == 1)
        .map(|note| (note.value, note.address_index))
        .collect();
    assert_eq!(of_wrong, [(40, None), (60, None)]);
}

#[test]
fn keys_are_checked_and_counted() {
    let bad = [0xff; IVK_LEN];
    let refused = |keys: &[[u8; IVK_LEN]]| IncomingScanner::for_keys(keys).err().unwrap().code;
    assert_eq!(refused(&[ivk(7), bad]), Code::KeysBadViewingKey);
    assert_eq!(refused(&[[0; IVK_LEN]]), Code::KeysBadViewingKey);
    let many = vec![ivk(7); MAX_SCAN_KEYS + 1];
    assert_eq!(refused(&many), Code::CodecCountTooLarge);
    assert!(IncomingScanner::for_keys(&many[1..]).is_ok());
    let none = IncomingScanner::for_keys(&[]).unwrap();
    let facts = none.scan_records(&page(), 2).unwrap();
    assert_eq!(facts.blocks.len(), 2);
    assert!(facts.blocks.iter().all(|block| block.notes.is_empty()));
}

/// Scalars that no wallet has, among them those at which a ladder for random ones fails.
#[test]
fn keys_with_small_and_large_scalars_find_their_notes() {
    const LARGEST: [u8; 32] = [
        0, 0, 0, 0, 0xed, 0x30, 0x2d, 0x99, 0x1b, 0xf9, 0x4c, 0x09, 0xfc, 0x98, 0x46, 0x22, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40,
    ];
    let mut keys: Vec<[u8; IVK_LEN]> = [1, 2, 3, 4, 7, 8, 255]
        .map(|small| {
            let mut key = [5; IVK_LEN];
            key[32..].fill(0);
            key[32] = small;
            key
        })
        .to_vec();
    let mut largest = [5; IVK_LEN];
    largest[32..].copy_from_slice(&LARGEST);
    keys.push(largest);
    let scanner = IncomingScanner::for_keys(&keys).unwrap();
    let actions: Vec<_> = (1..)
        .zip(&keys)
        .map(|(tag, key)| paid(addresses(key, INVOICES, 1).unwrap()[0], 8, b"", tag))
        .collect();
    let facts = scanner
        .scan_records(&record(5, 0, &[], &[actions]), 1)
        .unwrap();
    let found: Vec<_> = facts.blocks[0]
        .notes
        .iter()
        .map(|note| (note.key, note.output_index, note.address_index))
        .collect();
    let expected: Vec<_> = (0..8).map(|key| (key, key, Some(INVOICES))).collect();
    assert_eq!(found, expected);
}

#[test]
fn facts_are_json_with_decimal_strings() {
    let scanner = IncomingScanner::for_keys(&[ivk(7)]).unwrap();
    let action = paid(at(7, INVOICES), u64::MAX / 2, b"m", 1);
    let facts = scanner
        .scan_records(&record(5, 3, &[], &[vec![action]]), 1)
        .unwrap();
    let json = serde_json::to_value(&facts).unwrap();
    let block = &json["blocks"][0];
    assert_eq!(block["hash"], BLOCK.to_string());
    assert_eq!(
        (&block["blueScore"], &block["daaScore"], &block["timestamp"]),
        (&"5".into(), &"7".into(), &"1700000000000".into())
    );
    assert_eq!(
        (&block["firstLeaf"], &block["leaves"]),
        (&"3".into(), &"1".into())
    );
    let note = &block["notes"][0];
    assert_eq!((&note["key"], &note["outputIndex"]), (&0.into(), &0.into()));
    assert_eq!(note["value"], "9223372036854775807");
    assert_eq!(note["addressIndex"], INVOICES);
    assert_eq!(note["memo"], "6d");
    assert_eq!(note["position"], "3");
    assert_eq!(note["rseed"].as_str().map(str::len), Some(64));
    let names: Vec<_> = note.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        [
            "addressIndex",
            "cmx",
            "key",
            "memo",
            "outputIndex",
            "position",
            "recipient",
            "rho",
            "rseed",
            "txid",
            "value"
        ]
    );
}

/// Code of the error of either scanner; none for facts.
fn code<T>(answer: Result<T, svc_codec::error::SvcError>) -> Option<Code> {
    answer.err().map(|error| error.code)
}

#[test]
fn pages_are_refused_as_by_full_keys() {
    let full = Scanner::for_keys(profile(), &[]).unwrap();
    let incoming = IncomingScanner::for_keys(&[ivk(7)]).unwrap();
    let first = record(5, 0, &[], &[vec![paid(at(9, 0), 8, b"", 4)]]);
    let mut no_field = paid(at(9, 0), 8, b"", 4);
    no_field[32..64].fill(0xff);
    let pages = [
        (first.clone(), 1, None),
        (first.clone(), 2, Some(Code::CodecUnexpectedEnd)),
        (first.clone(), 50, Some(Code::CodecCountTooLarge)),
        (first[..300].to_vec(), 1, Some(Code::CodecUnexpectedEnd)),
        (
            [&first[..], &[0]].concat(),
            1,
            Some(Code::CodecTrailingBytes),
        ),
        (
            [first.clone(), record(6, 2, &[], &[])].concat(),
            2,
            Some(Code::WalletBadPage),
        ),
        (
            [first.clone(), record(5, 1, &[], &[])].concat(),
            2,
            Some(Code::WalletBadPage),
        ),
        (
            record(5, 0, &[], &[vec![no_field]]),
            1,
            Some(Code::ShieldedBadField),
        ),
    ];
    for (body, count, expected) in pages {
        assert_eq!(code(incoming.scan_records(&body, count)), expected);
        assert_eq!(code(full.scan_records(&body, count)), expected);
    }
}

/// What an action pays.
#[derive(Clone, Debug)]
struct Output {
    /// Whose key, and the index of the address.
    seed: u8,
    index: u32,
    value: u64,
    /// A byte of the ephemeral key or the ciphertext that is wrong.
    spoilt: Option<usize>,
}

/// Transactions, each a list of what its actions pay.
fn payments() -> impl Strategy<Value = Vec<Vec<Output>>> {
    let seed = prop_oneof![Just(7), Just(9), Just(11)];
    let index = prop_oneof![any::<u32>(), 0..300_u32, Just(u32::MAX)];
    let spoilt = proptest::option::weighted(0.2, 64..676_usize);
    let output = (seed, index, any::<u64>(), spoilt);
    let output = output.prop_map(|(seed, index, value, spoilt)| Output {
        seed,
        index,
        value,
        spoilt,
    });
    proptest::collection::vec(proptest::collection::vec(output, 0..3), 0..4)
}

/// The body of a page in which each block pays these.
fn page_of(blocks: &[Vec<Vec<Output>>], first_leaf: u64) -> Vec<u8> {
    let mut body = Vec::new();
    let mut leaf = first_leaf;
    let mut tag = 0;
    let mut action = |output: &Output| {
        tag += 1;
        let recipient = at(output.seed, output.index);
        let mut action = paid(recipient, output.value, b"memo", tag);
        if let Some(byte) = output.spoilt {
            action[byte] ^= 1;
        }
        action
    };
    for (blue_score, txs) in (5..).zip(blocks) {
        let txs = txs.iter().map(|tx| tx.iter().map(&mut action).collect());
        let txs: Vec<Vec<Vec<u8>>> = txs.collect();
        let outputs = [minted(at(7, 1), 0, 5)];
        body.extend(record(blue_score, leaf, &outputs, &txs));
        leaf += 1 + txs.iter().map(Vec::len).sum::<usize>() as u64;
    }
    body
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_page_has_the_notes_of_the_full_keys(
        blocks in proptest::collection::vec(payments(), 0..3),
        first_leaf in any::<u32>(),
    ) {
        let body = page_of(&blocks, u64::from(first_leaf));
        let full = Scanner::for_keys(profile(), &[fvk(9), fvk(7)]).unwrap();
        let incoming = IncomingScanner::for_keys(&[ivk(9), ivk(7)]).unwrap();
        let expected = full.scan_records(&body, blocks.len()).unwrap();
        prop_assert_eq!(
            incoming.scan_records(&body, blocks.len()).unwrap(),
            without_nullifiers(expected)
        );
    }

    #[test]
    fn any_bytes_are_facts_or_the_error_of_the_full_keys(
        body in proptest::collection::vec(any::<u8>(), 0..3_000),
        count in 0_usize..5,
    ) {
        let full = Scanner::for_keys(profile(), &[]).unwrap();
        let incoming = IncomingScanner::for_keys(&[ivk(7)]).unwrap();
        prop_assert_eq!(
            code(incoming.scan_records(&body, count)),
            code(full.scan_records(&body, count))
        );
    }
}
