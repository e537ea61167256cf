//! Our verifier against upstream's: stored bundles, and every way to spoil one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::{Modulus, PallasBase, PallasScalar};
use svc_shielded::bundle::{Action, Bundle, BundleFormat};
use svc_verify::transactions::{RawTransaction, verify_transactions};

use crate::support::{BUNDLES, SMALL, Stored, UPSTREAM, VERIFIER, load};

/// The verdict on a spoilt copy of a stored bundle, the same from both verifiers.
fn verdict(stored: &Stored, change: impl FnOnce(&mut Bundle)) -> Result<(), SvcError> {
    let mut bundle = stored.bundle.clone();
    change(&mut bundle);
    let ours = VERIFIER.verify(&bundle, &stored.sighash);
    assert_eq!(
        ours,
        UPSTREAM.verify(&bundle, &stored.sighash),
        "{}",
        stored.about
    );
    ours
}

fn refusal(stored: &Stored, change: impl FnOnce(&mut Bundle)) -> Code {
    verdict(stored, change).unwrap_err().code
}

#[test]
fn stored_bundles_hold_alone_and_together() {
    assert_eq!(BUNDLES.len(), 16);
    for stored in BUNDLES.iter() {
        assert_eq!(verdict(stored, |_| {}), Ok(()), "{}", stored.about);
    }
    let all: Vec<_> = BUNDLES
        .iter()
        .map(|stored| (&stored.bundle, stored.sighash))
        .collect();
    assert_eq!(
        VERIFIER.verify_batch(&all, &[1; 32]),
        vec![Ok(()); BUNDLES.len()]
    );
    assert_eq!(VERIFIER.verify_batch(&[], &[1; 32]), vec![]);
}

/// A prover checks its proof before anything is signed.
#[test]
fn a_proof_is_judged_without_signatures() {
    for stored in SMALL.iter() {
        let mut bundle = stored.bundle.clone();
        bundle.binding_signature = [0; 64];
        bundle.actions[0].signature = [0xff; 64];
        assert_eq!(VERIFIER.verify_proof(&bundle), Ok(()), "{}", stored.about);
        let code = |bundle: &Bundle| VERIFIER.verify_proof(bundle).unwrap_err().code;
        let mut wrong = bundle.clone();
        wrong.proof[700] ^= 1;
        assert_eq!(code(&wrong), Code::ShieldedProofInvalid);
        let mut wrong = bundle.clone();
        wrong.actions[0].cmx = wrong.actions[0].nullifier;
        assert_eq!(code(&wrong), Code::ShieldedProofInvalid);
        let mut wrong = bundle.clone();
        wrong.proof.pop();
        assert_eq!(code(&wrong), Code::ShieldedBadProofLength);
        bundle.actions.clear();
        assert_eq!(code(&bundle), Code::ShieldedNoActions);
    }
}

