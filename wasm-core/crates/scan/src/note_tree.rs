//! Note commitment tree of the wallet, from a base frontier on: gives the root and the path (Merkle witness) of a
//! leaf at any size since the base (specification shielded 7 and 21, wallet 8).

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_plain;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_shielded::field::{TREE_DEPTH, check_node};
use svc_shielded::frontier::{Frontier, MAX_LEAVES, empty_root};
use svc_tree::merkle::{combine, combine_level};

const DEPTH: usize = TREE_DEPTH as usize;
/// First bytes of the stored form. Read as a size it would be far above a full tree, so it cannot be mistaken
/// for a bare frontier.
const MAGIC: &[u8; 8] = b"notetree";
const VERSION: u8 = 1;
/// Height of the largest subtree that is read or appended at once: 65,536 leaves, 4 MiB.
pub const MAX_SUBTREE_HEIGHT: u32 = 16;

/// The complete nodes of one level, from index `first` on, without a gap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct NodeRow {
    first: u64,
    nodes: Vec<Hash32>,
}

impl NodeRow {
    /// Index of the next node to become complete.
    fn end(&self) -> u64 {
        self.first + self.nodes.len() as u64
    }

    fn get(&self, index: u64) -> Option<&Hash32> {
        self.nodes
            .get(usize::try_from(index.checked_sub(self.first)?).ok()?)
    }
}

/// All complete nodes right of the base's last leaf, and the base's left siblings: together every node that
/// a path of a leaf since the base can need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteTree {
    base: Frontier,
    rows: [NodeRow; DEPTH],
}

impl NoteTree {
    /// A tree that knows nothing before `base`. Never fails: a frontier is canonical already.
    pub fn new(base: Frontier) -> Result<Self, SvcError> {
        let mut rows: [NodeRow; DEPTH] = Default::default();
        if let (Some(last), Some(leaf)) = (base.size().checked_sub(1), base.leaf()) {
            let mut ommers = base.ommers().into_iter();
            for (level, row) in rows.iter_mut().enumerate() {
                row.first = (last >> level) & !1;
                if last >> level & 1 == 1 {
                    row.nodes.extend(ommers.next());
                }
            }
            rows[0].nodes.push(leaf);
        }
        let mut tree = Self { base, rows };
        tree.complete_rows();
        Ok(tree)
    }

