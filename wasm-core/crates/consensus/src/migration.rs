//! Schema migrations: bring the store of an older build up to the present layout, forward only, in one commit.

mod lane_tables;
mod pruning_record;

use svc_codec::error::SvcError;

use crate::records::chain::Chain;
use crate::records::meta;
use crate::store::Store;

/// Brings a store of layout `version`, at most the present one, up to date.
pub fn migrate<S: Store>(chain: &mut Chain<S>, version: u32) -> Result<(), SvcError> {
    let Chain { rules, records } = chain;
    if version == meta::LAYOUT_VERSION {
        return Ok(());
    }
    if version < 2 {
        lane_tables::lane_tables(records)?;
    }
    pruning_record::pruning_record(records, &rules.genesis_hash);
    records.put_meta(meta::VERSION, meta::LAYOUT_VERSION.to_le_bytes().to_vec());
    records.overlay.commit()
}
