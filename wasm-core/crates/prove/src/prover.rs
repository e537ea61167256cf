//! Upstream's prover, which our own is compared with: holds upstream's proving key and turns requests into proved
//! payments.

use orchard::circuit::ProvingKey;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_shielded::random::system_rng;
use svc_shielded::verify::{CIRCUIT, Verifier};

use crate::bundle_request::BundleRequest;
use crate::payment::Payment;
use crate::progress::{Progress, ProofRng, Stage};

/// Holds the proving key; building it takes seconds, each proof seconds per action.
#[derive(Debug)]
pub struct Prover {
    key: ProvingKey,
}

impl Prover {
    /// Builds parameters and proving key.
    pub fn new() -> Self {
        Self {
            key: ProvingKey::build(CIRCUIT),
        }
    }

    /// The verifier that belongs to the key, without building it again.
    pub fn verifier(&self) -> Result<Verifier, SvcError> {
        Verifier::from_key(self.key.verifying_key())
    }

    /// Builds and proves a bundle. Its real spends are not signed yet.
    ///
    /// Errors: those of [`BundleRequest::build`], `prove/failed`, `keys/random-unavailable`.
    pub fn prove(
        &self,
        request: &BundleRequest,
        progress: Progress<'_>,
    ) -> Result<Payment, SvcError> {
        progress(Stage::Building, 0.0);
        let mut rng = system_rng()?;
        let mut payment = Payment::prepare(request, request.build(&mut rng)?, &mut rng)?;
        progress(Stage::Building, 1.0);
        progress(Stage::Proving, 0.0);
        let actions = payment.bundle().actions.len();
        payment
            .partial_mut()
            .create_proof(&self.key, ProofRng::new(rng, actions, progress))
            .map_err(|error| SvcError::new(Code::ProveFailed).with("reason", error))?;
        progress(Stage::Proving, 1.0);
        payment.take_proof()?;
        Ok(payment)
    }
}

impl Default for Prover {
    fn default() -> Self {
        Self::new()
    }
}
