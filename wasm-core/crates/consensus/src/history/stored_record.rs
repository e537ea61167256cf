//! Partial decoder of a scan record (docs/formats.md 2): its place in the chain and its note commitments.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;

use crate::rules::transition::MintedNote;

const NOTE_LEN: usize = 43 + 8 + 32;
const ACTION_LEN: usize = 788;
/// Bytes of the shortest payment.
const MIN_PAYMENT_LEN: usize = 34;

/// The decoded part of a scan record: its block and its notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRecord {
    /// The chain block.
    pub hash: Hash32,
    /// Its blue score.
    pub blue_score: u64,
    /// Its DAA score.
    pub daa_score: u64,
    /// Its time, Unix milliseconds.
    pub timestamp_ms: u64,
    /// Number of leaves before it.
    pub first_leaf: u64,
    /// Id of its coinbase.
    pub coinbase_txid: Hash32,
    /// Notes its coinbase minted.
    pub minted: Vec<MintedNote>,
    /// Note commitments of the payments it applied, in order.
    pub paid: Vec<Hash32>,
}

impl StoredRecord {
    /// Reads a record to its last byte. Errors: `codec/*`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        let mut record = Self {
            hash: reader.hash()?,
            blue_score: reader.u64()?,
            daa_score: reader.u64()?,
            timestamp_ms: reader.u64()?,
            first_leaf: reader.u64()?,
            coinbase_txid: reader.hash()?,
            minted: Vec::new(),
            paid: Vec::new(),
        };
        for _ in 0..reader.count_u16(usize::from(u16::MAX), NOTE_LEN)? {
            record.minted.push(MintedNote {
                recipient: reader.array()?,
                value: reader.u64()?,
                cmx: reader.hash()?,
            });
        }
        for _ in 0..reader.count_u16(usize::from(u16::MAX), MIN_PAYMENT_LEN)? {
            reader.hash()?;
            for _ in 0..reader.count_u16(usize::from(u16::MAX), ACTION_LEN)? {
                reader.hash()?;
                record.paid.push(reader.hash()?);
                reader.take(ACTION_LEN - 64)?;
            }
        }
        reader.finish()?;
        Ok(record)
    }

    /// Leaves of the note tree in order: the coinbase's first.
    pub fn leaves(&self) -> Vec<Hash32> {
        let minted = self.minted.iter().map(|note| note.cmx);
        minted.chain(self.paid.iter().copied()).collect()
    }
}
