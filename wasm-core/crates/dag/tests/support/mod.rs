//! Shared by the test files; each uses a part of it.
#![allow(dead_code, missing_docs, clippy::unwrap_used, clippy::expect_used)]

pub mod memory_dag;
pub mod random_chain;
pub mod random_graph;
