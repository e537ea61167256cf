//! Block processing pipeline (specification consensus 8): from a block or header that comes in to a virtual that
//! stands on the best tip, in steps of bounded size; and what is built on virtual.

pub mod beginning;
pub mod chain_move;
pub mod event;
pub mod genesis_state;
pub mod headers;
pub mod ingest;
pub mod inserted;
pub(crate) mod level_conflicts;
pub mod pruning_point;
pub mod resolve;
pub mod side_chain;
pub mod sink_search;
pub mod template;
pub mod tx_check;
pub mod virtual_parents;
pub mod virtual_view;
pub(crate) mod waiting_verdicts;
