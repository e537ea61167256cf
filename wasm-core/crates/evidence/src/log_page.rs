//! Pages of the anchor log: entries that follow each other, with the path of the tree over them to a peak. A node that began at a
//! pruning point takes in by them what it lacks of its log, and nothing that its own log does not cover.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{LOG_PAGE_HEIGHT, MAX_LOG_PATH};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_shielded::anchor_log::{AnchorLog, LogEntry, LogPersonals, leaf_hash, node_hash};

use crate::membership::{LogPlace, fold_path};
use crate::wire::{put_form, put_hashes, read_form, read_hashes};

/// Bytes of an entry in a page.
const ENTRY_LEN: usize = 32 + 32 + 8;

/// An entry of a page; its parent is the block of the entry before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageEntry {
    /// The chain block.
    pub block: Hash32,
    /// Root of the note tree after it.
    pub tree_root: Hash32,
    /// Its blue score.
    pub blue_score: u64,
}

/// A page as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPage {
    /// Place of the first entry in the log.
    pub first: u64,
    /// Parent of the first entry.
    pub parent: Hash32,
    /// The entries.
    pub entries: Vec<PageEntry>,
    /// Siblings on the way from the tree over the entries to the peak, the lowest first.
    pub path: Vec<Hash32>,
}

impl LogPage {
    /// Most levels of the tree over a page that begins at `first` in a log of `count` entries; none where there is no such entry.
    pub fn max_height(first: u64, count: u64) -> Option<u32> {
        let place = LogPlace::of(first, count)?;
        let whole = first.trailing_zeros();
        Some(place.height.min(LOG_PAGE_HEIGHT).min(whole))
    }

    /// The raw form.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::with_capacity(48 + ENTRY_LEN * self.entries.len());
        put_form(&mut writer);
        writer.u64(self.first).hash(&self.parent);
        writer.count_u16(self.entries.len());
        for entry in &self.entries {
            writer.hash(&entry.block).hash(&entry.tree_root);
            writer.u64(entry.blue_score);
        }
        put_hashes(&mut writer, &self.path);
        writer.into_vec()
    }

    /// Reads the raw form, which fills `bytes`. Errors: `codec/*`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        read_form(&mut reader)?;
        let (first, parent) = (reader.u64()?, reader.hash()?);
        let count = reader.count_u16(1 << LOG_PAGE_HEIGHT, ENTRY_LEN)?;
        let mut entries = Vec::with_capacity(count);
        for _ in 0..count {
            entries.push(PageEntry {
                block: reader.hash()?,
                tree_root: reader.hash()?,
                blue_score: reader.u64()?,
            });
        }
        let path = read_hashes(&mut reader, MAX_LOG_PATH)?;
        reader.finish()?;
        Ok(Self {
            first,
            parent,
            entries,
            path,
        })
    }

    /// The entries, a whole tree of them, if the log has them at this place.
    ///
    /// # Errors
    /// `evidence/not-member`.
    pub fn check(
        &self,
        personals: &LogPersonals,
        log: &AnchorLog,
    ) -> Result<Vec<LogEntry>, SvcError> {
        let error = || {
            SvcError::new(Code::EvidenceNotMember)
                .with("index", self.first)
                .with("count", log.count())
        };
        let place = LogPlace::of(self.first, log.count()).ok_or_else(error)?;
        let most = Self::max_height(self.first, log.count()).ok_or_else(error)?;
        let height = self.entries.len().checked_ilog2().ok_or_else(error)?;
        let fits = self.entries.len().is_power_of_two()
            && height <= most
            && self.path.len() == (place.height - height) as usize;
        if !fits {
            return Err(error());
        }
        let entries = self.linked();
        let nodes = entries.iter().map(|entry| leaf_hash(personals, entry));
        let top = root_over(personals, nodes.collect()).ok_or_else(error)?;
        let peak = fold_path(personals, top, self.first >> height, &self.path);
        if log.peaks().get(place.peak) != Some(&peak) {
            return Err(error());
        }
        Ok(entries)
    }

    /// The entries with their parents.
    fn linked(&self) -> Vec<LogEntry> {
        let mut parent = self.parent;
        let link = |entry: &PageEntry| LogEntry {
            block: entry.block,
            parent: std::mem::replace(&mut parent, entry.block),
            tree_root: entry.tree_root,
            blue_score: entry.blue_score,
        };
        self.entries.iter().map(link).collect()
    }
}

/// The root of a whole tree over these nodes; none of no nodes.
fn root_over(personals: &LogPersonals, mut nodes: Vec<Hash32>) -> Option<Hash32> {
    while nodes.len() > 1 {
        let (pairs, _) = nodes.as_chunks::<2>();
        nodes = pairs
            .iter()
            .map(|[left, right]| node_hash(personals, left, right))
            .collect();
    }
    nodes.pop()
}
