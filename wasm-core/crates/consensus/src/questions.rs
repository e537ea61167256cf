//! Read queries about the chain, answered as structured facts (docs/formats.md 3). They read the store and write
//! nothing; engine and reader share them.

mod checked_rows;
pub mod comparable_record;
pub mod evidence;
mod evidence_check;
mod log_check;
pub mod log_page;
mod lowest_run;
pub mod pages;
pub mod past_pages;
pub mod payload_evidence;
pub mod self_check;
mod served_log;
pub mod sync_questions;
pub mod told_proofs;

use serde_json::{Value, json};
use svc_chain::bits::difficulty;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::ghostdag::ghostdag;
use svc_dag::reachability::is_chain_ancestor;
use svc_dag::store::DagStore;
use svc_dag::windows::daa_data;

use crate::pipeline::event::hex_list;
use crate::pipeline::headers::headers_tip;
use crate::pipeline::virtual_parents::finality_point;
use crate::records::Records;
use crate::records::block_status::Stage;
use crate::records::chain::Chain;
use crate::records::held_history::held_history;
use crate::store::{Store, tables};

/// The tip and the state of virtual, as TipFacts.
pub fn tip<S: Store>(chain: &Chain<S>) -> Result<Value, SvcError> {
    let Chain { rules, records } = chain;
    records.require_state()?;
    let record = records.virtual_record()?;
    let header = records.header(&record.sink)?;
    let sink_state = records.chain_state(&record.sink)?;
    let data = ghostdag(records, rules.profile.ghostdag_k, &record.parents)?;
    let daa = daa_data(records, &rules.profile, &rules.genesis_hash, &data)?;
    let bits = rules
        .windows
        .difficulty_bits(records, &rules.profile, &data, &daa)?;
    let past_median = rules
        .windows
        .past_median_time(records, &rules.profile, &data, &daa)?;
    let finality = finality_point(records, &record.sink)?;
    let counters = records.counters()?;
    let best_header = headers_tip(records)?;
    let best = records.ghostdag(&best_header)?;
    let history = held_history(chain)?;
    let index_of = |hash: &Hash32| -> Result<u64, SvcError> {
        let missing = || {
            SvcError::new(Code::StoreMissing)
                .with("table", "chain index")
                .with("key", hash)
        };
        records.chain_index(hash)?.ok_or_else(missing)
    };
    Ok(json!({
        "genesis": rules.genesis_hash.to_string(),
        "sink": record.sink.to_string(),
        "sinkBlueScore": header.header.blue_score.to_string(),
        "sinkBlueWork": format!("{:x}", records.ghostdag(&record.sink)?.blue_work),
        "sinkTimestamp": header.header.timestamp_ms.to_string(),
        "daaScore": daa.daa_score.to_string(),
        "chainIndex": index_of(&record.sink)?.to_string(),
        "finalIndex": index_of(&finality)?.to_string(),
        "treeSize": sink_state.frontier.size().to_string(),
        "treeRoot": sink_state.tree_root.to_string(),
        "pruningPoint": records.pruning_point()?.to_string(),
        "virtualParents": hex_list(&record.parents),
        "tips": hex_list(&records.tips()?),
        "headersTip": best_header.to_string(),
        "headersBlueScore": best.blue_score.to_string(),
        "headersBlueWork": format!("{:x}", best.blue_work),
        "pastMedianTime": past_median.to_string(),
        "bits": bits,
        "difficulty": difficulty(bits),
        "blockCount": counters.bodies.to_string(),
        "headerCount": counters.headers.to_string(),
        "historyFromDaaScore": history.from_daa_score.to_string(),
        "historyComplete": history.is_complete,
    }))
}

