//! Transaction type and its serialised form (specification consensus 9.1).

mod hash;

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{
    MAX_SCRIPT_LEN, MAX_SIGNATURE_SCRIPT_LEN, MAX_TX_INPUTS, MAX_TX_OUTPUTS, MAX_TX_PAYLOAD_LEN,
};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::subnetwork::COINBASE;

/// The version whose payload is a shielded bundle.
pub const SHIELDED_VERSION: u16 = 2;

/// Raw bytes of an input with an empty script, and of the smallest output.
pub(crate) const MIN_INPUT_LEN: usize = 32 + 4 + 4 + 8 + 2;
pub(crate) const MIN_OUTPUT_LEN: usize = 8 + 2 + 4 + 1;

/// A transparent input. None is valid on a shielded network, but every id hashes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TxInput {
    /// Transaction that made the spent output.
    pub txid: Hash32,
    /// Index of that output.
    pub index: u32,
    /// Signature script.
    pub script: Vec<u8>,
    /// Relative lock.
    pub sequence: u64,
    /// Version 0: number of signature operations (at most 255); later: compute budget.
    pub compute: u16,
}

/// An output; only coinbases have them, and theirs become notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TxOutput {
    /// Sompi.
    pub value: u64,
    /// Version of the script.
    pub script_version: u16,
    /// Script; on shielded networks the 43 bytes of an address.
    pub script: Vec<u8>,
    /// Inherited from the parent network, always absent in version 0.
    pub covenant: Option<Covenant>,
}

/// Binding of an output to a covenant of the parent network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covenant {
    /// Index of the input that authorizes it.
    pub authorizing_input: u16,
    /// Covenant id.
    pub id: Hash32,
}

/// A transaction. Version 2 outside the coinbase subnetwork is a shielded payment: no inputs,
/// no outputs, the bundle in the payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// 0 classic, 1 Toccata, 2 shielded.
    pub version: u16,
    /// Transparent inputs.
    pub inputs: Vec<TxInput>,
    /// Transparent outputs.
    pub outputs: Vec<TxOutput>,
    /// 0, or the DAA score or time from which the transaction is valid.
    pub lock_time: u64,
    /// Lane of the transaction.
    pub subnetwork_id: [u8; 20],
    /// Gas of the lane.
    pub gas: u64,
    /// Bundle, coinbase payload or nothing.
    pub payload: Vec<u8>,
    /// Storage mass the transaction commits to.
    pub storage_mass: u64,
}

impl Transaction {
    /// The id: what spends refer to. From version 1 on it hashes the payload and the rest
    /// apart (specification consensus 9.2).
    pub fn id(&self) -> Hash32 {
        hash::id(self)
    }

    /// The hash of everything: leaf of the block's merkle tree.
    pub fn hash(&self) -> Hash32 {
        hash::full_hash(self)
    }

    /// Whether it is of the coinbase subnetwork, whatever its version.
    pub fn is_coinbase(&self) -> bool {
        self.subnetwork_id == COINBASE
    }

    /// Whether its payload is a shielded bundle (specification shielded 3.1).
    pub fn is_shielded(&self) -> bool {
        self.version == SHIELDED_VERSION && !self.is_coinbase()
    }

    /// Writes `RawTransaction`.
    pub fn encode(&self, writer: &mut Writer) {
        writer.u16(self.version).count_u32(self.inputs.len());
        for input in &self.inputs {
            writer
                .hash(&input.txid)
                .u32(input.index)
                .count_u32(input.script.len());
            writer
                .bytes(&input.script)
                .u64(input.sequence)
                .u16(input.compute);
        }
        writer.count_u32(self.outputs.len());
        for output in &self.outputs {
            writer
                .u64(output.value)
                .u16(output.script_version)
                .count_u32(output.script.len());
            writer
                .bytes(&output.script)
                .u8(u8::from(output.covenant.is_some()));
            if let Some(covenant) = &output.covenant {
                writer.u16(covenant.authorizing_input).hash(&covenant.id);
            }
        }
        writer
            .u64(self.lock_time)
            .bytes(&self.subnetwork_id)
            .u64(self.gas);
        writer
            .count_u32(self.payload.len())
            .bytes(&self.payload)
            .u64(self.storage_mass);
    }

    /// Reads `RawTransaction`.
    ///
    /// # Errors
    /// `codec/*` for short input or a count above its bound, `codec/number-out-of-range` for
    /// more than 255 signature operations in version 0, `codec/not-canonical` for a covenant
    /// flag other than 0 or 1 or a covenant in version 0.
    pub fn decode(reader: &mut Reader<'_>) -> Result<Self, SvcError> {
        let version = reader.u16()?;
        let count = reader.count_u32(MAX_TX_INPUTS, MIN_INPUT_LEN)?;
        let inputs = (0..count)
            .map(|_| TxInput::decode(reader, version))
            .collect::<Result<_, _>>()?;
        let count = reader.count_u32(MAX_TX_OUTPUTS, MIN_OUTPUT_LEN)?;
        let outputs = (0..count)
            .map(|_| TxOutput::decode(reader, version))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            version,
            inputs,
            outputs,
            lock_time: reader.u64()?,
            subnetwork_id: reader.array()?,
            gas: reader.u64()?,
            payload: byte_string(reader, MAX_TX_PAYLOAD_LEN)?,
            storage_mass: reader.u64()?,
        })
    }

    /// The raw form as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::with_capacity(64 + self.payload.len());
        self.encode(&mut writer);
        writer.into_vec()
    }

    /// Reads a raw form that fills `bytes`.
    ///
    /// # Errors
    /// As [`Transaction::decode`], and `codec/trailing-bytes`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        let transaction = Self::decode(&mut reader)?;
        reader.finish()?;
        Ok(transaction)
    }
}

impl TxInput {
    fn decode(reader: &mut Reader<'_>, version: u16) -> Result<Self, SvcError> {
        let input = Self {
            txid: reader.hash()?,
            index: reader.u32()?,
            script: byte_string(reader, MAX_SIGNATURE_SCRIPT_LEN)?,
            sequence: reader.u64()?,
            compute: reader.u16()?,
        };
        if version == 0 && input.compute > u16::from(u8::MAX) {
            let error = SvcError::new(Code::CodecNumberOutOfRange).with("text", input.compute);
            return Err(error.with("max", u8::MAX));
        }
        Ok(input)
    }
}

impl TxOutput {
    fn decode(reader: &mut Reader<'_>, version: u16) -> Result<Self, SvcError> {
        let value = reader.u64()?;
        let script_version = reader.u16()?;
        let script = byte_string(reader, MAX_SCRIPT_LEN)?;
        let covenant = match reader.u8()? {
            0 => None,
            1 if version > 0 => Some(Covenant {
                authorizing_input: reader.u16()?,
                id: reader.hash()?,
            }),
            _ => return Err(SvcError::new(Code::CodecNotCanonical).with("what", "covenant")),
        };
        Ok(Self {
            value,
            script_version,
            script,
            covenant,
        })
    }
}

fn byte_string(reader: &mut Reader<'_>, max: usize) -> Result<Vec<u8>, SvcError> {
    let len = reader.count_u32(max, 1)?;
    Ok(reader.take(len)?.to_vec())
}
