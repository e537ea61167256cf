//! JavaScript binding of the scanners (trial decryption of scan records).

use serde::Serialize;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_scan::incoming_scanner::IncomingScanner as IncomingScan;
use svc_scan::scanner::Scanner as Scan;
use svc_shielded::keys::FVK_LEN;
use svc_shielded::keys::incoming::IVK_LEN;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::profile;
use crate::thrown::{bad_call, thrown};

/// Finds the notes of full viewing keys in pages of records.
#[wasm_bindgen]
pub struct Scanner(Scan);

#[wasm_bindgen]
impl Scanner {
    /// Prepares up to 256 full viewing keys of 96 bytes, one behind the other, for scanning; without any it gives what is
    /// public of a page, its leaves among it. Throws `profile/*`, `codec/wrong-length`, `codec/count-too-large`, `keys/bad-viewing-key`.
    #[wasm_bindgen(constructor)]
    pub fn new(profile_json: &str, fvks: &[u8]) -> Result<Self, JsError> {
        let keys = keys_of::<FVK_LEN>(fvks).map_err(thrown)?;
        Ok(Self(
            Scan::for_keys(profile::read(profile_json)?, keys).map_err(thrown)?,
        ))
    }

    /// Scans the body of a container (formats 2) with `count` records. Returns ScanFacts (formats 5). Throws `codec/*`,
    /// `wallet/bad-page`, `shielded/bad-field`: the same for every key.
    #[wasm_bindgen(js_name = scanRecords)]
    pub fn scan_records(&self, body: &[u8], count: u32) -> Result<String, JsError> {
        let facts = self.0.scan_records(body, count as usize).map_err(thrown)?;
        facts_json(&facts)
    }
}

/// Finds what is paid to incoming viewing keys in pages of records.
#[wasm_bindgen]
pub struct IncomingScanner(IncomingScan);

#[wasm_bindgen]
impl IncomingScanner {
    /// Prepares up to 256 incoming viewing keys of 64 bytes, one behind the other, for scanning. Throws `codec/wrong-length`,
    /// `codec/count-too-large`, `keys/bad-viewing-key`.
    #[wasm_bindgen(constructor)]
    pub fn new(ivks: &[u8]) -> Result<Self, JsError> {
        let keys = keys_of::<IVK_LEN>(ivks).map_err(thrown)?;
        Ok(Self(IncomingScan::for_keys(keys).map_err(thrown)?))
    }

    /// Scans the body of a container (formats 2) with `count` records. Returns IncomingFacts (formats 5). Throws `codec/*`,
    /// `wallet/bad-page`, `shielded/bad-field`: the same for every key.
    #[wasm_bindgen(js_name = scanRecords)]
    pub fn scan_records(&self, body: &[u8], count: u32) -> Result<String, JsError> {
        let facts = self.0.scan_records(body, count as usize).map_err(thrown)?;
        facts_json(&facts)
    }
}

/// The keys that lie one behind the other. Error: `codec/wrong-length` for a part of one.
fn keys_of<const N: usize>(bytes: &[u8]) -> Result<&[[u8; N]], SvcError> {
    let (keys, rest) = bytes.as_chunks::<N>();
    if rest.is_empty() {
        return Ok(keys);
    }
    Err(wrong_length(N * (keys.len() + 1), bytes.len()))
}

/// Error of bytes that are no whole number of parts.
pub(crate) fn wrong_length(expected: usize, found: usize) -> SvcError {
    SvcError::new(Code::CodecWrongLength)
        .with("expected", expected)
        .with("found", found)
}

fn facts_json(facts: &impl Serialize) -> Result<String, JsError> {
    serde_json::to_string(facts).map_err(|error| thrown(bad_call(error)))
}
