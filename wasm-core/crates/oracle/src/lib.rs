//! Empty: everything is in `tests/`, which compares this project's hashes and formulas with
//! the parent network's published crates on random values.
//!
//! Run with `cargo test --manifest-path wasm-core/crates/oracle/Cargo.toml`.
