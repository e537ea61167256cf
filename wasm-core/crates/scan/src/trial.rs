//! Trial decryption of many actions with many viewing keys (protocol specification 4.20.2, 5.4.5.5, 5.4.5.6).
//!
//! The ephemeral keys are tabulated once for all viewing keys, by their abscissas alone; a viewing key is recoded once for
//! all actions. With few actions the viewing keys climb the ladder together, so that they share its inversions, as many
//! actions do for one key. What remains of an action and a key is the ladder, and for either parity of the shared secret one BLAKE2b
//! for the symmetric key and one ChaCha20 block. The first byte of the plaintext sorts out all but one in 128 of the
//! foreign notes, the note commitment all others, and at last the ephemeral key and the parity of the shared secret have to be those
//! that follow from the note. Tests hold the answers against upstream's decryption, which takes over where points meet in the ladder.

use core::cell::OnceCell;

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use orchard::keys::{IncomingViewingKey, PreparedIncomingViewingKey};
use orchard::note_encryption::OrchardDomain;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::limits::MAX_SCAN_KEYS;
use svc_kernels::curve::abscissas::Abscissas;
use svc_kernels::curve::ladder::{Digits, Multiples};
use svc_kernels::curve::{Affine, Pallas};
use svc_shielded::full_output::FullOutput;
use svc_shielded::memo;
use svc_tree::note_commitment::commit;
use svc_tree::note_fields::{NoteFields, diversified_base, ephemeral_secret};
use zcash_note_encryption::{try_compact_note_decryption, try_note_decryption};

use crate::received_note::{COMPACT_LEN, Plaintext, ReceivedNote, open_memo};
use crate::record::RecordAction;

/// Domain of the key derivation.
const KDF_PERSONAL: &[u8; 16] = b"Zcash_OrchardKDF";
/// Every note plaintext begins with its version.
const LEAD_BYTE: u8 = 2;
/// Byte of the ChaCha20 stream at which the plaintext begins: the first block keys the authenticator.
const STREAM_START: u64 = 64;
/// The bit of an encoded point, in its last byte, that has the parity of y.
const PARITY: u8 = 0x80;
/// Actions that share tables; bounds their memory to about 2 MB.
const BATCH: usize = 2_048;

/// A viewing key prepared for trial decryption.
pub struct TrialKey {
    /// None for a scalar without digits, which no key has: then upstream does everything.
    digits: Option<Digits>,
    prepared: PreparedIncomingViewingKey,
}

/// A decrypted note and the key that reads it.
#[derive(Debug)]
pub struct Hit {
    /// The note.
    pub note: ReceivedNote,
    /// Index of the first key that reads it.
    pub key: usize,
}

impl TrialKey {
    /// Prepares a viewing key.
    pub fn new(ivk: &IncomingViewingKey) -> Self {
        let mut bytes = ivk.to_bytes();
        // The diversifier key comes first.
        let digits = bytes.last_chunk().and_then(Digits::from_bytes);
        bytes.fill(0);
        core::hint::black_box(&mut bytes);
        Self {
            digits,
            prepared: PreparedIncomingViewingKey::new(ivk),
        }
    }
}

/// Refuses more keys than a scanner takes. Error: `codec/count-too-large`.
pub(crate) fn check_key_count(count: usize) -> Result<(), SvcError> {
    if count <= MAX_SCAN_KEYS {
        return Ok(());
    }
    Err(SvcError::new(Code::CodecCountTooLarge)
        .with("count", count)
        .with("max", MAX_SCAN_KEYS))
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
    if keys.is_empty() {
        return Ok(actions.iter().map(|_| None).collect());
    }
    let mut hits = Vec::with_capacity(actions.len());
    for batch in actions.chunks(BATCH) {
        hits.extend(find_in_batch(keys, batch)?);
    }
    Ok(hits)
}

/// The hits of a batch, one entry per action: that of the first key that reads it. Error: `shielded/bad-field`.
fn find_in_batch(
    keys: &[TrialKey],
    actions: &[&RecordAction],
) -> Result<Vec<Option<Hit>>, SvcError> {
    let mut hits: Vec<Option<Hit>> = actions.iter().map(|_| None).collect();
    let ephemeral = EphemeralKeys::new(actions);
    for (first, group) in ephemeral.groups_of(keys) {
        for (key, notes) in (first..).zip(ephemeral.read_by_all(group, actions)?) {
            for (place, note) in notes {
                hits[place].get_or_insert(Hit { note, key });
            }
        }
    }
    Ok(hits)
}

