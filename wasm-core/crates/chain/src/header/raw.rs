//! Serialisation of headers without bodies, in lists (`RawHeaders`).

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::HEADERS_PER_CALL;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::block::{RAW_BLOCK_FORM, WITNESSED_BLOCK_FORM, read_witness};
use crate::header::Header;

/// Form, version, no parents, four roots, and the numbers of a header.
pub const MIN_RAW_HEADER_LEN: usize = 1 + 2 + 1 + 4 * 32 + 8 + 4 + 8 + 8 + 24 + 8;

/// A header with its id, computed once, and the witness it came with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HashedHeader {
    hash: Hash32,
    header: Header,
    witness: Option<Vec<u8>>,
}

impl HashedHeader {
    /// A header; `witness` is borsh of a [`crate::witness::Witness`], judged later.
    pub fn new(header: Header, witness: Option<Vec<u8>>) -> Self {
        Self {
            hash: header.hash(),
            header,
            witness,
        }
    }

    /// The block id.
    pub fn hash(&self) -> Hash32 {
        self.hash
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The witness as it came.
    pub fn witness(&self) -> Option<&[u8]> {
        self.witness.as_deref()
    }
}

/// `RawHeaders`: a count and that many headers, each after the number of its form.
pub fn write_headers(headers: &[HashedHeader]) -> Vec<u8> {
    let mut writer = Writer::with_capacity(512 * headers.len());
    writer.count_u32(headers.len());
    for HashedHeader {
        header, witness, ..
    } in headers
    {
        write_header(&mut writer, header, witness.as_deref());
    }
    writer.into_vec()
}

/// One header as `RawHeaders` carries it: the number of its form, the header, its witness if it has one.
pub fn write_header(writer: &mut Writer, header: &Header, witness: Option<&[u8]>) {
    let form = if witness.is_some() {
        WITNESSED_BLOCK_FORM
    } else {
        RAW_BLOCK_FORM
    };
    writer.u8(form);
    header.encode(writer);
    if let Some(witness) = witness {
        writer.count_u32(witness.len()).bytes(witness);
    }
}

/// A header that was read, without its id, and the witness it came with.
pub type ReadHeader = (Header, Option<Vec<u8>>);

/// Reads `RawHeaders` that fill `bytes`, at most [`HEADERS_PER_CALL`], and computes their ids.
///
/// # Errors
/// As [`read_unhashed`].
pub fn read_headers(bytes: &[u8]) -> Result<Vec<HashedHeader>, SvcError> {
    let hashed = |(header, witness)| HashedHeader::new(header, witness);
    Ok(read_unhashed(bytes)?.into_iter().map(hashed).collect())
}

/// Reads `RawHeaders` that fill `bytes`, at most [`HEADERS_PER_CALL`].
///
/// # Errors
/// `codec/count-too-large` for more, `codec/version` for an unknown form, `codec/not-canonical` for an empty witness,
/// `codec/*` for short or trailing input, `header/bad-parents`.
pub fn read_unhashed(bytes: &[u8]) -> Result<Vec<ReadHeader>, SvcError> {
    let mut reader = Reader::new(bytes);
    let count = reader.count_u32(HEADERS_PER_CALL, MIN_RAW_HEADER_LEN)?;
    let mut headers = Vec::with_capacity(count);
    for _ in 0..count {
        headers.push(read_header(&mut reader)?);
    }
    reader.finish()?;
    Ok(headers)
}

/// Reads one header as `RawHeaders` carries it, which is what [`write_header`] writes.
///
/// # Errors
/// `codec/version` for an unknown form, `codec/not-canonical` for an empty witness, other `codec/*`, `header/bad-parents`.
pub fn read_header(reader: &mut Reader<'_>) -> Result<ReadHeader, SvcError> {
    let form = reader.u8()?;
    if form != RAW_BLOCK_FORM && form != WITNESSED_BLOCK_FORM {
        let error = SvcError::new(Code::CodecVersion);
        return Err(error
            .with("expected", WITNESSED_BLOCK_FORM)
            .with("found", form));
    }
    let header = Header::decode(reader)?;
    let witness = (form == WITNESSED_BLOCK_FORM)
        .then(|| read_witness(reader))
        .transpose()?;
    Ok((header, witness))
}
