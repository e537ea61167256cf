//! Acceptance data of a chain block: what it merged, accepted, applied and dropped. "Accepted" follows the parent's
//! rules and feeds the sequencing commitment; only "applied" moves value (specification shielded 12).

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::records::record_fields;

/// One merged block, in acceptance order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedBlock {
    /// Its hash.
    pub hash: Hash32,
    /// Whether GHOSTDAG coloured it blue.
    pub blue: bool,
    /// Number of its transactions, coinbase included.
    pub tx_count: u32,
    /// Its accepted transactions (applied and dropped), in order.
    pub accepted: Vec<Hash32>,
}

/// A transaction with the merged block that carried it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// Transaction id.
    pub txid: Hash32,
    /// Carrying block.
    pub block: Hash32,
}

/// A spend that had no effect, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// Transaction and carrying block.
    pub carried: Carried,
    /// Registry code of the reason.
    pub reason: String,
}

/// Acceptance data of one chain block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AcceptanceRecord {
    /// Merged blocks, selected parent first.
    pub merged: Vec<MergedBlock>,
    /// Applied transactions in applied order.
    pub applied: Vec<Carried>,
    /// Dropped spends in order.
    pub dropped: Vec<Dropped>,
}

impl AcceptanceRecord {
    /// Stored form, version 1.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u8(1);
        writer.u32(self.merged.len() as u32);
        for merged in &self.merged {
            writer.hash(&merged.hash);
            writer.u8(u8::from(merged.blue));
            writer.u32(merged.tx_count);
            writer.u32(merged.accepted.len() as u32);
            for txid in &merged.accepted {
                writer.hash(txid);
            }
        }
        writer.u32(self.applied.len() as u32);
        for carried in &self.applied {
            writer.hash(&carried.txid);
            writer.hash(&carried.block);
        }
        writer.u32(self.dropped.len() as u32);
        for dropped in &self.dropped {
            writer.hash(&dropped.carried.txid);
            writer.hash(&dropped.carried.block);
            writer.u16(dropped.reason.len() as u16);
            writer.bytes(dropped.reason.as_bytes());
        }
        writer.into_vec()
    }

    /// Reads the stored form. Errors: `store/corrupt` and the decoders' own.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        crate::corrupt_unless(reader.u8()? == 1, "acceptance record version")?;
        let merged = (0..reader.u32()?)
            .map(|_| read_merged(&mut reader))
            .collect::<Result<_, SvcError>>()?;
        let applied = (0..reader.u32()?)
            .map(|_| read_carried(&mut reader))
            .collect::<Result<_, SvcError>>()?;
        let dropped = (0..reader.u32()?)
            .map(|_| read_dropped(&mut reader))
            .collect::<Result<_, SvcError>>()?;
        reader.finish()?;
        Ok(Self {
            merged,
            applied,
            dropped,
        })
    }
}

fn read_merged(reader: &mut Reader<'_>) -> Result<MergedBlock, SvcError> {
    let hash = reader.hash()?;
    let blue = record_fields::flag(reader, "acceptance record")?;
    let tx_count = reader.u32()?;
    let accepted = (0..reader.u32()?)
        .map(|_| reader.hash())
        .collect::<Result<_, _>>()?;
    Ok(MergedBlock {
        hash,
        blue,
        tx_count,
        accepted,
    })
}

fn read_carried(reader: &mut Reader<'_>) -> Result<Carried, SvcError> {
    Ok(Carried {
        txid: reader.hash()?,
        block: reader.hash()?,
    })
}

fn read_dropped(reader: &mut Reader<'_>) -> Result<Dropped, SvcError> {
    let carried = read_carried(reader)?;
    let reason = record_fields::text(reader, "acceptance record")?;
    Ok(Dropped { carried, reason })
}
