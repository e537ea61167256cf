//! Payments proved by our own prover: in steps for a host with workers, or at one go.

use std::sync::Arc;

use svc_circuit::assets::Assets;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_shielded::random::{system_bytes, system_rng};
use zeroize::Zeroizing;

use crate::bundle_request::BundleRequest;
use crate::engine::action_input::ActionInput;
use crate::engine::coordinator::{Coordinator, Step};
use crate::engine::prepared::Prepared;
use crate::engine::proof_state::CoordinatorKeys;
use crate::engine::shard::Shard;
use crate::payment::Payment;
use crate::progress::{Progress, Stage};

/// A payment whose proof is being made by workers. The host passes their messages on; to cancel, it drops this.
#[derive(Debug)]
pub struct EngineProof {
    coordinator: Coordinator,
    payment: Payment,
    phase: &'static str,
}

impl EngineProof {
    /// Builds the bundle and prepares its proof by so many workers.
    ///
    /// Errors: those of [`BundleRequest::build`], `prove/failed`, `keys/random-unavailable`.
    pub fn begin(
        keys: &Arc<CoordinatorKeys>,
        request: &BundleRequest,
        workers: usize,
    ) -> Result<Self, SvcError> {
        let mut rng = system_rng()?;
        let payment = Payment::prepare(request, request.build(&mut rng)?, &mut rng)?;
        let inputs = ActionInput::of_bundle(payment.partial())?;
        let coordinator = Coordinator::new(Arc::clone(keys), inputs, system_bytes()?, workers)?;
        Ok(Self {
            coordinator,
            payment,
            phase: "witness",
        })
    }

    /// Takes the workers' answers to the last messages, none at the start, and gives the next, one for each worker;
    /// none when the proof is done.
    ///
    /// Errors: those of [`Coordinator::next`].
    pub fn next(
        &mut self,
        answers: &[Vec<u8>],
    ) -> Result<Option<Vec<Zeroizing<Vec<u8>>>>, SvcError> {
        match self.coordinator.next(answers)? {
            Step::Tasks(messages) => {
                self.phase = self.coordinator.progress().0;
                Ok(Some(messages))
            }
            Step::Done(proof) => self.payment.set_proof(proof).map(|()| None),
        }
    }

    /// The name of the phase that the last messages belong to.
    pub fn phase(&self) -> &'static str {
        self.phase
    }

    /// How much of the proof is done, 0 to 1, never falling.
    pub fn fraction(&self) -> f64 {
        self.coordinator.progress().1
    }

    /// The proved payment. Error: `prove/failed` before the proof is done.
    pub fn finish(self) -> Result<Payment, SvcError> {
        if self.payment.bundle().proof.is_empty() {
            return Err(SvcError::new(Code::ProveFailed).with("reason", "the proof is not done"));
        }
        Ok(self.payment)
    }
}

/// The prover with one worker, in this thread.
#[derive(Debug)]
pub struct EngineProver {
    keys: Arc<CoordinatorKeys>,
    shard: Shard,
}

impl EngineProver {
    /// Prepares the keys, a fraction of a second. Errors: those of [`Prepared::build`] and [`CoordinatorKeys::new`].
    pub fn new(assets: &Assets) -> Result<Self, SvcError> {
        let keys = Arc::new(CoordinatorKeys::new(assets)?);
        Ok(Self::with_keys(keys, Arc::new(Prepared::build(assets)?)))
    }

    /// A prover with keys that others use, too.
    pub fn with_keys(keys: Arc<CoordinatorKeys>, prepared: Arc<Prepared>) -> Self {
        Self {
            keys,
            shard: Shard::new(prepared),
        }
    }

    /// Builds and proves a bundle. Its real spends are not signed yet.
    ///
    /// Errors: those of [`EngineProof::begin`] and [`EngineProof::next`].
    pub fn prove(
        &mut self,
        request: &BundleRequest,
        progress: Progress<'_>,
    ) -> Result<Payment, SvcError> {
        progress(Stage::Building, 0.0);
        let mut proof = EngineProof::begin(&self.keys, request, 1)?;
        progress(Stage::Building, 1.0);
        let mut answers = Vec::new();
        while let Some(messages) = proof.next(&answers)? {
            progress(Stage::Proving, proof.fraction());
            let shard = &mut self.shard;
            answers = messages
                .iter()
                .map(|message| shard.run(message))
                .collect::<Result<_, _>>()?;
        }
        progress(Stage::Proving, 1.0);
        proof.finish()
    }
}
