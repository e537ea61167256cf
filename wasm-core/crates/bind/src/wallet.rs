//! JavaScript binding of wallet functions: keys, addresses and transaction facts, everything besides proofs.

use js_sys::{BigInt, Uint8Array};
use serde::Deserialize;
use serde_json::{Value, json};
use svc_chain::block::WitnessedBlock;
use svc_chain::mass;
use svc_chain::profile::{Profile, active};
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::scan_record::write_payment;
use svc_codec::writer::Writer;
use svc_consensus::rules::body_rules::shielded_actions;
use svc_consensus::rules::scan_record::published;
use svc_scan::incoming_addresses;
use svc_shielded::bundle::{Bundle, BundleFormat};
use svc_shielded::fee;
use svc_shielded::keys;
use svc_shielded::keys::address;
use svc_shielded::secret::Secret32;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;
use zeroize::Zeroizing;

use crate::profile;
use crate::thrown::{bad_call, exact, thrown};

/// Most memory a passphrase may cost, in KiB: a phone still has it.
const MAX_ARGON2_KIB: u32 = 262_144;
/// Most passes over that memory: seconds on a phone.
const MAX_ARGON2_PASSES: u32 = 16;

/// A new seed: 32 bytes from the system's random numbers. Throws `keys/random-unavailable`.
#[wasm_bindgen(js_name = generateSeed)]
pub fn generate_seed() -> Result<Uint8Array, JsError> {
    Ok(Uint8Array::from(
        &keys::generate().map_err(thrown)?.expose()[..],
    ))
}

/// The full viewing key of a seed, 96 bytes. Throws `keys/bad-seed`.
#[wasm_bindgen(js_name = fullViewingKey)]
pub fn full_viewing_key(seed: Vec<u8>) -> Result<Vec<u8>, JsError> {
    Ok(keys::full_viewing_key(&read_seed(seed)?)
        .map_err(thrown)?
        .to_vec())
}

/// The incoming viewing key of a full one, 64 bytes. Throws `codec/wrong-length`, `keys/bad-viewing-key`.
#[wasm_bindgen(js_name = incomingViewingKey)]
pub fn incoming_viewing_key(fvk: &[u8]) -> Result<Vec<u8>, JsError> {
    Ok(exact(fvk)
        .and_then(|fvk| keys::incoming_viewing_key(&fvk))
        .map_err(thrown)?
        .to_vec())
}

/// The raw address of a full viewing key at a diversifier index, 43 bytes. Throws `codec/wrong-length`,
/// `keys/bad-viewing-key`.
#[wasm_bindgen(js_name = addressAt)]
pub fn address_at(fvk: &[u8], index: u32) -> Result<Vec<u8>, JsError> {
    Ok(exact(fvk)
        .and_then(|fvk| keys::address_at(&fvk, index))
        .map_err(thrown)?
        .to_vec())
}

/// The raw addresses of an incoming viewing key at `count` diversifier indices from `from` on, 43 bytes for each; at most 1,024,
/// and none beyond index 2³² - 1. Throws `codec/wrong-length`, `keys/bad-viewing-key`, `codec/count-too-large`.
#[wasm_bindgen(js_name = incomingAddresses)]
pub fn incoming_addresses(ivk: &[u8], from: u32, count: u32) -> Result<Vec<u8>, JsError> {
    Ok(exact(ivk)
        .and_then(|ivk| incoming_addresses::addresses(&ivk, from, count as usize))
        .map_err(thrown)?
        .concat())
}

/// The diversifier index of a raw address of a full viewing key, a number of 88 bits; undefined for an address of
/// another key. Throws `codec/wrong-length`, `keys/bad-viewing-key`, `address/bad-key`.
#[wasm_bindgen(js_name = addressIndexOf)]
pub fn address_index_of(fvk: &[u8], raw: &[u8]) -> Result<Option<BigInt>, JsError> {
    let index = exact(fvk)
        .and_then(|fvk| keys::address_index_of(&fvk, &exact(raw)?))
        .map_err(thrown)?;
    Ok(index.map(BigInt::from))
}

