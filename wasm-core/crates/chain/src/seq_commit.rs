//! The sequencing commitment, `accepted_id_merkle_root` of a header (specification consensus
//! 12). One function per line of that section; choosing the inputs is the engine's work.

use std::sync::OnceLock;

use svc_codec::hash32::Hash32;
use svc_codec::hashers::Blake3Hasher;

use crate::domain_hashers as domain;
use crate::merkle::{branch_with, fold_with, merkle_root_with};
use crate::uint256::{U256, blue_work_bytes};

/// Depth of the lanes tree: one level per bit of a key.
pub(crate) const TREE_DEPTH: usize = 256;

/// Time and scores under which a chain block accepts transactions.
pub fn mergeset_context(
    selected_parent_timestamp_ms: u64,
    daa_score: u64,
    blue_score: u64,
) -> Hash32 {
    let mut hasher = domain::seq_commit_mergeset_context();
    for number in [selected_parent_timestamp_ms, daa_score, blue_score] {
        hasher.update(&number.to_le_bytes());
    }
    hasher.finalize()
}

/// One accepted transaction; `index` counts over the whole acceptance, all lanes together.
pub fn activity_leaf(txid: &Hash32, version: u16, index: u32) -> Hash32 {
    domain::seq_commit_activity_leaf()
        .update(&txid.0)
        .update(&version.to_le_bytes())
        .update(&index.to_le_bytes())
        .finalize()
}

/// The activity of one lane.
pub fn lane_digest(activity_leaves: &[Hash32]) -> Hash32 {
    merkle_root_with(branch, activity_leaves)
}

/// The siblings of one leaf of a lane's activity on its way to the lane's digest, the lowest first.
pub fn lane_branch(activity_leaves: &[Hash32], place: usize) -> Vec<Hash32> {
    branch_with(branch, activity_leaves, place)
}

/// The activity of one lane, from one leaf of it and the leaf's siblings.
pub fn lane_digest_over(leaf: Hash32, place: u32, siblings: &[Hash32]) -> Hash32 {
    fold_with(branch, leaf, place, siblings)
}

/// The key of a lane, which is a subnetwork.
pub fn lane_key(subnetwork_id: &[u8; 20]) -> Hash32 {
    domain::seq_commit_lane_key()
        .update(subnetwork_id)
        .finalize()
}

/// The new tip of a lane over its previous one, or over the selected parent's commitment when
/// the lane has none.
pub fn lane_tip(parent: &Hash32, lane_key: &Hash32, digest: &Hash32, context: &Hash32) -> Hash32 {
    join(
        domain::seq_commit_lane_tip(),
        &[parent, lane_key, digest, context],
    )
}

/// The value of a lane in the lanes tree; `blue_score` is of the block that touched it last.
pub fn active_leaf(tip: &Hash32, blue_score: u64) -> Hash32 {
    domain::seq_commit_active_leaf()
        .update(&tip.0)
        .update(&blue_score.to_le_bytes())
        .finalize()
}

/// The root of the sparse tree over `(lane key, leaf)`. The order of the lanes is free; of
/// equal keys the last one counts. [`crate::lane_tree`] computes the same from what changed.
pub fn lanes_root(lanes: &[(Hash32, Hash32)]) -> Hash32 {
    let sorted: std::collections::BTreeMap<Hash32, Hash32> = lanes.iter().copied().collect();
    let sorted: Vec<(Hash32, Hash32)> = sorted.into_iter().collect();
    subtree(&sorted, 0)
}

/// The digest of a coinbase payload.
pub fn payload_digest(payload: &[u8]) -> Hash32 {
    domain::payload_digest().update(payload).finalize()
}

/// The coinbase payload of one merged block.
pub fn miner_payload_leaf(block: &Hash32, blue_work: U256, payload: &[u8]) -> Hash32 {
    miner_payload_leaf_over(block, blue_work, &payload_digest(payload))
}

/// The same with the digest of the payload.
pub fn miner_payload_leaf_over(block: &Hash32, blue_work: U256, digest: &Hash32) -> Hash32 {
    let work = blue_work_bytes(blue_work);
    domain::seq_commit_miner_payload_leaf()
        .update(&block.0)
        .update(&(work.len() as u64).to_le_bytes())
        .update(&work)
        .update(&digest.0)
        .finalize()
}

