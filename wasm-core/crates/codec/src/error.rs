//! Error type of the core: a code of the registry with data fields.

use core::fmt;

use crate::code::Code;

/// What went wrong, as a code of `wasm-core/codes.json` and its data fields.
///
/// The sentence a person reads is made elsewhere; data values are text so that 64-bit
/// numbers survive JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvcError {
    /// Which rule or precondition failed.
    pub code: Code,
    /// The fields the code registry names for it.
    pub data: Vec<(&'static str, String)>,
}

impl SvcError {
    /// An error without data yet.
    pub const fn new(code: Code) -> Self {
        Self {
            code,
            data: Vec::new(),
        }
    }

    /// Adds one data field.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl fmt::Display) -> Self {
        self.data.push((key, value.to_string()));
        self
    }

    /// `{"code":"area/what","data":{"field":"value"}}`, the form that crosses the binding.
    pub fn to_json(&self) -> String {
        let data: serde_json::Map<String, serde_json::Value> = self
            .data
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.as_str().into()))
            .collect();
        serde_json::json!({ "code": self.code.as_str(), "data": data }).to_string()
    }
}

impl fmt::Display for SvcError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code.as_str())?;
        for (key, value) in &self.data {
            write!(formatter, " {key}={value}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SvcError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_names_code_and_data() {
        let error = SvcError::new(Code::CodecTrailingBytes).with("remaining", 3_u64);
        assert_eq!(
            error.to_json(),
            r#"{"code":"codec/trailing-bytes","data":{"remaining":"3"}}"#
        );
        assert_eq!(error.to_string(), "codec/trailing-bytes remaining=3");
    }
}
