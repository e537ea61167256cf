//! Bringing the store of an older build up to the present layout: forward only, one commit.

use svc_codec::error::SvcError;

use crate::lane_diff::LaneDiff;
use crate::lanes::{listed_lanes, plan, write};
use crate::meta;
use crate::state::State;
use crate::store::Store;

/// Brings a store of layout `version`, at most the present one, up to date.
pub fn migrate<S: Store>(state: &mut State<S>, version: u32) -> Result<(), SvcError> {
    if version == meta::LAYOUT_VERSION {
        return Ok(());
    }
    lanes_of_position(state)?;
    state.put_meta(meta::VERSION, meta::LAYOUT_VERSION.to_le_bytes().to_vec());
    state.overlay.commit()
}

/// From layout 1, where each chain state listed all live lanes, to 2. States stay as they are: what a block
/// judged then did to the lanes is read off its state and its selected parent's.
fn lanes_of_position<S: Store>(state: &mut State<S>) -> Result<(), SvcError> {
    let position = state.position()?;
    let lanes = listed_lanes(state, &position)?;
    let update = plan(state, LaneDiff::between(&Default::default(), &lanes))?;
    let expected = state.chain_state(&position)?.lanes_root;
    crate::corrupt_unless(update.tree.root == expected, "lanes")?;
    write(state, &update);
    Ok(())
}
