//! Construction of a block's parents at every block level (specification consensus 7.7).

use std::collections::HashSet;
use std::rc::Rc;

use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::reachability::is_dag_ancestor;
use crate::records::HeaderRecord;
use crate::store::DagStore;

/// The parents that a header names at a level: a level it does not write out stands for genesis, and genesis itself
/// has none at any level.
pub fn parents_at<'a>(header: &'a Header, level: u8, genesis: &'a Hash32) -> &'a [Hash32] {
    if header.parents.levels() == 0 {
        return &[];
    }
    let written = header.parents.level(usize::from(level));
    written.unwrap_or(std::slice::from_ref(genesis))
}

/// Builds the parents of a block with these direct parents, an antichain of which at least one is
/// in the future of the pruning point. Level 0 keeps the given order.
///
/// # Errors
/// `header/no-parents`, `header/pruning-violation` when no parent is above the pruning point,
/// `header/bad-parents` when the levels expand beyond their bound, `store/*`.
pub fn build_parents(
    store: &impl DagStore,
    profile: &Profile,
    genesis: &Hash32,
    pruning_point: &Hash32,
    direct_parents: &[Hash32],
) -> Result<Parents, SvcError> {
    let own = |parent: &HeaderRecord| parent.level;
    let network = (profile, genesis, pruning_point);
    build_parents_by(store, network, direct_parents, own)
}

/// As [`build_parents`], with the level of each direct parent as `level_of` has it: witnesses of form 0 leave it open.
/// The profile comes with the ids of genesis and of the pruning point.
///
/// # Errors
/// As [`build_parents`].
pub fn build_parents_by(
    store: &impl DagStore,
    (profile, genesis, pruning_point): (&Profile, &Hash32, &Hash32),
    direct_parents: &[Hash32],
    level_of: impl Fn(&HeaderRecord) -> u8,
) -> Result<Parents, SvcError> {
    if direct_parents.is_empty() {
        return Err(SvcError::new(Code::HeaderNoParents));
    }
    let mut direct = Vec::with_capacity(direct_parents.len());
    for parent in direct_parents {
        let record = store.header(parent)?;
        let level = level_of(&record);
        direct.push(DirectParent { record, level });
    }
    let seed = index_above(store, pruning_point, direct_parents)?;
    let builder = Builder {
        store,
        genesis: *genesis,
        pruning_point: *pruning_point,
        direct,
        seed,
    };
    let mut levels = vec![direct_parents.to_vec()];
    for level in 1..=profile.max_block_level {
        let parents = builder.level(level)?;
        if parents == [*genesis] {
            break;
        }
        levels.push(parents);
    }
    Parents::from_levels(&levels)
}

/// Index of the first block in the future of the pruning point.
fn index_above(
    store: &impl DagStore,
    pruning_point: &Hash32,
    blocks: &[Hash32],
) -> Result<usize, SvcError> {
    for (index, block) in blocks.iter().enumerate() {
        if is_dag_ancestor(store, pruning_point, block)? {
            return Ok(index);
        }
    }
    Err(SvcError::new(Code::HeaderPruningViolation).with("pruningPoint", pruning_point))
}

/// A direct parent with the level it counts for.
struct DirectParent {
    record: Rc<HeaderRecord>,
    level: u8,
}

/// A candidate of one level.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Candidate {
    block: Hash32,
    /// Whether it is in the past of the pruning point. There ancestry is known in part only: a node keeps few blocks
    /// and not what lies between them.
    below: bool,
}

struct Builder<'a, S> {
    store: &'a S,
    genesis: Hash32,
    pruning_point: Hash32,
    direct: Vec<DirectParent>,
    /// A direct parent above the pruning point. What other parents name below the pruning point is in its past, so
    /// at each level it alone says which of those blocks are the greatest.
    seed: usize,
}

