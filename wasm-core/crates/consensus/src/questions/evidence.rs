//! Evidence that a node serves of its selected chain, for who does not hold it (docs/light-client.md). Every answer is a
//! function of the blocks that were asked for, so it may be kept for as long as they stand on the chain.

use std::rc::Rc;

use serde_json::{Value, json};
use svc_chain::muhash::MuHash;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_RUN_BLOCKS, MAX_RUN_HEADERS, MIN_LEVEL_HEADERS, WHOLE_RUN_BLOCKS};
use svc_dag::records::HeaderRecord;
use svc_dag::store::DagStore;
use svc_evidence::membership::{LogPlace, Membership};
use svc_evidence::opening::Nullifiers;
use svc_evidence::parent_path::ParentPath;
use svc_evidence::run::{Link, Run, Step, can_step_from};

use crate::questions::lowest_run::lowest_run;
use crate::questions::pages;
use crate::questions::served_log::ServedLog;
use crate::records::Records;
use crate::records::chain::Chain;
use crate::records::chain_evidence::ChainEvidence;
use crate::rules::made_evidence::made_evidence;
use crate::rules::state_opening::open_state;
use crate::store::Store;

/// Which blocks to ask evidence of, as EvidenceTipFacts: the highest chain block that is at least `depth` blue scores below the
/// sink and has a block above it, that block, and the sink; where runs do not reach so low, the lowest one that they do reach. It
/// is no evidence itself.
///
/// # Errors
/// `codec/count-too-large` for more than a run can span, `chain/unknown-block` where the chain has genesis alone,
/// `engine/not-imported`.
pub fn tip<S: Store>(chain: &Chain<S>, depth: u64) -> Result<Value, SvcError> {
    let Chain { rules, records } = chain;
    check_count(depth, MAX_RUN_BLOCKS)?;
    records.require_state()?;
    let sink = records.virtual_record()?.sink;
    let top = &records.header(&sink)?.header;
    let sink_index = index_of(records, &sink)?;
    let below = sink_index.checked_sub(1).ok_or_else(|| unknown(&sink))?;
    let index = match top.blue_score.checked_sub(depth) {
        Some(score) => pages::first_index_at(records, score + 1)?.saturating_sub(1),
        None => 0,
    };
    let history_base = index_of(records, &records.pruning()?.history_base)?;
    let lowest = history_base.max(lowest_run(records)?);
    let index = index.max(lowest).min(below);
    let at = |index| records.chain_at(index)?.ok_or_else(|| unknown(&sink));
    let (block, child) = (at(index)?, at(index + 1)?);
    let scores = records.chain_scores(&block)?;
    let log_count = match rules.fork_active(scores.daa_score) {
        true => Some(records.answered_chain_state(&block)?.anchor_log.count()),
        false => None,
    };
    let fork = rules.profile.activations.security_fork;
    Ok(json!({
        "block": block,
        "child": child,
        "sink": sink,
        "blueScore": scores.blue_score.to_string(),
        "sinkBlueScore": top.blue_score.to_string(),
        "sinkDaaScore": top.daa_score.to_string(),
        "sinkTimestamp": top.timestamp_ms.to_string(),
        "blocks": (below - index).to_string(),
        "logCount": log_count.map(|count| count.to_string()),
        "securityFork": fork.map(|score| score.to_string()),
    }))
}

/// The state after a chain block, opened from the block above it. `with_product` brings the product of all nullifiers in
/// the place of its digest.
///
/// # Errors
/// `chain/unknown-block` for a block that is not on the selected chain or has none above it, `chain/pruned`.
pub fn opening<S: Store>(
    chain: &Chain<S>,
    block: &Hash32,
    with_product: bool,
) -> Result<Vec<u8>, SvcError> {
    let Chain { rules, records } = chain;
    let index = index_of(records, block)?;
    let child = records.chain_at(index + 1)?;
    let child = child.ok_or_else(|| unknown(block))?;
    let told = match records.kept_opening(&child)? {
        Some(kept) => Some(kept),
        None => open_state(rules, records, block, &child)?,
    };
    let (header, mut opening) = told.ok_or_else(|| pruned(block))?;
    match &opening.nullifiers {
        Nullifiers::Product(product) if !with_product => {
            opening.nullifiers = Nullifiers::Digest(product.finalize());
        }
        // The product of no nullifiers is kept as its digest.
        Nullifiers::Digest(digest) if with_product && *digest == MuHash::empty_digest() => {
            opening.nullifiers = Nullifiers::Product(Box::default());
        }
        Nullifiers::Product(_) | Nullifiers::Digest(_) => {}
    }
    Ok(opening.encode(&header))
}

/// The path of a chain block in the anchor log after another, at or above it.
///
/// # Errors
/// `chain/unknown-block`, `chain/pruned` where a node of the path is not held, `evidence/not-member` for a block from before
/// the security fork or above `at`.
pub fn membership<S: Store>(
    chain: &Chain<S>,
    block: &Hash32,
    at: &Hash32,
) -> Result<Vec<u8>, SvcError> {
    let log = ServedLog::after(chain, at)?;
    let index = log.place_of(block)?;
    let place = index.and_then(|index| LogPlace::of(index, log.count));
    let (Some(index), Some(place)) = (index, place) else {
        let error = SvcError::new(Code::EvidenceNotMember).with("index", index.unwrap_or(0));
        return Err(error.with("count", log.count));
    };
    let node = |(height, position)| log.node(height, position)?.ok_or_else(|| pruned(block));
    let told = Membership {
        index,
        entry: log.entry(index)?.ok_or_else(|| pruned(block))?,
        path: Membership::siblings(index, place.height)
            .map(node)
            .collect::<Result<_, _>>()?,
    };
    Ok(told.encode())
}

