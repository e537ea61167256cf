//! Value types of a profile and their JSON forms: fixed-length ASCII text, fixed-length hex, sompi, heights.

use core::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use svc_codec::hex;

use crate::uint256::U256;

/// ASCII text of exactly `N` printable characters: a personalisation string or a tag.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AsciiTag<const N: usize>([u8; N]);

impl<const N: usize> AsciiTag<N> {
    /// The characters as the bytes that are hashed or searched for.
    pub const fn as_bytes(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> fmt::Display for AsciiTag<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|byte| fmt::Write::write_char(formatter, char::from(*byte)))
    }
}

impl<const N: usize> fmt::Debug for AsciiTag<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl<const N: usize> Serialize for AsciiTag<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, const N: usize> Deserialize<'de> for AsciiTag<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes: Option<[u8; N]> = text.as_bytes().try_into().ok();
        match bytes {
            Some(bytes) if bytes.iter().all(u8::is_ascii_graphic) => Ok(Self(bytes)),
            _ => Err(de::Error::custom(format!(
                "expected {N} printable ASCII characters"
            ))),
        }
    }
}

/// Exactly `N` bytes, written as hex.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct HexBytes<const N: usize>(pub [u8; N]);

impl<const N: usize> fmt::Debug for HexBytes<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hex::encode(&self.0))
    }
}

impl<const N: usize> Serialize for HexBytes<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(&self.0))
    }
}

impl<'de, const N: usize> Deserialize<'de> for HexBytes<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = hex::decode_array(&text);
        bytes
            .map(Self)
            .map_err(|_| de::Error::custom(format!("expected {} hex digits", 2 * N)))
    }
}

/// An amount in the smallest unit, written as a decimal string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sompi(pub u64);

impl Serialize for Sompi {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Sompi {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let value: u64 = text
            .parse()
            .map_err(|_| de::Error::custom("expected decimal sompi"))?;
        // One spelling per value: `+5` and `007` parse and are refused here.
        if value.to_string() != text {
            return Err(de::Error::custom(
                "expected decimal sompi without sign or leading zeros",
            ));
        }
        Ok(Self(value))
    }
}

/// An amount of work in hashes, written as a decimal string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Work(pub U256);

impl Serialize for Work {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Work {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let value = U256::from_dec_str(&text)
            .map_err(|_| de::Error::custom("expected a decimal number below 2^256"))?;
        if value.to_string() != text {
            return Err(de::Error::custom(
                "expected a decimal number without sign or leading zeros",
            ));
        }
        Ok(Self(value))
    }
}

/// Reads a height that must be present: a DAA score, or null for never. Without this a
/// missing field would silently read as never.
pub(crate) fn height<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    Option::deserialize(deserializer)
}

/// As [`height`] for an optional payee.
pub(crate) fn payee<'de, D>(deserializer: D) -> Result<Option<HexBytes<43>>, D::Error>
where
    D: Deserializer<'de>,
{
    Option::deserialize(deserializer)
}

/// As [`height`] for an optional port.
pub(crate) fn port<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u16>, D::Error> {
    Option::deserialize(deserializer)
}
