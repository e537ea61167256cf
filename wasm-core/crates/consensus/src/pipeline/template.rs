//! Block template builder (specification consensus 14). Candidates are judged again here, so that a template never
//! carries a spend that would be dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use svc_chain::block::Block;
use svc_chain::coinbase_payload::MIN_COINBASE_PAYLOAD_LEN;
use svc_chain::header::Header;
use svc_chain::mass::{compute_mass, transient_mass};
use svc_chain::merge_commitment::commitment_in;
use svc_chain::merkle::merkle_root;
use svc_chain::muhash::MuHash;
use svc_chain::profile::active;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_COINBASE_PAYLOAD_LEN, MAX_GAS_PER_LANE, MAX_LANES_PER_BLOCK};
use svc_dag::parents_builder::build_parents;
use svc_dag::pruning_point::{expected_header_pruning_point, pruning_sample_from_pov};
use svc_dag::store::DagStore;
use svc_shielded::keys::address::is_valid_recipient;

use crate::parameters::Parameters;
use crate::pipeline::ingest::VerdictLookup;
use crate::pipeline::virtual_view::VirtualView;
use crate::records::chain::Chain;
use crate::rules::acceptance::judge_spend;
use crate::rules::body_rules::shielded_actions;
use crate::rules::coinbase::{MinerData, ParentView, build_coinbase};
use crate::rules::held_transaction::HeldTransaction;
use crate::rules::tx_rules::{check_isolation, payment_in_carrier};
use crate::store::Store;

/// The inputs of a template.
pub struct TemplateRequest<'a> {
    /// Payout and extra data.
    pub miner: MinerData,
    /// Transactions in order of preference.
    pub candidates: Vec<Rc<HeldTransaction>>,
    /// The host's clock, Unix milliseconds.
    pub now_ms: u64,
    /// Whether the proof of a transaction is known to hold under a bundle form.
    pub is_verified: VerdictLookup<'a>,
}

/// A block without proof of work, and the candidates left out.
pub struct BuiltTemplate {
    /// The block; nonce 0.
    pub block: Block,
    /// Candidates that may not be mined now, with the reason.
    pub rejected: Vec<(Hash32, SvcError)>,
}

/// Builds a template on the given view.
pub fn build_template<S: Store>(
    chain: &Chain<S>,
    view: &VirtualView,
    request: TemplateRequest<'_>,
) -> Result<BuiltTemplate, SvcError> {
    check_miner(&request.miner)?;
    let sink = view.context.ghostdag.selected_parent;
    let parent_state = chain.records.chain_state(&sink)?;
    let parent = ParentView {
        state: &parent_state,
        daa_score: chain.records.header(&sink)?.header.daa_score,
    };
    let coinbase = build_coinbase(
        &chain.rules,
        &view.context,
        &view.acceptance,
        &parent,
        &request.miner,
    )?
    .transaction;
    check_commitment(&chain.rules, view, &coinbase)?;
    let (mut transactions, rejected) = select(chain, view, &request)?;
    transactions.insert(0, coinbase);
    let header = build_header(chain, view, &transactions, request.now_ms)?;
    Ok(BuiltTemplate {
        block: Block {
            header,
            transactions,
        },
        rejected,
    })
}

fn check_miner(miner: &MinerData) -> Result<(), SvcError> {
    let reason = if miner.script_version != 0 {
        Some("a script version other than 0")
    } else if !is_valid_recipient(&miner.script) {
        Some("not a canonical receiver of 43 bytes")
    } else {
        None
    };
    if let Some(reason) = reason {
        return Err(SvcError::new(Code::CoinbaseBadRecipient).with("reason", reason));
    }
    let max = MAX_COINBASE_PAYLOAD_LEN - MIN_COINBASE_PAYLOAD_LEN - miner.script.len();
    let length = miner.extra.len();
    if length <= max {
        return Ok(());
    }
    let error = SvcError::new(Code::CoinbaseExtraTooLong);
    Err(error.with("length", length).with("max", max))
}

fn check_commitment(
    rules: &Parameters,
    view: &VirtualView,
    coinbase: &Transaction,
) -> Result<(), SvcError> {
    let banned = active(
        rules.profile.activations.commitment_ban,
        view.context.daa_score,
    );
    if banned && commitment_in(&rules.profile, &coinbase.payload) {
        return Err(SvcError::new(Code::CoinbaseCarriesCommitment));
    }
    Ok(())
}

