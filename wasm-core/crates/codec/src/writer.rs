//! Byte writer of little-endian fields.

use crate::hash32::Hash32;

/// Grows a byte string field by field; the counterpart of [`crate::reader::Reader`].
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

macro_rules! number {
    ($($(#[$doc:meta])* $name:ident: $type:ty, $convert:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&mut self, value: $type) -> &mut Self {
                self.bytes(&value.$convert())
            }
        )*
    };
}

impl Writer {
    /// An empty byte string.
    pub const fn new() -> Self {
        Self { bytes: Vec::new() }
    }

    /// An empty byte string with room for `len` bytes.
    pub fn with_capacity(len: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(len),
        }
    }

    number! {
        /// One byte.
        u8: u8, to_le_bytes;
        /// Two bytes, little endian.
        u16: u16, to_le_bytes;
        /// Four bytes, little endian.
        u32: u32, to_le_bytes;
        /// Eight bytes, little endian.
        u64: u64, to_le_bytes;
        /// Sixteen bytes, little endian.
        u128: u128, to_le_bytes;
        /// Four bytes, big endian (bundle bytes only).
        u32_be: u32, to_be_bytes;
        /// Eight bytes, big endian (bundle bytes only).
        u64_be: u64, to_be_bytes;
        /// Eight bytes, big endian, two's complement (bundle bytes only).
        i64_be: i64, to_be_bytes;
    }

    /// The bytes of a hash.
    pub fn hash(&mut self, hash: &Hash32) -> &mut Self {
        self.bytes(&hash.0)
    }

    /// Bytes as they are, without a length.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// A u16 count. The caller guarantees that the count fits: every count that is written
    /// was bounded when its list was built or decoded.
    pub fn count_u16(&mut self, count: usize) -> &mut Self {
        debug_assert!(u16::try_from(count).is_ok(), "count above its bound");
        self.u16(u16::try_from(count).unwrap_or(u16::MAX))
    }

    /// A u32 count, as [`Writer::count_u16`].
    pub fn count_u32(&mut self, count: usize) -> &mut Self {
        debug_assert!(u32::try_from(count).is_ok(), "count above its bound");
        self.u32(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// How many bytes were written.
    pub const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing was written.
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// What was written so far.
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes
    }

    /// The finished byte string.
    pub fn into_vec(self) -> Vec<u8> {
        self.bytes
    }
}
