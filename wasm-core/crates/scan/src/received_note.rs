//! Decrypted note of a viewing key, with what its owner needs of it (protocol specification 4.7.3, 4.20.2).

use chacha20poly1305::aead::AeadInOut;
use chacha20poly1305::{ChaCha20Poly1305, KeyInit, Tag};
use orchard::Note;
use svc_shielded::memo;
use svc_tree::note_fields::{NoteFields, diversified_base};

use crate::record::RecordAction;

/// Bytes of the plaintext without the memo: version 1, diversifier 11, value 8, randomness 32.
pub(crate) const COMPACT_LEN: usize = 52;
/// Bytes of a memo.
const MEMO_LEN: usize = 512;
const PLAINTEXT_LEN: usize = COMPACT_LEN + MEMO_LEN;

/// The first bytes of a note's plaintext, without the memo.
pub(crate) type Plaintext = [u8; COMPACT_LEN];

/// A received note.
#[derive(Debug)]
pub struct ReceivedNote {
    /// Raw address it was sent to.
    pub recipient: [u8; 43],
    /// Its randomness.
    pub rseed: [u8; 32],
    /// What its commitment is made of.
    pub fields: NoteFields,
    /// The memo without padding; empty where the sender spoilt it.
    pub memo: Vec<u8>,
}

impl ReceivedNote {
    /// The note of a plaintext whose base and transmission key are known, without its memo.
    pub(crate) fn of_plaintext(
        plaintext: &Plaintext,
        [g_d, pk_d]: [[u8; 32]; 2],
        rho: [u8; 32],
    ) -> Self {
        let mut recipient = [0; 43];
        recipient[..11].copy_from_slice(&plaintext[1..12]);
        recipient[11..].copy_from_slice(&pk_d);
        let value = plaintext[12..20].iter().rev();
        let value = value.fold(0, |value, byte| value << 8 | u64::from(*byte));
        let mut rseed = [0; 32];
        rseed.copy_from_slice(&plaintext[20..]);
        Self {
            recipient,
            rseed,
            fields: NoteFields::new(g_d, pk_d, value, rho, &rseed),
            memo: Vec::new(),
        }
    }

    /// The note as upstream decrypted it.
    pub(crate) fn of_upstream(note: &Note, memo: Vec<u8>) -> Self {
        let recipient = note.recipient().to_raw_address_bytes();
        let (mut diversifier, mut pk_d) = ([0; 11], [0; 32]);
        diversifier.copy_from_slice(&recipient[..11]);
        pk_d.copy_from_slice(&recipient[11..]);
        let rseed = *note.rseed().as_bytes();
        let g_d = diversified_base(&diversifier);
        let rho = note.rho().to_bytes();
        Self {
            recipient,
            rseed,
            fields: NoteFields::new(g_d, pk_d, note.value().inner(), rho, &rseed),
            memo,
        }
    }
}

/// The memo of an action under its symmetric key; empty if the whole ciphertext is not what the sender made.
pub(crate) fn open_memo(key: &[u8; 32], action: &RecordAction) -> Vec<u8> {
    let (ciphertext, tag) = action.enc.split_at(PLAINTEXT_LEN);
    let mut plaintext = ciphertext.to_vec();
    let Ok(tag) = Tag::try_from(tag) else {
        return Vec::new();
    };
    let cipher = ChaCha20Poly1305::new(&(*key).into());
    let opened =
        cipher.decrypt_inout_detached(&[0; 12].into(), &[], plaintext.as_mut_slice().into(), &tag);
    let mut text = [0; MEMO_LEN];
    text.copy_from_slice(&plaintext[COMPACT_LEN..]);
    let memo = opened.map_or_else(|_| Vec::new(), |()| memo::trim(&text).to_vec());
    plaintext.fill(0);
    text.fill(0);
    core::hint::black_box((&mut plaintext, &mut text));
    memo
}
