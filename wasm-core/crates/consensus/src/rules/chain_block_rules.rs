//! Chain block validation: judges a block in its role on the selected chain (specification consensus 8.2, shielded
//! 11.2).

use std::rc::Rc;

use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::header::Header;
use svc_chain::muhash::MuHash;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::pruning_point::expected_header_pruning_point;
use svc_dag::records::HeaderRecord;
use svc_dag::store::DagStore;

use crate::parameters::Parameters;
use crate::records::block_status::{BlockStatus, Stage};
use crate::records::body::Body;
use crate::records::lanes::{self, LaneUpdate};
use crate::records::{Records, stored};
use crate::rules::acceptance::{
    Acceptance, Accepted, Job, MergeContext, accept_mergeset, fee_in_utxo_context, unknown_verdicts,
};
use crate::rules::coinbase::{BuiltCoinbase, MinerData, ParentView, build_coinbase};
use crate::rules::scan_record::{RecordParts, encode_record};
use crate::rules::sequencing::{Sequencing, sequence};
use crate::rules::transition::{Effects, Transition, advance};
use crate::store::{Store, tables};
use crate::timings::Part;

/// The result of judging a block.
pub enum Judgement {
    /// Valid; its state is written and the position moved to it.
    Valid,
    /// These verdicts are needed first; nothing was written.
    NeedVerdicts(Vec<Job>),
    /// Not a chain block; nothing was written.
    Disqualified(SvcError),
}

/// Judges `hash`, whose selected parent must be the current position, and applies it when valid.
pub fn judge_chain_block<S: Store>(
    rules: &Parameters,
    state: &mut Records<S>,
    hash: &Hash32,
) -> Result<Judgement, SvcError> {
    let context = merge_context(state, hash)?;
    let own = unknown_verdicts(rules, state, hash)?;
    let acceptance = match accept_mergeset(rules, state, &context) {
        Ok(Accepted::NeedVerdicts(mut jobs)) => {
            jobs.extend(own);
            return Ok(Judgement::NeedVerdicts(jobs));
        }
        Ok(Accepted::Ready(acceptance)) => acceptance,
        Err(error) if crate::failure::is_fatal(&error) => return Err(error),
        Err(error) => return Ok(Judgement::Disqualified(error)),
    };
    if !own.is_empty() {
        return Ok(Judgement::NeedVerdicts(own));
    }
    match check_and_advance(rules, state, (hash, &context), &acceptance) {
        Ok((block, transition, lanes)) => {
            write_chain_block(state, (hash, &block), *acceptance, (transition, lanes))?;
            Ok(Judgement::Valid)
        }
        Err(error) if crate::failure::is_fatal(&error) => Err(error),
        Err(error) => Ok(Judgement::Disqualified(error)),
    }
}

/// A block under judgement; header and transactions are shared with the caches.
struct StoredBlock {
    record: Rc<HeaderRecord>,
    body: Rc<Body>,
}

impl StoredBlock {
    fn of<S: Store>(state: &Records<S>, hash: &Hash32) -> Result<Self, SvcError> {
        Ok(Self {
            record: state.header(hash)?,
            body: state.body(hash)?,
        })
    }

    fn header(&self) -> &Header {
        &self.record.header
    }
}

/// The mergeset context of a stored block.
pub fn merge_context<S: Store>(
    state: &Records<S>,
    hash: &Hash32,
) -> Result<MergeContext, SvcError> {
    Ok(MergeContext {
        ghostdag: state.ghostdag(hash)?,
        daa_score: state.header(hash)?.header.daa_score,
        daa_excluded: state.daa_excluded(hash)?,
    })
}

fn check_and_advance<S: Store>(
    rules: &Parameters,
    state: &Records<S>,
    (hash, context): (&Hash32, &MergeContext),
    acceptance: &Acceptance,
) -> Result<(StoredBlock, Transition, LaneUpdate), SvcError> {
    let block = StoredBlock::of(state, hash)?;
    let sequencing = check_header_commitments(rules, state, (&block, context), acceptance)?;
    let parent_hash = context.ghostdag.selected_parent;
    let parent = state.chain_state(&parent_hash)?;
    let built = check_coinbase(rules, state, (&block, context), acceptance)?;
    check_pruning_point(rules, state, hash, &block.header().pruning_point)?;
    let first = block.header().direct_parents().first();
    if first != Some(&parent_hash) {
        let error = SvcError::new(Code::VirtualWrongSelectedParentOrder);
        return Err(error
            .with("found", first.copied().unwrap_or_default())
            .with("expected", parent_hash));
    }
    check_own_transactions(rules, state, hash, &block)?;
    let effects = Effects {
        header: block.header(),
        hash: *hash,
        coinbase: block.body.coinbase()?,
        coinbase_txid: block.body.txid(0)?,
        acceptance,
        built: &built,
        sequencing: &sequencing,
    };
    let transition = state.overlay.timed(Part::Tree, || {
        advance(rules, &parent, &parent_hash, effects)
    })?;
    Ok((block, transition, sequencing.lanes))
}

