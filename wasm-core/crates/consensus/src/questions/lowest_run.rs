//! From where on a store can show runs of evidence (docs/light-client.md).

use svc_codec::error::SvcError;
use svc_codec::reader::Reader;

use crate::records::record_fields::whole;
use crate::records::{Records, meta, stored};
use crate::store::Store;

/// Chain index of the lowest block that a run can begin at: below the block that a migration noted, openings were never made (ADR 61). How far
/// headers reach is another matter: pruning keeps some of those below the pruning point.
///
/// # Errors
/// `store/*`.
pub(super) fn lowest_run<S: Store>(records: &Records<S>) -> Result<u64, SvcError> {
    let noted = records.find_meta(meta::RUNS_FROM)?;
    let noted = noted.map(|bytes| whole(&bytes, Reader::u64)).transpose();
    Ok(stored("meta", noted)?.unwrap_or(0))
}
