//! Batched sums of table points, many sums in lockstep.
//!
//! A Sinsemilla hash and a multiple of a fixed base are both sums of entries of a fixed table, as many for every
//! input. The sums are taken two by two in the lanes; inside a sum several accumulators run side by side and are
//! folded at the end, so that every round has enough additions to share its inversion.

use crate::curve::lane_sums::sum_lanes;
use crate::curve::point_pairs::{Coincidence, Lockstep, PointPair};
use crate::curve::{Affine, Pallas, Point};

/// Lanes of a pair.
const LANES: usize = 2;
/// Pairs of additions that one inversion should be shared by.
const ROUND: usize = 1024;
/// Pairs of sums that run together; bounds the memory of a round.
const BLOCK: usize = 256;

/// Source of the terms of the sums.
pub trait Terms: Sync {
    /// Terms of every sum, at least one.
    fn count(&self) -> usize;
    /// Term `term` of sum `sum`; never the identity.
    fn get(&self, sum: usize, term: usize) -> &Affine<Pallas>;
}

/// The sums 0 to `sums` − 1, the identity among them if it comes out.
pub fn sum_all(terms: &impl Terms, sums: usize) -> Vec<Affine<Pallas>> {
    let mut memory = Lockstep::new();
    let mut out = Vec::with_capacity(sums);
    if sums == 1 {
        return vec![sum_alone(terms)];
    }
    let mut first = 0;
    while first < sums {
        let block = (sums - first).min(LANES * BLOCK);
        match sum_block(terms, first, block, &mut memory) {
            Ok(pairs) => out.extend((0..block).map(|sum| pairs[sum / LANES].get(sum % LANES))),
            Err(Coincidence) => {
                out.extend((first..first + block).map(|sum| sum_slowly(terms, sum)))
            }
        }
        first += block;
    }
    out
}

/// One sum: an accumulator per lane, as nothing else could share an inversion.
fn sum_alone(terms: &impl Terms) -> Affine<Pallas> {
    let half = terms.count() / LANES;
    let pairs = (0..half).map(|term| PointPair::new(terms.get(0, term), terms.get(0, term + half)));
    let Ok([first, second]) = sum_lanes(pairs) else {
        return sum_slowly(terms, 0);
    };
    (LANES * half..terms.count())
        .fold(first.add(&second), |sum, term| {
            sum.add_affine(terms.get(0, term))
        })
        .to_affine()
}

fn sum_block(
    terms: &impl Terms,
    first: usize,
    sums: usize,
    memory: &mut Lockstep,
) -> Result<Vec<PointPair>, Coincidence> {
    let pairs = sums.div_ceil(LANES);
    let count = terms.count();
    // An odd last sum fills both lanes of its pair.
    let other = |pair: usize| first + (LANES * pair + 1).min(sums - 1);
    let gather = |term: usize, pair: usize| {
        PointPair::new(
            terms.get(first + LANES * pair, term),
            terms.get(other(pair), term),
        )
    };
    let accumulators = (ROUND / pairs).clamp(1, count.div_ceil(2));
    let mut points: Vec<PointPair> = (0..accumulators * pairs)
        .map(|i| gather(i / pairs, i % pairs))
        .collect();
    let mut done = accumulators;
    let mut fresh: Vec<PointPair> = Vec::with_capacity(points.len());
    while done < count {
        let width = accumulators.min(count - done);
        fresh.clear();
        fresh.extend((0..width * pairs).map(|i| gather(done + i / pairs, i % pairs)));
        add_all(&mut points[..width * pairs], &fresh, memory)?;
        done += width;
    }
    fold(&mut points, accumulators, pairs, memory)?;
    points.truncate(pairs);
    Ok(points)
}

fn add_all(
    points: &mut [PointPair],
    others: &[PointPair],
    memory: &mut Lockstep,
) -> Result<(), Coincidence> {
    memory.add(
        points,
        |i| others[i].x.load(),
        |i| others[i].y.load(),
        false,
    )
}

/// Adds up `accumulators` rows of `pairs` points into the first row.
fn fold(
    points: &mut [PointPair],
    mut accumulators: usize,
    pairs: usize,
    memory: &mut Lockstep,
) -> Result<(), Coincidence> {
    while accumulators > 1 {
        let half = accumulators / 2;
        let keep = accumulators - half;
        let (low, high) = points.split_at_mut(keep * pairs);
        add_all(&mut low[..half * pairs], &high[..half * pairs], memory)?;
        accumulators = keep;
    }
    Ok(())
}

/// By complete formulas, for the sums of a block in which two points met.
fn sum_slowly(terms: &impl Terms, sum: usize) -> Affine<Pallas> {
    (0..terms.count())
        .fold(Point::identity(), |total, term| {
            total.add_affine(terms.get(sum, term))
        })
        .to_affine()
}

/// Doubles of doubles of points, one list after the other: entry k·n + i is 2ᵏ times the i-th of the n points, for k
/// below `count`.
pub fn doublings(points: &[Affine<Pallas>], count: usize) -> Vec<Affine<Pallas>> {
    let mut memory = Lockstep::new();
    let mut pairs: Vec<PointPair> = points.chunks(LANES).map(PointPair::of).collect();
    let mut out = Vec::with_capacity(count * points.len());
    for step in 0..count {
        if step > 0 && memory.double(&mut pairs).is_err() {
            // No point of prime order doubles to the identity: only the identity itself gets here.
            out.resize(count * points.len(), Affine::IDENTITY);
            return out;
        }
        out.extend((0..points.len()).map(|i| pairs[i / LANES].get(i % LANES)));
    }
    out
}
