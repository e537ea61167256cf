//! State root: the commitment to the shielded state that a coinbase carries (specification shielded 11.1, consensus
//! 13.2).

use svc_chain::profile::Profile;
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
pub struct Carried {
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

/// The root of a network's state: form 0 where nothing is carried, form 1 over what is. The form follows the DAA score of
/// the block whose state it is (specification consensus 13.2).
pub fn state_root(profile: &Profile, parts: &Parts0, carried: Option<&Carried>) -> Hash32 {
    let personals = &profile.personalisation;
    let inner = root0(personals.state_root.as_bytes(), parts);
    match carried {
        None => inner,
        Some(carried) => root1(personals.state_root_v1.as_bytes(), &inner, carried),
    }
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

/// The state root of form 1 over that of form 0, for states of blocks from the security fork on (specification consensus
/// 13.2).
pub fn root1(personal: &[u8; 16], root0: &Hash32, carried: &Carried) -> Hash32 {
    blake2b_personal(personal)
        .update(root0.as_bytes())
        .update(&carried.dev_accrued.to_le_bytes())
        .update(carried.anchor_commitment.as_bytes())
        .update(&carried.slot_script_version.to_le_bytes())
        .update(&(carried.slot_script.len() as u32).to_le_bytes())
        .update(&carried.slot_script)
        .update(&carried.slot_amount.to_le_bytes())
        .finalize()
}
