//! Multi-scalar multiplication over any bases against sums made one by one, and the scalar halves.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_kernels::curve::{Affine, Curve, Pallas, Point, Vesta, normalize};
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::Modulus;
use svc_kernels::msm::digits::{Half, balance, recode, split};
use svc_kernels::msm::variable_msm::msm;

use crate::split_mix::SplitMix;

const SEED: u64 = 47;

fn any_scalar<M: Modulus>(rng: &mut SplitMix) -> [u64; 4] {
    let w = M::WORDS;
    match rng.next() % 10 {
        0 => [0; 4],
        1 => [1, 0, 0, 0],
        2 => [w[0] - 1, w[1], w[2], w[3]],
        3 => [rng.next() % 300, 0, 0, 0],
        4 => [w[0] - 1 - rng.next() % 300, w[1], w[2], w[3]],
        5 => [rng.next(), rng.next(), 0, 0],
        _ => rng.scalar(),
    }
}

fn check<C: Curve>() {
    println!("seed {SEED}");
    let mut rng = SplitMix(SEED);
    let generator = Affine::<C>::generator().to_point();
    // Points with known multiples of the generator.
    let mut logs: Vec<Single<C::Scalar>> = (0..260)
        .map(|_| Single::from_words(&rng.scalar()))
        .collect();
    let points: Vec<Point<C>> = logs
        .iter()
        .map(|log| generator.mul(&log.to_words()))
        .collect();
    let mut points = normalize(&points);
    let expected = |scalars: &[[u64; 4]], logs: &[Single<C::Scalar>]| {
        let terms = scalars
            .iter()
            .zip(logs)
            .map(|(s, log)| Single::from_words(s).mul(log));
        generator.mul(
            &terms
                .fold(Single::ZERO, |sum, term| sum.add(&term))
                .to_words(),
        )
    };
    for count in [0, 1, 2, 3, 4, 7, 20, 33, 64, 260] {
        let scalars: Vec<_> = (0..count)
            .map(|_| any_scalar::<C::Scalar>(&mut rng))
            .collect();
        assert!(
            msm(&scalars, &points) == expected(&scalars, &logs),
            "{count} points"
        );
    }
    // Equal, opposite and missing points; equal scalars.
    for i in 0..60 {
        (points[i], logs[i]) = match i % 4 {
            0 => (points[0], logs[0]),
            1 => (points[0].neg(), logs[0].neg()),
            2 => (
                points[61].endomorphism(),
                logs[61].mul(&Single::from_words(&C::LAMBDA)),
            ),
            _ => (Affine::IDENTITY, Single::ZERO),
        };
    }
    let minus_one = [
        C::Scalar::WORDS[0] - 1,
        C::Scalar::WORDS[1],
        C::Scalar::WORDS[2],
        C::Scalar::WORDS[3],
    ];
    for scalar in [[0; 4], [1, 0, 0, 0], minus_one, rng.scalar(), C::LAMBDA] {
        assert!(msm(&[scalar; 70], &points) == expected(&[scalar; 70], &logs));
        assert!(
            msm(&[scalar; 200], &[points[0]; 200]) == expected(&[scalar; 200], &[logs[0]; 200])
        );
    }
    assert!(msm(&[[5, 0, 0, 0]; 40], &[Affine::<C>::IDENTITY; 40]).is_identity());
}

fn check_halves<C: Curve>() {
    let mut rng = SplitMix(SEED);
    let lambda = Single::<C::Scalar>::from_words(&C::LAMBDA);
    let value = |half: &Half| {
        let words = [half.magnitude as u64, (half.magnitude >> 64) as u64, 0, 0];
        let value = Single::<C::Scalar>::from_words(&words);
        if half.negative { value.neg() } else { value }
    };
    for _ in 0..2_000 {
        let scalar = any_scalar::<C::Scalar>(&mut rng);
        let [low, high] = split::<C>(&scalar);
        let whole = Single::from_words(&scalar);
        assert_eq!(value(&low).add(&value(&high).mul(&lambda)), whole);
        let (short, negated) = balance::<C::Scalar>(&scalar);
        assert!(short[3] >> 62 == 0);
        let short_value = Single::from_words(&short);
        assert_eq!(
            if negated {
                short_value.neg()
            } else {
                short_value
            },
            whole
        );
        for bits in [2, 5, 8, 13, 16] {
            let mut digits = vec![0; 256usize.div_ceil(bits as usize)];
            recode(&scalar, bits, &mut digits);
            let sum = digits
                .iter()
                .rev()
                .fold(Single::<C::Scalar>::ZERO, |sum, digit| {
                    assert!(digit.unsigned_abs() <= 1 << (bits - 1));
                    let size = Single::from_u64(u64::from(digit.unsigned_abs()));
                    sum.mul(&Single::from_u64(1 << bits)).add(&if *digit < 0 {
                        size.neg()
                    } else {
                        size
                    })
                });
            assert_eq!(sum, whole);
        }
    }
}

#[test]
fn halves_and_digits_add_up() {
    check_halves::<Pallas>();
    check_halves::<Vesta>();
}

#[test]
fn sums_over_pallas_agree() {
    check::<Pallas>();
}

#[test]
fn sums_over_vesta_agree() {
    check::<Vesta>();
}
