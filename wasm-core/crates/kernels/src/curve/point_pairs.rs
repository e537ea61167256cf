//! Group operations on many pairs of affine points of Pallas in lockstep: addition, doubling, and both in one.
//!
//! An affine addition needs a division. In lockstep all divisions of a round share one inversion (Montgomery's
//! trick, three products each), so an addition costs six products and a doubling seven; projective formulas cost
//! eleven and seven. The formulas are incomplete: a round in which some denominator is zero reports it and leaves
//! the points as they were, and the caller decides what such a coincidence means.

use crate::curve::{Affine, Pallas};
use crate::field::element::Element;
use crate::field::inverse::invert;
use crate::field::stored::{Pair, Single};
use crate::lanes::modulus::PallasBase;
use crate::lanes::two::Two;

/// Two coordinates in registers.
pub type Coordinates = Element<PallasBase, Two>;

/// Two affine points, neither of them the identity.
#[derive(Copy, Clone, Debug)]
pub struct PointPair {
    /// Both x.
    pub x: Pair<PallasBase>,
    /// Both y.
    pub y: Pair<PallasBase>,
}

impl PointPair {
    /// Two points side by side.
    #[inline(always)]
    pub fn new(first: &Affine<Pallas>, second: &Affine<Pallas>) -> Self {
        Self {
            x: Pair::new(&first.x, &second.x),
            y: Pair::new(&first.y, &second.y),
        }
    }

    /// One or two points; a single one fills both lanes.
    pub fn of(points: &[Affine<Pallas>]) -> Self {
        let point = |lane: usize| {
            points
                .get(lane)
                .or(points.first())
                .unwrap_or(&Affine::IDENTITY)
        };
        Self::new(point(0), point(1))
    }

    /// Point 0 or 1.
    #[inline]
    pub fn get(&self, lane: usize) -> Affine<Pallas> {
        Affine {
            x: self.x.get(lane),
            y: self.y.get(lane),
        }
    }

    #[inline(always)]
    fn store(&mut self, x: &Coordinates, y: &Coordinates) {
        self.x.store(x);
        self.y.store(y);
    }
}

/// A round met a zero denominator: two points that should be unrelated are equal or opposite.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Coincidence;

/// What a round does to a pair of points.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Nothing.
    Stay,
    /// 2P.
    Double,
    /// 2P + Q.
    DoubleAdd,
}

/// Memory for the values between the passes of a round; kept so that rounds allocate nothing.
#[derive(Clone, Debug, Default)]
pub struct Lockstep {
    prefixes: Vec<Pair<PallasBase>>,
    kept: Vec<Pair<PallasBase>>,
    slopes: Vec<Pair<PallasBase>>,
}

