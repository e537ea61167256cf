//! Strict field decoders that several stored records share: a record has one encoding only.

use svc_codec::error::SvcError;
use svc_codec::reader::Reader;

/// A byte that is 0 or 1. Errors: `store/corrupt`, `codec/unexpected-end`.
pub(crate) fn flag(reader: &mut Reader<'_>, table: &'static str) -> Result<bool, SvcError> {
    let byte = reader.u8()?;
    crate::corrupt_unless(byte <= 1, table)?;
    Ok(byte == 1)
}

/// UTF-8 behind a length of 16 bits. Errors: `store/corrupt`, `codec/unexpected-end`.
pub(crate) fn text(reader: &mut Reader<'_>, table: &'static str) -> Result<String, SvcError> {
    let length = reader.u16()? as usize;
    let text = String::from_utf8(reader.take(length)?.to_vec());
    crate::corrupt_unless(text.is_ok(), table)?;
    Ok(text.unwrap_or_default())
}

/// A record read to its last byte. Errors: `codec/trailing-bytes`, those of `read`.
pub(crate) fn whole<'a, T>(
    bytes: &'a [u8],
    read: impl FnOnce(&mut Reader<'a>) -> Result<T, SvcError>,
) -> Result<T, SvcError> {
    let mut reader = Reader::new(bytes);
    let record = read(&mut reader)?;
    reader.finish()?;
    Ok(record)
}
