//! Fuzz targets for the input of a wallet: answers of a node, and its own store.

use std::sync::LazyLock;

use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_plain;
use svc_codec::scan_record::{Action, write_record};
use svc_consensus::store::tables;
use svc_scan::note_tree::NoteTree;
use svc_scan::record::{Record, RecordAction, leaves};
use svc_scan::scanner::Scanner;
use svc_shielded::keys::full_viewing_key;
use svc_shielded::secret::Secret32;

use crate::payment_chain::{SIMNET, records};
use crate::target::{NONE, Outcome, Target, lenient, refused};
use crate::targets::chain::whole;
use crate::targets::shielded::{frontiers, trees};

/// The targets of this area.
pub(crate) const TARGETS: &[Target] = &[
    Target::new("wallet/note-tree", stored_trees, note_tree)
        .repaired(repair_checksum)
        .room(1 << 16, 24),
    Target::new("wallet/bare-tree", frontiers, note_tree).room(1 << 16, 24),
    Target::new("wallet/record", || records(tables::SCAN_RECORDS), record),
    Target::new("wallet/page", pages, page)
        .room(1 << 19, 64)
        .slow(20),
];

const CHECKSUM_LEN: usize = 32;

fn stored_trees() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (base, added) in trees().into_iter().zip([0_u8, 1, 2, 5, 8, 9, 30]) {
        let Ok(mut tree) = NoteTree::new(base) else {
            continue;
        };
        let leaves: Vec<Hash32> = (0..added).map(|byte| Hash32([byte % 64; 32])).collect();
        if tree.append(&leaves).is_ok() {
            all.push(tree.to_bytes());
        }
    }
    all
}

fn repair_checksum(bytes: &mut Vec<u8>) {
    let content = bytes.len().saturating_sub(CHECKSUM_LEN);
    bytes.truncate(content);
    let checksum = blake2b_plain().update(bytes).finalize();
    bytes.extend_from_slice(checksum.as_bytes());
}

fn note_tree(bytes: &[u8]) -> Outcome {
    lenient(
        NoteTree::from_bytes(bytes),
        |tree| {
            use_tree(tree.clone());
            tree.to_bytes()
        },
        NoteTree::from_bytes,
    )
}

/// Everything a wallet does with its tree. Only forged bytes contradict themselves, and they may fail but not panic.
fn use_tree(mut tree: NoteTree) {
    let (base, size) = (tree.base_size(), tree.size());
    assert!(base <= size, "a tree smaller than its base");
    for at in [base, size, base.wrapping_sub(1), size + 1] {
        let root = tree.root(at);
        assert!(root.is_ok() == (base..=size).contains(&at), "root at {at}");
    }
    for position in [
        0,
        base.saturating_sub(1),
        base,
        size.saturating_sub(1),
        size,
    ] {
        let known = position < size && position >= base.saturating_sub(1);
        let path = tree.path(position, size);
        assert!(path.is_ok() == known, "path of {position}");
    }
    if tree.append(&[Hash32([1; 32]), Hash32([2; 32])]).is_ok() {
        assert!(tree.size() == size + 2, "size");
        assert!(tree.root(size + 2).is_ok(), "root");
        assert!(tree.truncate(base).is_ok(), "truncate");
    }
}

fn record(bytes: &[u8]) -> Outcome {
    match whole(bytes, |reader| Record::read(reader, RecordAction::of)) {
        Ok(record) => {
            let read = crate::targets::wallet::written_record(&record);
            assert!(read == bytes, "another encoding was taken");
            leaves(&record).count();
            Outcome::Taken
        }
        Err(error) => refused(&error),
    }
}

fn action_of(kept: &RecordAction) -> Action<'_> {
    Action {
        nullifier: kept.nullifier,
        cmx: kept.cmx,
        epk: &kept.epk,
        enc: &kept.enc,
        out: &kept.out,
        cv_net: &kept.cv_net,
    }
}

/// A record as the node writes it.
fn written_record(record: &Record) -> Vec<u8> {
    let payments = record.payments.iter();
    let payments = payments.map(|payment| (payment.txid, payment.actions.iter().map(action_of)));
    write_record(&record.head, &record.minted, payments)
}

/// Scanners of the three owners of the recorded chain.
static SCANNER: LazyLock<Option<Scanner>> = LazyLock::new(|| {
    let keys = [0x11, 0x22, 0x33].map(|byte| full_viewing_key(&Secret32::new([byte; 32])).ok());
    let keys: Vec<[u8; 96]> = keys.into_iter().flatten().collect();
    Scanner::for_keys(SIMNET.clone()?, &keys).ok()
});

/// A count in two bytes and the body of a page: one record alone, and all of them.
fn pages() -> Vec<Vec<u8>> {
    records(tables::SCAN_RECORDS)
        .into_iter()
        .map(|record| [&[1, 0], &record[..]].concat())
        .collect()
}

fn page(bytes: &[u8]) -> Outcome {
    let (Some(scanner), Some((count, body))) = (SCANNER.as_ref(), bytes.split_first_chunk::<2>())
    else {
        return NONE;
    };
    let count = usize::from(u16::from_le_bytes(*count));
    match scanner.scan_records(body, count) {
        Ok(facts) => {
            assert!(facts.blocks.len() == count, "blocks");
            Outcome::Taken
        }
        Err(error) => refused(&error),
    }
}