/// The text of a raw address on the network with prefix `hrp`. Throws `codec/wrong-length`.
#[wasm_bindgen(js_name = encodeAddress)]
pub fn encode_address(hrp: &str, raw: &[u8]) -> Result<String, JsError> {
    Ok(address::encode(hrp, &exact(raw).map_err(thrown)?))
}

/// The raw bytes, 43 of them, of an address of the network with prefix `hrp`. Throws `address/missing-prefix`,
/// `address/wrong-network`, `address/bad-character`, `address/bad-checksum`, `address/bad-version`,
/// `address/bad-length`, `address/bad-padding`, `address/bad-key`.
#[wasm_bindgen(js_name = decodeAddress)]
pub fn decode_address(hrp: &str, text: &str) -> Result<Vec<u8>, JsError> {
    Ok(address::decode(hrp, text).map_err(thrown)?.to_vec())
}

/// The Argon2id hash of a passphrase, 32 bytes, with at most 262,144 KiB of memory and 16 passes. Passphrase, hash and
/// working memory are wiped. Throws `engine/bad-call` for parameters out of bounds, and when there is no room for the
/// working memory.
#[wasm_bindgen]
pub fn argon2id(
    passphrase: Vec<u8>,
    salt: &[u8],
    mem_kib: u32,
    passes: u32,
) -> Result<Uint8Array, JsError> {
    let passphrase = Zeroizing::new(passphrase);
    if mem_kib > MAX_ARGON2_KIB || passes > MAX_ARGON2_PASSES {
        return Err(thrown(bad_call("Argon2 parameters are too large")));
    }
    let params = argon2::Params::new(mem_kib, passes, 1, Some(32))
        .map_err(|error| thrown(bad_call(error)))?;
    let mut blocks = Zeroizing::new(Vec::new());
    blocks
        .try_reserve_exact(params.block_count())
        .map_err(|error| thrown(bad_call(error)))?;
    blocks.resize(params.block_count(), argon2::Block::new());
    let mut key = Zeroizing::new([0; 32]);
    argon2::Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, params)
        .hash_password_into_with_memory(&passphrase, salt, &mut key[..], blocks.as_mut_slice())
        .map_err(|error| thrown(bad_call(error)))?;
    Ok(Uint8Array::from(&key[..]))
}

/// The fee in sompi that a wallet pays for `actions`, the larger number of spends and outputs, change included; below 2
/// it is that of 2.
#[wasm_bindgen(js_name = walletFee)]
pub fn wallet_fee(actions: u32) -> u64 {
    fee::wallet_fee(actions as usize)
}

/// The least fee in sompi for which a node relays a payment with a payload of `payloadLen` bytes.
#[wasm_bindgen(js_name = nodeMinimumFee)]
pub fn node_minimum_fee(payload_len: u32) -> u64 {
    fee::node_minimum(payload_len as usize)
}

/// The id of a RawTransaction, as hex. Throws `codec/*`.
#[wasm_bindgen(js_name = transactionId)]
pub fn transaction_id(raw_tx: &[u8]) -> Result<String, JsError> {
    Ok(Transaction::from_bytes(raw_tx)
        .map_err(thrown)?
        .id()
        .to_string())
}

/// What a raw payment does, as PaymentFacts (formats 3.10), read in the bundle form that holds at `daaScore`. Throws
/// `codec/*`, `shielded/*`, `tx/*`, `profile/*`.
#[wasm_bindgen(js_name = transactionSummary)]
pub fn transaction_summary(
    profile_json: &str,
    raw_tx: &[u8],
    daa_score: u64,
) -> Result<String, JsError> {
    let profile = profile::read(profile_json)?;
    summary(&profile, raw_tx, daa_score)
        .map(|value| value.to_string())
        .map_err(thrown)
}

