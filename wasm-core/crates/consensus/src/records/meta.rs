//! Keys of the META table and the small records behind them.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

/// Store layout version, u32.
pub const VERSION: &[u8] = b"version";
/// Digest of the profile the store was made for.
pub const PROFILE_DIGEST: &[u8] = b"profile";
/// [`VirtualRecord`].
pub const VIRTUAL: &[u8] = b"virtual";
/// The block whose nullifiers NULLIFIERS holds, and whose lanes LANES, LANE_NODES and LANE_EXPIRY hold.
pub const POSITION: &[u8] = b"position";
/// Block tips (blocks with a body and no child with a body), concatenated hashes.
pub const TIPS: &[u8] = b"tips";
/// The chain block that the selected chain is being moved to, while it takes more than one step
/// ([`crate::pipeline::chain_move`]); absent at rest.
pub const MOVING: &[u8] = b"moving";
/// Reachability reindex root.
pub const REINDEX_ROOT: &[u8] = b"reindexRoot";
/// [`PruningRecord`].
pub const PRUNING: &[u8] = b"pruning";
/// Pruning point and the digest over payloads and context in its sequencing commitment, where the blocks it merged are
/// not held.
pub const PAYLOAD_DIGEST: &[u8] = b"payloadDigest";
/// [`crate::prune::plan::Plan`]; absent until something was pruned.
pub const PRUNING_PLAN: &[u8] = b"pruningPlan";
/// [`crate::history::HistoryRecord`]; absent while no history is being brought in.
pub const HISTORY: &[u8] = b"history";
/// [`crate::imported_log::LogRecord`]; absent while nothing is lacking of the anchor log.
pub const LOG: &[u8] = b"log";
/// The pruning point that the store began at; absent in a store that began at genesis.
pub const BEGINNING: &[u8] = b"beginning";
/// Chain index of the lowest block that a run of evidence can begin at, u64, where an older build pruned those below without their
/// openings; absent elsewhere.
pub const RUNS_FROM: &[u8] = b"runsFrom";
/// The header with the most blue work, body or not.
pub const HEADERS_TIP: &[u8] = b"headersTip";
/// [`Counters`].
pub const COUNTERS: &[u8] = b"counters";

/// The layout this code writes; [`crate::pipeline::genesis_state::open`] brings older ones up to it.
pub const LAYOUT_VERSION: u32 = 5;

/// The resolved virtual: its parents; the first is the sink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualRecord {
    /// Selected tip.
    pub sink: Hash32,
    /// Parents a block built now would have, the sink first.
    pub parents: Vec<Hash32>,
}

impl VirtualRecord {
    /// Stored form.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.hash(&self.sink);
        writer.bytes(&encode_hashes(&self.parents));
        writer.into_vec()
    }

    /// Reads the stored form. Errors: `store/corrupt` unless the sink is the first parent, `codec/unexpected-end`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        let sink = reader.hash()?;
        let parents = decode_hashes(reader.take(reader.remaining())?)?;
        crate::corrupt_unless(parents.first() == Some(&sink), "virtual")?;
        Ok(Self { sink, parents })
    }
}

/// Where the store begins (specification consensus 7.9 and 16).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PruningRecord {
    /// The pruning point: nothing below it is ever reorganised; genesis at first.
    pub point: Hash32,
    /// Its number in the list of all pruning points, genesis being 0.
    pub index: u64,
    /// The pruning point below which everything that may go is gone; behind `point` while a sweep is due.
    pub swept: Hash32,
    /// The lowest chain block whose scan record is held, every one above it as well.
    pub history_base: Hash32,
    /// [`PruningRecord::STATE_MISSING`] or 0.
    pub flags: u8,
}

impl PruningRecord {
    /// Set while a trusted import has not yet proved the state at the pruning point.
    pub const STATE_MISSING: u8 = 1;

    /// The record of a store that starts at genesis.
    pub fn genesis(genesis: Hash32) -> Self {
        Self {
            point: genesis,
            index: 0,
            swept: genesis,
            history_base: genesis,
            flags: 0,
        }
    }

    /// Stored form.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.hash(&self.point);
        writer.u64(self.index);
        writer.hash(&self.swept);
        writer.hash(&self.history_base);
        writer.u8(self.flags);
        writer.into_vec()
    }

    /// Reads the stored form. Errors: `store/corrupt` for unknown flags, `codec/*`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        let record = Self {
            point: reader.hash()?,
            index: reader.u64()?,
            swept: reader.hash()?,
            history_base: reader.hash()?,
            flags: reader.u8()?,
        };
        reader.finish()?;
        crate::corrupt_unless(record.flags <= Self::STATE_MISSING, "pruning")?;
        Ok(record)
    }
}

/// How many blocks the store holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Accepted headers, genesis included.
    pub headers: u64,
    /// Accepted bodies, genesis included.
    pub bodies: u64,
}

impl Counters {
    /// Stored form.
    pub fn encode(self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u64(self.headers);
        writer.u64(self.bodies);
        writer.into_vec()
    }

    /// Reads the stored form.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        let counters = Self {
            headers: reader.u64()?,
            bodies: reader.u64()?,
        };
        reader.finish()?;
        Ok(counters)
    }
}

/// Hashes one after the other.
pub fn encode_hashes(hashes: &[Hash32]) -> Vec<u8> {
    hashes.iter().flat_map(|hash| *hash.as_bytes()).collect()
}

/// Inverse of [`encode_hashes`]. Errors: `codec/unexpected-end` when the length is no multiple of 32.
pub fn decode_hashes(bytes: &[u8]) -> Result<Vec<Hash32>, SvcError> {
    let mut reader = Reader::new(bytes);
    let mut hashes = Vec::with_capacity(bytes.len() / 32);
    while reader.remaining() > 0 {
        hashes.push(reader.hash()?);
    }
    Ok(hashes)
}
