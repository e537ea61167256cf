//! The anchor log as it is served: entries that this node judged, by the selected chain, and those below the pruning point that it
//! began at, by their rows.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_shielded::anchor_log::{LogEntry, LogPersonals};

use crate::questions::evidence::{evidence_of, index_of};
use crate::records::chain::Chain;
use crate::records::log_row::LogRow;
use crate::store::Store;

/// The anchor log after a block of the selected chain.
pub(super) struct ServedLog<'a, S: Store> {
    chain: &'a Chain<S>,
    personals: LogPersonals,
    /// Chain index of the block.
    top: u64,
    /// How many entries there are.
    pub count: u64,
}

impl<'a, S: Store> ServedLog<'a, S> {
    /// The log after a block. Errors: `chain/unknown-block`, `chain/pruned`.
    pub fn after(chain: &'a Chain<S>, block: &Hash32) -> Result<Self, SvcError> {
        let top = index_of(&chain.records, block)?;
        Ok(Self {
            chain,
            personals: LogPersonals::of(&chain.rules.profile),
            top,
            count: chain
                .records
                .answered_chain_state(block)?
                .anchor_log
                .count(),
        })
    }

    /// The place of a chain block; `None` where it is from before the security fork. Above the last entry there are places that
    /// the log does not have. Errors: `chain/unknown-block`.
    pub fn place_of(&self, block: &Hash32) -> Result<Option<u64>, SvcError> {
        if let Some(place) = self.chain.records.log_place(block)? {
            return Ok(Some(place));
        }
        let index = index_of(&self.chain.records, block)?;
        Ok((index + self.count).checked_sub(self.top + 1))
    }

    /// The entry at a place; `None` where too little is held.
    pub fn entry(&self, place: u64) -> Result<Option<LogEntry>, SvcError> {
        Ok(self.entry_read(place)?.map(|(entry, _)| entry))
    }

    /// The same with the bytes of the scan record that had to be read.
    pub fn entry_read(&self, place: u64) -> Result<Option<(LogEntry, usize)>, SvcError> {
        if let Some(row) = self.row(place)? {
            return Ok(Some((row.entry, 0)));
        }
        let records = &self.chain.records;
        let (Some(block), Some(parent)) = (self.block(place)?, self.block_before(place)?) else {
            return Ok(None);
        };
        let Some(evidence) = evidence_of(self.chain, &block)? else {
            return Ok(None);
        };
        let (scores, read) = records.chain_scores_read(&block)?;
        let entry = LogEntry {
            block,
            parent,
            tree_root: evidence.tree_root,
            blue_score: scores.blue_score,
        };
        Ok(Some((entry, read)))
    }

    /// The node over `2^height` entries that begin at `position` times as many; `None` where too little is held.
    pub fn node(&self, height: u32, position: u64) -> Result<Option<Hash32>, SvcError> {
        let last = ((position + 1) << height) - 1;
        if let Some(row) = self.row(last)? {
            return Ok(row.node(&self.personals, height));
        }
        let Some(block) = self.block(last)? else {
            return Ok(None);
        };
        let evidence = evidence_of(self.chain, &block)?;
        Ok(evidence.and_then(|evidence| evidence.log_nodes.get(height as usize).copied()))
    }

    fn row(&self, place: u64) -> Result<Option<LogRow>, SvcError> {
        self.chain.records.log_row(place)
    }

    fn block(&self, place: u64) -> Result<Option<Hash32>, SvcError> {
        self.chain_at((self.top + 1 + place).checked_sub(self.count))
    }

    fn block_before(&self, place: u64) -> Result<Option<Hash32>, SvcError> {
        self.chain_at((self.top + place).checked_sub(self.count))
    }

    fn chain_at(&self, index: Option<u64>) -> Result<Option<Hash32>, SvcError> {
        let found = index.map(|index| self.chain.records.chain_at(index));
        Ok(found.transpose()?.flatten())
    }
}
