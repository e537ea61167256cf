//! JavaScript binding of network profiles.

use serde_json::json;
use svc_chain::emission::{next_reduction, subsidy};
use svc_chain::genesis::genesis_block;
use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::thrown::thrown;

/// The canonical JSON of a built-in profile. Throws `profile/unknown`.
#[wasm_bindgen(js_name = builtInProfile)]
pub fn built_in_profile(name: &str) -> Result<String, JsError> {
    let unknown = || {
        SvcError::new(Code::ProfileUnknown).with("name", name.chars().take(32).collect::<String>())
    };
    let profile = Profile::built_in(name)
        .ok_or_else(unknown)
        .map_err(thrown)?;
    Ok(profile.canonical_json())
}

/// The canonical JSON of a profile: checked, with defaults filled in and keys sorted. Throws `profile/*`.
#[wasm_bindgen(js_name = canonicalProfile)]
pub fn canonical_profile(json: &str) -> Result<String, JsError> {
    Ok(read(json)?.canonical_json())
}

/// The BLAKE2b-256 hash of a profile's canonical JSON, as hex. Throws `profile/*`.
#[wasm_bindgen(js_name = profileDigest)]
pub fn profile_digest(json: &str) -> Result<String, JsError> {
    Ok(read(json)?.digest().to_string())
}

/// The hash of a profile's genesis block, as hex. Throws `profile/*`.
#[wasm_bindgen(js_name = genesisHash)]
pub fn genesis_hash(profile_json: &str) -> Result<String, JsError> {
    Ok(genesis_block(&read(profile_json)?).hash().to_string())
}

/// What a block with this DAA score mints, and when less is minted: JSON of `subsidy` (decimal text of sompi, development
/// fee included) and `next`, null at the floor of the tail, else `daaScore` and `subsidy`. Throws `profile/*`.
#[wasm_bindgen(js_name = emissionFacts)]
pub fn emission_facts(profile_json: &str, daa_score: u64) -> Result<String, JsError> {
    let profile = read(profile_json)?;
    let next = next_reduction(&profile, daa_score).map(
        |next| json!({"daaScore": next.daa_score.to_string(), "subsidy": next.subsidy.to_string()}),
    );
    let now = subsidy(&profile, daa_score).to_string();
    Ok(json!({"subsidy": now, "next": next}).to_string())
}

/// Reads a profile for another part of the binding.
pub(crate) fn read(json: &str) -> Result<Profile, JsError> {
    Profile::from_json(json).map_err(thrown)
}
