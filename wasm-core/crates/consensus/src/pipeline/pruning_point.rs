//! Pruning point advancement: the node's pruning point follows the chain along its samples (specification consensus
//! 7.9).

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::reachability::is_dag_ancestor;
use svc_dag::store::DagStore;

use crate::records::chain::Chain;
use crate::records::meta;
use crate::rules::payload_digest::remember_payloads;
use crate::store::Store;

/// The sample right above the pruning point, when the sink is deep enough above it.
pub fn next_pruning_point<S: Store>(
    chain: &Chain<S>,
    sink: &Hash32,
) -> Result<Option<Hash32>, SvcError> {
    let Chain { rules, records } = chain;
    let point = records.pruning()?.point;
    let lowest = records.header(&point)?.header.blue_score;
    let depth = rules.profile.pruning_depth;
    let top = records.header(sink)?.header.blue_score;
    if top <= lowest.saturating_add(depth) {
        return Ok(None);
    }
    let mut next = None;
    let mut sample = records.pruning_sample(sink)?;
    while sample != point {
        let score = records.header(&sample)?.header.blue_score;
        if score <= lowest {
            break;
        }
        if score.saturating_add(depth) <= top {
            next = Some(sample);
        }
        sample = records.pruning_sample(&sample)?;
    }
    Ok(next)
}

/// Moves the pruning point by one sample if the sink allows it. Tips that are not above it can never be merged: they
/// leave.
pub fn advance<S: Store>(chain: &mut Chain<S>) -> Result<(), SvcError> {
    let sink = chain.records.virtual_record()?.sink;
    let Some(point) = next_pruning_point(chain, &sink)? else {
        return Ok(());
    };
    let mut record = chain.records.pruning()?;
    record.point = point;
    record.index = record.index.saturating_add(1);
    remember_payloads(&mut chain.records, &point)?;
    chain.records.put_pruning_point_at(record.index, &point);
    chain.records.put_pruning(&record);
    let mut tips = Vec::new();
    for tip in chain.records.tips()? {
        if is_dag_ancestor(&chain.records, &point, &tip)? {
            tips.push(tip);
        }
    }
    chain
        .records
        .put_meta(meta::TIPS, meta::encode_hashes(&tips));
    Ok(())
}
