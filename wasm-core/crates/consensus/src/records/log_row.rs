//! Row of the anchor log: an entry below the pruning point that the store began at, with the nodes that it completes.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_shielded::anchor_log::{LogEntry, LogPersonals, leaf_hash};

use crate::records::record_fields::whole;
use crate::records::{Records, stored};
use crate::store::{Store, tables};

/// Version of the stored form.
const FORM: u8 = 1;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRow {
    /// The entry.
    pub entry: LogEntry,
    /// Nodes above the entry that it completes, the lowest first.
    pub nodes: Vec<Hash32>,
}

impl LogRow {
    /// The node over `2^height` entries that ends with this one; none that a later entry completes.
    pub fn node(&self, personals: &LogPersonals, height: u32) -> Option<Hash32> {
        match (height as usize).checked_sub(1) {
            None => Some(leaf_hash(personals, &self.entry)),
            Some(above) => self.nodes.get(above).copied(),
        }
    }

    /// Stored form, version 1.
    pub fn encode(&self) -> Vec<u8> {
        let LogRow { entry, nodes } = self;
        let mut writer = Writer::with_capacity(105 + 32 * nodes.len());
        writer.u8(FORM).hash(&entry.block).hash(&entry.parent);
        writer.hash(&entry.tree_root).u64(entry.blue_score);
        for node in nodes {
            writer.hash(node);
        }
        writer.into_vec()
    }

    /// Reads the stored form. Errors: `store/corrupt`, `codec/*`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        crate::corrupt_unless(reader.u8()? == FORM, "log row version")?;
        let entry = LogEntry {
            block: reader.hash()?,
            parent: reader.hash()?,
            tree_root: reader.hash()?,
            blue_score: reader.u64()?,
        };
        let mut nodes = Vec::new();
        while reader.remaining() > 0 {
            nodes.push(reader.hash()?);
        }
        Ok(Self { entry, nodes })
    }
}

impl<S: Store> Records<S> {
    /// The row at a place of the log; `None` for entries that this node judged itself, or lacks.
    pub fn log_row(&self, place: u64) -> Result<Option<LogRow>, SvcError> {
        let found = self.overlay.get(tables::LOG_ROWS, &place.to_be_bytes())?;
        let read = found.map(|bytes| LogRow::decode(&bytes)).transpose();
        stored("log rows", read)
    }

    /// The place of a block that has a row.
    pub fn log_place(&self, block: &Hash32) -> Result<Option<u64>, SvcError> {
        let found = self.overlay.get(tables::LOG_PLACES, block.as_bytes())?;
        let read =
            found.map(|bytes| whole(&bytes, |reader| reader.array().map(u64::from_be_bytes)));
        stored("log places", read.transpose())
    }

    /// Writes a row.
    pub fn put_log_row(&mut self, place: u64, row: &LogRow) {
        let key = place.to_be_bytes();
        let block = row.entry.block;
        self.overlay.put(tables::LOG_ROWS, &key, row.encode());
        self.overlay
            .put(tables::LOG_PLACES, block.as_bytes(), key.to_vec());
    }
}
