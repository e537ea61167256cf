//! What a wallet finds in scan records, and what it refuses.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::LazyLock;

use proptest::prelude::*;
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_codec::limits::MAX_SCAN_KEYS;
use svc_scan::facts::{FoundNote, NoteKind, ScanFacts};
use svc_scan::scanner::Scanner;
use svc_shielded::keys::{address_at, viewing_key};
use svc_shielded::note::{NoteParts, commitment};

use crate::common::{COINBASE, canonical, fvk, minted, paid, profile, record};

static SCANNER: LazyLock<Scanner> = LazyLock::new(|| Scanner::new(profile(), &fvk(7)).unwrap());

fn scan(body: &[u8], count: usize) -> ScanFacts {
    SCANNER.scan_records(body, count).unwrap()
}

fn refusal(body: &[u8], count: usize) -> Code {
    SCANNER.scan_records(body, count).unwrap_err().code
}

#[test]
fn own_notes_are_found_with_position_memo_and_nullifier() {
    let own = fvk(7);
    let stranger = address_at(&fvk(9), 0).unwrap();
    let outputs = [
        minted(stranger, 0, 10),
        minted(address_at(&own, 255).unwrap(), 1, 20),
    ];
    let second = address_at(&own, 3_000_000_000).unwrap();
    let txs = vec![
        vec![
            paid(stranger, 30, b"", 1),
            paid(second, 40, b"thank you", 2),
        ],
        vec![paid(address_at(&own, 0).unwrap(), 50, b"", 3)],
    ];
    let facts = scan(&record(5, 100, &outputs, &txs), 1);
    let block = &facts.blocks[0];
    assert_eq!(
        (block.first_leaf, block.leaves, facts.cmx.len()),
        (100, 5, 5 * 32)
    );
    let found: Vec<_> = block
        .notes
        .iter()
        .map(|note| (note.kind, note.position, note.value, note.address_index))
        .collect();
    assert_eq!(
        found,
        [
            (NoteKind::Coinbase, 101, 20, Some(255)),
            (NoteKind::Received, 103, 40, Some(3_000_000_000)),
            (NoteKind::Received, 104, 50, Some(0)),
        ]
    );
    assert_eq!(block.notes[1].memo, b"thank you");
    assert_eq!(
        (block.notes[0].txid, block.notes[0].output_index),
        (COINBASE, 1)
    );
    assert_eq!(
        (block.notes[1].txid, block.notes[1].output_index),
        (Hash32([0; 32]), 1)
    );
    check_notes(&facts, &own);
    assert_eq!(block.txs.len(), 2);
    assert_eq!(block.txs[0].nullifiers, [canonical(1), canonical(2)]);
}

/// Each fact of a note must rebuild the note whose commitment is the leaf at its position.
fn check_notes(facts: &ScanFacts, own: &[u8; 96]) {
    let key = viewing_key(own).unwrap();
    for note in &facts.blocks[0].notes {
        let parts = NoteParts {
            recipient: note.recipient,
            value: note.value,
            rho: note.rho,
            rseed: note.rseed,
        };
        let rebuilt = parts.to_note().unwrap();
        let leaf = (note.position - 100) as usize * 32;
        assert_eq!(commitment(&rebuilt).0, facts.cmx[leaf..leaf + 32]);
        assert_eq!(rebuilt.nullifier(&key).to_bytes(), note.nullifier.0);
    }
}

