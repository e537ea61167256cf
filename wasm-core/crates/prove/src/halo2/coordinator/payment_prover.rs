//! Payment prover over our own implementation of Halo 2: in steps for a host with workers, or in one call.

use std::sync::Arc;

use svc_circuit::assets::Assets;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_shielded::bundle::Bundle;
use svc_shielded::keys::{address_at, full_viewing_key, generate};
use svc_shielded::random::{system_bytes, system_rng};
use svc_shielded::signing::payment_check::IntendedPayment;

use crate::bundle_request::BundleRequest;
use crate::halo2::coordinator::proving_keys::ProvingKeys;
use crate::halo2::coordinator::{Coordinator, Step};
use crate::halo2::shard::Shard;
use crate::halo2::shard::action_input::ActionInput;
use crate::halo2::wire::wiped::Wiped;
use crate::payment::Payment;
use crate::progress::{Progress, Stage};

/// A payment whose proof is being made by workers. The host passes their messages on; to cancel, it drops this.
#[derive(Debug)]
pub struct PaymentProof {
    keys: Arc<ProvingKeys>,
    coordinator: Coordinator,
    purpose: Purpose,
    phase: &'static str,
}

/// What a proof is made for.
#[derive(Debug)]
enum Purpose {
    Payment(Box<Payment>),
    /// Only the check of this bundle with the proof in it.
    Rehearsal(Bundle),
}

impl PaymentProof {
    /// Builds the bundle and prepares its proof by so many workers.
    ///
    /// Errors: those of [`BundleRequest::build`], `prove/failed`, `keys/random-unavailable`.
    pub fn begin(
        keys: &Arc<ProvingKeys>,
        request: &BundleRequest,
        workers: usize,
    ) -> Result<Self, SvcError> {
        let payment = prepare(request)?;
        let inputs = ActionInput::of_bundle(payment.partial())?;
        Self::new(keys, inputs, Purpose::Payment(Box::new(payment)), workers)
    }

    /// A rehearsal: the proof of an action that nobody wants, and its check. They make everything that the first
    /// proof would otherwise wait for, and give hosts that compile code by how often it runs a reason to.
    ///
    /// Errors: `prove/failed`, `keys/random-unavailable`.
    pub fn rehearse(keys: &Arc<ProvingKeys>, workers: usize) -> Result<Self, SvcError> {
        let payment = prepare(&nothing()?)?;
        let mut inputs = ActionInput::of_bundle(payment.partial())?;
        inputs.truncate(1);
        let mut bundle = payment.bundle().clone();
        bundle.actions.truncate(1);
        Self::new(keys, inputs, Purpose::Rehearsal(bundle), workers)
    }

    fn new(
        keys: &Arc<ProvingKeys>,
        inputs: Vec<ActionInput>,
        purpose: Purpose,
        workers: usize,
    ) -> Result<Self, SvcError> {
        let coordinator_keys = Arc::clone(keys.coordinator());
        Ok(Self {
            keys: Arc::clone(keys),
            coordinator: Coordinator::new(coordinator_keys, inputs, system_bytes()?, workers)?,
            purpose,
            phase: "witness",
        })
    }

    /// Takes the workers' answers to the last messages, none at the start, and gives the next, as many for each worker
    /// (see [`Step::Tasks`]); none when the proof is done and was verified.
    ///
    /// Errors: those of [`Coordinator::next`], `prove/check-failed`.
    pub fn next(&mut self, answers: &[Wiped]) -> Result<Option<Vec<Wiped>>, SvcError> {
        match self.coordinator.next(answers)? {
            Step::Tasks(messages) => {
                self.phase = self.coordinator.progress().0;
                Ok(Some(messages))
            }
            Step::Done(proof) => {
                match &mut self.purpose {
                    Purpose::Payment(payment) => {
                        payment.set_proof(proof, |bundle| self.keys.check(bundle))?;
                    }
                    Purpose::Rehearsal(bundle) => {
                        bundle.proof = proof;
                        self.keys.check(bundle)?;
                    }
                }
                Ok(None)
            }
        }
    }

    /// Tells that one more of the last messages was answered.
    pub fn answered(&mut self) {
        self.coordinator.answered();
    }

    /// [`Coordinator::is_movable`].
    pub fn is_movable(&self) -> bool {
        self.coordinator.is_movable()
    }

    /// The name of the phase that the last messages belong to.
    pub fn phase(&self) -> &'static str {
        self.phase
    }

    /// How much of the proof is done, 0 to 1, never falling.
    pub fn fraction(&self) -> f64 {
        self.coordinator.progress().1
    }

    /// The proved payment. Error: `prove/failed` before the proof is done, and for a rehearsal.
    pub fn finish(self) -> Result<Payment, SvcError> {
        let failed = |reason: &str| SvcError::new(Code::ProveFailed).with("reason", reason);
        match self.purpose {
            Purpose::Rehearsal(_) => Err(failed("a rehearsal")),
            Purpose::Payment(payment) if payment.bundle().proof.is_empty() => {
                Err(failed("the proof is not done"))
            }
            Purpose::Payment(payment) => Ok(*payment),
        }
    }
}

fn prepare(request: &BundleRequest) -> Result<Payment, SvcError> {
    let mut rng = system_rng()?;
    Payment::prepare(request, request.build(&mut rng)?, &mut rng)
}

/// A payment of nothing to a key that is forgotten.
fn nothing() -> Result<BundleRequest, SvcError> {
    let fvk = full_viewing_key(&generate()?)?;
    let output = IntendedPayment {
        address: address_at(&fvk, 0)?,
        value: 0,
        memo: Vec::new(),
    };
    Ok(BundleRequest {
        personal: [0; 16],
        domain: Hash32([0; 32]),
        fvk,
        anchor: Hash32([0; 32]),
        anchor_block: None,
        spends: Vec::new(),
        outputs: vec![output],
        recoverable: false,
    })
}

/// The prover with one worker, in this thread.
#[derive(Debug)]
pub struct PaymentProver {
    keys: Arc<ProvingKeys>,
    shard: Shard,
}

impl PaymentProver {
    /// Prepares the keys, a fraction of a second. Errors: those of [`ProvingKeys::new`] and [`ProvingKeys::shard`].
    pub fn new(assets: Assets) -> Result<Self, SvcError> {
        Self::with_keys(Arc::new(ProvingKeys::new(assets)?))
    }

    /// A prover with keys that others use, too. Errors: those of [`ProvingKeys::shard`].
    pub fn with_keys(keys: Arc<ProvingKeys>) -> Result<Self, SvcError> {
        Ok(Self {
            shard: keys.shard()?,
            keys,
        })
    }

    /// Builds, proves and verifies a bundle. Its real spends are not signed yet.
    ///
    /// Errors: those of [`PaymentProof::begin`] and [`PaymentProof::next`].
    pub fn prove(
        &mut self,
        request: &BundleRequest,
        progress: Progress<'_>,
    ) -> Result<Payment, SvcError> {
        progress(Stage::Building, 0.0);
        let mut proof = PaymentProof::begin(&self.keys, request, 1)?;
        progress(Stage::Building, 1.0);
        let mut answers = Vec::new();
        while let Some(messages) = proof.next(&answers)? {
            let shard = &mut self.shard;
            answers = messages
                .iter()
                .map(|message| {
                    let answer = shard.run(message)?;
                    proof.answered();
                    progress(Stage::Proving, proof.fraction());
                    Ok(answer)
                })
                .collect::<Result<_, SvcError>>()?;
        }
        progress(Stage::Proving, 1.0);
        proof.finish()
    }
}
