//! Proof-of-work function: kHeavyHash of a header (specification consensus 4).

use svc_chain::bits::target_from_bits;
use svc_chain::header::Header;
use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;

use crate::cshake::{PowHash, heavy_hash};
use crate::matrix::Matrix;

/// Everything about a header that does not depend on the nonce. Building it costs a matrix and
/// its rank, about a thousand hashes.
pub struct PowState {
    matrix: Matrix,
    inner: PowHash,
}

impl PowState {
    /// Prepares the header; its nonce does not matter.
    pub fn new(header: &Header) -> Self {
        Self::from_hash(&header.pre_pow_hash(), header.timestamp_ms)
    }

    /// Prepares a header known by its pre-proof-of-work hash and timestamp, as miners get it.
    pub fn from_hash(pre_pow_hash: &Hash32, timestamp_ms: u64) -> Self {
        Self {
            matrix: Matrix::generate(pre_pow_hash),
            inner: PowHash::new(pre_pow_hash.as_bytes(), timestamp_ms),
        }
    }

    /// The proof-of-work value of a nonce; smaller is better.
    pub fn pow(&self, nonce: u64) -> U256 {
        U256::from_little_endian(&mix(&self.matrix, &self.inner.finalize(nonce)))
    }
}

/// The value of a header as it stands, and whether it reaches the target of its bits.
pub fn check_pow(header: &Header) -> (U256, bool) {
    let value = PowState::new(header).pow(header.nonce);
    (value, value <= target_from_bits(header.bits))
}

/// The level of a block with this value. Genesis has `max_level`, whatever its value.
pub fn block_level(max_level: u8, pow: U256) -> u8 {
    u8::try_from(pow.bits()).map_or(0, |bits| max_level.saturating_sub(bits))
}

/// Steps 6 to 8: the matrix product, mixed back into its input and hashed.
fn mix(matrix: &Matrix, inner: &[u8; 32]) -> [u8; 32] {
    let mut mixed = matrix.multiply(inner);
    for (byte, original) in mixed.iter_mut().zip(inner) {
        *byte ^= original;
    }
    heavy_hash(&mixed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use sha2::{Digest, Sha256};

    fn vectors() -> Value {
        let text = include_str!("../../../../tests/vectors/pow.json");
        let vectors: Value = serde_json::from_str(text).unwrap();
        assert!(vectors["origin"].is_string());
        vectors
    }

    fn hash(value: &Value) -> Hash32 {
        value.as_str().unwrap().parse().unwrap()
    }

    fn number(value: &Value) -> u64 {
        value.as_str().unwrap().parse().unwrap()
    }

    #[test]
    fn matrix_of_a_seed() {
        let vectors = vectors();
        let matrix = Matrix::generate(&hash(&vectors["matrix"]["seed"]));
        let entries: Vec<u8> = matrix.entries().collect();
        for (found, expected) in entries
            .iter()
            .zip(vectors["matrix"]["firstRowStart"].as_array().unwrap())
        {
            assert_eq!(u64::from(*found), expected.as_u64().unwrap());
        }
        let digest: [u8; 32] = Sha256::digest(&entries).into();
        assert_eq!(Hash32(digest), hash(&vectors["matrix"]["sha256"]));
    }

    #[test]
    fn steps_of_the_hash() {
        let vectors = vectors();
        let case = &vectors["heavyHash"];
        assert_eq!(
            Hash32(heavy_hash(&hash(&case["input"]).0)),
            hash(&case["out"])
        );
        let case = &vectors["mix"];
        let matrix = Matrix::generate(&hash(&case["seed"]));
        assert_eq!(
            Hash32(mix(&matrix, &hash(&case["inner"]).0)),
            hash(&case["out"])
        );
    }

    #[test]
    fn whole_hashes() {
        let vectors = vectors();
        let cases = vectors["cases"].as_array().unwrap();
        assert!(!cases.is_empty());
        for case in cases {
            let nonce = number(&case["nonce"]);
            let state =
                PowState::from_hash(&hash(&case["prePowHash"]), number(&case["timestampMs"]));
            assert_eq!(Hash32(state.inner.finalize(nonce)), hash(&case["inner"]));
            assert_eq!(
                state.pow(nonce),
                U256::from_little_endian(&hash(&case["out"]).0)
            );
        }
    }

    #[test]
    fn levels_fall_with_the_length_of_the_value() {
        assert_eq!(block_level(225, U256::MAX), 0);
        assert_eq!(block_level(225, U256::one() << 225), 0);
        assert_eq!(block_level(225, U256::one() << 223), 1);
        assert_eq!(block_level(250, U256::one()), 249);
        assert_eq!(block_level(250, U256::zero()), 250);
    }
}