fn check_header_commitments<S: Store>(
    rules: &Parameters,
    state: &Records<S>,
    (block, context): (&StoredBlock, &MergeContext),
    acceptance: &Acceptance,
) -> Result<Sequencing, SvcError> {
    let empty = MuHash::empty_digest();
    if block.header().utxo_commitment != empty {
        let error = SvcError::new(Code::VirtualWrongUtxoCommitment);
        return Err(error
            .with("found", block.header().utxo_commitment)
            .with("expected", empty));
    }
    let sequencing = sequence(rules, state, context, acceptance)?;
    let (got, expected) = (
        block.header().accepted_id_merkle_root,
        sequencing.commitment,
    );
    if got != expected {
        return Err(SvcError::new(Code::VirtualWrongAcceptedIds)
            .with("found", got)
            .with("expected", expected));
    }
    Ok(sequencing)
}

fn check_coinbase<S: Store>(
    rules: &Parameters,
    state: &Records<S>,
    (block, context): (&StoredBlock, &MergeContext),
    acceptance: &Acceptance,
) -> Result<BuiltCoinbase, SvcError> {
    let parent_hash = &context.ghostdag.selected_parent;
    let parent_state = state.chain_state(parent_hash)?;
    let parent = ParentView {
        state: &parent_state,
        daa_score: state.header(parent_hash)?.header.daa_score,
    };
    let coinbase = block.body.coinbase()?;
    let payload = stored("bodies", CoinbasePayload::decode(&coinbase.payload))?;
    let miner = MinerData {
        script_version: payload.script_version,
        script: payload.script,
        extra: payload.extra,
    };
    let built = build_coinbase(rules, context, acceptance, &parent, &miner)?;
    let state_root = CoinbasePayload::decode(&built.transaction.payload)?.state_root;
    if payload.state_root != state_root {
        return Err(SvcError::new(Code::VirtualWrongStateRoot)
            .with("found", payload.state_root)
            .with("expected", state_root));
    }
    // Equal transactions have equal hashes.
    if *coinbase == built.transaction {
        return Ok(built);
    }
    let (got, expected) = (coinbase.hash(), built.transaction.hash());
    if got != expected {
        return Err(SvcError::new(Code::VirtualWrongCoinbase)
            .with("found", got)
            .with("expected", expected));
    }
    Ok(built)
}

/// Whether a block of which the header is known names the pruning point that its past gives. Errors:
/// `header/wrong-pruning-point`.
pub(crate) fn check_pruning_point<S: Store>(
    rules: &Parameters,
    state: &Records<S>,
    hash: &Hash32,
    got: &Hash32,
) -> Result<(), SvcError> {
    let sample = state.pruning_sample(hash)?;
    let data = state.ghostdag(hash)?;
    let expected =
        expected_header_pruning_point(state, &rules.profile, &rules.genesis_hash, &data, &sample)?;
    if *got == expected {
        return Ok(());
    }
    Err(SvcError::new(Code::HeaderWrongPruningPoint)
        .with("found", got)
        .with("expected", expected))
}

/// A bad proof, signature or value in the block's own body disqualifies it; a bad anchor or a spent
/// nullifier does not (specification shielded 11.2, step 4).
fn check_own_transactions<S: Store>(
    rules: &Parameters,
    state: &Records<S>,
    hash: &Hash32,
    block: &StoredBlock,
) -> Result<(), SvcError> {
    let status = state.known_status(hash)?;
    let format = rules.bundle_format(block.header().daa_score);
    let own = block.body.iter().skip(1).zip(&status.verdicts);
    let mut bad = own.filter_map(|(transaction, verdict)| {
        let error = fee_in_utxo_context(transaction, *verdict, format).err()?;
        Some((transaction, error))
    });
    let Some((transaction, error)) = bad.next() else {
        return Ok(());
    };
    Err(SvcError::new(Code::VirtualBadTransactions)
        .with("count", 1 + bad.count())
        .with("total", block.body.len() - 1)
        .with("txid", transaction.id())
        .with("reason", error))
}

