//! Pruning point rule: pruning samples, and the pruning point a header must name (specification consensus 7.9).

use svc_chain::profile::Profile;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::records::GhostdagData;
use crate::store::DagStore;

/// Whether a chain block of `blue_score` begins a new finality score: it is a pruning sample.
fn is_sample(profile: &Profile, blue_score: u64, parent_blue_score: u64) -> bool {
    let finality = profile.finality_depth.max(1);
    blue_score / finality > parent_blue_score / finality
}

/// The latest pruning sample on the selected chain below a block with this GHOSTDAG data.
///
/// # Errors
/// `store/*`.
pub fn pruning_sample_from_pov(
    store: &impl DagStore,
    profile: &Profile,
    genesis: &Hash32,
    data: &GhostdagData,
) -> Result<Hash32, SvcError> {
    let parent = data.selected_parent;
    if parent == *genesis || parent == Hash32::ORIGIN {
        return Ok(*genesis);
    }
    let parent_data = store.ghostdag(&parent)?;
    let grandparent_score = if parent_data.selected_parent == Hash32::ORIGIN {
        0
    } else {
        store.ghostdag(&parent_data.selected_parent)?.blue_score
    };
    if is_sample(profile, parent_data.blue_score, grandparent_score) {
        return Ok(parent);
    }
    store.pruning_sample(&parent)
}

/// The pruning point the header of a chain block must name: the latest sample at pruning depth,
/// never below the selected parent's. `sample` is [`pruning_sample_from_pov`] of the block.
///
/// # Errors
/// `store/*`.
pub fn expected_header_pruning_point(
    store: &impl DagStore,
    profile: &Profile,
    genesis: &Hash32,
    data: &GhostdagData,
    sample: &Hash32,
) -> Result<Hash32, SvcError> {
    if data.selected_parent == *genesis || data.selected_parent == Hash32::ORIGIN {
        return Ok(*genesis);
    }
    let parent = &store.header(&data.selected_parent)?.header;
    let is_sample = is_sample(profile, data.blue_score, parent.blue_score);
    let most_steps = profile
        .pruning_depth
        .div_ceil(profile.finality_depth.max(1));
    let mut current = *sample;
    let mut steps = 1;
    while current != *genesis && current != parent.pruning_point {
        let score = store.header(&current)?.header.blue_score;
        if score.saturating_add(profile.pruning_depth) <= data.blue_score
            || (is_sample && steps == most_steps)
        {
            break;
        }
        current = store.pruning_sample(&current)?;
        steps += 1;
    }
    Ok(current)
}