impl Lockstep {
    /// No memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn reserve(&mut self, pairs: usize) {
        for scratch in [&mut self.prefixes, &mut self.kept, &mut self.slopes] {
            if scratch.len() < pairs {
                scratch.resize(pairs, Pair::ZERO);
            }
        }
    }

    /// Doubles every point.
    pub fn double(&mut self, points: &mut [PointPair]) -> Result<(), Coincidence> {
        self.reserve(points.len());
        let mut product = Coordinates::one();
        for (point, prefix) in points.iter().zip(&mut self.prefixes) {
            prefix.store(&product);
            let y = point.y.load();
            product = product.mul(&doubled(&y));
        }
        let mut inverse = invert_lanes(&product)?;
        for (point, prefix) in points.iter_mut().zip(&self.prefixes).rev() {
            let (x, y) = (point.x.load(), point.y.load());
            let own = inverse.mul(&prefix.load());
            inverse = inverse.mul(&doubled(&y));
            let (new_x, new_y) = double_by(&x, &y, &own);
            point.store(&new_x, &new_y);
        }
        Ok(())
    }

    /// Adds to point pair i the pair (`x(i)`, `y(i)`), negated if `negate`.
    #[inline(always)]
    pub fn add(
        &mut self,
        points: &mut [PointPair],
        x: impl Fn(usize) -> Coordinates,
        y: impl Fn(usize) -> Coordinates,
        negate: bool,
    ) -> Result<(), Coincidence> {
        self.reserve(points.len());
        let mut inverse = self.invert_differences(points, x)?;
        let scratch = self.prefixes.iter().zip(&self.kept);
        for (i, (point, (prefix, other_x))) in points.iter_mut().zip(scratch).enumerate().rev() {
            let (x1, y1, x2) = (point.x.load(), point.y.load(), other_x.load());
            let own = inverse.mul(&prefix.load());
            inverse = inverse.mul(&x2.sub(&x1));
            let slope = rise(&y1, &y(i), negate).mul(&own);
            let new_x = slope.square().sub_sum(&x1.add(&x2)).tighten();
            let new_y = slope.mul(&x1.sub(&new_x)).sub(&y1).tighten();
            point.store(&new_x, &new_y);
        }
        Ok(())
    }

    /// Doubles every point and adds to pair i the pair (`x(i)`, `y(i)`), negated if `negate`: 2P + Q as (P + Q) + P,
    /// which never needs the y of the first sum. After an error the points are as they were.
    #[inline(always)]
    pub fn double_add(
        &mut self,
        points: &mut [PointPair],
        x: impl Fn(usize) -> Coordinates,
        y: impl Fn(usize) -> Coordinates,
        negate: bool,
    ) -> Result<(), Coincidence> {
        self.reserve(points.len());
        let mut inverse = self.invert_differences(points, x)?;
        let mut product = Coordinates::one();
        let scratch = self
            .prefixes
            .iter_mut()
            .zip(&mut self.kept)
            .zip(&mut self.slopes);
        for (i, (point, ((prefix, kept), kept_slope))) in
            points.iter().zip(scratch).enumerate().rev()
        {
            let (x1, y1, x2) = (point.x.load(), point.y.load(), kept.load());
            let own = inverse.mul(&prefix.load());
            inverse = inverse.mul(&x2.sub(&x1));
            let (slope, sum_x) = first_sum(&x1, &x2, &rise(&y1, &y(i), negate), &own);
            kept.store(&sum_x);
            kept_slope.store(&slope);
            prefix.store(&product);
            product = product.mul(&sum_x.sub(&x1));
        }
        self.add_again(points, &product, |_| true)
    }

    /// Does to pair i what `turn(i)` says; a pair to which is added gets (`x(i)`, `y(i)`), negated if `y(i)` says so. All pairs share
    /// two inversions, whatever they do. After an error the points have no meaning.
    #[inline(always)]
    pub fn double_or_add(
        &mut self,
        points: &mut [PointPair],
        turn: impl Fn(usize) -> Turn,
        x: impl Fn(usize) -> Coordinates,
        y: impl Fn(usize) -> (Coordinates, bool),
    ) -> Result<(), Coincidence> {
        self.reserve(points.len());
        let mut inverse = self.invert_denominators(points, &turn, x)?;
        let mut product = Coordinates::one();
        let scratch = self
            .prefixes
            .iter_mut()
            .zip(&mut self.kept)
            .zip(&mut self.slopes);
        for (i, (point, ((prefix, kept), kept_slope))) in
            points.iter_mut().zip(scratch).enumerate().rev()
        {
            let turn = turn(i);
            if turn == Turn::Stay {
                continue;
            }
            let (x1, y1) = (point.x.load(), point.y.load());
            let own = inverse.mul(&prefix.load());
            if turn == Turn::Double {
                inverse = inverse.mul(&doubled(&y1));
                let (x3, y3) = double_by(&x1, &y1, &own);
                point.store(&x3, &y3);
                continue;
            }
            let x2 = kept.load();
            inverse = inverse.mul(&x2.sub(&x1));
            let (y2, negate) = y(i);
            let (slope, sum_x) = first_sum(&x1, &x2, &rise(&y1, &y2, negate), &own);
            kept.store(&sum_x);
            kept_slope.store(&slope);
            prefix.store(&product);
            product = product.mul(&sum_x.sub(&x1));
        }
        self.add_again(points, &product, |i| turn(i) == Turn::DoubleAdd)
    }

    /// Leaves the running products of what each pair is divided by, and inverts the whole product.
    #[inline(always)]
    fn invert_denominators(
        &mut self,
        points: &[PointPair],
        turn: impl Fn(usize) -> Turn,
        x: impl Fn(usize) -> Coordinates,
    ) -> Result<Coordinates, Coincidence> {
        let mut product = Coordinates::one();
        let scratch = self.prefixes.iter_mut().zip(&mut self.kept);
        for (i, (point, (prefix, kept))) in points.iter().zip(scratch).enumerate() {
            let factor = match turn(i) {
                Turn::Stay => continue,
                Turn::Double => doubled(&point.y.load()),
                Turn::DoubleAdd => {
                    let other = x(i);
                    kept.store(&other);
                    other.sub(&point.x.load())
                }
            };
            prefix.store(&product);
            product = product.mul(&factor);
        }
        invert_lanes(&product)
    }

    /// Makes (P + Q) + P of the pairs to which was added once; `product` is that of their x₊ − x.
    #[inline(always)]
    fn add_again(
        &mut self,
        points: &mut [PointPair],
        product: &Coordinates,
        is_added: impl Fn(usize) -> bool,
    ) -> Result<(), Coincidence> {
        let mut inverse = invert_lanes(product)?;
        let scratch = self.prefixes.iter().zip(&self.kept).zip(&self.slopes);
        for (i, (point, ((prefix, sum_x), slope))) in points.iter_mut().zip(scratch).enumerate() {
            if !is_added(i) {
                continue;
            }
            let (x1, y1, sum_x) = (point.x.load(), point.y.load(), sum_x.load());
            let own = inverse.mul(&prefix.load());
            inverse = inverse.mul(&sum_x.sub(&x1));
            let (x3, y3) = second_sum(&x1, &y1, &sum_x, &slope.load(), &own);
            point.store(&x3, &y3);
        }
        Ok(())
    }

    /// Keeps `x(i)`, leaves the running products of all x(i) − xᵢ, and inverts the whole product.
    #[inline(always)]
    fn invert_differences(
        &mut self,
        points: &[PointPair],
        x: impl Fn(usize) -> Coordinates,
    ) -> Result<Coordinates, Coincidence> {
        let mut product = Coordinates::one();
        let scratch = self.prefixes.iter_mut().zip(&mut self.kept);
        for (i, (point, (prefix, kept))) in points.iter().zip(scratch).enumerate() {
            let other = x(i);
            kept.store(&other);
            prefix.store(&product);
            product = product.mul(&other.sub(&point.x.load()));
        }
        invert_lanes(&product)
    }

    /// Overwrites everything with zeros.
    pub fn clear(&mut self) {
        for scratch in [&mut self.prefixes, &mut self.kept, &mut self.slopes] {
            scratch.fill(Pair::ZERO);
            core::hint::black_box(scratch);
        }
    }
}

