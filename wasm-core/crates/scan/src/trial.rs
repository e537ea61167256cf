//! Trial decryption of many actions with many viewing keys (protocol specification 4.20.2, 5.4.5.5, 5.4.5.6).
//!
//! Each ephemeral key is decompressed and tabulated once for all viewing keys; a viewing key is recoded once for all
//! actions. What remains of an action and a key is the ladder, one BLAKE2b for the symmetric key and one ChaCha20
//! block. The first byte of the plaintext sorts out all but one in 256 of the foreign notes, the note commitment all
//! others; what is left goes through upstream's decryption, which alone decides.

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use orchard::Note;
use orchard::keys::{IncomingViewingKey, PreparedIncomingViewingKey};
use orchard::note_encryption::OrchardDomain;
use svc_codec::error::SvcError;
use svc_kernels::curve::{Affine, Pallas};
use svc_kernels::ladder::{Digits, Multiples};
use svc_shielded::full_output::FullOutput;
use svc_tree::note_commitment::commit;
use svc_tree::note_fields::{NoteFields, diversified_base};
use zcash_note_encryption::try_compact_note_decryption;

use crate::record::RecordAction;

/// Domain of the key derivation.
const KDF_PERSONAL: &[u8; 16] = b"Zcash_OrchardKDF";
/// Bytes of the plaintext without the memo: version 1, diversifier 11, value 8, randomness 32.
const COMPACT_LEN: usize = 52;
type Plaintext = [u8; COMPACT_LEN];
/// Every note plaintext begins with its version.
const LEAD_BYTE: u8 = 2;
/// Byte of the ChaCha20 stream at which the plaintext begins: the first block keys the authenticator.
const STREAM_START: u64 = 64;
/// Actions that share tables; bounds their memory to about 2 MB.
const BATCH: usize = 2_048;

/// A viewing key that looks for its notes.
pub struct TrialKey {
    /// None for a scalar without digits, which no key has: then upstream does everything.
    digits: Option<Digits>,
    prepared: PreparedIncomingViewingKey,
}

/// A note that a key can read.
pub struct Hit {
    /// The note.
    pub note: Note,
    /// Index of the first key that reads it.
    pub key: usize,
}

impl TrialKey {
    /// Prepares a viewing key.
    pub fn new(ivk: &IncomingViewingKey) -> Self {
        let mut bytes = ivk.to_bytes();
        // The diversifier key comes first.
        let mut scalar = [0; 4];
        for (word, chunk) in scalar.iter_mut().zip(bytes[32..].chunks_exact(8)) {
            *word = chunk
                .iter()
                .rev()
                .fold(0, |word, byte| word << 8 | u64::from(*byte));
        }
        let digits = Digits::new(&scalar);
        bytes.fill(0);
        scalar.fill(0);
        core::hint::black_box((&mut bytes, &mut scalar));
        Self {
            digits,
            prepared: PreparedIncomingViewingKey::new(ivk),
        }
    }

    /// Upstream's form of the key.
    pub fn prepared(&self) -> &PreparedIncomingViewingKey {
        &self.prepared
    }
}

/// The notes among the outputs of `actions`, one entry per action. The compact prefix decides, so that a note whose
/// sender spoilt the memo is still found. Error: `shielded/bad-field` for a nullifier or commitment that is no field
/// element; ephemeral keys that are no points only hide their notes.
pub fn find_notes(
    keys: &[TrialKey],
    actions: &[&RecordAction],
) -> Result<Vec<Option<Hit>>, SvcError> {
    for action in actions {
        FullOutput::check_fields(action.nullifier.as_bytes(), action.cmx.as_bytes())?;
    }
    let mut hits = Vec::with_capacity(actions.len());
    for batch in actions.chunks(BATCH) {
        let readable = readable_by(keys, batch);
        for (action, readable) in batch.iter().zip(&readable) {
            hits.push(first_hit(keys, action, readable)?);
        }
    }
    Ok(hits)
}

/// The first key that reads the note, of those for which it looks readable.
fn first_hit(
    keys: &[TrialKey],
    action: &RecordAction,
    readable: &[bool],
) -> Result<Option<Hit>, SvcError> {
    let mut candidates = keys
        .iter()
        .enumerate()
        .filter(|(key, _)| readable[*key])
        .peekable();
    if candidates.peek().is_none() {
        return Ok(None);
    }
    let (domain, output) = domain_and_output(action)?;
    Ok(candidates.find_map(|(key, trial)| {
        let (note, _) = try_compact_note_decryption(&domain, &trial.prepared, &output)?;
        Some(Hit { note, key })
    }))
}

