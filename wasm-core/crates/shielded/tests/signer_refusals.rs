//! Every prepared payment of `signer-refusals.json` is refused with its code, and none of those to take is refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;

use serde_json::Value;
use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_shielded::keys::{full_viewing_key, viewing_key};
use svc_shielded::secret::Secret32;
use svc_shielded::signing::payment_check::Terms;
use svc_shielded::signing::signer::{Alpha, SigningRequest, check_and_sign, check_prepared};

use crate::common::{array, bytes, list, load, number, text};

/// A part of a case, or of the base where the case leaves it as it is.
fn part<'a>(vector: &'a Value, case: &'a Value, name: &str) -> &'a Value {
    case.get(name).unwrap_or(&vector["base"][name])
}

fn verdict(vector: &Value, case: &Value) -> Option<Code> {
    let part = |name| part(vector, case, name);
    let profile = Profile::built_in(text(&vector["profile"])).unwrap();
    let intent = part("intent");
    let payments: Vec<_> = serde_json::from_value(intent["payments"].clone()).unwrap();
    let disclosure: Vec<_> = serde_json::from_value(part("disclosure").clone()).unwrap();
    let alphas: Vec<Alpha> = serde_json::from_value(part("alphas").clone()).unwrap();
    let bundle = bytes(part("bundle"));
    let request = SigningRequest {
        profile: &profile,
        daa_score: number(&intent["daaScore"]),
        terms: Terms {
            payments: &payments,
            fee: number(&intent["fee"]),
            max_fee: Some(number(&intent["maxFee"])),
            recoverable: intent["recoverable"].as_bool(),
        },
        bundle: &bundle,
        may_lack_proof: intent["mayLackProof"].as_bool().unwrap(),
        disclosure: &disclosure,
        alphas: &alphas,
        claimed_sighash: serde_json::from_value(intent["sighash"].clone()).unwrap(),
    };
    let seed = Secret32::new(array(&vector["seed"]));
    let fvk = viewing_key(&full_viewing_key(&seed).unwrap()).unwrap();
    let checked = check_prepared(&fvk, &request).err();
    let signed = check_and_sign(&seed, &request);
    assert_eq!(checked, signed.as_ref().err().cloned());
    if let Ok(signatures) = signed {
        assert_eq!(signatures.len(), alphas.len());
    }
    checked.map(|error| error.code)
}

#[test]
fn each_case_is_refused_with_its_code() {
    let vector = load("signer-refusals.json");
    for case in list(&vector["refused"]) {
        let expected = Code::from_text(text(&case["code"])).unwrap();
        assert_eq!(verdict(&vector, case), Some(expected), "{}", case["name"]);
    }
}

#[test]
fn what_may_be_signed_is_signed() {
    let vector = load("signer-refusals.json");
    for case in list(&vector["taken"]) {
        assert_eq!(verdict(&vector, case), None, "{}", case["name"]);
    }
}

/// A refusal without a case would be one that nobody has seen.
#[test]
fn the_cases_hold_every_refusal_of_the_check() {
    let vector = load("signer-refusals.json");
    let seen: BTreeSet<&str> = list(&vector["refused"])
        .iter()
        .map(|case| text(&case["code"]))
        .collect();
    let sources = [
        include_str!("../src/signing/disclosed.rs"),
        include_str!("../src/signing/payment_check.rs"),
        include_str!("../src/signing/signer.rs"),
    ];
    for name in sources.iter().flat_map(|text| text.split("Code::").skip(1)) {
        let name: String = name.chars().take_while(|c| c.is_alphanumeric()).collect();
        if !name.starts_with("Signer") {
            continue;
        }
        let is_seen = seen
            .iter()
            .any(|code| format!("{:?}", Code::from_text(code).unwrap()) == name);
        assert!(is_seen, "no case has {name}");
    }
}
