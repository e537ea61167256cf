//! Fiat-Shamir transcript of proofs over Vesta.
//!
//! A BLAKE2b-512 state takes points, scalars and requests for challenges, each behind its own prefix byte; a
//! challenge is the 64-byte hash so far, read as a little-endian integer modulo the scalar field.

use blake2b_simd::{Params, State};
use svc_kernels::curve::{Affine, Vesta};
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::PallasBase;

const PERSONALIZATION: &[u8; 16] = b"Halo2-Transcript";
const PREFIX_CHALLENGE: u8 = 0;
const PREFIX_POINT: u8 = 1;
const PREFIX_SCALAR: u8 = 2;

/// The transcript of a proof so far.
#[derive(Clone, Debug)]
pub struct Transcript {
    state: State,
}

impl Transcript {
    /// Nothing said yet.
    pub fn new() -> Self {
        let state = Params::new()
            .hash_length(64)
            .personal(PERSONALIZATION)
            .to_state();
        Self { state }
    }

    /// Takes in a point. The identity has no coordinates upstream: callers refuse it before they come here.
    pub fn common_point(&mut self, point: &Affine<Vesta>) {
        self.state.update(&[PREFIX_POINT]);
        self.state.update(&point.x.to_bytes());
        self.state.update(&point.y.to_bytes());
    }

    /// Takes in a scalar.
    pub fn common_scalar(&mut self, scalar: &Single<PallasBase>) {
        self.common_scalar_bytes(&scalar.to_bytes());
    }

    /// Takes in a scalar given as its canonical bytes.
    pub fn common_scalar_bytes(&mut self, scalar: &[u8; 32]) {
        self.state.update(&[PREFIX_SCALAR]);
        self.state.update(scalar);
    }

    /// The next challenge; it depends on everything taken in so far, earlier challenges included.
    pub fn squeeze(&mut self) -> Single<PallasBase> {
        self.state.update(&[PREFIX_CHALLENGE]);
        from_wide_bytes(self.state.clone().finalize().as_array())
    }
}

impl Default for Transcript {
    fn default() -> Self {
        Self::new()
    }
}

/// A little-endian integer of 512 bits modulo the field of circuit values.
pub fn from_wide_bytes(bytes: &[u8; 64]) -> Single<PallasBase> {
    let (low, high) = bytes.split_at(32);
    // 2²⁵⁶ = (2¹²⁸)²
    let shift = Single::from_words(&[0, 0, 1, 0]).square();
    Single::from_words(&words_of(low)).add(&Single::from_words(&words_of(high)).mul(&shift))
}

fn words_of(bytes: &[u8]) -> [u64; 4] {
    let mut words = [0u64; 4];
    for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        for (shift, byte) in chunk.iter().enumerate() {
            *word |= u64::from(*byte) << (8 * shift);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use ff::{FromUniformBytes, PrimeField};
    use group::{Curve, Group};
    use halo2_proofs::transcript::{
        Blake2bWrite, Challenge255, EncodedChallenge, Transcript as _, TranscriptWrite,
    };
    use pasta_curves::arithmetic::CurveAffine;
    use pasta_curves::{Eq, EqAffine, Fp};

    fn single<M: svc_kernels::lanes::modulus::Modulus>(bytes: [u8; 32]) -> Single<M> {
        Single::from_bytes(&bytes).unwrap()
    }

    #[test]
    fn challenges_equal_those_of_upstream() {
        let mut ours = Transcript::new();
        let mut theirs = Blake2bWrite::<Vec<u8>, EqAffine, Challenge255<EqAffine>>::init(vec![]);
        for round in 0..40u64 {
            let point = (Eq::generator() * (Fp::from(round + 3).square())).to_affine();
            let coordinates = point.coordinates().unwrap();
            let scalar = Fp::from(round).square() - Fp::from(77);
            if round % 3 != 1 {
                theirs.write_point(point).unwrap();
                ours.common_point(&Affine {
                    x: single(coordinates.x().to_repr()),
                    y: single(coordinates.y().to_repr()),
                });
            }
            if round % 4 != 2 {
                theirs.write_scalar(scalar).unwrap();
                ours.common_scalar(&single(scalar.to_repr()));
            }
            let expected: Fp = theirs.squeeze_challenge().get_scalar();
            assert_eq!(
                ours.squeeze().to_bytes(),
                expected.to_repr(),
                "round {round}"
            );
        }
    }

    #[test]
    fn wide_bytes_reduce_like_upstream() {
        let mut bytes = [0xffu8; 64];
        for step in 0..200usize {
            bytes[step % 64] = bytes[step % 64].wrapping_mul(31).wrapping_add(step as u8);
            let expected = Fp::from_uniform_bytes(&bytes).to_repr();
            assert_eq!(from_wide_bytes(&bytes).to_bytes(), expected, "step {step}");
        }
        assert_eq!(
            from_wide_bytes(&[0xff; 64]).to_bytes(),
            Fp::from_uniform_bytes(&[0xff; 64]).to_repr()
        );
    }
}