/// A waiting payment as MEMPOOL_ADD frames carry it: the Payment of formats 2 (txid, action count u16, 788 bytes for
/// each action), read in the bundle form that holds at `daaScore`. Throws `codec/*`, `shielded/*`, `tx/*`, `profile/*`.
#[wasm_bindgen(js_name = mempoolFrame)]
pub fn mempool_frame(
    profile_json: &str,
    raw_tx: &[u8],
    daa_score: u64,
) -> Result<Vec<u8>, JsError> {
    let profile = profile::read(profile_json)?;
    let (transaction, bundle) = read_payment(&profile, raw_tx, daa_score).map_err(thrown)?;
    let mut writer = Writer::new();
    write_payment(&mut writer, &transaction.id(), published(&bundle));
    Ok(writer.into_vec())
}

/// The hash of a RawBlock; ids, hashes and compute masses of its transactions. Returns JSON
/// `{hash, txids, txHashes, computeMasses}`, lists in the order of the block, masses in decimal text. A payment that no
/// chain block may carry has them like any other. Throws `codec/*`, `header/bad-parents`.
#[wasm_bindgen(js_name = computeHashes)]
pub fn compute_hashes(raw_block: &[u8]) -> Result<String, JsError> {
    let block = WitnessedBlock::from_bytes(raw_block).map_err(thrown)?.block;
    let list = |hash: fn(&Transaction) -> Hash32| -> Vec<Hash32> {
        block.transactions.iter().map(hash).collect()
    };
    let hashes = json!({
        "hash": block.hash(),
        "txids": list(Transaction::id),
        "txHashes": list(Transaction::hash),
        "computeMasses": block.transactions.iter().map(compute_mass).collect::<Vec<_>>(),
    });
    Ok(hashes.to_string())
}

/// Grams, as decimal text.
fn compute_mass(transaction: &Transaction) -> String {
    mass::compute_mass(transaction, shielded_actions(transaction)).to_string()
}

/// Decodes a raw payment in the form that holds at `daa_score`.
pub(crate) fn read_payment(
    profile: &Profile,
    raw_tx: &[u8],
    daa_score: u64,
) -> Result<(Transaction, Bundle), SvcError> {
    let transaction = Transaction::from_bytes(raw_tx)?;
    if !transaction.is_shielded() {
        return Err(SvcError::new(Code::TxNotShielded));
    }
    let is_fork = active(profile.activations.security_fork, daa_score);
    let bundle = Bundle::decode(&transaction.payload, BundleFormat::for_fork(is_fork))?;
    Ok((transaction, bundle))
}

fn summary(profile: &Profile, raw_tx: &[u8], daa_score: u64) -> Result<Value, SvcError> {
    let (transaction, bundle) = read_payment(profile, raw_tx, daa_score)?;
    let actions = bundle.actions.len() as u32;
    Ok(json!({
        "txid": transaction.id(),
        "hash": transaction.hash(),
        "fee": bundle.fee()?.to_string(),
        "actions": actions,
        "nullifiers": bundle.nullifiers(),
        "anchor": bundle.anchor,
        "anchorBlock": bundle.anchor_block,
        "computeMass": mass::compute_mass(&transaction, actions).to_string(),
        "transientMass": mass::transient_mass(&transaction).to_string(),
        "size": mass::serialized_size(&transaction),
    }))
}

/// Takes the seed over and erases the copy that JavaScript's glue made.
pub(crate) fn read_seed(seed: Vec<u8>) -> Result<Secret32, JsError> {
    let seed = Zeroizing::new(seed);
    Secret32::from_slice(&seed).ok_or_else(|| thrown(SvcError::new(Code::KeysBadSeed)))
}

/// Parses a JSON argument. The error names the argument and the place, never its content.
pub(crate) fn parse<'a, T: Deserialize<'a>>(what: &str, text: &'a str) -> Result<T, JsError> {
    serde_json::from_str(text).map_err(|error| {
        let reason = format!("{what}: line {} column {}", error.line(), error.column());
        thrown(SvcError::new(Code::CodecBadJson).with("reason", reason))
    })
}
