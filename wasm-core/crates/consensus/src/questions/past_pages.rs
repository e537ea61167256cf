//! Sync pages (antipast queries): the blocks that are in the past of one block and not of another, as nodes that
//! catch up ask for them (specification network 1.8): upwards along a selected chain, each chain block behind what it
//! merged.

use svc_chain::header::raw::write_header;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{SIDE_CHAIN_STEPS, SYNC_PAGE_BLOCKS, SYNC_PAGE_BYTES};
use svc_codec::writer::Writer;
use svc_dag::reachability::{is_chain_ancestor, is_dag_ancestor, next_chain_ancestor};
use svc_dag::store::DagStore;

use crate::pipeline::side_chain::pruned;
use crate::records::Records;
use crate::records::block_status::Stage;
use crate::records::chain::Chain;
use crate::records::meta::encode_hashes;
use crate::store::Store;

/// A way up the chain of a block.
struct Climb<'a, S> {
    records: &'a Records<S>,
    /// The chain block that it has come to.
    at: Hash32,
    high: Hash32,
    /// What is in the past of this block is left out.
    without: Option<Hash32>,
    /// Blocks that may still be looked at.
    left: usize,
}

impl<'a, S: Store> Climb<'a, S> {
    /// A way to `high` from a block on its chain.
    fn from_chain(chain: &'a Chain<S>, at: Hash32, high: &Hash32, limit: usize) -> Self {
        let mergeset = chain.rules.profile.mergeset_size_limit as usize;
        Self {
            records: &chain.records,
            at,
            high: *high,
            without: None,
            left: limit.min(SYNC_PAGE_BLOCKS).max(mergeset + 1),
        }
    }

    /// A way to `high` from the highest block on its chain that is in the past of `low`. Far off the selected chain it
    /// may begin lower.
    fn between(
        chain: &'a Chain<S>,
        low: &Hash32,
        high: &Hash32,
        limit: usize,
    ) -> Result<Self, SvcError> {
        let records = &chain.records;
        records.require_in_graph(low)?;
        records.require_in_graph(high)?;
        if is_chain_ancestor(records, low, high)? {
            return Ok(Self::from_chain(chain, *low, high, limit));
        }
        if is_dag_ancestor(records, high, low)? {
            return Ok(Self::from_chain(chain, *high, high, limit));
        }
        let mut at = records.common_below(low, high)?;
        for _ in 0..SIDE_CHAIN_STEPS {
            let next = next_chain_ancestor(records, high, &at)?;
            if !is_dag_ancestor(records, &next, low)? {
                break;
            }
            at = next;
        }
        let mut climb = Self::from_chain(chain, at, high, limit);
        climb.without = Some(*low);
        Ok(climb)
    }

    /// Goes one chain block up: what it merged, ascending and without its selected parent, and the block itself. `None`
    /// at the end, and when the page is full.
    fn next(&mut self) -> Result<Option<Vec<Hash32>>, SvcError> {
        if self.at == self.high {
            return Ok(None);
        }
        let records = self.records;
        let block = next_chain_ancestor(records, &self.high, &self.at)?;
        let data = records.held_ghostdag(&block)?;
        // Where blocks were deleted the tree has closed the gap.
        if data.selected_parent != self.at {
            return Err(pruned(&data.selected_parent));
        }
        if data.mergeset_size() > self.left {
            return Ok(None);
        }
        self.left -= data.mergeset_size();
        self.at = block;
        for merged in data.blues.iter().skip(1).chain(&data.reds) {
            records.held_ghostdag(merged)?;
        }
        let mut blocks = Vec::with_capacity(data.mergeset_size());
        for merged in data.ascending_mergeset_without_selected_parent(records)? {
            let is_left_out = match &self.without {
                Some(low) => is_dag_ancestor(records, &merged, low)?,
                None => false,
            };
            if !is_left_out {
                blocks.push(merged);
            }
        }
        blocks.push(block);
        Ok(Some(blocks))
    }
}

