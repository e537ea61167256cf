//! JavaScript binding of what a device needs to answer for a payment or an address: checking and signing prepared
//! payments, signed messages, and what an indexer or a third party reads in a payment.

use serde::Deserialize;
use serde_json::Value;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_shielded::bundle::{Bundle, BundleFormat};
use svc_shielded::bundle_scan;
use svc_shielded::json::{decimal, optional_decimal};
use svc_shielded::keys;
use svc_shielded::message;
use svc_shielded::signing::disclosed::Disclosed;
use svc_shielded::signing::payment_check::{IntendedPayment, Terms};
use svc_shielded::signing::payment_proof::{PaymentProof, check_proof};
use svc_shielded::signing::signer::{self, Alpha, SigningRequest};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::profile;
use crate::thrown::{bad_call, exact, thrown};
use crate::wallet::{parse, read_payment, read_seed};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct IntentJson {
    profile: Value,
    #[serde(with = "decimal")]
    daa_score: u64,
    payments: Vec<IntendedPayment>,
    #[serde(with = "decimal")]
    fee: u64,
    #[serde(default, with = "optional_decimal")]
    max_fee: Option<u64>,
    #[serde(default)]
    recoverable: Option<bool>,
    #[serde(default)]
    sighash: Option<Hash32>,
    #[serde(default)]
    may_lack_proof: bool,
}

/// A prepared payment as it crosses the binding.
struct PreparedJson<'a> {
    intent: &'a str,
    bundle: &'a [u8],
    disclosure: &'a str,
    alphas: &'a str,
}

impl PreparedJson<'_> {
    fn with_request<T>(
        &self,
        answer: impl FnOnce(&SigningRequest<'_>) -> Result<T, SvcError>,
    ) -> Result<T, JsError> {
        let intent: IntentJson = parse("intent", self.intent)?;
        let disclosure: Vec<Disclosed> = parse("disclosure", self.disclosure)?;
        let alphas: Vec<Alpha> = parse("alphas", self.alphas)?;
        let request = SigningRequest {
            profile: &profile::read(&intent.profile.to_string())?,
            daa_score: intent.daa_score,
            terms: Terms {
                payments: &intent.payments,
                fee: intent.fee,
                max_fee: intent.max_fee,
                recoverable: intent.recoverable,
            },
            bundle: self.bundle,
            may_lack_proof: intent.may_lack_proof,
            disclosure: &disclosure,
            alphas: &alphas,
            claimed_sighash: intent.sighash,
        };
        answer(&request).map_err(thrown)
    }
}

/// Checks a prepared payment against what the user confirmed and signs its spends. Intent, disclosure and alphas are
/// JSON of formats 3.2; the bundle is the unsigned one. Returns JSON `[{index, sig}]`, one signature for each entry of
/// the alphas. Throws `codec/bad-json`, `signer/*`, `shielded/*`, `tx/*`, `keys/*`, `profile/*`, `wallet/memo-too-long`.
#[wasm_bindgen(js_name = checkAndSign)]
pub fn check_and_sign(
    seed: Vec<u8>,
    intent_json: &str,
    bundle: &[u8],
    disclosure_json: &str,
    alphas_json: &str,
) -> Result<String, JsError> {
    let seed = read_seed(seed)?;
    let prepared = PreparedJson {
        intent: intent_json,
        bundle,
        disclosure: disclosure_json,
        alphas: alphas_json,
    };
    let signatures = prepared.with_request(|request| signer::check_and_sign(&seed, request))?;
    serde_json::to_string(&signatures).map_err(|error| thrown(bad_call(error)))
}

/// Checks a prepared payment as `checkAndSign` does, with the full viewing key, and signs nothing. Returns JSON
/// `{sighash, spent, paid, change, fee}`. Throws what `checkAndSign` throws.
#[wasm_bindgen(js_name = checkPrepared)]
pub fn check_prepared(
    fvk: &[u8],
    intent_json: &str,
    bundle: &[u8],
    disclosure_json: &str,
    alphas_json: &str,
) -> Result<String, JsError> {
    let fvk = exact(fvk)
        .and_then(|fvk| keys::viewing_key(&fvk))
        .map_err(thrown)?;
    let prepared = PreparedJson {
        intent: intent_json,
        bundle,
        disclosure: disclosure_json,
        alphas: alphas_json,
    };
    let checked = prepared.with_request(|request| signer::check_prepared(&fvk, request))?;
    serde_json::to_string(&checked).map_err(|error| thrown(bad_call(error)))
}

