//! Fetch stage of the history import: takes scan records in and checks each against the one above it and against the
//! headers here.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::reachability::is_chain_ancestor;
use svc_dag::store::DagStore;

use crate::history::stored_record::StoredRecord;
use crate::history::{HistoryRecord, Stage, lowest};
use crate::records::Records;
use crate::records::chain::Chain;
use crate::store::{Store, tables};

fn wrong(record: &StoredRecord, reason: &'static str) -> SvcError {
    let error = SvcError::new(Code::HistoryWrongRecord).with("hash", record.head.hash);
    error.with("reason", reason)
}

/// Takes one record in. Nothing is written when it is refused.
pub(super) fn take<S: Store>(
    chain: &mut Chain<S>,
    history: &mut HistoryRecord,
    bytes: &[u8],
) -> Result<(), SvcError> {
    let record = StoredRecord::decode(bytes)?;
    let is_genesis = record.head.hash == chain.rules.genesis_hash;
    if (history.next == 0) != (record.head.hash == history.base) {
        return Err(wrong(&record, "another block than the base"));
    }
    let held = chain
        .records
        .overlay
        .get(tables::SCAN_RECORDS, record.head.hash.as_bytes())?;
    if held.is_some_and(|held| !is_genesis || held != bytes) {
        return Err(wrong(&record, "there is one of this block"));
    }
    let leaves = record.leaves().len() as u64;
    if record.head.first_leaf.checked_add(leaves) != Some(history.first_leaf) {
        return Err(wrong(&record, "its leaves do not lead to those above"));
    }
    if record.head.blue_score >= history.blue_score {
        return Err(wrong(&record, "its blue score does not fall"));
    }
    if expected_id(&chain.records, history)?.is_some_and(|expected| expected != record.head.hash) {
        return Err(wrong(&record, "the chain block above names another"));
    }
    check_header(&chain.records, &record, history)?;
    if is_genesis && record.head.first_leaf != 0 {
        return Err(wrong(&record, "leaves before genesis"));
    }
    let key = history.next.to_be_bytes();
    let overlay = &mut chain.records.overlay;
    overlay.put(tables::IMPORT, &key, record.head.hash.as_bytes().to_vec());
    overlay.put(
        tables::SCAN_RECORDS,
        record.head.hash.as_bytes(),
        bytes.to_vec(),
    );
    history.first_leaf = record.head.first_leaf;
    history.blue_score = record.head.blue_score;
    if is_genesis {
        history.stage = Stage::Verify;
        history.below = history.next;
    } else {
        history.next += 1;
    }
    Ok(())
}

/// The block that comes next, where the header of the block above it is here: chain blocks name their selected parent
/// first (specification consensus 8.2).
fn expected_id<S: Store>(
    records: &Records<S>,
    history: &HistoryRecord,
) -> Result<Option<Hash32>, SvcError> {
    let Some(above) = lowest(records, history)? else {
        return Ok(Some(history.base));
    };
    if !records.has_header(&above)? {
        return Ok(None);
    }
    let header = records.header(&above)?;
    let Some(parent) = header.header.direct_parents().first() else {
        return Ok(None);
    };
    let known = records.has_reachability(parent)? && records.has_reachability(&history.base)?;
    let on_chain = known && is_chain_ancestor(records, parent, &history.base)?;
    Ok(on_chain.then_some(*parent))
}

/// Of few blocks below the base a header is here; it is bound by hashes.
fn check_header<S: Store>(
    records: &Records<S>,
    record: &StoredRecord,
    history: &HistoryRecord,
) -> Result<(), SvcError> {
    if !records.has_header(&record.head.hash)? {
        return Ok(());
    }
    let header = &records.header(&record.head.hash)?.header;
    let fits = header.blue_score == record.head.blue_score
        && header.daa_score == record.head.daa_score
        && header.timestamp_ms == record.head.timestamp_ms;
    if !fits {
        return Err(wrong(record, "its header says another thing"));
    }
    let known =
        records.has_reachability(&record.head.hash)? && records.has_reachability(&history.base)?;
    if known && !is_chain_ancestor(records, &record.head.hash, &history.base)? {
        return Err(wrong(record, "not on the selected chain"));
    }
    Ok(())
}
