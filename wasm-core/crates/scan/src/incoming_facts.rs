//! Result types of a scan with incoming viewing keys, in JSON form (formats 5).

use serde::Serialize;
use svc_codec::hash32::Hash32;
use svc_shielded::json::{decimal, hex_array, hex_bytes};

/// A note that an incoming viewing key reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IncomingNote {
    /// Whose it is: the place of the viewing key among the scanner's.
    pub key: u32,
    /// Transaction that made it.
    pub txid: Hash32,
    /// Action of the transaction.
    pub output_index: u32,
    /// Its commitment.
    pub cmx: Hash32,
    /// Its leaf in the tree.
    #[serde(with = "decimal")]
    pub position: u64,
    /// What the note is bound to: the nullifier of its action.
    pub rho: Hash32,
    /// Its randomness, for a receipt alone: with it anybody can show the note.
    #[serde(with = "hex_array")]
    pub rseed: [u8; 32],
    /// Sompi.
    #[serde(with = "decimal")]
    pub value: u64,
    /// Raw address it was sent to.
    #[serde(with = "hex_array")]
    pub recipient: [u8; 43],
    /// Diversifier index of that address; `None` from 2^32 on.
    pub address_index: Option<u32>,
    /// The memo without padding.
    #[serde(with = "hex_bytes")]
    pub memo: Vec<u8>,
}

/// What one chain block holds for the keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IncomingBlock {
    /// Block hash.
    pub hash: Hash32,
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
    /// Notes in leaf order; one that several keys read is there for each of them.
    pub notes: Vec<IncomingNote>,
}

/// What a page of records holds for the keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IncomingFacts {
    /// One entry per record.
    pub blocks: Vec<IncomingBlock>,
}
