//! Engine calls of the history import.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::limits::MAX_PAGE_RECORDS;

use crate::history::{HistoryProgress, Stage, begun, fetch, join, progress, verify};
use crate::parameters::Parameters;
use crate::records::{Records, meta};
use crate::store::Store;

/// An engine during its history import.
pub struct HistoryImport<'a, S> {
    pub(crate) rules: &'a Parameters,
    pub(crate) state: &'a mut Records<S>,
}

impl<S: Store> HistoryImport<'_, S> {
    /// Takes scan records in, downwards from the one that is wanted, at most [`MAX_PAGE_RECORDS`]. Those before the
    /// first refused one stay.
    ///
    /// # Errors
    /// `history/wrong-record`, `history/out-of-order`, `codec/*`, `store/*`.
    pub fn import_history(&mut self, records: &[Vec<u8>]) -> Result<HistoryProgress, SvcError> {
        self.state.guard()?;
        self.state.require_state()?;
        let history = begun(self.rules, self.state)?;
        let Some(mut history) = history.filter(|history| history.stage == Stage::Fetch) else {
            return Err(SvcError::new(Code::HistoryOutOfOrder));
        };
        if records.len() > MAX_PAGE_RECORDS {
            let error = SvcError::new(Code::CodecCountTooLarge).with("count", records.len());
            return Err(error.with("max", MAX_PAGE_RECORDS));
        }
        let mut outcome = Ok(());
        for bytes in records {
            if history.stage != Stage::Fetch {
                break;
            }
            outcome = fetch::take(self.rules, self.state, (&mut history, bytes));
            if outcome.is_err() {
                break;
            }
        }
        self.state.put_history(&history);
        self.state.flush()?;
        outcome?;
        progress(self.rules, self.state)
    }

    /// Does at most `budget` records' worth of what is due. When the records do not make the note tree of the base they
    /// are thrown away, and are wanted again.
    ///
    /// # Errors
    /// `store/*`.
    pub fn history_step(&mut self, budget: usize) -> Result<HistoryProgress, SvcError> {
        self.state.guard()?;
        self.state.require_state()?;
        for _ in 0..budget.max(1) {
            let Some(mut history) = self.state.history()? else {
                break;
            };
            let (rules, state) = (self.rules, &mut *self.state);
            let done = match history.stage {
                Stage::Fetch => break,
                Stage::Verify => verify::replay(rules, state, &mut history),
                Stage::Rebase => join::rebase(state, &mut history),
                Stage::Join => join::join(state, &mut history),
                Stage::Purge => join::purge(rules, state, &mut history),
            };
            self.state.note_fatal(done)?;
            // Joining and purging end by taking the record away.
            if self.state.find_meta(meta::HISTORY)?.is_some() {
                self.state.put_history(&history);
            }
        }
        self.state.flush()?;
        progress(self.rules, self.state)
    }

    /// Throws away what was taken in of a history that is not whole: from a peer that went away, or one whose records
    /// lead nowhere. Steps do the rest.
    ///
    /// # Errors
    /// `history/out-of-order` while nothing is being taken in, `store/*`.
    pub fn drop_history(&mut self) -> Result<(), SvcError> {
        self.state.guard()?;
        let history = self.state.history()?;
        let Some(mut history) = history.filter(|history| history.stage == Stage::Fetch) else {
            return Err(SvcError::new(Code::HistoryOutOfOrder));
        };
        history.stage = Stage::Purge;
        history.next = 0;
        self.state.put_history(&history);
        self.state.flush()
    }
}
