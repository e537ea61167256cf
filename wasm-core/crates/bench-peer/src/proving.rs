//! Benchmark of upstream's prover.

use std::time::Instant;

use serde_json::{Value, json};
use svc_codec::hex;
use svc_prove::payment::Payment;
use svc_prove::plan::read_plan;
use svc_prove::progress::Stage;
use svc_prove::prover::Prover;
use svc_shielded::signing::payment_check::Terms;
use svc_shielded::signing::signer::{SigningRequest, check_and_sign};

use crate::keys::millis;
use crate::request::Failure;
use crate::wallet::{self, DAA_SCORE, FEE, PAYER, intended, seed};

/// Proves a plan. `ms` is the proof alone, `buildMs` what makes the actions before; signing comes after both.
pub fn prove(prover: &Prover, plan: &Value) -> Result<Value, Failure> {
    let (mut payment, build_ms, ms) = timed(prover, plan)?;
    let payments = [intended()?];
    let bundle = payment.bundle().encode();
    let signatures = check_and_sign(
        &seed(PAYER),
        &SigningRequest {
            profile: &wallet::profile()?,
            daa_score: DAA_SCORE,
            terms: Terms {
                payments: &payments,
                fee: FEE,
                max_fee: None,
                recoverable: Some(false),
            },
            bundle: &bundle,
            may_lack_proof: false,
            disclosure: payment.disclosure(),
            alphas: payment.alphas(),
            claimed_sighash: None,
        },
    )?;
    let transaction = hex::encode(&payment.finalize(&signatures)?.to_bytes());
    Ok(json!({ "ms": ms, "buildMs": build_ms, "transaction": transaction }))
}

fn timed(prover: &Prover, plan: &Value) -> Result<(Payment, f64, f64), Failure> {
    let request = read_plan(&plan.to_string())?;
    let start = Instant::now();
    let (mut built, mut proved) = (0.0, 0.0);
    let payment = prover.prove(&request, &mut |stage, fraction| match stage {
        Stage::Building => built = millis(start),
        Stage::Proving if fraction >= 1.0 => proved = millis(start),
        Stage::Proving => {}
    })?;
    Ok((payment, built, proved - built))
}
