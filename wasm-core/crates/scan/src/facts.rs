//! Result types of a scan, in the JSON form that the wallet's reducer takes (formats 5).

use serde::Serialize;
use svc_codec::hash32::Hash32;
use svc_shielded::json::{decimal, hex_array, hex_bytes};

use crate::record_sums::RecordSums;

/// How a note came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum NoteKind {
    /// Minted by a coinbase.
    Coinbase,
    /// Created by an action: a payment received, or change.
    Received,
}

/// A note of one of the wallet's viewing keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundNote {
    /// How it came to be.
    pub kind: NoteKind,
    /// Whose it is: the place of the viewing key among the scanner's.
    pub key: u32,
    /// Its leaf in the tree.
    #[serde(with = "decimal")]
    pub position: u64,
    /// Sompi.
    #[serde(with = "decimal")]
    pub value: u64,
    /// Raw address it was sent to.
    #[serde(with = "hex_array")]
    pub recipient: [u8; 43],
    /// Diversifier index of that address; `None` from 2^32 on.
    pub address_index: Option<u32>,
    /// What the note is bound to.
    pub rho: Hash32,
    /// Its randomness.
    #[serde(with = "hex_array")]
    pub rseed: [u8; 32],
    /// Its commitment.
    pub cmx: Hash32,
    /// The nullifier that will mark it spent.
    pub nullifier: Hash32,
    /// Transaction that made it.
    pub txid: Hash32,
    /// Output of the coinbase, or action of the transaction.
    pub output_index: u32,
    /// The memo without padding; empty for minted notes.
    #[serde(with = "hex_bytes")]
    pub memo: Vec<u8>,
}

/// An output to somebody else, which a viewing key's owner sent with its outgoing viewing key attached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundOutput {
    /// Whose payment it is: the place of the viewing key among the scanner's.
    pub key: u32,
    /// Transaction that made it.
    pub txid: Hash32,
    /// Action of the transaction.
    pub output_index: u32,
    /// Raw address it was sent to.
    #[serde(with = "hex_array")]
    pub recipient: [u8; 43],
    /// That address as text.
    pub address: String,
    /// Sompi.
    #[serde(with = "decimal")]
    pub value: u64,
    /// The memo without padding.
    #[serde(with = "hex_bytes")]
    pub memo: Vec<u8>,
}

/// The nullifiers of one applied transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundTx {
    /// Its id.
    pub txid: Hash32,
    /// Nullifiers in action order.
    pub nullifiers: Vec<Hash32>,
}

/// What one chain block holds for the wallet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockFacts {
    /// Block hash.
    pub hash: Hash32,
    /// Chain index: unknown to a scanner, filled in by its caller.
    pub index: Option<u64>,
    /// Blue score.
    #[serde(with = "decimal")]
    pub blue_score: u64,
    /// DAA score.
    #[serde(with = "decimal")]
    pub daa_score: u64,
    /// Unix milliseconds.
    #[serde(with = "decimal")]
    pub timestamp: u64,
    /// Leaves in the tree before the block.
    #[serde(with = "decimal")]
    pub first_leaf: u64,
    /// Leaves the block appends.
    #[serde(with = "decimal")]
    pub leaves: u64,
    /// Own notes in leaf order.
    pub notes: Vec<FoundNote>,
    /// Outputs to others that could be read back, in leaf order; left out of the JSON where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<FoundOutput>,
    /// Minted outputs of own addresses under a commitment that is not theirs: the record is false. They are no notes.
    pub refused: u32,
    /// Every applied transaction, so that the reducer sees its own spends.
    pub txs: Vec<FoundTx>,
    /// What a state root covers beside the leaves.
    #[serde(flatten)]
    pub sums: RecordSums,
}

/// What a page of records holds for the wallet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScanFacts {
    /// One entry per record.
    pub blocks: Vec<BlockFacts>,
    /// All leaves of the page in order, 32 bytes each.
    #[serde(with = "hex_bytes")]
    pub cmx: Vec<u8>,
}
