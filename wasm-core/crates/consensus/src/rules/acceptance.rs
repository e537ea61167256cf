//! Mergeset acceptance: which transactions of a mergeset are accepted, applied or dropped, in consensus order, and
//! what each merged block earns (specification consensus 8.3, shielded 11.2). The same code judges chain blocks and
//! builds templates.

use std::collections::BTreeSet;
use std::rc::Rc;

use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::records::GhostdagData;
use svc_dag::store::DagStore;
use svc_shielded::bundle::{Bundle, BundleFormat};

use crate::records::acceptance_record::{AcceptanceRecord, Carried, Dropped, MergedBlock};
use crate::records::anchors::{Judge, NamedAnchor, check_anchor};
use crate::records::block_status::Verdict;
use crate::records::chain::Chain;
use crate::records::stored;
use crate::rules::tx_rules::check_value;
use crate::store::Store;

/// The position in the DAG whose mergeset is accepted: a chain block, or virtual.
#[derive(Clone, Debug)]
pub struct MergeContext {
    /// GHOSTDAG data of the position.
    pub ghostdag: Rc<GhostdagData>,
    /// Its DAA score.
    pub daa_score: u64,
    /// Mergeset blocks outside the DAA window.
    pub daa_excluded: Rc<Vec<Hash32>>,
}

impl MergeContext {
    /// The judge of anchors at this position.
    pub fn judge(&self) -> Judge {
        Judge {
            selected_parent: self.ghostdag.selected_parent,
            blue_score: self.ghostdag.blue_score,
            last_blue_score: self.ghostdag.blue_score,
            daa_score: self.daa_score,
        }
    }

    /// The judge of spends that a block at this position would carry: the block that merges them is at least
    /// one higher, so an anchor on its last day here is sure to be too old there.
    pub fn judge_of_candidates(&self) -> Judge {
        let judge = self.judge();
        Judge {
            last_blue_score: judge.blue_score.saturating_add(1),
            ..judge
        }
    }
}

/// What a merged block contributes to the coinbase.
#[derive(Clone, Debug)]
pub struct Reward {
    /// The merged block.
    pub block: Hash32,
    /// Subsidy from its coinbase payload, sompi.
    pub subsidy: u64,
    /// Fees of its applied transactions, sompi.
    pub fees: u64,
    /// Script version of its miner.
    pub script_version: u16,
    /// Script of its miner.
    pub script: Vec<u8>,
}

/// A transaction whose effects hold.
#[derive(Clone, Debug)]
pub struct Applied {
    /// Transaction id.
    pub txid: Hash32,
    /// Its bundle.
    pub bundle: Rc<Bundle>,
}

/// The accepted mergeset.
#[derive(Clone, Debug, Default)]
pub struct Acceptance {
    /// Merged, accepted, applied and dropped, as stored.
    pub record: AcceptanceRecord,
    /// Activity in acceptance order for the sequencing commitment: lane, txid, version.
    pub activity: Vec<([u8; 20], Hash32, u16)>,
    /// Payload of each merged block's coinbase, in acceptance order.
    pub miner_payloads: Vec<(Hash32, Vec<u8>)>,
    /// One entry per merged block, in acceptance order.
    pub rewards: Vec<Reward>,
    /// Applied transactions in order.
    pub applied: Vec<Applied>,
    /// Nullifiers of `applied`, in order.
    pub nullifiers: Vec<Hash32>,
}

/// A spend that passed its own checks and waits for the context.
struct Candidate {
    txid: Hash32,
    block: Hash32,
    reward: usize,
    fee: u64,
    bundle: Rc<Bundle>,
}

/// A mergeset of which some blocks have been collected: what holds of them already, and their spends.
#[derive(Default)]
struct Merge {
    acceptance: Acceptance,
    candidates: Vec<Candidate>,
}

/// A transaction whose verdict is not known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Carrying block.
    pub block: Hash32,
    /// Index of the transaction in the block, coinbase = 0.
    pub index: usize,
    /// Transaction id.
    pub txid: Hash32,
    /// Bundle form of the carrying block.
    pub format: BundleFormat,
}

