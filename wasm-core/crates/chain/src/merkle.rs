//! Merkle trees over transaction hashes: roots and branches (specification consensus 9.7).

use svc_codec::hash32::Hash32;

use crate::domain_hashers::merkle_branch_hash;

/// The root of a block's transaction hashes.
pub fn merkle_root(leaves: &[Hash32]) -> Hash32 {
    merkle_root_with(branch, leaves)
}

/// The root over `leaves`, level by level: a missing right neighbour is 32 zero bytes. No
/// leaves give the zero hash, a single leaf is its own root.
pub fn merkle_root_with(hasher: impl Fn(&Hash32, &Hash32) -> Hash32, leaves: &[Hash32]) -> Hash32 {
    let mut level = leaves.to_vec();
    while level.len() > 1 {
        level = level_above(&hasher, &level);
    }
    level.first().copied().unwrap_or(Hash32::ZERO)
}

/// The siblings of the first leaf on its way to the root, the lowest first; what [`fold_first`] takes.
pub fn branch_of_first(leaves: &[Hash32]) -> Vec<Hash32> {
    let mut siblings = Vec::new();
    let mut level = leaves.to_vec();
    while let [_, sibling, ..] = level.as_slice() {
        siblings.push(*sibling);
        level = level_above(branch, &level);
    }
    siblings
}

/// The siblings of the leaf at a place on its way to the root, the lowest first; what [`fold_with`] takes. A place without a leaf has
/// none.
pub fn branch_with(
    hasher: impl Fn(&Hash32, &Hash32) -> Hash32,
    leaves: &[Hash32],
    mut place: usize,
) -> Vec<Hash32> {
    let mut siblings = Vec::new();
    let mut level = leaves.to_vec();
    while level.len() > 1 && place < level.len() {
        siblings.push(level.get(place ^ 1).copied().unwrap_or(Hash32::ZERO));
        level = level_above(&hasher, &level);
        place /= 2;
    }
    siblings
}

/// The root over a leaf at a place and its siblings, the lowest first.
pub fn fold_with(
    hasher: impl Fn(&Hash32, &Hash32) -> Hash32,
    leaf: Hash32,
    place: u32,
    siblings: &[Hash32],
) -> Hash32 {
    let step = |node: Hash32, (level, sibling): (u32, &Hash32)| {
        let is_right = place.checked_shr(level).unwrap_or(0) & 1 == 1;
        let (left, right) = if is_right {
            (sibling, &node)
        } else {
            (&node, sibling)
        };
        hasher(left, right)
    };
    (0..).zip(siblings).fold(leaf, step)
}

/// The hashes of pairs; a missing right neighbour is 32 zero bytes.
fn level_above(hasher: impl Fn(&Hash32, &Hash32) -> Hash32, level: &[Hash32]) -> Vec<Hash32> {
    let (pairs, last) = level.as_chunks();
    let whole = pairs.iter().map(|[left, right]| hasher(left, right));
    let half = last.iter().map(|left| hasher(left, &Hash32::ZERO));
    whole.chain(half).collect()
}

/// The root over a first leaf and its siblings: it stands on the left at every level
/// (specification consensus 5.3).
pub fn fold_first(leaf: Hash32, siblings: &[Hash32]) -> Hash32 {
    siblings
        .iter()
        .fold(leaf, |node, sibling| branch(&node, sibling))
}

fn branch(left: &Hash32, right: &Hash32) -> Hash32 {
    merkle_branch_hash()
        .update(&left.0)
        .update(&right.0)
        .finalize()
}
