//! Payment prover: a plan becomes a proved bundle without signatures, and signatures make it a transaction
//! (specification shielded 18). Upstream's builder makes the actions, and our own prover in [`halo2`] proves them;
//! upstream's prover in [`prover`] is kept for comparison (decision record 5).

pub mod bundle_request;
pub mod halo2;
pub mod payment;
pub mod plan;
pub mod progress;
pub mod prover;
