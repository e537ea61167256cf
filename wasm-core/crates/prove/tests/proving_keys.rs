//! Keys and stored tables of the prover, its check of its own proofs, and rehearsals.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::{Arc, LazyLock};

use svc_circuit::assets::Assets;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_prove::bundle_request::BundleRequest;
use svc_prove::halo2::coordinator::payment_prover::{PaymentProof, PaymentProver};
use svc_prove::halo2::coordinator::proving_keys::ProvingKeys;
use svc_prove::halo2::shard::Shard;
use svc_prove::halo2::wire::wiped::Wiped;
use svc_prove::plan::read_plan;

use crate::support::{Wallet, intended, plan};

fn keys() -> ProvingKeys {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../assets/action-circuit.bin"
    );
    ProvingKeys::new(Assets::decode(&std::fs::read(path).unwrap()).unwrap()).unwrap()
}

/// Keys whose tables and verifier are made once, for all tests that leave them as they are.
static SHARED: LazyLock<Arc<ProvingKeys>> = LazyLock::new(|| Arc::new(keys()));

fn request() -> BundleRequest {
    let wallet = Wallet::new("simnet", 50_000);
    let outputs = [intended(600, b"checked")];
    read_plan(&plan(&wallet, &outputs, 1_000).to_string()).unwrap()
}

/// Runs a proof to its end with one worker; `change` sees the answers of every phase before the proof does.
fn run(
    proof: &mut PaymentProof,
    shard: &mut Shard,
    mut change: impl FnMut(&str, &mut Vec<u8>),
) -> Result<(), SvcError> {
    let mut answers = Vec::new();
    while let Some(messages) = proof.next(&answers)? {
        answers.clear();
        for message in &messages {
            let mut answer = shard.run(message)?.to_vec();
            change(proof.phase(), &mut answer);
            answers.push(Wiped::new(answer));
        }
    }
    Ok(())
}

#[test]
fn a_wrong_proof_is_not_handed_out() {
    let keys = Arc::clone(&SHARED);
    let mut shard = keys.shard().unwrap();
    let request = request();
    let mut proof = PaymentProof::begin(&keys, &request, 1).unwrap();
    let mut phases = Vec::new();
    let result = run(&mut proof, &mut shard, |phase, answer| {
        phases.push(phase.to_owned());
        if phase == "evaluations" {
            // The least byte of an evaluation: another number that is as well formed.
            let place = answer.len() - 32;
            answer[place] ^= 1;
        }
    });
    assert_eq!(
        result.unwrap_err().code,
        Code::ProveCheckFailed,
        "{phases:?}"
    );
    assert!(
        phases.iter().any(|phase| phase == "evaluations"),
        "{phases:?}"
    );
    assert_eq!(proof.finish().unwrap_err().code, Code::ProveFailed);

    let mut proof = PaymentProof::begin(&keys, &request, 1).unwrap();
    run(&mut proof, &mut shard, |_, _| ()).unwrap();
    let payment = proof.finish().unwrap();
    keys.check(payment.bundle()).unwrap();
    let mut bundle = payment.bundle().clone();
    bundle.proof[700] ^= 1;
    let error = keys.check(&bundle).unwrap_err();
    assert_eq!(error.code, Code::ProveCheckFailed);
    assert!(
        error.to_json().contains("shielded/proof-invalid"),
        "{}",
        error.to_json()
    );
}

#[test]
fn stored_tables_serve_the_next_start_and_damaged_ones_are_built_anew() {
    let stored = SHARED.tables().to_bytes();
    let mut damaged = stored.clone();
    damaged[1_000_000] ^= 1;
    let mut windows = stored.clone();
    *windows.last_mut().unwrap() ^= 1;
    let keys = keys();
    let shorter = &stored[..stored.len() - 1];
    for bytes in [&damaged[..], &windows, shorter, &[], &[0xff; 8]] {
        assert!(!keys.take_tables(bytes));
    }
    assert!(keys.take_tables(&stored));
    assert!(!keys.take_tables(&stored), "there are tables already");
    let mut prover = PaymentProver::with_keys(Arc::new(keys)).unwrap();
    let payment = prover.prove(&request(), &mut |_, _| ()).unwrap();
    assert!(!payment.bundle().proof.is_empty());
}

#[test]
fn a_rehearsal_ends_without_a_payment() {
    let keys = Arc::clone(&SHARED);
    let mut shard = keys.shard().unwrap();
    let mut proof = PaymentProof::rehearse(&keys, 1).unwrap();
    run(&mut proof, &mut shard, |_, _| ()).unwrap();
    assert_eq!(proof.finish().unwrap_err().code, Code::ProveFailed);
}
