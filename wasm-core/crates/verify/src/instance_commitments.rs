//! Commitments to the public inputs, which the transcript takes in before anything of the proof.

use svc_circuit::shape::INSTANCE_ROWS;
use svc_kernels::curve::affine_batch::BatchAdder;
use svc_kernels::curve::{Affine, Vesta, normalize};
use svc_kernels::msm::bucket_sums::{Term, sum_lists};
use svc_kernels::msm::digits::recode;

use crate::domain_values::Value;

/// Bits of a window.
const WINDOW: u32 = 6;
/// Windows of a 255-bit number and the sign of its top digit.
const WINDOWS: usize = 256usize.div_ceil(WINDOW as usize);
/// Multiples kept per window: 1 to 32; the others are opposites.
const ENTRIES: usize = 1 << (WINDOW - 1);

/// Multiples of the first Lagrange bases by every digit of every window, and W at the end; 1 MB.
#[derive(Clone, Debug)]
pub struct InstanceBases {
    multiples: Vec<Affine<Vesta>>,
}

impl InstanceBases {
    /// Builds the tables of the bases; `blinding` is W, which enters every commitment once.
    pub fn new(bases: &[Affine<Vesta>; INSTANCE_ROWS], blinding: &Affine<Vesta>) -> Self {
        let mut multiples = Vec::with_capacity(INSTANCE_ROWS * WINDOWS * ENTRIES + 1);
        for base in bases {
            let mut base = base.to_point();
            for _ in 0..WINDOWS {
                let mut multiple = base;
                for _ in 1..ENTRIES {
                    multiples.push(multiple);
                    multiple = multiple.add(&base);
                }
                multiples.push(multiple);
                base = multiple.double();
            }
        }
        multiples.push(blinding.to_point());
        Self {
            multiples: normalize(&multiples),
        }
    }

    /// The commitments to the public inputs of many actions, all summed up together.
    pub fn commit(&self, actions: &[&[Value; INSTANCE_ROWS]]) -> Vec<Affine<Vesta>> {
        let blinding = (self.multiples.len() - 1) as u32;
        let mut terms: Vec<Term> =
            Vec::with_capacity(actions.len() * (INSTANCE_ROWS * WINDOWS + 1));
        let mut bounds = Vec::with_capacity(actions.len() + 1);
        bounds.push(0);
        for inputs in actions {
            terms.push(2 * blinding);
            for (row, input) in inputs.iter().enumerate() {
                let mut digits = [0i32; WINDOWS];
                recode(&input.to_words(), WINDOW, &mut digits);
                for (window, digit) in digits.iter().enumerate().filter(|(_, digit)| **digit != 0) {
                    let start = ((row * WINDOWS + window) * ENTRIES) as u32;
                    terms.push(2 * (start + digit.unsigned_abs() - 1) + u32::from(*digit < 0));
                }
            }
            bounds.push(terms.len() as u32);
        }
        sum_lists(&self.multiples, &terms, &bounds, &mut BatchAdder::default())
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commitments_are_sums_of_multiples() {
        let generator = Affine::<Vesta>::generator().to_point();
        let bases = core::array::from_fn(|row| generator.mul(&[3, 0, row as u64, 1]).to_affine());
        let blinding = generator.mul(&[0, 5, 0, 0]).to_affine();
        let tables = InstanceBases::new(&bases, &blinding);
        let mut inputs = [Value::ZERO; INSTANCE_ROWS];
        let nothing = inputs;
        for (row, input) in inputs.iter_mut().enumerate() {
            // Minus small numbers: all windows full and carrying. Then numbers of all sizes.
            *input = match row {
                0 => Value::ONE.neg(),
                1 => Value::from_u64(64).neg(),
                2 => Value::ONE,
                _ => Value::from_words(&[u64::MAX - row as u64, 32, 33 << row, 0x2fff_ffff << row]),
            };
        }
        let expected = inputs
            .iter()
            .zip(&bases)
            .fold(blinding.to_point(), |sum, (input, base)| {
                sum.add(&base.to_point().mul(&input.to_words()))
            });
        assert_eq!(
            tables.commit(&[&inputs, &nothing, &inputs]),
            [expected.to_affine(), blinding, expected.to_affine()]
        );
        assert_eq!(tables.commit(&[]), []);
    }
}
