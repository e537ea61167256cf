//! Shielded state in the parts that a state root commits to, as a node tells it (specification shielded 11.1, consensus
//! 13.2).

use serde::{Deserialize, Serialize};
use svc_chain::profile::{Profile, active};
use svc_codec::hash32::Hash32;
use svc_shielded::json::{decimal, hex_bytes};
use svc_shielded::state_root::{Carried, Parts0, state_root};

use crate::records::chain_state::ChainState;

/// The pre-image of a state root. Amounts are sompi.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CommittedState {
    /// Root of the note commitment tree.
    pub tree_root: Hash32,
    /// Finalised accumulator over all spent nullifiers.
    pub nullifier_root: Hash32,
    /// Sum of all minted notes.
    #[serde(with = "wide_decimal")]
    pub cumulative_coinbase: u128,
    /// Sum of all fees of applied payments.
    #[serde(with = "wide_decimal")]
    pub cumulative_fees: u128,
    /// Root of the burn receipts: zero while there is no bridge.
    pub burn_root: Hash32,
    /// Development fee carried on. Committed from the security fork on.
    #[serde(with = "decimal")]
    pub dev_accrued: u64,
    /// Commitment of the anchor log. Committed from the security fork on.
    pub anchor_commitment: Hash32,
    /// Miner slot. Committed from the security fork on.
    pub slot: ClaimedSlot,
}

/// The miner slot as a node tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClaimedSlot {
    /// Script version of the holder.
    pub script_version: u16,
    /// Script of the holder.
    #[serde(with = "hex_bytes")]
    pub script: Vec<u8>,
    /// Sompi held.
    #[serde(with = "decimal")]
    pub amount: u64,
}

impl CommittedState {
    /// The parts of a state that a node holds.
    pub fn of(state: &ChainState, profile: &Profile) -> Self {
        let (parts, carried) = (state.parts(), state.carried(profile));
        Self {
            tree_root: parts.tree_root,
            nullifier_root: parts.nullifier_root,
            cumulative_coinbase: parts.cumulative_coinbase,
            cumulative_fees: parts.cumulative_fees,
            burn_root: parts.burn_root,
            dev_accrued: carried.dev_accrued,
            anchor_commitment: carried.anchor_commitment,
            slot: ClaimedSlot {
                script_version: carried.slot_script_version,
                script: carried.slot_script,
                amount: carried.slot_amount,
            },
        }
    }

    /// The root over the parts. `daa_score` is that of the block whose state it is.
    pub fn root(&self, profile: &Profile, daa_score: u64) -> Hash32 {
        let parts = Parts0 {
            tree_root: self.tree_root,
            nullifier_root: self.nullifier_root,
            cumulative_coinbase: self.cumulative_coinbase,
            cumulative_fees: self.cumulative_fees,
            burn_root: self.burn_root,
        };
        let carried = Carried {
            dev_accrued: self.dev_accrued,
            anchor_commitment: self.anchor_commitment,
            slot_script_version: self.slot.script_version,
            slot_script: self.slot.script.clone(),
            slot_amount: self.slot.amount,
        };
        let is_carried = commits_to_carried(profile, daa_score);
        state_root(profile, &parts, is_carried.then_some(&carried))
    }
}

/// Whether the state root of a block with this DAA score covers the carried development fee and the miner slot.
pub fn commits_to_carried(profile: &Profile, daa_score: u64) -> bool {
    active(profile.activations.security_fork, daa_score)
}

/// A u128 as a decimal string.
pub(crate) mod wide_decimal {
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(value: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        let text = String::deserialize(deserializer)?;
        let value: Option<u128> = text.parse().ok();
        value
            .filter(|value| value.to_string() == text)
            .ok_or_else(|| de::Error::custom("expected a decimal string of 128 bits"))
    }
}
