//! Fault-injecting store: a store in memory that outlives its engine and fails when it is told to, as with a killed
//! process.

use std::cell::{Ref, RefCell};
use std::rc::Rc;

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_consensus::store::{Batch, KeyRange, MemoryStore, Pair, Store};

/// What happens to the commit at which a store fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastCommit {
    /// The process died before the commit: nothing of it is on the disk.
    Lost,
    /// It died after the commit and before anyone heard of it: all of it is on the disk.
    Kept,
}

#[derive(Debug)]
struct Shared {
    memory: MemoryStore,
    /// Operations left before the failure.
    fuse: Option<u64>,
    last_commit: LastCommit,
    failed: bool,
    operations: u64,
}

/// A handle on the store; clones share it.
#[derive(Clone, Debug)]
pub struct FaultStore(Rc<RefCell<Shared>>);

impl FaultStore {
    /// A store with this content that does not fail.
    pub fn new(memory: MemoryStore) -> Self {
        Self(Rc::new(RefCell::new(Shared {
            memory,
            fuse: None,
            last_commit: LastCommit::Lost,
            failed: false,
            operations: 0,
        })))
    }

    /// Fails at an operation from now, and at every one after it until [`FaultStore::repair`].
    pub fn fail_after(&self, operations: u64, last_commit: LastCommit) {
        let mut shared = self.0.borrow_mut();
        shared.fuse = Some(operations);
        shared.last_commit = last_commit;
    }

    /// Works again; returns whether it had failed.
    pub fn repair(&self) -> bool {
        let mut shared = self.0.borrow_mut();
        shared.fuse = None;
        std::mem::take(&mut shared.failed)
    }

    /// Takes a planned failure away for as long as somebody only looks; give it back with
    /// [`FaultStore::resume`].
    pub fn suspend(&self) -> Option<u64> {
        self.0.borrow_mut().fuse.take()
    }

    /// Plans a suspended failure again.
    pub fn resume(&self, fuse: Option<u64>) {
        self.0.borrow_mut().fuse = fuse;
    }

    /// Whether a failure is planned or has happened.
    pub fn is_armed(&self) -> bool {
        let shared = self.0.borrow();
        shared.fuse.is_some() || shared.failed
    }

    /// Whether it fails now.
    pub fn has_failed(&self) -> bool {
        self.0.borrow().failed
    }

    /// Reads, ranges and commits so far.
    pub fn operations(&self) -> u64 {
        self.0.borrow().operations
    }

    /// The content.
    pub fn memory(&self) -> Ref<'_, MemoryStore> {
        Ref::map(self.0.borrow(), |shared| &shared.memory)
    }

    /// Counts an operation; whether it is one that fails.
    fn burns(&self) -> bool {
        let mut shared = self.0.borrow_mut();
        shared.operations += 1;
        match shared.fuse {
            Some(0) => shared.failed = true,
            Some(left) => shared.fuse = Some(left - 1),
            None => {}
        }
        shared.failed
    }
}

fn read_failed() -> SvcError {
    SvcError::new(Code::StoreReadFailed).with("reason", "killed")
}

impl Store for FaultStore {
    fn get(&self, table: u8, key: &[u8]) -> Result<Option<Vec<u8>>, SvcError> {
        if self.burns() {
            return Err(read_failed());
        }
        self.0.borrow().memory.get(table, key)
    }

    fn range(&self, range: KeyRange<'_>) -> Result<Vec<Pair>, SvcError> {
        if self.burns() {
            return Err(read_failed());
        }
        self.0.borrow().memory.range(range)
    }

    fn commit(&mut self, batch: Batch) -> Result<(), SvcError> {
        let before = self.0.borrow().failed;
        if !self.burns() {
            return self.0.borrow_mut().memory.commit(batch);
        }
        let mut shared = self.0.borrow_mut();
        if !before && shared.last_commit == LastCommit::Kept {
            shared.memory.commit(batch)?;
        }
        Err(SvcError::new(Code::StoreCommitFailed).with("reason", "killed"))
    }
}
