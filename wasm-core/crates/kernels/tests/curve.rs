//! Points and encodings against the upstream curves.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use ff::PrimeField;
use group::{Curve as _, Group, GroupEncoding};
use pasta_curves::{Ep, Eq, Fp, Fq};
use svc_kernels::curve::{Affine, Curve, Pallas, Point, Vesta, normalize};
use svc_kernels::lanes::modulus::Modulus;

use crate::split_mix::SplitMix;

fn edge_scalar(rng: &mut SplitMix, modulus: &[u64; 4]) -> [u64; 4] {
    match rng.next() % 8 {
        0 => [0; 4],
        1 => [1, 0, 0, 0],
        2 => [modulus[0] - 1, modulus[1], modulus[2], modulus[3]],
        3 => [rng.next() % 40, 0, 0, 0],
        _ => rng.scalar(),
    }
}

fn bytes_of(words: &[u64; 4]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (chunk, word) in bytes.chunks_exact_mut(8).zip(words) {
        chunk.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

fn check<C, F, G>(rounds: usize)
where
    C: Curve,
    F: PrimeField<Repr = [u8; 32]>,
    G: Group<Scalar = F> + GroupEncoding<Repr = [u8; 32]>,
{
    let mut rng = SplitMix(11);
    let ours = |p: &G| Affine::<C>::from_bytes(&p.to_bytes()).unwrap();
    let generator = Affine::<C>::generator();
    assert!(generator.is_valid() && !generator.is_identity());
    let mut points = vec![(Point::<C>::identity(), G::identity())];
    for _ in 0..rounds {
        let k = edge_scalar(&mut rng, &C::Scalar::WORDS);
        let field = F::from_repr(bytes_of(&k)).unwrap();
        let theirs = G::generator() * field;
        let mine = generator.to_point().mul(&k);
        assert_eq!(mine.to_affine().to_bytes(), theirs.to_bytes());
        assert_eq!(ours(&theirs), mine.to_affine());
        assert!(ours(&theirs).is_valid());
        let (other_mine, other_theirs) = points[rng.next() as usize % points.len()];
        for (a, b) in [
            (mine.add(&other_mine), theirs + other_theirs),
            (
                mine.add_affine(&other_mine.to_affine()),
                theirs + other_theirs,
            ),
            (mine.double(), theirs.double()),
            (mine.add(&mine), theirs.double()),
            (mine.add(&mine.double().add(&mine.neg())), theirs.double()),
            (mine.add_affine(&mine.to_affine()), theirs.double()),
            (mine.add(&mine.neg()), G::identity()),
            (mine.add_affine(&mine.to_affine().neg()), G::identity()),
            (
                mine.endomorphism(),
                theirs * F::from_repr(bytes_of(&C::LAMBDA)).unwrap(),
            ),
        ] {
            assert_eq!(a.to_affine().to_bytes(), b.to_bytes());
            points.push((a, b));
        }
    }
    let affine = normalize(&points.iter().map(|p| p.0).collect::<Vec<_>>());
    let encodings: Vec<[u8; 32]> = points.iter().map(|p| p.1.to_bytes()).collect();
    for (mine, theirs) in affine.iter().zip(&encodings) {
        assert_eq!(&mine.to_bytes(), theirs);
    }
    assert_eq!(Affine::<C>::decompress_batch(&encodings).unwrap(), affine);
    check_encodings::<C, G>(&mut rng, encodings);
}

/// Damaged and arbitrary byte strings are read as upstream reads them.
fn check_encodings<C, G>(rng: &mut SplitMix, encodings: Vec<[u8; 32]>)
where
    C: Curve,
    G: Group + GroupEncoding<Repr = [u8; 32]>,
{
    let mut damaged = encodings;
    let last = damaged.len() - 1;
    damaged[last] = [0xff; 32];
    assert!(Affine::<C>::decompress_batch(&damaged).is_none());
    for i in 0..2_000u64 {
        let mut bytes = bytes_of(&[rng.next(), rng.next(), rng.next(), rng.next()]);
        if i < 64 {
            bytes = bytes_of(&[i / 2, 0, 0, (i % 2) << 63]);
        } else if i < 128 {
            let words = C::Base::WORDS;
            bytes = bytes_of(&[
                words[0].wrapping_add(i).wrapping_sub(100),
                words[1],
                words[2],
                words[3] | ((i % 2) << 63),
            ]);
        }
        let theirs: Option<G> = G::from_bytes(&bytes).into();
        let mine = Affine::<C>::from_bytes(&bytes);
        assert_eq!(mine.is_some(), theirs.is_some(), "{bytes:?}");
        assert_eq!(
            Affine::<C>::decompress_each(&[bytes, bytes_of(&[1, 0, 0, 0]), bytes])[2],
            mine
        );
        if let (Some(mine), Some(theirs)) = (mine, theirs) {
            assert_eq!(mine.to_bytes(), theirs.to_bytes());
            assert!(mine.is_valid());
        }
    }
}

#[test]
fn pallas_agrees_with_upstream() {
    assert_eq!(
        Affine::<Pallas>::generator().to_bytes(),
        Ep::generator().to_affine().to_bytes()
    );
    check::<Pallas, Fq, Ep>(60);
}

#[test]
fn vesta_agrees_with_upstream() {
    assert_eq!(
        Affine::<Vesta>::generator().to_bytes(),
        Eq::generator().to_affine().to_bytes()
    );
    check::<Vesta, Fp, Eq>(60);
}
