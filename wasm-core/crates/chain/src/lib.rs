//! What the chain is made of, and the formulas that need nothing but their arguments:
//! profiles, headers, transactions, blocks, hashes over them, masses, subsidy, genesis.
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
pub mod parents;
pub mod profile;
mod profile_rules;
pub mod profile_values;
pub mod raw_headers;
pub mod seq_commit;
pub mod subnetwork;
pub mod transaction;
mod transaction_hash;
pub mod uint256;
mod uint3072;
pub mod witness;
