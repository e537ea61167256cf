//! Sync queries (block locators, headers, bodies), by which nodes find their last common block and serve each other
//! (specification network 1.6 and 1.8). Pages of the past of a block are in [`crate::questions::past_pages`].

use svc_chain::header::raw::write_header;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{
    MAX_LOCATOR_HASHES, PRUNING_POINTS_PER_CALL, SIDE_CHAIN_STEPS, SYNC_BLOCKS_PER_CALL,
    SYNC_PAGE_BLOCKS, SYNC_PAGE_BYTES,
};
use svc_codec::writer::Writer;
use svc_dag::reachability::{is_chain_ancestor, is_dag_ancestor};
use svc_dag::store::DagStore;

use crate::pipeline::side_chain::{if_held, pruned};
use crate::records::{Records, missing};
use crate::store::Store;

/// How far a block has come, by the names of BlockFacts; "pruned" when it is below the pruning point and has no place in
/// the graph any more, `None` when it was never accepted as a header, also if an import brought its header for its own
/// sake. Two reads.
///
/// # Errors
/// `store/*`.
pub fn block_stage<S: Store>(
    records: &Records<S>,
    hash: &Hash32,
) -> Result<Option<&'static str>, SvcError> {
    let known = match records.status(hash)? {
        Some(status) if records.has_reachability(hash)? => return Ok(Some(status.stage.name())),
        Some(_) => true,
        None => records.chain_index(hash)?.is_some(),
    };
    Ok(known.then_some("pruned"))
}

/// Block locator: hashes of the selected chain from `high` (the sink) down to `low` (the pruning point), the distance
/// by chain index doubling, at most [`MAX_LOCATOR_HASHES`] (specification network 1.8 A). Empty when one of them is
/// not on the selected chain or `low` is above `high`: the chain has moved, or the other side has another.
///
/// # Errors
/// `store/*`.
pub fn chain_locator<S: Store>(
    records: &Records<S>,
    low: Option<&Hash32>,
    high: Option<&Hash32>,
) -> Result<Vec<Hash32>, SvcError> {
    let low = match low {
        Some(low) => *low,
        None => records.pruning_point()?,
    };
    let high = match high {
        Some(high) => *high,
        None => records.virtual_record()?.sink,
    };
    let (Some(last), Some(first)) = (records.chain_index(&low)?, records.chain_index(&high)?)
    else {
        return Ok(Vec::new());
    };
    if last > first {
        return Ok(Vec::new());
    }
    let mut hashes = vec![high];
    let (mut index, mut step) = (first, 1_u64);
    while index > last {
        let is_last = hashes.len() + 1 >= MAX_LOCATOR_HASHES;
        index = match is_last {
            true => last,
            false => index.saturating_sub(step).max(last),
        };
        step = step.saturating_mul(2);
        let Some(block) = records.chain_at(index)? else {
            return Ok(Vec::new());
        };
        hashes.push(block);
    }
    Ok(hashes)
}

/// Block locator of any block: hashes of the selected chain of `high` down to the pruning point, the distance by blue
/// score doubling, `limit` of them at most and never more than [`MAX_LOCATOR_HASHES`] (specification network 1.6).
/// Where that chain leaves the selected one by more than [`SIDE_CHAIN_STEPS`] blocks the distance may be greater
/// once.
///
/// # Errors
/// `chain/unknown-block`, `chain/pruned` also when the pruning point is not on that chain, `store/*`.
pub fn block_locator<S: Store>(
    records: &Records<S>,
    high: &Hash32,
    limit: usize,
) -> Result<Vec<Hash32>, SvcError> {
    records.require_in_graph(high)?;
    let point = records.pruning_point()?;
    if !is_chain_ancestor(records, &point, high)? {
        return Err(pruned(high));
    }
    let fork = match records.chain_index(high)? {
        Some(_) => Some(*high),
        None => records.highest_on_chain(|block| is_chain_ancestor(records, block, high))?,
    };
    let mut descent = Descent {
        records,
        fork: fork.unwrap_or(point),
        left: SIDE_CHAIN_STEPS,
    };
    let lowest = records.ghostdag(&point)?.blue_score;
    let (mut current, mut step) = (*high, 1_u64);
    let mut hashes = vec![current];
    while hashes.len() < limit.min(MAX_LOCATOR_HASHES) && current != point {
        let score = records.held_ghostdag(&current)?.blue_score;
        let wanted = score.saturating_sub(step).max(lowest);
        current = descent.down_to(current, wanted)?;
        step = step.saturating_mul(2);
        hashes.push(current);
    }
    Ok(hashes)
}

/// A way down the chain of a block to the pruning point.
struct Descent<'a, S> {
    records: &'a Records<S>,
    /// Where it comes to the selected chain, or the pruning point.
    fork: Hash32,
    /// Steps that may still be taken beside that.
    left: usize,
}

