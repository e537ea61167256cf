//! Tests of the shielded pool against vectors and upstream, as one program.

mod bundle;
mod common;
mod fee_vectors;
mod key_vectors;
mod outputs;
mod payment_check;
mod signer_refusals;
mod state_vectors;
#[cfg(feature = "circuit")]
mod verification;
