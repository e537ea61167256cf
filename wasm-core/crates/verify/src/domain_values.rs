//! Evaluation domain constants of the circuit: the 2048th root of unity, its powers near one, the coset factors.

use svc_circuit::mapping::delta;
use svc_circuit::shape::{LOG_ROWS, PERMUTATION_COLUMNS, ROWS, UNUSABLE_ROWS};
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::{Modulus, PallasBase};

/// An element of the field of circuit values.
pub type Value = Single<PallasBase>;

/// The least generator of the field's multiplicative group.
const GENERATOR: u64 = 5;
/// How many powers of ω the Lagrange polynomials need: ω⁻⁶ to ω⁰.
pub const LAGRANGE_POINTS: usize = UNUSABLE_ROWS + 1;

/// Constants of the domain of [`ROWS`] points.
#[derive(Clone, Debug)]
pub struct DomainValues {
    /// ω, the root of unity whose powers are the rows.
    pub omega: Value,
    /// ω⁻¹.
    pub omega_inverse: Value,
    /// ω⁻⁶ to ω⁰: the last row of the products, the blinding rows, the first row.
    pub ends: [Value; LAGRANGE_POINTS],
    /// δ⁰ to δ¹⁴: factors that keep the permutation's columns apart.
    pub deltas: [Value; PERMUTATION_COLUMNS],
    /// 1/2048.
    pub rows_inverse: Value,
}

impl DomainValues {
    /// Computes the constants.
    pub fn new() -> Self {
        let generator = Value::from_u64(GENERATOR);
        let omega = generator.pow(&shifted_order(LOG_ROWS));
        let omega_inverse = omega.invert();
        let mut ends = [Value::ONE; LAGRANGE_POINTS];
        for index in (0..LAGRANGE_POINTS - 1).rev() {
            ends[index] = ends[index + 1].mul(&omega_inverse);
        }
        let delta = delta();
        let mut deltas = [Value::ONE; PERMUTATION_COLUMNS];
        for index in 1..PERMUTATION_COLUMNS {
            deltas[index] = deltas[index - 1].mul(&delta);
        }
        let rows_inverse = Value::from_u64(ROWS as u64).invert();
        Self {
            omega,
            omega_inverse,
            ends,
            deltas,
            rows_inverse,
        }
    }

    /// ω⁻⁶: the factor from a row to the end of the products.
    pub fn last(&self) -> &Value {
        &self.ends[0]
    }
}

impl Default for DomainValues {
    fn default() -> Self {
        Self::new()
    }
}

/// (m − 1) / 2^`bits` for `bits` below 64.
fn shifted_order(bits: usize) -> [u64; 4] {
    let mut words = PallasBase::WORDS;
    words[0] -= 1;
    let mut shifted = [0u64; 4];
    for (index, word) in shifted.iter_mut().enumerate() {
        let above = words.get(index + 1).copied().unwrap_or(0);
        *word = (words[index] >> bits) | (above << (64 - bits));
    }
    shifted
}

#[cfg(test)]
mod tests {
    use super::*;
    use ff::PrimeField;
    use pasta_curves::Fp;

    #[test]
    fn constants_equal_those_of_upstream() {
        let values = DomainValues::new();
        let mut omega = Fp::ROOT_OF_UNITY;
        for _ in LOG_ROWS..Fp::S as usize {
            omega = omega.square();
        }
        assert_eq!(values.omega.to_bytes(), omega.to_repr());
        assert_eq!(values.deltas[1].to_bytes(), Fp::DELTA.to_repr());
        let mut power = *values.last();
        for _ in 0..UNUSABLE_ROWS {
            power = power.mul(&values.omega);
        }
        assert!(power == Value::ONE);
        assert!(values.rows_inverse.mul(&Value::from_u64(2048)) == Value::ONE);
    }
}
