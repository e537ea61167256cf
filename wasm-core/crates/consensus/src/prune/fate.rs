//! Retention rules of pruning: what stays of a block when the pruning point has passed it.

use std::collections::HashSet;

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_PAGE_RECORDS;
use svc_dag::reachability::{have_common_future, is_chain_ancestor, is_dag_ancestor};
use svc_dag::store::DagStore;

use crate::proof::stored_proof;
use crate::prune::kept;
use crate::prune::plan::Plan;
use crate::records::chain::Chain;
use crate::records::{Records, stored};
use crate::store::tables;
use crate::store::{KeyRange, Store};

/// What stays of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Everything, and its tree children are not looked at: it is above the pruning point.
    Above,
    /// Everything: it is beside the pruning point and was merged above it.
    Beside,
    /// Its place in the graph: header, GHOSTDAG data, node.
    Node,
    /// Its header, for these reasons.
    Header(u8),
    /// Nothing.
    Nothing,
}

/// Headers that stay whatever their place.
pub struct Wanted {
    proof: HashSet<Hash32>,
    points: HashSet<Hash32>,
    segment: u64,
    index: u64,
}

impl Wanted {
    /// Reads which headers a plan keeps.
    pub fn load<S: Store>(chain: &Chain<S>, plan: &Plan) -> Result<Self, SvcError> {
        Ok(Self {
            proof: stored_proof::hashes(&chain.records, chain.rules.profile.max_block_level)?,
            points: pruning_points(&chain.records)?,
            segment: plan.segment,
            index: plan.index,
        })
    }

    /// Why the header of a block is kept; 0 when it is not. `on_chain`: whether it is on the chain of the pruning point.
    pub fn header_reasons<S: Store>(
        &self,
        records: &Records<S>,
        block: &Hash32,
        on_chain: bool,
    ) -> Result<u8, SvcError> {
        let mut reasons = 0;
        if self.proof.contains(block) {
            reasons |= kept::PROOF;
        }
        if self.points.contains(block) {
            reasons |= kept::POINT;
        }
        if on_chain && records.header(block)?.header.blue_score >= self.segment {
            reasons |= kept::SEGMENT;
        }
        Ok(reasons)
    }

    /// Whether a block is a past pruning point.
    pub fn is_point(&self, block: &Hash32) -> bool {
        self.points.contains(block)
    }

    /// Number of the pruning point.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// What becomes of a block that has a node.
    pub fn fate<S: Store>(
        &self,
        chain: &Chain<S>,
        plan: &Plan,
        block: &Hash32,
    ) -> Result<Fate, SvcError> {
        let Chain { rules, records } = chain;
        let point = &plan.point;
        if is_dag_ancestor(records, point, block)? {
            return Ok(Fate::Above);
        }
        if !is_dag_ancestor(records, block, point)? {
            return Ok(match have_common_future(records, point, block)? {
                true => Fate::Beside,
                false => Fate::Nothing,
            });
        }
        let in_cover = *block == plan.floor || !is_dag_ancestor(records, block, &plan.floor)?;
        if in_cover || *block == rules.genesis_hash || self.is_named(records, block)? {
            return Ok(Fate::Node);
        }
        let on_chain = is_chain_ancestor(records, block, point)?;
        Ok(match self.header_reasons(records, block, on_chain)? {
            0 => Fate::Nothing,
            reasons => Fate::Header(reasons),
        })
    }

    fn is_named<S: Store>(&self, records: &Records<S>, block: &Hash32) -> Result<bool, SvcError> {
        let row = records.kept(block)?;
        Ok(row.is_some_and(|row| row.index == self.index && row.reasons & kept::NODE != 0))
    }
}

/// All pruning points so far, genesis included.
fn pruning_points<S: Store>(records: &Records<S>) -> Result<HashSet<Hash32>, SvcError> {
    let mut points = HashSet::new();
    let mut from = vec![0; 8];
    loop {
        let rows = records.overlay.range(KeyRange {
            table: tables::PRUNING_POINTS,
            from: &from,
            to: &[0xff; 9],
            limit: MAX_PAGE_RECORDS,
            reverse: false,
        })?;
        for (_, value) in &rows {
            let read = |reader: &mut svc_codec::reader::Reader<'_>| reader.hash();
            let point = crate::records::record_fields::whole(value, read);
            points.insert(stored("pruning points", point)?);
        }
        let Some((last, _)) = rows.last().filter(|_| rows.len() >= MAX_PAGE_RECORDS) else {
            return Ok(points);
        };
        from = [last.as_slice(), &[0]].concat();
    }
}
