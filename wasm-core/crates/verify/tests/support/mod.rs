//! The stored bundles, our verifier and upstream's.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::LazyLock;

use serde_json::Value;
use svc_chain::profile::Profile;
use svc_chain::transaction::Transaction;
use svc_circuit::assets::Assets;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_shielded::bundle::{Bundle, BundleFormat};
use svc_shielded::sighash::{sighash, tx_context};
use svc_verify::verifier::Verifier;

/// A stored bundle.
#[derive(Clone, Debug)]
pub struct Stored {
    pub about: String,
    pub network: String,
    pub raw: Vec<u8>,
    pub bundle: Bundle,
    pub sighash: Hash32,
}

/// All stored bundles.
pub static BUNDLES: LazyLock<Vec<Stored>> = LazyLock::new(|| {
    load("shielded-verification.json")["bundles"]
        .as_array()
        .unwrap()
        .iter()
        .map(stored)
        .collect()
});

/// The bundles of one action and of a spend with its change.
pub static SMALL: LazyLock<Vec<Stored>> =
    LazyLock::new(|| vec![BUNDLES[0].clone(), BUNDLES[3].clone()]);

/// Reads a file below `tests/vectors`.
pub fn load(name: &str) -> Value {
    let path = format!(
        "{}/../../../tests/vectors/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    let vector: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(
        vector["origin"]
            .as_str()
            .is_some_and(|origin| !origin.is_empty())
    );
    vector
}

/// A built-in network.
pub fn profile(network: &str) -> Profile {
    Profile::built_in(network).unwrap()
}

fn stored(entry: &Value) -> Stored {
    let text = |name: &str| entry[name].as_str().unwrap().to_owned();
    let raw = hex::decode(&text("transaction")).unwrap();
    let transaction = Transaction::from_bytes(&raw).unwrap();
    let profile = profile(&text("network"));
    let format = if text("network") == "simnet" {
        BundleFormat::NamedAnchor
    } else {
        BundleFormat::Plain
    };
    let bundle = Bundle::decode(&transaction.payload, format).unwrap();
    let personal = profile.personalisation.sighash.as_bytes();
    let digest = sighash(
        personal,
        &profile.genesis.hash,
        &bundle,
        &tx_context(&transaction),
    );
    assert_eq!(digest.to_string(), text("sighash"));
    assert_eq!(
        bundle.actions.len() as u64,
        entry["actions"].as_u64().unwrap()
    );
    Stored {
        about: text("about"),
        network: text("network"),
        raw,
        bundle,
        sighash: digest,
    }
}

pub static VERIFIER: LazyLock<Verifier> = LazyLock::new(|| {
    let path = format!(
        "{}/../../assets/action-circuit.bin",
        env!("CARGO_MANIFEST_DIR")
    );
    Verifier::new(&Assets::decode(&std::fs::read(path).unwrap()).unwrap()).unwrap()
});

pub static UPSTREAM: LazyLock<svc_shielded::verify::Verifier> =
    LazyLock::new(svc_shielded::verify::Verifier::new);
