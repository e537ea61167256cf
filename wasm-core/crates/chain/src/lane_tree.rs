//! Sparse Merkle tree of the lanes (specification consensus 12, step 6), stored node by node: a change of some lanes
//! reads and writes only the nodes above them, where [`crate::seq_commit::lanes_root`] needs all lanes.
//!
//! Stored are the nodes with at least two lanes below them, and the top one when there is any lane. So the rows
//! are a function of the set of lanes alone, whatever order of changes led to it.

use std::collections::BTreeMap;

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::seq_commit::{TREE_DEPTH, bit, collapsed_node, empty_subtree, node};

/// The subtree on one side of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subtree {
    /// No lane.
    #[default]
    Empty,
    /// One lane.
    Lane {
        /// Lane key.
        key: Hash32,
        /// Its value, [`crate::seq_commit::active_leaf`].
        leaf: Hash32,
    },
    /// Several lanes: the root over them; a node of its own has the rest.
    Branch(Hash32),
}

impl Subtree {
    /// The root, `height` levels above the leaves.
    fn root(&self, height: usize) -> Hash32 {
        match self {
            Self::Empty => empty_subtree(height),
            Self::Lane { key, leaf } => collapsed_node(key, leaf),
            Self::Branch(root) => *root,
        }
    }

    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::Empty => {
                writer.u8(0);
            }
            Self::Lane { key, leaf } => {
                writer.u8(1).hash(key).hash(leaf);
            }
            Self::Branch(root) => {
                writer.u8(2).hash(root);
            }
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, SvcError> {
        match reader.u8()? {
            0 => Ok(Self::Empty),
            1 => Ok(Self::Lane {
                key: reader.hash()?,
                leaf: reader.hash()?,
            }),
            2 => Ok(Self::Branch(reader.hash()?)),
            _ => Err(corrupt("a kind of subtree that does not exist")),
        }
    }
}

/// A stored node: its two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneNode {
    /// Keys whose bit at the node's depth is 0.
    pub left: Subtree,
    /// Keys whose bit is 1.
    pub right: Subtree,
}

impl LaneNode {
    /// Stored form, version 1.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u8(1);
        self.left.encode(&mut writer);
        self.right.encode(&mut writer);
        writer.into_vec()
    }

    /// Reads the stored form. Errors: `store/corrupt`, `codec/…`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        if reader.u8()? != 1 {
            return Err(corrupt("another version"));
        }
        let left = Subtree::decode(&mut reader)?;
        let right = Subtree::decode(&mut reader)?;
        reader.finish()?;
        Ok(Self { left, right })
    }

    /// The node at `depth` as its parent keeps it. One lane below collapses, on whatever side it is.
    fn as_subtree(&self, depth: usize) -> Subtree {
        match (self.left, self.right) {
            (Subtree::Empty, Subtree::Empty) => Subtree::Empty,
            (lane @ Subtree::Lane { .. }, Subtree::Empty)
            | (Subtree::Empty, lane @ Subtree::Lane { .. }) => lane,
            (left, right) => {
                let below = TREE_DEPTH - depth - 1;
                Subtree::Branch(node(&left.root(below), &right.root(below)))
            }
        }
    }
}

/// Position of a node in the tree: `depth` bits of the keys below it, followed by zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodePlace {
    /// Number of bits that are fixed, 0 for the top.
    pub depth: u8,
    /// The bits.
    pub prefix: Hash32,
}

impl NodePlace {
    /// The top node.
    pub const TOP: Self = Self {
        depth: 0,
        prefix: Hash32::ZERO,
    };

    /// Key of the stored node: the depth, then the bytes that hold fixed bits.
    pub fn to_bytes(&self) -> Vec<u8> {
        let bytes = usize::from(self.depth).div_ceil(8);
        let fixed = self.prefix.0.iter().take(bytes);
        std::iter::once(self.depth).chain(fixed.copied()).collect()
    }

    /// The left or right side, or `None` below depth 255, where no branch can be.
    fn side(&self, right: bool) -> Option<Self> {
        let depth = self.depth.checked_add(1)?;
        let mut prefix = self.prefix;
        let index = usize::from(self.depth);
        if right && let Some(byte) = prefix.0.get_mut(index / 8) {
            *byte |= 0x80 >> (index % 8);
        }
        Some(Self { depth, prefix })
    }
}

/// The effect of a change of lanes on the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeUpdate {
    /// Root before.
    pub before: Hash32,
    /// Root after.
    pub root: Hash32,
    /// Nodes to write, or to delete where there is none.
    pub nodes: Vec<(NodePlace, Option<LaneNode>)>,
}

/// The value of one lane before and after; `None` where it does not live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafChange {
    /// What the tree must hold now.
    pub before: Option<Hash32>,
    /// What it shall hold.
    pub after: Option<Hash32>,
}

/// Changes by lane key.
pub type LeafChanges = BTreeMap<Hash32, LeafChange>;

