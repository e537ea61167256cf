//! Sequencing commitment of a chain block, recomputed from what a node tells of it (specification consensus 12).

use std::collections::BTreeMap;

use svc_chain::header::Header;
use svc_chain::seq_commit;
use svc_chain::uint256::{BLUE_WORK_LEN, U256};
use svc_codec::hash32::Hash32;

use crate::checks::acceptance_proof::{AcceptanceProof, LanesProof};

/// The commitment that the header of the block has to carry; `None` where the claim has a blue work that no header has.
/// `lanes` are those of the proof.
pub(crate) fn commitment_of(
    proof: &AcceptanceProof,
    lanes: &LanesProof,
    block: &Header,
    parent: &Header,
) -> Option<Hash32> {
    let context =
        seq_commit::mergeset_context(parent.timestamp_ms, block.daa_score, block.blue_score);
    let live = live_lanes(proof, lanes, block, parent);
    let lanes_root = seq_commit::lanes_root(&live);
    let payloads = payload_leaves(proof)?;
    let state = seq_commit::state_of(&proof.shortcut, &lanes_root, &context, &payloads);
    Some(seq_commit::commitment(
        &parent.accepted_id_merkle_root,
        &state,
    ))
}

/// One leaf for each merged block; `None` where one has a blue work that no header has.
pub(crate) fn payload_leaves(proof: &AcceptanceProof) -> Option<Vec<Hash32>> {
    let leaves = proof.merged.iter().map(|merged| {
        let is_work =
            merged.blue_work.len() <= BLUE_WORK_LEN && merged.blue_work.first() != Some(&0);
        let work = is_work.then(|| U256::from_big_endian(&merged.blue_work))?;
        Some(seq_commit::miner_payload_leaf(
            &merged.hash,
            work,
            &merged.payload,
        ))
    });
    leaves.collect()
}

/// The leaves of accepted transactions by lane, in their order.
pub(crate) fn activity_of(proof: &AcceptanceProof) -> BTreeMap<[u8; 20], Vec<Hash32>> {
    let mut activity: BTreeMap<[u8; 20], Vec<Hash32>> = BTreeMap::new();
    for (index, accepted) in proof.accepted.iter().enumerate() {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let leaf = seq_commit::activity_leaf(&accepted.txid, accepted.version, index);
        activity.entry(accepted.lane).or_default().push(leaf);
    }
    activity
}

/// The tip of a lane before the block; the commitment of the selected parent for one that was not alive.
pub(crate) fn tip_before(lanes: &LanesProof, key: &Hash32, parent: &Header) -> Hash32 {
    let extended = lanes.extended.iter().find(|lane| lane.key == *key);
    extended.map_or(parent.accepted_id_merkle_root, |lane| lane.tip)
}

/// Key and leaf of the lanes that live after the block: those that it touches, with their new tips, and the others.
pub(crate) fn live_lanes(
    proof: &AcceptanceProof,
    lanes: &LanesProof,
    block: &Header,
    parent: &Header,
) -> Vec<(Hash32, Hash32)> {
    let context =
        seq_commit::mergeset_context(parent.timestamp_ms, block.daa_score, block.blue_score);
    let untouched = lanes.untouched.iter().map(|lane| {
        (
            lane.key,
            seq_commit::active_leaf(&lane.tip, lane.blue_score),
        )
    });
    let touched = activity_of(proof).into_iter().map(|(lane, leaves)| {
        let key = seq_commit::lane_key(&lane);
        let before = tip_before(lanes, &key, parent);
        let digest = seq_commit::lane_digest(&leaves);
        let tip = seq_commit::lane_tip(&before, &key, &digest, &context);
        (key, seq_commit::active_leaf(&tip, block.blue_score))
    });
    untouched.chain(touched).collect()
}
