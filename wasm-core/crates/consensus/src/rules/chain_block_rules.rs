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

use crate::records::block_status::{BlockStatus, Stage};
use crate::records::body::Body;
use crate::records::chain::Chain;
use crate::records::lanes::{self, LaneUpdate};
use crate::records::{Records, stored};
use crate::rules::acceptance::{
    Acceptance, Accepted, Job, MergeContext, accept_mergeset, fee_in_utxo_context, unknown_verdicts,
};
use crate::rules::coinbase::{BuiltCoinbase, MinerData, ParentView, build_coinbase};
use crate::rules::scan_record::{encode_record, head_of};
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
    chain: &mut Chain<S>,
    hash: &Hash32,
) -> Result<Judgement, SvcError> {
    let context = merge_context(&chain.records, hash)?;
    let own = unknown_verdicts(chain, hash)?;
    let acceptance = match accept_mergeset(chain, &context) {
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
    match check_and_advance(chain, hash, &context, &acceptance) {
        Ok(advanced) => {
            write_chain_block(&mut chain.records, advanced, *acceptance)?;
            let parent = &context.ghostdag.selected_parent;
            chain.records.keep_opening(&chain.rules, parent, hash)?;
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
    fn of<S: Store>(records: &Records<S>, hash: &Hash32) -> Result<Self, SvcError> {
        Ok(Self {
            record: records.header(hash)?,
            body: records.body(hash)?,
        })
    }

    fn hash(&self) -> &Hash32 {
        &self.record.hash
    }

    fn header(&self) -> &Header {
        &self.record.header
    }
}

/// A block that holds on the chain, with what it makes of the state and of the lanes.
struct Advanced {
    block: StoredBlock,
    transition: Transition,
    lanes: LaneUpdate,
}

/// The mergeset context of a stored block.
pub fn merge_context<S: Store>(
    records: &Records<S>,
    hash: &Hash32,
) -> Result<MergeContext, SvcError> {
    Ok(MergeContext {
        ghostdag: records.ghostdag(hash)?,
        daa_score: records.header(hash)?.header.daa_score,
        daa_excluded: records.daa_excluded(hash)?,
    })
}

fn check_and_advance<S: Store>(
    chain: &Chain<S>,
    hash: &Hash32,
    context: &MergeContext,
    acceptance: &Acceptance,
) -> Result<Advanced, SvcError> {
    let records = &chain.records;
    let block = StoredBlock::of(records, hash)?;
    let sequencing = check_header_commitments(chain, &block, context, acceptance)?;
    let parent_hash = context.ghostdag.selected_parent;
    let parent = records.chain_state(&parent_hash)?;
    let built = check_coinbase(chain, &block, context, acceptance)?;
    check_pruning_point(chain, hash, &block.header().pruning_point)?;
    let first = block.header().direct_parents().first();
    if first != Some(&parent_hash) {
        let error = SvcError::new(Code::VirtualWrongSelectedParentOrder);
        return Err(error
            .with("found", first.copied().unwrap_or_default())
            .with("expected", parent_hash));
    }
    check_own_transactions(chain, &block)?;
    let effects = Effects {
        header: block.header(),
        hash: *hash,
        coinbase: block.body.coinbase()?,
        coinbase_txid: block.body.txid(0)?,
        acceptance,
        built: &built,
        sequencing: &sequencing,
    };
    let transition = records.overlay.timed(Part::Tree, || {
        advance(&chain.rules, &parent, &parent_hash, effects)
    })?;
    Ok(Advanced {
        block,
        transition,
        lanes: sequencing.lanes,
    })
}

fn check_header_commitments<S: Store>(
    chain: &Chain<S>,
    block: &StoredBlock,
    context: &MergeContext,
    acceptance: &Acceptance,
) -> Result<Sequencing, SvcError> {
    let empty = MuHash::empty_digest();
    if block.header().utxo_commitment != empty {
        let error = SvcError::new(Code::VirtualWrongUtxoCommitment);
        return Err(error
            .with("found", block.header().utxo_commitment)
            .with("expected", empty));
    }
    let sequencing = sequence(chain, context, acceptance)?;
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
    chain: &Chain<S>,
    block: &StoredBlock,
    context: &MergeContext,
    acceptance: &Acceptance,
) -> Result<BuiltCoinbase, SvcError> {
    let parent_hash = &context.ghostdag.selected_parent;
    let parent_state = chain.records.chain_state(parent_hash)?;
    let parent = ParentView {
        state: &parent_state,
        daa_score: chain.records.header(parent_hash)?.header.daa_score,
    };
    let coinbase = block.body.coinbase()?;
    let payload = stored("bodies", CoinbasePayload::decode(&coinbase.payload))?;
    let miner = MinerData {
        script_version: payload.script_version,
        script: payload.script,
        extra: payload.extra,
    };
    let built = build_coinbase(&chain.rules, context, acceptance, &parent, &miner)?;
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
    chain: &Chain<S>,
    hash: &Hash32,
    got: &Hash32,
) -> Result<(), SvcError> {
    let Chain { rules, records } = chain;
    let sample = records.pruning_sample(hash)?;
    let data = records.ghostdag(hash)?;
    let expected = expected_header_pruning_point(
        records,
        &rules.profile,
        &rules.genesis_hash,
        &data,
        &sample,
    )?;
    if *got == expected {
        return Ok(());
    }
    Err(SvcError::new(Code::HeaderWrongPruningPoint)
        .with("found", got)
        .with("expected", expected))
}

/// A bad proof, signature or value in the block's own body disqualifies it; a bad anchor or a spent
/// nullifier does not (specification shielded 11.2, step 4).
fn check_own_transactions<S: Store>(chain: &Chain<S>, block: &StoredBlock) -> Result<(), SvcError> {
    let status = chain.records.known_status(block.hash())?;
    let format = chain.rules.bundle_format(block.header().daa_score);
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
    records: &mut Records<S>,
    advanced: Advanced,
    acceptance: Acceptance,
) -> Result<(), SvcError> {
    let Advanced {
        block,
        transition,
        lanes,
    } = advanced;
    let hash = block.hash();
    let first_leaf = records
        .chain_state(&records.ghostdag(hash)?.selected_parent)?
        .frontier
        .size();
    let head = head_of(hash, block.header(), first_leaf, block.body.txid(0)?);
    let record = encode_record(&head, &transition.minted, &acceptance.applied);
    records
        .overlay
        .put(tables::SCAN_RECORDS, hash.as_bytes(), record);
    records.put_acceptance(hash, acceptance.record);
    if !acceptance.nullifiers.is_empty() {
        let diff = crate::records::meta::encode_hashes(&acceptance.nullifiers);
        records
            .overlay
            .put(tables::NULLIFIER_DIFFS, hash.as_bytes(), diff);
    }
    records
        .overlay
        .put(tables::LANE_DIFFS, hash.as_bytes(), lanes.diff.encode());
    records.put_chain_evidence(hash, &transition.evidence);
    let root = transition.state.tree_root;
    if transition.state.frontier.size() > 0 {
        let producer = [root.as_bytes().as_slice(), hash.as_bytes()].concat();
        records
            .overlay
            .put(tables::ANCHOR_PRODUCERS, &producer, Vec::new());
    }
    records.put_chain_state(hash, transition.state);
    let status: Rc<BlockStatus> = records.known_status(hash)?;
    records.put_status(
        hash,
        BlockStatus {
            stage: Stage::Valid,
            ..status.as_ref().clone()
        },
    );
    enter_position(records, hash, &acceptance.nullifiers, &lanes)
}

/// Adds the nullifiers and lane changes of a valid chain block over the position and makes it the position.
pub fn apply_position<S: Store>(records: &mut Records<S>, hash: &Hash32) -> Result<(), SvcError> {
    let nullifiers = added_nullifiers(records, hash)?;
    let lanes = lanes::plan(records, lanes::lane_diff(records, hash)?)?;
    enter_position(records, hash, &nullifiers, &lanes)
}

fn enter_position<S: Store>(
    records: &mut Records<S>,
    hash: &Hash32,
    nullifiers: &[Hash32],
    lanes: &LaneUpdate,
) -> Result<(), SvcError> {
    for nullifier in nullifiers {
        records
            .overlay
            .put(tables::NULLIFIERS, nullifier.as_bytes(), Vec::new());
    }
    move_lanes(records, hash, lanes)
}

/// What a valid chain block added to the nullifier set: as many as the states before and after it say.
fn added_nullifiers<S: Store>(
    records: &Records<S>,
    hash: &Hash32,
) -> Result<Vec<Hash32>, SvcError> {
    let parent = records.ghostdag(hash)?.selected_parent;
    let before = records.chain_state(&parent)?.nullifier_count;
    let after = records.chain_state(hash)?.nullifier_count;
    if before == after {
        return Ok(Vec::new());
    }
    let added = records.nullifier_diff(hash)?;
    let expected = after.checked_sub(before);
    crate::corrupt_unless(expected == Some(added.len() as u64), "nullifier diff")?;
    Ok(added)
}

/// Takes the nullifiers and lane changes of the position away and moves it to its selected parent.
pub fn revert_position<S: Store>(records: &mut Records<S>) -> Result<Hash32, SvcError> {
    let position = records.position()?;
    for nullifier in added_nullifiers(records, &position)? {
        records
            .overlay
            .delete(tables::NULLIFIERS, nullifier.as_bytes());
    }
    let undo = lanes::lane_diff(records, &position)?.reversed();
    let lanes = lanes::plan(records, undo)?;
    let parent = records.ghostdag(&position)?.selected_parent;
    move_lanes(records, &parent, &lanes)?;
    Ok(parent)
}

/// Moves lanes and position to a block, whose state says what the lanes must come to.
fn move_lanes<S: Store>(
    records: &mut Records<S>,
    to: &Hash32,
    lanes: &LaneUpdate,
) -> Result<(), SvcError> {
    let expected = records.chain_state(to)?.lanes_root;
    crate::corrupt_unless(lanes.tree.root == expected, "lanes")?;
    lanes::write(records, lanes);
    records.put_position(to);
    Ok(())
}