/// A batch of good and bad ones gets the verdicts that each gets alone.
#[test]
fn a_batch_tells_which_are_bad() {
    let mut bundles: Vec<(Bundle, Hash32)> = BUNDLES
        .iter()
        .map(|stored| (stored.bundle.clone(), stored.sighash))
        .collect();
    bundles[1].0.proof[700] ^= 1;
    bundles[3].1 = Hash32([3; 32]);
    bundles[4].0.actions[1].signature[40] ^= 1;
    bundles[6].0.actions.clear();
    let last = bundles[9].0.proof.len() - 1;
    bundles[9].0.proof[last] ^= 1;
    bundles[10].0.proof.pop();
    bundles[12].0.binding_signature[31] ^= 0x80;
    let asked: Vec<_> = bundles
        .iter()
        .map(|(bundle, digest)| (bundle, *digest))
        .collect();
    let expected: Vec<_> = asked
        .iter()
        .map(|(bundle, digest)| UPSTREAM.verify(bundle, digest))
        .collect();
    for seed in 0..3 {
        assert_eq!(VERIFIER.verify_batch(&asked, &[seed; 32]), expected);
    }
    let codes: Vec<Code> = expected
        .iter()
        .filter_map(|verdict| Some(verdict.as_ref().err()?.code))
        .collect();
    assert_eq!(
        codes,
        [
            Code::ShieldedProofInvalid,
            Code::ShieldedBindingSignatureInvalid,
            Code::ShieldedSpendSignatureInvalid,
            Code::ShieldedNoActions,
            Code::ShieldedProofInvalid,
            Code::ShieldedBadProofLength,
            Code::ShieldedBindingSignatureInvalid,
        ]
    );
    // All bad, and two that are bad for two reasons.
    let mut bad = vec![SMALL[0].clone(), SMALL[1].clone(), SMALL[0].clone()];
    for stored in &mut bad {
        stored.bundle.proof[3000] ^= 4;
        stored.bundle.binding_signature[2] ^= 4;
    }
    let asked: Vec<_> = bad
        .iter()
        .map(|stored| (&stored.bundle, stored.sighash))
        .collect();
    for verdict in VERIFIER.verify_batch(&asked, &[9; 32]) {
        assert_eq!(verdict.unwrap_err().code, Code::ShieldedProofInvalid);
    }
}

#[test]
fn public_inputs_are_bound() {
    let other = &BUNDLES[9].bundle.actions[0];
    let changes: [&dyn Fn(&mut Bundle); 9] = [
        &|bundle| bundle.anchor = Hash32([3; 32]),
        &|bundle| bundle.actions[0].nullifier = other.nullifier,
        &|bundle| bundle.actions[0].cmx = other.cmx,
        &|bundle| bundle.actions[0].cv_net = other.cv_net,
        &|bundle| bundle.actions[0].rk = other.rk,
        // The opposite point has the same x.
        &|bundle| bundle.actions[0].rk[31] ^= 0x80,
        &|bundle| bundle.actions[0].cv_net[31] ^= 0x80,
        &|bundle| bundle.actions[0].cv_net = [0; 32],
        &|bundle| bundle.proof.fill(0),
    ];
    for stored in SMALL.iter() {
        for change in changes {
            assert_eq!(refusal(stored, change), Code::ShieldedProofInvalid);
        }
        for flipped in 1..4 {
            assert_eq!(
                refusal(stored, |bundle| bundle.flags ^= flipped),
                Code::ShieldedProofInvalid
            );
        }
    }
    assert_eq!(
        refusal(&SMALL[1], |bundle| bundle.actions.swap(0, 1)),
        Code::ShieldedProofInvalid
    );
}

#[test]
fn the_value_balance_is_signed() {
    for stored in SMALL.iter() {
        for balance in [stored.bundle.value_balance ^ 1, 0, -1, i64::MAX, i64::MIN] {
            let code = refusal(stored, |bundle| bundle.value_balance = balance);
            assert_eq!(code, Code::ShieldedBindingSignatureInvalid);
        }
    }
}

#[test]
fn flags_are_judged_alike() {
    for flags in 0..=255 {
        for anchor_block in [None, Some(Hash32([1; 32]))] {
            let change = |bundle: &mut Bundle| {
                (bundle.flags, bundle.anchor_block) = (flags, anchor_block);
                // Cuts the verification of the few legal values short.
                bundle.proof.clear();
            };
            verdict(&SMALL[1], change).unwrap_err();
        }
    }
}

const BAD: [u8; 32] = [0xff; 32];
/// x = 0 is on neither curve: 5 is not a square.
const NOT_A_POINT: [u8; 32] = {
    let mut bytes = [0; 32];
    bytes[31] = 0x80;
    bytes
};

/// A way to spoil an action's encodings, and what is said of it.
type Change = (fn(&mut Action), Code);

