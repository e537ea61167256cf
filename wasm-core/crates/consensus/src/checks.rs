//! Verification of a node's claims from the bytes of blocks and the profile alone: no store, no node. Each answers a list of
//! steps; a step that only the whole chain could show says so (docs/formats.md 3.11).

pub mod acceptance_check;
pub mod acceptance_proof;
pub mod block_check;
pub mod block_facts;
pub mod committed_state;
pub mod sequencing_check;
pub mod steps;
pub mod supply_check;
pub mod verifying_key;
