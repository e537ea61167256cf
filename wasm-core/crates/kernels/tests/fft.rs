//! Transforms against the plain evaluation of polynomials.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use ff::{Field, FromUniformBytes, PrimeField, WithSmallOrderMulGroup};
use pasta_curves::Fp;
use svc_kernels::fft::column::{Coefficients, ROWS, Rows};
use svc_kernels::fft::{COSETS, Domain};
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::PallasBase;

use crate::split_mix::SplitMix;

type Value = Single<PallasBase>;

fn random(count: usize, seed: u64) -> Vec<Fp> {
    println!("seed {seed}");
    let mut rng = SplitMix(seed);
    (0..count)
        .map(|_| {
            let mut bytes = [0u8; 64];
            bytes
                .chunks_exact_mut(8)
                .for_each(|chunk| chunk.copy_from_slice(&rng.next().to_le_bytes()));
            Fp::from_uniform_bytes(&bytes)
        })
        .collect()
}

fn ours(value: &Fp) -> Value {
    Value::from_bytes(&value.to_repr()).unwrap()
}

fn theirs(value: &Value) -> Fp {
    Fp::from_repr(value.to_bytes()).unwrap()
}

fn evaluate(coefficients: &[Fp], point: &Fp) -> Fp {
    coefficients
        .iter()
        .rev()
        .fold(Fp::ZERO, |sum, coefficient| sum * point + coefficient)
}

fn extended_omega() -> Fp {
    (14..Fp::S).fold(Fp::ROOT_OF_UNITY, |root, _| root.square())
}

fn column(values: &[Fp]) -> Coefficients<PallasBase> {
    Coefficients::from_values(&values.iter().map(ours).collect::<Vec<_>>())
}

#[test]
fn constants() {
    let domain = Domain::new();
    let extended = extended_omega();
    assert_eq!(theirs(&domain.extended_omega()), extended);
    let omega = extended.pow([8]);
    assert_eq!(theirs(&domain.omega()), omega);
    assert_eq!(theirs(&domain.omega_inverse()) * omega, Fp::ONE);
    for coset in 0..COSETS {
        let shift = Fp::ZETA * extended.pow([coset as u64]);
        assert_eq!(theirs(&domain.shift(coset)), shift);
        assert_eq!(
            theirs(&domain.vanishing_inverse(coset)) * (shift.pow([ROWS as u64]) - Fp::ONE),
            Fp::ONE
        );
    }
    let point = Fp::from(77);
    assert_eq!(
        theirs(&domain.rotate(&ours(&point), 3)),
        point * omega.pow([3])
    );
    assert_eq!(
        theirs(&domain.rotate(&ours(&point), -6)) * omega.pow([6]),
        point
    );
}

#[test]
fn values_on_rows_and_cosets() {
    let domain = Domain::new();
    let mut inputs = vec![random(ROWS, 1), vec![-Fp::ONE; ROWS], vec![Fp::ONE; ROWS]];
    inputs.push(
        (0..ROWS)
            .map(|i| if i == 2047 { -Fp::ONE } else { Fp::ZERO })
            .collect(),
    );
    let omega = extended_omega().pow([8]);
    for input in inputs {
        let coefficients = column(&input);
        let mut spaces = vec![(Fp::ONE, domain.coefficients_to_rows(&coefficients))];
        for coset in 0..COSETS {
            let shift = Fp::ZETA * extended_omega().pow([coset as u64]);
            spaces.push((shift, domain.coefficients_to_coset(&coefficients, coset)));
        }
        for (shift, rows) in &spaces {
            for row in (0..ROWS).step_by(89).chain([1, 2, 1023, 1024, 1025, 2047]) {
                let point = *shift * omega.pow([row as u64]);
                assert_eq!(
                    theirs(&rows.get(row)),
                    evaluate(&input, &point),
                    "row {row}"
                );
            }
        }
        let back = domain.rows_to_coefficients(&spaces[0].1);
        assert!((0..ROWS).all(|i| back.get(i) == coefficients.get(i)));
    }
}

#[test]
fn every_row() {
    let domain = Domain::new();
    let input = random(ROWS, 2);
    let rows = Rows::from_values(&input.iter().map(ours).collect::<Vec<_>>());
    let coefficients = domain.rows_to_coefficients(&rows);
    let plain: Vec<Fp> = (0..ROWS).map(|i| theirs(&coefficients.get(i))).collect();
    let omega = extended_omega().pow([8]);
    let mut point = Fp::ONE;
    for value in &input {
        assert_eq!(*value, evaluate(&plain, &point));
        point *= omega;
    }
}

#[test]
fn pieces_of_the_extended_domain() {
    let domain = Domain::new();
    let pieces: [Vec<Fp>; COSETS] = core::array::from_fn(|j| random(ROWS, 10 + j as u64));
    let cosets = core::array::from_fn(|coset| {
        let factor = domain.shift(coset).pow(&[ROWS as u64, 0, 0, 0]);
        let mut sum = Rows::<PallasBase>::zero();
        let mut power = Value::ONE;
        for piece in &pieces {
            let rows = domain.coefficients_to_coset(&column(piece), coset);
            for row in 0..ROWS {
                sum.set(row, &sum.get(row).add(&rows.get(row).mul(&power)));
            }
            power = power.mul(&factor);
        }
        sum
    });
    for (found, piece) in domain.cosets_to_coefficients(cosets).iter().zip(&pieces) {
        assert!((0..ROWS).all(|i| theirs(&found.get(i)) == piece[i]));
    }
}
