//! Making payments: a plan becomes a proved bundle without signatures, signatures make it a transaction
//! (specification shielded 18). Upstream's builder and prover do the cryptography.

pub mod bundle_request;
pub mod engine;
pub mod payment;
pub mod plan;
pub mod progress;
pub mod prover;
