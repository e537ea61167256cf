//! Bounds-checked reader of little-endian fields, for untrusted bytes.

use crate::code::Code;
use crate::error::SvcError;
use crate::hash32::Hash32;

/// A cursor over foreign bytes. Reads either succeed or leave an error; nothing panics and
/// nothing is allocated before the bytes it needs are known to be there.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

macro_rules! number {
    ($($(#[$doc:meta])* $name:ident: $type:ty, $convert:ident;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// `codec/unexpected-end`.
            pub fn $name(&mut self) -> Result<$type, SvcError> {
                Ok(<$type>::$convert(self.array()?))
            }
        )*
    };
}

impl<'a> Reader<'a> {
    /// Starts at the first byte.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    number! {
        /// One byte.
        u8: u8, from_le_bytes;
        /// Two bytes, little endian.
        u16: u16, from_le_bytes;
        /// Four bytes, little endian.
        u32: u32, from_le_bytes;
        /// Eight bytes, little endian.
        u64: u64, from_le_bytes;
        /// Sixteen bytes, little endian.
        u128: u128, from_le_bytes;
        /// Four bytes, big endian (bundle bytes only).
        u32_be: u32, from_be_bytes;
        /// Eight bytes, big endian (bundle bytes only).
        u64_be: u64, from_be_bytes;
        /// Eight bytes, big endian, two's complement (bundle bytes only).
        i64_be: i64, from_be_bytes;
    }

    /// Exactly `N` bytes.
    ///
    /// # Errors
    /// `codec/unexpected-end`.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], SvcError> {
        self.array_ref().copied()
    }

    /// Exactly `N` bytes, borrowed.
    ///
    /// # Errors
    /// `codec/unexpected-end`.
    pub fn array_ref<const N: usize>(&mut self) -> Result<&'a [u8; N], SvcError> {
        let Some((head, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(self.unexpected_end(N));
        };
        self.rest = rest;
        Ok(head)
    }

    /// 32 bytes as a hash.
    ///
    /// # Errors
    /// `codec/unexpected-end`.
    pub fn hash(&mut self) -> Result<Hash32, SvcError> {
        self.array().map(Hash32)
    }

    /// The next `len` bytes, borrowed.
    ///
    /// # Errors
    /// `codec/unexpected-end`.
    pub fn take(&mut self, len: usize) -> Result<&'a [u8], SvcError> {
        let Some((head, rest)) = self.rest.split_at_checked(len) else {
            return Err(self.unexpected_end(len));
        };
        self.rest = rest;
        Ok(head)
    }

    /// A u16 count of items of at least `min_item_len` bytes each, at most `max`.
    ///
    /// # Errors
    /// `codec/count-too-large` above `max`, `codec/unexpected-end` when the remaining bytes
    /// cannot hold that many items; so a `Vec::with_capacity` of the result is safe.
    pub fn count_u16(&mut self, max: usize, min_item_len: usize) -> Result<usize, SvcError> {
        let count = usize::from(self.u16()?);
        self.check_count(count, max, min_item_len)
    }

    /// As [`Reader::count_u16`] with a u32 count.
    ///
    /// # Errors
    /// As [`Reader::count_u16`].
    pub fn count_u32(&mut self, max: usize, min_item_len: usize) -> Result<usize, SvcError> {
        let count = usize::try_from(self.u32()?).unwrap_or(usize::MAX);
        self.check_count(count, max, min_item_len)
    }

    /// As [`Reader::count_u16`] with a u8 count.
    ///
    /// # Errors
    /// As [`Reader::count_u16`].
    pub fn count_u8(&mut self, max: usize, min_item_len: usize) -> Result<usize, SvcError> {
        let count = usize::from(self.u8()?);
        self.check_count(count, max, min_item_len)
    }

    /// How many bytes are left.
    pub const fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// `codec/trailing-bytes` when bytes are left.
    pub fn finish(self) -> Result<(), SvcError> {
        if self.rest.is_empty() {
            return Ok(());
        }
        Err(SvcError::new(Code::CodecTrailingBytes).with("remaining", self.rest.len()))
    }

    fn check_count(
        &self,
        count: usize,
        max: usize,
        min_item_len: usize,
    ) -> Result<usize, SvcError> {
        if count > max {
            return Err(SvcError::new(Code::CodecCountTooLarge)
                .with("count", count)
                .with("max", max));
        }
        let needed = count.saturating_mul(min_item_len);
        if needed > self.rest.len() {
            return Err(self.unexpected_end(needed));
        }
        Ok(count)
    }

    fn unexpected_end(&self, needed: usize) -> SvcError {
        SvcError::new(Code::CodecUnexpectedEnd)
            .with("needed", needed)
            .with("remaining", self.rest.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writer::Writer;
    use proptest::prelude::*;

    #[test]
    fn counts_are_checked_before_anything_is_allocated() {
        let bytes = [0xff, 0xff, 0xff, 0xff, 0];
        assert_eq!(
            Reader::new(&bytes).count_u32(10, 1).unwrap_err().code,
            Code::CodecCountTooLarge
        );
        let huge = Reader::new(&bytes)
            .count_u32(usize::MAX, usize::MAX)
            .unwrap_err();
        assert_eq!(huge.code, Code::CodecUnexpectedEnd);
        assert_eq!(Reader::new(&[2, 0, 9, 9]).count_u16(2, 1).unwrap(), 2);
        assert_eq!(
            Reader::new(&[2, 0, 9]).count_u16(2, 1).unwrap_err().code,
            Code::CodecUnexpectedEnd
        );
        assert_eq!(
            Reader::new(&[3]).count_u8(2, 0).unwrap_err().code,
            Code::CodecCountTooLarge
        );
    }

    #[test]
    fn finish_refuses_what_is_left() {
        let mut reader = Reader::new(&[1, 2]);
        assert_eq!(reader.u8().unwrap(), 1);
        assert_eq!(reader.remaining(), 1);
        assert_eq!(reader.finish().unwrap_err().code, Code::CodecTrailingBytes);
        assert!(Reader::new(&[]).finish().is_ok());
    }

    proptest! {
        #[test]
        fn numbers_round_trip(a: u8, b: u16, c: u32, d: u64, e: u128, f: i64, h: [u8; 32]) {
            let mut writer = Writer::new();
            writer.u8(a).u16(b).u32(c).u64(d).u128(e).u32_be(c).u64_be(d).i64_be(f).hash(&Hash32(h));
            let bytes = writer.into_vec();
            let mut reader = Reader::new(&bytes);
            prop_assert_eq!(reader.u8().unwrap(), a);
            prop_assert_eq!(reader.u16().unwrap(), b);
            prop_assert_eq!(reader.u32().unwrap(), c);
            prop_assert_eq!(reader.u64().unwrap(), d);
            prop_assert_eq!(reader.u128().unwrap(), e);
            prop_assert_eq!(reader.u32_be().unwrap(), c);
            prop_assert_eq!(reader.u64_be().unwrap(), d);
            prop_assert_eq!(reader.i64_be().unwrap(), f);
            prop_assert_eq!(reader.hash().unwrap(), Hash32(h));
            prop_assert_eq!(reader.u8().unwrap_err().code, Code::CodecUnexpectedEnd);
            prop_assert!(reader.finish().is_ok());
        }

        #[test]
        fn a_failed_read_consumes_nothing(bytes in prop::collection::vec(any::<u8>(), 0..8)) {
            let mut reader = Reader::new(&bytes);
            prop_assert!(reader.u128().is_err());
            prop_assert!(reader.take(9).is_err());
            prop_assert_eq!(reader.remaining(), bytes.len());
        }
    }
}