/// Computes the tree after `changes`. `read` gives a stored node. All that is read on the way is held to the
/// roots above it. Errors: those of `read`; `store/corrupt` when nodes do not fit together or the lanes are not
/// what `changes` say they were.
pub fn update<R>(read: R, changes: &LeafChanges) -> Result<TreeUpdate, SvcError>
where
    R: Fn(&NodePlace) -> Result<Option<LaneNode>, SvcError>,
{
    let old = read(&NodePlace::TOP)?;
    let changes: Vec<Change> = changes
        .iter()
        .map(|(key, change)| (*key, *change))
        .collect();
    let mut walk = Walk {
        read,
        nodes: Vec::new(),
    };
    let before = old.unwrap_or_default();
    let after = walk.halves(NodePlace::TOP, &before, &changes)?;
    let kept = (after != LaneNode::default()).then_some(after);
    if kept != old {
        walk.nodes.push((NodePlace::TOP, kept));
    }
    Ok(TreeUpdate {
        before: before.as_subtree(0).root(TREE_DEPTH),
        root: after.as_subtree(0).root(TREE_DEPTH),
        nodes: walk.nodes,
    })
}

type Change = (Hash32, LeafChange);

struct Walk<R> {
    read: R,
    nodes: Vec<(NodePlace, Option<LaneNode>)>,
}

impl<R> Walk<R>
where
    R: Fn(&NodePlace) -> Result<Option<LaneNode>, SvcError>,
{
    /// Both sides of a node after changes that are ascending, distinct and all below it.
    fn halves(
        &mut self,
        place: NodePlace,
        old: &LaneNode,
        changes: &[Change],
    ) -> Result<LaneNode, SvcError> {
        let depth = usize::from(place.depth);
        let middle = changes.partition_point(|(key, _)| !bit(key, depth));
        let (left, right) = changes.split_at(middle);
        Ok(LaneNode {
            left: self.subtree(place.side(false), old.left, left)?,
            right: self.subtree(place.side(true), old.right, right)?,
        })
    }

    fn subtree(
        &mut self,
        place: Option<NodePlace>,
        old: Subtree,
        changes: &[Change],
    ) -> Result<Subtree, SvcError> {
        if changes.is_empty() {
            return Ok(old);
        }
        let old = match old {
            Subtree::Branch(root) => return self.branch(place, root, changes),
            Subtree::Lane { key, leaf } => Some((key, leaf)),
            Subtree::Empty => None,
        };
        let leaf_of = |key: &Hash32| old.filter(|(own, _)| own == key).map(|(_, leaf)| leaf);
        let fits = |(key, change): &Change| change.before == leaf_of(key);
        if !changes.iter().all(fits) {
            return Err(corrupt("a lane is not what it was"));
        }
        let changed = changes.iter();
        let mut lanes: Vec<(Hash32, Hash32)> = changed
            .filter_map(|(key, change)| Some((*key, change.after?)))
            .collect();
        if let Some((key, leaf)) = old
            && let Err(index) = changes.binary_search_by_key(&key, |change| change.0)
        {
            let before = changes.iter().take(index);
            let gone = before.filter(|(_, change)| change.after.is_none());
            lanes.insert(index - gone.count(), (key, leaf));
        }
        self.grown(place, &lanes)
    }

    /// Below a stored node whose parent says that its root is `root`.
    fn branch(
        &mut self,
        place: Option<NodePlace>,
        root: Hash32,
        changes: &[Change],
    ) -> Result<Subtree, SvcError> {
        let place = place.ok_or_else(|| corrupt("a branch below all bits"))?;
        let depth = usize::from(place.depth);
        let old = (self.read)(&place)?.ok_or_else(|| corrupt("a node is missing"))?;
        if old.as_subtree(depth) != Subtree::Branch(root) {
            return Err(corrupt("a node is not the one its parent names"));
        }
        let after = self.halves(place, &old, changes)?;
        let subtree = after.as_subtree(depth);
        let kept = matches!(subtree, Subtree::Branch(_)).then_some(after);
        if kept != Some(old) {
            self.nodes.push((place, kept));
        }
        Ok(subtree)
    }

    /// Where no node was: these lanes, ascending and distinct, are all there is.
    fn grown(
        &mut self,
        place: Option<NodePlace>,
        lanes: &[(Hash32, Hash32)],
    ) -> Result<Subtree, SvcError> {
        match lanes {
            [] => return Ok(Subtree::Empty),
            [(key, leaf)] => {
                return Ok(Subtree::Lane {
                    key: *key,
                    leaf: *leaf,
                });
            }
            _ => {}
        }
        let place = place.ok_or_else(|| corrupt("lanes of one key"))?;
        let depth = usize::from(place.depth);
        let middle = lanes.partition_point(|(key, _)| !bit(key, depth));
        let (left, right) = lanes.split_at(middle);
        let after = LaneNode {
            left: self.grown(place.side(false), left)?,
            right: self.grown(place.side(true), right)?,
        };
        self.nodes.push((place, Some(after)));
        Ok(after.as_subtree(depth))
    }
}

fn corrupt(reason: &str) -> SvcError {
    SvcError::new(Code::StoreCorrupt)
        .with("table", "lane nodes")
        .with("reason", reason)
}
