//! Chain data types and their formulas: profiles, headers, transactions, blocks, hashes over them, masses, subsidy,
//! genesis. The formulas need nothing but their arguments.
//!
//! No rule of acceptance lives here; those are in the engine.
#![deny(clippy::indexing_slicing)]

pub mod bits;
pub mod block;
pub mod coinbase_payload;
pub mod domain_hashers;
pub mod emission;
pub mod genesis;
pub mod header;
pub mod lane_tree;
#[cfg(test)]
mod least_lengths;
pub mod mass;
pub mod merge_commitment;
pub mod merkle;
pub mod muhash;
pub mod profile;
pub mod seq_commit;
pub mod subnetwork;
pub mod transaction;
pub mod uint256;
pub mod witness;
