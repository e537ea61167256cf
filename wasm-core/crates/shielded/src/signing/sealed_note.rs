//! Sealed note: the ciphertext of an output, made anew from the note that it should hold (specification shielded 1.3).

use orchard::Note;
use orchard::note_encryption::OrchardDomain;
use zcash_note_encryption::{Domain, NoteEncryption};

use crate::bundle::{Action, ENC_LEN};
use crate::memo::MEMO_LEN;

/// Bytes of the plaintext before the memo: version 1, diversifier 11, value 8, rseed 32.
const MEMO_OFFSET: usize = 52;

/// The memo that the action's receiver reads beside `note`. `None` when the receiver cannot read the note there.
///
/// Ephemeral key and ciphertext are determined by note and memo. The cipher is a stream, so the memo is the
/// difference to the ciphertext of an empty one; whether the tag fits is seen by sealing it again.
pub fn sealed_memo(action: &Action, note: &Note) -> Option<[u8; MEMO_LEN]> {
    let blank = seal(note, [0; MEMO_LEN]);
    let mut memo = [0; MEMO_LEN];
    let pairs = blank.1.iter().zip(&action.enc_ciphertext);
    for (slot, (ours, theirs)) in memo.iter_mut().zip(pairs.skip(MEMO_OFFSET)) {
        *slot = ours ^ theirs;
    }
    let (epk, ciphertext) = seal(note, memo);
    (epk == action.epk && ciphertext == action.enc_ciphertext).then_some(memo)
}

/// Ephemeral key and ciphertext of a note with a memo.
fn seal(note: &Note, memo: [u8; MEMO_LEN]) -> ([u8; 32], [u8; ENC_LEN]) {
    let encryption = NoteEncryption::<OrchardDomain>::new(None, *note, memo);
    (
        OrchardDomain::epk_bytes(encryption.epk()).0,
        encryption.encrypt_note_plaintext().0,
    )
}
