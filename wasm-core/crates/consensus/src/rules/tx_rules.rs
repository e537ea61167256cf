//! Stateless transaction rules: isolation (specification consensus 9.3) and the carrying block's height (9.4).

use std::rc::Rc;

use svc_chain::mass::MAX_SOMPI;
use svc_chain::subnetwork;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hex;
use svc_codec::limits::{MAX_GAS_PER_LANE, MAX_SCRIPT_LEN, MAX_TX_INPUTS, MAX_TX_OUTPUTS};
use svc_shielded::bundle::{Bundle, BundleFormat, check_layout, payload_fee};

use crate::parameters::Parameters;
use crate::rules::held_transaction::HeldTransaction;

/// Values below are DAA scores, values from here on are Unix milliseconds (specification consensus 1.3).
const LOCK_TIME_THRESHOLD: u64 = 500_000_000_000;

/// Versions are 0 classic, 1 covenants and lanes, 2 shielded (specification consensus 9.1).
pub const MAX_TX_VERSION: u16 = 2;

/// The block that would carry a transaction, as far as the rules depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Carrier {
    /// DAA score of the carrying block.
    pub daa_score: u64,
    /// Past median time of the carrying block, Unix milliseconds.
    pub past_median_ms: u64,
}

/// Whether a rule compares this transaction with [`Carrier::past_median_ms`].
pub fn needs_past_median(transaction: &Transaction) -> bool {
    transaction.lock_time >= LOCK_TIME_THRESHOLD
}

/// Isolation rules of a non-coinbase transaction.
pub fn check_isolation(rules: &Parameters, transaction: &Transaction) -> Result<(), SvcError> {
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

fn check_version(rules: &Parameters, transaction: &Transaction) -> Result<(), SvcError> {
    let refused = transaction.version > MAX_TX_VERSION
        || (rules.profile.only_version2 && transaction.version != MAX_TX_VERSION);
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

/// Rules that depend on the carrying block and fall on it: lock time, and the layout of the payload in the
/// block's bundle form. Errors: `tx/lock-time`, `tx/no-actions` and those of [`check_layout`].
pub fn check_in_carrier(
    rules: &Parameters,
    transaction: &Transaction,
    carrier: Carrier,
) -> Result<(), SvcError> {
    check_lock_time(rules, transaction, carrier)?;
    if !transaction.is_shielded() {
        return Ok(());
    }
    match check_layout(&transaction.payload, rules.bundle_format(carrier.daa_score))? {
        0 => Err(SvcError::new(Code::TxNoActions)),
        _ => Ok(()),
    }
}

/// What a payment must satisfy to be accepted when merged, its proof aside (specification consensus 9.5,
/// shielded 5.1 B, 5.2). It falls on the payment and on a chain block that carries it, never on the place of
/// that block in the DAG. Returns the fee in sompi. Errors: `tx/storage-mass-not-zero` and those of
/// [`payload_fee`].
pub fn check_value(transaction: &Transaction, format: BundleFormat) -> Result<u64, SvcError> {
    if transaction.storage_mass != 0 {
        return Err(
            SvcError::new(Code::TxStorageMassNotZero).with("mass", transaction.storage_mass)
        );
    }
    payload_fee(&transaction.payload, format)
}

/// A payment that a block of the carrier's height may carry and that would be accepted when merged: its fee and
/// its bundle. For pools and templates. Errors: `tx/unsupported-version` for anything but a payment, and those of
/// the two checks above.
pub fn payment_in_carrier(
    rules: &Parameters,
    held: &HeldTransaction,
    carrier: Carrier,
) -> Result<(u64, Rc<Bundle>), SvcError> {
    let transaction = held.transaction();
    if !transaction.is_shielded() {
        return Err(SvcError::new(Code::TxUnsupportedVersion).with("version", transaction.version));
    }
    let format = rules.bundle_format(carrier.daa_score);
    check_in_carrier(rules, transaction, carrier)?;
    let fee = check_value(transaction, format)?;
    Ok((fee, held.bundle(format)?))
}

/// Specification consensus 9.4. A transparent transaction escapes when all its inputs are final;
/// a payment has no inputs, which would make that vacuous, so its lock time is compared directly.
fn check_lock_time(
    rules: &Parameters,
    transaction: &Transaction,
    carrier: Carrier,
) -> Result<(), SvcError> {
    let lock_time = transaction.lock_time;
    let escapes = if transaction.is_shielded() {
        !rules.profile.enforce_lock_time
    } else {
        let mut inputs = transaction.inputs.iter();
        inputs.all(|input| input.sequence == u64::MAX)
    };
    if lock_time == 0 || escapes {
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
