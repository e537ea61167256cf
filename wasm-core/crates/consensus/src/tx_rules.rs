//! Rules on one transaction that need no state: isolation (specification consensus 9.3) and the carrying
//! block's height (9.4).

use svc_chain::mass::MAX_SOMPI;
use svc_chain::subnetwork;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hex;
use svc_codec::limits::{MAX_GAS_PER_LANE, MAX_SCRIPT_LEN, MAX_TX_INPUTS, MAX_TX_OUTPUTS};
use svc_shielded::bundle::{Bundle, MAX_ACTIONS};

use crate::chain_rules::ChainRules;

/// Values below are DAA scores, values from here on are Unix milliseconds (specification consensus 1.3).
const LOCK_TIME_THRESHOLD: u64 = 500_000_000_000;

/// Where a transaction would be carried.
#[derive(Clone, Copy, Debug)]
pub struct Carrier {
    /// DAA score of the carrying block.
    pub daa_score: u64,
    /// Past median time of the carrying block, Unix milliseconds.
    pub past_median_ms: u64,
}

/// Isolation rules of a non-coinbase transaction.
pub fn check_isolation(rules: &ChainRules, transaction: &Transaction) -> Result<(), SvcError> {
    if transaction.inputs.len() > MAX_TX_INPUTS {
        return Err(SvcError::new(Code::TxTooManyInputs)
            .with("count", transaction.inputs.len())
            .with("max", MAX_TX_INPUTS));
    }
    if transaction.outputs.len() > MAX_TX_OUTPUTS {
        return Err(SvcError::new(Code::TxTooManyOutputs)
            .with("count", transaction.outputs.len())
            .with("max", MAX_TX_OUTPUTS));
    }
    check_version(rules, transaction)?;
    check_outputs(transaction)?;
    check_subnetwork(transaction)?;
    if transaction.is_shielded() {
        check_shielded_envelope(transaction)
    } else if transaction.inputs.is_empty() {
        Err(SvcError::new(Code::TxNotShielded))
    } else {
        Ok(())
    }
}

fn check_version(rules: &ChainRules, transaction: &Transaction) -> Result<(), SvcError> {
    let refused =
        transaction.version > 2 || (rules.profile.only_version2 && transaction.version != 2);
    if refused {
        return Err(SvcError::new(Code::TxUnsupportedVersion).with("version", transaction.version));
    }
    Ok(())
}

fn check_outputs(transaction: &Transaction) -> Result<(), SvcError> {
    let mut total: u64 = 0;
    for output in &transaction.outputs {
        total = total.saturating_add(output.value);
        if output.value == 0 || output.value > MAX_SOMPI || total > MAX_SOMPI {
            return Err(SvcError::new(Code::CodecNumberOutOfRange)
                .with("text", output.value)
                .with("max", MAX_SOMPI));
        }
        if output.script.len() > MAX_SCRIPT_LEN {
            return Err(SvcError::new(Code::TxScriptTooLong)
                .with("length", output.script.len())
                .with("max", MAX_SCRIPT_LEN));
        }
    }
    Ok(())
}

/// Native, or a user namespace of 4 bytes for version 1 and later; gas belongs to the latter, and more than
/// a lane of a block may use never fits one.
fn check_subnetwork(transaction: &Transaction) -> Result<(), SvcError> {
    let id = &transaction.subnetwork_id;
    let native = *id == subnetwork::NATIVE;
    let user_lane = transaction.version >= 1 && id[4..] == [0; 16] && id[1..4] != [0; 3];
    if !native && !user_lane {
        return Err(
            SvcError::new(Code::TxUnsupportedSubnetwork).with("subnetwork", hex::encode(id))
        );
    }
    let gas_allowed = transaction.version >= 1 && !native;
    let most = if gas_allowed { MAX_GAS_PER_LANE } else { 0 };
    if transaction.gas > most {
        return Err(SvcError::new(Code::TxGasNotZero).with("gas", transaction.gas));
    }
    Ok(())
}

fn check_shielded_envelope(transaction: &Transaction) -> Result<(), SvcError> {
    if !transaction.inputs.is_empty() {
        return Err(SvcError::new(Code::TxHasInputs));
    }
    if !transaction.outputs.is_empty() {
        return Err(SvcError::new(Code::TxHasOutputs));
    }
    Ok(())
}

/// Rules that depend on the carrying block: lock time, and the payload in the block's bundle form. Returns
/// the decoded bundle of a shielded transaction.
pub fn check_in_carrier(
    rules: &ChainRules,
    transaction: &Transaction,
    carrier: Carrier,
) -> Result<Option<Bundle>, SvcError> {
    if !transaction.is_shielded() {
        return Ok(None);
    }
    check_lock_time(rules, transaction, carrier)?;
    let bundle = Bundle::decode(&transaction.payload, rules.bundle_format(carrier.daa_score))?;
    if bundle.actions.is_empty() {
        return Err(SvcError::new(Code::TxNoActions));
    }
    if bundle.actions.len() > MAX_ACTIONS {
        return Err(SvcError::new(Code::TxTooManyActions)
            .with("count", bundle.actions.len())
            .with("max", MAX_ACTIONS));
    }
    Ok(Some(bundle))
}

/// What a payment must satisfy to be accepted wherever it is carried, its proof aside (specification
/// shielded 5.1 B). Returns the fee in sompi. Errors: `tx/storage-mass-not-zero`, `tx/negative-fee`.
pub fn check_value(transaction: &Transaction, bundle: &Bundle) -> Result<u64, SvcError> {
    if transaction.storage_mass != 0 {
        return Err(
            SvcError::new(Code::TxStorageMassNotZero).with("mass", transaction.storage_mass)
        );
    }
    bundle.fee()
}

/// Corrections A20: without inputs the parent's rule is vacuous, so the lock time is compared directly.
fn check_lock_time(
    rules: &ChainRules,
    transaction: &Transaction,
    carrier: Carrier,
) -> Result<(), SvcError> {
    let lock_time = transaction.lock_time;
    if !rules.profile.enforce_lock_time || lock_time == 0 {
        return Ok(());
    }
    let now = if lock_time < LOCK_TIME_THRESHOLD {
        carrier.daa_score
    } else {
        carrier.past_median_ms
    };
    if lock_time < now {
        return Ok(());
    }
    Err(SvcError::new(Code::TxLockTime).with("lockTime", lock_time))
}