impl<S: Store> Descent<'_, S> {
    /// The highest block below `from` with at most this blue score, which is not below the pruning point's.
    fn down_to(&mut self, from: Hash32, blue_score: u64) -> Result<Hash32, SvcError> {
        let records = self.records;
        let mut current = from;
        if records.chain_index(&current)?.is_none() {
            while current != self.fork {
                let data = records.held_ghostdag(&current)?;
                if current != from && data.blue_score <= blue_score {
                    return Ok(current);
                }
                current = match self.left.checked_sub(1) {
                    Some(left) => {
                        self.left = left;
                        data.selected_parent
                    }
                    None => self.fork,
                };
            }
            if records.held_ghostdag(&current)?.blue_score <= blue_score {
                return Ok(current);
            }
        }
        let top = records.chain_index(&current)?.unwrap_or_default();
        let found = records.highest_on_chain(|block| {
            let is_below = records
                .chain_index(block)?
                .is_some_and(|index| index <= top);
            Ok(is_below && records.chain_scores(block)?.blue_score <= blue_score)
        })?;
        found.ok_or_else(|| missing("chain index", &current))
    }
}

/// `RawHeaders` of stored headers in this order, the first of them as far as [`SYNC_PAGE_BYTES`] go and one at least.
///
/// # Errors
/// `chain/unknown-block`, `chain/pruned`, `codec/count-too-large` for more than [`SYNC_PAGE_BLOCKS`], `store/*`.
pub fn headers_of<S: Store>(records: &Records<S>, hashes: &[Hash32]) -> Result<Vec<u8>, SvcError> {
    check_count(hashes, SYNC_PAGE_BLOCKS)?;
    let (mut count, mut page) = (0, Vec::new());
    for hash in hashes {
        let Some(record) = if_held(records.header(hash))? else {
            return Err(records.unanswered(hash)?);
        };
        let mut writer = Writer::new();
        write_header(
            &mut writer,
            &record.header,
            records.witness(hash)?.as_deref(),
        );
        if count > 0 && page.len() + writer.as_slice().len() > SYNC_PAGE_BYTES {
            break;
        }
        count += 1;
        page.extend_from_slice(writer.as_slice());
    }
    let mut writer = Writer::with_capacity(4 + page.len());
    writer.count_u32(count).bytes(&page);
    Ok(writer.into_vec())
}

/// `RawBlock` of stored blocks in this order, each behind its length u32: the first of them as far as
/// [`SYNC_PAGE_BYTES`] go, and one at least.
///
/// # Errors
/// `chain/unknown-block` also when the body has not come, `chain/pruned`, `codec/count-too-large` for more than
/// [`SYNC_BLOCKS_PER_CALL`], `store/*`.
pub fn blocks_of<S: Store>(records: &Records<S>, hashes: &[Hash32]) -> Result<Vec<u8>, SvcError> {
    check_count(hashes, SYNC_BLOCKS_PER_CALL)?;
    let mut writer = Writer::new();
    for hash in hashes {
        let Some(block) = records.witnessed_block(hash)? else {
            return Err(records.unanswered(hash)?);
        };
        let raw = block.to_bytes();
        let so_far = writer.as_slice().len();
        if so_far > 0 && so_far + 4 + raw.len() > SYNC_PAGE_BYTES {
            break;
        }
        writer.count_u32(raw.len()).bytes(&raw);
    }
    Ok(writer.into_vec())
}

fn check_count(hashes: &[Hash32], max: usize) -> Result<(), SvcError> {
    if hashes.len() <= max {
        return Ok(());
    }
    let error = SvcError::new(Code::CodecCountTooLarge).with("count", hashes.len());
    Err(error.with("max", max))
}

/// The last pruning points, the present one first: `count` of them, and never more than [`PRUNING_POINTS_PER_CALL`] or
/// than there are.
///
/// # Errors
/// `store/*`.
pub fn pruning_points<S: Store>(
    records: &Records<S>,
    count: usize,
) -> Result<Vec<Hash32>, SvcError> {
    let newest = records.pruning()?.index;
    let mut points = Vec::new();
    for back in 0..count.min(PRUNING_POINTS_PER_CALL) as u64 {
        let Some(index) = newest.checked_sub(back) else {
            break;
        };
        let Some(point) = records.pruning_point_at(index)? else {
            break;
        };
        points.push(point);
    }
    Ok(points)
}

/// How one block is related to another: "same", "chain" when it is on its selected chain, "past" when it is elsewhere
/// in its past, "none".
///
/// # Errors
/// `chain/unknown-block`, `chain/pruned` for a block without a place in the graph, `store/*`.
pub fn ancestry<S: Store>(
    records: &Records<S>,
    ancestor: &Hash32,
    descendant: &Hash32,
) -> Result<&'static str, SvcError> {
    records.require_in_graph(ancestor)?;
    records.require_in_graph(descendant)?;
    if ancestor == descendant {
        return Ok("same");
    }
    if is_chain_ancestor(records, ancestor, descendant)? {
        return Ok("chain");
    }
    Ok(match is_dag_ancestor(records, ancestor, descendant)? {
        true => "past",
        false => "none",
    })
}
