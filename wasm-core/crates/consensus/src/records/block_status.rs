//! Validation status of a block, and the proof verdicts of its transactions.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::records::record_fields;

/// Statuses of specification consensus 8.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// A rule that does not depend on time or on missing data is broken.
    Invalid = 1,
    /// The header is accepted, the body not yet seen.
    HeaderOnly = 2,
    /// The body is accepted, not yet judged on a chain.
    Pending = 3,
    /// Judged as a chain block and valid.
    Valid = 4,
    /// Judged as a chain block and refused; it may still be merged.
    Disqualified = 5,
}

impl Stage {
    fn from_byte(byte: u8) -> Result<Self, SvcError> {
        match byte {
            1 => Ok(Self::Invalid),
            2 => Ok(Self::HeaderOnly),
            3 => Ok(Self::Pending),
            4 => Ok(Self::Valid),
            5 => Ok(Self::Disqualified),
            _ => Err(SvcError::new(Code::StoreCorrupt).with("table", "block status")),
        }
    }

    /// Whether the body is known and sound.
    pub fn has_body(self) -> bool {
        matches!(self, Self::Pending | Self::Valid | Self::Disqualified)
    }

    /// The name used in answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::HeaderOnly => "headerOnly",
            Self::Pending => "pending",
            Self::Valid => "valid",
            Self::Disqualified => "disqualified",
        }
    }
}

/// The verdict on one transaction's proof and signatures (specification shielded 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Verdict {
    /// Not verified yet.
    Unknown = 0,
    /// Proof and signatures hold.
    Valid = 1,
    /// Proof or a signature fails.
    Invalid = 2,
}

impl Verdict {
    fn from_byte(byte: u8) -> Result<Self, SvcError> {
        match byte {
            0 => Ok(Self::Unknown),
            1 => Ok(Self::Valid),
            2 => Ok(Self::Invalid),
            _ => Err(SvcError::new(Code::StoreCorrupt).with("table", "verdict")),
        }
    }
}

/// Status record of a block. The verdict of a transaction is a function of its bytes and of the block's
/// side of the security fork, so it is stored with the block and never computed twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockStatus {
    /// How far the block has come.
    pub stage: Stage,
    /// One verdict per non-coinbase transaction, in block order.
    pub verdicts: Vec<Verdict>,
    /// Why the block was refused, as a registry code; empty otherwise.
    pub reason: String,
}

impl BlockStatus {
    /// A status without verdicts.
    pub fn new(stage: Stage) -> Self {
        Self {
            stage,
            verdicts: Vec::new(),
            reason: String::new(),
        }
    }

    /// A refusal with its reason.
    pub fn refused(stage: Stage, reason: &SvcError) -> Self {
        Self {
            stage,
            verdicts: Vec::new(),
            reason: reason.code.as_str().to_owned(),
        }
    }

    /// Stored form, version 1.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u8(1);
        writer.u8(self.stage as u8);
        writer.u32(self.verdicts.len() as u32);
        for verdict in &self.verdicts {
            writer.u8(*verdict as u8);
        }
        writer.u16(self.reason.len() as u16);
        writer.bytes(self.reason.as_bytes());
        writer.into_vec()
    }

    /// Reads the stored form. Errors: `store/corrupt`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        crate::corrupt_unless(reader.u8()? == 1, "block status version")?;
        let stage = Stage::from_byte(reader.u8()?)?;
        let count = reader.u32()? as usize;
        let verdicts = reader
            .take(count)?
            .iter()
            .map(|byte| Verdict::from_byte(*byte))
            .collect::<Result<Vec<_>, _>>()?;
        let reason = record_fields::text(&mut reader, "block status")?;
        reader.finish()?;
        Ok(Self {
            stage,
            verdicts,
            reason,
        })
    }
}
