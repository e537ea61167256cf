//! Stored pruning point and the list of those before it, with queries that answer `chain/pruned` below it.

use std::rc::Rc;

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_dag::store::DagStore;

use crate::records::acceptance_record::AcceptanceRecord;
use crate::records::block_status::Stage;
use crate::records::chain_state::ChainState;
use crate::records::meta::{self, PruningRecord};
use crate::records::record_fields::whole;
use crate::records::{Records, missing, stored};
use crate::rules::reach::is_out_of_reach;
use crate::store::{Store, tables};

impl<S: Store> Records<S> {
    /// Where the store begins.
    pub fn pruning(&self) -> Result<PruningRecord, SvcError> {
        stored("meta", PruningRecord::decode(&self.meta(meta::PRUNING)?))
    }

    /// The block below which nothing is ever reorganised.
    pub fn pruning_point(&self) -> Result<Hash32, SvcError> {
        Ok(self.pruning()?.point)
    }

    /// Writes where the store begins.
    pub fn put_pruning(&mut self, record: &PruningRecord) {
        self.put_meta(meta::PRUNING, record.encode());
    }

    /// The `index`-th pruning point, genesis being 0; `None` beyond the present one.
    pub fn pruning_point_at(&self, index: u64) -> Result<Option<Hash32>, SvcError> {
        let found = self
            .overlay
            .get(tables::PRUNING_POINTS, &index.to_be_bytes())?;
        found
            .map(|bytes| stored("pruning points", whole(&bytes, Reader::hash)))
            .transpose()
    }

    /// Writes the `index`-th pruning point.
    pub fn put_pruning_point_at(&mut self, index: u64, block: &Hash32) {
        let key = index.to_be_bytes();
        let value = block.as_bytes().to_vec();
        self.overlay.put(tables::PRUNING_POINTS, &key, value);
    }

    /// The state after a chain block, as far as it is kept.
    pub fn kept_chain_state(&self, block: &Hash32) -> Result<Option<Rc<ChainState>>, SvcError> {
        let found = self.overlay.get(tables::CHAIN_STATE, block.as_bytes())?;
        found.map(|_| self.chain_state(block)).transpose()
    }

    /// The error of a query about a block that has no answer: the block is pruned, or it was never accepted.
    pub fn unanswered(&self, block: &Hash32) -> Result<SvcError, SvcError> {
        let header_only = self.stage(block)? == Some(Stage::HeaderOnly);
        let is_pruned = match header_only {
            true => is_out_of_reach(self, block)?,
            false => self.chain_index(block)?.is_some(),
        };
        let code = match is_pruned {
            true => Code::ChainPruned,
            false => Code::ChainUnknownBlock,
        };
        Ok(SvcError::new(code).with("hash", block))
    }

    /// Acceptance data of a chain block. Errors: `chain/pruned`.
    pub fn kept_acceptance(&self, block: &Hash32) -> Result<Rc<AcceptanceRecord>, SvcError> {
        let is_judged = self.stage(block)? == Some(Stage::Valid);
        if is_judged && !self.was_imported(block)? {
            return self.acceptance(block);
        }
        Err(SvcError::new(Code::ChainPruned).with("hash", block))
    }

    /// Whether a valid block came as the pruning point of an import: what it accepted was not judged here, and nothing
    /// below it had a body.
    fn was_imported(&self, block: &Hash32) -> Result<bool, SvcError> {
        let row = self.overlay.get(tables::ACCEPTANCE, block.as_bytes())?;
        let parent = self.ghostdag(block)?.selected_parent;
        let has_body = self.stage(&parent)?.is_some_and(Stage::has_body);
        Ok(row.is_none() && !has_body)
    }

    /// Root of the note tree after a block of the selected chain. Errors: `chain/pruned`.
    pub fn kept_tree_root(&self, block: &Hash32) -> Result<Hash32, SvcError> {
        if let Some(after) = self.kept_chain_state(block)? {
            return Ok(after.tree_root);
        }
        let entry = self.anchor_entry(block)?;
        let gone = || SvcError::new(Code::ChainPruned).with("hash", block);
        Ok(entry.ok_or_else(gone)?.tree_root)
    }

    /// The state after a block that was judged valid: of a pruned block of the selected chain if it is one of those
    /// that are kept. Errors: `chain/pruned`, `chain/unknown-block`.
    pub fn answered_chain_state(&self, block: &Hash32) -> Result<Rc<ChainState>, SvcError> {
        let found = match self.find_chain_state(block)? {
            None if self.chain_index(block)?.is_some() => self.kept_chain_state(block)?,
            found => found,
        };
        match found {
            Some(found) => Ok(found),
            None => Err(self.unanswered(block)?),
        }
    }

    /// Scores of a block that was once judged valid; of one on the selected chain they stay known.
    pub fn chain_scores(&self, block: &Hash32) -> Result<ChainScores, SvcError> {
        Ok(self.chain_scores_read(block)?.0)
    }

    /// The same with the bytes of the scan record that had to be read; 0 where a header has them.
    pub fn chain_scores_read(&self, block: &Hash32) -> Result<(ChainScores, usize), SvcError> {
        if self.has_header(block)? {
            let header = &self.header(block)?.header;
            let scores = ChainScores {
                blue_score: header.blue_score,
                daa_score: header.daa_score,
            };
            return Ok((scores, 0));
        }
        let record = self.overlay.get(tables::SCAN_RECORDS, block.as_bytes())?;
        let record = record.ok_or_else(|| missing("scan record", block))?;
        let read = |mut reader: Reader<'_>| -> Result<ChainScores, SvcError> {
            reader.hash()?;
            Ok(ChainScores {
                blue_score: reader.u64()?,
                daa_score: reader.u64()?,
            })
        };
        let scores = stored("scan record", read(Reader::new(&record)))?;
        Ok((scores, record.len()))
    }
}

/// Scores of a chain block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainScores {
    /// Blue score.
    pub blue_score: u64,
    /// DAA score.
    pub daa_score: u64,
}
