//! Moving virtual to the best tip: the sink search of specification consensus 8.2, in steps small enough
//! for a host that must answer in between.

use std::collections::BTreeSet;

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::ghostdag::compare;
use svc_dag::reachability::{hint_virtual_selected_parent, is_chain_ancestor, is_dag_ancestor};
use svc_dag::store::DagStore;

use crate::acceptance::Job;
use crate::block_status::{BlockStatus, Stage};
use crate::chain_block::{Judgement, apply_position, judge_chain_block, revert_position};
use crate::chain_rules::ChainRules;
use crate::meta::{self, VirtualRecord};
use crate::state::State;
use crate::store::Store;
use crate::virtual_parents::{Choice, choose_parents, keeps_finality};

/// A change of the selected chain, oldest blocks first in `added`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainChange {
    /// Blocks that left the selected chain, newest first.
    pub removed: Vec<Hash32>,
    /// Blocks that joined it, oldest first.
    pub added: Vec<Hash32>,
}

/// How far a resolve step came.
#[derive(Debug)]
pub enum Progress {
    /// Virtual is at the best tip.
    Done {
        /// The chain change, if any.
        change: Option<ChainChange>,
        /// Verdicts of tips that virtual cannot merge without them.
        jobs: Vec<Job>,
    },
    /// The budget ran out; call again.
    More,
    /// These verdicts are needed before the next block can be judged.
    NeedVerdicts(Vec<Job>),
}

/// What became of one candidate.
enum Walk {
    Arrived,
    Refused,
    OutOfBudget,
    NeedVerdicts(Vec<Job>),
}

/// Resolves virtual, judging or re-applying at most `budget` chain blocks.
pub fn resolve<S: Store>(
    rules: &ChainRules,
    state: &mut State<S>,
    budget: usize,
) -> Result<Progress, SvcError> {
    let before = state.virtual_record()?;
    let finality_point = match state.depth(&before.sink)?.finality_point {
        Hash32::ORIGIN => rules.genesis_hash,
        point => point,
    };
    let mut heap: Vec<Hash32> = state.tips()?;
    let mut budget = budget;
    loop {
        let Some(candidate) = pop_best(state, &mut heap)? else {
            // The old sink is in the past of the tips, so the search ends there at the latest.
            return finish(rules, state, before.clone(), (before.sink, &heap));
        };
        if keeps_finality(state, &finality_point, &candidate)? {
            match walk_to(rules, state, &candidate, &mut budget)? {
                // What is left has less work than the sink. A refused tip may have more, and as a parent it
                // would become the selected one.
                Walk::Arrived => return finish(rules, state, before, (candidate, &heap)),
                Walk::OutOfBudget => return Ok(Progress::More),
                Walk::NeedVerdicts(jobs) => return Ok(Progress::NeedVerdicts(jobs)),
                Walk::Refused => {}
            }
        }
        push_parents(state, &mut heap, (&candidate, &finality_point))?;
    }
}

fn pop_best<S: Store>(
    state: &State<S>,
    heap: &mut Vec<Hash32>,
) -> Result<Option<Hash32>, SvcError> {
    let mut best: Option<usize> = None;
    for index in 0..heap.len() {
        let better = match best {
            None => true,
            Some(best) => compare(state, &heap[index], &heap[best])?.is_gt(),
        };
        if better {
            best = Some(index);
        }
    }
    Ok(best.map(|index| heap.swap_remove(index)))
}

/// Replaces a refused candidate by its parents that are not in the past of another candidate.
fn push_parents<S: Store>(
    state: &State<S>,
    heap: &mut Vec<Hash32>,
    (candidate, finality_point): (&Hash32, &Hash32),
) -> Result<(), SvcError> {
    let header = state.header(candidate)?;
    for parent in header.header.direct_parents() {
        if !is_dag_ancestor(state, finality_point, parent)? {
            continue;
        }
        let mut covered = false;
        for other in heap.iter() {
            covered |= is_dag_ancestor(state, parent, other)?;
        }
        if !covered {
            heap.push(*parent);
        }
    }
    Ok(())
}

