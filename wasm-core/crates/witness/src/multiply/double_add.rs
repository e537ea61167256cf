//! Double-and-add chains, A ← (A + P) + A on Pallas, with the slopes that the circuit shows of every step.
//!
//! The steps run in Jacobian coordinates, so the whole chain costs one inversion. With A = (X/Z², Y/Z³) and P = (x, y):
//!
//! - H = x·Z² − X and R = y·Z³ − Y give the slope of A + P, λ₁ = R/(Z·H);
//! - on the denominator Z·H: A = (X·H², Y·H³), and D is its abscissa minus that of A + P;
//! - S = 2·Y·H³ − R·D gives the slope of A and A + P, λ₂ = S/(Z·H·D) = 2·y_A/(x_A − x_(A+P)) − λ₁;
//! - the new Z is Z·H·D, so its inverse is that of the old one once it is multiplied by H·D: the inverses of all steps
//!   follow from the last by one product each.

use svc_kernels::curve::{Affine, Pallas};
use svc_kernels::field::element::Element;
use svc_kernels::lanes::lane::One;
use svc_kernels::lanes::modulus::PallasBase;

use crate::sheet::Fp;

type Register = Element<PallasBase, One>;

/// The values that the circuit shows of one step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Slope of the line through A and P.
    pub lambda_1: Fp,
    /// Slope of the line through A and A + P.
    pub lambda_2: Fp,
    /// The abscissa of the new A.
    pub x: Fp,
}

/// The steps of a chain and the ordinate it ends with. Overwritten when dropped.
#[derive(Debug)]
pub struct Chain {
    /// The steps.
    pub steps: Vec<Step>,
    /// The ordinate of the last A.
    pub y: Fp,
}

/// What a step leaves in Jacobian coordinates.
#[derive(Clone, Copy)]
struct Raw {
    /// λ₁·Z = R·D.
    first: Fp,
    /// λ₂·Z = S.
    second: Fp,
    /// x·Z².
    x: Fp,
    /// The new Z divided by the old one: H·D.
    ratio: Fp,
}

/// The secret steps on their way, overwritten when dropped.
struct RawSteps(Vec<Raw>);

/// A in Jacobian coordinates.
struct Accumulator {
    x: Register,
    y: Register,
    z: Register,
}

/// Adds every point of `addends` in turn.
///
/// None where the sums are undefined: two points of an addition have the same abscissa. Neither the start nor an addend may
/// be the identity, unless all of them are, which is told as well.
pub fn chain(start: &Affine<Pallas>, addends: &[Affine<Pallas>]) -> Option<Chain> {
    let mut raw = RawSteps(Vec::with_capacity(addends.len()));
    let mut accumulator = Accumulator {
        x: start.x.load(),
        y: start.y.load(),
        z: Register::one(),
    };
    for addend in addends {
        raw.0.push(accumulator.step(addend));
    }
    let z = Fp::from_element(&accumulator.z);
    // A zero denominator makes this Z and all later ones zero.
    if z.is_zero() {
        return None;
    }
    let inverse = z.invert();
    let y = Fp::from_element(&accumulator.y).mul(&inverse.square().mul(&inverse));
    Some(Chain {
        steps: affine_steps(&raw, &inverse),
        y,
    })
}

impl Accumulator {
    /// One step. All coordinates stay tight; sizes are noted where they are not.
    fn step(&mut self, addend: &Affine<Pallas>) -> Raw {
        let z_squared = square(&self.z);
        let z_cubed = product(&z_squared, &self.z);
        // Below 5.5 m after a carry.
        let h = product(&addend.x.load(), &z_squared).sub(&self.x).carry();
        let r = product(&addend.y.load(), &z_cubed).sub(&self.y).carry();
        let h_squared = square(&h);
        let h_cubed = product(&h_squared, &h);
        let x = product(&self.x, &h_squared);
        let y = product(&self.y, &h_cubed);
        // D = X·H² − (R² − H³ − 2·X·H²).
        let d = tight(&x.add(&x).add(&x).add(&h_cubed).sub(&square(&r)));
        let ratio = product(&h, &d);
        let first = product(&r, &d);
        let s = tight(&y.add(&y).sub(&first));
        let d_squared = square(&d);
        let d_cubed = product(&d_squared, &d);
        let v = product(&x, &d_squared);
        // S² − (2·X·H² − D)·D².
        self.x = tight(&square(&s).add(&d_cubed).sub_sum(&v.add(&v)));
        // S·(X·H²·D² − x) − Y·H³·D³.
        self.y = tight(&product(&s, &v.sub(&self.x)).sub(&product(&y, &d_cubed)));
        self.z = product(&self.z, &ratio);
        Raw {
            first: Fp::from_element(&first),
            second: Fp::from_element(&s),
            x: Fp::from_element(&self.x),
            ratio: Fp::from_element(&ratio),
        }
    }
}

