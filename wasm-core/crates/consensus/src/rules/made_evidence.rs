//! Evidence of a judged block, made anew from what is held of it: for what an older build judged, and to hold what is kept
//! against it (docs/light-client.md).

use svc_chain::seq_commit;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::store::DagStore;
use svc_shielded::anchor_log::LogPersonals;

use crate::records::block_status::Stage;
use crate::records::chain::Chain;
use crate::records::chain_evidence::ChainEvidence;
use crate::records::chain_state::ChainState;
use crate::rules::opened_sequencing::{OpenedSequencing, SequencingParts};
use crate::store::Store;

/// The record of a judged block; `None` of genesis, which has none, and where too little is held.
///
/// # Errors
/// `store/*`.
pub fn made_evidence<S: Store>(
    chain: &Chain<S>,
    block: &Hash32,
) -> Result<Option<ChainEvidence>, SvcError> {
    let Chain { rules, records } = chain;
    if *block == rules.genesis_hash {
        return Ok(None);
    }
    let Some(state) = records.find_chain_state(block)? else {
        return Ok(None);
    };
    let Some(opened) = sequencing_of(chain, block, &state)? else {
        return Ok(None);
    };
    let mut log_nodes = Vec::new();
    if rules.fork_active(records.header(block)?.header.daa_score) {
        let Some(entry) = records.entry_of(block)? else {
            return Ok(None);
        };
        let mut log = entry.log_before.clone();
        log_nodes = log.append(&LogPersonals::of(&rules.profile), &entry.log_entry(block));
    }
    let parent = records.header(&records.ghostdag(block)?.selected_parent)?;
    Ok(Some(ChainEvidence {
        sequencing: opened.state,
        parent_path: opened.kept_path(&parent),
        tree_root: state.tree_root,
        log_nodes,
    }))
}

/// State of the sequencing commitment of a chain block, opened: hashed behind that of the selected parent it gives the block's
/// own (specification consensus 12, steps 7 to 9); `None` where what it merged, or its shortcut, is no longer held.
fn sequencing_of<S: Store>(
    chain: &Chain<S>,
    hash: &Hash32,
    after: &ChainState,
) -> Result<Option<OpenedSequencing>, SvcError> {
    let records = &chain.records;
    let record = match records.kept_acceptance(hash) {
        Ok(record) => record,
        Err(error) if error.code == Code::ChainPruned => return Ok(None),
        Err(error) => return Err(error),
    };
    if !records.has_header(&after.shortcut)? {
        return Ok(None);
    }
    let mut leaves = Vec::with_capacity(record.merged.len());
    let mut first_payload = None;
    for block in &record.merged {
        if !records.stage(&block.hash)?.is_some_and(Stage::has_body) {
            return Ok(None);
        }
        let work = records.header(&block.hash)?.header.blue_work;
        let body = records.body(&block.hash)?;
        let payload = &body.coinbase()?.payload;
        leaves.push(seq_commit::miner_payload_leaf(&block.hash, work, payload));
        first_payload.get_or_insert_with(|| payload.clone());
    }
    let header = &records.header(hash)?.header;
    let parent = records.ghostdag(hash)?.selected_parent;
    let shortcut = records.header(&after.shortcut)?;
    let parts = SequencingParts {
        daa_score: header.daa_score,
        blue_score: header.blue_score,
        shortcut: &shortcut.header.accepted_id_merkle_root,
        lanes_root: &after.lanes_root,
        leaves: &leaves,
        first_payload: first_payload.as_deref().unwrap_or_default(),
    };
    let parent = &records.header(&parent)?.header;
    Ok(Some(OpenedSequencing::over(parent, &parts)))
}
