//! Batch verification of RedPallas signatures: equations between Pallas points, many of them checked by one
//! multi-scalar multiplication.
//!
//! A signature (R, s) of a message under the key A holds when c·A + R − s·B is the identity, where c hashes R, A and
//! the message, and B is the base of spend or of binding keys. Weighted and added, all signatures share the two
//! bases. What [`crate::combined_check`] says about weights holds here as well.

use blake2b_simd::Params;
use svc_kernels::curve::{Affine, Pallas};
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::PallasScalar;
use svc_kernels::msm::variable_msm;

/// A scalar of Pallas.
pub type PallasValue = Single<PallasScalar>;

const CHALLENGE_PERSONALIZATION: &[u8; 16] = b"Zcash_RedPallasH";
/// Base of the keys that authorise spends.
const SPEND_BASE: [u8; 32] = [
    99, 201, 117, 184, 132, 114, 26, 141, 12, 161, 112, 123, 227, 12, 127, 12, 95, 68, 95, 62, 124,
    24, 141, 59, 6, 214, 241, 40, 179, 35, 85, 183,
];
/// Base of the keys that bind values: that of the randomness of value commitments.
const BINDING_BASE: [u8; 32] = [
    145, 90, 60, 136, 104, 198, 195, 14, 47, 128, 144, 238, 69, 215, 110, 64, 72, 32, 141, 234, 91,
    35, 102, 79, 187, 9, 164, 15, 85, 68, 244, 7,
];

/// What a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// Authorises a spend.
    Spend,
    /// Binds the values of a bundle.
    Binding,
}

/// One signature's equation.
#[derive(Clone, Copy, Debug)]
pub struct SignatureTerms {
    kind: KeyKind,
    key: Affine<Pallas>,
    commitment: Affine<Pallas>,
    response: PallasValue,
    challenge: PallasValue,
}

impl SignatureTerms {
    /// The equation of a signature of `message` under `key`, whose encoding is `key_bytes`; `commitment` is its R if
    /// that is a point. None if R or s is not canonical: then the signature is no good.
    pub fn new(
        kind: KeyKind,
        (key, key_bytes): (&Affine<Pallas>, &[u8; 32]),
        (commitment, signature): (Option<&Affine<Pallas>>, &[u8; 64]),
        message: &[u8; 32],
    ) -> Option<Self> {
        let (r, s) = signature.split_first_chunk::<32>()?;
        let response = PallasValue::from_bytes(s.first_chunk()?)?;
        let hash = Params::new()
            .hash_length(64)
            .personal(CHALLENGE_PERSONALIZATION)
            .to_state()
            .update(r)
            .update(key_bytes)
            .update(message)
            .finalize();
        let challenge = from_wide_bytes(hash.as_array());
        Some(Self {
            kind,
            key: *key,
            commitment: *commitment?,
            response,
            challenge,
        })
    }

    /// Binds every number of the equation: key, message and R through the challenge.
    pub fn digest(&self) -> [u8; 32] {
        let mut state = Params::new().hash_length(32).to_state();
        state
            .update(&self.challenge.to_bytes())
            .update(&self.response.to_bytes());
        let mut digest = [0; 32];
        digest.copy_from_slice(state.finalize().as_bytes());
        digest
    }
}

/// The two bases.
#[derive(Clone, Debug)]
pub struct SignatureBases {
    spend: Affine<Pallas>,
    binding: Affine<Pallas>,
}

impl SignatureBases {
    /// Decodes the bases; none only if this file were damaged.
    pub fn new() -> Option<Self> {
        Some(Self {
            spend: Affine::from_bytes(&SPEND_BASE)?,
            binding: Affine::from_bytes(&BINDING_BASE)?,
        })
    }

    /// Whether the weighted sum of all equations is the identity. One equation alone needs no random weight.
    pub fn holds(&self, weighted: &[(&SignatureTerms, PallasValue)]) -> bool {
        let mut scalars = Vec::with_capacity(2 * weighted.len() + 2);
        let mut points = Vec::with_capacity(2 * weighted.len() + 2);
        let (mut spend, mut binding) = (PallasValue::ZERO, PallasValue::ZERO);
        for (terms, weight) in weighted {
            let base = match terms.kind {
                KeyKind::Spend => &mut spend,
                KeyKind::Binding => &mut binding,
            };
            *base = base.sub(&terms.response.mul(weight));
            scalars.extend([terms.challenge.mul(weight).to_words(), weight.to_words()]);
            points.extend([terms.key, terms.commitment]);
        }
        scalars.extend([spend.to_words(), binding.to_words()]);
        points.extend([self.spend, self.binding]);
        variable_msm::msm(&scalars, &points).is_identity()
    }
}

/// A little-endian integer of 512 bits as a scalar.
fn from_wide_bytes(bytes: &[u8; 64]) -> PallasValue {
    let mut words = [0u64; 8];
    for (word, chunk) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*chunk);
    }
    let [a, b, c, d, e, f, g, h] = words;
    // 2²⁵⁶ = (2¹²⁸)²
    let shift = PallasValue::from_words(&[0, 0, 1, 0]).square();
    PallasValue::from_words(&[a, b, c, d]).add(&PallasValue::from_words(&[e, f, g, h]).mul(&shift))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ff::{FromUniformBytes, PrimeField};
    use pasta_curves::Fq;

    #[test]
    fn wide_bytes_reduce_like_upstream() {
        let mut bytes = [0xffu8; 64];
        for step in 0..200usize {
            assert_eq!(
                from_wide_bytes(&bytes).to_bytes(),
                Fq::from_uniform_bytes(&bytes).to_repr()
            );
            bytes[step % 64] = bytes[step % 64].wrapping_mul(31).wrapping_add(step as u8);
        }
    }

    #[test]
    fn bases_are_points() {
        assert!(SignatureBases::new().is_some());
    }
}
