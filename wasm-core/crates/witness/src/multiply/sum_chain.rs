//! Prefix sums of points of Pallas with one inversion.
//!
//! A sum (X/Z², Y/Z³) plus (x, y) has the denominator Z·H with H = x·Z² − X, so the inverses of all denominators follow
//! from the last by one product each.

use core::ops::Deref;

use svc_kernels::curve::{Affine, Pallas};
use svc_kernels::field::element::Element;
use svc_kernels::lanes::lane::One;
use svc_kernels::lanes::modulus::PallasBase;

use crate::sheet::Fp;
use crate::values::Values;

type Register = Element<PallasBase, One>;

/// Secret points, overwritten when dropped.
#[derive(Debug)]
pub struct Points(Vec<Affine<Pallas>>);

impl Deref for Points {
    type Target = [Affine<Pallas>];

    fn deref(&self) -> &[Affine<Pallas>] {
        &self.0
    }
}

impl Drop for Points {
    fn drop(&mut self) {
        self.0.fill(Affine::IDENTITY);
        core::hint::black_box(&mut self.0);
    }
}

impl Points {
    /// No points, with room for some.
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Vec::with_capacity(capacity))
    }

    /// Appends a point; past the capacity the old memory is not overwritten.
    pub fn push(&mut self, point: Affine<Pallas>) {
        self.0.push(point);
    }
}

/// The sums of the first one, the first two, … of a list of points. None where an addition is incomplete: two points of
/// it have the same abscissa. The points must not be the identity.
pub fn sums(addends: &[Affine<Pallas>]) -> Option<Points> {
    let (first, rest) = addends.split_first()?;
    let mut sums = Points::with_capacity(addends.len());
    let mut steps = Vec::with_capacity(rest.len());
    let (mut x, mut y, mut z) = (first.x.load(), first.y.load(), Register::one());
    sums.push(*first);
    for addend in rest {
        let z_squared = z.square();
        let h = addend.x.load().mul(&z_squared).sub(&x).tighten();
        let r = addend.y.load().mul(&z_squared).mul(&z).sub(&y).tighten();
        let h_squared = h.square();
        let h_cubed = h_squared.mul(&h);
        let v = x.mul(&h_squared);
        x = r.square().sub(&h_cubed).sub_sum(&v.add(&v)).tighten();
        y = r.mul(&v.sub(&x)).sub(&y.mul(&h_cubed)).tighten();
        z = z.mul(&h);
        steps.push(Fp::from_element(&h));
        sums.push(Affine {
            x: Fp::from_element(&x),
            y: Fp::from_element(&y),
        });
    }
    let steps = Values::from(steps);
    let z = Fp::from_element(&z);
    if z.is_zero() {
        return None;
    }
    let mut inverse = z.invert().load();
    for (sum, step) in sums.0.iter_mut().skip(1).zip(steps.iter()).rev() {
        let squared = inverse.square();
        sum.x = Fp::from_element(&sum.x.load().mul(&squared));
        sum.y = Fp::from_element(&sum.y.load().mul(&squared.mul(&inverse)));
        inverse = inverse.mul(&step.load());
    }
    Some(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn multiple(factor: u64) -> Affine<Pallas> {
        let base = Affine::<Pallas>::generator().to_point();
        base.mul(&[factor, 0, 0, 0]).to_affine()
    }

    #[test]
    fn sums_of_multiples_are_multiples() {
        let factors = [5, 9, 2, 77, 1, 1_000_000_007, 3];
        let addends = factors.map(multiple);
        let mut total = 0;
        let sums = sums(&addends).unwrap();
        assert!(sums.len() == factors.len());
        for (sum, factor) in sums.iter().zip(factors) {
            total += factor;
            assert!(*sum == multiple(total));
        }
    }

    #[test]
    fn incomplete_additions_are_told() {
        assert!(sums(&[]).is_none());
        assert!(sums(&[multiple(3)]).unwrap()[0] == multiple(3));
        assert!(sums(&[multiple(3), multiple(3), multiple(1)]).is_none());
        assert!(sums(&[multiple(3), multiple(2), multiple(5).neg()]).is_none());
    }
}
