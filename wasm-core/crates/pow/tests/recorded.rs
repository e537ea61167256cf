//! Proof of work of natively mined blocks of a recorded chain, and of a printed header.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::Value;
use svc_chain::block::Block;
use svc_chain::uint256::U256;
use svc_codec::hex;
use svc_pow::heavy_hash::{PowState, check_pow};

fn load(name: &str) -> Value {
    let path = format!(
        "{}/../../../tests/vectors/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    let value: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(value["origin"].is_string());
    value
}

#[test]
fn mined_blocks_reach_their_target_and_only_with_their_nonce() {
    let vectors = load("recorded-work.json");
    let blocks = vectors["blocks"].as_array().unwrap();
    assert!(blocks.len() >= 5);
    for raw in blocks {
        let mut header = Block::from_bytes(&hex::decode(raw.as_str().unwrap()).unwrap())
            .unwrap()
            .header;
        let (value, reaches) = check_pow(&header);
        assert!(reaches, "{}", header.hash());
        assert_eq!(PowState::new(&header).pow(header.nonce), value);
        header.nonce ^= 1;
        assert!(!check_pow(&header).1, "{}", header.hash());
    }
}

#[test]
fn printed_value_of_a_header() {
    let vectors = load("header.json");
    let case = &vectors["cases"][1];
    let hash = case["prePowHash"].as_str().unwrap().parse().unwrap();
    let number = |name: &str| -> u64 { case["header"][name].as_str().unwrap().parse().unwrap() };
    let value = PowState::from_hash(&hash, number("timestampMs")).pow(number("nonce"));
    assert_eq!(
        value,
        U256::from_str_radix(case["pow"].as_str().unwrap(), 16).unwrap()
    );
}
