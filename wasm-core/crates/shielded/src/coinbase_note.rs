//! Notes minted by a coinbase: anybody can derive them, only the receiver can spend them
//! (specification shielded 6.3, corrections A8).

use ff::{FromUniformBytes, PrimeField};
use orchard::note::{RandomSeed, Rho};
use pasta_curves::pallas;
use svc_chain::profile::{Profile, active};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_personal;

use crate::address::to_orchard;
use crate::note::{NoteParts, commitment, new_note};

/// The derived parts of a minted note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoinbaseNote {
    /// Takes the place of the nullifier that an ordinary note is bound to.
    pub rho: Hash32,
    /// Randomness of the note.
    pub rseed: [u8; 32],
    /// Commitment of the note.
    pub cmx: Hash32,
}

impl CoinbaseNote {
    /// The note itself, for the owner of `recipient`.
    pub fn parts(&self, recipient: &[u8; 43], value: u64) -> NoteParts {
        NoteParts {
            recipient: *recipient,
            value,
            rho: self.rho,
            rseed: self.rseed,
        }
    }
}

/// Where a minted note comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The chain block whose coinbase mints it.
    pub block: Hash32,
    /// Id of that coinbase.
    pub txid: Hash32,
    /// DAA score of that block.
    pub daa_score: u64,
    /// Index of the output.
    pub index: u32,
}

/// Derives the note that pays `value` sompi to `recipient`. The one derivation that node, scanner and history
/// share.
///
/// Errors: `shielded/bad-recipient`, `shielded/bad-note`.
pub fn derive(
    profile: &Profile,
    source: &Source,
    recipient: &[u8; 43],
    value: u64,
) -> Result<CoinbaseNote, SvcError> {
    let names_block = active(
        profile.activations.coinbase_seed_by_block_hash,
        source.daa_score,
    );
    let seed = note_seed(source, names_block);
    let rho = derive_rho(profile.personalisation.coinbase_rho.as_bytes(), &seed)?;
    let rseed = derive_rseed(
        profile.personalisation.coinbase_seed.as_bytes(),
        &seed,
        &rho,
    )?;
    let note = new_note(to_orchard(recipient)?, value, rho, rseed)?;
    Ok(CoinbaseNote {
        rho: Hash32(rho.to_bytes()),
        rseed: *rseed.as_bytes(),
        cmx: commitment(&note),
    })
}

fn note_seed(source: &Source, names_block: bool) -> Vec<u8> {
    let mut seed = Vec::with_capacity(68);
    if names_block {
        seed.extend_from_slice(source.block.as_bytes());
    }
    seed.extend_from_slice(source.txid.as_bytes());
    seed.extend_from_slice(&source.index.to_le_bytes());
    seed
}

/// BLAKE2b-512 of the seed as a little-endian number modulo the base field.
fn derive_rho(personal: &[u8; 16], seed: &[u8]) -> Result<Rho, SvcError> {
    let wide = blake2b_simd::Params::new()
        .hash_length(64)
        .personal(personal)
        .hash(seed);
    let base = pallas::Base::from_uniform_bytes(wide.as_array());
    Rho::from_bytes(&base.to_repr())
        .into_option()
        .ok_or_else(|| bad_note("rho"))
}

/// The first candidate that fits the rho; in practice counter 0.
fn derive_rseed(personal: &[u8; 16], seed: &[u8], rho: &Rho) -> Result<RandomSeed, SvcError> {
    /// A candidate fails with probability 2^-254.
    const MAX_TRIES: u32 = 256;
    (0..MAX_TRIES)
        .find_map(|counter| {
            let candidate = blake2b_personal(personal)
                .update(seed)
                .update(&counter.to_le_bytes())
                .finalize();
            RandomSeed::from_bytes(candidate.0, rho).into_option()
        })
        .ok_or_else(|| bad_note("rseed"))
}

fn bad_note(reason: &str) -> SvcError {
    SvcError::new(Code::ShieldedBadNote).with("reason", reason)
}
