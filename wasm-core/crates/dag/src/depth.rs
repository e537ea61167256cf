//! Merge depth and finality depth of a block, and the bounded merge rule (specification consensus 7.8).

use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::reachability::{is_chain_ancestor, is_dag_ancestor, next_chain_ancestor};
use crate::records::{DepthRecord, GhostdagData};
use crate::store::DagStore;

/// Merge depth root and finality point of a block with this GHOSTDAG data.
///
/// # Errors
/// `store/*`.
pub fn depth_record(
    store: &impl DagStore,
    profile: &Profile,
    genesis: &Hash32,
    pruning_point: &Hash32,
    data: &GhostdagData,
) -> Result<DepthRecord, SvcError> {
    let parent = if data.selected_parent == Hash32::ORIGIN {
        DepthRecord {
            merge_depth_root: Hash32::ORIGIN,
            finality_point: Hash32::ORIGIN,
        }
    } else {
        store.depth(&data.selected_parent)?
    };
    let at = |depth, start| block_at_depth(store, data, (genesis, pruning_point), (depth, start));
    Ok(DepthRecord {
        merge_depth_root: at(profile.merge_depth, parent.merge_depth_root)?,
        finality_point: at(profile.finality_depth, parent.finality_point)?,
    })
}

/// The last chain block that is more than `depth` below the block in blue score, searched from
/// `start`, the selected parent's answer: so the answer never moves down along a chain.
fn block_at_depth(
    store: &impl DagStore,
    data: &GhostdagData,
    (genesis, pruning_point): (&Hash32, &Hash32),
    (depth, start): (u64, Hash32),
) -> Result<Hash32, SvcError> {
    let tip = data.selected_parent;
    if tip == Hash32::ORIGIN {
        return Ok(Hash32::ORIGIN);
    }
    let Some(required) = data.blue_score.checked_sub(depth) else {
        return Ok(*genesis);
    };
    if required < store.ghostdag(pruning_point)?.blue_score
        || !is_chain_ancestor(store, pruning_point, &tip)?
    {
        return Ok(Hash32::ORIGIN);
    }
    // The parent's answer is from before the pruning point moved when it is below it; it may be gone. So it counts for nothing
    // even while it is kept: the answer must not depend on how far this node has pruned. The two differ only where `required`
    // is the score of the pruning point itself, far below what any tip can merge.
    let is_above = start != Hash32::ORIGIN
        && store.has_reachability(&start)?
        && is_chain_ancestor(store, pruning_point, &start)?;
    let mut current = if is_above { start } else { *pruning_point };
    while current != tip {
        let next = next_chain_ancestor(store, &tip, &current)?;
        if store.ghostdag(&next)?.blue_score >= required {
            break;
        }
        current = next;
    }
    Ok(current)
}

/// Every red of the mergeset must be above the merge depth root, or in the past of a blue that has
/// the root on its selected chain.
///
/// # Errors
/// `header/bounded-merge` with the offending block, `store/*`.
pub fn check_bounded_merge(
    store: &impl DagStore,
    data: &GhostdagData,
    record: &DepthRecord,
) -> Result<(), SvcError> {
    let root = &record.merge_depth_root;
    let mut allowing: Option<Vec<Hash32>> = None;
    for red in &data.reds {
        if is_dag_ancestor(store, root, red)? {
            continue;
        }
        let blues = match allowing.take() {
            Some(blues) => blues,
            None => blues_above(store, data, root)?,
        };
        let mut allowed = false;
        for blue in &blues {
            allowed = allowed || is_dag_ancestor(store, red, blue)?;
        }
        if !allowed {
            return Err(SvcError::new(Code::HeaderBoundedMerge).with("block", red));
        }
        allowing = Some(blues);
    }
    Ok(())
}

/// Mergeset blues with `root` on their selected chain.
fn blues_above(
    store: &impl DagStore,
    data: &GhostdagData,
    root: &Hash32,
) -> Result<Vec<Hash32>, SvcError> {
    let mut blues = Vec::new();
    for blue in &data.blues {
        if is_chain_ancestor(store, root, blue)? {
            blues.push(*blue);
        }
    }
    Ok(blues)
}
