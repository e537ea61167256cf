//! Acceptance proof: the data of one chain block with which its header, and the coinbase of the block above it, can be
//! held against it (specification consensus 12, shielded 11).
//!
//! Nothing in it is believed. All of it together either makes the commitments or does not.

use serde::{Deserialize, Serialize};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_ACCEPTANCE_PROOF_LEN;
use svc_shielded::frontier::Frontier;
use svc_shielded::json::{decimal, hex_array, hex_bytes};

use crate::checks::committed_state::CommittedState;

/// The effects of a chain block, and what ties them to headers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AcceptanceProof {
    /// The chain block.
    pub block: Hash32,
    /// Its selected parent.
    pub selected_parent: Hash32,
    /// The chain block above it, whose coinbase commits to the state after this one; null at the tip.
    pub child: Option<Hash32>,
    /// Accepted transactions in their order, the coinbase of the selected parent first.
    pub accepted: Vec<AcceptedTransaction>,
    /// Merged blocks in order of acceptance.
    pub merged: Vec<MergedPayload>,
    /// The lanes as far as they are needed; null where a node cannot tell all of them.
    pub lanes: Option<LanesProof>,
    /// The sequencing commitment that lanes without activity are measured by.
    pub shortcut: Hash32,
    /// The note tree before the block.
    pub frontier: ClaimedFrontier,
    /// Payments that moved value, in their order.
    pub applied: Vec<AppliedPayment>,
    /// Accepted payments that had no effect.
    pub dropped: Vec<DroppedPayment>,
    /// State after the selected parent.
    pub before: CommittedState,
    /// State after the block.
    pub after: CommittedState,
}

/// A transaction that the sequencing commitment covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptedTransaction {
    /// Its id.
    pub txid: Hash32,
    /// Its version.
    pub version: u16,
    /// Its lane, which is a subnetwork.
    #[serde(with = "hex_array")]
    pub lane: [u8; 20],
    /// The merged block that carries it.
    pub block: Hash32,
}

/// A merged block with the payload of its coinbase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MergedPayload {
    /// The block.
    pub hash: Hash32,
    /// Its blue work, big endian without leading zeros, as it is hashed.
    #[serde(with = "hex_bytes")]
    pub blue_work: Vec<u8>,
    /// Payload of its coinbase.
    #[serde(with = "hex_bytes")]
    pub payload: Vec<u8>,
}

/// Lanes of a chain block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanesProof {
    /// Tips that the block extended: of lanes that it touches and that lived before.
    pub extended: Vec<ClaimedLane>,
    /// Lanes that live after the block and that it did not touch.
    pub untouched: Vec<ClaimedLane>,
}

/// A lane with its tip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClaimedLane {
    /// Its key.
    pub key: Hash32,
    /// Its newest tip.
    pub tip: Hash32,
    /// Blue score of the chain block that touched it last.
    #[serde(with = "decimal")]
    pub blue_score: u64,
}

/// The right edge of a note tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimedFrontier {
    /// Leaves.
    #[serde(with = "decimal")]
    pub size: u64,
    /// The last of them; zero in an empty tree.
    pub leaf: Hash32,
    /// Complete left siblings, the lowest first.
    pub ommers: Vec<Hash32>,
}

/// A payment with the commitments that it appends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppliedPayment {
    /// Its id.
    pub txid: Hash32,
    /// The merged block that carries it.
    pub block: Hash32,
    /// Commitments of the notes it makes, in the order of its actions.
    pub commitments: Vec<Hash32>,
}

/// A payment without effect, and why by the node's word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DroppedPayment {
    /// Its id.
    pub txid: Hash32,
    /// The merged block that carries it.
    pub block: Hash32,
    /// Registry code of the reason.
    pub reason: String,
}

/// What is said of one transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TransactionClaim {
    /// Its id.
    pub txid: Hash32,
    /// The block that is said to carry it.
    pub carrier: Hash32,
    /// Whether it is said to have moved value.
    pub is_applied: bool,
}

impl TransactionClaim {
    /// Reads the JSON of a claim. Errors: `codec/count-too-large`, `codec/bad-json`.
    pub fn from_json(json: &str) -> Result<Self, SvcError> {
        read_claim(json)
    }
}

impl AcceptanceProof {
    /// Reads the JSON of a proof.
    ///
    /// # Errors
    /// `codec/count-too-large` above [`MAX_ACCEPTANCE_PROOF_LEN`] bytes, `codec/bad-json`.
    pub fn from_json(json: &str) -> Result<Self, SvcError> {
        read_claim(json)
    }
}

/// Reads a claim of bounded length.
pub(crate) fn read_claim<T: for<'de> Deserialize<'de>>(json: &str) -> Result<T, SvcError> {
    if json.len() > MAX_ACCEPTANCE_PROOF_LEN {
        let error = SvcError::new(Code::CodecCountTooLarge).with("count", json.len());
        return Err(error.with("max", MAX_ACCEPTANCE_PROOF_LEN));
    }
    serde_json::from_str(json).map_err(|error| {
        let reason = format!("line {} column {}", error.line(), error.column());
        SvcError::new(Code::CodecBadJson).with("reason", reason)
    })
}

impl ClaimedFrontier {
    /// The edge of a tree that a node holds.
    pub fn of(frontier: &Frontier) -> Self {
        Self {
            size: frontier.size(),
            leaf: frontier.leaf().unwrap_or(Hash32::ZERO),
            ommers: frontier.ommers(),
        }
    }

    /// The tree. Errors: `shielded/bad-frontier`, `codec/not-canonical`.
    pub fn tree(&self) -> Result<Frontier, SvcError> {
        let leaf = (self.size > 0 || self.leaf != Hash32::ZERO).then_some(self.leaf);
        Frontier::from_parts(self.size, leaf, &self.ommers)
    }
}
