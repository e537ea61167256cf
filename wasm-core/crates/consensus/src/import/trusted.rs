//! Trusted data of a pruning point, as peers send it: headers with the GHOSTDAG data that later blocks are judged by,
//! and the chain below them as headers alone.

use svc_chain::header::Header;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::limits::{MAX_TRUSTED_GHOSTDAG_LEN, MAX_TRUSTED_PAGE, MAX_WITNESS_LEN};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_dag::records::GhostdagData;

use crate::proof::ProofHeader;

/// Version of the raw form.
const FORM: u8 = 1;
/// Bytes of the smallest header with the length of its witness.
const MIN_HEADER_LEN: usize = 191 + 4;
/// Bytes that the smallest header takes in memory.
const ENTRY_LEN: usize = 512;

/// A header with the GHOSTDAG data its sender has for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedHeader {
    /// Header and witness.
    pub header: ProofHeader,
    /// Not covered by the hash of the header.
    pub ghostdag: GhostdagData,
}

/// A part of the trusted data, at most [`MAX_TRUSTED_PAGE`] headers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedPage {
    /// The pruning point, the blocks beside it, and what windows and coloring above them look at.
    pub window: Vec<TrustedHeader>,
    /// Headers of the selected chain below the window, down to finality depth.
    pub segment: Vec<ProofHeader>,
}

impl TrustedPage {
    /// Bytes that an import holds of it, about.
    pub(super) fn weight(&self) -> usize {
        let ids = |data: &GhostdagData| data.blues.len() + data.reds.len();
        let of_data = |data: &GhostdagData| 36 * (ids(data) + data.anticone_sizes.len());
        let window = self.window.iter();
        let window = window.map(|trusted| of_header(&trusted.header) + of_data(&trusted.ghostdag));
        window.sum::<usize>() + self.segment.iter().map(of_header).sum::<usize>()
    }

    /// Headers of both kinds.
    pub fn count(&self) -> usize {
        self.window.len() + self.segment.len()
    }

    /// The raw form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u8(FORM).count_u16(self.window.len());
        for trusted in &self.window {
            write_header(&mut writer, &trusted.header);
            let data = trusted.ghostdag.encode();
            writer.count_u32(data.len()).bytes(&data);
        }
        writer.count_u16(self.segment.len());
        for header in &self.segment {
            write_header(&mut writer, header);
        }
        writer.into_vec()
    }

    /// Reads the raw form.
    ///
    /// # Errors
    /// `codec/version`, `codec/count-too-large` above [`MAX_TRUSTED_PAGE`] headers of a kind, `header/bad-parents`,
    /// other `codec/*`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        let form = reader.u8()?;
        if form != FORM {
            let error = SvcError::new(Code::CodecVersion).with("expected", FORM);
            return Err(error.with("found", form));
        }
        let count = reader.count_u16(MAX_TRUSTED_PAGE, MIN_HEADER_LEN + 4)?;
        let mut window = Vec::with_capacity(count);
        for _ in 0..count {
            let header = read_header(&mut reader)?;
            let len = reader.count_u32(MAX_TRUSTED_GHOSTDAG_LEN, 1)?;
            let ghostdag = GhostdagData::decode(reader.take(len)?)?;
            window.push(TrustedHeader { header, ghostdag });
        }
        let count = reader.count_u16(MAX_TRUSTED_PAGE, MIN_HEADER_LEN)?;
        let segment = (0..count)
            .map(|_| read_header(&mut reader))
            .collect::<Result<_, _>>()?;
        reader.finish()?;
        Ok(Self { window, segment })
    }
}

fn of_header(header: &ProofHeader) -> usize {
    let runs = header.header().parents.runs();
    let parents = runs.iter().map(|run| 32 * (1 + run.parents.len()));
    ENTRY_LEN + header.witness().map_or(0, <[u8]>::len) + parents.sum::<usize>()
}

fn write_header(writer: &mut Writer, header: &ProofHeader) {
    let witness = header.witness().unwrap_or_default();
    header.header().encode(writer);
    writer.count_u32(witness.len()).bytes(witness);
}

fn read_header(reader: &mut Reader<'_>) -> Result<ProofHeader, SvcError> {
    let header = Header::decode(reader)?;
    let len = reader.count_u32(MAX_WITNESS_LEN, 1)?;
    let witness = reader.take(len)?;
    let witness = (len > 0).then(|| witness.to_vec());
    Ok(ProofHeader::new(header, witness))
}
