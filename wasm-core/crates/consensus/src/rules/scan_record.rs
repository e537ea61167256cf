//! Scan records of chain blocks, and the pages that they are served in (docs/formats.md 2).

use svc_chain::header::Header;
use svc_codec::hash32::Hash32;
use svc_codec::scan_record::{Action, Head, MintedNote, write_record};
use svc_codec::writer::Writer;
use svc_shielded::bundle::Bundle;

use crate::rules::acceptance::Applied;

/// Magic of a page of records.
const MAGIC: &[u8; 4] = b"SVCB";
/// Container version.
const VERSION: u8 = 1;
/// Kind P.
const KIND: u8 = 0x50;

/// What the record of a block begins with. `first_leaf` is the size of the note tree before the block.
pub fn head_of(hash: &Hash32, header: &Header, first_leaf: u64, coinbase_txid: Hash32) -> Head {
    Head {
        hash: *hash,
        blue_score: header.blue_score,
        daa_score: header.daa_score,
        timestamp_ms: header.timestamp_ms,
        first_leaf,
        coinbase_txid,
    }
}

/// The record of a block: the notes that its coinbase minted, and the payments that it applied.
pub fn encode_record(head: &Head, minted: &[MintedNote], applied: &[Applied]) -> Vec<u8> {
    let payments = applied
        .iter()
        .map(|applied| (applied.txid, published(&applied.bundle)));
    write_record(head, minted, payments)
}

/// What records and live frames carry of a bundle.
pub fn published(bundle: &Bundle) -> impl ExactSizeIterator<Item = Action<'_>> {
    bundle.actions.iter().map(|action| Action {
        nullifier: action.nullifier,
        cmx: action.cmx,
        epk: &action.epk,
        enc: &action.enc_ciphertext,
        out: &action.out_ciphertext,
        cv_net: &action.cv_net,
    })
}

/// Wraps records into a page whose first record has chain index `first_index`.
pub fn encode_page(first_index: u64, records: &[Vec<u8>]) -> Vec<u8> {
    let body_len: usize = records.iter().map(Vec::len).sum();
    let mut writer = Writer::new();
    writer.bytes(MAGIC);
    writer.u8(VERSION);
    writer.u8(KIND);
    writer.u16(0);
    writer.u64(first_index);
    writer.u32(records.len() as u32);
    writer.u32(body_len as u32);
    for record in records {
        writer.bytes(record);
    }
    let mut page = writer.into_vec();
    let checksum = crc32c::crc32c(&page);
    page.extend_from_slice(&checksum.to_le_bytes());
    page
}