impl<S: DagStore> Builder<'_, S> {
    /// The antichain of the greatest known blocks that reach `level`.
    fn level(&self, level: u8) -> Result<Vec<Hash32>, SvcError> {
        let mut candidates = Vec::new();
        for parent in self.direct.iter().filter(|parent| parent.level >= level) {
            // Direct parents are not in the past of one of them, the seed's included.
            let (block, below) = (parent.record.hash, false);
            candidates.push(Candidate { block, below });
        }
        let seed = self.direct.get(self.seed);
        let others = self.direct.iter().enumerate();
        let others = others.filter(|(index, _)| *index != self.seed);
        let below_level = seed.into_iter().chain(others.map(|(_, parent)| parent));
        // What a direct parent that reaches the level names there is in its own past.
        for parent in below_level.filter(|parent| parent.level < level) {
            let is_seed = seed.is_some_and(|seed| seed.record.hash == parent.record.hash);
            for block in parents_at(&parent.record.header, level, &self.genesis) {
                self.offer(&mut candidates, (*block, is_seed), level)?;
            }
        }
        Ok(candidates
            .into_iter()
            .map(|candidate| candidate.block)
            .collect())
    }

    /// Whether a block is in the past of the pruning point. Blocks that are not known at all are: everything beside
    /// and above it is kept.
    fn is_below(&self, block: &Hash32) -> Result<bool, SvcError> {
        if *block == self.pruning_point || self.pruning_point == self.genesis {
            return Ok(false);
        }
        Ok(!self.store.has_reachability(block)?
            || is_dag_ancestor(self.store, block, &self.pruning_point)?)
    }

    /// Adds a block unless it is in the past of a candidate; it replaces those in its own past. What the seed names below
    /// the pruning point is offered beside a direct parent too, whether the graph still has it or not: what a header must
    /// name may not depend on what a node has pruned.
    fn offer(
        &self,
        candidates: &mut Vec<Candidate>,
        (block, by_seed): (Hash32, bool),
        level: u8,
    ) -> Result<(), SvcError> {
        let below = self.is_below(&block)?;
        let offered = Candidate { block, below };
        if (below && !by_seed) || candidates.contains(&offered) {
            return Ok(());
        }
        for candidate in candidates.iter() {
            if self.is_past(&offered, candidate, level)? {
                return Ok(());
            }
        }
        let mut kept = Vec::with_capacity(candidates.len() + 1);
        for candidate in candidates.drain(..) {
            if !self.is_past(&candidate, &offered, level)? {
                kept.push(candidate);
            }
        }
        kept.push(offered);
        *candidates = kept;
        Ok(())
    }

    /// Whether a candidate is in the past of another. Those below the pruning point were all named by the seed, so
    /// they are an antichain; one of them is in the past of everything above the pruning point, and beside it of
    /// what leads to it by the parents of the level.
    fn is_past(&self, a: &Candidate, b: &Candidate, level: u8) -> Result<bool, SvcError> {
        match (a.below, b.below) {
            (_, true) => Ok(false),
            (false, false) => is_dag_ancestor(self.store, &a.block, &b.block),
            (true, false) => Ok(is_dag_ancestor(self.store, &self.pruning_point, &b.block)?
                || self.leads_to(&b.block, &a.block, level)?),
        }
    }

    /// Whether the parents of a level lead from a block beside the pruning point to a block below it, which nothing
    /// at the level below the pruning point is above of.
    fn leads_to(&self, from: &Hash32, to: &Hash32, level: u8) -> Result<bool, SvcError> {
        let mut seen = HashSet::new();
        let mut waiting = vec![*from];
        while let Some(block) = waiting.pop() {
            let record = self.store.header(&block)?;
            for parent in parents_at(&record.header, level, &self.genesis) {
                if parent == to {
                    return Ok(true);
                }
                if seen.insert(*parent) && !self.is_below(parent)? {
                    waiting.push(*parent);
                }
            }
        }
        Ok(false)
    }
}
