//! The consensus engine: synchronous, deterministic, without clock, randomness or disk of its own.
//!
//! Blocks come in through [`engine::Engine::insert_block`], are judged on the selected chain by
//! [`engine::Engine::resolve`], and everything it accepts reaches the store in one commit per step.
//! Section numbers in comments are those of the specification, parts "consensus" and "shielded" (docs/spec).
#![deny(clippy::indexing_slicing)]

pub mod acceptance;
pub mod acceptance_record;
pub mod anchor_binding;
pub mod anchors;
pub mod beginning;
pub mod block_status;
pub mod body;
pub mod body_rules;
mod budget;
pub mod chain_block;
pub mod chain_index;
pub mod chain_move;
pub mod chain_rules;
pub mod chain_state;
pub mod coinbase;
pub mod engine;
pub mod event;
pub mod export;
pub mod failure;
pub mod genesis_state;
pub mod header_rules;
pub mod headers;
pub mod history;
pub mod import;
pub mod ingest;
pub mod inserted;
pub mod lane_diff;
pub mod lanes;
mod level_conflicts;
mod level_rules;
pub mod meta;
mod migration;
mod negative_cache;
pub mod overlay;
pub mod pages;
pub mod past_pages;
pub mod proof;
pub mod prune;
pub mod questions;
pub mod record_cache;
mod record_fields;
pub mod resolve;
pub mod scan_record;
pub mod self_check;
pub mod sequencing;
pub mod side_chain;
pub mod sink_search;
pub mod state;
pub mod store;
pub mod stored_record;
pub mod sync_questions;
pub mod tables;
pub mod template;
pub mod timings;
pub mod transition;
pub mod tx_check;
pub mod tx_rules;
mod verified_proofs;
pub mod virtual_parents;
pub mod virtual_view;
mod waiting_verdicts;
mod witnesses;
pub mod work;

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
