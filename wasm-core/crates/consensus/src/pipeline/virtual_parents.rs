//! Selection of virtual's parents, which a block built now would have (specification consensus 8.2, "parent choice").
//! A policy: any set that passes the header rules is valid.

use std::collections::{BTreeSet, VecDeque};

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::PARENT_WALK_BLOCKS;
use svc_dag::depth::check_bounded_merge;
use svc_dag::ghostdag::{compare, ghostdag};
use svc_dag::reachability::{is_chain_ancestor, is_dag_ancestor};
use svc_dag::store::DagStore;

use crate::records::Records;
use crate::records::chain::Chain;
use crate::rules::acceptance::{Job, unknown_verdicts};
use crate::rules::header_rules::depths_of;
use crate::store::Store;

/// The parents virtual can have now.
pub struct Choice {
    /// The sink first.
    pub parents: Vec<Hash32>,
    /// Verdicts missing in the past of tips that were left out for the lack of them: a block may only be
    /// built over transactions whose fate is known.
    pub jobs: Vec<Job>,
}

/// How far a candidate would grow the mergeset.
enum Growth {
    /// By these blocks.
    By(BTreeSet<Hash32>),
    /// Beyond the budget; this ancestor of the candidate was reached when it ran out.
    TooLarge(Hash32),
}

/// Chooses the parents, `sink` first, out of the other tips that may be merged.
pub fn choose_parents<S: Store>(
    chain: &Chain<S>,
    sink: Hash32,
    tips: &[Hash32],
) -> Result<Choice, SvcError> {
    let mut candidates = candidates(chain, &sink, tips)?;
    let limit = chain.rules.profile.mergeset_size_limit as usize;
    let max_parents = chain.rules.profile.max_block_parents as usize;
    let mut parents = vec![sink];
    let mut mergeset = 1; // the selected parent counts
    let mut jobs = Vec::new();
    let mut walked = 0;
    while let Some(candidate) = candidates.pop_front() {
        let is_full = parents.len() >= max_parents || mergeset >= limit;
        if is_full || walked >= PARENT_WALK_BLOCKS {
            break;
        }
        match mergeset_growth(&chain.records, &parents, &candidate, limit - mergeset)? {
            Growth::By(added) => {
                walked += added.len();
                let unknown = jobs_in(chain, &added)?;
                if unknown.is_empty() && !added.is_empty() {
                    mergeset += added.len();
                    parents.push(candidate);
                }
                jobs.extend(unknown);
            }
            Growth::TooLarge(ancestor) => {
                walked += limit - mergeset;
                replace_candidate(&chain.records, &mut candidates, ancestor)?;
            }
        }
    }
    let parents = drop_bounded_merge_breakers(chain, parents)?;
    Ok(Choice { parents, jobs })
}

fn jobs_in<S: Store>(chain: &Chain<S>, blocks: &BTreeSet<Hash32>) -> Result<Vec<Job>, SvcError> {
    let mut jobs = Vec::new();
    for block in blocks {
        jobs.extend(unknown_verdicts(chain, block)?);
    }
    Ok(jobs)
}

/// Tips other than the sink with at least the work of the sink's merge depth root and with that root in their past,
/// most work first. A tip without it is beside all of the chain above the root: as a rule red, and merging it would
/// break the merge depth bound, so a branch of any length is not looked at in vain with every new block.
fn candidates<S: Store>(
    chain: &Chain<S>,
    sink: &Hash32,
    tips: &[Hash32],
) -> Result<VecDeque<Hash32>, SvcError> {
    let Chain { rules, records } = chain;
    let root = records.depth(sink)?.merge_depth_root;
    let root = if root == Hash32::ORIGIN {
        records.pruning_point()?
    } else {
        root
    };
    let least = records.header(&root)?.header.blue_work;
    let mut found: Vec<Hash32> = Vec::new();
    for tip in tips {
        if tip == sink
            || records.header(tip)?.header.blue_work < least
            || is_dag_ancestor(records, tip, sink)?
            || !is_dag_ancestor(records, &root, tip)?
        {
            continue;
        }
        found.push(*tip);
    }
    sort_descending(records, &mut found)?;
    found.truncate(rules.profile.max_block_parents as usize * 3);
    Ok(found.into())
}

