//! Maps by hash without hashing again: the bytes of an id are as good as random already.

use core::hash::{BuildHasher, Hasher};
use std::collections::HashMap;
use std::hash::RandomState;

use crate::hash32::Hash32;

/// A map whose keys are ids or other digests.
pub type IdMap<V> = HashMap<Hash32, V, IdState>;

/// Makes the hashers of one map. Its key is drawn for each map, so that nobody who chooses ids knows which of
/// them meet in one place.
#[derive(Clone, Debug)]
pub struct IdState {
    key: [u64; 2],
}

impl Default for IdState {
    fn default() -> Self {
        let source = RandomState::new();
        Self {
            key: [source.hash_one(0_u8), source.hash_one(1_u8)],
        }
    }
}

impl BuildHasher for IdState {
    type Hasher = IdHasher;

    fn build_hasher(&self) -> IdHasher {
        IdHasher {
            key: self.key,
            state: 0,
        }
    }
}

/// Mixes the first sixteen bytes of an id with the key of its map.
#[derive(Clone, Debug)]
pub struct IdHasher {
    key: [u64; 2],
    state: u64,
}

impl Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut words = [self.state, 0];
        for (word, chunk) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word ^= u64::from_le_bytes(*chunk);
        }
        let [low, high] = [words[0] ^ self.key[0], words[1] ^ self.key[1]];
        let product = u128::from(low) * u128::from(high);
        self.state = product as u64 ^ (product >> 64) as u64;
    }

    /// The length of an id, which is always the same.
    fn write_usize(&mut self, _length: usize) {}

    fn finish(&self) -> u64 {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u64) -> Hash32 {
        let mut bytes = [0x5a; 32];
        bytes[..8].copy_from_slice(&number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes());
        Hash32(bytes)
    }

    #[test]
    fn finds_what_was_put_in() {
        let mut map: IdMap<u64> = IdMap::default();
        for number in 0..10_000 {
            assert_eq!(map.insert(id(number), number), None);
        }
        for number in 0..10_000 {
            assert_eq!(map.get(&id(number)), Some(&number));
            assert_eq!(map.get(&id(number + 10_000)), None);
        }
    }

    #[test]
    fn every_one_of_the_first_sixteen_bytes_counts() {
        let state = IdState::default();
        let zero = state.hash_one(Hash32::ZERO);
        for index in 0..16 {
            let mut bytes = [0; 32];
            bytes[index] = 1;
            assert_ne!(state.hash_one(Hash32(bytes)), zero, "byte {index}");
        }
    }

    #[test]
    fn maps_have_keys_of_their_own() {
        assert_ne!(IdState::default().key, IdState::default().key);
    }
}
