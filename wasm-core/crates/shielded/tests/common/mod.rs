//! Loading of the JSON vectors that Rust and TypeScript share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::Value;
use svc_codec::hash32::Hash32;
use svc_codec::hex;

/// Reads a file below `tests/vectors` and checks that it names its origin.
pub fn load(name: &str) -> Value {
    let path = format!(
        "{}/../../../tests/vectors/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let value: Value = serde_json::from_str(&text).unwrap();
    assert!(
        value["origin"]
            .as_str()
            .is_some_and(|origin| !origin.is_empty()),
        "{name} names no origin"
    );
    value
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

pub fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

/// A JSON number.
pub fn small(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a number")).unwrap()
}

/// A decimal string.
pub fn number<T: core::str::FromStr>(value: &Value) -> T {
    text(value).parse().ok().expect("a decimal string")
}

pub fn hash(value: &Value) -> Hash32 {
    text(value).parse().unwrap()
}

pub fn hashes(value: &Value) -> Vec<Hash32> {
    list(value).iter().map(hash).collect()
}

pub fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(text(value)).unwrap()
}

pub fn array<const N: usize>(value: &Value) -> [u8; N] {
    hex::decode_array(text(value)).unwrap()
}

/// A personalisation string of 16 characters.
pub fn personal(value: &Value) -> [u8; 16] {
    text(value).as_bytes().try_into().unwrap()
}
