//! Readers and writers that the raw forms of evidence share.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

/// The version of every raw form but that of a run.
const FORM: u8 = 1;

/// Begins a raw form.
pub(crate) fn put_form(writer: &mut Writer) {
    writer.u8(FORM);
}

/// Reads the beginning of a raw form. Error: `codec/version`.
pub(crate) fn read_form(reader: &mut Reader<'_>) -> Result<(), SvcError> {
    expect_form(reader, FORM)
}

/// Reads the version of a raw form, which has to be this one. Error: `codec/version`.
pub(crate) fn expect_form(reader: &mut Reader<'_>, form: u8) -> Result<(), SvcError> {
    let found = reader.u8()?;
    if found == form {
        return Ok(());
    }
    let error = SvcError::new(Code::CodecVersion).with("expected", form);
    Err(error.with("found", found))
}

/// Writes a count of 16 bits and the hashes.
pub(crate) fn put_hashes(writer: &mut Writer, hashes: &[Hash32]) {
    writer.count_u16(hashes.len());
    for hash in hashes {
        writer.hash(hash);
    }
}

/// Reads what [`put_hashes`] writes. Error: `codec/count-too-large` above `max`, other `codec/*`.
pub(crate) fn read_hashes(reader: &mut Reader<'_>, max: usize) -> Result<Vec<Hash32>, SvcError> {
    let count = reader.count_u16(max, 32)?;
    (0..count).map(|_| reader.hash()).collect()
}

/// The error of bytes that have a second meaning.
pub(crate) fn not_canonical(what: &'static str) -> SvcError {
    SvcError::new(Code::CodecNotCanonical).with("what", what)
}