/// The result of accepting a mergeset: the acceptance, or the verdicts it needs first.
pub enum Accepted {
    /// All verdicts were known.
    Ready(Box<Acceptance>),
    /// These transactions must be verified first.
    NeedVerdicts(Vec<Job>),
}

/// Transactions of a block whose verdict is unknown.
pub fn unknown_verdicts<S: Store>(chain: &Chain<S>, block: &Hash32) -> Result<Vec<Job>, SvcError> {
    let Chain { rules, records } = chain;
    let status = records.known_status(block)?;
    if !status.verdicts.contains(&Verdict::Unknown) {
        return Ok(Vec::new());
    }
    let format = rules.bundle_format(records.header(block)?.header.daa_score);
    let body = records.body(block)?;
    let unknown = status
        .verdicts
        .iter()
        .enumerate()
        .filter(|(_, verdict)| **verdict == Verdict::Unknown);
    Ok(unknown
        .filter_map(|(index, _)| {
            Some(Job {
                block: *block,
                index: index + 1,
                txid: *body.txids().get(index + 1)?,
                format,
            })
        })
        .collect())
}

/// Accepts a mergeset at the state of its selected parent, which must be the current position.
pub fn accept_mergeset<S: Store>(
    chain: &Chain<S>,
    context: &MergeContext,
) -> Result<Accepted, SvcError> {
    let order = context
        .ghostdag
        .consensus_ordered_mergeset(&chain.records)?;
    let mut jobs = Vec::new();
    for block in &order {
        jobs.extend(unknown_verdicts(chain, block)?);
    }
    if !jobs.is_empty() {
        return Ok(Accepted::NeedVerdicts(jobs));
    }
    let mut merge = Merge::default();
    for block in &order {
        merge_block(chain, context, block, &mut merge)?;
    }
    let acceptance = partition(chain, context, merge)?;
    Ok(Accepted::Ready(Box::new(acceptance)))
}

/// Collects one merged block: its reward, its accepted transactions and its spends.
fn merge_block<S: Store>(
    chain: &Chain<S>,
    context: &MergeContext,
    block: &Hash32,
    merge: &mut Merge,
) -> Result<(), SvcError> {
    let Chain { rules, records } = chain;
    let acceptance = &mut merge.acceptance;
    let body = records.body(block)?;
    let coinbase = body.coinbase()?;
    let payload = stored("bodies", CoinbasePayload::decode(&coinbase.payload))?;
    acceptance
        .miner_payloads
        .push((*block, coinbase.payload.clone()));
    let selected_parent = context.ghostdag.selected_parent;
    let mut accepted = Vec::new();
    if *block == selected_parent {
        record_activity(acceptance, &mut accepted, coinbase, body.txid(0)?);
    }
    let reward = acceptance.rewards.len();
    let status = records.known_status(block)?;
    let format = rules.bundle_format(records.header(block)?.header.daa_score);
    for (index, transaction) in body.iter().enumerate().skip(1) {
        let verdict = status
            .verdicts
            .get(index - 1)
            .copied()
            .unwrap_or(Verdict::Invalid);
        let Ok(fee) = fee_in_utxo_context(transaction, verdict, format) else {
            continue;
        };
        // The layout was checked when the body came, the flags just now.
        let bundle = stored("bodies", Bundle::decode(&transaction.payload, format))?;
        let txid = body.txid(index)?;
        record_activity(acceptance, &mut accepted, transaction, txid);
        merge.candidates.push(Candidate {
            txid,
            block: *block,
            reward,
            fee,
            bundle: Rc::new(bundle),
        });
    }
    acceptance.rewards.push(Reward {
        block: *block,
        subsidy: payload.subsidy,
        fees: 0,
        script_version: payload.script_version,
        script: payload.script,
    });
    let blue = context.ghostdag.blues.contains(block);
    acceptance.record.merged.push(MergedBlock {
        hash: *block,
        blue,
        tx_count: body.len() as u32,
        accepted,
    });
    Ok(())
}

