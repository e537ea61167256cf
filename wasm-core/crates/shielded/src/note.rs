//! Note conversion between raw bytes and upstream's types. Only plaintext version 2 exists (specification shielded
//! 1.3).

use orchard::note::{ExtractedNoteCommitment, NoteVersion, RandomSeed, Rho};
use orchard::value::NoteValue;
use orchard::{Address, Note};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::keys::address::to_orchard;

/// The four facts that make a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteParts {
    /// Raw address of the owner.
    pub recipient: [u8; 43],
    /// Value in sompi.
    pub value: u64,
    /// The nullifier revealed by the action that created the note, or the derived value of a minted note.
    pub rho: Hash32,
    /// Randomness of the note.
    pub rseed: [u8; 32],
}

impl NoteParts {
    /// The note. Errors: `shielded/bad-recipient`, `shielded/bad-note` for a rho that is not canonical or a
    /// seed that does not fit it.
    pub fn to_note(&self) -> Result<Note, SvcError> {
        let recipient = to_orchard(&self.recipient)?;
        let rho = Rho::from_bytes(self.rho.as_bytes())
            .into_option()
            .ok_or_else(|| bad_note("rho"))?;
        let rseed = RandomSeed::from_bytes(self.rseed, &rho)
            .into_option()
            .ok_or_else(|| bad_note("rseed"))?;
        new_note(recipient, self.value, rho, rseed)
    }
}

/// Builds a note from checked parts. Error: `shielded/bad-note` (never seen: no such commitment is known).
pub fn new_note(
    recipient: Address,
    value: u64,
    rho: Rho,
    rseed: RandomSeed,
) -> Result<Note, SvcError> {
    Note::from_parts(
        recipient,
        NoteValue::from_raw(value),
        rho,
        rseed,
        NoteVersion::V2,
    )
    .into_option()
    .ok_or_else(|| bad_note("commitment"))
}

/// The commitment of a note, as it stands in the tree.
pub fn commitment(note: &Note) -> Hash32 {
    Hash32(ExtractedNoteCommitment::from(note.commitment()).to_bytes())
}

fn bad_note(reason: &str) -> SvcError {
    SvcError::new(Code::ShieldedBadNote).with("reason", reason)
}
