//! Multi-scalar multiplications that share their scalars: many sums, each over fixed bases of its own.
//!
//! All sums have their digits in common, so they are sorted into buckets once. A digit of the tables' windows is cut
//! into two smaller ones, because a sum here has too few terms to fill thousands of buckets.

use crate::curve::affine_batch::BatchAdder;

use crate::curve::affine_batch::is_stored_identity;
use crate::curve::{Affine, Curve, Point, normalize};
use crate::msm::bucket_sums::{Term, sum_lists};
use crate::msm::digits::recode;
use crate::msm::fixed_bases::{FixedBases, windows_of};
use crate::msm::weighted_sums::weighted_sums;

/// Where a digit of some scalar goes: point `point` of the table for the sum with offset 0.
struct Entry {
    bucket: usize,
    point: usize,
    negative: bool,
}

/// For every offset o of a range: Σ `scalars[m]` · base o + m·`stride`.
///
/// Scalars are canonical little-endian words and may be public only: the work depends on them. Bases beyond the
/// tables and bases that are the identity count as the identity.
pub fn sums_of_shared_scalars<C: Curve>(
    tables: &FixedBases<C>,
    scalars: &[[u64; 4]],
    stride: usize,
    offsets: core::ops::Range<usize>,
) -> Vec<Affine<C>> {
    let low_bits = tables.bits.div_ceil(2);
    let buckets = 1usize << (low_bits - 1);
    let entries = entries(tables, scalars, stride, low_bits);
    let mut terms: Vec<Term> = Vec::with_capacity(offsets.len() * entries.len());
    let mut bounds = Vec::with_capacity(2 * buckets * offsets.len() + 1);
    bounds.push(0);
    // There are two groups of buckets, for the low and for the high parts of the digits. All offsets of a bucket come
    // before the next bucket: their terms are neighbours in the table.
    let mut rest = entries.as_slice();
    for bucket in 0..2 * buckets {
        let (own, others) = rest.split_at(rest.partition_point(|entry| entry.bucket == bucket));
        for offset in offsets.clone() {
            for entry in own
                .iter()
                .filter(|entry| entry.point % tables.bases + offset < tables.bases)
            {
                // The lists must not hold the identity.
                if !is_stored_identity(&tables.table[entry.point + offset]) {
                    terms.push(2 * (entry.point + offset) as Term + Term::from(entry.negative));
                }
            }
            bounds.push(terms.len() as u32);
        }
        rest = others;
    }
    let mut adder = BatchAdder::default();
    let by_bucket = sum_lists(&tables.table, &terms, &bounds, &mut adder);
    let by_offset: Vec<Affine<C>> = (0..offsets.len())
        .flat_map(|offset| {
            by_bucket
                .iter()
                .skip(offset)
                .step_by(offsets.len())
                .copied()
        })
        .collect();
    let parts = weighted_sums(&by_offset, buckets, &mut adder);
    let sums: Vec<Point<C>> = parts
        .chunks_exact(2)
        .map(|parts| {
            (0..low_bits)
                .fold(parts[1], |sum, _| sum.double())
                .add(&parts[0])
        })
        .collect();
    normalize(&sums)
}

/// The parts of all digits that are not zero, by bucket.
fn entries<C: Curve>(
    tables: &FixedBases<C>,
    scalars: &[[u64; 4]],
    stride: usize,
    low_bits: u32,
) -> Vec<Entry> {
    let buckets = 1usize << (low_bits - 1);
    let mut digits = vec![0i32; windows_of(tables.bits)];
    let mut entries = Vec::new();
    for (m, scalar) in scalars
        .iter()
        .enumerate()
        .take_while(|(m, _)| m * stride < tables.bases)
    {
        recode(scalar, tables.bits, &mut digits);
        for (window, digit) in digits.iter().enumerate() {
            // digit = low + 2^low_bits · high with |low|, |high| at most `buckets`.
            let half = buckets as i32;
            let low = ((digit + half) & (2 * half - 1)) - half;
            let high = (digit - low) >> low_bits;
            for (group, part) in [low, high]
                .into_iter()
                .enumerate()
                .filter(|(_, part)| *part != 0)
            {
                entries.push(Entry {
                    bucket: group * buckets + part.unsigned_abs() as usize - 1,
                    point: window * tables.bases + m * stride,
                    negative: part < 0,
                });
            }
        }
    }
    entries.sort_by_key(|entry| entry.bucket);
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Vesta;

    #[test]
    fn sums_equal_those_of_single_multiplications() {
        let mut point = Affine::<Vesta>::generator().to_point();
        let bases: Vec<Affine<Vesta>> = (0..51)
            .map(|i| {
                point = point.double().add_affine(&Affine::generator());
                if i == 17 {
                    Affine::IDENTITY
                } else {
                    point.to_affine()
                }
            })
            .collect();
        let tables = FixedBases::build(&bases);
        let top = [
            0x992d30ed00000000,
            0x224698fc094cf91b,
            0,
            0x4000000000000000,
        ];
        let dense = [
            0xfedcba9876543210,
            0x0123456789abcdef,
            0xaaaaaaaaaaaaaaaa,
            0x3555555555555555,
        ];
        let scalars = [
            [1, 0, 0, 0],
            top,
            dense,
            [0; 4],
            [64 << 13, 4096, 1 << 63, 0],
            dense,
        ];
        for (stride, offsets) in [(8, 0..8), (8, 2..5), (16, 0..16), (3, 5..6), (9, 4..4)] {
            let sums = sums_of_shared_scalars(&tables, &scalars, stride, offsets.clone());
            assert_eq!(sums.len(), offsets.len());
            for (offset, sum) in offsets.zip(&sums) {
                let expected =
                    scalars
                        .iter()
                        .enumerate()
                        .fold(Point::identity(), |total, (m, scalar)| {
                            let base = bases
                                .get(offset + m * stride)
                                .copied()
                                .unwrap_or(Affine::IDENTITY);
                            total.add(&base.to_point().mul(scalar))
                        });
                assert!(
                    *sum == expected.to_affine(),
                    "offset {offset}, stride {stride}"
                );
            }
        }
    }
}
