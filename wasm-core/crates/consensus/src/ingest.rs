//! Taking a block in: header stage, body stage, and what is remembered when one fails.

use svc_chain::block::{Block, HashedBlock, WitnessedBlock};
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::reachability::hint_virtual_selected_parent;
use svc_dag::sortable_block::SortableBlock;
use svc_dag::store::DagStore;
use svc_dag::windows::DaaData;

use crate::acceptance::{Job, unknown_verdicts};
use crate::block_status::{BlockStatus, Stage, Verdict};
use crate::body::Body;
use crate::body_rules::check_body;
use crate::chain_rules::ChainRules;
use crate::failure::Failure;
use crate::header_rules::{check_header, commit_header};
use crate::meta;
use crate::resolve::update_tips;
use crate::state::State;
use crate::store::Store;
use crate::tx_rules::check_value;

/// What became of a block.
#[derive(Debug)]
pub enum Inserted {
    /// Header and body are accepted.
    Accepted {
        /// Whether the body was not known before.
        new: bool,
        /// Transactions to verify before the block can be judged.
        jobs: Vec<Job>,
    },
    /// These parents must come first.
    MissingParents(Vec<Hash32>),
    /// A rule is broken.
    Rejected(SvcError),
}

/// Looks up whether a proof is already known to hold.
pub type VerdictLookup<'a> = &'a dyn Fn(&Hash32, svc_shielded::bundle::BundleFormat) -> bool;

/// Takes a block in. Errors are store errors only.
pub fn insert<S: Store>(
    rules: &ChainRules,
    state: &mut State<S>,
    (incoming, now_ms): (HashedBlock, u64),
    is_verified: VerdictLookup<'_>,
) -> Result<Inserted, SvcError> {
    let (hash, incoming) = incoming.into_parts();
    match insert_stages(rules, state, (&hash, incoming, now_ms), is_verified) {
        Ok(new) => Ok(Inserted::Accepted {
            new,
            jobs: unknown_verdicts(rules, state, &hash)?,
        }),
        Err(Failure::Lasting(error)) => {
            state.put_status(&hash, BlockStatus::refused(Stage::Invalid, &error));
            Ok(Inserted::Rejected(error))
        }
        Err(Failure::Passing(error)) => Ok(Inserted::Rejected(error)),
        Err(Failure::MissingParents(parents)) => Ok(Inserted::MissingParents(parents)),
        Err(Failure::Fatal(error)) => Err(error),
    }
}

/// Returns whether the block is new.
fn insert_stages<S: Store>(
    rules: &ChainRules,
    state: &mut State<S>,
    (hash, incoming, now_ms): (&Hash32, WitnessedBlock, u64),
    is_verified: VerdictLookup<'_>,
) -> Result<bool, Failure> {
    let WitnessedBlock { block, witness } = incoming;
    let stage = match state.status(hash)? {
        Some(status) if status.stage == Stage::Invalid => {
            let error = SvcError::new(Code::HeaderKnownInvalid).with("hash", hash);
            return Err(Failure::Passing(error));
        }
        Some(status) if status.stage.has_body() => return Ok(false),
        known => known.map(|status| status.stage),
    };
    if stage.is_none() {
        let header = (hash, &block.header, witness.as_deref());
        let checked = check_header(rules, state, header, now_ms)?;
        // The first witness stays: another would give the block another level.
        if let Some(witness) = witness.filter(|_| checked.by_witness) {
            state.put_witness(hash, &witness);
        }
        commit_header(state, checked)?;
        follow_heaviest(state, hash)?;
        state.put_status(hash, BlockStatus::new(Stage::HeaderOnly));
        let mut counters = state.counters()?;
        counters.headers += 1;
        state.put_meta(meta::COUNTERS, counters.encode());
    }
    let past_median_ms = past_median_of(rules, state, hash)?;
    let txids = check_body(rules, state, &block, past_median_ms)?;
    commit_body(rules, state, (hash, block, txids), is_verified)?;
    Ok(true)
}

/// Moves the room for reachability intervals along with the graph when a block is heavier than what virtual stands on.
/// Later, when virtual moves to a branch that has grown long, all of the branch would have to be laid out anew.
fn follow_heaviest<S: Store>(state: &mut State<S>, block: &Hash32) -> Result<(), SvcError> {
    let sink = state.virtual_record()?.sink;
    if SortableBlock::load(state, block)? > SortableBlock::load(state, &sink)? {
        hint_virtual_selected_parent(state, *block)?;
    }
    Ok(())
}

/// Past median time of a block whose header is stored.
fn past_median_of<S: Store>(
    rules: &ChainRules,
    state: &State<S>,
    hash: &Hash32,
) -> Result<u64, SvcError> {
    let data = state.ghostdag(hash)?;
    let daa = DaaData {
        daa_score: state.header(hash)?.header.daa_score,
        excluded: state.daa_excluded(hash)?.as_ref().clone(),
    };
    rules
        .windows
        .past_median_time(state, &rules.profile, &data, &daa)
}

fn commit_body<S: Store>(
    rules: &ChainRules,
    state: &mut State<S>,
    (hash, block, txids): (&Hash32, Block, Vec<Hash32>),
    is_verified: VerdictLookup<'_>,
) -> Result<(), SvcError> {
    let format = rules.bundle_format(block.header.daa_score);
    let verdict = |(transaction, txid): (&Transaction, &Hash32)| {
        if !transaction.is_shielded() || check_value(transaction, format).is_err() {
            // Spends an output that cannot exist on a network without transparent outputs, or is never accepted
            // whatever its proof is.
            Verdict::Invalid
        } else if is_verified(txid, format) {
            Verdict::Valid
        } else {
            Verdict::Unknown
        }
    };
    let verdicts = block
        .transactions
        .iter()
        .zip(&txids)
        .skip(1)
        .map(verdict)
        .collect();
    let status = BlockStatus {
        stage: Stage::Pending,
        verdicts,
        reason: String::new(),
    };
    state.put_status(hash, status);
    update_tips(state, hash, block.header.direct_parents())?;
    state.put_body(hash, Body::with_txids(block.transactions, txids));
    let mut counters = state.counters()?;
    counters.bodies += 1;
    state.put_meta(meta::COUNTERS, counters.encode());
    Ok(())
}
