//! Pages over the blocks that a store judged and still holds whole, for migrations that make something anew of each.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MIGRATION_PAGE_BLOCKS;
use svc_codec::reader::Reader;

use crate::records::chain::Chain;
use crate::records::record_fields::whole;
use crate::records::stored;
use crate::store::{KeyRange, Store, tables};

/// Longer than any key.
const KEYS_END: [u8; 33] = [0xff; 33];

/// Calls `visit` with each judged block whose acceptance is held, with a commit for each page of them. A run that was cut short is
/// begun again from the first one.
///
/// # Errors
/// `store/*`, and those of `visit`.
pub fn each_judged_block<S: Store>(
    chain: &mut Chain<S>,
    mut visit: impl FnMut(&mut Chain<S>, &Hash32) -> Result<(), SvcError>,
) -> Result<(), SvcError> {
    let mut from = Vec::new();
    loop {
        let rows = chain.records.overlay.range(KeyRange {
            table: tables::ACCEPTANCE,
            from: &from,
            to: &KEYS_END,
            limit: MIGRATION_PAGE_BLOCKS,
            reverse: false,
        })?;
        let Some((last, _)) = rows.last() else {
            return Ok(());
        };
        from = [last.as_slice(), &[0]].concat();
        for (key, _) in &rows {
            let block = stored("acceptance", whole(key, Reader::hash))?;
            visit(chain, &block)?;
        }
        chain.records.overlay.commit()?;
    }
}
