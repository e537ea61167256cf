//! What the history import reads of a scan record (docs/formats.md 2): its place in the chain and its note commitments.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::scan_record::{Head, MintedNote, ScanRecord};

/// The decoded part of a scan record: its block and its notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRecord {
    /// The chain block and its place.
    pub head: Head,
    /// Notes its coinbase minted.
    pub minted: Vec<MintedNote>,
    /// Note commitments of the payments it applied, in order.
    pub paid: Vec<Hash32>,
}

impl StoredRecord {
    /// Reads a record to its last byte. Errors: `codec/*`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        let mut paid = Vec::new();
        let record = ScanRecord::read(&mut reader, |action| paid.push(action.cmx))?;
        reader.finish()?;
        Ok(Self {
            head: record.head,
            minted: record.minted,
            paid,
        })
    }

    /// Leaves of the note tree in order: the coinbase's first.
    pub fn leaves(&self) -> Vec<Hash32> {
        let minted = self.minted.iter().map(|note| note.cmx);
        minted.chain(self.paid.iter().copied()).collect()
    }
}
