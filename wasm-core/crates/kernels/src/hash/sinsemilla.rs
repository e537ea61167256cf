//! Sinsemilla hash of many messages at once.
//!
//! Sinsemilla absorbs a chunk m by `acc ← (acc + S[m]) + acc`, so the hash of m₀ … m₍ₙ₋₁₎ is
//! `2ⁿ·Q + Σ 2^(n−1−i)·S[mᵢ]`: a sum of points that can all be tabulated. With the tables of 2ᵏ·S a chunk costs one
//! affine addition instead of two.
//!
//! The specification's additions are incomplete: where two equal or opposite points meet, the hash is undefined. A
//! message that leads there gives a non-trivial relation between the generators (protocol specification, theorem
//! 5.4.4), which nobody can find for generators made by hashing to the curve; so this module gives the complete sum
//! for such a message, and is only for generators of that kind.
//!
//! Chunks and digits index tables, so time depends on them through the caches of this machine; the network sees nothing
//! of it. Who hashes secrets clears the chunks and digits handed in.

use crate::curve::point_pairs::{Lockstep, PointPair};
use crate::curve::{Affine, Pallas};
use crate::field::stored::Single;
use crate::lanes::modulus::PallasScalar;
use crate::msm::point_sums::{Terms, doublings, sum_all};

/// Bits of a chunk.
pub const CHUNK_BITS: usize = 10;
/// Values of a chunk.
pub const CHUNK_VALUES: usize = 1 << CHUNK_BITS;

/// `2ᵏ·S[m]` for a range of k; 74 KB per k.
#[derive(Debug)]
pub struct Generators {
    /// The lowest k.
    first: usize,
    /// Row k − first holds 2ᵏ·S.
    points: Vec<Affine<Pallas>>,
}

/// Multiples of one base for every byte of a scalar: 590 KB.
#[derive(Debug)]
pub struct FixedBase {
    /// Row i holds (2m − 255)·2^(8i) times the base for m = 0 … 255: no digit is zero, so no entry is the identity.
    points: Vec<Affine<Pallas>>,
}

const SCALAR_BYTES: usize = 32;

impl Generators {
    /// Tables for k = 0 … `rows` − 1 from the 1,024 generators.
    pub fn new(generators: &[Affine<Pallas>; CHUNK_VALUES], rows: usize) -> Self {
        Self {
            first: 0,
            points: doublings(generators, rows),
        }
    }

    /// The `rows` tables above these.
    pub fn above(&self, rows: usize) -> Self {
        let top = &self.points[self.points.len() - CHUNK_VALUES..];
        let mut points = doublings(top, rows + 1);
        points.drain(..CHUNK_VALUES);
        Self {
            first: self.rows(),
            points,
        }
    }

    /// Number of rows: one more than the highest k.
    pub fn rows(&self) -> usize {
        self.first + self.points.len() / CHUNK_VALUES
    }

    /// `2ᵏ·S[chunk]`; `chunk` is taken modulo 1,024.
    #[inline(always)]
    pub fn get(&self, k: usize, chunk: u16) -> &Affine<Pallas> {
        &self.points[(k - self.first) * CHUNK_VALUES + (usize::from(chunk) & (CHUNK_VALUES - 1))]
    }
}

/// Messages of equal length, each with its own start, and what is added to their hashes. There are as many starts as
/// messages (and as scalars), and `length` chunks for each.
pub struct Messages<'a> {
    /// Tables for the low k, and for the rest if the message is longer.
    pub generators: [&'a Generators; 2],
    /// Chunks of a message.
    pub length: usize,
    /// Chunks that follow in every message and that the starts account for.
    pub tail: usize,
    /// The chunks, message after message.
    pub chunks: &'a [u16],
    /// 2ⁿ·Q of each message, n being all its chunks, and the sum that its tail adds.
    pub starts: &'a [&'a Affine<Pallas>],
    /// A base and one scalar per message, as [`FixedBase::digits`] gives it.
    pub blinding: Option<(&'a FixedBase, &'a [[u8; SCALAR_BYTES]])>,
}

impl Messages<'_> {
    /// The hash points in order; the identity stands for the identity.
    pub fn hash(&self) -> Vec<Affine<Pallas>> {
        sum_all(self, self.starts.len())
    }
}

impl Terms for Messages<'_> {
    fn count(&self) -> usize {
        1 + self.length
            + if self.blinding.is_some() {
                SCALAR_BYTES
            } else {
                0
            }
    }

    #[inline(always)]
    fn get(&self, sum: usize, term: usize) -> &Affine<Pallas> {
        if term < self.length {
            let k = self.tail + self.length - 1 - term;
            let [low, high] = self.generators;
            let tables = if k < low.rows() { low } else { high };
            return tables.get(k, self.chunks[sum * self.length + term]);
        }
        match self.blinding {
            Some((base, digits)) if term > self.length => {
                let row = term - self.length - 1;
                base.get(row, digits[sum][row])
            }
            _ => self.starts[sum],
        }
    }
}

impl FixedBase {
    /// The table of a base that is not the identity.
    pub fn new(base: &Affine<Pallas>) -> Self {
        // Row by row: the odd multiples up to 255 of 2^(8i)·base, then their opposites below.
        let powers = doublings(&[*base], 8 * SCALAR_BYTES);
        let every = |from: usize| -> Vec<PointPair> {
            let points: Vec<_> = powers.iter().skip(from).step_by(8).copied().collect();
            points.chunks(2).map(PointPair::of).collect()
        };
        let (mut current, twice) = (every(0), every(1));
        let mut memory = Lockstep::new();
        let mut odd: Vec<Vec<PointPair>> = Vec::with_capacity(128);
        for _ in 0..128 {
            odd.push(current.clone());
            // 2·base meets ±(2j + 1)·base for no j below 128.
            if memory
                .add(
                    &mut current,
                    |i| twice[i].x.load(),
                    |i| twice[i].y.load(),
                    false,
                )
                .is_err()
            {
                break;
            }
        }
        let mut points = Vec::with_capacity(256 * SCALAR_BYTES);
        for i in 0..SCALAR_BYTES {
            points.extend(
                odd.iter()
                    .rev()
                    .map(|multiple| multiple[i / 2].get(i % 2).neg()),
            );
            points.extend(odd.iter().map(|multiple| multiple[i / 2].get(i % 2)));
        }
        Self { points }
    }

    /// The row indices of a scalar s (canonical, little-endian words): the bytes of (s + 2²⁵⁶ − 1)/2 modulo the order,
    /// because Σ (2mᵢ − 255)·2^(8i) = 2·m − (2²⁵⁶ − 1).
    pub fn digits(scalar: &[u64; 4]) -> [u8; SCALAR_BYTES] {
        let all = Single::<PallasScalar>::from_words(&[u64::MAX; 4]);
        // (order + 1)/2.
        let half = Single::from_words(&[
            0xc623759080000001,
            0x11234c7e04ca546e,
            0,
            0x2000000000000000,
        ]);
        Single::from_words(scalar).add(&all).mul(&half).to_bytes()
    }

    #[inline(always)]
    fn get(&self, row: usize, digit: u8) -> &Affine<Pallas> {
        &self.points[256 * row + usize::from(digit)]
    }
}
