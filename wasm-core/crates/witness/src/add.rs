//! Chip of complete point addition on Pallas, with the identity as (0, 0).

use svc_kernels::curve::{Affine, Pallas};

use crate::sheet::{Fp, Region, Sheet};

/// Columns of the first operand.
pub(crate) const X_P: usize = 0;
pub(crate) const Y_P: usize = 1;
/// Columns of the second operand, and below it of the sum.
pub(crate) const X_QR: usize = 2;
pub(crate) const Y_QR: usize = 3;
/// Columns of the slope and of what decides between the cases.
const LAMBDA: usize = 4;
const ALPHA: usize = 5;
const BETA: usize = 6;
const GAMMA: usize = 7;
const DELTA: usize = 8;

/// P + Q. One region.
pub fn complete(sheet: &mut Sheet<'_>, p: &Affine<Pallas>, q: &Affine<Pallas>) -> Affine<Pallas> {
    fill(&mut sheet.region(), 0, p, q)
}

/// P + Q in two rows of a region. With inv0 the inverse that is 0 for 0: α = inv0(x_Q − x_P), β = inv0(x_P),
/// γ = inv0(x_Q), and δ = inv0(y_P + y_Q) if the abscissas are equal, else 0.
pub(crate) fn fill(
    region: &mut Region<'_>,
    offset: usize,
    p: &Affine<Pallas>,
    q: &Affine<Pallas>,
) -> Affine<Pallas> {
    let difference = q.x.sub(&p.x);
    let equal_abscissas = difference.is_zero();
    let [mut ordinates, mut twice] = [Fp::ZERO; 2];
    if equal_abscissas {
        ordinates = p.y.add(&q.y);
        twice = p.y.add(&p.y);
    }
    let [alpha, beta, gamma, delta, half] = inverses([difference, p.x, q.x, ordinates, twice]);
    let lambda = if equal_abscissas {
        let square = p.x.square();
        square.add(&square).add(&square).mul(&half)
    } else {
        q.y.sub(&p.y).mul(&alpha)
    };
    let sum = if p.x.is_zero() {
        *q
    } else if q.x.is_zero() {
        *p
    } else if equal_abscissas && ordinates.is_zero() {
        Affine::IDENTITY
    } else {
        let x = lambda.square().sub(&p.x).sub(&q.x);
        let y = lambda.mul(&p.x.sub(&x)).sub(&p.y);
        Affine { x, y }
    };
    let row = [
        (X_P, p.x),
        (Y_P, p.y),
        (X_QR, q.x),
        (Y_QR, q.y),
        (LAMBDA, lambda),
        (ALPHA, alpha),
        (BETA, beta),
        (GAMMA, gamma),
        (DELTA, delta),
    ];
    for (column, value) in &row {
        region.set(*column, offset, value);
    }
    region.set(X_QR, offset + 1, &sum.x);
    region.set(Y_QR, offset + 1, &sum.y);
    sum
}

/// The inverses, 0 for 0, with one inversion.
fn inverses<const COUNT: usize>(mut values: [Fp; COUNT]) -> [Fp; COUNT] {
    let is_zero = values.map(|value| value.is_zero());
    let mut prefixes = [Fp::ONE; COUNT];
    let mut product = Fp::ONE;
    for (index, value) in values.iter().enumerate() {
        prefixes[index] = product;
        if !is_zero[index] {
            product = product.mul(value);
        }
    }
    let mut rest = product.invert();
    for (index, value) in values.iter_mut().enumerate().rev() {
        if is_zero[index] {
            *value = Fp::ZERO;
        } else {
            let next = rest.mul(value);
            *value = rest.mul(&prefixes[index]);
            rest = next;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_do_not_disturb_other_inverses() {
        let values = [3, 0, 7, 0, 0].map(Fp::from_u64);
        for (value, inverse) in values.iter().zip(inverses(values)) {
            let expected = if value.is_zero() { Fp::ZERO } else { Fp::ONE };
            assert!(value.mul(&inverse) == expected && inverse.is_zero() == value.is_zero());
        }
    }
}
