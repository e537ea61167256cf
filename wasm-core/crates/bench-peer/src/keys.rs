//! Proving and verifying keys of upstream, built at their first use.

use std::time::Instant;

use orchard::circuit::{ProvingKey, VerifyingKey};
use serde_json::{Value, json};
use svc_prove::prover::Prover;
use svc_shielded::verify::{CIRCUIT, Verifier};

use crate::request::Failure;

/// The keys of this process.
#[derive(Default)]
pub struct Keys {
    prover: Option<Prover>,
    verifier: Option<Verifier>,
    verifying: Option<VerifyingKey>,
}

impl Keys {
    /// Times what a prover needs before its first proof: parameters and proving key.
    pub fn set_up(&mut self) -> Result<Value, Failure> {
        let start = Instant::now();
        let key = ProvingKey::build(CIRCUIT);
        let ms = millis(start);
        drop(key);
        Ok(json!({ "ms": ms }))
    }

    /// The prover over upstream's `create_proof`.
    pub fn prover(&mut self) -> &Prover {
        self.prover.get_or_insert_with(Prover::new)
    }

    /// The verifier over upstream's `verify_proof`.
    pub fn verifier(&mut self) -> &Verifier {
        self.verifier.get_or_insert_with(Verifier::new)
    }

    /// The key that the batch validator takes.
    pub fn verifying(&mut self) -> &VerifyingKey {
        self.verifying
            .get_or_insert_with(|| VerifyingKey::build(CIRCUIT))
    }
}

/// Milliseconds since `start`.
pub fn millis(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}
