//! Projective sums of a few points, half of them in each lane: what a single hash needs, which has no other sums to
//! share inversions with.

use crate::curve::point_pairs::{Coincidence, Coordinates, PointPair};
use crate::curve::{Pallas, Point};
use crate::field::stored::Pair;

/// One projective point in each lane.
struct LanePoints {
    x: Coordinates,
    y: Coordinates,
    z: Coordinates,
}

impl LanePoints {
    /// Adds an affine point to each lane, incompletely: where both have the same x, Z becomes zero and stays so.
    /// The formulas and their bounds are those of the single point.
    #[inline(always)]
    fn add(&mut self, other: &PointPair) {
        let z_squared = self.z.square();
        let u2 = other.x.load().mul(&z_squared);
        let s2 = other.y.load().mul(&z_squared).mul(&self.z);
        let h = u2.sub(&self.x).tighten();
        let r = s2.sub(&self.y).tighten();
        let h_squared = h.square();
        let h_cubed = h_squared.mul(&h);
        let v = self.x.mul(&h_squared);
        let two_v = v.add(&v);
        self.x = r.square().sub(&h_cubed).sub_sum(&two_v).tighten();
        self.y = r.mul(&v.sub(&self.x)).sub(&self.y.mul(&h_cubed)).tighten();
        self.z = self.z.mul(&h);
    }
}

/// The sums of both lanes. Some pair is needed, or there is no sum.
///
/// # Errors
/// [`Coincidence`] where a point met itself or its opposite.
pub fn sum_lanes(
    mut pairs: impl Iterator<Item = PointPair>,
) -> Result<[Point<Pallas>; 2], Coincidence> {
    let Some(first) = pairs.next() else {
        return Ok([Point::identity(); 2]);
    };
    let mut sum = LanePoints {
        x: first.x.load(),
        y: first.y.load(),
        z: Coordinates::one(),
    };
    for pair in pairs {
        sum.add(&pair);
    }
    let [x, y, z] = [&sum.x, &sum.y, &sum.z].map(Pair::from_element);
    let points = [0, 1].map(|lane| Point::from_coordinates(x.get(lane), y.get(lane), z.get(lane)));
    if points.iter().any(Point::is_identity) {
        return Err(Coincidence);
    }
    Ok(points)
}