/// Sorts by blue work, then hash, greatest first.
pub fn sort_descending<S: Store>(
    records: &Records<S>,
    blocks: &mut [Hash32],
) -> Result<(), SvcError> {
    let mut failure = None;
    blocks.sort_by(|a, b| {
        compare(records, b, a).unwrap_or_else(|error| {
            failure = Some(error);
            std::cmp::Ordering::Equal
        })
    });
    failure.map_or(Ok(()), Err)
}

/// Walks the candidate's past outside the past of the chosen parents, at most `budget` blocks.
fn mergeset_growth<S: Store>(
    records: &Records<S>,
    parents: &[Hash32],
    candidate: &Hash32,
    budget: usize,
) -> Result<Growth, SvcError> {
    let covered = |block: &Hash32| -> Result<bool, SvcError> {
        for parent in parents {
            if is_dag_ancestor(records, block, parent)? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    if covered(candidate)? {
        return Ok(Growth::By(BTreeSet::new()));
    }
    let mut seen = BTreeSet::from([*candidate]);
    let mut queue = VecDeque::from([*candidate]);
    while let Some(block) = queue.pop_front() {
        if seen.len() > budget {
            return Ok(Growth::TooLarge(block));
        }
        for parent in records.graph_parents(&block)? {
            if !seen.contains(&parent) && !covered(&parent)? {
                seen.insert(parent);
                queue.push_back(parent);
            }
        }
    }
    Ok(Growth::By(seen))
}

/// Puts an ancestor into the queue in place of the candidates above it, so that a long side branch is
/// merged a piece at a time.
fn replace_candidate<S: Store>(
    records: &Records<S>,
    candidates: &mut VecDeque<Hash32>,
    ancestor: Hash32,
) -> Result<(), SvcError> {
    let mut kept = VecDeque::new();
    for candidate in candidates.drain(..) {
        if candidate == ancestor || !is_dag_ancestor(records, &ancestor, &candidate)? {
            kept.push_back(candidate);
        }
    }
    if !kept.contains(&ancestor) {
        kept.push_back(ancestor);
    }
    *candidates = kept;
    Ok(())
}

/// Drops parents until the mergeset breaks no merge depth bound. The sink itself never breaks it.
fn drop_bounded_merge_breakers<S: Store>(
    chain: &Chain<S>,
    mut parents: Vec<Hash32>,
) -> Result<Vec<Hash32>, SvcError> {
    while parents.len() > 1 {
        let data = ghostdag(&chain.records, chain.rules.profile.ghostdag_k, &parents)?;
        let depths = depths_of(chain, &data)?;
        match check_bounded_merge(&chain.records, &data, &depths.depth) {
            Ok(()) => break,
            Err(error) if crate::failure::is_fatal(&error) => return Err(error),
            Err(_) => parents.truncate(parents.len() - 1),
        }
    }
    Ok(parents)
}

/// The finality point seen from a block; the pruning point where the chain above that is shorter.
pub fn finality_point<S: Store>(records: &Records<S>, block: &Hash32) -> Result<Hash32, SvcError> {
    match records.depth(block)?.finality_point {
        Hash32::ORIGIN => records.pruning_point(),
        point => Ok(point),
    }
}

/// Whether a tip keeps the finality point on its chain (specification consensus 7.8).
pub fn keeps_finality<S: Store>(
    records: &Records<S>,
    finality_point: &Hash32,
    tip: &Hash32,
) -> Result<bool, SvcError> {
    is_chain_ancestor(records, finality_point, tip)
}
