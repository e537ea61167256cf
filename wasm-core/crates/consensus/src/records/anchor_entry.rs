//! Anchor entry: what the age rule and the anchor log need of a chain block whose own records are pruned, or never
//! were here.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_dag::store::DagStore;
use svc_shielded::anchor_log::{AnchorLog, LogEntry};

use crate::records::{Records, stored};
use crate::store::{Store, tables};

/// An entry of the anchor log with the log before it; of blocks before the security fork the log is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchorEntry {
    /// Selected parent of the block.
    pub parent: Hash32,
    /// Root of the note tree after the block.
    pub tree_root: Hash32,
    /// Blue score of the block.
    pub blue_score: u64,
    /// The log before the block.
    pub log_before: AnchorLog,
}

impl AnchorEntry {
    /// The entry as the log has it.
    pub fn log_entry(&self, block: &Hash32) -> LogEntry {
        LogEntry {
            block: *block,
            parent: self.parent,
            tree_root: self.tree_root,
            blue_score: self.blue_score,
        }
    }

    /// Stored form, version 1.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u8(1).hash(&self.parent).hash(&self.tree_root);
        writer.u64(self.blue_score);
        self.log_before.encode(&mut writer);
        writer.into_vec()
    }

    /// Reads the stored form. Errors: `store/corrupt`, `codec/*`, `shielded/bad-anchor-log`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        crate::corrupt_unless(reader.u8()? == 1, "anchor entry version")?;
        let entry = Self {
            parent: reader.hash()?,
            tree_root: reader.hash()?,
            blue_score: reader.u64()?,
            log_before: AnchorLog::decode(&mut reader)?,
        };
        reader.finish()?;
        Ok(entry)
    }
}

impl<S: Store> Records<S> {
    /// The stored entry of a chain block below the pruning point.
    pub fn anchor_entry(&self, block: &Hash32) -> Result<Option<AnchorEntry>, SvcError> {
        let found = self.overlay.get(tables::ANCHOR_ENTRIES, block.as_bytes())?;
        let entry = found.map(|bytes| AnchorEntry::decode(&bytes)).transpose();
        stored("anchor entries", entry)
    }

    /// Writes an entry.
    pub fn put_anchor_entry(&mut self, block: &Hash32, entry: &AnchorEntry) {
        self.overlay
            .put(tables::ANCHOR_ENTRIES, block.as_bytes(), entry.encode());
    }

    /// Root of the note tree after a chain block, by its state or its entry; `None` for other blocks.
    pub fn tree_root_of(&self, block: &Hash32) -> Result<Option<Hash32>, SvcError> {
        if let Some(state) = self.find_chain_state(block)? {
            return Ok(Some(state.tree_root));
        }
        Ok(self.anchor_entry(block)?.map(|entry| entry.tree_root))
    }

    /// The entry of a chain block, by its state or as it is stored; `None` when neither is held.
    pub fn entry_of(&self, block: &Hash32) -> Result<Option<AnchorEntry>, SvcError> {
        if let Some(entry) = self.anchor_entry(block)? {
            return Ok(Some(entry));
        }
        let Some(state) = self.find_chain_state(block)? else {
            return Ok(None);
        };
        let parent = self.ghostdag(block)?.selected_parent;
        let Some(before) = self.find_chain_state(&parent)? else {
            return Ok(None);
        };
        Ok(Some(AnchorEntry {
            parent,
            tree_root: state.tree_root,
            blue_score: self.header(block)?.header.blue_score,
            log_before: before.anchor_log.clone(),
        }))
    }
}
