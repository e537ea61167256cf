//! Schema migrations: bring the store of an older build up to the present layout, forward only. A step is one commit, or
//! several that may be begun again.

mod judged_blocks;
mod kept_evidence;
mod lane_tables;
mod lowest_run;
mod pruning_record;

use svc_codec::error::SvcError;

use crate::records::Records;
use crate::records::chain::Chain;
use crate::records::meta;
use crate::store::Store;

/// Brings a store of layout `version`, at most the present one, up to date.
pub fn migrate<S: Store>(chain: &mut Chain<S>, version: u32) -> Result<(), SvcError> {
    if version < 3 {
        let Chain { rules, records } = &mut *chain;
        if version < 2 {
            lane_tables::lane_tables(records)?;
        }
        pruning_record::pruning_record(records, &rules.genesis_hash);
        reach(records, 3)?;
    }
    if version < 5 {
        kept_evidence::kept_evidence(chain)?;
        lowest_run::lowest_run(chain)?;
        reach(&mut chain.records, 5)?;
    }
    Ok(())
}

/// Says that the store has a layout, in one commit with what made it so.
fn reach<S: Store>(records: &mut Records<S>, version: u32) -> Result<(), SvcError> {
    records.put_meta(meta::VERSION, version.to_le_bytes().to_vec());
    records.overlay.commit()
}
