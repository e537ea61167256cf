//! Batched affine addition of many independent pairs of points, two at a time, with one shared inversion per block.
//!
//! An addition costs three products for its share of the inversion, two products and a square. A zero denominator
//! (equal abscissas, or the identity among the operands) makes the product of a block zero; then the block is done
//! again with those additions taken out and done by the complete formulas.

use crate::curve::{Affine, Curve};
use crate::field::element::Element;
use crate::field::stored::{Pair, Single};
use crate::lanes::modulus::{LIMBS, Modulus};
use crate::lanes::two::Two;

/// A coordinate of two points in registers.
pub type Coordinate<C> = Element<<C as Curve>::Base, Two>;

/// Additions that share one inversion: enough that it costs nothing, few enough that the operands stay in the cache.
pub const BLOCK: usize = 1024;

/// Two points side by side; the identity is (0, 0).
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct AffinePair<C: Curve> {
    /// Both x.
    pub x: Pair<C::Base>,
    /// Both y.
    pub y: Pair<C::Base>,
}

impl<C: Curve> AffinePair<C> {
    /// Two points.
    #[inline(always)]
    pub fn new(first: &Affine<C>, second: &Affine<C>) -> Self {
        Self {
            x: Pair::new(&first.x, &second.x),
            y: Pair::new(&first.y, &second.y),
        }
    }

    /// Point 0 or 1.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> Affine<C> {
        Affine {
            x: self.x.get(lane),
            y: self.y.get(lane),
        }
    }

    /// Replaces point 0 or 1.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, point: &Affine<C>) {
        self.x.set(lane, &point.x);
        self.y.set(lane, &point.y);
    }
}

/// A list of additions a + b of pairs of points. Results of an addition may overwrite operands of earlier ones.
pub trait Additions<C: Curve> {
    /// Additions in the list.
    fn count(&self) -> usize;
    /// Called before each block: the following calls are for jobs `start..end`.
    fn prepare(&mut self, _start: usize, _end: usize) {}
    /// The abscissas of a and b, tight.
    fn abscissas(&self, job: usize) -> [Coordinate<C>; 2];
    /// y_b − y_a (limbs below 5·2²⁹, value below 12 m) and −y_a (limbs below 5·2²⁹, value below 6 m).
    fn ordinates(&self, job: usize) -> [Coordinate<C>; 2];
    /// a and b of one lane.
    fn operands(&self, job: usize, lane: usize) -> [Affine<C>; 2];
    /// Takes the sum, tight.
    fn store(&mut self, job: usize, x: &Coordinate<C>, y: &Coordinate<C>);
    /// Takes the sum of one lane.
    fn store_lane(&mut self, job: usize, lane: usize, sum: &Affine<C>);
}

/// An addition that the batch leaves out.
struct Exception<C: Curve> {
    job: usize,
    lane: usize,
    sum: Affine<C>,
}

/// Runs lists of additions; keeps its scratch memory.
pub struct BatchAdder<C: Curve> {
    prefixes: Vec<Pair<C::Base>>,
    exceptions: Vec<Exception<C>>,
    careful: bool,
}

impl<C: Curve> Default for BatchAdder<C> {
    fn default() -> Self {
        Self {
            prefixes: vec![Pair::ZERO; BLOCK],
            exceptions: Vec::new(),
            careful: false,
        }
    }
}

impl<C: Curve> BatchAdder<C> {
    /// Does all additions of the list, the first ones first.
    pub fn run<A: Additions<C>>(&mut self, additions: &mut A) {
        let count = additions.count();
        let mut start = 0;
        while start < count {
            let end = count.min(start + BLOCK);
            additions.prepare(start, end);
            let product = if self.careful {
                None
            } else {
                self.collect(additions, start, end)
            };
            match product {
                Some(product) => {
                    self.finish::<A, false>(additions, start, end, &inverses(&product))
                }
                None => {
                    let product = self.collect_carefully(additions, start, end);
                    self.finish::<A, true>(additions, start, end, &inverses(&product));
                }
            }
            start = end;
        }
    }

    /// Products of the denominators after each job, the last job first; none if some denominator is zero.
    fn collect<A: Additions<C>>(
        &mut self,
        additions: &A,
        start: usize,
        end: usize,
    ) -> Option<Pair<C::Base>> {
        let mut product = Coordinate::<C>::one();
        for (job, prefix) in (start..end).zip(&mut self.prefixes).rev() {
            prefix.store(&product);
            let [a, b] = additions.abscissas(job);
            product = product.mul(&b.sub(&a));
        }
        let product = Pair::from_element(&product);
        (!product.get(0).is_zero() && !product.get(1).is_zero()).then_some(product)
    }

