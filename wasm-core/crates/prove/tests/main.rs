//! Tests of the prover against upstream, as one program.

mod gates;
mod opening;
mod order;
mod payment;
mod proving_keys;
mod quotient;
mod support;
mod task;
mod whole_proof;
mod witness;
