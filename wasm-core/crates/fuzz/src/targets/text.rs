//! Fuzz targets of text from people, files and other programs: addresses, hex, hashes, profiles, plans, what a signer
//! is told.

use std::sync::LazyLock;

use serde_json::{Value, json};
use svc_chain::emission::subsidy;
use svc_chain::genesis::genesis_block;
use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_prove::plan::read_plan;
use svc_shielded::keys::address;
use svc_shielded::signing::disclosed::Disclosed;
use svc_shielded::signing::payment_check::IntendedPayment;
use svc_shielded::signing::signer::{Alpha, SpendSignature};

use crate::target::{NONE, Outcome, Target, lenient, of_text, refused, strict};
use crate::vectors;

/// The targets of this area.
pub(crate) const TARGETS: &[Target] = &[
    Target::new("text/address", vectors::addresses, an_address).text(),
    Target::new("text/hex", hex_texts, bytes_in_hex).text(),
    Target::new("text/hash", hashes, a_hash).text(),
    // A JSON value takes 32 bytes and more for two characters of text.
    Target::new("text/profile", profiles, profile)
        .text()
        .repaired(repair_genesis)
        .room(1 << 17, 96)
        .slow(10),
    Target::new("text/plan", plans, plan)
        .text()
        .room(1 << 17, 96)
        .slow(10),
    Target::new("text/disclosure", disclosures, disclosure).text(),
    Target::new("text/intended-payments", intents, intent).text(),
    Target::new("text/randomizers", randomizers, randomizer).text(),
    Target::new("text/spend-signatures", signatures, signature).text(),
];

fn an_address(bytes: &[u8]) -> Outcome {
    of_text(bytes, |text| {
        strict(bytes, address::decode("svc", text), |raw| {
            assert!(address::is_valid_recipient(raw), "a bad receiver");
            address::encode("svc", raw).into_bytes()
        })
    })
}

fn hex_texts() -> Vec<Vec<u8>> {
    ["", "00", "AbCdEf0123456789"]
        .map(|text| text.as_bytes().to_vec())
        .to_vec()
}

fn bytes_in_hex(bytes: &[u8]) -> Outcome {
    of_text(bytes, |text| {
        lenient(
            hex::decode(text),
            |read| hex::encode(read).into_bytes(),
            |again| hex::decode(core::str::from_utf8(again).unwrap_or("?")),
        )
    })
}

fn hashes() -> Vec<Vec<u8>> {
    vec![
        Hash32::ORIGIN.to_string().into_bytes(),
        Hash32([0x3c; 32]).to_string().into_bytes(),
    ]
}

fn a_hash(bytes: &[u8]) -> Outcome {
    of_text(bytes, |text| {
        strict(
            text.to_ascii_lowercase().as_bytes(),
            text.parse::<Hash32>(),
            |hash| hash.to_string().into_bytes(),
        )
    })
}

fn profiles() -> Vec<Vec<u8>> {
    let built_in = Profile::built_in_names().filter_map(Profile::built_in);
    let mut all: Vec<Vec<u8>> = built_in
        .map(|profile| profile.canonical_json().into_bytes())
        .collect();
    all.push(include_bytes!("../../../../../tests/profiles/prune.json").to_vec());
    all
}

/// Names the genesis hash that the changed profile has, as somebody who makes a network would.
fn repair_genesis(bytes: &mut Vec<u8>) {
    let Ok(text) = core::str::from_utf8(bytes) else {
        return;
    };
    let Err(error) = Profile::from_json(text) else {
        return;
    };
    if error.code != Code::ProfileGenesisMismatch {
        return;
    }
    let field = |name: &str| {
        let found = error.data.iter().find(|(key, _)| *key == name);
        found.map(|(_, value)| value.clone())
    };
    if let (Some(expected), Some(found)) = (field("expected"), field("found")) {
        *bytes = text.replace(&expected, &found).into_bytes();
    }
}

fn profile(bytes: &[u8]) -> Outcome {
    of_text(bytes, |text| {
        lenient(
            Profile::from_json(text),
            |profile| {
                use_profile(profile);
                profile.canonical_json().into_bytes()
            },
            |again| {
                let again = core::str::from_utf8(again).unwrap_or("");
                let profile = Profile::from_json(again)?;
                assert!(profile.canonical_json() == again, "another canonical form");
                Ok(profile)
            },
        )
    })
}

