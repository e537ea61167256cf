//! Sequencing commitment of a chain block, which its header holds as the accepted-id root (specification consensus
//! 12).

use std::collections::BTreeMap;

use svc_chain::seq_commit;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::reachability::next_chain_ancestor;
use svc_dag::store::DagStore;
use svc_evidence::parent_path::ParentPath;

use crate::records::Records;
use crate::records::chain::Chain;
use crate::records::lane_diff::{LaneChange, LaneDiff, LaneTip};
use crate::records::lanes::{self, LaneUpdate};
use crate::rules::acceptance::{Acceptance, MergeContext};
use crate::rules::opened_sequencing::{OpenedSequencing, SequencingParts};
use crate::store::Store;

/// The commitment and what the block's state keeps of it.
pub struct Sequencing {
    /// Value of `accepted_id_merkle_root`.
    pub commitment: Hash32,
    /// State of the commitment: it is hashed behind that of the selected parent.
    pub state: Hash32,
    /// Opening of the state down to the selected parent, where it is kept.
    pub parent_path: Option<ParentPath>,
    /// What the block does to the live lanes.
    pub lanes: LaneUpdate,
    /// Inactivity shortcut block.
    pub shortcut: Hash32,
}

/// Computes the commitment of the position in `context` over its accepted mergeset. The selected parent must be
/// the current position.
pub fn sequence<S: Store>(
    chain: &Chain<S>,
    context: &MergeContext,
    acceptance: &Acceptance,
) -> Result<Sequencing, SvcError> {
    let records = &chain.records;
    let selected_parent = &context.ghostdag.selected_parent;
    let parent = records.header(selected_parent)?;
    let blue_score = context.ghostdag.blue_score;
    let merge =
        seq_commit::mergeset_context(parent.header.timestamp_ms, context.daa_score, blue_score);
    let parent_commitment = parent.header.accepted_id_merkle_root;
    let parent_state = records.chain_state(selected_parent)?;
    let touch = Touch {
        parent_commitment,
        context: merge,
        blue_score,
        horizon: chain.rules.profile.finality_depth,
    };
    let lanes = lanes::plan(records, touch.diff(records, &acceptance.activity)?)?;
    crate::corrupt_unless(lanes.tree.before == parent_state.lanes_root, "lanes")?;
    let shortcut = shortcut_block(chain, selected_parent, blue_score)?;
    let shortcut_commitment = records.header(&shortcut)?.header.accepted_id_merkle_root;
    let first_payload = acceptance.miner_payloads.first();
    let parts = SequencingParts {
        daa_score: context.daa_score,
        blue_score,
        shortcut: &shortcut_commitment,
        lanes_root: &lanes.tree.root,
        leaves: &payload_leaves(records, acceptance)?,
        first_payload: first_payload.map_or(&[][..], |(_, payload)| payload.as_slice()),
    };
    let opened = OpenedSequencing::over(&parent.header, &parts);
    Ok(Sequencing {
        commitment: seq_commit::commitment(&parent_commitment, &opened.state),
        state: opened.state,
        parent_path: opened.kept_path(&parent),
        lanes,
        shortcut,
    })
}

/// What every lane touched by this block shares.
struct Touch {
    parent_commitment: Hash32,
    context: Hash32,
    blue_score: u64,
    horizon: u64,
}

impl Touch {
    /// Extends the lanes at the position with the block's activity and drops those idle for longer than the
    /// horizon: a lane whose newest tip is older starts over.
    fn diff<S: Store>(
        &self,
        records: &Records<S>,
        activity: &[([u8; 20], Hash32, u16)],
    ) -> Result<LaneDiff, SvcError> {
        let oldest = self.blue_score.saturating_sub(self.horizon);
        let expire = |before: LaneTip| LaneChange {
            before: Some(before),
            after: None,
        };
        let idle = lanes::idle_lanes(records, oldest)?.into_iter();
        let mut changes: BTreeMap<Hash32, LaneChange> =
            idle.map(|(key, lane)| (key, expire(lane))).collect();
        let mut leaves: BTreeMap<[u8; 20], Vec<Hash32>> = BTreeMap::new();
        for (index, (lane, txid, version)) in activity.iter().enumerate() {
            let leaf = seq_commit::activity_leaf(txid, *version, index as u32);
            leaves.entry(*lane).or_default().push(leaf);
        }
        for (lane, leaves) in leaves {
            let key = seq_commit::lane_key(&lane);
            let (before, alive) = match changes.get(&key) {
                Some(expired) => (expired.before, None),
                None => {
                    let lane = lanes::find_lane(records, &key)?;
                    (lane, lane)
                }
            };
            let reference = alive.map_or(self.parent_commitment, |lane| lane.tip);
            let digest = seq_commit::lane_digest(&leaves);
            let after = Some(LaneTip {
                tip: seq_commit::lane_tip(&reference, &key, &digest, &self.context),
                blue_score: self.blue_score,
            });
            changes.insert(key, LaneChange { before, after });
        }
        Ok(LaneDiff(changes))
    }
}

/// Step 7: one leaf per merged block, selected parent first.
fn payload_leaves<S: Store>(
    records: &Records<S>,
    acceptance: &Acceptance,
) -> Result<Vec<Hash32>, SvcError> {
    let mut leaves = Vec::with_capacity(acceptance.miner_payloads.len());
    for (block, payload) in &acceptance.miner_payloads {
        let work = records.header(block)?.header.blue_work;
        leaves.push(seq_commit::miner_payload_leaf(block, work, payload));
    }
    Ok(leaves)
}

/// Step 8: the highest chain block with blue score ≤ blue_score − F − 1, found by climbing from the
/// selected parent's own shortcut; genesis while the chain is shorter.
fn shortcut_block<S: Store>(
    chain: &Chain<S>,
    selected_parent: &Hash32,
    blue_score: u64,
) -> Result<Hash32, SvcError> {
    let Chain { rules, records } = chain;
    let depth = rules.profile.finality_depth + 1;
    let Some(limit) = blue_score.checked_sub(depth) else {
        return Ok(rules.genesis_hash);
    };
    let mut current = records.chain_state(selected_parent)?.shortcut;
    while current != *selected_parent {
        let next = next_chain_ancestor(records, selected_parent, &current)?;
        if records.header(&next)?.header.blue_score > limit {
            break;
        }
        current = next;
    }
    Ok(current)
}
