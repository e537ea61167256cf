//! Multiplicative set hash (specification consensus 9.8, shielded 1.4).
//!
//! A set is the product of its elements in the integers modulo 2^3072 - 1103717, so the order
//! of insertion does not matter. Nothing here removes: the engine keeps the product of every
//! chain block and goes back to an older one instead.

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::domain_hashers::{muhash_element, muhash_finalize};
use crate::uint3072::{LEN, Uint3072};

/// The product of a set's elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MuHash(Uint3072);

impl MuHash {
    /// The empty set, whose product is 1.
    pub fn new() -> Self {
        Self(Uint3072::ONE)
    }

    /// Inserts an element given as bytes.
    pub fn add(&mut self, data: &[u8]) {
        self.0 = self.0.multiply(&element(data));
    }

    /// Joins another set.
    pub fn combine(&mut self, other: &Self) {
        self.0 = self.0.multiply(&other.0);
    }

    /// The 32-byte digest of the set.
    pub fn finalize(&self) -> Hash32 {
        muhash_finalize().update(&self.to_bytes()).finalize()
    }

    /// The product, little endian, below the modulus.
    pub fn to_bytes(&self) -> [u8; LEN] {
        self.0.to_bytes()
    }

    /// Reads a product.
    ///
    /// # Errors
    /// `codec/not-canonical` for the modulus and above, and for zero, which no product is.
    pub fn from_bytes(bytes: &[u8; LEN]) -> Result<Self, SvcError> {
        let value = Uint3072::from_bytes(bytes);
        if value.is_reduced() && !value.is_zero() {
            return Ok(Self(value));
        }
        Err(SvcError::new(Code::CodecNotCanonical).with("what", "muhash"))
    }
}

impl Default for MuHash {
    fn default() -> Self {
        Self::new()
    }
}

/// Stretches the hash of the data to 3072 bits with ChaCha20, zero nonce.
fn element(data: &[u8]) -> Uint3072 {
    let key = muhash_element().update(data).finalize();
    let mut bytes = [0; LEN];
    ChaCha20::new(&key.0.into(), &[0; 12].into()).apply_keystream(&mut bytes);
    Uint3072::from_bytes(&bytes).reduced()
}
