//! JavaScript binding of upstream's prover and verifier, which are kept for comparison, and of proved payments of
//! either prover, in the `prover` build.

use js_sys::Function;
use svc_chain::profile::Profile;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_prove::payment::Payment as Prepared;
use svc_prove::plan::read_plan;
use svc_prove::progress::Stage;
use svc_prove::prover::Prover as UpstreamProver;
use svc_shielded::bundle::{Bundle, BundleFormat};
use svc_shielded::sighash::{sighash, tx_context};
use svc_shielded::signing::signer::SpendSignature;
use svc_shielded::verify::Verifier as BundleVerifier;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::thrown::{bad_call, thrown};

/// Verifies payments one at a time.
#[wasm_bindgen]
pub struct Verifier(BundleVerifier);

#[wasm_bindgen]
impl Verifier {
    /// Makes a verifier of the upstream library by building the verifying key, which takes seconds.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self(BundleVerifier::new())
    }

    /// Verifies a RawTransaction as far as its bytes decide, read in bundle form `format`: 0 plain, 1 with a named
    /// anchor block. Returns an empty text for a valid payment, else the JSON of the error. Throws `engine/bad-call`
    /// for another form.
    #[wasm_bindgen(js_name = verifyTransaction)]
    pub fn verify_transaction(
        &self,
        profile_json: &str,
        raw_tx: &[u8],
        format: u32,
    ) -> Result<String, JsError> {
        let format = bundle_format(format).map_err(thrown)?;
        Ok(match verify(&self.0, profile_json, raw_tx, format) {
            Ok(()) => String::new(),
            Err(error) => error.to_json(),
        })
    }
}

/// The form that jobs and verdicts call by this number. Error: `engine/bad-call`.
pub(crate) fn bundle_format(number: u32) -> Result<BundleFormat, SvcError> {
    match number {
        0 => Ok(BundleFormat::Plain),
        1 => Ok(BundleFormat::NamedAnchor),
        _ => Err(bad_call(format_args!("no bundle form {number}"))),
    }
}

fn verify(
    verifier: &BundleVerifier,
    profile_json: &str,
    raw_tx: &[u8],
    format: BundleFormat,
) -> Result<(), SvcError> {
    let profile = Profile::from_json(profile_json)?;
    let transaction = Transaction::from_bytes(raw_tx)?;
    if !transaction.is_shielded() {
        return Err(SvcError::new(Code::TxNotShielded));
    }
    let bundle = Bundle::decode(&transaction.payload, format)?;
    bundle.fee()?;
    let personal = profile.personalisation.sighash.as_bytes();
    let digest = sighash(
        personal,
        &profile.genesis.hash,
        &bundle,
        &tx_context(&transaction),
    );
    verifier.verify(&bundle, &digest)
}

/// Proves payments.
#[wasm_bindgen]
pub struct Prover(UpstreamProver);

#[wasm_bindgen]
impl Prover {
    /// Makes a prover of the upstream library by building parameters and proving key, which takes seconds.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self(UpstreamProver::new())
    }

    /// A verifier that shares the circuit of the proving key, so that its key is not built again.
    pub fn verifier(&self) -> Result<Verifier, JsError> {
        Ok(Verifier(self.0.verifier().map_err(thrown)?))
    }

    /// Builds and proves the payment of a plan (formats 3.2). `progress` gets a stage, `building` or `proving`, and a
    /// fraction from 0 to 1; what it throws is ignored. Throws `prove/*`, `shielded/*`, `keys/*`, `profile/*`.
    pub fn prove(&self, plan_json: &str, progress: &Function) -> Result<Payment, JsError> {
        let request = read_plan(plan_json).map_err(thrown)?;
        let mut report = |stage: Stage, fraction: f64| {
            // A failing callback must not fail the proof.
            let _ = progress.call2(&JsValue::NULL, &stage.name().into(), &fraction.into());
        };
        Ok(Payment(
            self.0.prove(&request, &mut report).map_err(thrown)?,
        ))
    }
}

/// A proved payment that waits for signatures.
#[wasm_bindgen]
pub struct Payment(Prepared);

impl From<Prepared> for Payment {
    fn from(payment: Prepared) -> Self {
        Self(payment)
    }
}

#[wasm_bindgen]
impl Payment {
    /// The proved bundle as bytes; its signatures are zero.
    pub fn bundle(&self) -> Vec<u8> {
        self.0.bundle().encode()
    }

    /// The disclosure as JSON of formats 3.2: one entry for each action, in their order.
    pub fn disclosure(&self) -> Result<String, JsError> {
        serde_json::to_string(self.0.disclosure()).map_err(|error| thrown(bad_call(error)))
    }

    /// The randomizers as JSON of formats 3.2: one entry for each spend to sign.
    pub fn alphas(&self) -> Result<String, JsError> {
        serde_json::to_string(self.0.alphas()).map_err(|error| thrown(bad_call(error)))
    }

    /// The sighash that the signatures cover, 32 bytes.
    pub fn sighash(&self) -> Vec<u8> {
        self.0.sighash().0.to_vec()
    }

    /// Applies signatures, JSON `[{index, sig}]` as `checkAndSign` gives it, and returns the RawTransaction. Throws
    /// `codec/bad-json`, `prove/missing-signature`, `shielded/spend-signature-invalid`, `prove/failed`,
    /// `keys/random-unavailable`.
    pub fn finalize(&mut self, sigs_json: &str) -> Result<Vec<u8>, JsError> {
        let signatures: Vec<SpendSignature> = serde_json::from_str(sigs_json)
            .map_err(|error| thrown(SvcError::new(Code::CodecBadJson).with("reason", error)))?;
        Ok(self.0.finalize(&signatures).map_err(thrown)?.to_bytes())
    }
}
