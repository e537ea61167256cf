//! Secret byte type: cannot be printed, compared or cloned, and is overwritten when dropped.

use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

/// 32 secret bytes, such as a spending key. `Debug` shows no byte of them.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Secret32([u8; 32]);

impl Secret32 {
    /// Takes over `bytes`; the caller erases its own copy.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads a secret from a slice; `None` if it is not 32 bytes long.
    pub fn from_slice(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The bytes, for the one place that computes with them.
    pub fn expose(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for Secret32 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret32(..)")
    }
}
