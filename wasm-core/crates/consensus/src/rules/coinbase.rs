//! Expected coinbase of a chain block, rebuilt by every node (specification consensus 10.4, 10.5).

use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::emission::subsidy;
use svc_chain::profile::active;
use svc_chain::subnetwork;
use svc_chain::transaction::{Transaction, TxOutput};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::parameters::Parameters;
use crate::records::chain_state::{ChainState, MinerSlot};
use crate::rules::acceptance::{Acceptance, MergeContext, Reward};

/// What the miner of a block chooses.
#[derive(Clone, Debug)]
pub struct MinerData {
    /// Script version of the payout.
    pub script_version: u16,
    /// Payout script: the 43 raw bytes of an address.
    pub script: Vec<u8>,
    /// Free bytes at the end of the coinbase payload.
    pub extra: Vec<u8>,
}

/// A value and who gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Payment {
    value: u64,
    script_version: u16,
    script: Vec<u8>,
}

/// A built coinbase with the balances it leaves behind.
#[derive(Clone, Debug)]
pub struct BuiltCoinbase {
    /// The transaction.
    pub transaction: Transaction,
    /// Development fee carried by the block.
    pub dev_accrued: u64,
    /// Miner accrual slot after the block.
    pub slot: MinerSlot,
    /// Exact growth of the pool: Σ minted − Σ fees, see the function `expected_delta`.
    pub expected_delta: i128,
}

/// The selected parent as the coinbase needs it.
pub struct ParentView<'a> {
    /// State after the selected parent.
    pub state: &'a ChainState,
    /// DAA score of the selected parent.
    pub daa_score: u64,
}

/// Builds the coinbase of the position in `context`.
pub fn build_coinbase(
    rules: &Parameters,
    context: &MergeContext,
    acceptance: &Acceptance,
    parent: &ParentView<'_>,
    miner: &MinerData,
) -> Result<BuiltCoinbase, SvcError> {
    let split = split_rewards(rules, context, acceptance, miner)?;
    let (mut outputs, slot) = settle_payments(rules, context, parent, split.payments)?;
    let dev = development_fee(rules, context.daa_score, parent, split.dev)?;
    if dev.paid > 0 {
        outputs.push(Payment {
            value: dev.paid,
            script_version: 0,
            script: dev.script,
        });
    }
    let payload = CoinbasePayload {
        blue_score: context.ghostdag.blue_score,
        subsidy: subsidy(&rules.profile, context.daa_score),
        state_root: parent.state.state_root(&rules.profile, parent.daa_score),
        script_version: miner.script_version,
        script: miner.script.clone(),
        extra: miner.extra.clone(),
    };
    let to_output = |payment: Payment| TxOutput {
        value: payment.value,
        script_version: payment.script_version,
        script: payment.script,
        covenant: None,
    };
    let transaction = Transaction {
        version: rules.coinbase_version(context.daa_score),
        inputs: Vec::new(),
        outputs: outputs.into_iter().map(to_output).collect(),
        lock_time: 0,
        subnetwork_id: subnetwork::COINBASE,
        gas: 0,
        payload: payload.encode()?,
        storage_mass: 0,
    };
    let expected_delta = expected_delta(&split.minted, dev.carried, &slot, parent.state);
    Ok(BuiltCoinbase {
        transaction,
        dev_accrued: dev.carried,
        slot,
        expected_delta,
    })
}

/// Sums that fix the growth of the pool.
struct Minted {
    /// Σ subsidy of merged blocks in the DAA window.
    subsidy: u128,
    /// Σ fees of blue blocks outside it, which nobody gets.
    lost_fees: u128,
}

struct Split {
    payments: Vec<Payment>,
    dev: u64,
    minted: Minted,
}

fn overflow() -> SvcError {
    SvcError::new(Code::VirtualSupplyMismatch)
        .with("expected", "a sum below 2^64")
        .with("found", "more")
}

/// Steps 1–3: blues in order, then one payment for all reds to the block's own miner.
fn split_rewards(
    rules: &Parameters,
    context: &MergeContext,
    acceptance: &Acceptance,
    miner: &MinerData,
) -> Result<Split, SvcError> {
    let mut split = Split {
        payments: Vec::new(),
        dev: 0,
        minted: Minted {
            subsidy: 0,
            lost_fees: 0,
        },
    };
    let find = |block: &Hash32| {
        acceptance
            .rewards
            .iter()
            .find(|reward| reward.block == *block)
    };
    let missing = || SvcError::new(Code::StoreCorrupt).with("table", "mergeset");
    for block in &context.ghostdag.blues {
        let reward = find(block).ok_or_else(missing)?;
        if context.daa_excluded.contains(block) {
            split.minted.lost_fees += u128::from(reward.fees);
            continue;
        }
        let value = credit(rules, context.daa_score, reward, &mut split)?;
        if value > 0 {
            let (script_version, script) = (reward.script_version, reward.script.clone());
            split.payments.push(Payment {
                value,
                script_version,
                script,
            });
        }
    }
    let mut reds = 0u64;
    for block in &context.ghostdag.reds {
        let reward = find(block).ok_or_else(missing)?;
        let value = if context.daa_excluded.contains(block) {
            reward.fees
        } else {
            credit(rules, context.daa_score, reward, &mut split)?
        };
        reds = reds.checked_add(value).ok_or_else(overflow)?;
    }
    if reds > 0 {
        let (script_version, script) = (miner.script_version, miner.script.clone());
        split.payments.push(Payment {
            value: reds,
            script_version,
            script,
        });
    }
    Ok(split)
}

