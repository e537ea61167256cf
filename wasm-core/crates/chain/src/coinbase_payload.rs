//! The payload of a coinbase transaction (specification consensus 10.1).

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_COINBASE_PAYLOAD_LEN, MAX_COINBASE_SCRIPT_LEN};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

/// Everything before the script.
pub const MIN_COINBASE_PAYLOAD_LEN: usize = 8 + 8 + 32 + 2 + 1;

/// Payload of a coinbase, which the miner declares: the block's own scores, the shielded state after its selected
/// parent, whom to pay when the block is merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoinbasePayload {
    /// Blue score of the block itself.
    pub blue_score: u64,
    /// Subsidy of the block itself, sompi.
    pub subsidy: u64,
    /// Shielded state root of the selected parent.
    pub state_root: Hash32,
    /// Version of the script.
    pub script_version: u16,
    /// Whom to pay; 43 bytes of an address on shielded networks.
    pub script: Vec<u8>,
    /// Free bytes.
    pub extra: Vec<u8>,
}

impl CoinbasePayload {
    /// Reads a payload of 51 to 204 bytes whose script fits 150.
    ///
    /// # Errors
    /// `coinbase/payload-too-short`, `coinbase/payload-too-long`, `coinbase/script-too-long`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        check_len(bytes.len())?;
        let mut reader = Reader::new(bytes);
        let blue_score = reader.u64()?;
        let subsidy = reader.u64()?;
        let state_root = reader.hash()?;
        let script_version = reader.u16()?;
        let script_len = usize::from(reader.u8()?);
        check_script_len(script_len)?;
        if script_len > reader.remaining() {
            let min = MIN_COINBASE_PAYLOAD_LEN + script_len;
            return Err(too_short(bytes.len(), min));
        }
        let script = reader.take(script_len)?.to_vec();
        let extra = reader.take(reader.remaining())?.to_vec();
        Ok(Self {
            blue_score,
            subsidy,
            state_root,
            script_version,
            script,
            extra,
        })
    }

    /// The bytes of the payload.
    ///
    /// # Errors
    /// `coinbase/script-too-long`, `coinbase/payload-too-long` when the parts do not fit.
    pub fn encode(&self) -> Result<Vec<u8>, SvcError> {
        check_script_len(self.script.len())?;
        let len = MIN_COINBASE_PAYLOAD_LEN + self.script.len() + self.extra.len();
        check_len(len)?;
        let mut writer = Writer::with_capacity(len);
        writer
            .u64(self.blue_score)
            .u64(self.subsidy)
            .hash(&self.state_root);
        writer.u16(self.script_version);
        writer.u8(u8::try_from(self.script.len()).unwrap_or(u8::MAX));
        writer.bytes(&self.script).bytes(&self.extra);
        Ok(writer.into_vec())
    }
}

fn check_len(len: usize) -> Result<(), SvcError> {
    if len < MIN_COINBASE_PAYLOAD_LEN {
        return Err(too_short(len, MIN_COINBASE_PAYLOAD_LEN));
    }
    if len > MAX_COINBASE_PAYLOAD_LEN {
        return Err(too_long(
            Code::CoinbasePayloadTooLong,
            len,
            MAX_COINBASE_PAYLOAD_LEN,
        ));
    }
    Ok(())
}

fn check_script_len(len: usize) -> Result<(), SvcError> {
    if len > MAX_COINBASE_SCRIPT_LEN {
        return Err(too_long(
            Code::CoinbaseScriptTooLong,
            len,
            MAX_COINBASE_SCRIPT_LEN,
        ));
    }
    Ok(())
}

fn too_short(length: usize, min: usize) -> SvcError {
    SvcError::new(Code::CoinbasePayloadTooShort)
        .with("length", length)
        .with("min", min)
}

fn too_long(code: Code, length: usize, max: usize) -> SvcError {
    SvcError::new(code).with("length", length).with("max", max)
}
