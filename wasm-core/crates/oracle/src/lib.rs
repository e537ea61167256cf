//! Differential tests against the parent network's published crates. The library is empty: `tests/` compares this
//! project's hashes and formulas with theirs on random values.
//!
//! Run with `cargo test --manifest-path wasm-core/crates/oracle/Cargo.toml`.
