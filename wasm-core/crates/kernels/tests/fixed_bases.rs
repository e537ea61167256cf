//! Multi-scalar multiplication over tables against sums made one by one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_kernels::curve::{Affine, Curve, Pallas, Point, Vesta, normalize};
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::Modulus;
use svc_kernels::msm::fixed_bases::{FixedBases, SortedBases};

use crate::split_mix::SplitMix;

const SEED: u64 = 31;

/// A base and its multiple of the generator: sums over bases are sums of scalars.
type Known<C> = (Affine<C>, Single<<C as Curve>::Scalar>);

fn points<C: Curve>(rng: &mut SplitMix, count: usize) -> Vec<Known<C>> {
    let (start, step) = (rng.scalar(), rng.scalar());
    let generator = Affine::<C>::generator().to_point();
    let step_point = generator.mul(&step).to_affine();
    let (mut log, step) = (Single::from_words(&start), Single::from_words(&step));
    let mut sum = generator.mul(&start);
    let mut logs = Vec::new();
    let all: Vec<Point<C>> = (0..count)
        .map(|_| {
            sum = sum.double().add_affine(&step_point);
            log = log.add(&log).add(&step);
            logs.push(log);
            sum
        })
        .collect();
    normalize(&all).into_iter().zip(logs).collect()
}

fn expected<C: Curve>(scalars: &[[u64; 4]], bases: &[Known<C>]) -> Point<C> {
    let terms = scalars
        .iter()
        .zip(bases)
        .map(|(s, (_, log))| Single::from_words(s).mul(log));
    let sum = terms.fold(Single::ZERO, |sum, term| sum.add(&term));
    Affine::generator().to_point().mul(&sum.to_words())
}

/// Columns of every kind that a proof has, and those that a batch addition can stumble over.
fn columns<C: Curve>(rng: &mut SplitMix, n: usize) -> Vec<Vec<[u64; 4]>> {
    let w = C::Scalar::WORDS;
    let minus_one = [w[0] - 1, w[1], w[2], w[3]];
    let same = rng.scalar();
    let half = |i: usize, s: [u64; 4]| if i < n / 2 { s } else { [0; 4] };
    vec![
        (0..n).map(|_| rng.scalar()).collect(),
        vec![[0; 4]; n],
        vec![[1, 0, 0, 0]; n],
        vec![minus_one; n],
        vec![same; n],
        (0..n).map(|_| [rng.next() % 2, 0, 0, 0]).collect(),
        (0..n).map(|_| [rng.next() % 1024, 0, 0, 0]).collect(),
        (0..n)
            .map(|i| if i % 2 == 0 { [1, 0, 0, 0] } else { minus_one })
            .collect(),
        (0..n).map(|i| half(i, rng.scalar())).collect(),
        (0..n)
            .map(|i| if i == n - 1 { rng.scalar() } else { [0; 4] })
            .collect(),
        (0..n).map(|i| [(i / 7) as u64, 5, 0, 0]).collect(),
        (0..n / 2).map(|_| rng.scalar()).collect(),
        {
            // Falling: differences are small; rising: they are small and negative.
            let mut values: Vec<u64> = (0..n).map(|_| rng.next() % 50).collect();
            values.sort_unstable();
            values.into_iter().map(|value| [value, 0, 0, 0]).collect()
        },
        (0..n)
            .map(|i| [4096 << (i % 3), u64::MAX, 1 << 63, 0x1fff_ffff_ffff_ffff])
            .collect(),
    ]
}

fn check<C: Curve>(known: &[Known<C>], bits: u32, rng: &mut SplitMix) {
    let bases = &known.iter().map(|(base, _)| *base).collect::<Vec<_>>()[..];
    let tables = FixedBases::build_with(bases, bits);
    let stored = tables.to_bytes();
    let tables = FixedBases::<C>::from_bytes(&stored).unwrap();
    assert!(FixedBases::<C>::from_bytes(&stored[..stored.len() - 1]).is_none());
    assert!(FixedBases::<C>::from_bytes(&[&stored[..], &[0]].concat()).is_none());
    assert_eq!(tables.len(), bases.len());
    assert_eq!(tables.bases(), bases);
    assert!(tables.to_bytes() == stored);
    let (first, more) = bases.split_at(bases.len() / 3);
    let extended = FixedBases::build_with(first, bits).extended(more);
    assert!(extended.to_bytes() == stored, "{} bases", bases.len());
    let sorted = SortedBases::build(bases);
    for (case, scalars) in columns::<C>(rng, bases.len()).iter().enumerate() {
        let expected = expected(scalars, known);
        assert!(
            tables.msm(scalars) == expected,
            "case {case}, {} bases, {bits} bits",
            bases.len()
        );
        assert!(
            sorted.msm(&tables, scalars) == expected,
            "sorted, case {case}, {} bases",
            bases.len()
        );
        let [even, odd] = tables.msm_split(scalars, |i| i % 2 == 1);
        assert!(even.add(&odd) == expected, "split, case {case}");
        let part: Vec<_> = scalars
            .iter()
            .enumerate()
            .map(|(i, s)| if i % 2 == 1 { *s } else { [0; 4] })
            .collect();
        assert!(odd == self::expected(&part, known), "odd part, case {case}");
    }
}

fn check_curve<C: Curve>() {
    println!("seed {SEED}");
    let mut rng = SplitMix(SEED);
    for (count, bits) in [
        (1, 13),
        (2, 8),
        (3, 13),
        (50, 11),
        (301, 13),
        (150, 12),
        (90, 14),
    ] {
        check::<C>(&points(&mut rng, count), bits, &mut rng);
    }
    // Repeated, opposite and missing bases put equal and opposite points into one bucket.
    let base = points::<C>(&mut rng, 5);
    let mut mixed: Vec<Known<C>> = (0..60).map(|i| base[i % 5]).collect();
    mixed.extend((0..30).map(|i| (base[i % 5].0.neg(), base[i % 5].1.neg())));
    mixed.extend([(Affine::IDENTITY, Single::ZERO); 7]);
    check(&mixed, 13, &mut rng);
    check(&[base[0]; 40], 9, &mut rng);
    check::<C>(&[(Affine::IDENTITY, Single::ZERO); 3], 13, &mut rng);
    check::<C>(&[], 13, &mut rng);
}

#[test]
fn tables_of_pallas_give_the_sum() {
    check_curve::<Pallas>();
}

#[test]
fn tables_of_vesta_give_the_sum() {
    check_curve::<Vesta>();
}