// In WebAssembly a step with every product inlined is a function so large that it runs a quarter slower.

#[inline(never)]
fn product(a: &Register, b: &Register) -> Register {
    a.mul(b)
}

#[inline(never)]
fn square(a: &Register) -> Register {
    a.square()
}

#[inline(never)]
fn tight(a: &Register) -> Register {
    a.tighten()
}

/// The steps divided by their denominators, the last of which has `inverse`.
fn affine_steps(raw: &RawSteps, inverse: &Fp) -> Vec<Step> {
    let zero = Step {
        lambda_1: Fp::ZERO,
        lambda_2: Fp::ZERO,
        x: Fp::ZERO,
    };
    let mut steps = vec![zero; raw.0.len()];
    let mut inverse = *inverse;
    for (step, raw) in steps.iter_mut().zip(&raw.0).rev() {
        step.lambda_1 = raw.first.mul(&inverse);
        step.lambda_2 = raw.second.mul(&inverse);
        step.x = raw.x.mul(&inverse.square());
        inverse = inverse.mul(&raw.ratio);
    }
    steps
}

impl Drop for Chain {
    fn drop(&mut self) {
        let zero = Step {
            lambda_1: Fp::ZERO,
            lambda_2: Fp::ZERO,
            x: Fp::ZERO,
        };
        self.steps.fill(zero);
        self.y = Fp::ZERO;
        core::hint::black_box(self);
    }
}

impl Drop for RawSteps {
    fn drop(&mut self) {
        let zero = Raw {
            first: Fp::ZERO,
            second: Fp::ZERO,
            x: Fp::ZERO,
            ratio: Fp::ZERO,
        };
        self.0.fill(zero);
        core::hint::black_box(&mut self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Multiples 1, 2, … of the generator.
    fn multiples(count: usize) -> Vec<Affine<Pallas>> {
        let base = Affine::generator();
        let mut point = base.to_point();
        (0..count)
            .map(|_| {
                let affine = point.to_affine();
                point = point.add_affine(&base);
                affine
            })
            .collect()
    }

    #[test]
    fn a_chain_agrees_with_complete_sums() {
        let points = multiples(40);
        let (start, addends) = (points[39], &points[..30]);
        let chain = chain(&start, addends).unwrap();
        let mut point = start;
        for (step, addend) in chain.steps.iter().zip(addends) {
            let middle = point.to_point().add_affine(addend).to_affine();
            let next = middle.to_point().add_affine(&point).to_affine();
            let slope = |from: &Affine<Pallas>, to: &Affine<Pallas>| {
                from.y.sub(&to.y).mul(&from.x.sub(&to.x).invert())
            };
            assert!(step.lambda_1 == slope(&point, addend));
            assert!(step.lambda_2 == slope(&point, &middle));
            assert!(step.x == next.x);
            point = next;
        }
        assert!(chain.steps.len() == 30 && chain.y == point.y);
    }

    #[test]
    fn an_undefined_sum_is_told() {
        let points = multiples(8);
        // The accumulator meets itself, its opposite, and 2·A + P = 0.
        assert!(chain(&points[3], &[points[3], points[1]]).is_none());
        assert!(chain(&points[3], &[points[3].neg(), points[1]]).is_none());
        assert!(chain(&points[2], &[points[5].neg(), points[0]]).is_none());
        assert!(chain(&points[0], &[points[1], points[3]]).is_none());
        assert!(chain(&points[0], &[]).unwrap().y == points[0].y);
    }
}
