//! Shared test settings: the profile with small depths, sizes, seeds.

use svc_chain::profile::Profile;

use serde_json::{Value, json};

use crate::fault::{Fault, Outcome};

/// The profile of the tests: depths so small that finality and pruning are reached.
///
/// # Errors
/// None while the file is sound.
pub fn prune_profile() -> Outcome<Profile> {
    const TEXT: &str = include_str!("../../../../tests/profiles/prune.json");
    Ok(Profile::from_json(TEXT)?)
}

/// The same with every height inside a run of a few hundred blocks, times `scale`.
///
/// # Errors
/// None while the file is sound.
pub fn forks_profile(scale: u64) -> Outcome<Profile> {
    let text = prune_profile()?.canonical_json();
    let mut json: Value = serde_json::from_str(&text).map_err(|error| Fault(error.to_string()))?;
    for (name, height) in [
        ("multiProducerAnchors", 40),
        ("coinbaseSeedByBlockHash", 60),
        ("devFeeAccrual", 80),
        ("commitmentBan", 110),
        ("boundMergeMining", 140),
        ("securityFork", 140),
        ("devFeeEnd", 200),
    ] {
        json["activations"][name] = json!(height * scale);
    }
    json["outputBoundK4"] = json!(false);
    Ok(Profile::from_json(&json.to_string())?)
}

/// A network whose pruning point moves every few dozen blocks.
///
/// # Errors
/// None while the file is sound.
pub fn small_prune_profile() -> Outcome<Profile> {
    let text = prune_profile()?.canonical_json();
    let mut json: Value = serde_json::from_str(&text).map_err(|error| Fault(error.to_string()))?;
    for (name, value) in [
        ("ghostdagK", 4),
        ("mergesetSizeLimit", 10),
        ("mergeDepth", 16),
        ("finalityDepth", 60),
        ("pruningDepth", 270),
        ("shieldedAnchorDepth", 4),
        ("maxShieldedAnchorAge", 40),
        ("difficultyWindowSize", 40),
        ("minDifficultyWindowSize", 10),
        ("pruningProofM", 6),
        // Every fourth block or so is of level 1 or higher, so that proofs are short.
        ("maxBlockLevel", 254),
    ] {
        json[name] = json!(value);
    }
    Ok(Profile::from_json(&json.to_string())?)
}

/// Whether the figures of the full size are wanted (`SVC_TEST_SIZE=full`).
pub fn is_full() -> bool {
    std::env::var("SVC_TEST_SIZE").is_ok_and(|size| size == "full")
}

/// The seeds of a test, or the one that `SVC_SEED` names.
pub fn seeds(usual: &[u64]) -> Vec<u64> {
    let named = std::env::var("SVC_SEED").ok();
    match named.and_then(|seed| seed.parse().ok()) {
        Some(seed) => vec![seed],
        None => usual.to_vec(),
    }
}
