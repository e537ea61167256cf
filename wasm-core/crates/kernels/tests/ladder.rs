//! One scalar times many points against upstream's multiplication.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use ff::{Field, PrimeField};
use group::{Curve, Group, GroupEncoding};
use pasta_curves::pallas;
use svc_kernels::curve::{Affine, Pallas};
use svc_kernels::ladder::{Digits, Multiples};
use svc_kernels::stored::Single;

struct SplitMix(u64);
impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }
    fn scalar(&mut self) -> pallas::Scalar {
        pallas::Scalar::from_raw([self.next(), self.next(), self.next(), self.next()])
    }
}

fn words(scalar: &pallas::Scalar) -> [u64; 4] {
    let bytes = scalar.to_repr();
    core::array::from_fn(|i| u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().unwrap()))
}

fn ours(point: &pallas::Point) -> Affine<Pallas> {
    use pasta_curves::arithmetic::CurveAffine;
    let at = point.to_affine().coordinates().unwrap();
    Affine {
        x: Single::from_bytes(&at.x().to_repr()).unwrap(),
        y: Single::from_bytes(&at.y().to_repr()).unwrap(),
    }
}

fn theirs(point: &Affine<Pallas>) -> [u8; 32] {
    let mut bytes = point.x.to_bytes();
    bytes[31] |= (point.y.to_bytes()[0] & 1) << 7;
    bytes
}

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
    scalars.extend((0..20).map(|_| rng.scalar()));
    for count in [1usize, 2, 3, 8, 33] {
        let points: Vec<pallas::Point> = (0..count)
            .map(|_| pallas::Point::generator() * rng.scalar())
            .collect();
        let tables = Multiples::new(&points.iter().map(ours).collect::<Vec<_>>()).unwrap();
        for scalar in &scalars {
            let products = tables.times(&Digits::new(&words(scalar)).unwrap()).unwrap();
            assert_eq!(products.len(), count);
            for (product, point) in products.iter().zip(&points) {
                assert_eq!(theirs(product), (point * scalar).to_bytes());
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
    let mut point = generator * rng.scalar();
    let points: Vec<pallas::Point> = (0..2051)
        .map(|_| {
            point += generator;
            point
        })
        .collect();
    let mut affine = vec![pallas::Affine::default(); points.len()];
    pallas::Point::batch_normalize(&points, &mut affine);
    let mapped: Vec<Affine<Pallas>> = affine
        .iter()
        .map(|p| {
            use pasta_curves::arithmetic::CurveAffine;
            let at = p.coordinates().unwrap();
            Affine {
                x: Single::from_bytes(&at.x().to_repr()).unwrap(),
                y: Single::from_bytes(&at.y().to_repr()).unwrap(),
            }
        })
        .collect();
    let scalar = rng.scalar();
    let products = Multiples::new(&mapped)
        .unwrap()
        .times(&Digits::new(&words(&scalar)).unwrap())
        .unwrap();
    assert_eq!(products.len(), points.len());
    for (product, point) in products.iter().zip(&points).step_by(37) {
        assert_eq!(theirs(product), (point * scalar).to_bytes());
    }
}