/// Moves the position to `target` along the selected chains, judging blocks not judged yet.
fn walk_to<S: Store>(
    rules: &ChainRules,
    state: &mut State<S>,
    target: &Hash32,
    budget: &mut usize,
) -> Result<Walk, SvcError> {
    let Some(path) = path_up(state, target)? else {
        return Ok(Walk::Refused);
    };
    let split = match path.first() {
        Some(first) => state.ghostdag(first)?.selected_parent,
        None => *target,
    };
    while state.position()? != split {
        if *budget == 0 {
            return Ok(Walk::OutOfBudget);
        }
        *budget -= 1;
        revert_position(state)?;
    }
    for (index, block) in path.iter().enumerate() {
        if *budget == 0 {
            return Ok(Walk::OutOfBudget);
        }
        *budget -= 1;
        if state.stage(block)? == Some(Stage::Valid) {
            apply_position(state, block)?;
            continue;
        }
        match judge_chain_block(rules, state, block)? {
            Judgement::Valid => {}
            Judgement::NeedVerdicts(jobs) => return Ok(Walk::NeedVerdicts(jobs)),
            Judgement::Disqualified(reason) => {
                disqualify(state, &path[index..], Some(&reason))?;
                return Ok(Walk::Refused);
            }
        }
    }
    Ok(Walk::Arrived)
}

/// Selected chain of `target` above the position's chain, oldest first. `None` when it stands on a refused
/// block; what stands above that one is then marked too, so that the way down is walked only once.
fn path_up<S: Store>(
    state: &mut State<S>,
    target: &Hash32,
) -> Result<Option<Vec<Hash32>>, SvcError> {
    let position = state.position()?;
    let mut path = Vec::new();
    let mut current = *target;
    while !is_chain_ancestor(state, &current, &position)? {
        if state.stage(&current)? == Some(Stage::Disqualified) {
            disqualify(state, &path, None)?;
            return Ok(None);
        }
        path.push(current);
        current = state.ghostdag(&current)?.selected_parent;
    }
    path.reverse();
    Ok(Some(path))
}

/// Marks a block and all above it on the path as not fit for the chain.
fn disqualify<S: Store>(
    state: &mut State<S>,
    path: &[Hash32],
    reason: Option<&SvcError>,
) -> Result<(), SvcError> {
    for (index, block) in path.iter().enumerate() {
        let status = state.known_status(block)?;
        let code = match reason {
            Some(error) if index == 0 => error.code.as_str(),
            _ => svc_codec::code::Code::VirtualDisqualified.as_str(),
        };
        let refused = BlockStatus {
            stage: Stage::Disqualified,
            reason: code.to_owned(),
            ..status.as_ref().clone()
        };
        state.put_status(block, refused);
    }
    Ok(())
}

/// Records the new virtual and the selected-chain index.
fn finish<S: Store>(
    rules: &ChainRules,
    state: &mut State<S>,
    before: VirtualRecord,
    (sink, others): (Hash32, &[Hash32]),
) -> Result<Progress, SvcError> {
    let mut budget = usize::MAX;
    if state.position()? != sink {
        // Only reached when every tip was refused: go back to the old sink, whose chain is judged.
        walk_to(rules, state, &sink, &mut budget)?;
    }
    let change = change_chain(state, &before.sink, &sink)?;
    if change.is_some() {
        hint_virtual_selected_parent(state, sink)?;
    }
    let Choice { parents, jobs } = choose_parents(rules, state, sink, others)?;
    if change.is_some() || parents != before.parents {
        state.put_meta(meta::VIRTUAL, VirtualRecord { sink, parents }.encode());
    }
    Ok(Progress::Done { change, jobs })
}

fn change_chain<S: Store>(
    state: &mut State<S>,
    from: &Hash32,
    to: &Hash32,
) -> Result<Option<ChainChange>, SvcError> {
    if from == to {
        return Ok(None);
    }
    let mut change = ChainChange {
        removed: Vec::new(),
        added: Vec::new(),
    };
    let mut common = *from;
    while !is_chain_ancestor(state, &common, to)? {
        change.removed.push(common);
        common = state.ghostdag(&common)?.selected_parent;
    }
    let mut current = *to;
    while current != common {
        change.added.push(current);
        current = state.ghostdag(&current)?.selected_parent;
    }
    change.added.reverse();
    let missing =
        || SvcError::new(svc_codec::code::Code::StoreMissing).with("table", "chain index");
    for block in &change.removed {
        let index = state.chain_index(block)?.ok_or_else(missing)?;
        state.set_chain(index, block, false);
    }
    let base = state.chain_index(&common)?.ok_or_else(missing)?;
    for (offset, block) in change.added.iter().enumerate() {
        state.set_chain(base + 1 + offset as u64, block, true);
    }
    Ok(Some(change))
}

/// Tips after a block with a body arrived: it replaces those of its parents that were tips.
pub fn update_tips<S: Store>(
    state: &mut State<S>,
    block: &Hash32,
    parents: &[Hash32],
) -> Result<(), SvcError> {
    let parents: BTreeSet<&Hash32> = parents.iter().collect();
    let mut tips: Vec<Hash32> = state
        .tips()?
        .into_iter()
        .filter(|tip| !parents.contains(tip))
        .collect();
    tips.push(*block);
    state.put_meta(meta::TIPS, meta::encode_hashes(&tips));
    Ok(())
}
