//! Note commitments of many notes at once: NoteCommit of Orchard, a blinded Sinsemilla hash.

use svc_codec::hash32::Hash32;
use svc_kernels::curve::{Affine, Pallas};
use svc_kernels::hash::sinsemilla::{FixedBase, Messages};

use crate::message::Message;
use crate::note_fields::NoteFields;
use crate::tables::{HIGH, LOW, NOTE_RANDOMNESS, NOTE_START, words};

/// Chunks of a note's message: two points of 256 bits, 64 of value, rho and psi of 255 each.
pub const NOTE_CHUNKS: usize = 109;
const POINT_BITS: usize = 256;
const FIELD_BITS: usize = 255;

/// The extracted commitments (leaves of the tree) of notes, in order.
pub fn commit(notes: &[NoteFields]) -> Vec<Hash32> {
    commitment_points(notes).iter().map(extract).collect()
}

/// The x of a point; zero for the identity.
pub(crate) fn extract(point: &Affine<Pallas>) -> Hash32 {
    Hash32(point.x.to_bytes())
}

/// The commitments themselves.
pub(crate) fn commitment_points(notes: &[NoteFields]) -> Vec<Affine<Pallas>> {
    let mut chunks = Vec::with_capacity(notes.len() * NOTE_CHUNKS);
    let mut digits = Vec::with_capacity(notes.len());
    for note in notes {
        let mut message = Message::default();
        message.push(&note.g_d, POINT_BITS);
        message.push(&note.pk_d, POINT_BITS);
        message.push(&note.value.to_le_bytes(), 64);
        message.push(&note.rho, FIELD_BITS);
        message.push(&note.psi, FIELD_BITS);
        message.chunks(&mut chunks);
        digits.push(FixedBase::digits(&words(&note.rcm)));
    }
    let messages = Messages {
        generators: [&*LOW, &*HIGH],
        length: NOTE_CHUNKS,
        tail: 0,
        chunks: &chunks,
        starts: &vec![&*NOTE_START; notes.len()],
        blinding: Some((&NOTE_RANDOMNESS, &digits)),
    };
    messages.hash()
}
