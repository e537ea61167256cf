//! Codec of pruning proofs: every header once, then each level as indices into that list.
//!
//! The list is in the order in which the levels first name its headers, so a proof has one encoding.

use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};
use std::rc::Rc;

use svc_chain::header::Header;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::limits::{
    MAX_PARENT_LEVELS, MAX_PROOF_HEADERS, MAX_PRUNING_PROOF_LEN, MAX_WITNESS_LEN,
};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::proof::{Proof, ProofHeader};

/// Version of the form.
const FORM: u8 = 1;
/// Bytes of the smallest header with the length of its witness.
const MIN_HEADER_LEN: usize = 191 + 4;
/// Levels of a proof: one for each parent level, and level 0 of genesis.
const MAX_LEVELS: usize = MAX_PARENT_LEVELS + 1;

impl Proof {
    /// The raw form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut known: HashMap<Vec<u8>, u32> = HashMap::new();
        let (mut headers, mut levels) = (Writer::new(), Writer::new());
        levels.count_u16(self.levels.len());
        for level in &self.levels {
            levels.count_u32(level.len());
            for header in level {
                let count = u32::try_from(known.len()).unwrap_or(u32::MAX);
                let index = match known.entry(written(header)) {
                    Entry::Occupied(before) => *before.get(),
                    Entry::Vacant(new) => {
                        headers.bytes(new.key());
                        *new.insert(count)
                    }
                };
                levels.u32(index);
            }
        }
        let mut writer = Writer::new();
        writer.u8(FORM).count_u32(known.len());
        writer.bytes(headers.as_slice()).bytes(levels.as_slice());
        writer.into_vec()
    }

    /// Reads the raw form.
    ///
    /// # Errors
    /// `codec/version`, `codec/count-too-large` above [`MAX_PRUNING_PROOF_LEN`] bytes, 256 levels or
    /// [`MAX_WITNESS_LEN`] bytes of a witness, `proof/too-many-headers` above [`MAX_PROOF_HEADERS`] over all levels,
    /// `codec/not-canonical` for a list in another order or with a header twice, `header/bad-parents`, other `codec/*`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SvcError> {
        check_count(bytes.len(), MAX_PRUNING_PROOF_LEN)?;
        let mut reader = Reader::new(bytes);
        let form = reader.u8()?;
        if form != FORM {
            let error = SvcError::new(Code::CodecVersion).with("expected", FORM);
            return Err(error.with("found", form));
        }
        let headers = read_headers(bytes, &mut reader)?;
        let levels = read_levels(&mut reader, &headers)?;
        reader.finish()?;
        Ok(Self { levels })
    }
}

fn written(header: &ProofHeader) -> Vec<u8> {
    let witness = header.witness().unwrap_or_default();
    let mut writer = Writer::with_capacity(512 + witness.len());
    header.header().encode(&mut writer);
    writer.count_u32(witness.len()).bytes(witness);
    writer.into_vec()
}

fn check_count(count: usize, max: usize) -> Result<(), SvcError> {
    if count <= max {
        return Ok(());
    }
    let error = SvcError::new(Code::CodecCountTooLarge);
    Err(error.with("count", count).with("max", max))
}

fn not_canonical(what: &'static str) -> SvcError {
    SvcError::new(Code::CodecNotCanonical).with("what", what)
}

fn read_headers(bytes: &[u8], reader: &mut Reader<'_>) -> Result<Vec<Rc<ProofHeader>>, SvcError> {
    let count = reader.count_u32(MAX_PROOF_HEADERS, MIN_HEADER_LEN)?;
    let mut headers = Vec::with_capacity(count);
    let mut seen: HashSet<&[u8]> = HashSet::with_capacity(count);
    for _ in 0..count {
        let start = bytes.len() - reader.remaining();
        let header = Header::decode(reader)?;
        let len = reader.count_u32(MAX_WITNESS_LEN, 1)?;
        let witness = reader.take(len)?;
        let end = bytes.len() - reader.remaining();
        if !seen.insert(bytes.get(start..end).unwrap_or_default()) {
            return Err(not_canonical("proof header"));
        }
        let witness = (len > 0).then(|| witness.to_vec());
        headers.push(Rc::new(ProofHeader::new(header, witness)));
    }
    Ok(headers)
}

fn read_levels(
    reader: &mut Reader<'_>,
    headers: &[Rc<ProofHeader>],
) -> Result<Vec<Vec<Rc<ProofHeader>>>, SvcError> {
    let count = reader.count_u16(MAX_LEVELS, 4)?;
    let mut levels = Vec::with_capacity(count);
    let (mut named, mut total) = (0, 0_usize);
    for _ in 0..count {
        let len = reader.count_u32(MAX_PROOF_HEADERS, 4)?;
        total = total.saturating_add(len);
        if total > MAX_PROOF_HEADERS {
            let error = SvcError::new(Code::ProofTooManyHeaders);
            return Err(error.with("count", total).with("max", MAX_PROOF_HEADERS));
        }
        let mut level = Vec::with_capacity(len);
        for _ in 0..len {
            let index = usize::try_from(reader.u32()?).unwrap_or(usize::MAX);
            let header = headers.get(index).filter(|_| index <= named);
            level.push(header.ok_or_else(|| not_canonical("proof order"))?.clone());
            named = named.max(index + 1);
        }
        levels.push(level);
    }
    if named != headers.len() {
        return Err(not_canonical("proof order"));
    }
    Ok(levels)
}
