//! Merged-mining witness of a block: a parent-network header, its coinbase, and the coinbase's merkle branch, in
//! borsh (specification consensus 5.1).
//!
//! The hash and id fields inside are written for the benefit of other readers and never trusted.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_WITNESS_BRANCH, MAX_WITNESS_LEN, MAX_WITNESS_NESTING};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::header::Header;
use crate::header::parents::{ParentRun, Parents};
use crate::merkle::fold_first;
use crate::transaction::{Covenant, Transaction, TxInput, TxOutput};

/// Bytes of the smallest run of parents, input and output.
pub(crate) const MIN_RUN_LEN: usize = 1 + 4;
pub(crate) const MIN_INPUT_LEN: usize = 32 + 4 + 4 + 8 + 1 + 1;
pub(crate) const MIN_OUTPUT_LEN: usize = 8 + 2 + 4 + 1;
/// What an input says of its cost: a number of signature operations, or a compute budget.
const SIGNATURE_OPERATIONS: u8 = 0;
const COMPUTE_BUDGET: u8 = 1;

/// Work that was done on a block of the parent network and, through a commitment in its coinbase, on ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The header that was mined, of which only the work counts.
    pub parent: Header,
    /// The first transaction of that block. Nothing but its place makes it the coinbase: it is the first leaf.
    pub coinbase: Transaction,
    /// Merkle siblings of the coinbase, the lowest first.
    pub branch: Vec<Hash32>,
    /// Levels of witnesses inside the parent's own witness field; their content does not matter.
    pub nesting: u8,
}

impl Witness {
    /// Reads a witness that fills `bytes`.
    ///
    /// # Errors
    /// `codec/count-too-large` above [`MAX_WITNESS_LEN`] bytes, [`MAX_WITNESS_BRANCH`] siblings or
    /// [`MAX_WITNESS_NESTING`] levels, `header/bad-parents`, and `codec/*` for short, long or malformed input.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SvcError> {
        check_count(bytes.len(), MAX_WITNESS_LEN)?;
        let mut reader = Reader::new(bytes);
        let witness = read_witness(&mut reader, 0)?;
        reader.finish()?;
        Ok(witness)
    }

    /// The borsh form, without a witness inside the parent header.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::with_capacity(512 + self.coinbase.payload.len());
        write_header(&mut writer, &self.parent);
        write_coinbase(&mut writer, &self.coinbase);
        write_hashes(&mut writer, &self.branch);
        writer.into_vec()
    }

    /// Whether the coinbase is the first transaction under the parent header's merkle root.
    pub fn branch_holds(&self) -> bool {
        self.branch.len() <= MAX_WITNESS_BRANCH
            && fold_first(self.coinbase.hash(), &self.branch) == self.parent.hash_merkle_root
    }
}

fn check_count(count: usize, max: usize) -> Result<(), SvcError> {
    if count <= max {
        return Ok(());
    }
    let error = SvcError::new(Code::CodecCountTooLarge);
    Err(error.with("count", count).with("max", max))
}

/// `depth` is the number of witnesses around this one.
fn read_witness(reader: &mut Reader<'_>, depth: usize) -> Result<Witness, SvcError> {
    check_count(depth, MAX_WITNESS_NESTING)?;
    let parent = read_header(reader)?;
    let nesting = match reader.u8()? {
        0 => 0,
        1 => read_witness(reader, depth + 1)?.nesting.saturating_add(1),
        _ => return Err(not_canonical("witness tag")),
    };
    let coinbase = read_coinbase(reader)?;
    let count = reader.count_u32(MAX_WITNESS_BRANCH, 32)?;
    let branch = (0..count)
        .map(|_| reader.hash())
        .collect::<Result<_, _>>()?;
    Ok(Witness {
        parent,
        coinbase,
        branch,
        nesting,
    })
}

fn not_canonical(what: &'static str) -> SvcError {
    SvcError::new(Code::CodecNotCanonical).with("what", what)
}

fn read_header(reader: &mut Reader<'_>) -> Result<Header, SvcError> {
    // The parent's id as its sender computed it.
    reader.hash()?;
    let version = reader.u16()?;
    let count = reader.count_u32(usize::MAX, MIN_RUN_LEN)?;
    let mut runs = Vec::new();
    for _ in 0..count {
        let cumulative_level = reader.u8()?;
        let parents = read_hashes(reader)?;
        runs.push(ParentRun {
            cumulative_level,
            parents,
        });
    }
    Header::decode_rest(reader, version, Parents::from_runs(runs)?)
}

