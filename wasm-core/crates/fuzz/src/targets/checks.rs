//! Fuzz targets of the proof verification in a visitor's browser: blocks, acceptance and supply.

use std::sync::LazyLock;

use serde_json::Value;
use svc_chain::profile::Profile;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_consensus::checks::acceptance_check::{
    AcceptanceBlocks, AcceptanceClaim, check_acceptance,
};
use svc_consensus::checks::acceptance_proof::{AcceptanceProof, TransactionClaim};
use svc_consensus::checks::block_check::check_block;
use svc_consensus::checks::supply_check::{SupplyBlocks, SupplyProof, check_supply};
use svc_consensus::parameters::Parameters;

use crate::target::{NONE, Outcome, Target, lenient, of_text};

const TOLD: &str = include_str!("../../../../../tests/vectors/told-proofs.json");

/// The targets of this area.
pub(crate) const TARGETS: &[Target] = &[
    // Facts list every parent of every level in hex.
    Target::new("checks/block", blocks, block)
        .room(1 << 22, 64)
        .slow(10),
    // A JSON value takes 32 bytes and more for two characters of text; the note tree has tables of its own.
    Target::new("checks/acceptance", proofs, acceptance)
        .text()
        .room(1 << 22, 96)
        .slow(20),
    Target::new("checks/supply", supplies, supply)
        .text()
        .room(1 << 22, 96)
        .slow(20),
];

static VECTORS: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(TOLD).unwrap_or_default());

fn rules() -> Option<Parameters> {
    Profile::built_in(VECTORS["profile"].as_str()?).map(Parameters::new)
}

fn raw(hash: &Value) -> Vec<u8> {
    let told = hash
        .as_str()
        .and_then(|hash| VECTORS["blocks"][hash].as_str());
    told.and_then(|text| hex::decode(text).ok())
        .unwrap_or_default()
}

fn blocks() -> Vec<Vec<u8>> {
    let told = VECTORS["blocks"].as_object().into_iter().flatten();
    let told = told.filter_map(|(_, raw)| hex::decode(raw.as_str()?).ok());
    told.collect()
}

fn block(bytes: &[u8]) -> Outcome {
    let Some(rules) = rules() else { return NONE };
    let report = check_block(&rules, &Hash32::ZERO, bytes);
    assert!(
        serde_json::to_string(&report.steps).is_ok(),
        "steps without a form"
    );
    match report.facts {
        Some(facts) => {
            assert!(
                serde_json::to_string(&facts).is_ok(),
                "facts without a form"
            );
            Outcome::Taken
        }
        None => NONE,
    }
}

fn proofs() -> Vec<Vec<u8>> {
    vec![VECTORS["acceptance"].to_string().into_bytes()]
}

fn acceptance(bytes: &[u8]) -> Outcome {
    of_claim(bytes, AcceptanceProof::from_json, |proof| {
        let (told, claim) = (&VECTORS["acceptance"], &VECTORS["applied"]);
        let transaction = TransactionClaim::from_json(&claim.to_string());
        let (Some(rules), Ok(transaction)) = (rules(), transaction) else {
            return;
        };
        let claim_of = AcceptanceClaim {
            transaction: &transaction,
            proof,
        };
        let blocks = AcceptanceBlocks {
            carrier: &raw(&claim["carrier"]),
            accepting: &raw(&told["block"]),
            parent: &raw(&told["selectedParent"]),
            child: Some(&raw(&told["child"])),
        };
        assert!(!check_acceptance(&rules, &claim_of, &blocks).is_empty());
    })
}

fn supplies() -> Vec<Vec<u8>> {
    vec![VECTORS["supply"].to_string().into_bytes()]
}

fn supply(bytes: &[u8]) -> Outcome {
    of_claim(bytes, SupplyProof::from_json, |proof| {
        let told = &VECTORS["supply"];
        let Some(rules) = rules() else { return };
        let blocks = SupplyBlocks {
            block: &raw(&told["block"]),
            child: Some(&raw(&told["child"])),
        };
        assert!(!check_supply(&rules, proof, &blocks).steps.is_empty());
    })
}

/// Reads a claim, checks it, and reads what is written of it.
fn of_claim<T: PartialEq + serde::Serialize>(
    bytes: &[u8],
    read: fn(&str) -> Result<T, SvcError>,
    check: impl FnOnce(&T),
) -> Outcome {
    of_text(bytes, |text| {
        let claim = read(text);
        if let Ok(claim) = &claim {
            check(claim);
        }
        let written = |claim: &T| serde_json::to_vec(claim).unwrap_or_default();
        let again = |bytes: &[u8]| read(core::str::from_utf8(bytes).unwrap_or_default());
        lenient(claim, written, again)
    })
}
