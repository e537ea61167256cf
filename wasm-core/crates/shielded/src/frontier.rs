//! The right edge of the note commitment tree: all that a node needs to append and to know the root
//! (specification shielded 7).

use orchard::tree::MerkleHashOrchard;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::field::{TREE_DEPTH, combine_nodes, empty_node, node, node_bytes};

/// Leaves of a full tree.
pub const MAX_LEAVES: u64 = 1 << TREE_DEPTH;

/// Size, last leaf and complete left siblings of the tree's right edge, lowest level first. Always
/// consistent: as many ommers as the position of the last leaf has one bits, every node canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    leaf: Option<MerkleHashOrchard>,
    ommers: Vec<MerkleHashOrchard>,
}

impl Frontier {
    /// The tree without leaves.
    pub fn empty() -> Self {
        Self {
            size: 0,
            leaf: None,
            ommers: Vec::new(),
        }
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
        Ok(Self {
            size,
            leaf: leaf.as_ref().map(node).transpose()?,
            ommers: ommers.iter().map(node).collect::<Result<_, _>>()?,
        })
    }

    /// Number of leaves.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The leaf appended last; `None` while the tree is empty.
    pub fn leaf(&self) -> Option<Hash32> {
        self.leaf.as_ref().map(node_bytes)
    }

    /// Roots of the complete left siblings, lowest level first.
    pub fn ommers(&self) -> Vec<Hash32> {
        self.ommers.iter().map(node_bytes).collect()
    }

    /// Appends one commitment. Errors: `shielded/tree-full`, `codec/not-canonical`; the frontier is unchanged then.
    pub fn append(&mut self, cmx: &Hash32) -> Result<(), SvcError> {
        let new_leaf = node(cmx)?;
        if self.size >= MAX_LEAVES {
            return Err(SvcError::new(Code::ShieldedTreeFull));
        }
        if let Some(last) = self.leaf {
            // The last leaf is at size - 1; its trailing one bits are the subtrees it completes.
            let completed = (self.size - 1).trailing_ones() as usize;
            let mut carry = last;
            for (level, ommer) in self.ommers.drain(..completed).enumerate() {
                carry = combine_nodes(level as u8, &ommer, &carry);
            }
            self.ommers.insert(0, carry);
        }
        self.leaf = Some(new_leaf);
        self.size += 1;
        Ok(())
    }

    /// Appends all commitments in order. After an error the frontier holds those before the bad one.
    pub fn append_all(&mut self, cmxs: &[Hash32]) -> Result<(), SvcError> {
        cmxs.iter().try_for_each(|cmx| self.append(cmx))
    }

    /// The root of the whole tree, which is the anchor.
    pub fn root(&self) -> Hash32 {
        let Some(leaf) = self.leaf else {
            return empty_root(TREE_DEPTH);
        };
        let position = self.size - 1;
        let mut ommers = self.ommers.iter();
        let mut current = leaf;
        for level in 0..TREE_DEPTH {
            let left_sibling = if position >> level & 1 == 1 {
                ommers.next()
            } else {
                None
            };
            current = match left_sibling {
                Some(ommer) => combine_nodes(level, ommer, &current),
                None => combine_nodes(level, &current, &empty_node(level)),
            };
        }
        node_bytes(&current)
    }

    /// Writes `size u64, leaf 32 (zeros when empty), count u8, ommers`, the form of `/v1/tree/state`.
    pub fn encode(&self, writer: &mut Writer) {
        writer.u64(self.size);
        writer.hash(&self.leaf().unwrap_or(Hash32::ZERO));
        writer.u8(self.ommers.len() as u8);
        for ommer in self.ommers() {
            writer.hash(&ommer);
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
    node_bytes(&empty_node(level))
}

/// Parent of two nodes of `level`, 0 being the leaves. Error: `codec/not-canonical`.
pub fn combine(level: u8, left: &Hash32, right: &Hash32) -> Result<Hash32, SvcError> {
    Ok(node_bytes(&combine_nodes(
        level,
        &node(left)?,
        &node(right)?,
    )))
}

fn inconsistent(reason: &str) -> SvcError {
    SvcError::new(Code::ShieldedBadFrontier).with("reason", reason)
}
