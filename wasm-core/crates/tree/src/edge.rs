//! Frontier arithmetic (right edge) of an append-only Merkle tree: last leaf and complete left siblings, whole blocks
//! at a time (specification shielded 7).

use std::sync::LazyLock;

use svc_codec::hash32::Hash32;

use crate::lone::combine_with_empty;
use crate::merkle::{LEVELS, combine, combine_level};

/// The uncommitted leaf: the number 2.
const EMPTY_LEAF: Hash32 = {
    let mut bytes = [0; 32];
    bytes[0] = 2;
    Hash32(bytes)
};

/// Roots of the empty subtrees of levels 0 to 32.
static EMPTY_ROOTS: LazyLock<[Hash32; LEVELS + 1]> = LazyLock::new(|| {
    let mut roots = [EMPTY_LEAF; LEVELS + 1];
    for level in 0..LEVELS {
        roots[level + 1] = combine(level as u8, &roots[level], &roots[level]);
    }
    roots
});

/// Root of an empty subtree; levels above 32 answer the root of 32.
pub fn empty_root(level: u8) -> Hash32 {
    EMPTY_ROOTS[usize::from(level).min(LEVELS)]
}

/// The last leaf of a tree and the roots of the complete left siblings on its way up, lowest first: one for each one
/// bit of its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Leaves of the tree, at least one and at most 2³².
    pub size: u64,
    /// The last leaf.
    pub leaf: Hash32,
    /// Complete left siblings.
    pub ommers: Vec<Hash32>,
}

/// Appends leaves to a tree (`None` is the empty one) and hashes level by level, so that the nodes of a level share
/// their inversions. All nodes are canonical; the caller keeps the size within 2³².
pub fn append(edge: Option<&Edge>, leaves: &[Hash32]) -> Option<Edge> {
    let Some((last_leaf, complete)) = leaves.split_last() else {
        return edge.cloned();
    };
    let size = edge.map_or(0, |edge| edge.size);
    let last = size + leaves.len() as u64 - 1;
    let mut old_ommers = edge.map_or(&[][..], |edge| &edge.ommers).iter();
    let mut ommers = Vec::with_capacity(last.count_ones() as usize);
    // The complete nodes of the level from an even index on that have no parent yet.
    let mut row: Vec<Hash32> = edge
        .map(|edge| edge.leaf)
        .into_iter()
        .chain(complete.iter().copied())
        .collect();
    let old_last = size.saturating_sub(1);
    for level in 0..LEVELS {
        if old_last >> level & 1 == 1 {
            row.splice(0..0, old_ommers.next().copied());
        }
        if last >> level & 1 == 1 {
            ommers.extend(row.pop());
        }
        let (pairs, _) = row.as_chunks::<2>();
        row = if pairs.is_empty() {
            Vec::new()
        } else {
            combine_level(level as u8, pairs)
        };
    }
    Some(Edge {
        size: last + 1,
        leaf: *last_leaf,
        ommers,
    })
}

/// The root of the whole tree of 2³² leaves, empty ones to the right of the last.
pub fn root(edge: Option<&Edge>) -> Hash32 {
    let Some(edge) = edge else {
        return empty_root(LEVELS as u8);
    };
    let last = edge.size.saturating_sub(1);
    let mut ommers = edge.ommers.iter();
    (0..LEVELS as u8).fold(edge.leaf, |node, level| {
        let left = (last >> level & 1 == 1).then(|| ommers.next()).flatten();
        match left {
            Some(left) => combine(level, left, &node),
            None => combine_with_empty(level, &node),
        }
    })
}
