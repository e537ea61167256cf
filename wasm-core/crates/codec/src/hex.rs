//! Lower-case hexadecimal, in byte order.

use crate::code::Code;
use crate::error::SvcError;

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Two lower-case digits per byte.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

/// Reads digits of either case.
///
/// # Errors
/// `codec/bad-hex` for an odd length or a character that is no digit.
pub fn decode(text: &str) -> Result<Vec<u8>, SvcError> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return Err(bad_hex(digits.last().copied().into_iter()));
    }
    let mut bytes = Vec::with_capacity(digits.len() / 2);
    for pair in digits.chunks_exact(2) {
        let (Some(high), Some(low)) = (digit(pair[0]), digit(pair[1])) else {
            return Err(bad_hex(pair.iter().copied()));
        };
        bytes.push(high << 4 | low);
    }
    Ok(bytes)
}

/// Reads exactly `N` bytes.
///
/// # Errors
/// `codec/bad-hex` as [`decode`], `codec/wrong-length` for another number of bytes.
pub fn decode_array<const N: usize>(text: &str) -> Result<[u8; N], SvcError> {
    let bytes = decode(text)?;
    let got = bytes.len();
    bytes.try_into().map_err(|_| {
        SvcError::new(Code::CodecWrongLength)
            .with("expected", N)
            .with("found", got)
    })
}

fn digit(character: u8) -> Option<u8> {
    match character {
        b'0'..=b'9' => Some(character - b'0'),
        b'a'..=b'f' => Some(character - b'a' + 10),
        b'A'..=b'F' => Some(character - b'A' + 10),
        _ => None,
    }
}

/// Names only the characters at fault: the whole text may be a secret.
fn bad_hex(fault: impl Iterator<Item = u8>) -> SvcError {
    let text: String = fault
        .flat_map(core::ascii::escape_default)
        .map(char::from)
        .collect();
    SvcError::new(Code::CodecBadHex).with("text", text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn refuses_what_is_not_hex() {
        for text in ["0", "0g", "é", "00 0", "+1"] {
            assert_eq!(decode(text).unwrap_err().code, Code::CodecBadHex, "{text}");
        }
        assert_eq!(
            decode_array::<2>("00").unwrap_err().code,
            Code::CodecWrongLength
        );
        assert_eq!(decode("AbCd").unwrap(), [0xab, 0xcd]);
    }

    proptest! {
        #[test]
        fn round_trip(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(decode(&encode(&bytes)).unwrap(), bytes);
        }
    }
}
