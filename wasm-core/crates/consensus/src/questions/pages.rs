//! Read queries answered as bytes: pages of scan records, tree states, anchors (docs/formats.md 2, 4, 5).

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_ANCHOR_ROWS, MAX_PAGE_BYTES, MAX_PAGE_RECORDS};
use svc_codec::writer::Writer;

use crate::questions::common_chain_block;
use crate::records::Records;
use crate::rules::scan_record::encode_page;
use crate::store::Store;

/// A page of scan records after a chain block (exclusive), at most `limit` records and a bounded number of
/// bytes. Errors: `chain/not-on-chain` with the common block, `chain/unknown-block`.
pub fn records<S: Store>(
    records: &Records<S>,
    after: &Hash32,
    limit: usize,
) -> Result<Vec<u8>, SvcError> {
    let Some(index) = records.chain_index(after)? else {
        let (common, index) = common_chain_block(records, after)?;
        return Err(SvcError::new(Code::ChainNotOnChain)
            .with("commonHash", common)
            .with("chainIndex", index));
    };
    let mut found = Vec::new();
    let mut bytes = 0;
    for offset in 0..limit.min(MAX_PAGE_RECORDS) as u64 {
        let Some(block) = records.chain_at(index + 1 + offset)? else {
            break;
        };
        let record = scan_record(records, &block)?;
        bytes += record.len();
        if bytes > MAX_PAGE_BYTES && !found.is_empty() {
            break;
        }
        found.push(record);
    }
    Ok(encode_page(index + 1, &found))
}

/// The page of exactly one chain block.
pub fn record_of<S: Store>(records: &Records<S>, hash: &Hash32) -> Result<Vec<u8>, SvcError> {
    let unknown = || SvcError::new(Code::ChainUnknownBlock).with("hash", hash);
    let index = records.chain_index(hash)?.ok_or_else(unknown)?;
    Ok(encode_page(index, &[scan_record(records, hash)?]))
}

/// Errors: `chain/pruned` for the pruning point that a store began with: its record comes with history, and counts when
/// all of that is proved.
fn scan_record<S: Store>(records: &Records<S>, block: &Hash32) -> Result<Vec<u8>, SvcError> {
    if let Some(record) = records.proved_record(block)? {
        return Ok(record);
    }
    if records.pruning()?.history_base == *block {
        return Err(SvcError::new(Code::ChainPruned).with("hash", block));
    }
    let error = SvcError::new(Code::StoreMissing).with("table", "scan record");
    Err(error.with("key", block))
}

/// Tree state after a block: size u64, last leaf 32, count u8, ommers. Errors: `chain/unknown-block`, `chain/pruned`.
pub fn tree_state<S: Store>(records: &Records<S>, at: &Hash32) -> Result<Vec<u8>, SvcError> {
    let chain_state = records.answered_chain_state(at)?;
    let frontier = &chain_state.frontier;
    let mut writer = Writer::new();
    writer.u64(frontier.size());
    writer.hash(&frontier.leaf().unwrap_or(Hash32::ZERO));
    let ommers = frontier.ommers();
    writer.u8(ommers.len() as u8);
    for ommer in &ommers {
        writer.hash(ommer);
    }
    Ok(writer.into_vec())
}

/// Rows blue score u64, block 32, root 32 of selected-chain blocks from a blue score on, ascending. Errors:
/// `chain/pruned` when the first of them is too far below the pruning point, `engine/not-imported`.
pub fn anchors<S: Store>(
    records: &Records<S>,
    from_blue_score: u64,
    limit: usize,
) -> Result<Vec<u8>, SvcError> {
    records.require_state()?;
    let first = first_index_at(records, from_blue_score)?;
    let mut writer = Writer::new();
    for index in first..first.saturating_add(limit.min(MAX_ANCHOR_ROWS) as u64) {
        let Some(block) = records.chain_at(index)? else {
            break;
        };
        writer.u64(records.chain_scores(&block)?.blue_score);
        writer.hash(&block);
        writer.hash(&records.kept_tree_root(&block)?);
    }
    Ok(writer.into_vec())
}

/// Chain index of the first block with at least this blue score; one past the sink when there is none.
pub(super) fn first_index_at<S: Store>(
    records: &Records<S>,
    blue_score: u64,
) -> Result<u64, SvcError> {
    let missing = || SvcError::new(Code::StoreMissing).with("table", "chain index");
    let sink = records.virtual_record()?.sink;
    let index_of = |block: &Hash32| records.chain_index(block)?.ok_or_else(missing);
    let base = records.pruning()?.history_base;
    let (mut low, mut high) = (index_of(&base)?, index_of(&sink)? + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        let block = records.chain_at(middle)?.ok_or_else(missing)?;
        if records.chain_scores(&block)?.blue_score < blue_score {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}
