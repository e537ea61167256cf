//! Frontier of the note commitment tree (its right edge): all that a node needs to append and to know the root
//! (specification shielded 7).

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_tree::edge::{self, Edge};
use svc_tree::merkle;

use crate::field::{TREE_DEPTH, check_node};

/// Leaves of a full tree.
pub const MAX_LEAVES: u64 = 1 << TREE_DEPTH;

/// Size, last leaf and complete left siblings of the tree's right edge, lowest level first. Always
/// consistent: as many ommers as the position of the last leaf has one bits, every node canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frontier {
    /// Nothing while the tree is empty.
    edge: Option<Edge>,
}

impl Frontier {
    /// The tree without leaves.
    pub fn empty() -> Self {
        Self { edge: None }
    }

    /// Builds a frontier from its parts. Errors: `shielded/bad-frontier`, `codec/not-canonical`.
    pub fn from_parts(
        size: u64,
        leaf: Option<Hash32>,
        ommers: &[Hash32],
    ) -> Result<Self, SvcError> {
        let expected = size.checked_sub(1).map_or(0, u64::count_ones) as usize;
        if size > MAX_LEAVES || leaf.is_some() != (size > 0) || ommers.len() != expected {
            return Err(inconsistent("size, leaf and ommers disagree"));
        }
        leaf.iter().chain(ommers).try_for_each(check_node)?;
        let edge = leaf.map(|leaf| Edge {
            size,
            leaf,
            ommers: ommers.to_vec(),
        });
        Ok(Self { edge })
    }

    /// Number of leaves.
    pub fn size(&self) -> u64 {
        self.edge.as_ref().map_or(0, |edge| edge.size)
    }

    /// The leaf appended last; `None` while the tree is empty.
    pub fn leaf(&self) -> Option<Hash32> {
        self.edge.as_ref().map(|edge| edge.leaf)
    }

    /// Roots of the complete left siblings, lowest level first.
    pub fn ommers(&self) -> Vec<Hash32> {
        self.edge
            .as_ref()
            .map_or_else(Vec::new, |edge| edge.ommers.clone())
    }

    /// Appends one commitment. Errors: `shielded/tree-full`, `codec/not-canonical`; the frontier is unchanged then.
    pub fn append(&mut self, cmx: &Hash32) -> Result<(), SvcError> {
        self.append_all(core::slice::from_ref(cmx))
    }

    /// Appends all commitments in order, level by level. Errors: `shielded/tree-full`, `codec/not-canonical`; the
    /// frontier is unchanged then.
    pub fn append_all(&mut self, cmxs: &[Hash32]) -> Result<(), SvcError> {
        let size = self.size();
        for (index, cmx) in cmxs.iter().enumerate() {
            check_node(cmx)?;
            if size + index as u64 >= MAX_LEAVES {
                return Err(SvcError::new(Code::ShieldedTreeFull));
            }
        }
        self.edge = edge::append(self.edge.as_ref(), cmxs);
        Ok(())
    }

    /// The root of the whole tree, which is the anchor.
    pub fn root(&self) -> Hash32 {
        edge::root(self.edge.as_ref())
    }

    /// Writes `size u64, leaf 32 (zeros when empty), count u8, ommers`, the form of `/v1/tree/state`.
    pub fn encode(&self, writer: &mut Writer) {
        writer.u64(self.size());
        writer.hash(&self.leaf().unwrap_or(Hash32::ZERO));
        let ommers = self.ommers();
        writer.u8(ommers.len() as u8);
        for ommer in &ommers {
            writer.hash(ommer);
        }
    }

    /// Reads the form of [`Frontier::encode`]. Errors: `codec/unexpected-end`, `shielded/bad-frontier`,
    /// `codec/not-canonical`.
    pub fn decode(reader: &mut Reader<'_>) -> Result<Self, SvcError> {
        let size = reader.u64()?;
        let leaf = reader.hash()?;
        let count = reader.u8()?;
        if size == 0 && leaf != Hash32::ZERO {
            return Err(inconsistent("an empty tree has no last leaf"));
        }
        let ommers = (0..count)
            .map(|_| reader.hash())
            .collect::<Result<Vec<_>, _>>()?;
        Self::from_parts(size, (size > 0).then_some(leaf), &ommers)
    }
}

/// Root of an empty subtree of `level`: level 0 is the uncommitted leaf, level 32 the empty tree.
pub fn empty_root(level: u8) -> Hash32 {
    edge::empty_root(level)
}

/// Parent of two nodes of `level`, 0 being the leaves. Error: `codec/not-canonical`.
pub fn combine(level: u8, left: &Hash32, right: &Hash32) -> Result<Hash32, SvcError> {
    check_node(left)?;
    check_node(right)?;
    Ok(merkle::combine(level, left, right))
}

fn inconsistent(reason: &str) -> SvcError {
    SvcError::new(Code::ShieldedBadFrontier).with("reason", reason)
}
