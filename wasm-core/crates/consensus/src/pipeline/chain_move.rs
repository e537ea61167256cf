//! Chain reorganisation: moves the selected chain to a chain that was judged, down to the common block and up again,
//! a page at a time.
//!
//! Each page leaves a whole selected chain with its own sink, so readers never see a mixture; in between the chain
//! is only shorter. [`crate::records::meta::MOVING`] names the goal until it is reached, also across restarts: until then
//! no other tip is looked at, so finality is always judged from a sink at rest.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::CHAIN_PAGE_BLOCKS;
use svc_codec::reader::Reader;
use svc_dag::reachability::{is_chain_ancestor, next_chain_ancestor};
use svc_dag::store::DagStore;

use crate::records::meta::{self, VirtualRecord};
use crate::records::record_fields::whole;
use crate::records::{Records, stored};
use crate::store::Store;

/// A part of a change of the selected chain, a change of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainPage {
    /// Blocks that left the selected chain, newest first.
    pub removed: Vec<Hash32>,
    /// Blocks that joined it, oldest first.
    pub added: Vec<Hash32>,
    /// Whether the change ends with it.
    pub last: bool,
}

/// The goal of a change that is under way.
pub fn goal<S: Store>(records: &Records<S>) -> Result<Option<Hash32>, SvcError> {
    let found = records.find_meta(meta::MOVING)?;
    stored(
        "meta",
        found.map(|bytes| whole(&bytes, Reader::hash)).transpose(),
    )
}

/// Moves the selected chain one page towards `goal`, another block than the sink, whose chain is judged valid. At its
/// end virtual has `goal` as its only parent.
pub fn next_page<S: Store>(records: &mut Records<S>, goal: &Hash32) -> Result<ChainPage, SvcError> {
    let mut sink = records.virtual_record()?.sink;
    let mut index = index_of(records, &sink)?;
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    let mut is_common = is_chain_ancestor(records, &sink, goal)?;
    while !is_common && removed.len() < CHAIN_PAGE_BLOCKS {
        records.set_chain(index, &sink, false);
        removed.push(sink);
        sink = records.ghostdag(&sink)?.selected_parent;
        index = index_of(records, &sink)?;
        is_common = is_chain_ancestor(records, &sink, goal)?;
    }
    while is_common && sink != *goal && added.len() < CHAIN_PAGE_BLOCKS {
        sink = next_chain_ancestor(records, goal, &sink)?;
        index += 1;
        records.set_chain(index, &sink, true);
        added.push(sink);
    }
    let last = sink == *goal;
    if last {
        if goal_is_stored(records)? {
            records.delete_meta(meta::MOVING);
        }
    } else {
        records.put_meta(meta::MOVING, goal.as_bytes().to_vec());
    }
    let parents = vec![sink];
    records.put_meta(meta::VIRTUAL, VirtualRecord { sink, parents }.encode());
    Ok(ChainPage {
        removed,
        added,
        last,
    })
}

fn goal_is_stored<S: Store>(records: &Records<S>) -> Result<bool, SvcError> {
    Ok(records.find_meta(meta::MOVING)?.is_some())
}

fn index_of<S: Store>(records: &Records<S>, block: &Hash32) -> Result<u64, SvcError> {
    let missing = || SvcError::new(Code::StoreMissing).with("table", "chain index");
    records.chain_index(block)?.ok_or_else(missing)
}
