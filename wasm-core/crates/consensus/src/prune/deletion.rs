//! Deletion of a pruned block's records.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::reachability_delete::{PrunableStore, delete_block};
use svc_dag::store::DagStore;

use crate::prune::fate::Wanted;
use crate::records::block_status::{BlockStatus, Stage};
use crate::records::meta;
use crate::records::{Records, stored};
use crate::rules::state_opening::TREE_STATE_SPACING;
use crate::store::{Store, tables};

/// Deletes all but the place of a block in the graph; whether there was something to delete.
pub fn strip<S: Store>(
    records: &mut Records<S>,
    wanted: &Wanted,
    block: &Hash32,
) -> Result<bool, SvcError> {
    let Some(status) = records.status(block)? else {
        return Ok(false);
    };
    if !status.stage.has_body() {
        return Ok(false);
    }
    records.forget(tables::BODIES, block);
    let mut counters = records.counters()?;
    counters.bodies = counters.bodies.saturating_sub(1);
    records.put_meta(meta::COUNTERS, counters.encode());
    if status.stage == Stage::Valid {
        drop_chain_records(records, wanted, block)?;
    }
    if !wanted.is_point(block) {
        records.forget(tables::DEPTHS, block);
    }
    records.put_status(block, BlockStatus::new(Stage::HeaderOnly));
    Ok(true)
}

/// Deletes the node of a block and what only blocks with a node have. Its header stays.
pub fn drop_node<S: Store>(
    records: &mut Records<S>,
    wanted: &Wanted,
    block: &Hash32,
) -> Result<(), SvcError> {
    strip(records, wanted, block)?;
    let mergeset = mergeset_of(records, block)?;
    delete_block(records, block, &mergeset)?;
    records.forget(tables::GHOSTDAG, block);
    records.forget(tables::DAA_EXCLUDED, block);
    records.forget(tables::CHILDREN, block);
    if !wanted.is_point(block) {
        records.forget(tables::DEPTHS, block);
    }
    Ok(())
}

/// Headers that a trusted import brought may have no GHOSTDAG data; what they merged is written down as inherited.
fn mergeset_of<S: Store>(records: &Records<S>, block: &Hash32) -> Result<Vec<Hash32>, SvcError> {
    let row = records.overlay.get(tables::GHOSTDAG, block.as_bytes())?;
    if row.is_none() {
        return Ok(Vec::new());
    }
    let data = records.ghostdag(block)?;
    let merged = data.blues.iter().skip(1).chain(&data.reds);
    Ok(merged.copied().collect())
}

/// Deletes a header and all that is known of the block.
pub fn drop_header<S: Store>(records: &mut Records<S>, block: &Hash32) -> Result<(), SvcError> {
    for table in [tables::HEADERS, tables::WITNESSES, tables::STATUS] {
        records.forget(table, block);
    }
    records.overlay.delete(tables::KEPT, block.as_bytes());
    let mut counters = records.counters()?;
    counters.headers = counters.headers.saturating_sub(1);
    records.put_meta(meta::COUNTERS, counters.encode());
    Ok(())
}

/// What a block left that was once judged valid on a chain. The scan record, the evidence and the index of a block of
/// the selected chain stay for good, and so do some of the states. Pruning points are on it, genesis as well: in a store that began
/// above it has no index before history has joined the chain.
fn drop_chain_records<S: Store>(
    records: &mut Records<S>,
    wanted: &Wanted,
    block: &Hash32,
) -> Result<(), SvcError> {
    let on_chain = wanted.is_point(block) || records.chain_index(block)?.is_some();
    let after = records.chain_state(block)?;
    if after.frontier.size() > 0 && records.anchor_entry(block)?.is_none() {
        let key = meta::encode_hashes(&[after.tree_root, *block]);
        records.overlay.delete(tables::ANCHOR_PRODUCERS, &key);
    }
    records.forget(tables::ACCEPTANCE, block);
    for table in [tables::NULLIFIER_DIFFS, tables::LANE_DIFFS] {
        records.overlay.delete(table, block.as_bytes());
    }
    if !on_chain {
        for table in [
            tables::SCAN_RECORDS,
            tables::CHAIN_EVIDENCE,
            tables::OPENINGS,
        ] {
            records.overlay.delete(table, block.as_bytes());
        }
    }
    let daa_score = records.header(block)?.header.daa_score;
    let stays = wanted.is_point(block) || daa_score % TREE_STATE_SPACING == 0;
    if !(on_chain && stays) {
        records.forget(tables::CHAIN_STATE, block);
    }
    Ok(())
}

impl<S: Store> PrunableStore for Records<S> {
    fn remove_reachability(&mut self, block: &Hash32) {
        self.forget(tables::REACHABILITY, block);
        self.overlay
            .delete(tables::INHERITED_MERGES, block.as_bytes());
    }

    fn inherited_merges(&self, block: &Hash32) -> Result<Vec<Hash32>, SvcError> {
        let bytes = self
            .overlay
            .get(tables::INHERITED_MERGES, block.as_bytes())?;
        stored(
            "inherited merges",
            meta::decode_hashes(&bytes.unwrap_or_default()),
        )
    }

    fn set_inherited_merges(&mut self, block: &Hash32, merged: Vec<Hash32>) {
        let bytes = meta::encode_hashes(&merged);
        self.overlay
            .put(tables::INHERITED_MERGES, block.as_bytes(), bytes);
    }
}
