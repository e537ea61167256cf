//! Block ordering by blue work, then hash (specification consensus 7.1).

use svc_chain::uint256::U256;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::store::DagStore;

/// A block with what it is sorted by: blue work, then the hash as a big-endian byte string.
/// A block is greater than everything in its past.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortableBlock {
    /// Blue work of the block.
    pub blue_work: U256,
    /// Block id.
    pub hash: Hash32,
}

impl SortableBlock {
    /// Reads the blue work of an accepted block; the virtual root has none.
    ///
    /// # Errors
    /// `store/*`.
    pub fn load(store: &impl DagStore, hash: &Hash32) -> Result<Self, SvcError> {
        let blue_work = if *hash == Hash32::ORIGIN {
            U256::zero()
        } else {
            store.ghostdag(hash)?.blue_work
        };
        Ok(Self {
            blue_work,
            hash: *hash,
        })
    }
}

/// Sorts accepted blocks ascending; for blocks of one graph this order is topological.
///
/// # Errors
/// `store/*`.
pub fn sort_ascending(
    store: &impl DagStore,
    hashes: impl IntoIterator<Item = Hash32>,
) -> Result<Vec<Hash32>, SvcError> {
    let mut blocks = hashes
        .into_iter()
        .map(|hash| SortableBlock::load(store, &hash))
        .collect::<Result<Vec<_>, _>>()?;
    blocks.sort_unstable();
    Ok(blocks.into_iter().map(|block| block.hash).collect())
}
