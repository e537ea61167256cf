//! State root: the commitment to the shielded state that a coinbase carries (specification shielded 11.1, consensus
//! 13.2).

use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_personal;

/// What form 0 of the state root commits to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts0 {
    /// Root of the note commitment tree.
    pub tree_root: Hash32,
    /// Finalised accumulator over all spent nullifiers.
    pub nullifier_root: Hash32,
    /// Sum of all minted notes in sompi.
    pub cumulative_coinbase: u128,
    /// Sum of all fees of applied transactions in sompi.
    pub cumulative_fees: u128,
    /// Root of the burn receipts: zero while the bridge is off, which is always.
    pub burn_root: Hash32,
}

/// What form 1 adds from the security fork on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts1 {
    /// The state root of form 0.
    pub root0: Hash32,
    /// Development fee carried, in sompi.
    pub dev_accrued: u64,
    /// Commitment of the anchor log.
    pub anchor_commitment: Hash32,
    /// Script version of the miner slot's holder.
    pub slot_script_version: u16,
    /// Script of the miner slot's holder; empty when the slot is.
    pub slot_script: Vec<u8>,
    /// Sompi held in the miner slot.
    pub slot_amount: u64,
}

/// The state root of form 0: tree root, nullifier root, both totals as u128 little endian, burn root.
pub fn root0(personal: &[u8; 16], parts: &Parts0) -> Hash32 {
    blake2b_personal(personal)
        .update(parts.tree_root.as_bytes())
        .update(parts.nullifier_root.as_bytes())
        .update(&parts.cumulative_coinbase.to_le_bytes())
        .update(&parts.cumulative_fees.to_le_bytes())
        .update(parts.burn_root.as_bytes())
        .finalize()
}

/// The state root of form 1, for states of blocks from the security fork on (specification consensus 13.2).
pub fn root1(personal: &[u8; 16], parts: &Parts1) -> Hash32 {
    blake2b_personal(personal)
        .update(parts.root0.as_bytes())
        .update(&parts.dev_accrued.to_le_bytes())
        .update(parts.anchor_commitment.as_bytes())
        .update(&parts.slot_script_version.to_le_bytes())
        .update(&(parts.slot_script.len() as u32).to_le_bytes())
        .update(&parts.slot_script)
        .update(&parts.slot_amount.to_le_bytes())
        .finalize()
}
