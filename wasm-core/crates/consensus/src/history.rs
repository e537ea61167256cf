//! History import: scan records from before the pruning point that a store began at, fetched afterwards
//! (specification shielded 15.5).
//!
//! Records come downwards from the base, the pruning point the node started from, whose own record is the first. They
//! are kept aside until genesis is reached and the leaves of all of them make the note tree of the base; then they join
//! the selected chain from the top, so that what is served is always whole. All of it is in the store: a step that
//! was killed is taken again.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_dag::store::DagStore;
use svc_shielded::anchor_log::AnchorLog;
use svc_shielded::frontier::Frontier;

use crate::records::chain::Chain;
use crate::records::meta;
use crate::records::record_fields::whole;
use crate::records::{Records, missing, stored};
use crate::store::{Store, tables};

mod fetch;
pub mod history_import;
mod join;
pub mod stored_record;
mod verify;

/// The stages of the history import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// Records are taken in, downwards from the base; `next` is how many came.
    Fetch = 1,
    /// Leaves are replayed upwards; `next` is how far below the base the next record is.
    Verify = 2,
    /// The chain above is numbered anew: the serving node did not tell the truth about the index of the base.
    Rebase = 3,
    /// Records join the chain downwards; `next` is how far below the base the next is.
    Join = 4,
    /// Records are thrown away; `next` is how far below the base the next is.
    Purge = 5,
}

/// Progress record of the history import, in META while it is under way.
#[derive(Clone, Debug)]
pub struct HistoryRecord {
    /// What is being done.
    pub stage: Stage,
    /// The lowest chain block that the node judged from.
    pub base: Hash32,
    /// How many blocks are below it; known when genesis has come.
    pub below: u64,
    /// See [`Stage`].
    pub next: u64,
    /// Fetch: the first leaf of the lowest record, which the one below must lead to, and the blue score of its block.
    pub first_leaf: u64,
    /// See `first_leaf`.
    pub blue_score: u64,
    /// Verify: the note tree so far.
    pub frontier: Frontier,
    /// Verify: the anchor log so far.
    pub log: AnchorLog,
    /// Verify: the block replayed last.
    pub parent: Hash32,
}

impl HistoryRecord {
    /// Stored form, version 1.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u8(1).u8(self.stage as u8).hash(&self.base);
        writer.u64(self.below).u64(self.next);
        writer.u64(self.first_leaf).u64(self.blue_score);
        self.frontier.encode(&mut writer);
        self.log.encode(&mut writer);
        writer.hash(&self.parent);
        writer.into_vec()
    }

    /// Reads the stored form. Errors: `store/corrupt`, `codec/*`, `shielded/bad-frontier`,
    /// `shielded/bad-anchor-log`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        crate::corrupt_unless(reader.u8()? == 1, "history version")?;
        let stage = match reader.u8()? {
            1 => Stage::Fetch,
            2 => Stage::Verify,
            3 => Stage::Rebase,
            4 => Stage::Join,
            5 => Stage::Purge,
            _ => return Err(SvcError::new(Code::StoreCorrupt).with("table", "history")),
        };
        let record = Self {
            stage,
            base: reader.hash()?,
            below: reader.u64()?,
            next: reader.u64()?,
            first_leaf: reader.u64()?,
            blue_score: reader.u64()?,
            frontier: Frontier::decode(&mut reader)?,
            log: AnchorLog::decode(&mut reader)?,
            parent: reader.hash()?,
        };
        reader.finish()?;
        Ok(record)
    }
}

/// Progress of the history import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryProgress {
    /// It reaches genesis.
    Complete,
    /// Records are wanted, downwards from one so far below the base.
    Wanted {
        /// The base: its own record is the first.
        base: Hash32,
        /// How far below it the next one is.
        below: u64,
        /// The block of the lowest record that has come, under which the next one lies; none before the first.
        lowest: Option<Hash32>,
    },
    /// There is work: take steps.
    Working(Stage),
}

impl<S: Store> Records<S> {
    fn history(&self) -> Result<Option<HistoryRecord>, SvcError> {
        let found = self.find_meta(meta::HISTORY)?;
        let record = found.map(|bytes| HistoryRecord::decode(&bytes)).transpose();
        stored("history", record)
    }

    fn put_history(&mut self, record: &HistoryRecord) {
        self.put_meta(meta::HISTORY, record.encode());
    }

    /// The scan record of a chain block. That of the base is none while history is being taken in or proved.
    pub(crate) fn proved_record(&self, block: &Hash32) -> Result<Option<Vec<u8>>, SvcError> {
        if let Some(history) = self.history()?
            && history.stage != Stage::Join
            && history.base == *block
        {
            return Ok(None);
        }
        self.overlay.get(tables::SCAN_RECORDS, block.as_bytes())
    }

    /// The block so far below the base whose record was taken in.
    fn aside(&self, below: u64) -> Result<Option<Hash32>, SvcError> {
        let found = self.overlay.get(tables::IMPORT, &below.to_be_bytes())?;
        let hash = found.map(|bytes| whole(&bytes, Reader::hash)).transpose();
        stored("import", hash)
    }
}

/// The record to begin with; `None` when history is complete.
fn begun<S: Store>(chain: &Chain<S>) -> Result<Option<HistoryRecord>, SvcError> {
    let Chain { rules, records } = chain;
    if let Some(record) = records.history()? {
        return Ok(Some(record));
    }
    let base = records.pruning()?.history_base;
    if base == rules.genesis_hash {
        return Ok(None);
    }
    Ok(Some(HistoryRecord {
        stage: Stage::Fetch,
        base,
        below: 0,
        next: 0,
        first_leaf: records.chain_state(&base)?.frontier.size(),
        blue_score: records.header(&base)?.header.blue_score.saturating_add(1),
        frontier: Frontier::empty(),
        log: AnchorLog::default(),
        parent: Hash32::ZERO,
    }))
}

/// The block of the record that was taken in last.
fn lowest<S: Store>(
    records: &Records<S>,
    record: &HistoryRecord,
) -> Result<Option<Hash32>, SvcError> {
    let Some(last) = record.next.checked_sub(1) else {
        return Ok(None);
    };
    let block = records.aside(last)?;
    block
        .map(Some)
        .ok_or_else(|| missing("import", &record.base))
}

/// The progress of the history import.
pub(crate) fn progress<S: Store>(chain: &Chain<S>) -> Result<HistoryProgress, SvcError> {
    Ok(match begun(chain)? {
        None => HistoryProgress::Complete,
        Some(record) if record.stage == Stage::Fetch => HistoryProgress::Wanted {
            base: record.base,
            below: record.next,
            lowest: lowest(&chain.records, &record)?,
        },
        Some(record) => HistoryProgress::Working(record.stage),
    })
}
