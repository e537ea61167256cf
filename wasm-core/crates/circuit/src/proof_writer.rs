//! Proof encoder over the Fiat-Shamir transcript: what goes into the bytes goes into the transcript.

use svc_kernels::curve::{Affine, Vesta};
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::PallasBase;

use crate::transcript::Transcript;

/// A proof in the making.
#[derive(Clone, Debug, Default)]
pub struct ProofWriter {
    /// For values both sides know, and for challenges.
    pub transcript: Transcript,
    bytes: Vec<u8>,
}

impl ProofWriter {
    /// An empty proof over a fresh transcript.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a point; it must not be the identity.
    pub fn point(&mut self, point: &Affine<Vesta>) {
        self.transcript.common_point(point);
        self.bytes.extend_from_slice(&point.to_bytes());
    }

    /// Appends a scalar.
    pub fn scalar(&mut self, scalar: &Single<PallasBase>) {
        let bytes = scalar.to_bytes();
        self.transcript.common_scalar_bytes(&bytes);
        self.bytes.extend_from_slice(&bytes);
    }

    /// The proof.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ff::PrimeField;
    use group::{Curve, Group};
    use halo2_proofs::transcript::{
        Blake2bWrite, Challenge255, EncodedChallenge, Transcript as _, TranscriptWrite,
    };
    use pasta_curves::arithmetic::CurveAffine;
    use pasta_curves::{Eq, EqAffine, Fp};

    #[test]
    fn bytes_and_challenges_equal_those_of_upstream() {
        let mut ours = ProofWriter::new();
        let mut theirs = Blake2bWrite::<Vec<u8>, EqAffine, Challenge255<EqAffine>>::init(vec![]);
        for round in 0..24u64 {
            let point = (Eq::generator() * (Fp::from(round) - Fp::from(9999))).to_affine();
            let coordinates = point.coordinates().unwrap();
            let scalar = Fp::from(round + 1).square() - Fp::from(100);
            theirs.write_point(point).unwrap();
            theirs.write_scalar(scalar).unwrap();
            theirs.common_scalar(scalar).unwrap();
            let scalar = Single::from_bytes(&scalar.to_repr()).unwrap();
            ours.point(&Affine {
                x: Single::from_bytes(&coordinates.x().to_repr()).unwrap(),
                y: Single::from_bytes(&coordinates.y().to_repr()).unwrap(),
            });
            ours.scalar(&scalar);
            ours.transcript.common_scalar(&scalar);
            let expected: Fp = theirs.squeeze_challenge().get_scalar();
            assert_eq!(ours.transcript.squeeze().to_bytes(), expected.to_repr());
        }
        assert_eq!(ours.into_bytes(), theirs.finalize());
    }
}