/// Miner's part of one rewarded block; adds its cut to the development fee.
fn credit(
    rules: &Parameters,
    daa_score: u64,
    reward: &Reward,
    split: &mut Split,
) -> Result<u64, SvcError> {
    let cut = development_cut(rules, daa_score, reward.subsidy);
    split.dev = split.dev.checked_add(cut).ok_or_else(overflow)?;
    split.minted.subsidy += u128::from(reward.subsidy);
    (reward.subsidy - cut)
        .checked_add(reward.fees)
        .ok_or_else(overflow)
}

/// floor(subsidy · permille / 1000), zero without a recipient and from the end height on.
pub(crate) fn development_cut(rules: &Parameters, daa_score: u64, subsidy: u64) -> u64 {
    let fee = &rules.profile.dev_fee;
    if fee.recipient_hex.is_none() || active(rules.profile.activations.dev_fee_end, daa_score) {
        return 0;
    }
    let cut = u128::from(subsidy) * u128::from(fee.permille) / 1000;
    u64::try_from(cut).unwrap_or(subsidy).min(subsidy)
}

/// Before the fork every payment is an output. From it consecutive payments to one script accrue in the
/// slot; a payment to another script emits the slot, and so does crossing a payout interval.
fn settle_payments(
    rules: &Parameters,
    context: &MergeContext,
    parent: &ParentView<'_>,
    payments: Vec<Payment>,
) -> Result<(Vec<Payment>, MinerSlot), SvcError> {
    if !rules.fork_active(context.daa_score) {
        return Ok((payments, MinerSlot::default()));
    }
    let mut outputs = Vec::new();
    let mut slot = parent.state.slot.clone();
    for payment in payments {
        let same = slot.script_version == payment.script_version && slot.script == payment.script;
        if slot.amount > 0 && same {
            slot.amount = slot
                .amount
                .checked_add(payment.value)
                .ok_or_else(overflow)?;
        } else {
            emit(&mut slot, &mut outputs);
            slot = MinerSlot {
                script_version: payment.script_version,
                script: payment.script,
                amount: payment.value,
            };
        }
    }
    let interval = rules.profile.miner_slot_payout_interval_daa;
    if crosses(context.daa_score, parent.daa_score, interval) {
        emit(&mut slot, &mut outputs);
    }
    Ok((outputs, slot))
}

fn emit(slot: &mut MinerSlot, outputs: &mut Vec<Payment>) {
    let slot = std::mem::take(slot);
    if slot.amount > 0 {
        outputs.push(Payment {
            value: slot.amount,
            script_version: slot.script_version,
            script: slot.script,
        });
    }
}

/// DAA scores jump, so an interval counts as passed when its number changes.
pub(crate) fn crosses(daa_score: u64, parent_daa_score: u64, interval: u64) -> bool {
    interval > 0 && daa_score / interval > parent_daa_score / interval
}

struct DevelopmentFee {
    paid: u64,
    carried: u64,
    script: Vec<u8>,
}

/// Step 5. Before accrual the cuts of the block are paid at once; then they are carried from block to block
/// and paid when an interval is crossed or the fee has ended.
fn development_fee(
    rules: &Parameters,
    daa_score: u64,
    parent: &ParentView<'_>,
    cuts: u64,
) -> Result<DevelopmentFee, SvcError> {
    let fee = &rules.profile.dev_fee;
    let script = rules
        .profile
        .dev_fee_recipient()
        .map(|recipient| recipient.to_vec())
        .unwrap_or_default();
    if !active(rules.profile.activations.dev_fee_accrual, daa_score) {
        return Ok(DevelopmentFee {
            paid: cuts,
            carried: 0,
            script,
        });
    }
    let total = parent
        .state
        .dev_accrued
        .checked_add(cuts)
        .ok_or_else(overflow)?;
    let due = crosses(daa_score, parent.daa_score, fee.payout_interval_daa)
        || active(rules.profile.activations.dev_fee_end, daa_score);
    let (paid, carried) = if due { (total, 0) } else { (0, total) };
    Ok(DevelopmentFee {
        paid,
        carried,
        script,
    })
}

/// Specification consensus 10.6: Σ subsidy of rewarded blocks − lost fees − growth of the carried balances.
fn expected_delta(
    minted: &Minted,
    dev_accrued: u64,
    slot: &MinerSlot,
    parent: &ChainState,
) -> i128 {
    let grown = |after: u64, before: u64| i128::from(after) - i128::from(before);
    let subsidy = i128::try_from(minted.subsidy).unwrap_or(i128::MAX);
    let lost = i128::try_from(minted.lost_fees).unwrap_or(i128::MAX);
    subsidy - lost - grown(dev_accrued, parent.dev_accrued) - grown(slot.amount, parent.slot.amount)
}
