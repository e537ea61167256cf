//! Migration from layout 1, where each chain state listed all live lanes, to 2, where tables hold them.

use svc_codec::error::SvcError;

use crate::records::Records;
use crate::records::lane_diff::LaneDiff;
use crate::records::lanes::{listed_lanes, plan, write};
use crate::store::Store;

/// Writes the lanes of the position. States stay as they are: what a block judged then did to the lanes is read
/// off its state and its selected parent's.
pub fn lane_tables<S: Store>(records: &mut Records<S>) -> Result<(), SvcError> {
    let position = records.position()?;
    let lanes = listed_lanes(records, &position)?;
    let update = plan(records, LaneDiff::between(&Default::default(), &lanes))?;
    let expected = records.chain_state(&position)?.lanes_root;
    crate::corrupt_unless(update.tree.root == expected, "lanes")?;
    write(records, &update);
    Ok(())
}
