//! Shielded pool: one Orchard pool holds all value of the chain (specification shielded).
//!
//! Upstream `orchard` defines what consensus means by a note, a proof and a signature; this crate adds
//! what is the chain's own: the bundle bytes, the sighash, coinbase notes, the state root and the anchor log.
#![deny(clippy::indexing_slicing)]

pub mod anchor_log;
pub mod bundle;
pub mod bundle_scan;
pub mod coinbase_note;
pub mod fee;
pub mod field;
pub mod frontier;
pub mod full_output;
pub mod json;
pub mod keys;
pub mod memo;
pub mod message;
pub mod note;
pub mod random;
pub mod secret;
pub mod sighash;
pub mod signing;
pub mod state_root;
#[cfg(feature = "circuit")]
pub mod verify;