fn record_activity(
    acceptance: &mut Acceptance,
    accepted: &mut Vec<Hash32>,
    transaction: &Transaction,
    txid: Hash32,
) {
    acceptance
        .activity
        .push((transaction.subnetwork_id, txid, transaction.version));
    accepted.push(txid);
}

/// Specification consensus 9.5 for a network without transparent outputs: anything with inputs spends an
/// output that cannot exist. Returns the fee of an acceptable transaction. Errors: `tx/not-shielded`, those of
/// [`check_value`], `tx/invalid-proof`.
pub fn fee_in_utxo_context(
    transaction: &Transaction,
    verdict: Verdict,
    format: BundleFormat,
) -> Result<u64, SvcError> {
    if !transaction.is_shielded() {
        return Err(SvcError::new(Code::TxNotShielded));
    }
    let fee = check_value(transaction, format)?;
    match verdict {
        Verdict::Valid => Ok(fee),
        Verdict::Unknown | Verdict::Invalid => {
            let error = SvcError::new(Code::TxInvalidProof);
            Err(error.with("reason", "its proof or a signature does not hold"))
        }
    }
}

/// Keeps a spend iff its anchor is final and none of its nullifiers is spent. Only a kept one earns its fee: a
/// dropped one may claim any, since its proof holds against a tree of its own. The anchor is judged first, so
/// that a bad anchor never claims a nullifier.
fn partition<S: Store>(
    chain: &Chain<S>,
    context: &MergeContext,
    merge: Merge,
) -> Result<Acceptance, SvcError> {
    let Merge {
        mut acceptance,
        candidates,
    } = merge;
    let judge = context.judge();
    let mut claimed = BTreeSet::new();
    for candidate in candidates {
        let carried = Carried {
            txid: candidate.txid,
            block: candidate.block,
        };
        match judge_spend(chain, &judge, &claimed, &candidate.bundle) {
            Ok(()) => {
                if let Some(reward) = acceptance.rewards.get_mut(candidate.reward) {
                    reward.fees = checked_fees(reward.fees, candidate.fee)?;
                }
                let nullifiers = candidate.bundle.nullifiers();
                claimed.extend(nullifiers.iter().copied());
                acceptance.nullifiers.extend(nullifiers);
                acceptance.applied.push(Applied {
                    txid: candidate.txid,
                    bundle: candidate.bundle,
                });
                acceptance.record.applied.push(carried);
            }
            Err(error) if crate::failure::is_fatal(&error) => return Err(error),
            Err(error) => {
                acceptance.record.dropped.push(Dropped {
                    carried,
                    reason: error.code.as_str().to_owned(),
                });
            }
        }
    }
    Ok(acceptance)
}

/// Fees of applied spends stay below the coins that exist; more is a broken proof system.
fn checked_fees(fees: u64, fee: u64) -> Result<u64, SvcError> {
    fees.checked_add(fee).ok_or_else(|| {
        SvcError::new(Code::VirtualSupplyMismatch)
            .with("expected", "fees below 2^64")
            .with("found", "more")
    })
}

/// Whether a spend would be applied here: anchor final, nullifiers distinct, unspent and unclaimed.
pub fn judge_spend<S: Store>(
    chain: &Chain<S>,
    judge: &Judge,
    claimed: &BTreeSet<Hash32>,
    bundle: &Bundle,
) -> Result<(), SvcError> {
    let anchor = NamedAnchor {
        root: bundle.anchor,
        block: bundle.anchor_block,
    };
    check_anchor(chain, judge, &anchor)?;
    let mut own = BTreeSet::new();
    for nullifier in bundle.nullifiers() {
        if !own.insert(nullifier)
            || claimed.contains(&nullifier)
            || chain.records.is_spent(&nullifier)?
        {
            return Err(SvcError::new(Code::TxNullifierSpent).with("nullifier", nullifier));
        }
    }
    Ok(())
}
