//! Check of the pruning point list against the chain: the headers above the pruning point name the pruning points
//! before it, so the newest entries of the list are true only when the chain names them too.
//!
//! Nothing in the list itself names its newest entries but the last. A false one would be found when the first block
//! that moves to the next number is judged, long after the store has taken the place of another. Whoever
//! takes the store into use asks before whether the chain has come to the point, or to the one before it.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::IMPORT_FINISH_BLOCKS;
use svc_dag::reachability::is_chain_ancestor;
use svc_dag::store::DagStore;

use crate::import::importing::Importing;
use crate::import::points::wrong;
use crate::import::{Import, Phase, out_of_order};
use crate::pipeline::headers::headers_tip;
use crate::records::Records;
use crate::records::chain::Chain;
use crate::rules::chain_block_rules::check_pruning_point;
use crate::store::Store;

/// How far the chain of the heaviest header has been walked, downwards.
#[derive(Clone, Copy)]
pub(super) enum Walk {
    /// From a tip down to this block, which is next.
    At { tip: Hash32, next: Hash32 },
    /// From a tip to the pruning point.
    Done { tip: Hash32 },
}

impl Import {
    /// Walks at most `budget` blocks. Returns whether the chain of the heaviest header has been walked, but for blocks
    /// that came above it since.
    pub(super) fn walk<S: Store>(
        &mut self,
        chain: &Chain<S>,
        budget: usize,
    ) -> Result<bool, SvcError> {
        let records = &chain.records;
        let heaviest = headers_tip(records)?;
        let (tip, mut next) = match self.walk {
            Some(Walk::Done { tip }) if is_chain_ancestor(records, &tip, &heaviest)? => {
                return Ok(true);
            }
            Some(Walk::At { tip, next }) if is_chain_ancestor(records, &tip, &heaviest)? => {
                (tip, next)
            }
            _ => (heaviest, heaviest),
        };
        for _ in 0..budget {
            if next == self.point {
                self.walk = Some(Walk::Done { tip });
                return Ok(true);
            }
            let got = records.header(&next)?.header.pruning_point;
            check_pruning_point(chain, &next, &got)?;
            next = records.ghostdag(&next)?.selected_parent;
        }
        self.walk = Some(Walk::At { tip, next });
        Ok(false)
    }
}

impl Import {
    /// Errors: `import/wrong-points` when the tip names a point that comes before the last but one.
    fn require_height<S: Store>(&self, records: &Records<S>) -> Result<(), SvcError> {
        let named = records.header(&headers_tip(records)?)?.header.pruning_point;
        let known = self.past_points.iter().position(|(_, past)| *past == named);
        match known {
            Some(index) if index + 1 < self.past_points.len() => {
                Err(wrong(index, "the chain does not come to those above it"))
            }
            _ => Ok(()),
        }
    }
}

impl<S: Store> Importing<'_, S> {
    /// Looks whether the chain above the pruning point names the points that the list says, at most `budget` blocks of
    /// it, once all headers are there. Returns whether all of it has been looked at. The end of the import looks at what
    /// is left, but not whether the chain is long enough to name them.
    ///
    /// # Errors
    /// `header/wrong-pruning-point` and `import/wrong-points`, after which the import is good for nothing;
    /// `import/out-of-order`, `store/*`.
    pub fn import_chain(&mut self, budget: usize) -> Result<bool, SvcError> {
        self.import_step("chain", |import, engine| {
            if !matches!(import.phase, Phase::Open) {
                return Err(out_of_order("chain"));
            }
            import.require_height(&engine.chain.records)?;
            import.walk(engine.chain, budget)
        })
    }

    /// Errors: `import/out-of-order` when more of the chain than a step has not been walked, and those of the walk.
    pub(super) fn finish_walk(&mut self) -> Result<(), SvcError> {
        let is_done = self.import_step("finish", |import, engine| {
            import.walk(engine.chain, IMPORT_FINISH_BLOCKS)
        })?;
        if is_done {
            return Ok(());
        }
        Err(out_of_order("finish"))
    }
}
