//! Pruning point advancement: the node's pruning point follows the chain along its samples (specification consensus
//! 7.9).

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::reachability::is_dag_ancestor;
use svc_dag::store::DagStore;

use crate::parameters::Parameters;
use crate::records::{Records, meta};
use crate::rules::payload_digest::remember_payloads;
use crate::store::Store;

/// The sample right above the pruning point, when the sink is deep enough above it.
pub fn next_pruning_point<S: Store>(
    rules: &Parameters,
    state: &Records<S>,
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
pub fn advance<S: Store>(rules: &Parameters, state: &mut Records<S>) -> Result<(), SvcError> {
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