fn read_coinbase(reader: &mut Reader<'_>) -> Result<Transaction, SvcError> {
    let version = reader.u16()?;
    let count = reader.count_u32(usize::MAX, MIN_INPUT_LEN)?;
    let inputs = (0..count)
        .map(|_| read_input(reader, version))
        .collect::<Result<_, _>>()?;
    let count = reader.count_u32(usize::MAX, MIN_OUTPUT_LEN)?;
    let outputs = (0..count)
        .map(|_| read_output(reader))
        .collect::<Result<_, _>>()?;
    let coinbase = Transaction {
        version,
        inputs,
        outputs,
        lock_time: reader.u64()?,
        subnetwork_id: reader.array()?,
        gas: reader.u64()?,
        payload: read_bytes(reader)?,
        storage_mass: reader.u64()?,
    };
    // The coinbase's id as its sender computed it.
    reader.hash()?;
    Ok(coinbase)
}

/// What an input says of its cost counts only in the form of its version; else hashes read it as none.
fn read_input(reader: &mut Reader<'_>, version: u16) -> Result<TxInput, SvcError> {
    let (txid, index) = (reader.hash()?, reader.u32()?);
    let (script, sequence) = (read_bytes(reader)?, reader.u64()?);
    let compute = match reader.u8()? {
        SIGNATURE_OPERATIONS => (version == 0, u16::from(reader.u8()?)),
        COMPUTE_BUDGET => (version > 0, reader.u16()?),
        _ => return Err(not_canonical("cost of an input")),
    };
    Ok(TxInput {
        txid,
        index,
        script,
        sequence,
        compute: if compute.0 { compute.1 } else { 0 },
    })
}

fn read_output(reader: &mut Reader<'_>) -> Result<TxOutput, SvcError> {
    Ok(TxOutput {
        value: reader.u64()?,
        script_version: reader.u16()?,
        script: read_bytes(reader)?,
        covenant: match reader.u8()? {
            0 => None,
            1 => Some(Covenant {
                authorizing_input: reader.u16()?,
                id: reader.hash()?,
            }),
            _ => return Err(not_canonical("covenant")),
        },
    })
}

fn read_bytes(reader: &mut Reader<'_>) -> Result<Vec<u8>, SvcError> {
    let len = reader.count_u32(usize::MAX, 1)?;
    Ok(reader.take(len)?.to_vec())
}

fn read_hashes(reader: &mut Reader<'_>) -> Result<Vec<Hash32>, SvcError> {
    let count = reader.count_u32(usize::MAX, 32)?;
    (0..count).map(|_| reader.hash()).collect()
}

fn write_header(writer: &mut Writer, header: &Header) {
    // As other writers of this form do: the id is not written out, since no reader believes it.
    writer.hash(&Hash32::ZERO).u16(header.version);
    writer.count_u32(header.parents.runs().len());
    for run in header.parents.runs() {
        writer.u8(run.cumulative_level);
        write_hashes(writer, &run.parents);
    }
    header.encode_rest(writer);
    writer.u8(0);
}

fn write_coinbase(writer: &mut Writer, coinbase: &Transaction) {
    writer.u16(coinbase.version);
    writer.count_u32(coinbase.inputs.len());
    for input in &coinbase.inputs {
        write_input(writer, coinbase.version, input);
    }
    writer.count_u32(coinbase.outputs.len());
    for output in &coinbase.outputs {
        writer.u64(output.value).u16(output.script_version);
        writer.count_u32(output.script.len()).bytes(&output.script);
        writer.u8(u8::from(output.covenant.is_some()));
        if let Some(covenant) = &output.covenant {
            writer.u16(covenant.authorizing_input).hash(&covenant.id);
        }
    }
    writer
        .u64(coinbase.lock_time)
        .bytes(&coinbase.subnetwork_id)
        .u64(coinbase.gas)
        .count_u32(coinbase.payload.len())
        .bytes(&coinbase.payload)
        .u64(coinbase.storage_mass)
        .hash(&coinbase.id());
}

fn write_input(writer: &mut Writer, version: u16, input: &TxInput) {
    writer.hash(&input.txid).u32(input.index);
    writer.count_u32(input.script.len()).bytes(&input.script);
    writer.u64(input.sequence);
    if version == 0 {
        let operations = u8::try_from(input.compute).unwrap_or(u8::MAX);
        writer.u8(SIGNATURE_OPERATIONS).u8(operations);
    } else {
        writer.u8(COMPUTE_BUDGET).u16(input.compute);
    }
}

fn write_hashes(writer: &mut Writer, hashes: &[Hash32]) {
    writer.count_u32(hashes.len());
    for hash in hashes {
        writer.hash(hash);
    }
}
