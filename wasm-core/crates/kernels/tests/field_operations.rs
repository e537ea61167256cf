//! A million random operations per field kernel against integers of 512 bits, edge values included.
//!
//! The kernels are the scalar form and two lanes; in the WebAssembly build of this test the lanes are SIMD. The seed is printed; a build with `SVC_SEED` has another.

use svc_kernels::field::stored::{Pair, Single};
use svc_kernels::lanes::modulus::{Modulus, PallasBase, PallasScalar};

use crate::split_mix::SplitMix;

#[allow(clippy::manual_div_ceil)]
mod wide {
    uint::construct_uint! {
        /// Holds a product of two residues.
        pub struct U512(8);
    }
}
use wide::U512;

/// Operations per kernel and field, twice as many if the test is built with `SVC_TEST_SIZE=full`; every round checks
/// four values by six operations.
const OPERATIONS: usize = match option_env!("SVC_TEST_SIZE") {
    Some(size) if matches!(size.as_bytes(), b"full") => 1_000_000,
    _ => 500_000,
};
const PER_ROUND: usize = 24;

/// Mostly uniform, often at the edges: 0, ±1, ±2, powers of two, runs of ones, all limbs full or half full.
fn residue(rng: &mut SplitMix, modulus: U512) -> U512 {
    let bit = (rng.next() % 255) as usize;
    match rng.next() % 12 {
        0 => U512::zero(),
        1 => U512::from(rng.next() % 3),
        2 => modulus - U512::from(1 + rng.next() % 3),
        3 => (U512::one() << bit) % modulus,
        4 => ((U512::one() << bit) - 1) % modulus,
        5 => modulus - 1 - ((U512::one() << bit) % modulus),
        6 => limbs(13, 1 << 12) % modulus,
        7 => limbs(13, (1 << 12) - 1) % modulus,
        8 => limbs(29, (1 << 29) - 1) % modulus,
        _ => (0..4).fold(U512::zero(), |sum, _| (sum << 64) + rng.next()) % modulus,
    }
}

/// The number of 254 bits whose limbs of `bits` bits all are `limb`.
fn limbs(bits: usize, limb: u64) -> U512 {
    let full = (0..254 / bits).fold(U512::zero(), |sum, _| (sum << bits) + limb);
    full << (254 % bits)
}

fn words(value: U512) -> [u64; 4] {
    [value.0[0], value.0[1], value.0[2], value.0[3]]
}

fn integer<M: Modulus>(value: &Single<M>) -> U512 {
    value
        .to_words()
        .iter()
        .rev()
        .fold(U512::zero(), |sum, word| (sum << 64) + *word)
}

type Four<M> = [Single<M>; 4];

/// One kernel: what it makes of a·b, a², a + b, a − b, −a and (a − b)·(a + b), four values at a time.
type Kernel<M> = fn(&Four<M>, &Four<M>) -> [Four<M>; 6];

fn scalar<M: Modulus>(a: &Four<M>, b: &Four<M>) -> [Four<M>; 6] {
    let each =
        |f: fn(&Single<M>, &Single<M>) -> Single<M>| core::array::from_fn(|i| f(&a[i], &b[i]));
    [
        each(Single::mul),
        each(|a, _| a.square()),
        each(Single::add),
        each(Single::sub),
        each(|a, _| a.neg()),
        each(|a, b| {
            Single::from_element(
                &a.load()
                    .sub(&b.load())
                    .mul(&a.load().add(&b.load()).carry()),
            )
        }),
    ]
}

fn two_lanes<M: Modulus>(a: &Four<M>, b: &Four<M>) -> [Four<M>; 6] {
    let pairs = |four: &Four<M>| {
        [
            Pair::new(&four[0], &four[1]).load(),
            Pair::new(&four[2], &four[3]).load(),
        ]
    };
    let (a, b) = (pairs(a), pairs(b));
    let results = [
        core::array::from_fn(|i| a[i].mul(&b[i])),
        core::array::from_fn(|i| a[i].square()),
        core::array::from_fn(|i| a[i].add(&b[i]).tighten()),
        core::array::from_fn(|i| a[i].sub(&b[i]).tighten()),
        core::array::from_fn(|i| a[i].neg().tighten()),
        core::array::from_fn(|i: usize| a[i].sub(&b[i]).mul(&a[i].add(&b[i]).carry())),
    ];
    results.map(|two: [_; 2]| {
        let pairs = two.map(|element| Pair::from_element(&element));
        core::array::from_fn(|i| pairs[i / 2].get(i % 2))
    })
}

fn check<M: Modulus>(name: &str, kernel: Kernel<M>) {
    let seed = option_env!("SVC_SEED")
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(20_260_801);
    println!("{name}: seed {seed}");
    let modulus = M::WORDS
        .iter()
        .rev()
        .fold(U512::zero(), |sum, word| (sum << 64) + *word);
    let mut rng = SplitMix(seed);
    for _ in 0..OPERATIONS / PER_ROUND {
        let a: [U512; 4] = core::array::from_fn(|_| residue(&mut rng, modulus));
        let b: [U512; 4] = core::array::from_fn(|_| residue(&mut rng, modulus));
        let results = kernel(
            &a.map(|v| Single::from_words(&words(v))),
            &b.map(|v| Single::from_words(&words(v))),
        );
        for i in 0..4 {
            let (a, b) = (a[i], b[i]);
            let (sum, difference) = ((a + b) % modulus, (a + modulus - b) % modulus);
            let expected = [
                a * b % modulus,
                a * a % modulus,
                sum,
                difference,
                (modulus - a) % modulus,
                difference * sum % modulus,
            ];
            for (operation, expected) in expected.into_iter().enumerate() {
                assert_eq!(
                    integer(&results[operation][i]),
                    expected,
                    "{name}, operation {operation} on {a} and {b}"
                );
            }
        }
    }
}

#[test]
fn the_scalar_kernel_agrees_with_integers() {
    check::<PallasBase>("scalar, base field", scalar);
    check::<PallasScalar>("scalar, scalar field", scalar);
}

#[test]
fn the_two_lane_kernel_agrees_with_integers() {
    check::<PallasBase>("two lanes, base field", two_lanes);
    check::<PallasScalar>("two lanes, scalar field", two_lanes);
}
