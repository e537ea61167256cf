//! The scanner for TypeScript.

use svc_scan::scanner::Scanner as Scan;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::profile;
use crate::thrown::{bad_call, exact, thrown};

/// Finds the notes of one full viewing key in pages of records.
#[wasm_bindgen]
pub struct Scanner(Scan);

#[wasm_bindgen]
impl Scanner {
    /// Prepares the keys. Throws `profile/*`, `codec/wrong-length`, `keys/bad-viewing-key`.
    #[wasm_bindgen(constructor)]
    pub fn new(profile_json: &str, fvk: &[u8]) -> Result<Self, JsError> {
        let fvk = exact(fvk).map_err(thrown)?;
        Ok(Self(
            Scan::new(profile::read(profile_json)?, &fvk).map_err(thrown)?,
        ))
    }

    /// Scans the body of a container and returns scan facts as JSON. Throws `codec/*`, `wallet/bad-page`,
    /// `shielded/bad-field`, `shielded/bad-note`.
    #[wasm_bindgen(js_name = scanRecords)]
    pub fn scan_records(&self, body: &[u8], count: u32) -> Result<String, JsError> {
        let facts = self.0.scan_records(body, count as usize).map_err(thrown)?;
        serde_json::to_string(&facts).map_err(|error| thrown(bad_call(error)))
    }
}
