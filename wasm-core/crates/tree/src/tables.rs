//! Precomputed point tables of the note commitment tree's hashes, built at the first use.

use std::sync::LazyLock;

use ff::PrimeField;
use group::{Curve, Group};
use pasta_curves::arithmetic::{CurveAffine, CurveExt};
use pasta_curves::pallas;
use sinsemilla::{Q_PERSONALIZATION, SINSEMILLA_S};
use svc_kernels::curve::{Affine, Pallas};
use svc_kernels::field::stored::Single;
use svc_kernels::hash::sinsemilla::{CHUNK_VALUES, FixedBase, Generators};

use crate::merkle::{LEVELS, NODE_CHUNKS};
use crate::note_commitment::NOTE_CHUNKS;

/// Tables for tree nodes: 3.8 MB.
pub static LOW: LazyLock<Generators> = LazyLock::new(|| {
    let generators: [_; CHUNK_VALUES] =
        core::array::from_fn(|i| point(&SINSEMILLA_S[i].0, &SINSEMILLA_S[i].1));
    Generators::new(&generators, NODE_CHUNKS)
});

/// The further tables that the longer messages of notes need: 4.2 MB.
pub static HIGH: LazyLock<Generators> = LazyLock::new(|| LOW.above(NOTE_CHUNKS - NODE_CHUNKS));

/// What the hash of a node starts with, for each level of its children: the domain's point after one chunk, the level,
/// times 2 for each chunk that follows.
pub static NODE_STARTS: LazyLock<[Affine<Pallas>; LEVELS]> = LazyLock::new(|| {
    let q = domain_point("z.cash:Orchard-MerkleCRH");
    core::array::from_fn(|level| {
        let s = generator(level);
        times_two(&(q + q + s), NODE_CHUNKS - 1)
    })
});

/// What the hash of a note starts with.
pub static NOTE_START: LazyLock<Affine<Pallas>> =
    LazyLock::new(|| times_two(&domain_point("z.cash:Orchard-NoteCommit-M"), NOTE_CHUNKS));

/// The base of the randomness of a note commitment.
pub static NOTE_RANDOMNESS: LazyLock<FixedBase> = LazyLock::new(|| {
    let base = pallas::Point::hash_to_curve("z.cash:Orchard-NoteCommit-r")(&[]);
    FixedBase::new(&affine(&base))
});

/// The base of nullifiers.
pub static NULLIFIER_BASE: LazyLock<FixedBase> = LazyLock::new(|| {
    let base = pallas::Point::hash_to_curve("z.cash:Orchard")(b"K");
    FixedBase::new(&affine(&base))
});

fn domain_point(domain: &str) -> pallas::Point {
    pallas::Point::hash_to_curve(Q_PERSONALIZATION)(domain.as_bytes())
}

fn generator(index: usize) -> pallas::Point {
    let (x, y) = SINSEMILLA_S[index];
    pallas::Affine::from_xy(x, y)
        .into_option()
        .map_or_else(pallas::Point::default, pallas::Point::from)
}

fn times_two(point: &pallas::Point, times: usize) -> Affine<Pallas> {
    affine(&(0..times).fold(*point, |point, _| point.double()))
}

fn affine(at: &pallas::Point) -> Affine<Pallas> {
    let coordinates = at.to_affine().coordinates().into_option();
    coordinates.map_or(Affine::IDENTITY, |at| point(at.x(), at.y()))
}

fn point(x: &pallas::Base, y: &pallas::Base) -> Affine<Pallas> {
    let field = |value: &pallas::Base| Single::from_words(&words(&value.to_repr()));
    Affine {
        x: field(x),
        y: field(y),
    }
}

/// 32 little-endian bytes as four words.
pub fn words(bytes: &[u8; 32]) -> [u64; 4] {
    let mut words = [0; 4];
    for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        let mut eight = [0; 8];
        eight.copy_from_slice(chunk);
        *word = u64::from_le_bytes(eight);
    }
    words
}
