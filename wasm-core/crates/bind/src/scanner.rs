//! JavaScript binding of the scanner (trial decryption of scan records).

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_scan::scanner::Scanner as Scan;
use svc_shielded::keys::FVK_LEN;
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
        let (keys, rest) = fvks.as_chunks::<FVK_LEN>();
        if !rest.is_empty() {
            let wrong = SvcError::new(Code::CodecWrongLength)
                .with("expected", FVK_LEN * (keys.len() + 1))
                .with("found", fvks.len());
            return Err(thrown(wrong));
        }
        Ok(Self(
            Scan::for_keys(profile::read(profile_json)?, keys).map_err(thrown)?,
        ))
    }

    /// Scans the body of a container (formats 2) with `count` records. Returns ScanFacts (formats 5). Throws `codec/*`,
    /// `wallet/bad-page`, `shielded/bad-field`: the same for every key.
    #[wasm_bindgen(js_name = scanRecords)]
    pub fn scan_records(&self, body: &[u8], count: u32) -> Result<String, JsError> {
        let facts = self.0.scan_records(body, count as usize).map_err(thrown)?;
        serde_json::to_string(&facts).map_err(|error| thrown(bad_call(error)))
    }
}
