//! Network simulator in one process: engines, simulated links and clocks, honest and malicious miners.
//!
//! Everything that happens follows from a seed. Section numbers in comments are those of the specification,
//! parts "consensus" and "shielded" (docs/spec).

pub mod agreement;
pub mod audit;
pub mod corpus;
pub mod fault;
pub mod fault_store;
pub mod header_chain;
pub mod ledger;
pub mod literal;
pub mod node;
pub mod payees;
pub mod payment;
pub mod rule_break;
pub mod settings;
pub mod swing;
pub mod testing;
pub mod traffic;
pub mod weather;
pub mod world;
