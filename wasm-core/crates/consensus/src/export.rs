//! What a node serves of a pruning point, so that another can start there: the other side of [`crate::import`].
//!
//! State at the pruning point is that of the position with what came above taken away, so an export belongs to one
//! position: when that moves, it is over and is made again. A reader over a snapshot keeps its own for as long as it
//! likes.

use std::collections::{BTreeMap, BTreeSet};

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::reachability::{is_chain_ancestor, is_dag_ancestor};
use svc_dag::store::DagStore;

use crate::chain_rules::ChainRules;
use crate::lane_diff::LaneTip;
use crate::lanes;
use crate::proof::ProofHeader;
use crate::state::State;
use crate::store::Store;

mod cover;
pub mod state;
mod tables;

/// An export of one pruning point.
pub struct Export {
    point: Hash32,
    position: Hash32,
    /// The block whose effects are taken away next.
    cursor: Hash32,
    /// Nullifiers spent above the pruning point.
    spent_above: BTreeSet<Hash32>,
    /// Lanes that changed above it, as they were.
    lanes: BTreeMap<Hash32, Option<LaneTip>>,
    /// Blocks beside it that the selected chain has merged.
    beside: BTreeSet<Hash32>,
    window: Vec<Hash32>,
    segment: Vec<Hash32>,
}

impl Export {
    /// Begins an export. Errors: `chain/unknown-block` for a block that is not on the selected chain, `engine/not-imported`,
    /// `store/*`.
    pub fn begin<S: Store>(state: &State<S>, point: &Hash32) -> Result<Self, SvcError> {
        state.require_state()?;
        let position = state.position()?;
        let known = state.has_reachability(point)? && is_chain_ancestor(state, point, &position)?;
        if !known || state.find_chain_state(point)?.is_none() {
            return Err(SvcError::new(Code::ChainUnknownBlock).with("hash", point));
        }
        Ok(Self {
            point: *point,
            position,
            cursor: position,
            spent_above: BTreeSet::new(),
            lanes: BTreeMap::new(),
            beside: BTreeSet::new(),
            window: Vec::new(),
            segment: Vec::new(),
        })
    }

    /// Takes the effects of at most `budget` chain blocks away. Returns whether the export can be read; before that
    /// its pages are not whole. Errors: `export/moved`, `store/*`.
    pub fn step<S: Store>(
        &mut self,
        rules: &ChainRules,
        state: &State<S>,
        budget: usize,
    ) -> Result<bool, SvcError> {
        self.check(state)?;
        for _ in 0..budget.max(1) {
            if self.cursor == self.point {
                if self.window.is_empty() {
                    self.window = cover::window(rules, state, (&self.point, &self.beside))?;
                    self.segment = cover::segment(rules, state, (&self.point, &self.window))?;
                }
                return Ok(true);
            }
            self.take_away(state)?;
        }
        Ok(false)
    }

    fn take_away<S: Store>(&mut self, state: &State<S>) -> Result<(), SvcError> {
        let block = self.cursor;
        let data = state.ghostdag(&block)?;
        let before = state.chain_state(&data.selected_parent)?.nullifier_count;
        if state.chain_state(&block)?.nullifier_count != before {
            self.spent_above.extend(state.nullifier_diff(&block)?);
        }
        for (key, change) in lanes::lane_diff(state, &block)?.0 {
            self.lanes.insert(key, change.before);
        }
        for merged in data.blues.iter().skip(1).chain(&data.reds) {
            if !is_dag_ancestor(state, &self.point, merged)? {
                self.beside.insert(*merged);
            }
        }
        self.cursor = data.selected_parent;
        Ok(())
    }

    fn check<S: Store>(&self, state: &State<S>) -> Result<(), SvcError> {
        if state.position()? == self.position {
            Ok(())
        } else {
            Err(SvcError::new(Code::ExportMoved).with("pruningPoint", self.point))
        }
    }

    /// The pruning point, and the blocks beside it that were merged: their bodies are served as blocks.
    pub fn bodies(&self) -> Vec<Hash32> {
        std::iter::once(self.point)
            .chain(self.beside.iter().copied())
            .collect()
    }
}

/// A header as proofs and trusted data carry it.
fn proof_header<S: Store>(state: &State<S>, hash: &Hash32) -> Result<ProofHeader, SvcError> {
    let header = state.header(hash)?.header.clone();
    Ok(ProofHeader::new(header, state.witness(hash)?))
}