/// What is known of a block, as BlockFacts; `None` for a block never accepted as a header. Errors: `chain/pruned`.
pub fn block_facts<S: Store>(
    records: &Records<S>,
    hash: &Hash32,
) -> Result<Option<Value>, SvcError> {
    let status = match records.status(hash)? {
        Some(status) if records.has_reachability(hash)? => status,
        _ => return none_if_unknown(records, hash),
    };
    let header = records.header(hash)?;
    let data = records.ghostdag(hash)?;
    let txids = if status.stage.has_body() {
        records
            .body(hash)?
            .iter()
            .map(|transaction| transaction.id().to_string())
            .collect()
    } else {
        Vec::new()
    };
    Ok(Some(json!({
        "hash": hash.to_string(),
        "status": status.stage.name(),
        "selectedParent": data.selected_parent.to_string(),
        "blues": hex_list(&data.blues),
        "reds": hex_list(&data.reds),
        "parents": hex_list(header.header.direct_parents()),
        "children": hex_list(&records.children(hash)?),
        "isChainBlock": records.chain_index(hash)?.is_some(),
        "blueScore": data.blue_score.to_string(),
        "daaScore": header.header.daa_score.to_string(),
        "blueWork": format!("{:x}", data.blue_work),
        "timestamp": header.header.timestamp_ms.to_string(),
        "difficulty": difficulty(header.header.bits),
        "txids": txids,
    })))
}

/// `None`, unless the block is pruned.
fn none_if_unknown<S: Store>(
    records: &Records<S>,
    hash: &Hash32,
) -> Result<Option<Value>, SvcError> {
    let error = records.unanswered(hash)?;
    match error.code {
        Code::ChainPruned => Err(error),
        _ => Ok(None),
    }
}

/// The effects of a chain block, as ChainFacts of a block judged valid; `None` otherwise. Errors: `chain/pruned`.
pub fn chain_facts<S: Store>(
    records: &Records<S>,
    hash: &Hash32,
) -> Result<Option<Value>, SvcError> {
    if records.find_chain_state(hash)?.is_none() {
        return none_if_unknown(records, hash);
    }
    let header = records.header(hash)?;
    let record = records.kept_acceptance(hash)?;
    let body = records.body(hash)?;
    let coinbase = body.coinbase()?;
    let outputs: Vec<Value> = coinbase
        .outputs
        .iter()
        .map(|output| json!({ "recipient": svc_codec::hex::encode(&output.script), "value": output.value.to_string() }))
        .collect();
    let merged: Vec<Value> = record
        .merged
        .iter()
        .map(|merged| {
            let color = if merged.blue { "blue" } else { "red" };
            json!({ "hash": merged.hash.to_string(), "color": color, "txCount": merged.tx_count })
        })
        .collect();
    let applied: Vec<Value> = record
        .applied
        .iter()
        .map(|carried| json!({ "txid": carried.txid.to_string(), "block": carried.block.to_string() }))
        .collect();
    let dropped: Vec<Value> = record
        .dropped
        .iter()
        .map(|dropped| {
            let (txid, block) = (
                dropped.carried.txid.to_string(),
                dropped.carried.block.to_string(),
            );
            json!({ "txid": txid, "block": block, "reason": dropped.reason })
        })
        .collect();
    Ok(Some(json!({
        "hash": hash.to_string(),
        "index": records.chain_index(hash)?.unwrap_or_default().to_string(),
        "blueScore": header.header.blue_score.to_string(),
        "daaScore": header.header.daa_score.to_string(),
        "timestamp": header.header.timestamp_ms.to_string(),
        "selectedParent": records.ghostdag(hash)?.selected_parent.to_string(),
        "coinbaseTxid": coinbase.id().to_string(),
        "coinbase": outputs,
        "merged": merged,
        "applied": applied,
        "dropped": dropped,
    })))
}

/// The shielded state after a block, as ShieldedFacts of a block judged valid. Errors: `chain/unknown-block`,
/// `chain/pruned`.
pub fn shielded_facts<S: Store>(chain: &Chain<S>, hash: &Hash32) -> Result<Value, SvcError> {
    let chain_state = chain.records.answered_chain_state(hash)?;
    let scores = chain.records.chain_scores(hash)?;
    let pool = chain_state.cumulative_coinbase - chain_state.cumulative_fees;
    Ok(json!({
        "hash": hash.to_string(),
        "blueScore": scores.blue_score.to_string(),
        "daaScore": scores.daa_score.to_string(),
        "size": chain_state.frontier.size().to_string(),
        "leaf": chain_state.frontier.leaf().unwrap_or(Hash32::ZERO).to_string(),
        "ommers": hex_list(&chain_state.frontier.ommers()),
        "root": chain_state.tree_root.to_string(),
        "cumulativeCoinbase": chain_state.cumulative_coinbase.to_string(),
        "cumulativeFees": chain_state.cumulative_fees.to_string(),
        "cumulativeBurns": "0",
        "poolValue": pool.to_string(),
        "noteCount": chain_state.frontier.size().to_string(),
        "nullifierCount": chain_state.nullifier_count.to_string(),
        "devAccrued": chain_state.dev_accrued.to_string(),
        "slotAmount": chain_state.slot.amount.to_string(),
        "stateRoot": chain_state.state_root(&chain.rules.profile, scores.daa_score).to_string(),
    }))
}

