//! Transaction mass (weight) by computation and by bytes, and the minimum fee that follows (specification consensus
//! 9.6, shielded 13). Storage mass of a shielded transaction is always 0 and has no function.

use crate::profile::MassLimits;
use crate::transaction::Transaction;

/// Compute mass per byte of a transaction.
const MASS_PER_BYTE: u64 = 1;
/// Compute mass per byte of an output script, its version included.
const MASS_PER_SCRIPT_BYTE: u64 = 10;
/// Compute mass per signature operation of version 0.
const MASS_PER_SIGOP: u64 = 1_000;
/// Compute mass per unit of compute budget from version 1 on.
const MASS_PER_BUDGET: u64 = 100;
/// Compute mass per shielded action: the permanent state it adds.
const MASS_PER_ACTION: u64 = 1_000;
/// Transient mass per byte.
const TRANSIENT_PER_BYTE: u64 = 4;
/// Relay fee per 1,000 of mass, sompi; also the fee of the smallest mass.
const RELAY_FEE_PER_KILOMASS: u64 = 100_000;
/// No amount is larger: 29 · 10^9 coins, sompi (specification consensus 1.3).
pub const MAX_SOMPI: u64 = 29_000_000_000 * 100_000_000;

/// Estimated bytes of a transaction; a shielded one has 94 and its payload.
pub fn serialized_size(transaction: &Transaction) -> u64 {
    let later = transaction.version > 0;
    // Version, input and output counts, lock time, subnetwork, gas, payload hash and length.
    let fixed = 2 + 8 + 8 + 8 + 20 + 8 + 32 + 8;
    let inputs: usize = transaction
        .inputs
        .iter()
        .map(|input| 32 + 4 + 8 + input.script.len() + 8 + if later { 2 } else { 0 })
        .sum();
    let outputs: usize = transaction
        .outputs
        .iter()
        .map(|output| {
            8 + 2 + 8 + output.script.len() + if output.covenant.is_some() { 34 } else { 0 }
        })
        .sum();
    (fixed + inputs + outputs + transaction.payload.len()) as u64
}

/// Work of checking it; `actions` is the number in its bundle, 0 without one.
pub fn compute_mass(transaction: &Transaction, actions: u32) -> u64 {
    if transaction.is_coinbase() {
        return 0;
    }
    let per_input = if transaction.version == 0 {
        MASS_PER_SIGOP
    } else {
        MASS_PER_BUDGET
    };
    let scripts: u64 = transaction
        .outputs
        .iter()
        .map(|output| 2 + output.script.len() as u64)
        .sum();
    let checks: u64 = transaction
        .inputs
        .iter()
        .map(|input| u64::from(input.compute))
        .sum();
    serialized_size(transaction) * MASS_PER_BYTE
        + scripts * MASS_PER_SCRIPT_BYTE
        + checks * per_input
        + u64::from(actions) * MASS_PER_ACTION
}

/// Bytes to relay and keep until pruning.
pub fn transient_mass(transaction: &Transaction) -> u64 {
    if transaction.is_coinbase() {
        return 0;
    }
    serialized_size(transaction) * TRANSIENT_PER_BYTE
}

/// The larger of compute mass and transient mass, the latter scaled to the compute limit.
pub fn normalized_mass(transaction: &Transaction, actions: u32, limits: &MassLimits) -> u64 {
    let transient = u128::from(transient_mass(transaction)) * u128::from(limits.compute);
    let scaled = transient.div_ceil(u128::from(limits.transient.max(1)));
    compute_mass(transaction, actions).max(u64::try_from(scaled).unwrap_or(u64::MAX))
}

/// The least fee a node relays it for, sompi: 100 per unit of normalised mass. Size and
/// actions give it; what the transaction pays is another matter.
pub fn minimum_fee(transaction: &Transaction, actions: u32, limits: &MassLimits) -> u64 {
    let mass = u128::from(normalized_mass(transaction, actions, limits));
    match mass * u128::from(RELAY_FEE_PER_KILOMASS) / 1_000 {
        0 => RELAY_FEE_PER_KILOMASS,
        fee => u64::try_from(fee).unwrap_or(MAX_SOMPI).min(MAX_SOMPI),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subnetwork::{COINBASE, NATIVE};
    use crate::transaction::{TxInput, TxOutput};
    use svc_codec::hash32::Hash32;

    const LIMITS: MassLimits = MassLimits {
        compute: 500_000,
        storage: 500_000,
        transient: 1_000_000,
    };

    fn transaction(version: u16) -> Transaction {
        let input = TxInput {
            txid: Hash32::ZERO,
            index: 0,
            script: vec![0; 3],
            sequence: 0,
            compute: 2,
        };
        let output = TxOutput {
            value: 1,
            script_version: 0,
            script: vec![0; 5],
            covenant: None,
        };
        Transaction {
            version,
            inputs: vec![input],
            outputs: vec![output],
            lock_time: 0,
            subnetwork_id: NATIVE,
            gas: 0,
            payload: Vec::new(),
            storage_mass: 0,
        }
    }

    #[test]
    fn inputs_and_outputs_weigh_by_version() {
        let (classic, later) = (transaction(0), transaction(1));
        assert_eq!(serialized_size(&classic), 94 + 55 + 23);
        assert_eq!(serialized_size(&later), 94 + 57 + 23);
        assert_eq!(compute_mass(&classic, 0), 172 + 10 * 7 + 2 * 1_000);
        assert_eq!(compute_mass(&later, 3), 174 + 10 * 7 + 2 * 100 + 3 * 1_000);
        assert_eq!(transient_mass(&classic), 4 * 172);
    }

    #[test]
    fn coinbases_weigh_nothing() {
        let mut coinbase = transaction(1);
        coinbase.subnetwork_id = COINBASE;
        assert_eq!(
            (compute_mass(&coinbase, 0), transient_mass(&coinbase)),
            (0, 0)
        );
        assert_eq!(minimum_fee(&coinbase, 0, &LIMITS), 100_000);
    }

    #[test]
    fn transient_mass_is_scaled_upwards() {
        let mut limits = LIMITS;
        limits.transient = 300_000;
        // 4 · 172 · 500,000 / 300,000 = 1,146.67, less than the compute mass.
        assert_eq!(normalized_mass(&transaction(0), 0, &limits), 2_242);
        limits.transient = 100_000;
        assert_eq!(normalized_mass(&transaction(0), 0, &limits), 3_440);
        limits.transient = 99_999;
        assert_eq!(normalized_mass(&transaction(0), 0, &limits), 3_441);
    }
}