#[inline(always)]
fn doubled(y: &Coordinates) -> Coordinates {
    y.add(y)
}

/// 2P, given 1/2y.
#[inline(always)]
fn double_by(
    x: &Coordinates,
    y: &Coordinates,
    inverse: &Coordinates,
) -> (Coordinates, Coordinates) {
    let square = x.square();
    let slope = square.add(&square).add(&square).mul(inverse);
    let new_x = slope.square().sub_sum(&x.add(x)).tighten();
    let new_y = slope.mul(&x.sub(&new_x)).sub(y).tighten();
    (new_x, new_y)
}

/// Slope and x₊ of P + Q, given y₂ − y₁ and 1/(x₂ − x₁).
#[inline(always)]
fn first_sum(
    x1: &Coordinates,
    x2: &Coordinates,
    rise: &Coordinates,
    inverse: &Coordinates,
) -> (Coordinates, Coordinates) {
    let slope = rise.mul(inverse);
    let sum_x = slope.square().sub_sum(&x1.add(x2)).tighten();
    (slope, sum_x)
}

/// (P + Q) + P, given x₊ and the slope of P + Q, and 1/(x₊ − x).
#[inline(always)]
fn second_sum(
    x1: &Coordinates,
    y1: &Coordinates,
    sum_x: &Coordinates,
    slope: &Coordinates,
    inverse: &Coordinates,
) -> (Coordinates, Coordinates) {
    // The slope of the second sum is −(slope + 2y/(x₊ − x)); its sign is put right in y.
    let slope = doubled(y1).mul(inverse).add(slope);
    let new_x = slope.square().sub_sum(&x1.add(sum_x)).tighten();
    let new_y = slope.mul(&new_x.sub(x1).carry()).sub(y1).tighten();
    (new_x, new_y)
}

/// ±y₂ − y₁.
#[inline(always)]
fn rise(y1: &Coordinates, y2: &Coordinates, negate: bool) -> Coordinates {
    if negate {
        Coordinates::zero().sub_sum(&y1.add(y2))
    } else {
        y2.sub(y1)
    }
}

/// The inverses of both lanes by one inversion.
fn invert_lanes(product: &Coordinates) -> Result<Coordinates, Coincidence> {
    let pair = Pair::from_element(product);
    let (low, high): (Single<PallasBase>, Single<PallasBase>) = (pair.get(0), pair.get(1));
    let both = low.mul(&high);
    if both.is_zero() {
        return Err(Coincidence);
    }
    let inverse = invert(&both);
    Ok(Pair::new(&inverse.mul(&high), &inverse.mul(&low)).load())
}