/// Writes everything a valid chain block leaves behind and moves the position to it.
fn write_chain_block<S: Store>(
    state: &mut Records<S>,
    (hash, block): (&Hash32, &StoredBlock),
    acceptance: Acceptance,
    (transition, lanes): (Transition, LaneUpdate),
) -> Result<(), SvcError> {
    let first_leaf = state
        .chain_state(&state.ghostdag(hash)?.selected_parent)?
        .frontier
        .size();
    let record = encode_record(&RecordParts {
        header: block.header(),
        hash: *hash,
        first_leaf,
        coinbase_txid: block.body.txid(0)?,
        minted: &transition.minted,
        applied: &acceptance.applied,
    });
    state
        .overlay
        .put(tables::SCAN_RECORDS, hash.as_bytes(), record);
    state.put_acceptance(hash, acceptance.record);
    if !acceptance.nullifiers.is_empty() {
        let diff = crate::records::meta::encode_hashes(&acceptance.nullifiers);
        state
            .overlay
            .put(tables::NULLIFIER_DIFFS, hash.as_bytes(), diff);
    }
    state
        .overlay
        .put(tables::LANE_DIFFS, hash.as_bytes(), lanes.diff.encode());
    let root = transition.state.tree_root;
    if transition.state.frontier.size() > 0 {
        let producer = [root.as_bytes().as_slice(), hash.as_bytes()].concat();
        state
            .overlay
            .put(tables::ANCHOR_PRODUCERS, &producer, Vec::new());
    }
    state.put_chain_state(hash, transition.state);
    let status: Rc<BlockStatus> = state.known_status(hash)?;
    state.put_status(
        hash,
        BlockStatus {
            stage: Stage::Valid,
            ..status.as_ref().clone()
        },
    );
    enter_position(state, hash, &acceptance.nullifiers, &lanes)
}

/// Adds the nullifiers and lane changes of a valid chain block over the position and makes it the position.
pub fn apply_position<S: Store>(state: &mut Records<S>, hash: &Hash32) -> Result<(), SvcError> {
    let nullifiers = added_nullifiers(state, hash)?;
    let lanes = lanes::plan(state, lanes::lane_diff(state, hash)?)?;
    enter_position(state, hash, &nullifiers, &lanes)
}

fn enter_position<S: Store>(
    state: &mut Records<S>,
    hash: &Hash32,
    nullifiers: &[Hash32],
    lanes: &LaneUpdate,
) -> Result<(), SvcError> {
    for nullifier in nullifiers {
        state
            .overlay
            .put(tables::NULLIFIERS, nullifier.as_bytes(), Vec::new());
    }
    move_lanes(state, hash, lanes)
}

/// What a valid chain block added to the nullifier set: as many as the states before and after it say.
fn added_nullifiers<S: Store>(state: &Records<S>, hash: &Hash32) -> Result<Vec<Hash32>, SvcError> {
    let parent = state.ghostdag(hash)?.selected_parent;
    let before = state.chain_state(&parent)?.nullifier_count;
    let after = state.chain_state(hash)?.nullifier_count;
    if before == after {
        return Ok(Vec::new());
    }
    let added = state.nullifier_diff(hash)?;
    let expected = after.checked_sub(before);
    crate::corrupt_unless(expected == Some(added.len() as u64), "nullifier diff")?;
    Ok(added)
}

/// Takes the nullifiers and lane changes of the position away and moves it to its selected parent.
pub fn revert_position<S: Store>(state: &mut Records<S>) -> Result<Hash32, SvcError> {
    let position = state.position()?;
    for nullifier in added_nullifiers(state, &position)? {
        state
            .overlay
            .delete(tables::NULLIFIERS, nullifier.as_bytes());
    }
    let undo = lanes::lane_diff(state, &position)?.reversed();
    let lanes = lanes::plan(state, undo)?;
    let parent = state.ghostdag(&position)?.selected_parent;
    move_lanes(state, &parent, &lanes)?;
    Ok(parent)
}

/// Moves lanes and position to a block, whose state says what the lanes must come to.
fn move_lanes<S: Store>(
    state: &mut Records<S>,
    to: &Hash32,
    lanes: &LaneUpdate,
) -> Result<(), SvcError> {
    let expected = state.chain_state(to)?.lanes_root;
    crate::corrupt_unless(lanes.tree.root == expected, "lanes")?;
    lanes::write(state, lanes);
    state.put_position(to);
    Ok(())
}
