//! Verification of proved bundles: recorded payments of the reference, our golden bundle, and every way to
//! spoil one (specification shielded 5.2 and 22).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::LazyLock;

use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_shielded::bundle::{Bundle, BundleFormat};
use svc_shielded::sighash::{WALLET_TX_CONTEXT, sighash};
use svc_shielded::verify::Verifier;

use crate::common::{bytes, hash, list, load, personal};

static VERIFIER: LazyLock<Verifier> = LazyLock::new(Verifier::new);

/// The golden bundle and its sighash.
fn golden() -> (Bundle, Hash32) {
    let vector = load("shielded-golden-bundle.json");
    let bundle = Bundle::decode(&bytes(&vector["payload"]), BundleFormat::Plain).unwrap();
    let digest = sighash(
        &personal(&vector["personal"]),
        &hash(&vector["genesis"]),
        &bundle,
        &WALLET_TX_CONTEXT,
    );
    assert_eq!(digest, hash(&vector["sighash"]));
    (bundle, digest)
}

fn refusal(change: impl FnOnce(&mut Bundle)) -> Code {
    let (mut bundle, digest) = golden();
    change(&mut bundle);
    VERIFIER.verify(&bundle, &digest).unwrap_err().code
}

#[test]
fn payments_of_the_reference_verify() {
    let vector = load("reference/payments.json");
    for payment in list(&vector["payments"]) {
        let bundle = Bundle::decode(&bytes(&payment["payload"]), BundleFormat::Plain).unwrap();
        VERIFIER
            .verify(&bundle, &hash(&payment["sighash"]))
            .unwrap();
    }
}

#[test]
fn the_golden_bundle_verifies_under_its_sighash_only() {
    let (bundle, digest) = golden();
    assert_eq!((bundle.value_balance, bundle.actions.len()), (-5_000, 2));
    VERIFIER.verify(&bundle, &digest).unwrap();
    let error = VERIFIER.verify(&bundle, &Hash32::ZERO).unwrap_err();
    assert_eq!(error.code, Code::ShieldedBindingSignatureInvalid);
}

#[test]
fn canonical_encodings_are_checked_before_the_proof() {
    assert_eq!(
        refusal(|bundle| bundle.actions.clear()),
        Code::ShieldedNoActions
    );
    assert_eq!(
        refusal(|bundle| bundle.anchor = Hash32([0xff; 32])),
        Code::CodecNotCanonical
    );
    assert_eq!(refusal(|bundle| bundle.flags = 7), Code::ShieldedBadFlags);
    assert_eq!(refusal(|bundle| bundle.flags = 11), Code::ShieldedBadFlags);
    assert_eq!(
        refusal(|bundle| bundle.anchor_block = Some(Hash32::ZERO)),
        Code::ShieldedBadFlags
    );
    assert_eq!(
        refusal(|bundle| bundle.actions[1].nullifier = Hash32([0xff; 32])),
        Code::ShieldedBadField
    );
    assert_eq!(
        refusal(|bundle| bundle.actions[1].cmx = Hash32([0xff; 32])),
        Code::ShieldedBadField
    );
    assert_eq!(
        refusal(|bundle| bundle.actions[1].cv_net = [0xff; 32]),
        Code::ShieldedBadPoint
    );
    assert_eq!(
        refusal(|bundle| bundle.actions[1].rk = [0xff; 32]),
        Code::ShieldedBadPoint
    );
    assert_eq!(
        refusal(|bundle| bundle.actions[1].rk = [0; 32]),
        Code::ShieldedIdentityPoint
    );
    assert_eq!(
        refusal(|bundle| bundle.actions[1].epk = [0xff; 32]),
        Code::ShieldedBadPoint
    );
    assert_eq!(
        refusal(|bundle| bundle.actions[1].epk = [0; 32]),
        Code::ShieldedIdentityPoint
    );
    assert_eq!(
        refusal(|bundle| bundle.proof.push(0)),
        Code::ShieldedBadProofLength
    );
    assert_eq!(
        refusal(|bundle| bundle.proof.truncate(7_263)),
        Code::ShieldedBadProofLength
    );
}

#[test]
fn what_the_circuit_binds_cannot_change() {
    assert_eq!(
        refusal(|bundle| bundle.flags = 1),
        Code::ShieldedProofInvalid
    );
    assert_eq!(
        refusal(|bundle| bundle.anchor = Hash32([3; 32])),
        Code::ShieldedProofInvalid
    );
    assert_eq!(
        refusal(|bundle| bundle.actions.swap(0, 1)),
        Code::ShieldedProofInvalid
    );
    assert_eq!(
        refusal(|bundle| bundle.actions[0].nullifier = Hash32([3; 32])),
        Code::ShieldedProofInvalid
    );
    assert_eq!(
        refusal(|bundle| bundle.actions[0].cmx = Hash32([3; 32])),
        Code::ShieldedProofInvalid
    );
    assert_eq!(
        refusal(|bundle| bundle.value_balance += 1),
        Code::ShieldedBindingSignatureInvalid
    );
}

#[test]
fn signatures_are_all_checked() {
    assert_eq!(
        refusal(|bundle| bundle.binding_signature[0] ^= 1),
        Code::ShieldedBindingSignatureInvalid
    );
    let (mut bundle, digest) = golden();
    bundle.actions[1].signature[63] ^= 1;
    let error = VERIFIER.verify(&bundle, &digest).unwrap_err();
    assert_eq!(error.code, Code::ShieldedSpendSignatureInvalid);
    assert_eq!(error.data, [("action", "1".to_owned())]);
}

/// A byte of each field and bytes all through the proof: none can be flipped, given that the sighash is
/// recomputed from the changed bytes, as a node does.
#[test]
fn a_flipped_byte_anywhere_fails() {
    let vector = load("shielded-golden-bundle.json");
    let (personal, genesis) = (personal(&vector["personal"]), hash(&vector["genesis"]));
    let payload = bytes(&vector["payload"]);
    let fields = [
        0, 8, 9, 40, 41, 45, 108, 112, 113, 145, 177, 209, 241, 273, 853, 933, 996, 1_880, 1_884,
    ];
    let proof = (1_885..payload.len()).step_by(331);
    for position in fields.into_iter().chain(proof).chain([payload.len() - 1]) {
        let mut spoilt = payload.clone();
        spoilt[position] ^= 0x40;
        let valid = Bundle::decode(&spoilt, BundleFormat::Plain).is_ok_and(|bundle| {
            let digest = sighash(&personal, &genesis, &bundle, &WALLET_TX_CONTEXT);
            VERIFIER.verify(&bundle, &digest).is_ok()
        });
        assert!(!valid, "byte {position}");
    }
}
