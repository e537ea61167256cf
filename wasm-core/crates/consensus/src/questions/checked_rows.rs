//! Rows of a table under a self-check, a page at a time, and the error of one that contradicts another.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;

use crate::records::record_fields::whole;
use crate::records::{Records, stored};
use crate::store::{KeyRange, Pair, Store};

/// Longer than any key.
const KEYS_END: [u8; 66] = [0xff; 66];

/// A record that another contradicts: `verify/contradiction`.
pub fn contradiction(table: &str, key: &[u8], reason: impl std::fmt::Display) -> SvcError {
    SvcError::new(Code::VerifyContradiction)
        .with("table", table)
        .with("key", svc_codec::hex::encode(key))
        .with("reason", reason)
}

/// The contradiction unless something holds.
pub fn require(holds: bool, table: &str, key: &[u8], reason: &str) -> Result<(), SvcError> {
    if holds {
        Ok(())
    } else {
        Err(contradiction(table, key, reason))
    }
}

/// Rows of a table behind a key, from its beginning when the key is empty.
pub fn page<S: Store>(
    records: &Records<S>,
    table: u8,
    after: &[u8],
    limit: usize,
) -> Result<Vec<Pair>, SvcError> {
    let from = match after {
        [] => Vec::new(),
        _ => [after, &[0]].concat(),
    };
    records.overlay.range(KeyRange {
        table,
        from: &from,
        to: &KEYS_END,
        limit,
        reverse: false,
    })
}

/// Checks rows one by one. Returns the key of the last.
pub fn each<S: Store>(
    records: &Records<S>,
    rows: Vec<Pair>,
    check: impl Fn(&Records<S>, &[u8], &[u8]) -> Result<(), SvcError>,
) -> Result<Option<Vec<u8>>, SvcError> {
    for (key, value) in &rows {
        check(records, key, value)?;
    }
    Ok(rows.into_iter().last().map(|(key, _)| key))
}

/// The block that a key names, or a value. Error: `store/corrupt`.
pub fn block_of(table: &'static str, key: &[u8]) -> Result<Hash32, SvcError> {
    stored(table, whole(key, Reader::hash))
}
