//! Pruning point export: the data that a node serves of a pruning point, so that another node can start there
//! ([`crate::import`] is the other side).
//!
//! The state at the pruning point is the state at the position with the effects of the blocks above undone. So an
//! export belongs to one position: when the position moves, the export is over and is made anew. A reader over a
//! snapshot can keep its export for as long as it likes.

use std::collections::{BTreeMap, BTreeSet};

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::reachability::{is_chain_ancestor, is_dag_ancestor};
use svc_dag::store::DagStore;

use crate::proof::ProofHeader;
use crate::records::Records;
use crate::records::chain::Chain;
use crate::records::lane_diff::LaneTip;
use crate::records::lanes;
use crate::store::Store;

mod cover;
pub mod state;
mod tables;

/// What a step prepares next.
enum Stage {
    /// The effects of this block are taken away.
    TakeAway(Hash32),
    /// Lanes behind this one are counted.
    Lanes(Option<Hash32>),
    /// Anchors from this block downwards are collected.
    Anchors(Hash32),
    /// The window is found.
    Window(cover::Cover),
    /// The chain below this block is collected.
    Segment(Hash32),
    /// All is there.
    Ready,
}

/// An export of one pruning point.
pub struct Export {
    point: Hash32,
    position: Hash32,
    stage: Stage,
    /// Nullifiers spent above the pruning point.
    spent_above: BTreeSet<Hash32>,
    /// Lanes that changed above it, as they were.
    lanes: BTreeMap<Hash32, Option<LaneTip>>,
    /// Blocks beside it that the selected chain has merged.
    beside: BTreeSet<Hash32>,
    lane_count: u64,
    anchors: state::Anchors,
    window: Vec<Hash32>,
    segment: Vec<Hash32>,
}

impl Export {
    /// Begins an export. Errors: `chain/unknown-block` for a block that is not on the selected chain, `engine/not-imported`,
    /// `store/*`.
    pub fn begin<S: Store>(records: &Records<S>, point: &Hash32) -> Result<Self, SvcError> {
        records.require_state()?;
        let position = records.position()?;
        let known =
            records.has_reachability(point)? && is_chain_ancestor(records, point, &position)?;
        if !known || records.find_chain_state(point)?.is_none() {
            return Err(SvcError::new(Code::ChainUnknownBlock).with("hash", point));
        }
        Ok(Self {
            point: *point,
            position,
            stage: Stage::TakeAway(position),
            spent_above: BTreeSet::new(),
            lanes: BTreeMap::new(),
            beside: BTreeSet::new(),
            lane_count: 0,
            anchors: state::Anchors::default(),
            window: Vec::new(),
            segment: Vec::new(),
        })
    }

    /// Looks at about `budget` chain blocks: takes their effects away, collects what is sent of them. A page of lanes
    /// and a block of the window cost the whole budget. Returns whether the export can be read; before that its pages
    /// are not whole. Errors: `export/moved`, `store/*`.
    pub fn step<S: Store>(&mut self, chain: &Chain<S>, budget: usize) -> Result<bool, SvcError> {
        let records = &chain.records;
        self.check(records)?;
        for _ in 0..budget.max(1) {
            match &mut self.stage {
                Stage::TakeAway(block) if *block == self.point => self.stage = Stage::Lanes(None),
                Stage::TakeAway(block) => {
                    let block = *block;
                    self.take_away(records, &block)?;
                }
                Stage::Lanes(after) => {
                    let after = after.take();
                    let page = self.lane_page(records, after.as_ref())?;
                    self.lane_count += page.len() as u64;
                    self.stage = match page.last() {
                        Some((last, _)) => Stage::Lanes(Some(*last)),
                        None => Stage::Anchors(self.point),
                    };
                    break;
                }
                Stage::Anchors(block) => {
                    let block = *block;
                    self.stage = match self.next_anchor(chain, &block)? {
                        Some(below) => Stage::Anchors(below),
                        None => Stage::Window(cover::Cover::of(self.bodies())),
                    };
                }
                Stage::Window(cover) => {
                    if !cover.watch_next(chain)? {
                        self.window = cover.window(chain)?;
                        self.stage = Stage::Segment(self.point);
                    }
                    break;
                }
                Stage::Segment(block) => {
                    let next = cover::next_below(chain, &self.point, block)?;
                    if let Some(below) =
                        next.filter(|below| self.window.binary_search(below).is_err())
                    {
                        self.segment.push(below);
                    }
                    self.stage = next.map_or(Stage::Ready, Stage::Segment);
                }
                Stage::Ready => return Ok(true),
            }
        }
        Ok(matches!(self.stage, Stage::Ready))
    }

    fn take_away<S: Store>(
        &mut self,
        records: &Records<S>,
        block: &Hash32,
    ) -> Result<(), SvcError> {
        let data = records.ghostdag(block)?;
        let before = records.chain_state(&data.selected_parent)?.nullifier_count;
        if records.chain_state(block)?.nullifier_count != before {
            self.spent_above.extend(records.nullifier_diff(block)?);
        }
        for (key, change) in lanes::lane_diff(records, block)?.0 {
            self.lanes.insert(key, change.before);
        }
        for merged in data.blues.iter().skip(1).chain(&data.reds) {
            if !is_dag_ancestor(records, &self.point, merged)? {
                self.beside.insert(*merged);
            }
        }
        self.stage = Stage::TakeAway(data.selected_parent);
        Ok(())
    }

    fn check<S: Store>(&self, records: &Records<S>) -> Result<(), SvcError> {
        if records.position()? == self.position {
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
fn proof_header<S: Store>(records: &Records<S>, hash: &Hash32) -> Result<ProofHeader, SvcError> {
    let header = records.header(hash)?.header.clone();
    Ok(ProofHeader::new(header, records.witness(hash)?))
}