/// The blocks in the past of `high`, with it, that are not in the past of `low`, parents first, in pages that end with a
/// block of the chain of `high`: the `low` of the next page. A page looks at about `limit` blocks, at one mergeset at
/// least and at [`SYNC_PAGE_BLOCKS`] at most; nothing behind the last. When `low` is not on the chain of `high`, pages
/// behind the first know nothing of it and may hold blocks of its past, and the first begins with such when their chain
/// is off the selected one by more than [`SIDE_CHAIN_STEPS`] blocks.
///
/// # Errors
/// `chain/unknown-block`, `chain/pruned`, `store/*`.
pub fn hashes_between<S: Store>(
    chain: &Chain<S>,
    low: &Hash32,
    high: &Hash32,
    limit: usize,
) -> Result<Vec<Hash32>, SvcError> {
    let mut climb = Climb::between(chain, low, high, limit)?;
    let mut hashes = Vec::new();
    while let Some(blocks) = climb.next()? {
        hashes.extend(blocks);
    }
    Ok(hashes)
}

/// `RawHeaders` of a page of [`hashes_between`], which ends earlier, at a chain block as well, when it has
/// [`SYNC_PAGE_BYTES`].
///
/// # Errors
/// As [`hashes_between`].
pub fn headers_between<S: Store>(
    chain: &Chain<S>,
    low: &Hash32,
    high: &Hash32,
    limit: usize,
) -> Result<Vec<u8>, SvcError> {
    let mut climb = Climb::between(chain, low, high, limit)?;
    let (mut count, mut page) = (0, Vec::new());
    while let Some(blocks) = climb.next()? {
        let mut writer = Writer::with_capacity(512 * blocks.len());
        for hash in &blocks {
            let header = chain.records.header(hash)?;
            write_header(
                &mut writer,
                &header.header,
                chain.records.witness(hash)?.as_deref(),
            );
        }
        if count > 0 && page.len() + writer.as_slice().len() > SYNC_PAGE_BYTES {
            break;
        }
        count += blocks.len();
        page.extend_from_slice(writer.as_slice());
    }
    let mut writer = Writer::with_capacity(4 + page.len());
    writer.count_u32(count).bytes(&page);
    Ok(writer.into_vec())
}

/// A page of a search for missing bodies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingBodies {
    /// The chain block that the search has come to: where the next page goes on, `high` itself at the end.
    pub reached: Hash32,
    /// Blocks without a body, parents first.
    pub hashes: Vec<Hash32>,
}

impl MissingBodies {
    /// What was reached, then the hashes, 32 bytes each.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.reached.as_bytes().to_vec();
        bytes.extend(encode_hashes(&self.hashes));
        bytes
    }
}

/// The blocks in the past of `high`, with it, that are above or beside the pruning point and have no body. The search
/// goes up the chain of `high` from `after`, which is what the page before reached, or from the selected chain. A page
/// looks at as many blocks as one of [`hashes_between`] does, and may find none of them missing.
///
/// # Errors
/// `chain/unknown-block`, `chain/pruned` also when the pruning point is not on the chain of `high`, `store/*`.
pub fn bodies_missing<S: Store>(
    chain: &Chain<S>,
    after: Option<&Hash32>,
    high: &Hash32,
    limit: usize,
) -> Result<MissingBodies, SvcError> {
    let records = &chain.records;
    records.require_in_graph(high)?;
    let point = records.pruning_point()?;
    if !is_chain_ancestor(records, &point, high)? {
        return Err(pruned(high));
    }
    let mut climb = match after {
        Some(after) => Climb::between(chain, after, high, limit)?,
        None => {
            let on_chain =
                records.highest_on_chain(|block| is_chain_ancestor(records, block, high))?;
            Climb::from_chain(chain, on_chain.unwrap_or(point), high, limit)
        }
    };
    // Bodies from below it are not wanted any more.
    if !is_dag_ancestor(records, &point, &climb.at)? {
        climb.at = point;
    }
    let mut hashes = Vec::new();
    while let Some(blocks) = climb.next()? {
        for hash in blocks {
            if records.stage(&hash)? == Some(Stage::HeaderOnly) {
                hashes.push(hash);
            }
        }
    }
    Ok(MissingBodies {
        reached: climb.at,
        hashes,
    })
}
