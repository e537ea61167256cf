//! 32-byte hash type.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::error::SvcError;
use crate::hex;

/// 32 bytes, printed as hex in byte order and compared as a big-endian byte string
/// (specification consensus, conventions and 7.1).
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash32(pub [u8; 32]);

impl Hash32 {
    /// No block, no value: 32 zero bytes (specification consensus 2).
    pub const ZERO: Self = Self([0; 32]);
    /// The virtual root of the local block graph (specification consensus 2).
    pub const ORIGIN: Self = Self([0xfe; 32]);

    /// The bytes in order.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Hash32 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hex::encode(&self.0))
    }
}

impl fmt::Debug for Hash32 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for Hash32 {
    type Err = SvcError;

    fn from_str(text: &str) -> Result<Self, SvcError> {
        hex::decode_array(text).map(Self)
    }
}

impl AsRef<[u8]> for Hash32 {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<[u8; 32]> for Hash32 {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl Serialize for Hash32 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash32 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse()
            .map_err(|_| de::Error::custom("a hash is 64 hexadecimal digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;

    #[test]
    fn prints_and_parses_in_byte_order() {
        let mut bytes = [0; 32];
        bytes[0] = 0x12;
        bytes[31] = 0xef;
        let text = format!("12{}ef", "0".repeat(60));
        assert_eq!(Hash32(bytes).to_string(), text);
        assert_eq!(text.parse::<Hash32>().unwrap(), Hash32(bytes));
        assert_eq!(
            text[2..].parse::<Hash32>().unwrap_err().code,
            Code::CodecWrongLength
        );
        assert_eq!(
            serde_json::to_string(&Hash32(bytes)).unwrap(),
            format!("\"{text}\"")
        );
        assert!(serde_json::from_str::<Hash32>("\"00\"").is_err());
    }

    #[test]
    fn orders_as_big_endian_bytes() {
        let mut late = [0; 32];
        late[31] = 0xff;
        let mut early = [0; 32];
        early[0] = 1;
        assert!(Hash32(early) > Hash32(late));
    }
}
