//! MuHash, the multiplicative set hash (specification consensus 9.8, shielded 1.4).
//!
//! A set is the product of its elements in the integers modulo 2^3072 - 1103717, so the order
//! of insertion does not matter. Nothing here removes: the engine keeps the product of every
//! chain block and goes back to an older one instead.

mod uint3072;

use std::sync::OnceLock;

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::domain_hashers::{muhash_element, muhash_finalize};
use crate::muhash::uint3072::{LEN, Uint3072};

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

    /// The digest of the empty set, which transparent outputs always are.
    pub fn empty_digest() -> Hash32 {
        static DIGEST: OnceLock<Hash32> = OnceLock::new();
        *DIGEST.get_or_init(|| Self::new().finalize())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The modulus less `below`, little endian; 1103717 is 0x10d765.
    fn near_modulus(below: u8) -> [u8; LEN] {
        let mut bytes = [0xff; LEN];
        bytes[..3].copy_from_slice(&(0x100_0000_u32 - 0x10_d765).to_le_bytes()[..3]);
        bytes[0] -= below;
        bytes
    }

    #[test]
    fn only_reduced_products_are_read() {
        let mut zero = [0; LEN];
        assert_eq!(
            MuHash::from_bytes(&zero).unwrap_err().code,
            Code::CodecNotCanonical
        );
        zero[0] = 1;
        assert_eq!(MuHash::from_bytes(&zero).unwrap(), MuHash::new());
        assert!(MuHash::from_bytes(&near_modulus(0)).is_err());
        assert!(MuHash::from_bytes(&[0xff; LEN]).is_err());
        assert!(MuHash::from_bytes(&near_modulus(1)).is_ok());
    }

    #[test]
    fn minus_one_squared_is_one() {
        let mut set = MuHash::from_bytes(&near_modulus(1)).unwrap();
        set.combine(&set.clone());
        assert_eq!(set, MuHash::new());
        // (-2) · (-2) = 4
        let mut set = MuHash::from_bytes(&near_modulus(2)).unwrap();
        set.combine(&set.clone());
        assert_eq!(set.to_bytes()[0], 4);
        assert!(set.to_bytes()[1..].iter().all(|byte| *byte == 0));
    }

    #[test]
    fn values_above_the_modulus_are_reduced() {
        let reduced = Uint3072::from_bytes(&[0xff; LEN]).reduced();
        let mut expected = [0; LEN];
        // 2^3072 - 1 less the modulus.
        expected[..4].copy_from_slice(&1_103_716_u32.to_le_bytes());
        assert_eq!(reduced.to_bytes(), expected);
    }

    #[test]
    fn order_does_not_matter() {
        let (mut forward, mut backward) = (MuHash::new(), MuHash::new());
        for element in 0..5_u8 {
            forward.add(&[element]);
            backward.add(&[4 - element]);
        }
        assert_eq!(forward, backward);
        assert_ne!(forward, MuHash::new());
    }
}
