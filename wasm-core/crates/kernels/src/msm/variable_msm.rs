//! Variable-base multi-scalar multiplication, over bases that come with the call.
//!
//! Scalars are halved by the endomorphism and cut into signed windows. Every window has buckets of its own, and the
//! buckets of all windows are filled in the same batches of affine additions. That also beats interleaved ladders
//! from a few points on, because a batched addition costs half a mixed one; one or two points go alone.

use crate::curve::affine_batch::BatchAdder;
use crate::curve::{Affine, Curve, Point};
use crate::msm::bucket_sums::{Term, sum_lists};
use crate::msm::digits::{Half, recode, split};
use crate::msm::weighted_sums::weighted_sums;

/// Bits of half a scalar and its sign.
const HALF_BITS: u32 = 129;
/// Up to this many terms it costs less to multiply them one by one.
const FEW: usize = 2;
/// Digits sorted at a time: bounds the memory (about 100 bytes each).
const MAX_DIGITS: usize = 1 << 18;

/// Σ scalar·point over the shorter of both lists. Scalars are canonical little-endian words; the identity and zero
/// scalars are allowed.
pub fn msm<C: Curve>(scalars: &[[u64; 4]], points: &[Affine<C>]) -> Point<C> {
    let terms: Vec<(&[u64; 4], &Affine<C>)> = scalars
        .iter()
        .zip(points)
        .filter(|(scalar, point)| **scalar != [0; 4] && !point.is_identity())
        .collect();
    if terms.len() <= FEW {
        return terms
            .iter()
            .fold(Point::identity(), |sum, (scalar, point)| {
                sum.add(&point.to_point().mul(scalar))
            });
    }
    let mut halves = Vec::with_capacity(2 * terms.len());
    let mut bases = Vec::with_capacity(2 * terms.len());
    for (scalar, point) in terms {
        halves.extend(split::<C>(scalar));
        bases.extend([*point, point.endomorphism()]);
    }
    let mut windows = Windows {
        bits: window_bits(halves.len()),
        halves,
        bases,
        adder: BatchAdder::default(),
    };
    let count = HALF_BITS.div_ceil(windows.bits) as usize;
    let at_once = (MAX_DIGITS / windows.halves.len()).clamp(1, count);
    let mut total = Point::identity();
    // From the highest windows down.
    let mut end = count;
    while end > 0 {
        let start = end.saturating_sub(at_once);
        for sum in windows.sums(start..end).iter().rev() {
            for _ in 0..windows.bits {
                total = total.double();
            }
            total = total.add(sum);
        }
        end = start;
    }
    total
}

/// The window size with the fewest additions for this many half scalars.
fn window_bits(halves: usize) -> u32 {
    let cost = |bits: u32| HALF_BITS.div_ceil(bits) as usize * (halves + (1usize << (bits - 1)));
    (2..=14).min_by_key(|bits| cost(*bits)).unwrap_or(8)
}

/// Half scalars in windows.
struct Windows<C: Curve> {
    bits: u32,
    halves: Vec<Half>,
    bases: Vec<Affine<C>>,
    adder: BatchAdder<C>,
}

impl<C: Curve> Windows<C> {
    /// For each window of the range: Σ digit·base over all half scalars.
    fn sums(&mut self, range: core::ops::Range<usize>) -> Vec<Point<C>> {
        let buckets = 1usize << (self.bits - 1);
        let used = range.len();
        let mut bounds = vec![0u32; used * buckets + 1];
        let mut chosen = vec![0i32; used * self.halves.len()];
        let mut digits = vec![0i32; HALF_BITS.div_ceil(self.bits) as usize];
        for (half, chosen) in self.halves.iter().zip(chosen.chunks_exact_mut(used)) {
            let magnitude = half.magnitude;
            recode(
                &[magnitude as u64, (magnitude >> 64) as u64, 0, 0],
                self.bits,
                &mut digits,
            );
            for ((w, digit), place) in digits[range.clone()].iter().enumerate().zip(chosen) {
                *place = if half.negative { -*digit } else { *digit };
                if *digit != 0 {
                    bounds[w * buckets + digit.unsigned_abs() as usize] += 1;
                }
            }
        }
        let mut total = 0;
        for bound in &mut bounds {
            total += *bound;
            *bound = total;
        }
        let mut terms: Vec<Term> = vec![0; total as usize];
        for (i, chosen) in chosen.chunks_exact(used).enumerate() {
            for (w, digit) in chosen.iter().enumerate().filter(|(_, digit)| **digit != 0) {
                // Bucket b of window w is list w·buckets + b − 1; it is filled from its end.
                let place = &mut bounds[w * buckets + digit.unsigned_abs() as usize];
                *place -= 1;
                terms[*place as usize] = 2 * i as u32 + u32::from(*digit < 0);
            }
        }
        bounds.remove(0);
        bounds.push(total);
        let sums = sum_lists(&self.bases, &terms, &bounds, &mut self.adder);
        weighted_sums(&sums, buckets, &mut self.adder)
    }
}