/// What upstream reads, with the places of the actions. Error: `shielded/bad-field`.
fn read_by_upstream(
    key: &PreparedIncomingViewingKey,
    actions: &[&RecordAction],
) -> Result<Vec<(usize, ReceivedNote)>, SvcError> {
    let mut notes = Vec::new();
    for (place, action) in actions.iter().enumerate() {
        let (domain, output) = domain_and_output(action)?;
        if let Some((note, _)) = try_compact_note_decryption(&domain, key, &output) {
            let text = try_note_decryption(&domain, key, &output)
                .map_or_else(Vec::new, |(_, _, memo)| memo::trim(&memo).to_vec());
            notes.push((place, ReceivedNote::of_upstream(&note, text)));
        }
    }
    Ok(notes)
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

/// The shared secrets of a key with the points of a batch, without the parity of y.
type Secrets = Vec<[u8; 32]>;

/// The ephemeral keys of a batch, for any number of viewing keys.
struct EphemeralKeys {
    encodings: Vec<[u8; 32]>,
    /// Without their roots: quicker, and enough as long as nobody chose keys that are no points for their small order.
    quick: Abscissas,
    /// Made when some of them meet.
    sorted: OnceCell<Abscissas>,
}

impl EphemeralKeys {
    fn new(actions: &[&RecordAction]) -> Self {
        let encodings: Vec<[u8; 32]> = actions.iter().map(|action| action.epk).collect();
        Self {
            quick: Abscissas::without_roots(&encodings),
            encodings,
            sorted: OnceCell::new(),
        }
    }

    /// What is multiplied: the quick points as long as none of them met, and from then on the sorted ones. Whoever pays for
    /// keys that meet slows down the batch that has them by a square root for each action, and not by more.
    fn points(&self) -> &Abscissas {
        if self.quick.have_met() {
            return self.sorted();
        }
        self.sorted.get().unwrap_or(&self.quick)
    }

    fn sorted(&self) -> &Abscissas {
        self.sorted
            .get_or_init(|| Abscissas::of_points(&self.encodings))
    }

    /// Keys in groups that are tried together, each with the place of its first key.
    fn groups_of<'a>(
        &self,
        keys: &'a [TrialKey],
    ) -> impl Iterator<Item = (usize, &'a [TrialKey])> + use<'a> {
        let size = self.points().scalars_at_once();
        (0..).step_by(size).zip(keys.chunks(size))
    }

    /// The notes of each key of a group with the places of their actions. Error: `shielded/bad-field`.
    fn read_by_all(
        &self,
        group: &[TrialKey],
        actions: &[&RecordAction],
    ) -> Result<Vec<Vec<(usize, ReceivedNote)>>, SvcError> {
        let digits: Option<Vec<&Digits>> = group.iter().map(|key| key.digits.as_ref()).collect();
        let together = digits.and_then(|digits| self.secrets_of(&digits));
        let mut secrets = match together {
            Some((points, secrets)) => secrets
                .into_iter()
                .map(|secrets| Some((points, secrets)))
                .collect(),
            None => self.secrets_one_by_one(group),
        };
        let read = group.iter().zip(&mut secrets).map(|(key, secrets)| {
            let own = key.digits.as_ref().zip(secrets.as_mut());
            let notes = own.and_then(|(digits, (points, secrets))| {
                confirmed(digits, &candidates(points, secrets, actions), actions)
            });
            notes.map_or_else(|| read_by_upstream(&key.prepared, actions), Ok)
        });
        read.collect()
    }

    /// The shared secrets of several keys; none where even points that are sorted meet.
    fn secrets_of(&self, digits: &[&Digits]) -> Option<(&Abscissas, Vec<Secrets>)> {
        let points = self.points();
        if let Ok(secrets) = points.times_together(digits) {
            return Some((points, secrets));
        }
        let sorted = self.sorted();
        Some((sorted, sorted.times_together(digits).ok()?))
    }

    /// The shared secrets of keys of which one meets points, or has no digits: none for it alone.
    fn secrets_one_by_one(&self, group: &[TrialKey]) -> Vec<Option<(&Abscissas, Secrets)>> {
        let secrets = group.iter().map(|key| {
            let (points, secrets) = self.secrets_of(&[key.digits.as_ref()?])?;
            Some((points, secrets.into_iter().next()?))
        });
        secrets.collect()
    }
}

/// The plaintexts that begin like one. Overwrites the secrets.
fn candidates(
    points: &Abscissas,
    secrets: &mut Secrets,
    actions: &[&RecordAction],
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (place, secret) in points.places().iter().zip(&mut *secrets) {
        for flipped in [0, PARITY] {
            secret[31] ^= flipped;
            let candidate = Candidate::new(*place, secret, actions[*place]);
            if candidate.plaintext[0] == LEAD_BYTE {
                candidates.push(candidate);
            }
        }
        secret.fill(0);
    }
    core::hint::black_box(secrets);
    candidates
}

/// A plaintext that begins like one, and the symmetric key it came from. Overwritten when dropped.
struct Candidate {
    place: usize,
    /// Parity of the shared secret that was tried: 0 or [`PARITY`].
    parity: u8,
    key: [u8; 32],
    plaintext: Plaintext,
}

impl Candidate {
    /// What a shared secret makes of an action.
    fn new(place: usize, secret: &[u8; 32], action: &RecordAction) -> Self {
        let mut input = [0; 64];
        input[..32].copy_from_slice(secret);
        input[32..].copy_from_slice(&action.epk);
        let mut params = blake2b_simd::Params::new();
        let hash = params.hash_length(32).personal(KDF_PERSONAL).hash(&input);
        let mut key = [0; 32];
        key.copy_from_slice(hash.as_bytes());
        input.fill(0);
        core::hint::black_box(&mut input);
        let plaintext = decrypt(&key, action);
        Self {
            place,
            parity: secret[31] & PARITY,
            key,
            plaintext,
        }
    }
}

impl Drop for Candidate {
    fn drop(&mut self) {
        self.key.fill(0);
        self.plaintext.fill(0);
        core::hint::black_box((&mut self.key, &mut self.plaintext));
    }
}

/// The notes of those candidates that are the key's: their commitment, ephemeral key and shared secret are those of the action.
/// None if points meet in the ladder.
fn confirmed(
    digits: &Digits,
    candidates: &[Candidate],
    actions: &[&RecordAction],
) -> Option<Vec<(usize, ReceivedNote)>> {
    if candidates.is_empty() {
        return Some(Vec::new());
    }
    let bases = candidates.iter().map(|candidate| {
        let mut diversifier = [0; 11];
        diversifier.copy_from_slice(&candidate.plaintext[1..12]);
        diversified_base(&diversifier)
    });
    let bases: Vec<[u8; 32]> = bases.collect();
    let points = Affine::<Pallas>::decompress_batch(&bases)?;
    let keys = Multiples::new(&points).ok()?.times(digits).ok()?;
    let receivers = bases.iter().zip(&keys);
    let notes = candidates.iter().zip(receivers);
    let notes: Vec<ReceivedNote> = notes
        .map(|(candidate, (base, key))| {
            let rho = actions[candidate.place].nullifier.0;
            ReceivedNote::of_plaintext(&candidate.plaintext, [*base, key.to_bytes()], rho)
        })
        .collect();
    let mut fields: Vec<NoteFields> = notes.iter().map(|note| note.fields).collect();
    let leaves = commit(&fields);
    fields.iter_mut().for_each(NoteFields::clear);
    let judged = candidates.iter().zip(notes).zip(leaves);
    let found = judged.zip(points.iter().zip(&keys));
    let found = found.filter_map(|(((candidate, mut note), leaf), (base, receiver))| {
        let action = actions[candidate.place];
        let secret = SealingKey::of(&note);
        let is_own = action.cmx == leaf
            && secret.makes_ephemeral_key(base, action)
            && secret.shared_parity(receiver) == candidate.parity;
        if !is_own {
            note.fields.clear();
            return None;
        }
        note.memo = open_memo(&candidate.key, action);
        Some((candidate.place, note))
    });
    Some(found.collect())
}

/// The ephemeral secret that a note fixes (ZIP 212). Overwritten when dropped.
struct SealingKey([u64; 4]);

impl SealingKey {
    fn of(note: &ReceivedNote) -> Self {
        Self(ephemeral_secret(&note.fields.rho, &note.rseed))
    }

    /// Whether the ephemeral key of the action is this one over the diversified base.
    fn makes_ephemeral_key(&self, base: &Affine<Pallas>, action: &RecordAction) -> bool {
        let key = base.to_point().mul(&self.0).to_affine();
        !key.is_identity() && key.to_bytes() == action.epk
    }

    /// Parity of the secret that sender and receiver share. The ladder gives the abscissa alone, and the negative of the secret has
    /// the same: whoever seals under that one sends what no other program reads.
    fn shared_parity(&self, receiver: &Affine<Pallas>) -> u8 {
        let mut shared = receiver.to_point().mul(&self.0).to_affine().to_bytes();
        let parity = shared[31] & PARITY;
        shared.fill(0);
        core::hint::black_box(&mut shared);
        parity
    }
}

impl Drop for SealingKey {
    fn drop(&mut self) {
        self.0.fill(0);
        core::hint::black_box(&mut self.0);
    }
}

/// The compact plaintext under a symmetric key.
fn decrypt(key: &[u8; 32], action: &RecordAction) -> Plaintext {
    let mut stream = ChaCha20::new(&(*key).into(), &[0; 12].into());
    stream.seek(STREAM_START);
    let mut plaintext = [0; COMPACT_LEN];
    plaintext.copy_from_slice(&action.enc[..COMPACT_LEN]);
    stream.apply_keystream(&mut plaintext);
    plaintext
}
