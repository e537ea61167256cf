//! JavaScript binding of the verification of a node's claims (formats 3.11).

use serde_json::json;
use svc_chain::profile::Profile;
use svc_consensus::checks::acceptance_check::{
    AcceptanceBlocks, AcceptanceClaim, check_acceptance as acceptance_steps,
};
use svc_consensus::checks::acceptance_proof::{AcceptanceProof, TransactionClaim};
use svc_consensus::checks::block_check;
use svc_consensus::checks::steps::unreadable;
use svc_consensus::checks::supply_check::{
    SupplyBlocks, SupplyProof, check_supply as supply_report,
};
use svc_consensus::checks::verifying_key::VERIFYING_KEY_FINGERPRINT;
use svc_consensus::parameters::Parameters;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::profile;
use crate::questions::hash_arg;
use crate::thrown::json_text;

/// Checks the bytes of a block that a node gave for a hash: JSON `{steps, facts}` (formats 3.11), `facts` null where they
/// do not decode. Throws `profile/*`, `engine/bad-call`.
#[wasm_bindgen(js_name = checkBlock)]
pub fn check_block(profile_json: &str, hash: &str, bytes: &[u8]) -> Result<String, JsError> {
    let rules = rules(profile_json)?;
    let report = block_check::check_block(&rules, &hash_arg(hash)?, bytes);
    json_text(&json!({ "steps": report.steps, "facts": report.facts }))
}

/// Checks that a transaction was carried, accepted and applied as it is said: JSON `{steps}` (formats 3.11). `claim` is a
/// TransactionClaim, `proof` an AcceptanceProof; the bytes are of the block that carries the transaction, of the chain block
/// that accepted it, of its selected parent and, if there is one, of the chain block above. Throws `profile/*`.
#[wasm_bindgen(js_name = checkAcceptance)]
pub fn check_acceptance(
    profile_json: &str,
    claim: &str,
    proof: &str,
    carrier: &[u8],
    accepting: &[u8],
    parent: &[u8],
    child: Option<Vec<u8>>,
) -> Result<String, JsError> {
    let rules = rules(profile_json)?;
    let read = || {
        Ok((
            TransactionClaim::from_json(claim)?,
            AcceptanceProof::from_json(proof)?,
        ))
    };
    let steps = match read() {
        Err(error) => unreadable(&error),
        Ok((transaction, proof)) => {
            let claim = AcceptanceClaim {
                transaction: &transaction,
                proof: &proof,
            };
            let child = child.as_deref();
            let blocks = AcceptanceBlocks {
                carrier,
                accepting,
                parent,
                child,
            };
            acceptance_steps(&rules, &claim, &blocks)
        }
    };
    json_text(&json!({ "steps": steps }))
}

/// Audits the supply after a chain block: JSON `{steps, figures}` (formats 3.11), `figures` null where the proof does not
/// decode. `proof` is a SupplyProof; the bytes are of the block and, if there is one, of the chain block above. Throws
/// `profile/*`.
#[wasm_bindgen(js_name = checkSupply)]
pub fn check_supply(
    profile_json: &str,
    proof: &str,
    block: &[u8],
    child: Option<Vec<u8>>,
) -> Result<String, JsError> {
    let rules = rules(profile_json)?;
    match SupplyProof::from_json(proof) {
        Err(error) => json_text(&json!({ "steps": unreadable(&error), "figures": null })),
        Ok(proof) => {
            let child = child.as_deref();
            json_text(&supply_report(
                &rules,
                &proof,
                &SupplyBlocks { block, child },
            ))
        }
    }
}

/// The fingerprint of the verifying key that this build belongs to, as hex.
#[wasm_bindgen(js_name = verifyingKeyFingerprint)]
pub fn verifying_key_fingerprint() -> String {
    VERIFYING_KEY_FINGERPRINT.to_owned()
}

fn rules(profile_json: &str) -> Result<Parameters, JsError> {
    let profile: Profile = profile::read(profile_json)?;
    Ok(Parameters::new(profile))
}
