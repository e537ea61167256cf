//! Note commitment tree in batches: note commitments, Merkle nodes, and the frontier that whole blocks are appended
//! to.

pub mod edge;
pub mod lone;
pub mod merkle;
mod message;
pub mod note_commitment;
pub mod note_fields;
pub mod nullifier;
mod tables;
