//! Headers-first ingestion: headers are taken in before their bodies, and the best header is kept track of.
//!
//! A header without a body has its place in the graph (scores, windows, reachability) and no say in anything that is
//! accepted: virtual stands on blocks with bodies.

use svc_chain::header::raw::HashedHeader;

use svc_chain::header::raw::read_unhashed;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_dag::reachability::{hint_virtual_selected_parent, is_chain_ancestor};
use svc_dag::sortable_block::SortableBlock;
use svc_dag::store::DagStore;

use crate::failure::Failure;
use crate::parameters::Parameters;
use crate::pipeline::inserted::{Inserted, refused};
use crate::records::block_status::{BlockStatus, Stage};
use crate::records::chain::Chain;
use crate::records::meta;
use crate::records::record_fields::whole;
use crate::records::{Records, stored};
use crate::rules::header_rules::{
    Incoming, check_header, check_parent_count, commit_header, is_worth_work,
};
use crate::store::Store;

/// Reads `RawHeaders` for [`insert_headers`].
///
/// # Errors
/// As [`read_unhashed`], and `header/too-many-parents` before anything is hashed.
pub fn read_incoming(rules: &Parameters, raw: &[u8]) -> Result<Vec<HashedHeader>, SvcError> {
    let read = read_unhashed(raw)?;
    for (header, _) in &read {
        check_parent_count(rules, header)?;
    }
    let hashed = |(header, witness)| HashedHeader::new(header, witness);
    Ok(read.into_iter().map(hashed).collect())
}

/// Takes headers in one after the other, parents first. After one whose refusal cost proof of work or more, those that
/// are not known already are refused with the same error and not judged. Any other refusal does not stop those that
/// follow, nor does `header/pruning-violation`: an honest sender may still have what is gone here. Errors are store
/// errors only.
pub fn insert_headers<S: Store>(
    chain: &mut Chain<S>,
    headers: &[HashedHeader],
    now_ms: u64,
) -> Result<Vec<Inserted>, SvcError> {
    let mut outcomes = Vec::with_capacity(headers.len());
    let mut dear: Option<SvcError> = None;
    for header in headers {
        let incoming = Incoming::of(header);
        let taken = match (known_stage(&chain.records, &incoming), &dear) {
            (Ok(None), None) => {
                let judged = admit_header(chain, incoming, now_ms);
                if let Err(Failure::Passing(error) | Failure::Lasting(error)) = &judged
                    && is_worth_work(&chain.rules, header.header(), now_ms)
                    && error.code != Code::HeaderPruningViolation
                {
                    dear = Some(error.clone());
                }
                judged.map(|_| true)
            }
            (Ok(None), Some(error)) => Err(Failure::Passing(error.clone())),
            (known, _) => known.map(|_| false),
        };
        outcomes.push(match taken {
            Ok(new) => Inserted::Accepted {
                new,
                jobs: Vec::new(),
            },
            Err(failure) => refused(&mut chain.records, &incoming.hash, failure)?,
        });
    }
    Ok(outcomes)
}

/// The stage of a known block; `None` when its header has yet to be judged. A refused header is answered from memory
/// or from the block's own status, before anything else is done.
pub(crate) fn known_stage<S: Store>(
    records: &Records<S>,
    incoming: &Incoming<'_>,
) -> Result<Option<Stage>, Failure> {
    let hash = &incoming.hash;
    let known_invalid = |reason: &str| {
        let error = SvcError::new(Code::HeaderKnownInvalid).with("hash", hash);
        Failure::Passing(error.with("reason", reason))
    };
    let point = records.pruning_point()?;
    if let Some(code) = records
        .refused
        .find(hash, incoming.witness.is_some(), &point)
    {
        return Err(known_invalid(code.as_str()));
    }
    match records.status(hash)? {
        Some(status) if status.stage == Stage::Invalid => Err(known_invalid(&status.reason)),
        known => Ok(known.map(|status| status.stage)),
    }
}

/// Judges a header that is not known and makes it part of the graph. Returns its past median time in Unix
/// milliseconds.
pub(crate) fn admit_header<S: Store>(
    chain: &mut Chain<S>,
    incoming: Incoming<'_>,
    now_ms: u64,
) -> Result<u64, Failure> {
    let hash = &incoming.hash;
    let checked = check_header(chain, incoming, now_ms)?;
    // The first witness stays: another would give the block another level.
    if let Some(witness) = incoming.witness.filter(|_| checked.by_witness) {
        chain.records.put_witness(hash, witness);
        chain.records.refused.forget(hash);
    }
    let past_median_ms = checked.past_median_ms;
    commit_header(&mut chain.records, checked)?;
    chain
        .records
        .put_status(hash, BlockStatus::new(Stage::HeaderOnly));
    follow_heaviest(&mut chain.records, hash)?;
    let mut counters = chain.records.counters()?;
    counters.headers += 1;
    chain.records.put_meta(meta::COUNTERS, counters.encode());
    Ok(past_median_ms)
}

/// Records a header that is the best one now, and moves the room for reachability intervals along with it: later, when
/// virtual moves to a branch that has grown long, all of the branch would have to be laid out anew. While the bodies
/// of the best headers are missing the room stays with them; when they came and virtual did not follow, it goes to
/// whatever is heavier than what virtual stands on.
fn follow_heaviest<S: Store>(records: &mut Records<S>, block: &Hash32) -> Result<(), SvcError> {
    let tip = headers_tip(records)?;
    let added = SortableBlock::load(records, block)?;
    let is_best = added > SortableBlock::load(records, &tip)?;
    if is_best && is_chain_ancestor(records, &records.pruning_point()?, block)? {
        records.put_meta(meta::HEADERS_TIP, block.as_bytes().to_vec());
        return hint_virtual_selected_parent(records, *block);
    }
    let sink = records.virtual_record()?.sink;
    let waits = records.stage(&tip)? == Some(Stage::HeaderOnly);
    if !waits && added > SortableBlock::load(records, &sink)? {
        hint_virtual_selected_parent(records, *block)?;
    }
    Ok(())
}

/// The best header, by blue work and id, of those with the pruning point on their chain; the sink when the recorded
/// one is such no more.
pub fn headers_tip<S: Store>(records: &Records<S>) -> Result<Hash32, SvcError> {
    if let Some(bytes) = records.find_meta(meta::HEADERS_TIP)?
        && let tip = stored("meta", whole(&bytes, Reader::hash))?
        && records.has_reachability(&tip)?
        && is_chain_ancestor(records, &records.pruning_point()?, &tip)?
    {
        return Ok(tip);
    }
    Ok(records.virtual_record()?.sink)
}
