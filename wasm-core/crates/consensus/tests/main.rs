//! Tests of the engine, of recorded chains, and of proofs, as one program.

mod block_checks;
mod conformance;
mod corpus;
mod own_proofs;
mod receipt_depths;
mod receipts;
mod recorded_import;
mod recorded_proof;
mod scenarios;
mod wire;
