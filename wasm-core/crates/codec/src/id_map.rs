//! Hash maps by block or transaction id with a keyed, cheap hasher: the bytes of an id are as good as random already.

use core::hash::{BuildHasher, Hasher};
use core::sync::atomic::{AtomicU64, Ordering};
use std::collections::HashMap;
use std::hash::RandomState;
use std::sync::OnceLock;

use crate::hash32::Hash32;

/// A map whose keys are ids or other digests.
pub type IdMap<V> = HashMap<Hash32, V, IdState>;

/// What the keys of all maps come from, beside the random state of the standard library: that has no randomness in
/// WebAssembly.
static SEED: OnceLock<[u8; 32]> = OnceLock::new();
/// Maps made so far, so that each has a key of its own.
static MADE: AtomicU64 = AtomicU64::new(0);

/// Gives the maps that are made from now on 32 bytes of the system's randomness to draw their keys from. WebAssembly hands
/// them in before it makes the first map; elsewhere nobody needs to. Only the first call counts; false for another.
pub fn seed_id_maps(seed: [u8; 32]) -> bool {
    SEED.set(seed).is_ok()
}

/// Makes the hashers of one map. Its key is drawn for each map, so that nobody who chooses ids knows which of
/// them meet in one place.
#[derive(Clone, Debug)]
pub struct IdState {
    key: [u64; 2],
}

impl IdState {
    fn drawn(source: &impl BuildHasher, seed: &[u8; 32], number: u64) -> Self {
        Self {
            key: [0_u8, 1].map(|half| source.hash_one((seed, number, half))),
        }
    }
}

impl Default for IdState {
    fn default() -> Self {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let seed = SEED.get().unwrap_or(&[0; 32]);
        Self::drawn(&RandomState::new(), seed, number)
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

    /// As `RandomState` is in WebAssembly: the same in every instance.
    type Fixed = core::hash::BuildHasherDefault<std::hash::DefaultHasher>;

    #[test]
    fn keys_follow_from_the_seed_where_the_standard_library_has_no_randomness() {
        let key = |seed: u8, number| IdState::drawn(&Fixed::default(), &[seed; 32], number).key;
        assert_eq!(key(1, 1), key(1, 1));
        assert_ne!(key(1, 1), key(2, 1));
        assert_ne!(key(1, 1), key(1, 2));
        let [low, high] = key(1, 1);
        assert_ne!(low, high);
    }

    #[test]
    fn maps_have_keys_of_their_own() {
        assert_ne!(IdState::default().key, IdState::default().key);
    }
}
