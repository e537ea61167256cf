//! Shared by the tests of this crate.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

pub mod memory_dag;
pub mod random_chain;
pub mod random_graph;

/// Cases of a property: all at the full size (`SVC_TEST_SIZE=full`), a third at the reduced one.
pub fn cases(full: u32) -> u32 {
    let is_full = std::env::var("SVC_TEST_SIZE").is_ok_and(|size| size == "full");
    if is_full { full } else { full / 3 }
}
