//! Bounded two-generation cache of decoded records by block hash: when the young generation is full it becomes the
//! old one and the previous old one is dropped, so a hit costs one or two look-ups and nothing is ever sorted.

use std::cell::RefCell;
use std::rc::Rc;

use svc_codec::hash32::Hash32;
use svc_codec::id_map::IdMap;

/// A kind of record: the table that it stands in, and what errors call it.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) table: u8,
    pub(crate) name: &'static str,
}

impl Kind {
    pub(crate) const fn new(table: u8, name: &'static str) -> Self {
        Self { table, name }
    }
}

struct Generations<T> {
    young: IdMap<Rc<T>>,
    old: IdMap<Rc<T>>,
}

/// At most `2 × capacity` records.
pub struct RecordCache<T> {
    generations: RefCell<Generations<T>>,
    capacity: usize,
}

impl<T> RecordCache<T> {
    /// A cache whose generations hold `capacity` records each.
    pub fn new(capacity: usize) -> Self {
        let generations = Generations {
            young: IdMap::default(),
            old: IdMap::default(),
        };
        Self {
            generations: RefCell::new(generations),
            capacity,
        }
    }

    /// The record, moved to the young generation.
    pub fn get(&self, hash: &Hash32) -> Option<Rc<T>> {
        let found = {
            let generations = self.generations.borrow();
            if let Some(record) = generations.young.get(hash) {
                return Some(record.clone());
            }
            generations.old.get(hash)?.clone()
        };
        self.insert(*hash, found.clone());
        Some(found)
    }

    /// Adds or replaces a record.
    pub fn insert(&self, hash: Hash32, record: Rc<T>) {
        let mut generations = self.generations.borrow_mut();
        if generations.young.len() >= self.capacity {
            generations.old = std::mem::take(&mut generations.young);
        }
        generations.young.insert(hash, record);
    }

    /// Forgets a record.
    pub fn remove(&self, hash: &Hash32) {
        let mut generations = self.generations.borrow_mut();
        generations.young.remove(hash);
        generations.old.remove(hash);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        let mut generations = self.generations.borrow_mut();
        generations.young.clear();
        generations.old.clear();
    }
}