/// Room left in the block: per mass dimension, and the gas used per lane.
struct Room {
    compute: u64,
    transient: u64,
    lanes: BTreeMap<[u8; 20], u64>,
}

type Selection = (Vec<Transaction>, Vec<(Hash32, SvcError)>);

fn select<S: Store>(
    chain: &Chain<S>,
    view: &VirtualView,
    request: &TemplateRequest<'_>,
) -> Result<Selection, SvcError> {
    let limits = &chain.rules.profile.mass_limits;
    let mut room = Room {
        compute: limits.compute,
        transient: limits.transient,
        lanes: BTreeMap::new(),
    };
    let mut claimed = view.claimed.clone();
    let (mut chosen, mut rejected) = (Vec::new(), Vec::new());
    let format = chain.rules.bundle_format(view.context.daa_score);
    for candidate in &request.candidates {
        let txid = *candidate.txid();
        if !(request.is_verified)(&txid, format) {
            rejected.push((
                txid,
                SvcError::new(Code::TxMissingVerdict).with("txid", txid),
            ));
            continue;
        }
        match judge_candidate(chain, view, &claimed, candidate) {
            Ok(nullifiers) if fits(&mut room, candidate.transaction()) => {
                claimed.extend(nullifiers);
                chosen.push(candidate.transaction().clone());
            }
            Ok(_) => {}
            Err(error) if crate::failure::is_fatal(&error) => return Err(error),
            Err(error) => rejected.push((txid, error)),
        }
    }
    Ok((chosen, rejected))
}

/// Everything but the verdict that a block and its chain ask of a transaction. Returns its nullifiers.
fn judge_candidate<S: Store>(
    chain: &Chain<S>,
    view: &VirtualView,
    claimed: &BTreeSet<Hash32>,
    candidate: &HeldTransaction,
) -> Result<Vec<Hash32>, SvcError> {
    check_isolation(&chain.rules, candidate.transaction())?;
    let (_, bundle) = payment_in_carrier(&chain.rules, candidate, view.carrier())?;
    let judge = view.context.judge_of_candidates();
    judge_spend(chain, &judge, claimed, &bundle)?;
    Ok(bundle.nullifiers())
}

fn fits(room: &mut Room, transaction: &Transaction) -> bool {
    let compute = compute_mass(transaction, shielded_actions(transaction));
    let transient = transient_mass(transaction);
    let lane = &transaction.subnetwork_id;
    let used = room.lanes.get(lane).copied();
    let gas = used.unwrap_or(0).saturating_add(transaction.gas);
    let lanes = room.lanes.len() + usize::from(used.is_none());
    let fits = compute <= room.compute
        && transient <= room.transient
        && gas <= MAX_GAS_PER_LANE
        && lanes <= MAX_LANES_PER_BLOCK;
    if !fits {
        return false;
    }
    room.lanes.insert(*lane, gas);
    room.compute -= compute;
    room.transient -= transient;
    true
}

fn build_header<S: Store>(
    chain: &Chain<S>,
    view: &VirtualView,
    transactions: &[Transaction],
    now_ms: u64,
) -> Result<Header, SvcError> {
    let Chain { rules, records } = chain;
    let (profile, genesis) = (&rules.profile, &rules.genesis_hash);
    let data = &view.context.ghostdag;
    let sample = pruning_sample_from_pov(records, profile, genesis, data)?;
    let pruning_point = records.pruning_point()?;
    let leaves: Vec<Hash32> = transactions.iter().map(Transaction::hash).collect();
    Ok(Header {
        version: rules.block_version(view.context.daa_score),
        parents: build_parents(records, profile, genesis, &pruning_point, &view.parents)?,
        hash_merkle_root: merkle_root(&leaves),
        accepted_id_merkle_root: view.sequencing.commitment,
        utxo_commitment: MuHash::empty_digest(),
        timestamp_ms: now_ms.max(view.past_median_ms.saturating_add(1)),
        bits: view.bits,
        nonce: 0,
        daa_score: view.context.daa_score,
        blue_work: data.blue_work,
        blue_score: data.blue_score,
        pruning_point: expected_header_pruning_point(records, profile, genesis, data, &sample)?,
    })
}
