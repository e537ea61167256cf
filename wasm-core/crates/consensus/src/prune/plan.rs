//! Pruning plan: the stored progress of the deletion below a pruning point.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::records::meta;
use crate::records::{Records, stored};
use crate::store::Store;

/// The phases of pruning. Nothing is deleted before [`Phase::Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// Anchor entries are written, from the pruning point downwards.
    Entries = 1,
    /// The proof of the pruning point is made.
    Proof = 2,
    /// It is found out what stays.
    Survey = 3,
    /// Blocks of the reachability tree are deleted.
    Tree = 4,
    /// Headers that were kept for an older pruning point are deleted.
    Headers = 5,
    /// Anchor entries and producers out of reach are deleted.
    Anchors = 6,
    /// Nothing is left to do.
    Done = 7,
}

impl Phase {
    fn from_byte(byte: u8) -> Result<Self, SvcError> {
        let all = [
            Self::Entries,
            Self::Proof,
            Self::Survey,
            Self::Tree,
            Self::Headers,
            Self::Anchors,
            Self::Done,
        ];
        let found = all.into_iter().find(|phase| *phase as u8 == byte);
        crate::corrupt_unless(found.is_some(), "pruning plan")?;
        Ok(found.unwrap_or(Self::Done))
    }

    /// The next phase.
    pub fn next(self) -> Self {
        match self {
            Self::Entries => Self::Proof,
            Self::Proof => Self::Survey,
            Self::Survey => Self::Tree,
            Self::Tree => Self::Headers,
            Self::Headers => Self::Anchors,
            Self::Anchors | Self::Done => Self::Done,
        }
    }
}

/// The stored pruning plan, the record of [`meta::PRUNING_PLAN`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The pruning point it is for.
    pub point: Hash32,
    /// Number of that pruning point.
    pub index: u64,
    /// What is done at present.
    pub phase: Phase,
    /// From [`Phase::Tree`] on: the chain block under which no window of a block above the pruning point reaches. All
    /// that is not in its past keeps its node.
    pub floor: Hash32,
    /// From [`Phase::Tree`] on: blue score of the lowest header of the chain segment.
    pub segment: u64,
    /// Where the phase goes on; empty at its beginning.
    pub cursor: Vec<u8>,
}

impl Plan {
    /// The beginning.
    pub fn new(point: Hash32, index: u64) -> Self {
        Self {
            point,
            index,
            phase: Phase::Entries,
            floor: Hash32::ZERO,
            segment: 0,
            cursor: Vec::new(),
        }
    }

    /// Goes on to the next phase.
    pub fn advance(&mut self) {
        self.phase = self.phase.next();
        self.cursor.clear();
    }

    /// Stored form, version 1.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u8(1).hash(&self.point).u64(self.index);
        writer.u8(self.phase as u8);
        writer.hash(&self.floor).u64(self.segment);
        writer.bytes(&self.cursor);
        writer.into_vec()
    }

    /// Reads the stored form. Errors: `store/corrupt`, `codec/…`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        crate::corrupt_unless(reader.u8()? == 1, "pruning plan version")?;
        let (point, index) = (reader.hash()?, reader.u64()?);
        let phase = Phase::from_byte(reader.u8()?)?;
        let (floor, segment) = (reader.hash()?, reader.u64()?);
        let cursor = reader.take(reader.remaining())?.to_vec();
        Ok(Self {
            point,
            index,
            phase,
            floor,
            segment,
            cursor,
        })
    }
}

impl<S: Store> Records<S> {
    /// The plan that was followed last, if any.
    pub fn pruning_plan(&self) -> Result<Option<Plan>, SvcError> {
        let found = self.find_meta(meta::PRUNING_PLAN)?;
        stored("meta", found.map(|bytes| Plan::decode(&bytes)).transpose())
    }
}
