//! Canonical records for comparing two stores of the same chain: in the present form, and without what depends on the
//! order in which blocks came in.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{STORED_KEY_BYTES, STORED_KEYS_PAGE};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_dag::store::DagStore;

use crate::records::block_status::Stage;
use crate::records::chain_state::ChainState;
use crate::records::lanes::lane_diff;
use crate::records::meta;
use crate::records::record_fields::whole;
use crate::records::{Records, stored};
use crate::store::tables;
use crate::store::{KeyRange, Store};

/// The record of a key, `None` where there is none or an empty list. What is a list by arrival (children, tips) is
/// sorted and holds blocks with bodies only; of reachability there are parent, children and covering blocks, the
/// numbers of the intervals are only checked. Chain states and lane changes of older layouts come in the present form.
/// Errors: `store/corrupt` for a record that does not decode or contradicts its neighbours, those of the store.
pub fn stored_record<S: Store>(
    records: &Records<S>,
    table: u8,
    key: &[u8],
) -> Result<Option<Vec<u8>>, SvcError> {
    match table {
        tables::META if key == meta::TIPS => sorted_record(records.tips()?),
        tables::CHILDREN => {
            sorted_record(with_bodies(records, &records.children(&block_of(key)?)?)?)
        }
        tables::REACHABILITY => reachability_record(records, &block_of(key)?),
        tables::CHAIN_STATE => {
            let found = records.overlay.get(table, key)?;
            let present = found.map(|bytes| Ok(ChainState::decode(&bytes)?.encode()));
            stored("chain state", present.transpose())
        }
        tables::LANE_DIFFS => lane_diff_record(records, key),
        tables::NULLIFIER_DIFFS => {
            let found = records.overlay.get(table, key)?;
            Ok(found.filter(|bytes| !bytes.is_empty()))
        }
        _ => records.overlay.get(table, key),
    }
}

/// Keys of a table above `after` in ascending order, each behind its length as a byte; an empty `after` begins with the
/// first. At most `limit` and [`STORED_KEYS_PAGE`]. Errors: `engine/bad-call` for a table of large values, which would be read
/// along; those of the store.
pub fn stored_keys<S: Store>(
    records: &Records<S>,
    table: u8,
    after: &[u8],
    limit: usize,
) -> Result<Vec<u8>, SvcError> {
    if tables::LARGE.contains(&table) {
        let reason = "keys of a table of large values";
        return Err(SvcError::new(Code::EngineBadCall).with("reason", reason));
    }
    let from = if after.is_empty() {
        Vec::new()
    } else {
        [after, &[0]].concat()
    };
    let rows = records.overlay.range(KeyRange {
        table,
        from: &from,
        to: &[0xff; STORED_KEY_BYTES + 1],
        limit: limit.min(STORED_KEYS_PAGE),
        reverse: false,
    })?;
    let mut writer = Writer::new();
    for (key, _) in &rows {
        writer.u8(key.len() as u8);
        writer.bytes(key);
    }
    Ok(writer.into_vec())
}

/// Errors: `engine/bad-call` for a key that is no hash.
fn block_of(key: &[u8]) -> Result<Hash32, SvcError> {
    let bad = |_| SvcError::new(Code::EngineBadCall).with("reason", "the key of a block");
    whole(key, Reader::hash).map_err(bad)
}

fn sorted(mut hashes: Vec<Hash32>) -> Vec<Hash32> {
    hashes.sort_unstable();
    hashes
}

fn sorted_record(hashes: Vec<Hash32>) -> Result<Option<Vec<u8>>, SvcError> {
    let bytes = meta::encode_hashes(&sorted(hashes));
    Ok((!bytes.is_empty()).then_some(bytes))
}

/// A header alone, or one with a body that was refused, is known to some nodes and not to others.
fn with_bodies<S: Store>(records: &Records<S>, blocks: &[Hash32]) -> Result<Vec<Hash32>, SvcError> {
    let mut found = Vec::with_capacity(blocks.len());
    for block in blocks {
        if records.stage(block)?.is_some_and(Stage::has_body) {
            found.push(*block);
        }
    }
    Ok(found)
}

fn reachability_record<S: Store>(
    records: &Records<S>,
    block: &Hash32,
) -> Result<Option<Vec<u8>>, SvcError> {
    if !records.has_reachability(block)? {
        return Ok(None);
    }
    let node = records.reachability(block)?;
    let own = node.interval();
    let mut next = own.start;
    for child in &node.children {
        let child = records.reachability(child)?.interval();
        // The last number of a block is its own.
        let inside = child.start >= next && child.end < own.end;
        crate::corrupt_unless(inside, "reachability")?;
        next = child.end.saturating_add(1);
    }
    let mut next = 0;
    for covering in &node.future_covering {
        let covering = records.reachability(covering)?.interval();
        crate::corrupt_unless(covering.start >= next, "reachability")?;
        next = covering.end.saturating_add(1);
    }
    let children = sorted(with_bodies(records, &node.children)?);
    let mut writer = Writer::new();
    writer.hash(&node.parent);
    writer.u64(node.height);
    writer.u32(children.len() as u32);
    writer.bytes(&meta::encode_hashes(&children));
    let covering = sorted(with_bodies(records, &node.future_covering)?);
    writer.bytes(&meta::encode_hashes(&covering));
    Ok(Some(writer.into_vec()))
}

fn lane_diff_record<S: Store>(
    records: &Records<S>,
    key: &[u8],
) -> Result<Option<Vec<u8>>, SvcError> {
    let block = block_of(key)?;
    let found = records.overlay.get(tables::LANE_DIFFS, key)?;
    let is_genesis = || -> Result<bool, SvcError> {
        Ok(records.ghostdag(&block)?.selected_parent == Hash32::ORIGIN)
    };
    if found.is_some() || records.stage(&block)? != Some(Stage::Valid) || is_genesis()? {
        return Ok(found);
    }
    Ok(Some(lane_diff(records, &block)?.encode()))
}
