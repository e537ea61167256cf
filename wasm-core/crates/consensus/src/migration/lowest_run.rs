//! Where runs of evidence begin in a store that was brought to layout 5: blocks that were pruned before have no opening (ADR 61).

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::store::DagStore;
use svc_evidence::run::can_step_from;

use crate::records::chain::Chain;
use crate::records::{meta, missing};
use crate::store::Store;

/// Notes the index of the lowest chain block above which every block can be skipped by a run; nothing where that is genesis. Blocks of
/// another branch at that height were made anew like these.
///
/// # Errors
/// `store/*`.
pub fn lowest_run<S: Store>(chain: &mut Chain<S>) -> Result<(), SvcError> {
    let records = &chain.records;
    let sink = records.virtual_record()?.sink;
    let mut lowest = sink;
    let mut index = records.chain_index(&sink)?.unwrap_or(0);
    while index > 0 {
        if !can_be_skipped(chain, &lowest)? {
            break;
        }
        index -= 1;
        let below = records.chain_at(index)?;
        lowest = below.ok_or_else(|| missing("chain", &lowest))?;
    }
    if index > 0 {
        chain
            .records
            .put_meta(meta::RUNS_FROM, index.to_le_bytes().to_vec());
    }
    Ok(())
}

/// Whether a run can pass over a chain block: its record has the opening, or its selected parent is of a level that shows it by name.
fn can_be_skipped<S: Store>(chain: &Chain<S>, block: &Hash32) -> Result<bool, SvcError> {
    let records = &chain.records;
    let Some(row) = records.chain_evidence(block)? else {
        return Ok(false);
    };
    if row.parent_path.is_some() {
        return Ok(true);
    }
    if !records.has_header(block)? {
        return Ok(false);
    }
    let parent = records.ghostdag(block)?.selected_parent;
    Ok(records.has_header(&parent)? && !can_step_from(records.header(&parent)?.level))
}
