//! Mark phase of pruning: looks at everything that is not above the pruning point before any of it is deleted.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use svc_chain::uint256::U256;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::parents_builder::parents_at;
use svc_dag::reachability::{have_common_future, is_chain_ancestor, is_dag_ancestor};
use svc_dag::store::DagStore;
use svc_dag::windows::window_floor;

use crate::prune::kept::{self, Kept};
use crate::prune::plan::Plan;
use crate::records::Records;
use crate::records::chain::Chain;
use crate::store::{Store, tables};

/// A walk over the reachability tree from the root, without what is above the pruning point, in ascending order: what a
/// block merges comes before it. A sweep that met the block first would leave to its heirs the place in the lists of
/// all that is still to be deleted. It may be interrupted and the tree may change meanwhile: new blocks are above the
/// pruning point.
pub struct TreeWalk {
    waiting: BinaryHeap<Reverse<(U256, Hash32)>>,
}

impl Default for TreeWalk {
    /// A walk that has not begun.
    fn default() -> Self {
        Self {
            waiting: BinaryHeap::from([Reverse((U256::zero(), Hash32::ORIGIN))]),
        }
    }
}

impl TreeWalk {
    /// The next block; its tree children come later. `None` at the end.
    pub fn next<S: Store>(
        &mut self,
        records: &Records<S>,
        point: &Hash32,
    ) -> Result<Option<Hash32>, SvcError> {
        while let Some(Reverse((_, block))) = self.waiting.pop() {
            let is_root = block == Hash32::ORIGIN;
            if !records.has_reachability(&block)?
                || !is_root && is_dag_ancestor(records, point, &block)?
            {
                continue;
            }
            for child in &records.reachability(&block)?.children {
                let work = records.header(child)?.header.blue_work;
                self.waiting.push(Reverse((work, *child)));
            }
            if !is_root {
                return Ok(Some(block));
            }
        }
        Ok(None)
    }
}

/// The selected parent, where it is known.
fn below<S: Store>(records: &Records<S>, block: &Hash32) -> Result<Hash32, SvcError> {
    let parent = records.ghostdag(block)?.selected_parent;
    let known = records.overlay.get(tables::GHOSTDAG, parent.as_bytes())?;
    Ok(known.map_or(*block, |_| parent))
}

/// The mark phase and its findings so far.
pub struct Survey {
    walk: TreeWalk,
    /// Where the way down from the block last looked at has come: a branch beside the chain may be long, and each step
    /// climbs down one block of it.
    climb: Option<Hash32>,
    /// The lowest block in which the chain of a block beside the pruning point leaves the pruning point's chain.
    join: Hash32,
    join_score: u64,
    named: BTreeSet<Hash32>,
}

impl Survey {
    /// Begins with the pruning point itself.
    pub fn begin<S: Store>(chain: &Chain<S>, point: &Hash32) -> Result<Self, SvcError> {
        let mut survey = Self {
            walk: TreeWalk::default(),
            climb: None,
            join: *point,
            join_score: chain.records.header(point)?.header.blue_score,
            named: BTreeSet::new(),
        };
        survey.note_names(chain, point)?;
        Ok(survey)
    }

    /// Looks at one block, of the walk or on the way down from one; whether there was one.
    pub fn step<S: Store>(&mut self, chain: &Chain<S>, point: &Hash32) -> Result<bool, SvcError> {
        let records = &chain.records;
        if let Some(block) = self.climb.take() {
            self.climb_from(records, block, point)?;
            return Ok(true);
        }
        let Some(block) = self.walk.next(records, point)? else {
            return Ok(false);
        };
        if is_dag_ancestor(records, &block, point)? || !have_common_future(records, point, &block)?
        {
            return Ok(true);
        }
        self.note_names(chain, &block)?;
        self.climb = Some(block);
        Ok(true)
    }

    /// Goes one block down the selected chain, or takes note of the block where it joins that of the pruning point.
    fn climb_from<S: Store>(
        &mut self,
        records: &Records<S>,
        block: Hash32,
        point: &Hash32,
    ) -> Result<(), SvcError> {
        if !is_chain_ancestor(records, &block, point)? {
            self.climb = Some(records.reachability(&block)?.parent);
            return Ok(());
        }
        // Only a graph that begins at several blocks meets in its root.
        let score = match block {
            Hash32::ORIGIN => 0,
            _ => records.header(&block)?.header.blue_score,
        };
        if score < self.join_score {
            (self.join, self.join_score) = (block, score);
        }
        Ok(())
    }

    /// Blocks above can only name as parents at any level what is above or beside the pruning point, or what these
    /// headers name.
    fn note_names<S: Store>(&mut self, chain: &Chain<S>, block: &Hash32) -> Result<(), SvcError> {
        let record = chain.records.header(block)?;
        for level in 0..=chain.rules.profile.max_block_level {
            let parents = parents_at(&record.header, level, &chain.rules.genesis_hash);
            self.named.extend(parents.iter().copied());
        }
        Ok(())
    }

    /// Writes down what was found.
    pub fn finish<S: Store>(self, chain: &mut Chain<S>, plan: &mut Plan) -> Result<(), SvcError> {
        let Chain { rules, records } = chain;
        plan.floor = match self.join {
            Hash32::ORIGIN => Hash32::ORIGIN,
            // A block lower: what is served of the pruning point includes what its own coloring and windows need.
            join => window_floor(records, &rules.profile, &below(records, &join)?)?,
        };
        let shortcut = records.chain_state(&plan.point)?.shortcut;
        plan.segment = match records.has_header(&shortcut)? {
            true => records.header(&shortcut)?.header.blue_score,
            false => 0,
        };
        let row = Kept {
            reasons: kept::NODE,
            index: plan.index,
        };
        for block in &self.named {
            if records.has_reachability(block)? && is_dag_ancestor(records, block, &plan.point)? {
                records.put_kept(block, row);
            }
        }
        Ok(())
    }
}
