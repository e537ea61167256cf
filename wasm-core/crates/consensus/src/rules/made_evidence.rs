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
    let Some(sequencing) = sequencing_state(chain, block, &state)? else {
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
    Ok(Some(ChainEvidence {
        sequencing,
        tree_root: state.tree_root,
        log_nodes,
    }))
}

/// State of the sequencing commitment of a chain block: hashed behind that of the selected parent it gives the block's own
/// (specification consensus 12, steps 7 to 9); `None` where what it merged, or its shortcut, is no longer held.
fn sequencing_state<S: Store>(
    chain: &Chain<S>,
    hash: &Hash32,
    after: &ChainState,
) -> Result<Option<Hash32>, SvcError> {
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
    for block in &record.merged {
        if !records.stage(&block.hash)?.is_some_and(Stage::has_body) {
            return Ok(None);
        }
        let work = records.header(&block.hash)?.header.blue_work;
        let body = records.body(&block.hash)?;
        let payload = &body.coinbase()?.payload;
        leaves.push(seq_commit::miner_payload_leaf(&block.hash, work, payload));
    }
    let header = &records.header(hash)?.header;
    let parent = records.ghostdag(hash)?.selected_parent;
    let timestamp = records.header(&parent)?.header.timestamp_ms;
    let context = seq_commit::mergeset_context(timestamp, header.daa_score, header.blue_score);
    let shortcut = records.header(&after.shortcut)?;
    let shortcut = &shortcut.header.accepted_id_merkle_root;
    Ok(Some(seq_commit::state_of(
        shortcut,
        &after.lanes_root,
        &context,
        &leaves,
    )))
}
