//! Reads vector files and their JSON forms of headers and transactions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::Value;
use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::transaction::{Transaction, TxInput, TxOutput};
use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;
use svc_codec::hex;

/// A file of `tests/vectors`, which must name its origin.
pub fn load(name: &str) -> Value {
    let path = format!(
        "{}/../../../tests/vectors/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    let value: Value =
        serde_json::from_str(&std::fs::read_to_string(&path).expect(&path)).expect(&path);
    assert!(value["origin"].is_string(), "{path} names no origin");
    value
}

pub fn list(value: &Value) -> &[Value] {
    let items = value.as_array().expect("a list");
    assert!(!items.is_empty(), "an empty list proves nothing");
    items
}

pub fn text(value: &Value) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is no text"))
}

pub fn hash(value: &Value) -> Hash32 {
    text(value).parse().unwrap()
}

pub fn hashes(value: &Value) -> Vec<Hash32> {
    value.as_array().unwrap().iter().map(hash).collect()
}

pub fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(text(value)).unwrap()
}

/// A 64-bit number written as text.
pub fn number(value: &Value) -> u64 {
    text(value).parse().unwrap()
}

/// A small number written as a JSON number.
pub fn small<T: TryFrom<u64>>(value: &Value) -> T {
    let Ok(small) = T::try_from(value.as_u64().unwrap_or_else(|| panic!("{value}"))) else {
        panic!("{value} does not fit")
    };
    small
}

pub fn header(value: &Value) -> Header {
    let levels: Vec<Vec<Hash32>> = value["levels"]
        .as_array()
        .unwrap()
        .iter()
        .map(hashes)
        .collect();
    Header {
        version: small(&value["version"]),
        parents: Parents::from_levels(&levels).unwrap(),
        hash_merkle_root: hash(&value["hashMerkleRoot"]),
        accepted_id_merkle_root: hash(&value["acceptedIdMerkleRoot"]),
        utxo_commitment: hash(&value["utxoCommitment"]),
        timestamp_ms: number(&value["timestampMs"]),
        bits: small(&value["bits"]),
        nonce: number(&value["nonce"]),
        daa_score: number(&value["daaScore"]),
        blue_work: U256::from_str_radix(text(&value["blueWork"]), 16).unwrap(),
        blue_score: number(&value["blueScore"]),
        pruning_point: hash(&value["pruningPoint"]),
    }
}

pub fn transaction(value: &Value) -> Transaction {
    Transaction {
        version: small(&value["version"]),
        inputs: value["inputs"]
            .as_array()
            .unwrap()
            .iter()
            .map(input)
            .collect(),
        outputs: value["outputs"]
            .as_array()
            .unwrap()
            .iter()
            .map(output)
            .collect(),
        lock_time: number(&value["lockTime"]),
        subnetwork_id: bytes(&value["subnetworkId"]).try_into().unwrap(),
        gas: number(&value["gas"]),
        payload: bytes(&value["payload"]),
        storage_mass: number(&value["storageMass"]),
    }
}

fn input(value: &Value) -> TxInput {
    TxInput {
        txid: hash(&value["txid"]),
        index: small(&value["index"]),
        script: bytes(&value["script"]),
        sequence: number(&value["sequence"]),
        compute: small(&value["compute"]),
    }
}

fn output(value: &Value) -> TxOutput {
    TxOutput {
        value: number(&value["value"]),
        script_version: small(&value["scriptVersion"]),
        script: bytes(&value["script"]),
        covenant: None,
    }
}
