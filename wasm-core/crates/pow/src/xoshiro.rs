//! Pseudo-random generator xoshiro256++, seeded with a hash (specification consensus 4, steps 1 and 2).

use svc_codec::hash32::Hash32;

/// The generator the matrix of a header is drawn from.
pub(crate) struct Xoshiro256PlusPlus([u64; 4]);

impl Xoshiro256PlusPlus {
    /// The four little-endian words of the hash are the state; nothing stirs them first.
    pub(crate) fn from_hash(seed: &Hash32) -> Self {
        let mut state = [0; 4];
        for (word, bytes) in state.iter_mut().zip(seed.0.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        Self(state)
    }

    pub(crate) fn next(&mut self) -> u64 {
        let [s0, s1, s2, s3] = &mut self.0;
        let result = s0.wrapping_add(*s3).rotate_left(23).wrapping_add(*s0);
        let shifted = *s1 << 17;
        *s2 ^= *s0;
        *s3 ^= *s1;
        *s1 ^= *s2;
        *s0 ^= *s3;
        *s2 ^= shifted;
        *s3 = s3.rotate_left(45);
        result
    }

    /// The all-zero state yields zeros for ever. No hash is known that starts there.
    pub(crate) fn is_stuck(&self) -> bool {
        self.0 == [0; 4]
    }
}
