//! JSON serialisation of facts: byte strings as hex, 64-bit numbers as decimal strings (formats 3).

use serde::{Deserialize, Deserializer, Serializer, de};
use svc_codec::hex;

/// A u64 as a decimal string: digits only, no sign, no leading zero.
pub mod decimal {
    use super::*;

    /// Writes the digits.
    pub fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    /// Reads the digits.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        let value: u64 = text
            .parse()
            .map_err(|_| de::Error::custom("expected a decimal string of 64 bits"))?;
        if value.to_string() != text {
            return Err(de::Error::custom(
                "expected a decimal string without sign or leading zero",
            ));
        }
        Ok(value)
    }
}

/// A byte array of fixed length as hex.
pub mod hex_array {
    use super::*;

    /// Writes two digits per byte.
    pub fn serialize<S: Serializer, const N: usize>(
        bytes: &[u8; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(bytes))
    }

    /// Reads exactly `N` bytes.
    pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[u8; N], D::Error> {
        let text = String::deserialize(deserializer)?;
        hex::decode_array(&text)
            .map_err(|_| de::Error::custom(format!("expected {N} bytes of hex")))
    }
}

/// A byte string of any length as hex.
pub mod hex_bytes {
    use super::*;

    /// Writes two digits per byte.
    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(bytes))
    }

    /// Reads any number of bytes.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        hex::decode(&text).map_err(|_| de::Error::custom("expected hex"))
    }
}

/// A u64 as a decimal string, or null.
pub mod optional_decimal {
    use super::*;

    /// Writes the digits.
    pub fn serialize<S: Serializer>(value: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => decimal::serialize(value, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// Reads the digits.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<u64>, D::Error> {
        #[derive(Deserialize)]
        struct Digits(#[serde(with = "decimal")] u64);
        Ok(Option::<Digits>::deserialize(deserializer)?.map(|digits| digits.0))
    }
}
