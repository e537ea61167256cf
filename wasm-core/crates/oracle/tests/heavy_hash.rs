//! Proof of work against a second, plain one: the parent network's sponges, a rank computed
//! in exact arithmetic, a product written as the specification's sums.

use kaspa_hashes::{Hash, KHeavyHash, PowHash};
use proptest::prelude::*;
use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;
use svc_pow::heavy_hash::PowState;

/// A prime above every 64 × 64 minor that matters with overwhelming probability: a matrix of
/// full rank over the reals has a determinant that a random 61-bit prime does not divide.
const PRIME: i128 = (1 << 61) - 1;

fn words(seed: &[u8; 32]) -> impl FnMut() -> u64 {
    let word = |at: usize| u64::from_le_bytes(core::array::from_fn(|byte| seed[8 * at + byte]));
    let mut s = [word(0), word(1), word(2), word(3)];
    move || {
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }
}

fn power(base: i128, exponent: i128) -> i128 {
    let (mut result, mut base, mut exponent) = (1, base, exponent);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        exponent >>= 1;
    }
    result
}

fn full_rank(matrix: &[Vec<i128>]) -> bool {
    let mut rows = matrix.to_vec();
    for column in 0..64 {
        let Some(pivot) = (column..64).find(|row| rows[*row][column] != 0) else {
            return false;
        };
        rows.swap(column, pivot);
        let inverse = power(rows[column][column], PRIME - 2);
        let (done, below) = rows.split_at_mut(column + 1);
        let pivot_row = &done[column];
        for row in below {
            let factor = row[column] * inverse % PRIME;
            for (cell, above) in row.iter_mut().zip(pivot_row).skip(column) {
                let product = above * factor % PRIME;
                *cell = (*cell + PRIME - product) % PRIME;
            }
        }
    }
    true
}

fn matrix(seed: &[u8; 32]) -> Vec<Vec<i128>> {
    let mut next = words(seed);
    loop {
        let mut draw_row = || {
            let words: Vec<u64> = (0..4).map(|_| next()).collect();
            (0..64)
                .map(|column| i128::from(words[column / 16] >> (4 * (column % 16)) & 15))
                .collect()
        };
        let rows: Vec<Vec<i128>> = (0..64).map(|_| draw_row()).collect();
        if full_rank(&rows) {
            return rows;
        }
    }
}

fn plain_pow(pre_pow_hash: &[u8; 32], timestamp_ms: u64, nonce: u64) -> U256 {
    let inner = PowHash::new(Hash::from_bytes(*pre_pow_hash), timestamp_ms)
        .finalize_with_nonce(nonce)
        .as_bytes();
    let nibbles: Vec<i128> = inner
        .iter()
        .flat_map(|byte| [i128::from(byte >> 4), i128::from(byte & 15)])
        .collect();
    let sums: Vec<i128> = matrix(pre_pow_hash)
        .iter()
        .map(|row| {
            row.iter()
                .zip(&nibbles)
                .map(|(entry, nibble)| entry * nibble)
                .sum()
        })
        .collect();
    let mixed = core::array::from_fn(|byte| {
        let packed = (sums[2 * byte] >> 10) << 4 | sums[2 * byte + 1] >> 10;
        inner[byte] ^ u8::try_from(packed).expect("two nibbles")
    });
    U256::from_little_endian(&KHeavyHash::hash(Hash::from_bytes(mixed)).as_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn values_agree(pre_pow_hash: [u8; 32], timestamp_ms: u64, nonces: [u64; 3]) {
        let state = PowState::from_hash(&Hash32(pre_pow_hash), timestamp_ms);
        for nonce in nonces {
            prop_assert_eq!(state.pow(nonce), plain_pow(&pre_pow_hash, timestamp_ms, nonce));
        }
    }
}