/// What a node computes of its profile whatever the chain holds.
fn use_profile(profile: &Profile) {
    genesis_block(profile);
    profile.digest();
    profile.http_port();
    for daa_score in [0, 1, 1 << 20, 1 << 40, u64::MAX] {
        subsidy(profile, daa_score);
    }
    svc_consensus::parameters::Parameters::new(profile.clone());
}

static PLAN: LazyLock<Value> = LazyLock::new(|| {
    let profile: Value = Profile::built_in("simnet")
        .and_then(|profile| serde_json::from_str(&profile.canonical_json()).ok())
        .unwrap_or_default();
    let fvk = svc_shielded::keys::full_viewing_key(&svc_shielded::secret::Secret32::new([7; 32]));
    let fvk = fvk.unwrap_or([0; 96]);
    let own = svc_shielded::keys::address_at(&fvk, 0).unwrap_or([0; 43]);
    let spend = json!({
        "recipient": hex::encode(&own), "value": "5000", "rho": Hash32([1; 32]).to_string(),
        "rseed": hex::encode(&[2; 32]), "position": "3", "path": hex::encode(&[4; 1_024]),
    });
    let output = json!({ "address": hex::encode(&own), "value": "4000", "memo": "6869" });
    json!({
        "profile": profile, "fvk": hex::encode(&fvk), "daaScore": "7",
        "anchor": Hash32([5; 32]).to_string(), "anchorBlock": Hash32([6; 32]).to_string(),
        "spends": [spend], "outputs": [output], "fee": "1000", "recoverable": true,
    })
});

fn plans() -> Vec<Vec<u8>> {
    let mut with_change = PLAN.clone();
    with_change["fee"] = "1".into();
    vec![
        PLAN.to_string().into_bytes(),
        with_change.to_string().into_bytes(),
    ]
}

fn plan(bytes: &[u8]) -> Outcome {
    of_text(bytes, |text| match read_plan(text) {
        Ok(_) => Outcome::Taken,
        Err(error) => refused(&error),
    })
}

/// Facts that are read and written by the same derived code: what was taken is written and read as the same.
fn of_facts<T>(bytes: &[u8]) -> Outcome
where
    T: serde::de::DeserializeOwned + serde::Serialize + PartialEq,
{
    of_text(bytes, |text| match serde_json::from_str::<T>(text) {
        Ok(facts) => {
            let again = serde_json::to_string(&facts).unwrap_or_default();
            let again = serde_json::from_str::<T>(&again);
            assert!(
                again.is_ok_and(|again| again == facts),
                "what was taken is not written"
            );
            Outcome::Taken
        }
        Err(_) => NONE,
    })
}

fn text_of(value: &Value) -> Vec<Vec<u8>> {
    vec![value.to_string().into_bytes(), b"[]".to_vec()]
}

fn disclosures() -> Vec<Vec<u8>> {
    let one = json!({
        "spendValue": "5", "outValue": "18446744073709551615", "outRecipient": hex::encode(&[1; 43]),
        "outRseed": hex::encode(&[2; 32]), "rcv": hex::encode(&[3; 32]),
    });
    text_of(&json!([one, one]))
}

fn disclosure(bytes: &[u8]) -> Outcome {
    of_facts::<Vec<Disclosed>>(bytes)
}

fn intents() -> Vec<Vec<u8>> {
    text_of(&json!([{ "address": hex::encode(&[1; 43]), "value": "5", "memo": "" }]))
}

fn intent(bytes: &[u8]) -> Outcome {
    of_facts::<Vec<IntendedPayment>>(bytes)
}

fn randomizers() -> Vec<Vec<u8>> {
    text_of(&json!([{ "index": 1, "alpha": hex::encode(&[1; 32]) }]))
}

fn randomizer(bytes: &[u8]) -> Outcome {
    of_facts::<Vec<Alpha>>(bytes)
}

fn signatures() -> Vec<Vec<u8>> {
    text_of(&json!([{ "index": 1, "sig": hex::encode(&[1; 64]) }]))
}

fn signature(bytes: &[u8]) -> Outcome {
    of_facts::<Vec<SpendSignature>>(bytes)
}
