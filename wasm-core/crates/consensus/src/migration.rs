//! Schema migrations: bring the store of an older build up to the present layout, forward only, in one commit.

mod lane_tables;
mod pruning_record;

use svc_codec::error::SvcError;

use crate::parameters::Parameters;
use crate::records::{Records, meta};
use crate::store::Store;

/// Brings a store of layout `version`, at most the present one, up to date.
pub fn migrate<S: Store>(
    rules: &Parameters,
    state: &mut Records<S>,
    version: u32,
) -> Result<(), SvcError> {
    if version == meta::LAYOUT_VERSION {
        return Ok(());
    }
    if version < 2 {
        lane_tables::lane_tables(state)?;
    }
    pruning_record::pruning_record(state, &rules.genesis_hash);
    state.put_meta(meta::VERSION, meta::LAYOUT_VERSION.to_le_bytes().to_vec());
    state.overlay.commit()
}
