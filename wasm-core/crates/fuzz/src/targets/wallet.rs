//! Fuzz targets for the input of a wallet: answers of a node, and its own store.

use std::sync::LazyLock;

use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_plain;
use svc_consensus::store::tables;
use svc_scan::note_tree::NoteTree;
use svc_scan::record::Record;
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
    match whole(bytes, Record::decode) {
        Ok(record) => {
            let read = crate::targets::wallet::written_record(&record);
            assert!(read == bytes, "another encoding was taken");
            record.leaves().count();
            Outcome::Taken
        }
        Err(error) => refused(&error),
    }
}

/// A record as the node writes it.
fn written_record(record: &Record) -> Vec<u8> {
    crate::targets::chain::written(|writer| {
        writer
            .hash(&record.hash)
            .u64(record.blue_score)
            .u64(record.daa_score)
            .u64(record.timestamp_ms)
            .u64(record.first_leaf)
            .hash(&record.coinbase_txid)
            .count_u16(record.outputs.len());
        for output in &record.outputs {
            let writer = writer.bytes(&output.recipient).u64(output.value);
            writer.hash(&output.cmx);
        }
        writer.count_u16(record.txs.len());
        for tx in &record.txs {
            writer.hash(&tx.txid).count_u16(tx.actions.len());
            for action in &tx.actions {
                writer.hash(&action.nullifier).hash(&action.cmx);
                writer.bytes(&action.epk).bytes(&action.enc);
                writer.bytes(&action.out).bytes(&action.cv_net);
            }
        }
    })
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
