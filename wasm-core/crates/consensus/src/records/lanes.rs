//! Live lanes at the position, in tables of their own: a chain block changes a few rows, however many lanes there are
//! (specification consensus 12; decision record 8).
//!
//! `LANES`, `LANE_NODES` and `LANE_EXPIRY` are functions of the set of live lanes and move with the position, as
//! the nullifiers do; `LANE_DIFFS` is a function of the block.

use std::collections::BTreeMap;

use svc_chain::lane_tree::{LaneNode, LeafChange, LeafChanges, NodePlace, TreeUpdate, update};
use svc_chain::seq_commit::active_leaf;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::LANE_EXPIRY_PAGE;
use svc_codec::reader::Reader;
use svc_dag::store::DagStore;

use crate::records::chain_state::ChainState;
use crate::records::lane_diff::{LaneDiff, LaneTip};
use crate::records::{Records, missing, stored};
use crate::store::tables;
use crate::store::{KeyRange, Store};

/// A change of the live lanes, worked out and not yet written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneUpdate {
    /// What changes.
    pub diff: LaneDiff,
    /// What it does to the lanes tree.
    pub tree: TreeUpdate,
}

/// The newest tip of a lane that lives at the position.
pub fn find_lane<S: Store>(
    records: &Records<S>,
    key: &Hash32,
) -> Result<Option<LaneTip>, SvcError> {
    let found = records.overlay.get(tables::LANES, key.as_bytes())?;
    let lane = found.map(|bytes| LaneTip::decode(&bytes)).transpose();
    stored("lanes", lane)
}

/// Lanes at the position whose newest tip has a blue score below `oldest`.
pub fn idle_lanes<S: Store>(
    records: &Records<S>,
    oldest: u64,
) -> Result<BTreeMap<Hash32, LaneTip>, SvcError> {
    let mut idle = BTreeMap::new();
    let mut from = vec![0; 8];
    loop {
        let rows = records.overlay.range(KeyRange {
            table: tables::LANE_EXPIRY,
            from: &from,
            to: &oldest.to_be_bytes(),
            limit: LANE_EXPIRY_PAGE,
            reverse: false,
        })?;
        for (row, _) in &rows {
            let (blue_score, key) = stored("lane expiry", decode_expiry(row))?;
            let lane = find_lane(records, &key)?.filter(|lane| lane.blue_score == blue_score);
            crate::corrupt_unless(lane.is_some(), "lane expiry")?;
            idle.extend(lane.map(|lane| (key, lane)));
        }
        let Some((last, _)) = rows.last().filter(|_| rows.len() >= LANE_EXPIRY_PAGE) else {
            return Ok(idle);
        };
        from = [last.as_slice(), &[0]].concat();
    }
}

fn expiry_key(blue_score: u64, key: &Hash32) -> Vec<u8> {
    [blue_score.to_be_bytes().as_slice(), key.as_bytes()].concat()
}

fn decode_expiry(row: &[u8]) -> Result<(u64, Hash32), SvcError> {
    let mut reader = Reader::new(row);
    let blue_score = u64::from_be_bytes(reader.array()?);
    let key = reader.hash()?;
    reader.finish()?;
    Ok((blue_score, key))
}

/// Works out what a change of the lanes at the position does. Errors: `store/corrupt` when the lanes are not what
/// `diff` says they were.
pub fn plan<S: Store>(records: &Records<S>, diff: LaneDiff) -> Result<LaneUpdate, SvcError> {
    let leaf = |lane: LaneTip| active_leaf(&lane.tip, lane.blue_score);
    let changes = diff.0.iter();
    let leaves: LeafChanges = changes
        .map(|(key, change)| {
            let (before, after) = (change.before.map(leaf), change.after.map(leaf));
            (*key, LeafChange { before, after })
        })
        .collect();
    let read = |place: &NodePlace| -> Result<Option<LaneNode>, SvcError> {
        let found = records.overlay.get(tables::LANE_NODES, &place.to_bytes())?;
        let node = found.map(|bytes| LaneNode::decode(&bytes)).transpose();
        stored("lane nodes", node)
    };
    let tree = update(read, &leaves)?;
    Ok(LaneUpdate { diff, tree })
}

/// Writes an update that was planned at this position.
pub fn write<S: Store>(records: &mut Records<S>, update: &LaneUpdate) {
    let overlay = &mut records.overlay;
    for (key, change) in &update.diff.0 {
        if let Some(before) = change.before {
            overlay.delete(tables::LANE_EXPIRY, &expiry_key(before.blue_score, key));
        }
        match change.after {
            Some(after) => {
                overlay.put(tables::LANES, key.as_bytes(), after.encode());
                let row = expiry_key(after.blue_score, key);
                overlay.put(tables::LANE_EXPIRY, &row, Vec::new());
            }
            None => overlay.delete(tables::LANES, key.as_bytes()),
        }
    }
    for (place, node) in &update.tree.nodes {
        let key = place.to_bytes();
        match node {
            Some(node) => overlay.put(tables::LANE_NODES, &key, node.encode()),
            None => overlay.delete(tables::LANE_NODES, &key),
        }
    }
}

/// How a valid chain block other than genesis changed the lanes.
pub fn lane_diff<S: Store>(records: &Records<S>, block: &Hash32) -> Result<LaneDiff, SvcError> {
    if let Some(bytes) = records.overlay.get(tables::LANE_DIFFS, block.as_bytes())? {
        return stored("lane diffs", LaneDiff::decode(&bytes));
    }
    // Judged under layout 1, and so was its selected parent: both states list their lanes.
    let parent = records.ghostdag(block)?.selected_parent;
    let (before, after) = (
        listed_lanes(records, &parent)?,
        listed_lanes(records, block)?,
    );
    Ok(LaneDiff::between(&before, &after))
}

/// The lanes in a chain state of form 1.
pub fn listed_lanes<S: Store>(
    records: &Records<S>,
    block: &Hash32,
) -> Result<BTreeMap<Hash32, LaneTip>, SvcError> {
    let bytes = records.overlay.get(tables::CHAIN_STATE, block.as_bytes())?;
    let bytes = bytes.ok_or_else(|| missing("chain state", block))?;
    let lanes = stored("chain state", ChainState::listed_lanes(&bytes))?;
    lanes.ok_or_else(|| missing("lane diffs", block))
}
