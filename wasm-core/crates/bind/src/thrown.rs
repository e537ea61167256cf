//! Error conversion to JavaScript: an `Error` whose message is `{"code":…,"data":{…}}`.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use wasm_bindgen::{JsCast, JsError, JsValue};

/// The error to throw.
pub fn thrown(error: SvcError) -> JsError {
    JsError::new(&error.to_json())
}

/// The message of an `Error` about a panic.
pub fn panic_json(message: &str) -> String {
    SvcError::new(Code::EnginePanic)
        .with("message", message)
        .to_json()
}

/// An argument that the caller got wrong.
pub fn bad_call(reason: impl core::fmt::Display) -> SvcError {
    SvcError::new(Code::EngineBadCall).with("reason", reason)
}

/// Checks that a byte string has the one length it may have. Error: `codec/wrong-length`.
pub fn exact<const N: usize>(bytes: &[u8]) -> Result<[u8; N], SvcError> {
    let wrong = || {
        SvcError::new(Code::CodecWrongLength)
            .with("expected", N)
            .with("found", bytes.len())
    };
    bytes.try_into().map_err(|_| wrong())
}

/// The JSON text of facts.
pub fn json_text(facts: &impl serde::Serialize) -> Result<String, JsError> {
    serde_json::to_string(facts).map_err(|error| thrown(bad_call(error)))
}

/// The message of something JavaScript threw.
pub fn text_of(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => error.message().into(),
        None => error.as_string().unwrap_or_else(|| "unknown".to_owned()),
    }
}
