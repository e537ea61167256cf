//! Per-block records of the DAG algorithms, and their stored forms. Each form begins with a version byte.

use svc_chain::header::Header;
use svc_chain::uint256::U256;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_MERGESET_WALK, MAX_REACHABILITY_LINKS};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::sortable_block::sort_ascending;
use crate::store::DagStore;

/// Version of the stored forms below.
const FORM: u8 = 1;
/// Bytes of a hash with a u16 beside it.
const SIZED_HASH_LEN: usize = 34;

/// A header with what was computed from it alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderRecord {
    /// The header.
    pub header: Header,
    /// Its hash, the block id.
    pub hash: Hash32,
    /// Block level from its proof of work (specification consensus 4).
    pub level: u8,
}

/// The chain blocks that bound what a block may merge and what is final for it
/// (specification consensus 7.8). The virtual root stands for "below the pruning point".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthRecord {
    /// Chain block at merge depth.
    pub merge_depth_root: Hash32,
    /// Chain block at finality depth.
    pub finality_point: Hash32,
}

/// What GHOSTDAG says about a block (specification consensus 7.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GhostdagData {
    /// Number of blue blocks in the past.
    pub blue_score: u64,
    /// Work of the blue blocks in the past; fits 192 bits.
    pub blue_work: U256,
    /// Greatest parent; the virtual root for genesis.
    pub selected_parent: Hash32,
    /// Blue mergeset: selected parent first, then in the order of coloring.
    pub blues: Vec<Hash32>,
    /// Red mergeset, ascending.
    pub reds: Vec<Hash32>,
    /// Blue blocks whose blue anticone changed with this block, with its new size.
    pub anticone_sizes: Vec<(Hash32, u16)>,
}

impl GhostdagData {
    /// Size of the mergeset with the selected parent.
    pub fn mergeset_size(&self) -> usize {
        self.blues.len() + self.reds.len()
    }

    /// Blues and reds without the selected parent, ascending.
    ///
    /// # Errors
    /// `store/*`.
    pub fn ascending_mergeset_without_selected_parent(
        &self,
        store: &impl DagStore,
    ) -> Result<Vec<Hash32>, SvcError> {
        if self.mergeset_size() <= 1 {
            return Ok(Vec::new());
        }
        sort_ascending(store, self.blues.iter().skip(1).chain(&self.reds).copied())
    }

    /// The selected parent, then the rest of the mergeset ascending: the order in which
    /// transactions are accepted (specification consensus 8.3).
    ///
    /// # Errors
    /// `store/*`.
    pub fn consensus_ordered_mergeset(
        &self,
        store: &impl DagStore,
    ) -> Result<Vec<Hash32>, SvcError> {
        let mut ordered = Vec::with_capacity(self.mergeset_size());
        ordered.push(self.selected_parent);
        ordered.extend(self.ascending_mergeset_without_selected_parent(store)?);
        Ok(ordered)
    }

    /// The stored form.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::with_capacity(
            80 + 32 * self.mergeset_size() + SIZED_HASH_LEN * self.anticone_sizes.len(),
        );
        writer.u8(FORM).u64(self.blue_score);
        let [low, middle, high, _] = self.blue_work.0;
        writer
            .u64(low)
            .u64(middle)
            .u64(high)
            .hash(&self.selected_parent);
        write_hashes(&mut writer, &self.blues);
        write_hashes(&mut writer, &self.reds);
        writer.count_u16(self.anticone_sizes.len());
        for (block, size) in &self.anticone_sizes {
            writer.hash(block).u16(*size);
        }
        writer.into_vec()
    }

    /// Reads the stored form.
    ///
    /// # Errors
    /// `codec/*`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        check_form(&mut reader)?;
        let blue_score = reader.u64()?;
        let blue_work = U256([reader.u64()?, reader.u64()?, reader.u64()?, 0]);
        let selected_parent = reader.hash()?;
        let blues = read_hashes(&mut reader, MAX_MERGESET_WALK + 1)?;
        let reds = read_hashes(&mut reader, MAX_MERGESET_WALK)?;
        let count = reader.count_u16(usize::from(u16::MAX), SIZED_HASH_LEN)?;
        let anticone_sizes = (0..count)
            .map(|_| Ok((reader.hash()?, reader.u16()?)))
            .collect::<Result<_, SvcError>>()?;
        reader.finish()?;
        Ok(Self {
            blue_score,
            blue_work,
            selected_parent,
            blues,
            reds,
            anticone_sizes,
        })
    }
}

/// A block in the tree of selected parents, and what else is in its future
/// (specification consensus 7.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReachabilityNode {
    /// Parent in the tree; zero for the root.
    pub parent: Hash32,
    /// First number of the interval.
    pub start: u64,
    /// Last number of the interval; one below `start` when the interval is empty.
    pub end: u64,
    /// Distance from the root.
    pub height: u64,
    /// Children in the tree; their intervals ascend and lie inside this one without its last number.
    pub children: Vec<Hash32>,
    /// Roots of disjoint subtrees that cover the future outside the own subtree, by ascending interval.
    pub future_covering: Vec<Hash32>,
}

impl ReachabilityNode {
    /// The stored form.
    pub fn encode(&self) -> Vec<u8> {
        let links = self.children.len() + self.future_covering.len();
        let mut writer = Writer::with_capacity(65 + 32 * links);
        writer
            .u8(FORM)
            .hash(&self.parent)
            .u64(self.start)
            .u64(self.end)
            .u64(self.height);
        write_hashes(&mut writer, &self.children);
        write_hashes(&mut writer, &self.future_covering);
        writer.into_vec()
    }

    /// Reads the stored form.
    ///
    /// # Errors
    /// `codec/*`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        check_form(&mut reader)?;
        let parent = reader.hash()?;
        let (start, end, height) = (reader.u64()?, reader.u64()?, reader.u64()?);
        let children = read_hashes(&mut reader, MAX_REACHABILITY_LINKS)?;
        let future_covering = read_hashes(&mut reader, MAX_REACHABILITY_LINKS)?;
        reader.finish()?;
        Ok(Self {
            parent,
            start,
            end,
            height,
            children,
            future_covering,
        })
    }
}

fn check_form(reader: &mut Reader<'_>) -> Result<(), SvcError> {
    let found = reader.u8()?;
    if found == FORM {
        return Ok(());
    }
    Err(SvcError::new(Code::CodecVersion)
        .with("expected", FORM)
        .with("found", found))
}

fn write_hashes(writer: &mut Writer, hashes: &[Hash32]) {
    writer.count_u32(hashes.len());
    for hash in hashes {
        writer.hash(hash);
    }
}

fn read_hashes(reader: &mut Reader<'_>, max: usize) -> Result<Vec<Hash32>, SvcError> {
    let count = reader.count_u32(max, 32)?;
    (0..count).map(|_| reader.hash()).collect()
}