#[test]
fn several_keys_find_each_their_own_notes_in_one_scan() {
    let seeds = [9, 7, 11];
    let keys = seeds.map(fvk);
    let at = |key: usize, index: u32| address_at(&keys[key], index).unwrap();
    let outputs = [
        minted(at(1, 3), 0, 10),
        minted(at(0, 255), 1, 20),
        minted(address_at(&fvk(13), 0).unwrap(), 2, 25),
        minted(at(1, 0), 3, 30),
    ];
    let txs = |tag: u8| {
        vec![
            vec![
                paid(at(2, 9), 40, b"two", tag),
                paid(at(0, 1), 50, b"", tag + 1),
            ],
            vec![paid(address_at(&fvk(13), 0).unwrap(), 60, b"", tag + 2)],
            vec![paid(at(1, 3_000_000_000), 70, b"one", tag + 3)],
        ]
    };
    let body = [
        record(5, 100, &outputs, &txs(1)),
        record(6, 108, &outputs, &txs(21)),
    ]
    .concat();
    let together = Scanner::for_keys(profile(), &keys)
        .unwrap()
        .scan_records(&body, 2)
        .unwrap();
    let alone = keys.map(|key| {
        let scanner = Scanner::new(profile(), &key).unwrap();
        scanner.scan_records(&body, 2).unwrap()
    });
    for (place, block) in together.blocks.iter().enumerate() {
        assert_eq!(block.notes.len(), 6);
        assert!(
            block
                .notes
                .windows(2)
                .all(|pair| pair[0].position < pair[1].position)
        );
        for (key, alone) in alone.iter().enumerate() {
            let own: Vec<_> = block
                .notes
                .iter()
                .filter(|note| note.key == key as u32)
                .cloned()
                .map(|note| FoundNote { key: 0, ..note })
                .collect();
            assert_eq!(own, alone.blocks[place].notes, "key {key}");
            assert!(!own.is_empty());
        }
        assert_eq!(block.txs, alone[0].blocks[place].txs);
    }
    assert_eq!(together.cmx, alone[0].cmx);
    // The same key twice: the first has it all.
    let twice = Scanner::for_keys(profile(), &[keys[1], keys[1]]).unwrap();
    assert_eq!(twice.scan_records(&body, 2).unwrap(), alone[1]);
    let none = Scanner::for_keys(profile(), &[]).unwrap();
    assert!(
        none.scan_records(&body, 2).unwrap().blocks[0]
            .notes
            .is_empty()
    );
    let many = vec![keys[0]; MAX_SCAN_KEYS + 1];
    let refused = Scanner::for_keys(profile(), &many).err().unwrap();
    assert_eq!(refused.code, Code::CodecCountTooLarge);
}

#[test]
fn facts_are_json_with_decimal_strings() {
    let body = record(
        5,
        0,
        &[minted(address_at(&fvk(7), 0).unwrap(), 0, u64::MAX / 2)],
        &[],
    );
    let json = serde_json::to_value(scan(&body, 1)).unwrap();
    let note = &json["blocks"][0]["notes"][0];
    assert_eq!(note["kind"], "coinbase");
    assert_eq!(note["key"], 0);
    assert_eq!(note["value"], "9223372036854775807");
    assert_eq!(note["addressIndex"], 0);
    assert_eq!(note["memo"], "");
    assert_eq!(json["blocks"][0]["index"], serde_json::Value::Null);
    assert_eq!(json["blocks"][0]["blueScore"], "5");
    assert_eq!(json["cmx"], note["cmx"]);
}

#[test]
fn minted_notes_beyond_the_first_256_addresses_are_not_credited() {
    let body = record(
        5,
        0,
        &[minted(address_at(&fvk(7), 256).unwrap(), 0, 1)],
        &[],
    );
    assert!(scan(&body, 1).blocks[0].notes.is_empty());
}

#[test]
fn a_spoilt_memo_does_not_hide_the_note() {
    let mut action = paid(address_at(&fvk(7), 0).unwrap(), 8, b"text", 4);
    action[96 + 500] ^= 1;
    let notes = &scan(&record(5, 0, &[], &[vec![action]]), 1).blocks[0].notes;
    assert_eq!((notes[0].value, notes[0].memo.len()), (8, 0));
}

#[test]
fn a_spoilt_note_is_not_credited() {
    for position in [0, 33, 64, 96, 130] {
        let mut action = paid(address_at(&fvk(7), 0).unwrap(), 8, b"text", 4);
        action[position] ^= 1;
        assert!(
            scan(&record(5, 0, &[], &[vec![action]]), 1).blocks[0]
                .notes
                .is_empty(),
            "byte {position}"
        );
    }
}

