//! Write overlay: uncommitted writes in front of a [`Store`]. The engine reads its own writes at once, the disk sees
//! them in one commit. During bulk loading several accepted steps share one commit.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::rc::Rc;

use svc_codec::error::SvcError;

use crate::store::{Batch, Change, KeyRange, Pair, Store};
use crate::timings::{NoStopwatch, Part, Stopwatch};

/// Changes of one table, `None` for a deletion.
type TableChanges = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// A store with a pending batch read before it.
pub struct Overlay<S> {
    store: S,
    /// Never holds a table without changes.
    pending: BTreeMap<u8, TableChanges>,
    stopwatch: Rc<dyn Stopwatch>,
}

impl<S: Store> Overlay<S> {
    /// An overlay with nothing pending.
    pub fn new(store: S) -> Self {
        Self {
            store,
            pending: BTreeMap::new(),
            stopwatch: Rc::new(NoStopwatch),
        }
    }

    /// Measures with `stopwatch` from now on.
    pub fn set_stopwatch(&mut self, stopwatch: Rc<dyn Stopwatch>) {
        self.stopwatch = stopwatch;
    }

    /// Does `work` as one part of the engine's time; what came before were rules.
    pub fn timed<T>(&self, part: Part, work: impl FnOnce() -> T) -> T {
        self.stopwatch.lap(Part::Rules);
        let done = work();
        self.stopwatch.lap(part);
        done
    }

    /// Pending value, else the store's.
    pub fn get(&self, table: u8, key: &[u8]) -> Result<Option<Vec<u8>>, SvcError> {
        let pending = self.pending.get(&table);
        if let Some(value) = pending.and_then(|changes| changes.get(key)) {
            return Ok(value.clone());
        }
        self.timed(Part::Store, || self.store.get(table, key))
    }

    /// Sets a pending value.
    pub fn put(&mut self, table: u8, key: &[u8], value: Vec<u8>) {
        self.change(table, key, Some(value));
    }

    /// Marks a key as deleted.
    pub fn delete(&mut self, table: u8, key: &[u8]) {
        self.change(table, key, None);
    }

    fn change(&mut self, table: u8, key: &[u8], value: Option<Vec<u8>>) {
        let changes = self.pending.entry(table).or_default();
        match changes.get_mut(key) {
            Some(slot) => *slot = value,
            None => {
                changes.insert(key.to_vec(), value);
            }
        }
    }

    /// Range over store and pending writes together.
    pub fn range(&self, range: KeyRange<'_>) -> Result<Vec<Pair>, SvcError> {
        if range.from >= range.to {
            return Ok(Vec::new());
        }
        let bounds = (Bound::Included(range.from), Bound::Excluded(range.to));
        let pending = self.pending.get(&range.table);
        let changed: Vec<_> = pending
            .map(|changes| changes.range::<[u8], _>(bounds).collect())
            .unwrap_or_default();
        if changed.is_empty() {
            return self.timed(Part::Store, || self.store.range(range));
        }
        // A pending deletion can hide at most one stored pair, so this many stored pairs are enough.
        let limit = range.limit.saturating_add(changed.len());
        let stored = self.timed(Part::Store, || {
            self.store.range(KeyRange { limit, ..range })
        })?;
        let mut merged: BTreeMap<Vec<u8>, Vec<u8>> = stored.into_iter().collect();
        for (key, value) in changed {
            match value {
                Some(value) => merged.insert(key.clone(), value.clone()),
                None => merged.remove(key),
            };
        }
        Ok(if range.reverse {
            merged.into_iter().rev().take(range.limit).collect()
        } else {
            merged.into_iter().take(range.limit).collect()
        })
    }

    /// Writes everything pending in one commit; does nothing when nothing is pending.
    pub fn commit(&mut self) -> Result<(), SvcError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let batch: Batch = std::mem::take(&mut self.pending)
            .into_iter()
            .flat_map(|(table, changes)| {
                let change = move |(key, value)| Change { table, key, value };
                changes.into_iter().map(change)
            })
            .collect();
        self.stopwatch.lap(Part::Rules);
        let outcome = self.store.commit(batch);
        self.stopwatch.lap(Part::Store);
        outcome
    }

    /// Forgets everything pending.
    pub fn discard(&mut self) {
        self.pending.clear();
    }

    /// Number of pending changes.
    pub fn pending_len(&self) -> usize {
        self.pending.values().map(BTreeMap::len).sum()
    }

    /// The store below.
    pub fn store(&self) -> &S {
        &self.store
    }
}
