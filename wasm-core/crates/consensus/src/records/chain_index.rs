//! Chain index: the selected chain by number, and the number of a chain block.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;

use crate::records::record_fields::whole;
use crate::records::{Records, stored};
use crate::store::{Store, tables};

impl<S: Store> Records<S> {
    /// The block at an index of the selected chain.
    pub fn chain_at(&self, index: u64) -> Result<Option<Hash32>, SvcError> {
        let found = self
            .overlay
            .get(tables::CHAIN_BY_INDEX, &index.to_be_bytes())?;
        stored(
            "chain index",
            found.map(|bytes| whole(&bytes, Reader::hash)).transpose(),
        )
    }

    /// The index of a block on the selected chain; `None` when it is not on it.
    pub fn chain_index(&self, block: &Hash32) -> Result<Option<u64>, SvcError> {
        let found = self.overlay.get(tables::CHAIN_BY_HASH, block.as_bytes())?;
        stored(
            "chain index",
            found.map(|bytes| whole(&bytes, Reader::u64)).transpose(),
        )
    }

    /// Sets or removes the block at an index of the selected chain.
    pub fn set_chain(&mut self, index: u64, block: &Hash32, present: bool) {
        let (number, hash) = (index.to_be_bytes(), block.as_bytes());
        if present {
            self.overlay
                .put(tables::CHAIN_BY_INDEX, &number, hash.to_vec());
            self.overlay
                .put(tables::CHAIN_BY_HASH, hash, index.to_le_bytes().to_vec());
        } else {
            self.overlay.delete(tables::CHAIN_BY_INDEX, &number);
            self.overlay.delete(tables::CHAIN_BY_HASH, hash);
        }
    }
}