/// What a node serves falsely must not make the owner refuse what a stranger takes: the refusal would name the owner.
#[test]
fn a_false_minted_output_is_counted_for_its_owner_and_refused_by_nobody() {
    let own = address_at(&fvk(7), 0).unwrap();
    for (byte, name) in [(51, "commitment"), (43, "value")] {
        let mut output = minted(own, 0, 1);
        output[byte] ^= 1;
        let body = record(5, 0, &[output, minted(own, 1, 2)], &[]);
        let facts = scan(&body, 1);
        let block = &facts.blocks[0];
        assert_eq!((block.refused, block.leaves), (1, 2), "{name}");
        let found: Vec<_> = block.notes.iter().map(|note| note.position).collect();
        assert_eq!(found, [1], "{name}");
        let stranger = Scanner::new(profile(), &fvk(9)).unwrap();
        let theirs = stranger.scan_records(&body, 1).unwrap();
        assert_eq!(theirs.cmx, facts.cmx);
        assert_eq!((theirs.blocks[0].refused, theirs.blocks[0].leaves), (0, 2));
    }
}

#[test]
fn pages_must_be_whole_and_in_order() {
    let output = || minted(address_at(&fvk(9), 0).unwrap(), 0, 1);
    let first = record(5, 0, &[output()], &[]);
    let page = |second: Vec<u8>| [first.clone(), second].concat();
    assert_eq!(scan(&page(record(6, 1, &[], &[])), 2).blocks.len(), 2);
    assert_eq!(
        refusal(&page(record(6, 2, &[], &[])), 2),
        Code::WalletBadPage
    );
    assert_eq!(
        refusal(&page(record(5, 1, &[], &[])), 2),
        Code::WalletBadPage
    );
    assert_eq!(
        refusal(&page(record(6, 1, &[], &[])), 1),
        Code::CodecTrailingBytes
    );
    assert_eq!(refusal(&first, 2), Code::CodecCountTooLarge);
    for cut in 100..first.len() {
        assert_eq!(
            refusal(&first[..cut], 1),
            Code::CodecUnexpectedEnd,
            "cut at {cut}"
        );
    }
    let mut action = paid(address_at(&fvk(9), 0).unwrap(), 8, b"", 4);
    action[32..64].fill(0xff);
    assert_eq!(
        refusal(&record(5, 0, &[], &[vec![action]]), 1),
        Code::ShieldedBadField
    );
    assert_eq!(
        Scanner::new(profile(), &[0xff; 96]).err().unwrap().code,
        Code::KeysBadViewingKey
    );
}

#[test]
fn an_empty_page_is_fine() {
    let facts = scan(&[], 0);
    assert!(facts.blocks.is_empty() && facts.cmx.is_empty());
    assert_eq!(hex::encode(&facts.cmx), "");
}

#[test]
fn without_keys_a_scan_gives_what_is_public() {
    let outputs = [minted(address_at(&fvk(9), 3).unwrap(), 0, 10)];
    let paid = paid(address_at(&fvk(9), 1).unwrap(), 40, b"", 1);
    let body = record(5, 100, &outputs, &[vec![paid]]);
    let with = Scanner::for_keys(profile(), &[fvk(9)]).unwrap();
    let without = Scanner::for_keys(profile(), &[]).unwrap();
    let known = with.scan_records(&body, 1).unwrap();
    let mut public = known.clone();
    public.blocks[0].notes.clear();
    assert_eq!(known.blocks[0].notes.len(), 2);
    assert_eq!(without.scan_records(&body, 1).unwrap(), public);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_facts_or_an_error(body in proptest::collection::vec(any::<u8>(), 0..3_000), count in 0_usize..5) {
        let _ = SCANNER.scan_records(&body, count);
    }
}
