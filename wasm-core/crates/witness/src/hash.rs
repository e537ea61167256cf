//! Hash and commitment chips (Sinsemilla, Poseidon, Merkle path, note commitment).

pub mod commit_ivk;
pub mod merkle;
pub mod note_commit;
pub mod poseidon;
pub mod sinsemilla;
