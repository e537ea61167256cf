//! Retention reasons: why something of a block below the pruning point is kept.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::records::{Records, stored};
use crate::store::{Store, tables};

/// A level parent of the pruning point or of a block beside it: reachability, header and GHOSTDAG data stay.
pub const NODE: u8 = 1;
/// A header of the proof of the pruning point.
pub const PROOF: u8 = 2;
/// A past pruning point: header, depths and state stay.
pub const POINT: u8 = 4;
/// A chain block from the inactivity shortcut of the pruning point on (specification consensus 12): its header stays.
pub const SEGMENT: u8 = 8;

/// Row of `KEPT`. Blocks with a node for another reason have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// A sum of the reasons above. Without [`NODE`] nothing but the header and what goes with it is left.
    pub reasons: u8,
    /// Index of the pruning point for which that was found.
    pub index: u64,
}

impl Kept {
    /// Stored form.
    pub fn encode(self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u8(self.reasons).u64(self.index);
        writer.into_vec()
    }

    /// Reads the stored form. Errors: `codec/…`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        let kept = Self {
            reasons: reader.u8()?,
            index: reader.u64()?,
        };
        reader.finish()?;
        Ok(kept)
    }
}

impl<S: Store> Records<S> {
    /// The row of a block, if it has one.
    pub fn kept(&self, block: &Hash32) -> Result<Option<Kept>, SvcError> {
        let found = self.overlay.get(tables::KEPT, block.as_bytes())?;
        stored(
            "kept blocks",
            found.map(|bytes| Kept::decode(&bytes)).transpose(),
        )
    }

    /// Writes the row of a block.
    pub fn put_kept(&mut self, block: &Hash32, kept: Kept) {
        self.overlay
            .put(tables::KEPT, block.as_bytes(), kept.encode());
    }
}