/// The run from one chain block up to another: every header of a short one, those of a block level of a longer one, the
/// highest that leaves as many as a run of a level needs.
///
/// # Errors
/// `chain/unknown-block` where one is not on the selected chain, `codec/count-too-large` for more blocks or headers than a
/// run holds, also where `to` is the lower one, `chain/pruned`, with the block that runs can begin at where a
/// migration noted one.
pub fn run<S: Store>(chain: &Chain<S>, from: &Hash32, to: &Hash32) -> Result<Vec<u8>, SvcError> {
    let records = &chain.records;
    let (low, high) = (index_of(records, from)?, index_of(records, to)?);
    let blocks = high.checked_sub(low).unwrap_or(u64::MAX);
    check_count(blocks, MAX_RUN_BLOCKS)?;
    let lowest = lowest_run(records)?;
    if low < lowest {
        let begins = records.chain_at(lowest)?.ok_or_else(|| unknown(from))?;
        return Err(pruned(from).with("from", begins));
    }
    let mut headers = Vec::new();
    for index in low + 1..=high {
        let hash = records.chain_at(index)?.ok_or_else(|| unknown(to))?;
        headers.push(held_header(records, &hash)?);
    }
    let level = level_for(&headers);
    let shown = shown_of(held_header(records, from)?.level, &headers, level);
    let count = shown.iter().filter(|is_shown| **is_shown).count();
    check_count(count as u64, MAX_RUN_HEADERS)?;
    let run = Run {
        level,
        base: records.evidence_header(from)?,
        links: links(chain, &headers, &shown)?,
    };
    Ok(run.encode())
}

/// Error: `chain/pruned`.
fn held_header<S: Store>(
    records: &Records<S>,
    hash: &Hash32,
) -> Result<Rc<HeaderRecord>, SvcError> {
    match records.has_header(hash)? {
        true => records.header(hash),
        false => Err(pruned(hash)),
    }
}

/// The highest level that enough of the headers reach; 0 for a run that shows all.
fn level_for(headers: &[Rc<HeaderRecord>]) -> u8 {
    if headers.len() as u64 <= WHOLE_RUN_BLOCKS {
        return 0;
    }
    let mut levels: Vec<u8> = headers.iter().map(|record| record.level).collect();
    levels.sort_unstable_by(|left, right| right.cmp(left));
    levels.get(MIN_LEVEL_HEADERS - 1).copied().unwrap_or(0)
}

/// Which headers a run shows: those of its level, and neighbours of the base up to the first block above which the next may be
/// skipped.
fn shown_of(base: u8, headers: &[Rc<HeaderRecord>], level: u8) -> Vec<bool> {
    let mut below = base;
    let is_shown = |record: &Rc<HeaderRecord>| {
        let is_shown = record.level >= level || !can_step_from(below);
        if is_shown {
            below = record.level;
        }
        is_shown
    };
    headers.iter().map(is_shown).collect()
}

fn links<S: Store>(
    chain: &Chain<S>,
    headers: &[Rc<HeaderRecord>],
    shown: &[bool],
) -> Result<Vec<Link>, SvcError> {
    let mut links = Vec::new();
    let mut step = Step::Neighbour;
    for (record, &is_shown) in headers.iter().zip(shown) {
        step = match step {
            Step::Neighbour if is_shown => Step::Neighbour,
            Step::Neighbour => Step::Over {
                lowest: parent_path(chain, &record.hash)?,
                states: Vec::new(),
            },
            Step::Over { lowest, mut states } => {
                let row = evidence_of(chain, &record.hash)?;
                states.push(row.ok_or_else(|| pruned(&record.hash))?.sequencing);
                Step::Over { lowest, states }
            }
        };
        if is_shown {
            links.push(Link {
                step: std::mem::replace(&mut step, Step::Neighbour),
                header: chain.records.evidence_header(&record.hash)?,
            });
        }
    }
    Ok(links)
}

/// Opening of the sequencing state of a chain block. Error: `chain/pruned` for a block that an older build judged and of which too
/// little is held.
fn parent_path<S: Store>(chain: &Chain<S>, block: &Hash32) -> Result<ParentPath, SvcError> {
    let kept = evidence_of(chain, block)?.and_then(|row| row.parent_path);
    kept.ok_or_else(|| pruned(block))
}

/// The record of a chain block, made anew where none is stored; `None` where too little is held.
pub(super) fn evidence_of<S: Store>(
    chain: &Chain<S>,
    block: &Hash32,
) -> Result<Option<ChainEvidence>, SvcError> {
    match chain.records.chain_evidence(block)? {
        Some(row) => Ok(Some(row)),
        None => made_evidence(chain, block),
    }
}

/// Chain index of a block. Error: `chain/unknown-block`.
pub(super) fn index_of<S: Store>(records: &Records<S>, hash: &Hash32) -> Result<u64, SvcError> {
    records.chain_index(hash)?.ok_or_else(|| unknown(hash))
}

fn unknown(hash: &Hash32) -> SvcError {
    SvcError::new(Code::ChainUnknownBlock).with("hash", hash)
}

fn pruned(hash: &Hash32) -> SvcError {
    SvcError::new(Code::ChainPruned).with("hash", hash)
}

fn check_count(count: u64, max: usize) -> Result<(), SvcError> {
    if count <= max as u64 {
        return Ok(());
    }
    let error = SvcError::new(Code::CodecCountTooLarge).with("count", count);
    Err(error.with("max", max))
}
