//! The node's pruning point follows the chain along its samples (specification consensus 7.9).

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::reachability::{have_common_future, is_dag_ancestor};
use svc_dag::store::DagStore;

use crate::chain_rules::ChainRules;
use crate::export::state::remember_payloads;
use crate::meta;
use crate::state::State;
use crate::store::Store;

/// The sample right above the pruning point, when the sink is deep enough above it.
pub fn next_pruning_point<S: Store>(
    rules: &ChainRules,
    state: &State<S>,
    sink: &Hash32,
) -> Result<Option<Hash32>, SvcError> {
    let point = state.pruning()?.point;
    let lowest = state.header(&point)?.header.blue_score;
    let depth = rules.profile.pruning_depth;
    let top = state.header(sink)?.header.blue_score;
    if top <= lowest.saturating_add(depth) {
        return Ok(None);
    }
    let mut next = None;
    let mut sample = state.pruning_sample(sink)?;
    while sample != point {
        let score = state.header(&sample)?.header.blue_score;
        if score <= lowest {
            break;
        }
        if score.saturating_add(depth) <= top {
            next = Some(sample);
        }
        sample = state.pruning_sample(&sample)?;
    }
    Ok(next)
}

/// Moves the pruning point by one sample if the sink allows it. Tips that are not above it can never be merged: they
/// leave.
pub fn advance<S: Store>(rules: &ChainRules, state: &mut State<S>) -> Result<(), SvcError> {
    let sink = state.virtual_record()?.sink;
    let Some(point) = next_pruning_point(rules, state, &sink)? else {
        return Ok(());
    };
    let mut record = state.pruning()?;
    record.point = point;
    record.index = record.index.saturating_add(1);
    remember_payloads(state, &point)?;
    state.put_pruning_point_at(record.index, &point);
    state.put_pruning(&record);
    let mut tips = Vec::new();
    for tip in state.tips()? {
        if is_dag_ancestor(state, &point, &tip)? {
            tips.push(tip);
        }
    }
    state.put_meta(meta::TIPS, meta::encode_hashes(&tips));
    Ok(())
}

/// Whether a block is below the pruning point, or beside it without having been merged above it: its body is not wanted
/// any more, and nothing may be built on it. While a sweep is due such a block may be gone in part. After it every block
/// beside the pruning point that has a node is one that stays.
pub fn is_out_of_reach<S: Store>(state: &State<S>, block: &Hash32) -> Result<bool, SvcError> {
    if !state.has_reachability(block)? {
        return Ok(true);
    }
    let record = state.pruning()?;
    let point = &record.point;
    if is_dag_ancestor(state, point, block)? {
        return Ok(false);
    }
    if is_dag_ancestor(state, block, point)? {
        return Ok(true);
    }
    Ok(record.swept != record.point && !have_common_future(state, point, block)?)
}
