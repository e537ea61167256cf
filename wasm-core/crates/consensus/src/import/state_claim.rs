//! State claim type: the shielded state after a pruning point as a peer claims it (specification shielded 15.1,
//! consensus 13.3).

use svc_chain::muhash::MuHash;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_ANCHOR_ENTRIES, MAX_COINBASE_SCRIPT_LEN};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_shielded::anchor_log::{AnchorLog, LogEntry};
use svc_shielded::frontier::Frontier;

use crate::records::chain_state::MinerSlot;

/// Version of the raw form.
const FORM: u8 = 1;
const ENTRY_LEN: usize = 104;
const PAIR_LEN: usize = 64;

/// The claim. All of it but `older`, `chain_index` and, before the security fork, `dev_accrued` is bound by the
/// committed root.
#[derive(Clone, Debug)]
pub struct StateClaim {
    /// Note commitment tree.
    pub frontier: Frontier,
    /// Sum of all minted notes in sompi.
    pub cumulative_coinbase: u128,
    /// Sum of all fees in sompi.
    pub cumulative_fees: u128,
    /// Accumulator over all spent nullifiers; `None` while there are none.
    pub nullifiers: Option<MuHash>,
    /// Number of spent nullifiers.
    pub nullifier_count: u64,
    /// Development fee carried, in sompi.
    pub dev_accrued: u64,
    /// Miner accrual slot.
    pub slot: MinerSlot,
    /// The anchor log before the first of `entries`.
    pub log_before: AnchorLog,
    /// Chain blocks since the security fork that may still be spent against, ascending, the pruning point last.
    pub entries: Vec<LogEntry>,
    /// Tree root and chain block, of those before the security fork, ascending by blue score.
    pub older: Vec<(Hash32, Hash32)>,
    /// Number of the pruning point in the selected chain: nothing below it is here to count.
    pub chain_index: u64,
}

impl StateClaim {
    /// The raw form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u8(FORM);
        self.frontier.encode(&mut writer);
        writer.u128(self.cumulative_coinbase);
        writer.u128(self.cumulative_fees);
        writer.u8(u8::from(self.nullifiers.is_some()));
        if let Some(accumulator) = &self.nullifiers {
            writer.bytes(&accumulator.to_bytes());
        }
        writer.u64(self.nullifier_count).u64(self.dev_accrued);
        writer.u16(self.slot.script_version);
        writer.count_u16(self.slot.script.len());
        writer.bytes(&self.slot.script).u64(self.slot.amount);
        self.log_before.encode(&mut writer);
        writer.count_u32(self.entries.len());
        for entry in &self.entries {
            writer.hash(&entry.block).hash(&entry.parent);
            writer.hash(&entry.tree_root).u64(entry.blue_score);
        }
        writer.count_u32(self.older.len());
        for (root, block) in &self.older {
            writer.hash(root).hash(block);
        }
        writer.u64(self.chain_index);
        writer.into_vec()
    }

    /// Reads the raw form.
    ///
    /// # Errors
    /// `codec/version`, `codec/count-too-large` above [`MAX_ANCHOR_ENTRIES`] or a script of more than
    /// [`MAX_COINBASE_SCRIPT_LEN`] bytes, `shielded/bad-frontier`, `shielded/bad-anchor-log`, other `codec/*`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        let form = reader.u8()?;
        if form != FORM {
            let error = SvcError::new(Code::CodecVersion).with("expected", FORM);
            return Err(error.with("found", form));
        }
        let claim = Self {
            frontier: Frontier::decode(&mut reader)?,
            cumulative_coinbase: reader.u128()?,
            cumulative_fees: reader.u128()?,
            nullifiers: read_product(&mut reader)?,
            nullifier_count: reader.u64()?,
            dev_accrued: reader.u64()?,
            slot: read_slot(&mut reader)?,
            log_before: AnchorLog::decode(&mut reader)?,
            entries: read_entries(&mut reader)?,
            older: read_older(&mut reader)?,
            chain_index: reader.u64()?,
        };
        reader.finish()?;
        Ok(claim)
    }
}

fn read_product(reader: &mut Reader<'_>) -> Result<Option<MuHash>, SvcError> {
    match reader.u8()? {
        0 => Ok(None),
        1 => MuHash::from_bytes(&reader.array::<384>()?).map(Some),
        _ => Err(SvcError::new(Code::CodecNotCanonical).with("what", "state claim")),
    }
}

fn read_slot(reader: &mut Reader<'_>) -> Result<MinerSlot, SvcError> {
    let script_version = reader.u16()?;
    let length = reader.count_u16(MAX_COINBASE_SCRIPT_LEN, 1)?;
    Ok(MinerSlot {
        script_version,
        script: reader.take(length)?.to_vec(),
        amount: reader.u64()?,
    })
}

fn read_entries(reader: &mut Reader<'_>) -> Result<Vec<LogEntry>, SvcError> {
    let count = reader.count_u32(MAX_ANCHOR_ENTRIES, ENTRY_LEN)?;
    let entry = |_| {
        Ok(LogEntry {
            block: reader.hash()?,
            parent: reader.hash()?,
            tree_root: reader.hash()?,
            blue_score: reader.u64()?,
        })
    };
    (0..count).map(entry).collect()
}

fn read_older(reader: &mut Reader<'_>) -> Result<Vec<(Hash32, Hash32)>, SvcError> {
    let count = reader.count_u32(MAX_ANCHOR_ENTRIES, PAIR_LEN)?;
    (0..count)
        .map(|_| Ok((reader.hash()?, reader.hash()?)))
        .collect()
}
