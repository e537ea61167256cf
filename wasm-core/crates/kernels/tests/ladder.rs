//! One scalar times many points against upstream's multiplication.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use ff::Field;
use group::{Group, GroupEncoding};
use pasta_curves::pallas;
use svc_kernels::curve::ladder::{Digits, Multiples};

use crate::split_mix::SplitMix;
use crate::upstream_points::{ours, random_scalar, words};

#[test]
fn products_are_those_of_upstream() {
    let seed = 11;
    println!("seed {seed}");
    let mut rng = SplitMix(seed);
    let one = pallas::Scalar::ONE;
    let small = |v: u64| pallas::Scalar::from(v);
    let mut scalars = vec![
        one,
        -one,
        small(2),
        -small(2),
        small(3),
        small(5),
        small(8),
        small(19),
        -small(1 << 40),
    ];
    // Powers of two and of the endomorphism's eigenvalue, and their neighbours.
    let lambda = <pallas::Scalar as ff::WithSmallOrderMulGroup<3>>::ZETA;
    scalars.extend([lambda, lambda.square(), -lambda, lambda + one, lambda - one]);
    scalars.extend(
        (1..255)
            .step_by(23)
            .map(|bits| small(2).pow([bits]) - small(bits & 1)),
    );
    scalars.extend((0..20).map(|_| random_scalar(&mut rng)));
    for count in [1usize, 2, 3, 8, 33] {
        let points: Vec<pallas::Point> = (0..count)
            .map(|_| pallas::Point::generator() * random_scalar(&mut rng))
            .collect();
        let tables = Multiples::new(&points.iter().map(ours).collect::<Vec<_>>()).unwrap();
        for scalar in &scalars {
            let products = tables.times(&Digits::new(&words(scalar)).unwrap()).unwrap();
            assert_eq!(products.len(), count);
            for (product, point) in products.iter().zip(&points) {
                assert_eq!(product.to_bytes(), (point * scalar).to_bytes());
            }
        }
    }
    assert!(Digits::new(&[0; 4]).is_none());
    assert!(
        Multiples::new(&[])
            .unwrap()
            .times(&Digits::new(&[1, 0, 0, 0]).unwrap())
            .unwrap()
            .is_empty()
    );
}

#[test]
fn more_points_than_a_block() {
    let mut rng = SplitMix(5);
    let generator = pallas::Point::generator();
    let mut point = generator * random_scalar(&mut rng);
    let points: Vec<pallas::Point> = (0..2051)
        .map(|_| {
            point += generator;
            point
        })
        .collect();
    let tables = Multiples::new(&points.iter().map(ours).collect::<Vec<_>>()).unwrap();
    let scalar = random_scalar(&mut rng);
    let products = tables
        .times(&Digits::new(&words(&scalar)).unwrap())
        .unwrap();
    assert_eq!(products.len(), points.len());
    for (product, point) in products.iter().zip(&points).step_by(37) {
        assert_eq!(product.to_bytes(), (point * scalar).to_bytes());
    }
}

#[test]
fn scalars_together_give_what_each_gives_alone() {
    let seed = 23;
    println!("seed {seed}");
    let mut rng = SplitMix(seed);
    let small = |v: u64| pallas::Scalar::from(v);
    // Of very different lengths: those with few digits wait for the others.
    let mut scalars = vec![small(1), small(3), -small(1), small(1 << 40), small(2)];
    scalars.extend((0..40).map(|_| random_scalar(&mut rng)));
    let digits: Vec<Digits> = scalars
        .iter()
        .map(|scalar| Digits::new(&words(scalar)).unwrap())
        .collect();
    let borrowed: Vec<&Digits> = digits.iter().collect();
    for count in [0usize, 1, 2, 5, 600] {
        let points: Vec<pallas::Point> = (0..count)
            .map(|_| pallas::Point::generator() * random_scalar(&mut rng))
            .collect();
        let tables = Multiples::new(&points.iter().map(ours).collect::<Vec<_>>()).unwrap();
        let together = tables.times_together(&borrowed).unwrap();
        assert_eq!(together.len(), digits.len());
        for (products, scalar) in together.iter().zip(&digits) {
            assert_eq!(products, &tables.times(scalar).unwrap());
        }
        assert!(tables.times_together(&[]).unwrap().is_empty());
    }
    let one = |count| {
        let points = (1..=count).map(|k| ours(&(pallas::Point::generator() * small(k))));
        let points: Vec<_> = points.collect();
        Multiples::new(&points).unwrap().scalars_at_once()
    };
    assert_eq!([one(1), one(2), one(100), one(600)], [256, 256, 5, 1]);
}
