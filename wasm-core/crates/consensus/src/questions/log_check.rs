//! Self-check of the anchor log below the block that the store began at: its rows follow each other, and make the log that the
//! imported state has.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_shielded::anchor_log::{AnchorLog, LogPersonals};

use crate::imported_log::under_way;
use crate::questions::checked_rows::{block_of, page, require};
use crate::records::Records;
use crate::records::chain::Chain;
use crate::records::log_row::LogRow;
use crate::store::{Store, tables};

const TABLE: &str = "log_rows";

/// Checks the next rows in their order. The cursor is the log before them.
///
/// # Errors
/// `verify/contradiction`, `store/*`, `engine/bad-call` for another cursor.
pub fn check_log_rows<S: Store>(
    chain: &Chain<S>,
    cursor: &[u8],
    limit: usize,
) -> Result<Option<Vec<u8>>, SvcError> {
    let records = &chain.records;
    let personals = LogPersonals::of(&chain.rules.profile);
    let mut log = read_cursor(cursor)?;
    let before = log.count().checked_sub(1).map(u64::to_be_bytes);
    let after = before.as_ref().map_or([].as_slice(), |key| key.as_slice());
    let rows = page(records, tables::LOG_ROWS, after, limit)?;
    if rows.is_empty() {
        return check_whole(records, &log).map(|()| None);
    }
    for (key, _) in rows {
        let place = log.count();
        let row = records.log_row(place)?;
        let fits = key == place.to_be_bytes();
        let row = row.filter(|_| fits);
        require(row.is_some(), TABLE, &key, "there is none before it")?;
        let Some(LogRow { entry, nodes }) = row else {
            continue;
        };
        let made = log.append(&personals, &entry);
        let fits = made.get(1..) == Some(nodes.as_slice());
        require(fits, TABLE, &key, "nodes that do not follow in the log")?;
        let fits = records.log_place(&entry.block)? == Some(place);
        let reason = "the place of the block is another's";
        require(fits, "log_places", entry.block.as_bytes(), reason)?;
    }
    let mut writer = Writer::new();
    log.encode(&mut writer);
    Ok(Some(writer.into_vec()))
}

/// A block has the place of its row.
///
/// # Errors
/// `verify/contradiction`, `store/*`.
pub fn check_log_place<S: Store>(records: &Records<S>, key: &[u8]) -> Result<(), SvcError> {
    let block = block_of("log_places", key)?;
    let place = records.log_place(&block)?;
    let row = place.map(|place| records.log_row(place)).transpose()?;
    let fits = row.flatten().is_some_and(|row| row.entry.block == block);
    require(fits, "log_places", key, "the row there is another block's")
}

/// The rows make the log as far as it was taken in, or the log after the last of them.
fn check_whole<S: Store>(records: &Records<S>, log: &AnchorLog) -> Result<(), SvcError> {
    let mut expected = under_way(records)?.map(|record| record.taken);
    if let Some(last) = log.count().checked_sub(1).filter(|_| expected.is_none()) {
        let row = records.log_row(last)?;
        let state = row.map(|row| records.kept_chain_state(&row.entry.block));
        expected = state
            .transpose()?
            .flatten()
            .map(|state| state.anchor_log.clone());
    }
    let fits = expected.is_none_or(|expected| expected == *log);
    let key = log.count().saturating_sub(1).to_be_bytes();
    require(fits, TABLE, &key, "another log than that of the state")
}

fn read_cursor(cursor: &[u8]) -> Result<AnchorLog, SvcError> {
    if cursor.is_empty() {
        return Ok(AnchorLog::default());
    }
    let mut reader = Reader::new(cursor);
    let read = AnchorLog::decode(&mut reader);
    let read = read.and_then(|log| reader.finish().map(|()| log));
    read.map_err(|_| SvcError::new(Code::EngineBadCall).with("reason", "cursor of the log"))
}
