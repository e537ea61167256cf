//! Paths of the generated files.

use std::path::PathBuf;

/// The assets.
pub fn assets_file() -> PathBuf {
    crates().join("../assets/action-circuit.bin")
}

/// The Rust file with their hash.
pub fn pin_file() -> PathBuf {
    crates().join("circuit/src/pin.rs")
}

/// The Rust file with the hashes of the tables that are made of the assets.
pub fn table_pin_file() -> PathBuf {
    crates().join("circuit/src/table_pins.rs")
}

fn crates() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