    /// The same with exceptional lanes counted as one, their sums in `exceptions`.
    fn collect_carefully<A: Additions<C>>(
        &mut self,
        additions: &A,
        start: usize,
        end: usize,
    ) -> Pair<C::Base> {
        let mut product = Coordinate::<C>::one();
        self.exceptions.clear();
        for job in (start..end).rev() {
            if let Some(prefix) = self.prefixes.get_mut(job - start) {
                prefix.store(&product);
            }
            let [a, b] = additions.abscissas(job);
            let mut denominator = Pair::from_element(&b.sub(&a).tighten());
            for lane in 0..2 {
                let [first, second] = additions.operands(job, lane);
                if first.is_identity() || second.is_identity() || denominator.get(lane).is_zero() {
                    let sum = first.to_point().add_affine(&second).to_affine();
                    self.careful |= sum.is_identity();
                    self.exceptions.push(Exception { job, lane, sum });
                    denominator.set(lane, &Single::ONE);
                }
            }
            product = product.mul(&denominator.load());
        }
        Pair::from_element(&product)
    }

    /// Second pass: slopes from the inverse of the product, and the sums.
    fn finish<A: Additions<C>, const CAREFUL: bool>(
        &mut self,
        additions: &mut A,
        start: usize,
        end: usize,
        inverse: &Pair<C::Base>,
    ) {
        let mut inverse = inverse.load();
        for (job, prefix) in (start..end).zip(&self.prefixes) {
            let [a, b] = additions.abscissas(job);
            let mut denominator = b.sub(&a);
            if CAREFUL {
                denominator = self.without_exceptions(job, &denominator);
            }
            let own = inverse.mul(&prefix.load());
            inverse = inverse.mul(&denominator);
            let [rise, negated] = additions.ordinates(job);
            // The product takes limbs below 2³¹.
            let slope = own.mul(&rise.carry());
            let x = slope.square_add(&Coordinate::<C>::zero().sub_sum(&a.add(&b)));
            let y = slope.mul_add(&a.sub(&x), &negated);
            additions.store(job, &x, &y);
            if CAREFUL {
                while let Some(last) = self.exceptions.pop_if(|exception| exception.job == job) {
                    additions.store_lane(job, last.lane, &last.sum);
                }
            }
        }
    }

    fn without_exceptions(&self, job: usize, denominator: &Coordinate<C>) -> Coordinate<C> {
        let mut pair = Pair::from_element(&denominator.tighten());
        for exception in self
            .exceptions
            .iter()
            .rev()
            .take_while(|exception| exception.job == job)
        {
            pair.set(exception.lane, &Single::ONE);
        }
        pair.load()
    }
}

/// Doubles every point. None may be the identity.
pub fn double_all<C: Curve>(points: &mut [AffinePair<C>], prefixes: &mut Vec<Pair<C::Base>>) {
    for block in points.chunks_mut(BLOCK) {
        prefixes.clear();
        let mut product = Coordinate::<C>::one();
        for point in block.iter().rev() {
            prefixes.push(Pair::from_element(&product));
            let y = point.y.load();
            product = product.mul(&y.add(&y));
        }
        let mut inverse = inverses(&Pair::from_element(&product)).load();
        for (point, prefix) in block.iter_mut().zip(prefixes.iter().rev()) {
            let (x, y) = (point.x.load(), point.y.load());
            let own = inverse.mul(&prefix.load());
            inverse = inverse.mul(&y.add(&y));
            let squared = x.square();
            let slope = own.mul(&squared.add(&squared).add(&squared));
            let new_x = slope.square_add(&Coordinate::<C>::zero().sub_sum(&x.add(&x)));
            let new_y = slope.mul_add(&x.sub(&new_x), &y.neg());
            point.x.store(&new_x);
            point.y.store(&new_y);
        }
    }
}

/// The inverses of two elements, with one inversion.
fn inverses<M: Modulus>(pair: &Pair<M>) -> Pair<M> {
    let [a, b] = [pair.get(0), pair.get(1)];
    let both = a.mul(&b).invert();
    Pair::new(&both.mul(&b), &both.mul(&a))
}

/// Inverts every element; zeros stay zero.
pub fn invert_all<M: Modulus>(values: &mut [Single<M>]) {
    let mut prefixes = Vec::with_capacity(values.len());
    let mut product = Single::<M>::ONE;
    for value in values.iter() {
        prefixes.push(product);
        if !value.is_zero() {
            product = product.mul(value);
        }
    }
    let mut inverse = product.invert();
    for (value, prefix) in values.iter_mut().zip(&prefixes).rev() {
        if !value.is_zero() {
            let next = inverse.mul(value);
            *value = inverse.mul(prefix);
            inverse = next;
        }
    }
}

/// Whether the stored form is that of the identity.
#[inline(always)]
pub fn is_stored_identity<C: Curve>(point: &Affine<C>) -> bool {
    *point.x.limbs() == [0; LIMBS] && *point.y.limbs() == [0; LIMBS]
}
