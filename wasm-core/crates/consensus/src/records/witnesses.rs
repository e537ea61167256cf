//! Store of merge-mining witnesses: of each block that has no native work, the one it was accepted with.

use svc_chain::block::WitnessedBlock;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::records::Records;
use crate::store::{Store, tables};

/// Version of the stored form: this byte, then the borsh as it came.
const VERSION: u8 = 1;

impl<S: Store> Records<S> {
    /// The merge-mining witness of a block whose work it proves; `None` for other blocks.
    pub fn witness(&self, block: &Hash32) -> Result<Option<Vec<u8>>, SvcError> {
        let Some(mut bytes) = self.overlay.get(tables::WITNESSES, block.as_bytes())? else {
            return Ok(None);
        };
        crate::corrupt_unless(bytes.first() == Some(&VERSION), "witness version")?;
        bytes.remove(0);
        Ok(Some(bytes))
    }

    /// Writes a witness.
    pub fn put_witness(&mut self, block: &Hash32, witness: &[u8]) {
        let record = [&[VERSION], witness].concat();
        self.overlay
            .put(tables::WITNESSES, block.as_bytes(), record);
    }

    /// Header, body and witness together; `None` unless header and body are known.
    pub fn witnessed_block(&self, hash: &Hash32) -> Result<Option<WitnessedBlock>, SvcError> {
        let Some(block) = self.block(hash)? else {
            return Ok(None);
        };
        let witness = self.witness(hash)?;
        Ok(Some(WitnessedBlock { block, witness }))
    }
}
