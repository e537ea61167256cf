//! Key-value store interface of the engine: ordered byte tables and one atomic commit. The engine has no other way to
//! the disk.

pub mod overlay;
pub mod tables;

use std::collections::BTreeMap;
use std::ops::Bound;

use svc_codec::error::SvcError;

/// A key and its value, as ranges return them.
pub type Pair = (Vec<u8>, Vec<u8>);

/// One change of a [`Batch`]: `value` is `None` for a deletion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Table number, see [`crate::store::tables`].
    pub table: u8,
    /// Key inside the table.
    pub key: Vec<u8>,
    /// New value, or `None` to delete.
    pub value: Option<Vec<u8>>,
}

/// What a commit writes, all of it or nothing.
pub type Batch = Vec<Change>;

/// A half-open key range of one table.
#[derive(Clone, Copy, Debug)]
pub struct KeyRange<'a> {
    /// Table number.
    pub table: u8,
    /// First key, inclusive.
    pub from: &'a [u8],
    /// End key, exclusive.
    pub to: &'a [u8],
    /// At most this many pairs.
    pub limit: usize,
    /// Descending order, starting below `to`.
    pub reverse: bool,
}

/// Byte tables with point reads, ordered ranges and an atomic, durable commit.
pub trait Store {
    /// The value of a key. Errors: the host's own, never "absent".
    fn get(&self, table: u8, key: &[u8]) -> Result<Option<Vec<u8>>, SvcError>;
    /// Pairs of a range in key order.
    fn range(&self, range: KeyRange<'_>) -> Result<Vec<Pair>, SvcError>;
    /// Writes all changes; on return they are durable.
    fn commit(&mut self, batch: Batch) -> Result<(), SvcError>;
}

/// A store in memory, for native tests, simulation and conformance runs.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    map: BTreeMap<(u8, Vec<u8>), Vec<u8>>,
    /// Number of commits made, so that tests can see grouping.
    pub commits: u64,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// All content in order, for byte-for-byte comparison of two stores.
    pub fn dump(&self) -> Vec<(u8, Vec<u8>, Vec<u8>)> {
        self.map
            .iter()
            .map(|((table, key), value)| (*table, key.clone(), value.clone()))
            .collect()
    }
}

impl Store for MemoryStore {
    fn get(&self, table: u8, key: &[u8]) -> Result<Option<Vec<u8>>, SvcError> {
        Ok(self.map.get(&(table, key.to_vec())).cloned())
    }

    fn range(&self, range: KeyRange<'_>) -> Result<Vec<Pair>, SvcError> {
        if range.from >= range.to {
            return Ok(Vec::new());
        }
        let bounds = (
            Bound::Included((range.table, range.from.to_vec())),
            Bound::Excluded((range.table, range.to.to_vec())),
        );
        let pair = |((_, key), value): (&(u8, Vec<u8>), &Vec<u8>)| (key.clone(), value.clone());
        let found = self.map.range(bounds);
        Ok(if range.reverse {
            found.rev().take(range.limit).map(pair).collect()
        } else {
            found.take(range.limit).map(pair).collect()
        })
    }

    fn commit(&mut self, batch: Batch) -> Result<(), SvcError> {
        self.commits += 1;
        for change in batch {
            match change.value {
                Some(value) => self.map.insert((change.table, change.key), value),
                None => self.map.remove(&(change.table, change.key)),
            };
        }
        Ok(())
    }
}
