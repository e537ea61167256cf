//! Upstream's points and scalars as ours.
#![allow(clippy::unwrap_used)]

use ff::PrimeField;
use group::Curve;
use pasta_curves::arithmetic::CurveAffine;
use pasta_curves::pallas;
use svc_kernels::curve::{Affine, Pallas};
use svc_kernels::field::stored::Single;

use crate::split_mix::SplitMix;

/// A point from its coordinates.
pub fn coordinates((x, y): &(pallas::Base, pallas::Base)) -> Affine<Pallas> {
    Affine {
        x: Single::from_bytes(&x.to_repr()).unwrap(),
        y: Single::from_bytes(&y.to_repr()).unwrap(),
    }
}

/// A point other than the identity.
pub fn ours(point: &pallas::Point) -> Affine<Pallas> {
    let at = point.to_affine().coordinates().unwrap();
    coordinates(&(*at.x(), *at.y()))
}

/// The words of a scalar.
pub fn words(scalar: &pallas::Scalar) -> [u64; 4] {
    let bytes = scalar.to_repr();
    core::array::from_fn(|i| u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().unwrap()))
}

/// Any scalar.
pub fn random_scalar(rng: &mut SplitMix) -> pallas::Scalar {
    pallas::Scalar::from_raw([rng.next(), rng.next(), rng.next(), rng.next()])
}
