//! JavaScript binding of note commitments.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_PAGE_BYTES;
use svc_codec::reader::Reader;
use svc_shielded::field::is_canonical_base;
use svc_shielded::keys::receiver::receiver;
use svc_tree::note_commitment::commit;
use svc_tree::note_fields::NoteFields;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::thrown::{bad_call, thrown};

/// Bytes of a note: recipient 43, value 8, rho 32, rseed 32.
const NOTE_LEN: usize = 115;

/// The commitments of notes, 32 bytes for each, computed together. Takes
/// `{ recipient 43, value u64, rho 32, rseed 32 }` repeated, at most 4 MiB. Throws `engine/bad-call` for part of a note
/// or more of them, `shielded/bad-recipient`, `shielded/bad-note`.
#[wasm_bindgen(js_name = noteCommitments)]
pub fn note_commitments(notes: &[u8]) -> Result<Vec<u8>, JsError> {
    let commitments = commitments(notes).map_err(thrown)?;
    Ok(commitments.iter().flat_map(|cmx| cmx.0).collect())
}

fn commitments(notes: &[u8]) -> Result<Vec<Hash32>, SvcError> {
    if !notes.len().is_multiple_of(NOTE_LEN) || notes.len() > MAX_PAGE_BYTES {
        return Err(bad_call("whole notes, and no more than a page"));
    }
    let mut reader = Reader::new(notes);
    let fields = (0..notes.len() / NOTE_LEN).map(|_| read(&mut reader));
    Ok(commit(&fields.collect::<Result<Vec<_>, _>>()?))
}

fn read(reader: &mut Reader<'_>) -> Result<NoteFields, SvcError> {
    let receiver = receiver(&reader.array()?)?;
    let value = reader.u64()?;
    let rho: [u8; 32] = reader.array()?;
    if !is_canonical_base(&rho) {
        return Err(SvcError::new(Code::ShieldedBadNote).with("reason", "rho"));
    }
    let rseed = reader.array()?;
    Ok(NoteFields::new(
        receiver.g_d,
        receiver.pk_d,
        value,
        rho,
        &rseed,
    ))
}
