//! Common ancestors of chains: the selected chain is searched by its index, a chain beside it is walked. Here "above"
//! a block is away from genesis.

use std::rc::Rc;

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::SIDE_CHAIN_STEPS;
use svc_dag::reachability::{is_chain_ancestor, is_dag_ancestor};
use svc_dag::records::GhostdagData;
use svc_dag::store::DagStore;

use crate::records::{Records, missing};
use crate::store::Store;

/// `chain/pruned` about a block.
pub(crate) fn pruned(block: &Hash32) -> SvcError {
    SvcError::new(Code::ChainPruned).with("hash", block)
}

/// A record that need not be there.
pub(crate) fn if_held<T>(record: Result<T, SvcError>) -> Result<Option<T>, SvcError> {
    match record {
        Ok(record) => Ok(Some(record)),
        Err(error) if error.code == Code::StoreMissing => Ok(None),
        Err(error) => Err(error),
    }
}

impl<S: Store> Records<S> {
    /// Whether a block has a place in the graph; its children and the graph's root lead to no other.
    pub(crate) fn is_in_graph(&self, block: &Hash32) -> Result<bool, SvcError> {
        Ok(*block != Hash32::ORIGIN && self.has_reachability(block)?)
    }

    /// Refuses a block without a place in the graph. Errors: `chain/unknown-block`, `chain/pruned`.
    pub(crate) fn require_in_graph(&self, block: &Hash32) -> Result<(), SvcError> {
        match self.is_in_graph(block)? {
            true => Ok(()),
            false => Err(self.unanswered(block)?),
        }
    }

    /// GHOSTDAG data of a block in the graph. Errors: `chain/pruned` where an import brought none.
    pub(crate) fn held_ghostdag(&self, block: &Hash32) -> Result<Rc<GhostdagData>, SvcError> {
        if !self.is_in_graph(block)? {
            return Err(pruned(block));
        }
        if_held(self.ghostdag(block))?.ok_or_else(|| pruned(block))
    }

    /// The highest block of the selected chain, from the pruning point up, that something is true of which is also true
    /// of those below it; `None` when it is of none, or before an import has made a chain.
    pub(crate) fn highest_on_chain(
        &self,
        holds: impl Fn(&Hash32) -> Result<bool, SvcError>,
    ) -> Result<Option<Hash32>, SvcError> {
        let point = self.pruning_point()?;
        let sink = self.virtual_record()?.sink;
        let (Some(first), Some(last)) = (self.chain_index(&point)?, self.chain_index(&sink)?)
        else {
            return Ok(None);
        };
        if !holds(&point)? {
            return Ok(None);
        }
        let (mut found, mut low, mut high) = (point, first, last);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            let block = self.chain_at(middle)?;
            let block = block.ok_or_else(|| missing("chain index", &sink))?;
            if holds(&block)? {
                (found, low) = (block, middle);
            } else {
                high = middle - 1;
            }
        }
        Ok(Some(found))
    }

    /// A block on the chain of `high` and in the past of `low`: of those on the selected chain the highest, or before
    /// an import has made a chain where the two chains part. Both are in the graph. Errors: `chain/pruned` when they
    /// part where nothing is held, or too far below.
    pub(crate) fn common_below(&self, low: &Hash32, high: &Hash32) -> Result<Hash32, SvcError> {
        let on_chain = self.highest_on_chain(|block| {
            Ok(is_chain_ancestor(self, block, high)? && is_dag_ancestor(self, block, low)?)
        })?;
        if let Some(found) = on_chain {
            return Ok(found);
        }
        let mut current = *low;
        for _ in 0..SIDE_CHAIN_STEPS {
            if is_chain_ancestor(self, &current, high)? {
                return Ok(current);
            }
            current = self.reachability(&current)?.parent;
            if current == Hash32::ORIGIN {
                break;
            }
        }
        Err(pruned(low))
    }
}
