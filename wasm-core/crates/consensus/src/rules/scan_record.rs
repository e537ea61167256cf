//! Encoder of scan records, kind P: what a wallet needs of a chain block, in the bytes that are served
//! (docs/formats.md 2).

use svc_chain::header::Header;
use svc_codec::hash32::Hash32;
use svc_codec::writer::Writer;
use svc_shielded::bundle::Bundle;

use crate::rules::acceptance::Applied;
use crate::rules::transition::MintedNote;

/// Magic of a page of records.
const MAGIC: &[u8; 4] = b"SVCB";
/// Container version.
const VERSION: u8 = 1;
/// Kind P.
const KIND: u8 = 0x50;

/// The inputs of a record.
pub struct RecordParts<'a> {
    /// The chain block's header.
    pub header: &'a Header,
    /// Its hash.
    pub hash: Hash32,
    /// Tree size before the block.
    pub first_leaf: u64,
    /// Id of its coinbase.
    pub coinbase_txid: Hash32,
    /// Notes its coinbase minted.
    pub minted: &'a [MintedNote],
    /// Transactions it applied.
    pub applied: &'a [Applied],
}

/// Encodes one record.
pub fn encode_record(parts: &RecordParts<'_>) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.hash(&parts.hash);
    writer.u64(parts.header.blue_score);
    writer.u64(parts.header.daa_score);
    writer.u64(parts.header.timestamp_ms);
    writer.u64(parts.first_leaf);
    writer.hash(&parts.coinbase_txid);
    writer.u16(parts.minted.len() as u16);
    for note in parts.minted {
        writer.bytes(&note.recipient);
        writer.u64(note.value);
        writer.hash(&note.cmx);
    }
    writer.u16(parts.applied.len() as u16);
    for applied in parts.applied {
        write_payment(&mut writer, &applied.txid, &applied.bundle);
    }
    writer.into_vec()
}

/// Appends a payment as records and live frames carry it: txid, action count u16, 788 bytes per action.
pub fn write_payment(writer: &mut Writer, txid: &Hash32, bundle: &Bundle) {
    writer.hash(txid);
    writer.u16(bundle.actions.len() as u16);
    for action in &bundle.actions {
        writer.hash(&action.nullifier);
        writer.hash(&action.cmx);
        writer.bytes(&action.epk);
        writer.bytes(&action.enc_ciphertext);
        writer.bytes(&action.out_ciphertext);
        writer.bytes(&action.cv_net);
    }
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
