//! Inversion and square roots against the upstream field.
use ff::PrimeField;
use pasta_curves::{Fp, Fq};
use svc_kernels::field::inverse::{batch_invert, invert};
use svc_kernels::field::sqrt::{SquareRoots, sqrt, sqrt_pair};
use svc_kernels::field::stored::{Pair, Single};
use svc_kernels::lanes::modulus::{Modulus, PallasBase, PallasScalar};

fn values<M: Modulus>(count: u64) -> Vec<Single<M>> {
    let mut value = Single::<M>::from_u64(0x9e37_79b9_7f4a_7c15);
    (0..count)
        .map(|i| {
            value = value.square().add(&Single::from_u64(i));
            match i % 7 {
                0 => Single::from_u64(i % 5),
                1 => Single::from_u64(i).neg(),
                _ => value,
            }
        })
        .collect()
}

fn check<M: SquareRoots, F: PrimeField<Repr = [u8; 32]>>() {
    let theirs = |v: &Single<M>| F::from_repr(v.to_bytes()).unwrap();
    let all = values::<M>(3_000);
    for v in &all {
        assert_eq!(theirs(&invert(v)), theirs(v).invert().unwrap_or(F::ZERO));
    }
    for width in [1, 2, 3, 10, 1_000] {
        let pairs: Vec<Pair<M>> = all
            .chunks_exact(2)
            .take(width)
            .map(|two| Pair::new(&two[0], &two[1]))
            .collect();
        let mut inverted = pairs.clone();
        batch_invert(&mut inverted);
        for (pair, inverse) in pairs.iter().zip(&inverted) {
            for lane in 0..2 {
                assert_eq!(invert(&pair.get(lane)), inverse.get(lane));
            }
        }
    }
    for two in all.chunks_exact(2).take(600) {
        let (roots, squares) = sqrt_pair(&Pair::new(&two[0], &two[1]));
        for lane in 0..2 {
            assert_eq!(
                squares[lane],
                bool::from(theirs(&two[lane]).sqrt().is_some())
            );
            if squares[lane] {
                assert_eq!(roots.get(lane).square(), two[lane]);
            }
        }
        assert_eq!(
            sqrt(&two[0].square()).map(|root| root.square()),
            Some(two[0].square())
        );
    }
}

#[test]
fn inverses_and_roots_agree_with_the_upstream_field() {
    check::<PallasBase, Fp>();
    check::<PallasScalar, Fq>();
}
