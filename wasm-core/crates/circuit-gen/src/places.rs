//! Where the generated files are.

use std::path::PathBuf;

/// The assets.
pub fn assets_file() -> PathBuf {
    crates().join("../assets/action-circuit.bin")
}

/// The Rust file with their hash.
pub fn pin_file() -> PathBuf {
    crates().join("circuit/src/pin.rs")
}

fn crates() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