/// The highest of the given blocks (newest first) that is on the selected chain. Errors:
/// `chain/no-common-block` when none is.
pub fn locate<S: Store>(records: &Records<S>, hashes: &[Hash32]) -> Result<Value, SvcError> {
    let mut best: Option<(u64, Hash32)> = None;
    for hash in hashes {
        if let Some(index) = records.chain_index(hash)?
            && best.is_none_or(|(found, _)| index > found)
        {
            best = Some((index, *hash));
        }
    }
    let (index, hash) = best.ok_or_else(|| SvcError::new(Code::ChainNoCommonBlock))?;
    Ok(json!({ "hash": hash.to_string(), "chainIndex": index.to_string() }))
}

/// The last selected-chain block at or below a block that was once accepted. Errors: `chain/unknown-block`,
/// `chain/pruned`.
pub fn common_chain_block<S: Store>(
    records: &Records<S>,
    hash: &Hash32,
) -> Result<(Hash32, u64), SvcError> {
    if let Some(index) = records.chain_index(hash)? {
        return Ok((*hash, index));
    }
    if !records.stage(hash)?.is_some_and(Stage::has_body) {
        return Err(records.unanswered(hash)?);
    }
    let mut current = *hash;
    loop {
        if let Some(index) = records.chain_index(&current)? {
            return Ok((current, index));
        }
        // Below where an imported store begins there is no chain to come to.
        let row = records.overlay.get(tables::GHOSTDAG, current.as_bytes())?;
        if row.is_none() {
            return Err(SvcError::new(Code::ChainPruned).with("hash", hash));
        }
        current = records.ghostdag(&current)?.selected_parent;
    }
}

/// Chain blocks left and joined between a block and the sink, with accepted ids of the joined ones. Errors:
/// `chain/unknown-block`, `chain/pruned`.
pub fn virtual_chain_from<S: Store>(
    records: &Records<S>,
    start: &Hash32,
    limit: usize,
) -> Result<Value, SvcError> {
    let (common, index) = common_chain_block(records, start)?;
    let mut removed = Vec::new();
    let mut current = *start;
    while current != common {
        removed.push(current);
        current = records.ghostdag(&current)?.selected_parent;
    }
    let mut added = Vec::new();
    for offset in 0..limit as u64 {
        let Some(block) = records.chain_at(index + 1 + offset)? else {
            break;
        };
        let record = records.kept_acceptance(&block)?;
        let accepted: Vec<String> = record
            .merged
            .iter()
            .flat_map(|merged| merged.accepted.iter().map(Hash32::to_string))
            .collect();
        added.push(json!({ "hash": block.to_string(), "acceptedTxids": accepted }));
    }
    Ok(json!({ "removed": hex_list(&removed), "added": added }))
}

/// Hashes from `low` upwards along the selected chain with each chain block's mergeset before it, `low`
/// first, at most `limit`; a block that is not on the chain starts at its chain ancestor. Errors: `chain/unknown-block`,
/// `chain/pruned`.
pub fn blocks_from<S: Store>(
    records: &Records<S>,
    low: &Hash32,
    limit: usize,
) -> Result<Value, SvcError> {
    let (_, index) = common_chain_block(records, low)?;
    let sink = records.virtual_record()?.sink;
    let mut hashes = vec![*low];
    let mut reached_sink = *low == sink;
    let mut next = index + 1;
    while hashes.len() < limit && !reached_sink {
        let Some(block) = records.chain_at(next)? else {
            break;
        };
        next += 1;
        records.kept_acceptance(&block)?;
        for merged in records
            .ghostdag(&block)?
            .ascending_mergeset_without_selected_parent(records)?
        {
            if merged != *low {
                hashes.push(merged);
            }
        }
        hashes.push(block);
        reached_sink = block == sink;
    }
    if reached_sink {
        for tip in records.tips()? {
            if !is_chain_ancestor(records, &tip, &sink)? && !hashes.contains(&tip) {
                hashes.push(tip);
            }
        }
    }
    hashes.truncate(limit);
    Ok(json!(hex_list(&hashes)))
}
