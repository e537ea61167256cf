//! Pruning boundary: the blocks on which nothing may be built any more (specification consensus 7.9).

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::reachability::{have_common_future, is_dag_ancestor};
use svc_dag::store::DagStore;

use crate::records::Records;
use crate::store::Store;

/// Whether a block is below the pruning point, or beside it without having been merged above it: its body is not wanted
/// any more, and nothing may be built on it. While a sweep is due such a block may be gone in part. After it every block
/// beside the pruning point that has a node is one that stays.
pub fn is_out_of_reach<S: Store>(records: &Records<S>, block: &Hash32) -> Result<bool, SvcError> {
    if !records.has_reachability(block)? {
        return Ok(true);
    }
    let record = records.pruning()?;
    let point = &record.point;
    if is_dag_ancestor(records, point, block)? {
        return Ok(false);
    }
    if is_dag_ancestor(records, block, point)? {
        return Ok(true);
    }
    Ok(record.swept != record.point && !have_common_future(records, point, block)?)
}
