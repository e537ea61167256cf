//! Membership of a chain block in the anchor log of a proved state: one path of hashes, whatever the length of the chain
//! (specification consensus 13.3, corrections A3).

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_LOG_PATH;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_shielded::anchor_log::{LogEntry, LogPersonals, leaf_hash, node_hash};

use crate::header::Judge;
use crate::opening::ProvedState;
use crate::wire::{put_form, put_hashes, read_form, read_hashes};

/// A path as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// Place of the entry in the log; 0 is the first chain block from the security fork on.
    pub index: u64,
    /// The entry.
    pub entry: LogEntry,
    /// Siblings on the way to the peak, the lowest first.
    pub path: Vec<Hash32>,
}

/// A chain block that stands in a proved log, with its parent, its tree root and its blue score. Only
/// [`Judge::membership`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedEntry {
    index: u64,
    entry: LogEntry,
}

impl ProvedEntry {
    /// Place in the log.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The entry.
    pub fn entry(&self) -> &LogEntry {
        &self.entry
    }
}

/// Where an entry stands under the peaks of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogPlace {
    /// Number of the peak, the highest being 0.
    pub peak: usize,
    /// Levels from the entry to the peak.
    pub height: u32,
}

impl LogPlace {
    /// The place of entry `index` in a log of `count`; none where there is no such entry. The peaks stand for the one bits
    /// of the count, the highest first.
    pub fn of(index: u64, count: u64) -> Option<Self> {
        if index >= count {
            return None;
        }
        // The highest bit in which index and count differ is a one bit of the count: the entry is under its peak.
        let height = (index ^ count).ilog2();
        let above = count.checked_shr(height + 1).unwrap_or(0);
        Some(Self {
            peak: above.count_ones() as usize,
            height,
        })
    }
}

impl Membership {
    /// The raw form.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::with_capacity(160 + 32 * self.path.len());
        put_form(&mut writer);
        writer.u64(self.index);
        writer.hash(&self.entry.block).hash(&self.entry.parent);
        writer
            .hash(&self.entry.tree_root)
            .u64(self.entry.blue_score);
        put_hashes(&mut writer, &self.path);
        writer.into_vec()
    }

    /// Reads the raw form, which fills `bytes`. Errors: `codec/*`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        read_form(&mut reader)?;
        let index = reader.u64()?;
        let entry = LogEntry {
            block: reader.hash()?,
            parent: reader.hash()?,
            tree_root: reader.hash()?,
            blue_score: reader.u64()?,
        };
        let path = read_hashes(&mut reader, MAX_LOG_PATH)?;
        reader.finish()?;
        Ok(Self { index, entry, path })
    }

    /// The nodes of a path from entry `index` up to a peak of this height: height and place among the nodes of that height.
    pub fn siblings(index: u64, height: u32) -> impl Iterator<Item = (u32, u64)> {
        (0..height).map(move |level| (level, (index >> level) ^ 1))
    }

    /// The peak that the path leads to.
    fn peak(&self, personals: &LogPersonals) -> Hash32 {
        let leaf = leaf_hash(personals, &self.entry);
        fold_path(personals, leaf, self.index, &self.path)
    }
}

/// The node that a path leads to from the node at `index` among those of its height.
pub(crate) fn fold_path(
    personals: &LogPersonals,
    mut node: Hash32,
    index: u64,
    path: &[Hash32],
) -> Hash32 {
    for (level, sibling) in path.iter().enumerate() {
        let is_right = index >> level & 1 == 1;
        let (left, right) = if is_right {
            (sibling, &node)
        } else {
            (&node, sibling)
        };
        node = node_hash(personals, left, right);
    }
    node
}

impl Judge<'_> {
    /// Checks a path under the log of a proved state.
    ///
    /// # Errors
    /// `evidence/no-log` where the state is from before the security fork, `evidence/not-member`.
    pub fn membership(
        &self,
        state: &ProvedState,
        told: Membership,
    ) -> Result<ProvedEntry, SvcError> {
        let no_log = || SvcError::new(Code::EvidenceNoLog).with("block", state.block());
        let log = state.log().ok_or_else(no_log)?;
        let place = LogPlace::of(told.index, log.count())
            .filter(|place| told.path.len() == place.height as usize);
        let peak = place.and_then(|place| log.peaks().get(place.peak));
        let found = peak
            .is_some()
            .then(|| told.peak(&LogPersonals::of(self.network.profile)));
        if found.is_none() || found.as_ref() != peak {
            return Err(SvcError::new(Code::EvidenceNotMember)
                .with("index", told.index)
                .with("count", log.count()));
        }
        Ok(ProvedEntry {
            index: told.index,
            entry: told.entry,
        })
    }
}
