//! Guards of engine calls: they refuse after a failure of the store, and while the state of an import has not come.

use svc_codec::code::Code;
use svc_codec::error::SvcError;

use crate::records::Records;
use crate::records::meta::PruningRecord;
use crate::store::Store;

impl<S: Store> Records<S> {
    /// Requires the shielded state. Errors: `engine/not-imported` while a trusted import has not proved the state the
    /// store begins with.
    pub fn require_state(&self) -> Result<(), SvcError> {
        if self.pruning()?.flags & PruningRecord::STATE_MISSING == 0 {
            Ok(())
        } else {
            Err(SvcError::new(Code::EngineNotImported))
        }
    }

    /// Requires a store that works. Errors: `engine/restarted` once the store has failed.
    pub(crate) fn guard(&self) -> Result<(), SvcError> {
        if self.has_failed {
            Err(SvcError::new(Code::EngineRestarted))
        } else {
            Ok(())
        }
    }

    /// Passes an outcome on, and remembers that an error of it was the store's.
    pub(crate) fn note_fatal<T>(&mut self, outcome: Result<T, SvcError>) -> Result<T, SvcError> {
        self.has_failed |= outcome.is_err();
        outcome
    }

    /// Commits what is pending.
    pub(crate) fn flush(&mut self) -> Result<(), SvcError> {
        self.guard()?;
        let outcome = self.overlay.commit();
        self.note_fatal(outcome)
    }

    /// Forgets cached records; a reader does this before each question.
    pub fn clear_caches(&self) {
        self.headers.clear();
        self.ghostdag.clear();
        self.reachability.clear();
        self.excluded.clear();
        self.depths.clear();
        self.statuses.clear();
        self.chain_states.clear();
        self.bodies.clear();
        self.children.clear();
        self.acceptances.clear();
        self.meta.borrow_mut().clear();
    }
}