/// Signs a message with the key of a raw address, at whatever diversifier index. Returns the full viewing key and the
/// signature, 160 bytes: who gets them sees every payment of the key. Throws `keys/bad-seed`, `keys/address-mismatch`
/// for an address of another key, `address/bad-key`, `codec/wrong-length`, `profile/*`, `keys/random-unavailable`.
#[wasm_bindgen(js_name = signMessage)]
pub fn sign_message(
    seed: Vec<u8>,
    profile_json: &str,
    address: &[u8],
    message: &str,
) -> Result<Vec<u8>, JsError> {
    let seed = read_seed(seed)?;
    let digest = message_digest(profile_json, address, message)?;
    let sign = || {
        let fvk = keys::full_viewing_key(&seed)?;
        if keys::address_index_of(&fvk, &exact(address)?)?.is_none() {
            return Err(SvcError::new(Code::KeysAddressMismatch));
        }
        message::sign(&seed, &digest)
    };
    Ok(sign().map_err(thrown)?.to_vec())
}

/// Checks what `signMessage` made. Returns an empty text when it is valid, else why not: `BadFvk`, `AddressMismatch`,
/// `BadKey` or `BadSignature`. Throws `codec/wrong-length`, `shielded/bad-recipient`, `profile/*`.
#[wasm_bindgen(js_name = verifyMessage)]
pub fn verify_message(
    profile_json: &str,
    address: &[u8],
    message: &str,
    signature: &[u8],
) -> Result<String, JsError> {
    let digest = message_digest(profile_json, address, message)?;
    let verdict = exact(address).and_then(|raw| message::verify(&raw, &digest, signature));
    let Err(error) = verdict else {
        return Ok(String::new());
    };
    let reason = match error.code {
        Code::KeysBadViewingKey => "BadFvk",
        Code::KeysAddressMismatch => "AddressMismatch",
        Code::KeysBadSpendKey => "BadKey",
        Code::KeysBadSignature => "BadSignature",
        _ => return Err(thrown(error)),
    };
    Ok(reason.to_owned())
}

fn message_digest(profile_json: &str, address: &[u8], message: &str) -> Result<Hash32, JsError> {
    let profile = profile::read(profile_json)?;
    let address = exact(address).map_err(thrown)?;
    let personal = profile.personalisation.message.as_bytes();
    Ok(message::digest(personal, &profile.hrp, &address, message))
}

/// The outputs of a bundle that an incoming viewing key of 64 bytes reads, announcements of value 0 included. `format`
/// is the bundle form: 0 plain, 1 with a named anchor block. Returns JSON `[{index, recipient, value, memo}]`, bytes as
/// hex, the memo without padding, values in decimal text. Actions that are not well formed are left out. Throws
/// `engine/bad-call` for another form, `codec/*`, `shielded/*`, `tx/*`, `keys/bad-viewing-key`.
#[wasm_bindgen(js_name = scanBundle)]
pub fn scan_bundle(ivk: &[u8], bundle: &[u8], format: u32) -> Result<String, JsError> {
    let scan = || {
        let format = match format {
            0 => BundleFormat::Plain,
            1 => BundleFormat::NamedAnchor,
            _ => return Err(bad_call(format_args!("no bundle form {format}"))),
        };
        bundle_scan::scan_bundle(&exact(ivk)?, &Bundle::decode(bundle, format)?)
    };
    serde_json::to_string(&scan().map_err(thrown)?).map_err(|error| thrown(bad_call(error)))
}

/// Checks a payment proof, JSON of formats 3.2, against a raw payment, read in the bundle form that holds at
/// `daaScore`. Returns JSON `{recipient, value, memo}`: what the payee got. Throws `codec/*`, `signer/other-transaction`,
/// `signer/unknown-action`, `signer/bad-disclosure`, `signer/note-differs`, `signer/value-differs`,
/// `signer/output-unreadable`, `shielded/*`, `tx/*`, `profile/*`.
#[wasm_bindgen(js_name = checkDisclosure)]
pub fn check_disclosure(
    profile_json: &str,
    raw_tx: &[u8],
    daa_score: u64,
    proof_json: &str,
) -> Result<String, JsError> {
    let profile = profile::read(profile_json)?;
    let proof: PaymentProof = parse("proof", proof_json)?;
    let (transaction, bundle) = read_payment(&profile, raw_tx, daa_score).map_err(thrown)?;
    let proven = check_proof(&proof, &transaction, &bundle).map_err(thrown)?;
    serde_json::to_string(&proven).map_err(|error| thrown(bad_call(error)))
}
