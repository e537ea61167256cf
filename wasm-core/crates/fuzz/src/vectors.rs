//! Seed inputs of the fuzz targets, from the committed vectors and the recorded payments.

use serde_json::Value;
use svc_codec::hex;
use svc_codec::reader::Reader;

const RECORDED_BLOCKS: &str = include_str!("../../../../tests/vectors/recorded-blocks.json");
const RECORDED_WORK: &str = include_str!("../../../../tests/vectors/recorded-work.json");
const VERIFICATION: &str = include_str!("../../../../tests/vectors/shielded-verification.json");
const ADDRESSES: &str = include_str!("../../../../tests/vectors/shielded-addresses.json");
const NOTE_TREE: &str = include_str!("../../../../tests/vectors/reference/note-tree.json");
const PAYMENTS: &[u8] = include_bytes!("../../../../tests/fixtures/payments/payments.bin");

/// Blocks of the recorded payments before the payments themselves: 66 of the trunk, 10 of the branch.
const PAYMENT_BLOCKS: usize = 76;
/// Longer recorded blocks make a run slow and show nothing more.
const MAX_BLOCK: usize = 10_000;

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    hex::decode(value.as_str()?).ok()
}

/// Blocks of the reference in raw form 0x01.
pub(crate) fn recorded_blocks() -> Vec<Vec<u8>> {
    let (blocks, work) = (parsed(RECORDED_BLOCKS), parsed(RECORDED_WORK));
    let of_chain = list(&blocks, "blocks").filter_map(|block| bytes(&block["raw"]));
    let all = of_chain.chain(list(&work, "blocks").filter_map(bytes));
    all.filter(|block| block.len() < MAX_BLOCK).collect()
}

/// Transactions with real proofs of one to three actions, with whether they name their anchor's block.
pub(crate) fn proved_transactions() -> Vec<(Vec<u8>, bool)> {
    let vectors = parsed(VERIFICATION);
    list(&vectors, "bundles")
        .filter(|bundle| bundle["actions"].as_u64().is_some_and(|count| count <= 3))
        .filter_map(|bundle| {
            Some((
                bytes(&bundle["transaction"])?,
                bundle["network"] == "simnet",
            ))
        })
        .collect()
}

/// Valid addresses with prefix `svc`.
pub(crate) fn addresses() -> Vec<Vec<u8>> {
    let vectors = parsed(ADDRESSES);
    list(&vectors, "valid")
        .filter(|address| address["hrp"] == "svc")
        .filter_map(|address| Some(address["text"].as_str()?.as_bytes().to_vec()))
        .collect()
}

/// Leaves of a note tree.
pub(crate) fn leaves() -> Vec<Vec<u8>> {
    let vectors = parsed(NOTE_TREE);
    list(&vectors, "leaves")
        .filter_map(bytes)
        .take(64)
        .collect()
}

/// The recorded payments' files: blocks in raw form, then proved transactions.
pub(crate) fn payment_parts() -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let mut reader = Reader::new(PAYMENTS);
    let mut parts = Vec::new();
    while let Ok(length) = reader.u32()
        && let Ok(part) = reader.take(length as usize)
    {
        parts.push(part.to_vec());
    }
    let payments = parts.split_off(PAYMENT_BLOCKS.min(parts.len()));
    (parts, payments)
}