    /// Reads either a bare frontier (the answer of `/v1/tree/state`) or the form of [`NoteTree::to_bytes`].
    ///
    /// Errors: `codec/*`, `shielded/bad-frontier`; `codec/version` and `codec/bad-checksum` for a stored tree of
    /// another version or with changed bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SvcError> {
        match bytes.strip_prefix(MAGIC) {
            Some(stored) => Self::decode_stored(bytes, stored),
            None => {
                let mut reader = Reader::new(bytes);
                let base = Frontier::decode(&mut reader)?;
                reader.finish()?;
                Self::new(base)
            }
        }
    }

    /// Number of leaves, those before the base included.
    pub fn size(&self) -> u64 {
        self.rows[0].end()
    }

    /// Leaves at the base: roots and paths exist for sizes from here on.
    pub fn base_size(&self) -> u64 {
        self.base.size()
    }

    /// Appends commitments in order, level by level, so that all hashes of a level share one inversion.
    ///
    /// Errors: `codec/not-canonical`, `shielded/tree-full`; the tree is unchanged then.
    pub fn append(&mut self, cmxs: &[Hash32]) -> Result<(), SvcError> {
        cmxs.iter().try_for_each(check_node)?;
        if self.size().saturating_add(cmxs.len() as u64) > MAX_LEAVES {
            return Err(SvcError::new(Code::ShieldedTreeFull));
        }
        self.rows[0].nodes.extend_from_slice(cmxs);
        self.complete_rows();
        Ok(())
    }

    /// All nodes of the complete subtree of `2^height` leaves that begins at `first`: the leaves, then level by level up to
    /// its root, `2^(height + 1) - 1` nodes. [`NoteTree::append_subtree`] takes them without a hash.
    ///
    /// Error: `shielded/bad-position` for a height above [`MAX_SUBTREE_HEIGHT`], a `first` that is no multiple of the number of
    /// leaves, and leaves before the base or behind the end.
    pub fn subtree(&self, first: u64, height: u32) -> Result<Vec<Hash32>, SvcError> {
        self.check_subtree(first, height)?;
        let mut nodes = Vec::with_capacity((2 << height) - 1);
        for (level, row) in self.rows.iter().enumerate().take(height as usize + 1) {
            let index = (first >> level).checked_sub(row.first);
            let found = index
                .and_then(|index| row.nodes.get(usize::try_from(index).ok()?..))
                .and_then(|from| from.get(..1 << (height as usize - level)));
            nodes.extend_from_slice(found.ok_or_else(|| bad_position(first, self.size()))?);
        }
        Ok(nodes)
    }

    /// Appends what [`NoteTree::subtree`] gave. That parents follow from their children is not checked: who can change stored
    /// nodes can spoil paths, and no more. A payment with a wrong path fails before it is sent, since the prover compares it with
    /// the anchor, and so does each later one of these notes. A wrong root is noticed at the node's tip, a wrong node below it is
    /// not: what heals both is to drop the stored nodes and to append the leaves with [`NoteTree::append`]. The wallet daemon keeps
    /// a checksum in each row against accidents.
    ///
    /// Errors: `shielded/bad-position` for another number of nodes, and a size that is no multiple of the number of leaves;
    /// `codec/not-canonical`, `shielded/tree-full`. The tree is unchanged then.
    pub fn append_subtree(&mut self, nodes: &[Hash32]) -> Result<(), SvcError> {
        let height = (nodes.len() as u64 + 1).ilog2().saturating_sub(1);
        self.check_subtree(self.size(), height)?;
        if nodes.len() != (2 << height) - 1 {
            return Err(bad_position(nodes.len() as u64, self.size()));
        }
        if self.size() + (1 << height) > MAX_LEAVES {
            return Err(SvcError::new(Code::ShieldedTreeFull));
        }
        nodes.iter().try_for_each(check_node)?;
        let mut rest = nodes;
        for (level, row) in self.rows.iter_mut().enumerate().take(height as usize + 1) {
            let (own, above) = rest.split_at(1 << (height as usize - level));
            row.nodes.extend_from_slice(own);
            rest = above;
        }
        self.complete_rows();
        Ok(())
    }

    /// Forgets all leaves from `size` on. Error: `shielded/bad-position` outside base..=size.
    pub fn truncate(&mut self, size: u64) -> Result<(), SvcError> {
        self.check_size(size)?;
        for (level, row) in self.rows.iter_mut().enumerate() {
            let keep = (size >> level).saturating_sub(row.first);
            row.nodes
                .truncate(usize::try_from(keep).unwrap_or(usize::MAX));
        }
        Ok(())
    }

    /// The root when the tree had `size` leaves. Error: `shielded/bad-position` outside base..=size.
    pub fn root(&self, size: u64) -> Result<Hash32, SvcError> {
        self.check_size(size)?;
        Ok(self.right_edge(size)?[DEPTH])
    }

    /// The 32 siblings of the leaf at `position` when the tree had `size` leaves, lowest first.
    ///
    /// Error: `shielded/bad-position` for a size outside base..=size, a leaf that was not there yet, or one
    /// before the base's last.
    pub fn path(&self, position: u64, size: u64) -> Result<[Hash32; DEPTH], SvcError> {
        self.check_size(size)?;
        if position >= size || position < self.base.size().saturating_sub(1) {
            return Err(bad_position(position, size));
        }
        let edge = self.right_edge(size)?;
        let mut path = [Hash32::ZERO; DEPTH];
        for (level, slot) in path.iter_mut().enumerate() {
            let sibling = position >> level ^ 1;
            let last = (size - 1) >> level;
            *slot = match sibling.cmp(&last) {
                core::cmp::Ordering::Greater => empty_root(level as u8),
                core::cmp::Ordering::Equal => edge[level],
                core::cmp::Ordering::Less => self.complete_node(level, sibling)?,
            };
        }
        Ok(path)
    }

    /// The stored form: mark, version, base frontier, number of leaves since the base, all nodes, checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.bytes(MAGIC).u8(VERSION);
        self.base.encode(&mut writer);
        writer.u64(self.size() - self.base.size());
        for row in &self.rows {
            for node in &row.nodes {
                writer.hash(node);
            }
        }
        let checksum = blake2b_plain().update(writer.as_slice()).finalize();
        writer.hash(&checksum);
        writer.into_vec()
    }

    /// How many nodes each row holds follows from base and size, so the stored form holds only the nodes. The
    /// checksum finds accidents; whoever can forge it can only spoil this wallet's paths, which the prover
    /// compares with the anchor.
    fn decode_stored(bytes: &[u8], stored: &[u8]) -> Result<Self, SvcError> {
        const CHECKSUM_LEN: usize = 32;
        let mut reader = Reader::new(stored);
        let version = reader.u8()?;
        if version != VERSION {
            return Err(SvcError::new(Code::CodecVersion)
                .with("expected", VERSION)
                .with("found", version));
        }
        let (content, checksum) = bytes
            .split_last_chunk::<CHECKSUM_LEN>()
            .ok_or_else(|| SvcError::new(Code::CodecBadChecksum))?;
        if blake2b_plain().update(content).finalize().0 != *checksum {
            return Err(SvcError::new(Code::CodecBadChecksum));
        }
        let base = Frontier::decode(&mut reader)?;
        let added = reader.u64()?;
        let size = base
            .size()
            .checked_add(added)
            .filter(|size| *size <= MAX_LEAVES);
        let size = size.ok_or_else(|| SvcError::new(Code::ShieldedTreeFull))?;
        let mut tree = Self::new(base)?;
        for (level, row) in tree.rows.iter_mut().enumerate() {
            let count =
                usize::try_from((size >> level).saturating_sub(row.first)).unwrap_or(usize::MAX);
            let raw = reader.take(count.saturating_mul(32))?;
            row.nodes = read_nodes(raw)?;
        }
        reader.take(CHECKSUM_LEN)?;
        reader.finish()?;
        Ok(tree)
    }

    /// Computes every parent whose two children are there.
    fn complete_rows(&mut self) {
        for level in 0..DEPTH - 1 {
            let (lower, upper) = self.rows.split_at_mut(level + 1);
            let (children, parents) = (&lower[level], &mut upper[0]);
            let next = parents.end();
            let Some(start) = (next * 2).checked_sub(children.first) else {
                continue;
            };
            let ready = children.nodes.get(start as usize..).unwrap_or_default();
            let (pairs, _) = ready.as_chunks::<2>();
            parents.nodes.extend(combine_level(level as u8, pairs));
        }
    }

    /// The nodes on the way from the last leaf to the root, one per level, the root last; incomplete subtrees
    /// are filled with empty leaves.
    fn right_edge(&self, size: u64) -> Result<[Hash32; DEPTH + 1], SvcError> {
        let mut edge = [empty_root(TREE_DEPTH); DEPTH + 1];
        let Some(last) = size.checked_sub(1) else {
            return Ok(edge);
        };
        edge[0] = self.complete_node(0, last)?;
        for level in 0..DEPTH {
            let index = last >> level;
            edge[level + 1] = match index & 1 {
                1 => combine(
                    level as u8,
                    &self.complete_node(level, index - 1)?,
                    &edge[level],
                ),
                _ => combine(level as u8, &edge[level], &empty_root(level as u8)),
            };
        }
        Ok(edge)
    }

    fn check_subtree(&self, first: u64, height: u32) -> Result<(), SvcError> {
        if height <= MAX_SUBTREE_HEIGHT && first.is_multiple_of(1 << height) {
            return Ok(());
        }
        Err(bad_position(first, self.size()))
    }

    fn complete_node(&self, level: usize, index: u64) -> Result<Hash32, SvcError> {
        self.rows[level]
            .get(index)
            .copied()
            .ok_or_else(|| bad_position(index << level, self.size()))
    }

    fn check_size(&self, size: u64) -> Result<(), SvcError> {
        if (self.base.size()..=self.size()).contains(&size) {
            return Ok(());
        }
        Err(bad_position(size, self.size()))
    }
}

fn read_nodes(raw: &[u8]) -> Result<Vec<Hash32>, SvcError> {
    let (nodes, _) = raw.as_chunks::<32>();
    let nodes: Vec<Hash32> = nodes.iter().map(|bytes| Hash32(*bytes)).collect();
    nodes.iter().try_for_each(check_node)?;
    Ok(nodes)
}

fn bad_position(position: u64, size: u64) -> SvcError {
    SvcError::new(Code::ShieldedBadPosition)
        .with("position", position)
        .with("size", size)
}
