//! Hashes and commitments in lockstep against the `sinsemilla` crate.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::LazyLock;

use group::{Group, GroupEncoding};
use pasta_curves::arithmetic::CurveExt;
use pasta_curves::pallas;
use sinsemilla::{CommitDomain, HashDomain, K, Q_PERSONALIZATION, SINSEMILLA_S};
use svc_kernels::curve::{Affine, Pallas};
use svc_kernels::hash::sinsemilla::{CHUNK_VALUES, FixedBase, Generators, Messages};
use svc_kernels::msm::point_sums::{Terms, sum_all};

use crate::split_mix::SplitMix;
use crate::upstream_points::{coordinates, ours, random_scalar, words};

const LOW: usize = 52;
const HIGH: usize = 57;

static TABLES: LazyLock<[Generators; 2]> = LazyLock::new(|| {
    let generators: [Affine<Pallas>; CHUNK_VALUES] =
        core::array::from_fn(|i| coordinates(&SINSEMILLA_S[i]));
    let low = Generators::new(&generators, LOW);
    let high = low.above(HIGH);
    assert_eq!((low.rows(), high.rows()), (LOW, LOW + HIGH));
    [low, high]
});

fn bits(chunks: &[u16]) -> impl Iterator<Item = bool> + '_ {
    chunks
        .iter()
        .flat_map(|chunk| (0..K).map(move |bit| chunk >> bit & 1 == 1))
}

fn start(domain: &str, length: usize) -> Affine<Pallas> {
    let q = pallas::Point::hash_to_curve(Q_PERSONALIZATION)(domain.as_bytes());
    ours(&(0..length).fold(q, |point, _| point.double()))
}

fn random_chunks(rng: &mut SplitMix, count: usize) -> Vec<u16> {
    (0..count)
        .map(|_| match rng.next() % 8 {
            0 => 0,
            1 => 1023,
            _ => (rng.next() & 1023) as u16,
        })
        .collect()
}

#[test]
fn hashes_are_those_of_the_specification() {
    let seed = 21;
    println!("seed {seed}");
    let mut rng = SplitMix(seed);
    let domain = HashDomain::new("test:hash");
    for (length, messages) in [
        (1, 3),
        (2, 1),
        (7, 20),
        (51, 2),
        (52, 1),
        (52, 700),
        (53, 9),
        (109, 60),
    ] {
        let chunks = random_chunks(&mut rng, length * messages);
        let start = start("test:hash", length);
        let starts = vec![&start; messages];
        let hashes = Messages {
            generators: TABLES.each_ref(),
            length,
            tail: 0,
            chunks: &chunks,
            starts: &starts,
            blinding: None,
        }
        .hash();
        assert_eq!(hashes.len(), messages);
        for (hash, message) in hashes.iter().zip(chunks.chunks(length)) {
            assert_eq!(
                hash.to_bytes(),
                domain.hash_to_point(bits(message)).unwrap().to_bytes()
            );
        }
    }
}

#[test]
fn commitments_are_those_of_the_specification() {
    let seed = 22;
    println!("seed {seed}");
    let mut rng = SplitMix(seed);
    let domain = CommitDomain::new("test:commit");
    let base = FixedBase::new(&ours(&pallas::Point::hash_to_curve("test:commit-r")(&[])));
    let edges = [
        pallas::Scalar::zero(),
        pallas::Scalar::one(),
        -pallas::Scalar::one(),
        pallas::Scalar::from(255),
    ];
    for (length, messages) in [(1, 1), (3, 2), (109, 31)] {
        let chunks = random_chunks(&mut rng, length * messages);
        let scalars: Vec<_> = (0..messages)
            .map(|i| {
                edges
                    .get(i)
                    .copied()
                    .unwrap_or_else(|| random_scalar(&mut rng))
            })
            .collect();
        let digits: Vec<_> = scalars
            .iter()
            .map(|scalar| FixedBase::digits(&words(scalar)))
            .collect();
        let start = start("test:commit-M", length);
        let starts = vec![&start; messages];
        let points = Messages {
            generators: TABLES.each_ref(),
            length,
            tail: 0,
            chunks: &chunks,
            starts: &starts,
            blinding: Some((&base, &digits)),
        }
        .hash();
        for ((point, message), scalar) in points.iter().zip(chunks.chunks(length)).zip(&scalars) {
            assert_eq!(
                point.to_bytes(),
                domain.commit(bits(message), scalar).unwrap().to_bytes()
            );
        }
    }
}

/// Multiples of the generator; sums of them meet all kinds of coincidences.
struct Small {
    multiples: Vec<Affine<Pallas>>,
    terms: Vec<Vec<usize>>,
}

impl Terms for Small {
    fn count(&self) -> usize {
        self.terms[0].len()
    }
    fn get(&self, sum: usize, term: usize) -> &Affine<Pallas> {
        &self.multiples[self.terms[sum][term]]
    }
}

#[test]
fn sums_in_which_points_meet_are_complete() {
    let generator = pallas::Point::generator();
    let scalar = |index: usize| match index {
        0..8 => pallas::Scalar::from(index as u64 + 1),
        _ => -pallas::Scalar::from(index as u64 - 7),
    };
    let multiples: Vec<_> = (0..16)
        .map(|index| ours(&(generator * scalar(index))))
        .collect();
    let mut rng = SplitMix(4);
    for (sums, count) in [(1, 1), (1, 2), (1, 9), (2, 3), (5, 4), (40, 6)] {
        let terms: Vec<Vec<usize>> = (0..sums)
            .map(|_| (0..count).map(|_| (rng.next() & 15) as usize).collect())
            .collect();
        let small = Small {
            multiples: multiples.clone(),
            terms,
        };
        for (sum, terms) in sum_all(&small, sums).iter().zip(&small.terms) {
            let expected: pallas::Scalar = terms.iter().map(|index| scalar(*index)).sum();
            let expected = generator * expected;
            match bool::from(expected.is_identity()) {
                true => assert!(sum.is_identity()),
                false => assert_eq!(sum.to_bytes(), expected.to_bytes()),
            }
        }
    }
    assert!(
        sum_all(
            &Small {
                multiples,
                terms: vec![vec![0]]
            },
            0
        )
        .is_empty()
    );
}
