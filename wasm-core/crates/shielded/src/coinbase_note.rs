//! Coinbase notes, minted by a coinbase: anybody can derive them, only the receiver can spend them (specification
//! shielded 6.3).

use ff::{FromUniformBytes, PrimeField};
use orchard::note::{RandomSeed, Rho};
use pasta_curves::pallas;
use svc_chain::profile::{Profile, active};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_personal;
use svc_tree::note_commitment::commit;
use svc_tree::note_fields::NoteFields;
use svc_tree::nullifier::own_leaves;

use crate::keys::receiver::receiver;
use crate::note::NoteParts;

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

/// Origin of a minted note.
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

/// The inputs of one derived note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minting {
    /// Where it comes from.
    pub source: Source,
    /// Raw address of the owner.
    pub recipient: [u8; 43],
    /// Sompi.
    pub value: u64,
}

/// Derives the note that pays `value` sompi to `recipient`.
///
/// Errors: `shielded/bad-recipient`, `shielded/bad-note`.
pub fn derive(
    profile: &Profile,
    source: &Source,
    recipient: &[u8; 43],
    value: u64,
) -> Result<CoinbaseNote, SvcError> {
    let minting = Minting {
        source: *source,
        recipient: *recipient,
        value,
    };
    let mut notes = derive_all(profile, &[minting])?;
    notes.pop().ok_or_else(|| bad_note("commitment"))
}

/// Derives many notes; their commitments are computed together. The one derivation that node, scanner and history
/// share.
///
/// Errors: `shielded/bad-recipient`, `shielded/bad-note`.
pub fn derive_all(profile: &Profile, mintings: &[Minting]) -> Result<Vec<CoinbaseNote>, SvcError> {
    let derived = mintings.iter().map(|minting| fields(profile, minting));
    let (fields, randomness): (Vec<_>, Vec<_>) =
        derived.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    let notes = fields.iter().zip(randomness).zip(commit(&fields));
    Ok(notes
        .map(|((fields, rseed), cmx)| CoinbaseNote {
            rho: Hash32(fields.rho),
            rseed,
            cmx,
        })
        .collect())
}

/// Derives many notes of one owner together with the nullifiers that will mark them spent. `nullifier_key` is nk of the
/// owner's full viewing key.
///
/// Errors: `shielded/bad-recipient`, `shielded/bad-note`.
pub fn derive_own(
    profile: &Profile,
    nullifier_key: &[u8; 32],
    mintings: &[Minting],
) -> Result<Vec<(CoinbaseNote, Hash32)>, SvcError> {
    let derived = mintings.iter().map(|minting| fields(profile, minting));
    let (fields, randomness): (Vec<_>, Vec<_>) =
        derived.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    let leaves = own_leaves(nullifier_key, &fields).ok_or_else(|| bad_note("nullifier key"))?;
    let notes = fields.iter().zip(randomness).zip(leaves);
    Ok(notes
        .map(|((fields, rseed), leaf)| {
            let note = CoinbaseNote {
                rho: Hash32(fields.rho),
                rseed,
                cmx: leaf.cmx,
            };
            (note, leaf.nullifier)
        })
        .collect())
}

/// What the note commits to, and its randomness.
fn fields(profile: &Profile, minting: &Minting) -> Result<(NoteFields, [u8; 32]), SvcError> {
    let names_block = active(
        profile.activations.coinbase_seed_by_block_hash,
        minting.source.daa_score,
    );
    let seed = note_seed(&minting.source, names_block);
    let rho = derive_rho(profile.personalisation.coinbase_rho.as_bytes(), &seed)?;
    let personal = profile.personalisation.coinbase_seed.as_bytes();
    let rseed = *derive_rseed(personal, &seed, &rho)?.as_bytes();
    let receiver = receiver(&minting.recipient)?;
    let fields = NoteFields::new(
        receiver.g_d,
        receiver.pk_d,
        minting.value,
        rho.to_bytes(),
        &rseed,
    );
    Ok((fields, rseed))
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
