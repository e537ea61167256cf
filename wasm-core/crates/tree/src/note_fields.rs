//! Derivation of a note's commitment fields (g_d, pk_d, ψ, rcm) from address, value, rho and rseed (specification
//! shielded 1.3).

use ff::{FromUniformBytes, PrimeField};
use group::{Group, GroupEncoding};
use pasta_curves::arithmetic::CurveExt;
use pasta_curves::pallas;

use crate::tables::words;

/// Domain of the expansions of a note's seed.
const EXPAND_PERSONAL: &[u8; 16] = b"Zcash_ExpandSeed";
const EXPAND_EPHEMERAL: u8 = 0x04;
const EXPAND_RANDOMNESS: u8 = 0x05;
const EXPAND_PSI: u8 = 0x09;

/// The message and the randomness of a note commitment, all in little-endian canonical bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteFields {
    /// Diversified base of the receiver, an encoded point.
    pub g_d: [u8; 32],
    /// Transmission key of the receiver, an encoded point.
    pub pk_d: [u8; 32],
    /// Sompi.
    pub value: u64,
    /// What the note is bound to, an element of the base field.
    pub rho: [u8; 32],
    /// The other nonce, an element of the base field.
    pub psi: [u8; 32],
    /// Randomness of the commitment, a scalar.
    pub rcm: [u8; 32],
}

impl NoteFields {
    /// The fields of a note of plaintext version 2. `g_d` comes from [`diversified_base`]; `rho` is canonical.
    pub fn new(g_d: [u8; 32], pk_d: [u8; 32], value: u64, rho: [u8; 32], rseed: &[u8; 32]) -> Self {
        let psi = pallas::Base::from_uniform_bytes(&expand(rseed, EXPAND_PSI, &rho)).to_repr();
        let rcm =
            pallas::Scalar::from_uniform_bytes(&expand(rseed, EXPAND_RANDOMNESS, &rho)).to_repr();
        Self {
            g_d,
            pk_d,
            value,
            rho,
            psi,
            rcm,
        }
    }

    /// Overwrites what only the owner of the note knows.
    pub fn clear(&mut self) {
        self.value = 0;
        self.psi = [0; 32];
        self.rcm = [0; 32];
        core::hint::black_box(self);
    }
}

/// The encoded base point of a diversifier.
pub fn diversified_base(diversifier: &[u8; 11]) -> [u8; 32] {
    let hash = pallas::Point::hash_to_curve("z.cash:Orchard-gd");
    let base = hash(diversifier);
    // The specification replaces the identity, which no known diversifier gives.
    if bool::from(base.is_identity()) {
        hash(&[]).to_bytes()
    } else {
        base.to_bytes()
    }
}

/// The ephemeral secret that follows from a note's seed and what the note is bound to: a scalar in little-endian words.
pub fn ephemeral_secret(rho: &[u8; 32], rseed: &[u8; 32]) -> [u64; 4] {
    words(&pallas::Scalar::from_uniform_bytes(&expand(rseed, EXPAND_EPHEMERAL, rho)).to_repr())
}

fn expand(rseed: &[u8; 32], domain: u8, rho: &[u8; 32]) -> [u8; 64] {
    let mut state = blake2b_simd::Params::new()
        .hash_length(64)
        .personal(EXPAND_PERSONAL)
        .to_state();
    *state
        .update(rseed)
        .update(&[domain])
        .update(rho)
        .finalize()
        .as_array()
}