const CHANGES: [Change; 9] = [
    (
        |action| action.nullifier = Hash32(BAD),
        Code::ShieldedBadField,
    ),
    (|action| action.cmx = Hash32(BAD), Code::ShieldedBadField),
    (|action| action.cv_net = BAD, Code::ShieldedBadPoint),
    (|action| action.rk = BAD, Code::ShieldedBadPoint),
    (|action| action.rk = [0; 32], Code::ShieldedIdentityPoint),
    (|action| action.epk = BAD, Code::ShieldedBadPoint),
    (|action| action.epk = [0; 32], Code::ShieldedIdentityPoint),
    (|action| action.rk = NOT_A_POINT, Code::ShieldedBadPoint),
    (|action| action.epk = NOT_A_POINT, Code::ShieldedBadPoint),
];

/// Each alone in either action, then each pair: the first in order is named.
#[test]
fn encodings_are_checked_in_the_same_order() {
    let stored = &SMALL[1];
    for (first, code) in &CHANGES {
        for index in [0, 1] {
            assert_eq!(
                refusal(stored, |bundle| first(&mut bundle.actions[index])),
                *code
            );
        }
        for (second, _) in &CHANGES {
            for index in [0, 1] {
                let change = |bundle: &mut Bundle| {
                    second(&mut bundle.actions[1]);
                    first(&mut bundle.actions[index]);
                    bundle.proof.push(0);
                };
                verdict(stored, change).unwrap_err();
            }
        }
    }
    assert_eq!(
        refusal(stored, |bundle| bundle.anchor = Hash32(BAD)),
        Code::CodecNotCanonical
    );
    assert_eq!(
        refusal(stored, |bundle| bundle.proof.push(0)),
        Code::ShieldedBadProofLength
    );
    assert_eq!(
        refusal(stored, |bundle| bundle.proof.truncate(4_992)),
        Code::ShieldedBadProofLength
    );
}

#[test]
fn signatures_are_all_checked() {
    for stored in SMALL.iter() {
        let count = stored.bundle.actions.len();
        for byte in [0, 31, 32, 63] {
            assert_eq!(
                refusal(stored, |bundle| bundle.binding_signature[byte] ^= 0x40),
                Code::ShieldedBindingSignatureInvalid
            );
            for action in 0..count {
                let error = verdict(stored, |bundle| {
                    bundle.actions[action].signature[byte] ^= 0x40
                })
                .unwrap_err();
                assert_eq!(error.code, Code::ShieldedSpendSignatureInvalid);
                assert_eq!(error.data, [("action", action.to_string())]);
            }
        }
        let zero = [0; 64];
        assert_eq!(
            refusal(stored, |bundle| bundle.binding_signature = zero),
            Code::ShieldedBindingSignatureInvalid
        );
        assert_eq!(
            refusal(stored, |bundle| bundle.actions[0].signature = zero),
            Code::ShieldedSpendSignatureInvalid
        );
        // A spend's signature does not bind values and the other way round.
        assert_eq!(
            refusal(stored, |bundle| {
                core::mem::swap(
                    &mut bundle.binding_signature,
                    &mut bundle.actions[0].signature,
                );
            }),
            Code::ShieldedBindingSignatureInvalid
        );
    }
}

/// Adds `difference` to the canonical number in 32 bytes.
fn shift<M: Modulus>(bytes: &mut [u8], difference: &Single<M>) {
    let value = Single::<M>::from_bytes(bytes.first_chunk().unwrap()).unwrap();
    bytes.copy_from_slice(&value.add(difference).to_bytes());
}

