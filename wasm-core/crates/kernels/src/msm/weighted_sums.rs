//! Bucket reduction of multi-scalar multiplication: Σ b·B_b over the buckets, for many groups of buckets at once.

use crate::curve::affine_batch::BatchAdder;

use crate::curve::affine_batch::is_stored_identity;
use crate::curve::{Affine, Curve, Point};
use crate::msm::bucket_sums::sum_lists;

/// Groups of at most this many buckets are summed one after the other.
const SMALL: usize = 8;

/// For each group of `size` buckets (point i of a group has weight i + 1) the weighted sum.
///
/// With b = r·h + l: Σ b·B_b = r·Σ_h h·(Σ_l B) + Σ_l l·(Σ_h B): two additions per bucket, all of them independent
/// but for the depth of the sums, and then two groups of about √size buckets.
pub fn weighted_sums<C: Curve>(
    points: &[Affine<C>],
    size: usize,
    adder: &mut BatchAdder<C>,
) -> Vec<Point<C>> {
    if size <= SMALL {
        return points.chunks(size.max(1)).map(running_sum).collect();
    }
    // r = 2^shift; high parts 1..=size/r, low parts 1..r, both in groups of one size.
    let shift = size.ilog2().div_ceil(2);
    let part = (size >> shift).max((1 << shift) - 1);
    let (mut terms, mut bounds) = (Vec::with_capacity(2 * points.len()), vec![0u32]);
    for (group, buckets) in points.chunks(size).enumerate() {
        let first = group * size;
        let mut list = |weights: &mut dyn Iterator<Item = usize>| {
            for weight in weights {
                if buckets
                    .get(weight - 1)
                    .is_some_and(|bucket| !is_stored_identity(bucket))
                {
                    terms.push(2 * (first + weight - 1) as u32);
                }
            }
            bounds.push(terms.len() as u32);
        };
        for high in 1..=part {
            list(&mut ((high << shift)..((high + 1) << shift)));
        }
        for low in 1..=part {
            if low < 1 << shift {
                list(&mut (low..=size).step_by(1 << shift));
            } else {
                list(&mut core::iter::empty());
            }
        }
    }
    let sums = sum_lists(points, &terms, &bounds, adder);
    let parts = weighted_sums(&sums, part, adder);
    parts
        .chunks_exact(2)
        .map(|pair| {
            (0..shift)
                .fold(pair[0], |sum, _| sum.double())
                .add(&pair[1])
        })
        .collect()
}

/// Σ (i + 1)·P_i by sums of sums from the end.
fn running_sum<C: Curve>(points: &[Affine<C>]) -> Point<C> {
    let mut sum = Point::identity();
    let mut total = Point::identity();
    for point in points.iter().rev() {
        sum = sum.add_affine(point);
        total = total.add(&sum);
    }
    total
}