/// Upstream's form of an action. Error: `shielded/bad-field`.
pub fn domain_and_output(action: &RecordAction) -> Result<(OrchardDomain, FullOutput), SvcError> {
    let output = FullOutput::from_parts(
        action.nullifier.as_bytes(),
        action.cmx.as_bytes(),
        action.epk,
        action.enc,
    )?;
    Ok((OrchardDomain::for_compact_action(&output.compact), output))
}

/// For each action and key whether the note may be for the key: never false for one that is.
fn readable_by(keys: &[TrialKey], actions: &[&RecordAction]) -> Vec<Vec<bool>> {
    let mut readable = vec![vec![false; keys.len()]; actions.len()];
    let encodings: Vec<[u8; 32]> = actions.iter().map(|action| action.epk).collect();
    let points = Affine::<Pallas>::decompress_each(&encodings);
    let points = points.into_iter().enumerate();
    let (places, points): (Vec<usize>, Vec<Affine<Pallas>>) = points
        .filter_map(|(place, point)| Some((place, point.filter(|point| !point.is_identity())?)))
        .unzip();
    let tables = Multiples::new(&points).ok();
    for (key, trial) in keys.iter().enumerate() {
        let open = |digits: &Digits| open_all(tables.as_ref()?, digits, &places, actions);
        match trial.digits.as_ref().and_then(open) {
            Some(found) => found.iter().for_each(|place| readable[*place][key] = true),
            // Points met in the ladder, so its result says nothing: upstream tries them all.
            None => places.iter().for_each(|place| readable[*place][key] = true),
        }
    }
    readable
}

/// The places of the actions whose commitment is that of the note in their plaintext; none if points met.
fn open_all(
    tables: &Multiples,
    digits: &Digits,
    places: &[usize],
    actions: &[&RecordAction],
) -> Option<Vec<usize>> {
    let mut secrets = tables.times(digits).ok()?;
    let mut candidates = Vec::new();
    for (place, secret) in places.iter().zip(&mut secrets) {
        let mut plaintext = decrypt(secret, actions[*place]);
        if plaintext[0] == LEAD_BYTE {
            candidates.push((*place, plaintext));
        }
        *secret = Affine::IDENTITY;
        plaintext.fill(0);
        core::hint::black_box((secret, &mut plaintext));
    }
    let found = confirm(digits, &candidates, actions);
    for (_, plaintext) in &mut candidates {
        plaintext.fill(0);
    }
    core::hint::black_box(&mut candidates);
    found
}

/// Those candidates whose note, sent to the key, has the commitment of the action.
fn confirm(
    digits: &Digits,
    candidates: &[(usize, Plaintext)],
    actions: &[&RecordAction],
) -> Option<Vec<usize>> {
    let bases = candidates.iter().map(|(_, plaintext)| {
        let mut diversifier = [0; 11];
        diversifier.copy_from_slice(&plaintext[1..12]);
        diversified_base(&diversifier)
    });
    let bases: Vec<[u8; 32]> = bases.collect();
    let points = Affine::<Pallas>::decompress_batch(&bases)?;
    let keys = Multiples::new(&points).ok()?.times(digits).ok()?;
    let fields = candidates.iter().zip(&bases).zip(&keys);
    let mut fields: Vec<NoteFields> = fields
        .map(|(((place, plaintext), base), key)| {
            let value = plaintext[12..20].iter().rev();
            let value = value.fold(0, |value, byte| value << 8 | u64::from(*byte));
            let mut rseed = [0; 32];
            rseed.copy_from_slice(&plaintext[20..]);
            NoteFields::new(
                *base,
                key.to_bytes(),
                value,
                actions[*place].nullifier.0,
                &rseed,
            )
        })
        .collect();
    let leaves = commit(&fields);
    let found = candidates.iter().zip(leaves);
    let found = found.filter(|((place, _), leaf)| actions[*place].cmx == *leaf);
    let found = found.map(|((place, _), _)| *place).collect();
    fields.iter_mut().for_each(NoteFields::clear);
    Some(found)
}

/// The compact plaintext under the key that follows from the shared secret.
fn decrypt(secret: &Affine<Pallas>, action: &RecordAction) -> Plaintext {
    let mut input = [0; 64];
    input[..32].copy_from_slice(&secret.to_bytes());
    input[32..].copy_from_slice(&action.epk);
    let mut params = blake2b_simd::Params::new();
    let hash = params.hash_length(32).personal(KDF_PERSONAL).hash(&input);
    let mut key = [0; 32];
    key.copy_from_slice(hash.as_bytes());
    let mut stream = ChaCha20::new(&key.into(), &[0; 12].into());
    stream.seek(STREAM_START);
    let mut plaintext = [0; COMPACT_LEN];
    plaintext.copy_from_slice(&action.enc[..COMPACT_LEN]);
    stream.apply_keystream(&mut plaintext);
    input.fill(0);
    key.fill(0);
    core::hint::black_box((&mut input, &mut key));
    plaintext
}
