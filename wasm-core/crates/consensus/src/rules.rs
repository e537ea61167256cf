//! Consensus rules (specification consensus 1 to 13): what each stage asks of a header, a body, a transaction and a
//! chain block, and what a chain block does to the state. Nothing here moves virtual or decides when a rule is asked.

pub mod acceptance;
pub mod anchor_binding;
pub mod body_rules;
pub mod chain_block_rules;
pub mod coinbase;
pub mod header_rules;
pub mod held_transaction;
pub(crate) mod level_rules;
pub mod made_evidence;
pub mod opened_sequencing;
pub mod payload_digest;
pub mod reach;
pub mod scan_record;
pub mod sequencing;
pub mod state_opening;
pub mod transition;
pub mod tx_rules;
pub(crate) mod verified_proofs;