/// All merged blocks' payloads, in order of acceptance.
pub fn payload_root(leaves: &[Hash32]) -> Hash32 {
    merkle_root_with(branch, leaves)
}

/// The siblings of the first leaf, that of the selected parent, on its way to [`payload_root`], the lowest first.
pub fn payload_branch_of_first(leaves: &[Hash32]) -> Vec<Hash32> {
    branch_with(branch, leaves, 0)
}

/// The root of the payloads from the first leaf and its siblings: it stands on the left at every level.
pub fn payload_root_over_first(leaf: Hash32, siblings: &[Hash32]) -> Hash32 {
    fold_with(branch, leaf, 0, siblings)
}

/// Context and payloads together.
pub fn payload_and_context_digest(context: &Hash32, payload_root: &Hash32) -> Hash32 {
    branch(context, payload_root)
}

/// The inactivity shortcut and the lanes together.
pub fn activity_root(shortcut: &Hash32, lanes_root: &Hash32) -> Hash32 {
    join(domain::seq_commit_activity_root(), &[shortcut, lanes_root])
}

/// The state after the acceptance.
pub fn state(activity_root: &Hash32, payload_and_context_digest: &Hash32) -> Hash32 {
    branch(activity_root, payload_and_context_digest)
}

/// The state of a chain block from its parts: the shortcut's commitment, the lanes tree, the context, one leaf for each merged
/// block.
pub fn state_of(
    shortcut: &Hash32,
    lanes_root: &Hash32,
    context: &Hash32,
    payload_leaves: &[Hash32],
) -> Hash32 {
    state_over(shortcut, lanes_root, context, &payload_root(payload_leaves))
}

/// The same with the root of the merged blocks' payloads.
pub fn state_over(
    shortcut: &Hash32,
    lanes_root: &Hash32,
    context: &Hash32,
    payload_root: &Hash32,
) -> Hash32 {
    state(
        &activity_root(shortcut, lanes_root),
        &payload_and_context_digest(context, payload_root),
    )
}

/// The commitment over the selected parent's.
pub fn commitment(parent_commitment: &Hash32, state: &Hash32) -> Hash32 {
    branch(parent_commitment, state)
}

/// Root below a prefix of `depth` bits. Lanes are sorted and distinct, so the recursion ends
/// at depth 256 at the latest, where one lane is left.
fn subtree(lanes: &[(Hash32, Hash32)], depth: usize) -> Hash32 {
    match lanes {
        [] => empty_subtree(TREE_DEPTH - depth),
        [(key, leaf)] => collapsed_node(key, leaf),
        _ => {
            let right = lanes.partition_point(|(key, _)| !bit(key, depth));
            let (left, right) = lanes.split_at(right);
            node(&subtree(left, depth + 1), &subtree(right, depth + 1))
        }
    }
}

/// Bit `index` of a key, the most significant bit of byte 0 first.
pub(crate) fn bit(key: &Hash32, index: usize) -> bool {
    let byte = key.0.get(index / 8);
    byte.is_some_and(|byte| byte >> (7 - index % 8) & 1 == 1)
}

/// Root of a subtree without lanes, `height` levels above the leaves.
pub(crate) fn empty_subtree(height: usize) -> Hash32 {
    static ROOTS: OnceLock<Vec<Hash32>> = OnceLock::new();
    let roots = ROOTS.get_or_init(|| {
        let first = Some(Hash32::ZERO);
        std::iter::successors(first, |below| Some(node(below, below)))
            .take(TREE_DEPTH + 1)
            .collect()
    });
    // No subtree is higher than the tree.
    roots.get(height).copied().unwrap_or(Hash32::ZERO)
}

/// A subtree with exactly one lane.
pub(crate) fn collapsed_node(key: &Hash32, leaf: &Hash32) -> Hash32 {
    join(domain::seq_commit_active_collapsed_node(), &[key, leaf])
}

/// A subtree with several lanes.
pub(crate) fn node(left: &Hash32, right: &Hash32) -> Hash32 {
    join(domain::seq_commit_active_node(), &[left, right])
}

fn branch(left: &Hash32, right: &Hash32) -> Hash32 {
    join(domain::seq_commitment_merkle_branch_hash(), &[left, right])
}

fn join(mut hasher: Blake3Hasher, parts: &[&Hash32]) -> Hash32 {
    for part in parts {
        hasher.update(&part.0);
    }
    hasher.finalize()
}