/// Two wrong signatures, or proofs, whose errors cancel when they are added as they are.
#[test]
fn errors_that_cancel_are_seen() {
    let stored = &SMALL[1];
    let change = |bundle: &mut Bundle| {
        let one = Single::<PallasScalar>::ONE;
        shift(&mut bundle.actions[0].signature[32..], &one);
        shift(&mut bundle.actions[1].signature[32..], &one.neg());
    };
    assert_eq!(refusal(stored, change), Code::ShieldedSpendSignatureInvalid);
    let mut pair = [stored.bundle.clone(), stored.bundle.clone()];
    for (bundle, difference) in pair
        .iter_mut()
        .zip([Single::ONE, Single::<PallasBase>::ONE.neg()])
    {
        // The last scalar is the coefficient of W, and no challenge depends on it.
        let place = bundle.proof.len() - 32;
        shift(&mut bundle.proof[place..], &difference);
    }
    let asked: Vec<_> = pair.iter().map(|bundle| (bundle, stored.sighash)).collect();
    for verdict in VERIFIER.verify_batch(&asked, &[0; 32]) {
        assert_eq!(verdict.unwrap_err().code, Code::ShieldedProofInvalid);
    }
}

/// Proofs of the circuit before ours, of ours and of the one after it; the signatures are no good.
#[test]
fn only_our_circuit_counts() {
    let vector = load("shielded-circuit-versions.json");
    for case in vector["cases"].as_array().unwrap() {
        let array = |name: &str| hex::decode_array::<32>(case[name].as_str().unwrap()).unwrap();
        let action = Action {
            nullifier: Hash32(array("nullifier")),
            rk: array("rk"),
            cmx: Hash32(array("cmx")),
            cv_net: array("cvNet"),
            epk: array("rk"),
            enc_ciphertext: [0; 580],
            out_ciphertext: [0; 80],
            signature: [0; 64],
        };
        let bundle = Bundle {
            flags: case["flags"].as_u64().unwrap() as u8,
            value_balance: 0,
            anchor: Hash32(array("anchor")),
            binding_signature: [0; 64],
            actions: vec![action],
            proof: hex::decode(case["proof"].as_str().unwrap()).unwrap(),
            anchor_block: None,
        };
        let ours = VERIFIER.verify(&bundle, &Hash32::ZERO).unwrap_err();
        assert_eq!(ours, UPSTREAM.verify(&bundle, &Hash32::ZERO).unwrap_err());
        let expected = if case["circuit"] == "fixed" {
            Code::ShieldedBindingSignatureInvalid
        } else {
            Code::ShieldedProofInvalid
        };
        assert_eq!(ours.code, expected, "{}", case["circuit"]);
    }
}

#[test]
fn raw_transactions_get_one_verdict_each() {
    let profile = Profile::built_in("simnet").unwrap();
    let good = &SMALL[1].raw;
    assert_eq!(SMALL[1].network, "simnet");
    let mut negative = BUNDLES[6].raw.clone();
    let named = BundleFormat::NamedAnchor;
    let mut damaged = good.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    let asked = [
        RawTransaction {
            raw: good,
            format: named,
        },
        RawTransaction {
            raw: good,
            format: BundleFormat::Plain,
        },
        RawTransaction {
            raw: &good[1..],
            format: named,
        },
        RawTransaction {
            raw: &damaged,
            format: named,
        },
        RawTransaction {
            raw: &negative,
            format: named,
        },
        RawTransaction {
            raw: &[],
            format: named,
        },
        RawTransaction {
            raw: good,
            format: named,
        },
    ];
    let verdicts = verify_transactions(&VERIFIER, &profile, &asked, &[5; 32]);
    assert_eq!(verdicts.len(), asked.len());
    assert_eq!((&verdicts[0], &verdicts[6]), (&Ok(()), &Ok(())));
    let codes: Vec<Code> = verdicts[1..6]
        .iter()
        .map(|verdict| verdict.as_ref().unwrap_err().code)
        .collect();
    assert_eq!(codes[0], Code::TxAnchorBlockUnexpected);
    assert_eq!(codes[2], Code::ShieldedProofInvalid);
    assert_eq!(codes[3], Code::TxNegativeFee);
    negative.clear();
    assert_eq!(
        verify_transactions(&VERIFIER, &profile, &[], &[5; 32]),
        vec![]
    );
}
