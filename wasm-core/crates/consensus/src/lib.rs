//! Consensus engine: validates blocks and maintains the selected chain; synchronous and deterministic, without clock,
//! randomness or disk of its own.
//!
//! Blocks come in through [`engine::Engine::insert_block`], are judged on the selected chain by
//! [`engine::Engine::resolve`], and everything it accepts reaches the store in one commit per step.
//! Section numbers in comments are those of the specification, parts "consensus" and "shielded" (docs/spec).
#![deny(clippy::indexing_slicing)]

pub mod checks;
pub mod engine;
pub mod export;
pub mod failure;
pub mod history;
pub mod import;
pub mod imported_log;
pub mod outcome_json;
pub mod parameters;
pub mod pipeline;
pub mod proof;
pub mod prune;
pub mod questions;
pub mod records;
pub mod rules;
pub mod store;
pub mod timings;

mod budget;
mod migration;

use svc_codec::code::Code;
use svc_codec::error::SvcError;

/// `store/corrupt` naming the record, unless `condition` holds.
pub(crate) fn corrupt_unless(condition: bool, record: &'static str) -> Result<(), SvcError> {
    if condition {
        Ok(())
    } else {
        Err(SvcError::new(Code::StoreCorrupt).with("table", record))
    }
}
