//! Hash functions (BLAKE2b and BLAKE3, keyed or personalised) of specification consensus 2 and shielded 1.4.

use crate::hash32::Hash32;

/// BLAKE2b with a 32-byte output, keyed or personalised.
#[derive(Clone)]
pub struct Blake2bHasher(blake2b_simd::State);

/// BLAKE3 in keyed mode.
#[derive(Clone)]
pub struct Blake3Hasher(blake3::Hasher);

/// BLAKE2b-256 with the ASCII name of a domain as key, unpadded. Names are at most 64 bytes,
/// the longest key BLAKE2b has; what is longer is cut.
pub fn blake2b_keyed(key: &[u8]) -> Blake2bHasher {
    let key = &key[..key.len().min(blake2b_simd::KEYBYTES)];
    Blake2bHasher(
        blake2b_simd::Params::new()
            .hash_length(32)
            .key(key)
            .to_state(),
    )
}

/// BLAKE2b-256 with a personalisation string of 16 bytes.
pub fn blake2b_personal(personal: &[u8; 16]) -> Blake2bHasher {
    Blake2bHasher(
        blake2b_simd::Params::new()
            .hash_length(32)
            .personal(personal)
            .to_state(),
    )
}

/// BLAKE2b-256 without key or personalisation (digest of a profile).
pub fn blake2b_plain() -> Blake2bHasher {
    Blake2bHasher(blake2b_simd::Params::new().hash_length(32).to_state())
}

/// BLAKE3 keyed with the name of a domain, padded with zeros to 32 bytes; what is longer is cut.
pub fn blake3_keyed(name: &str) -> Blake3Hasher {
    let mut key = [0; 32];
    for (slot, byte) in key.iter_mut().zip(name.bytes()) {
        *slot = byte;
    }
    Blake3Hasher(blake3::Hasher::new_keyed(&key))
}

impl Blake2bHasher {
    /// Absorbs more input.
    pub fn update(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update(bytes);
        self
    }

    /// The hash of everything absorbed so far.
    pub fn finalize(&self) -> Hash32 {
        let mut hash = [0; 32];
        hash.copy_from_slice(self.0.finalize().as_bytes());
        Hash32(hash)
    }
}

impl Blake3Hasher {
    /// Absorbs more input.
    pub fn update(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update(bytes);
        self
    }

    /// The hash of everything absorbed so far.
    pub fn finalize(&self) -> Hash32 {
        Hash32(*self.0.finalize().as_bytes())
    }
}

impl core::fmt::Debug for Blake2bHasher {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("Blake2bHasher")
    }
}

impl core::fmt::Debug for Blake3Hasher {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("Blake3Hasher")
    }
}
