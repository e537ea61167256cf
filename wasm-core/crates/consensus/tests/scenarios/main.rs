//! Scenarios for the engine: small chains in memory, every rule by name. Proof verdicts are the test's own;
//! everything else is real.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod anchors;
mod block_limits;
mod block_rules;
mod bounded_steps;
mod conflicts;
mod fork_crossing;
mod growth;
mod header_claims;
mod header_costs;
mod headers_and_pruning;
mod headers_first;
mod history;
mod import_forgeries;
mod import_refusals;
mod imported_anchors;
mod importing;
mod judging;
mod kit;
mod known_refusals;
mod lanes;
mod layout_migration;
mod many_lanes;
mod merged_mining;
mod payments;
mod pruning;
mod pruning_costs;
mod pruning_kit;
mod pruning_of_imports;
mod random_dags;
mod reorgs;
mod self_check;
mod steps;
mod stored_records;
mod templates;
mod tx_checks;
