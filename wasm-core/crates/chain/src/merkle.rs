//! Merkle roots (specification consensus 9.7).

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
        level = level
            .chunks(2)
            .map(|pair| hasher(&pair[0], pair.get(1).unwrap_or(&Hash32::ZERO)))
            .collect();
    }
    level.first().copied().unwrap_or(Hash32::ZERO)
}

fn branch(left: &Hash32, right: &Hash32) -> Hash32 {
    merkle_branch_hash()
        .update(&left.0)
        .update(&right.0)
        .finalize()
}
