//! Parents of a block at every level (specification consensus 7.7).

use std::rc::Rc;

use svc_chain::header::Header;
use svc_chain::parents::Parents;
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
    if direct_parents.is_empty() {
        return Err(SvcError::new(Code::HeaderNoParents));
    }
    let direct = direct_parents
        .iter()
        .map(|parent| store.header(parent))
        .collect::<Result<Vec<_>, _>>()?;
    let seed = index_above(store, pruning_point, direct_parents)?;
    let builder = Builder {
        store,
        genesis: *genesis,
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

/// A candidate of one level.
struct Candidate {
    block: Hash32,
    /// Kept blocks that stand for it in questions of ancestry: itself, or for a pruned block the
    /// lowest kept blocks that name it as a parent. The pruning point is always among those, so a
    /// block above the pruning point is never mistaken; its anticone, of which that cannot be said,
    /// was merged by every tip long ago.
    known_by: Vec<Hash32>,
}

impl Candidate {
    fn kept(block: Hash32) -> Self {
        Self {
            block,
            known_by: vec![block],
        }
    }
}

struct Builder<'a, S> {
    store: &'a S,
    genesis: Hash32,
    direct: Vec<Rc<HeaderRecord>>,
    /// The direct parent whose own parents come first where no direct parent reaches a level. It is
    /// above the pruning point, so every pruned block is in the past of what it names.
    seed: usize,
}

impl<S: DagStore> Builder<'_, S> {
    /// The antichain of the greatest known blocks that reach `level`.
    fn level(&self, level: u8) -> Result<Vec<Hash32>, SvcError> {
        let mut candidates: Vec<Candidate> = self
            .direct
            .iter()
            .filter(|parent| parent.level >= level)
            .map(|parent| Candidate::kept(parent.hash))
            .collect();
        let seeded = candidates.is_empty();
        if seeded {
            for block in self.parents_at(&self.direct[self.seed], level) {
                candidates.push(self.seed_candidate(*block, level)?);
            }
        }
        for (index, parent) in self.direct.iter().enumerate() {
            // What a direct parent that reaches the level names there is in its own past.
            if parent.level >= level || (seeded && index == self.seed) {
                continue;
            }
            for block in self.parents_at(parent, level) {
                self.offer(&mut candidates, *block)?;
            }
        }
        Ok(candidates
            .into_iter()
            .map(|candidate| candidate.block)
            .collect())
    }

    fn parents_at<'r>(&'r self, record: &'r HeaderRecord, level: u8) -> &'r [Hash32] {
        parents_at(&record.header, level, &self.genesis)
    }

    fn seed_candidate(&self, block: Hash32, level: u8) -> Result<Candidate, SvcError> {
        if self.store.has_reachability(&block)? {
            return Ok(Candidate::kept(block));
        }
        let mut known_by = Vec::new();
        for lowest in &self.store.reachability(&Hash32::ORIGIN)?.children {
            let record = self.store.header(lowest)?;
            if self.parents_at(&record, level).contains(&block) {
                known_by.push(*lowest);
            }
        }
        Ok(Candidate { block, known_by })
    }

    /// Adds a block unless it is in the past of a candidate; it replaces those in its own past.
    fn offer(&self, candidates: &mut Vec<Candidate>, block: Hash32) -> Result<(), SvcError> {
        if !self.store.has_reachability(&block)? {
            return Ok(());
        }
        for candidate in candidates.iter() {
            for known in &candidate.known_by {
                if is_dag_ancestor(self.store, &block, known)? {
                    return Ok(());
                }
            }
        }
        let mut kept = Vec::with_capacity(candidates.len() + 1);
        for candidate in candidates.drain(..) {
            let mut replaced = false;
            for known in &candidate.known_by {
                replaced = replaced || is_dag_ancestor(self.store, known, &block)?;
            }
            if !replaced {
                kept.push(candidate);
            }
        }
        kept.push(Candidate::kept(block));
        *candidates = kept;
        Ok(())
    }
}
