//! Engine calls of the history import.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::limits::MAX_PAGE_RECORDS;

use crate::history::{HistoryProgress, Stage, begun, fetch, join, progress, verify};
use crate::records::chain::Chain;
use crate::records::meta;
use crate::store::Store;

/// An engine during its history import.
pub struct HistoryImport<'a, S> {
    pub(crate) chain: &'a mut Chain<S>,
}

impl<S: Store> HistoryImport<'_, S> {
    /// Takes scan records in, downwards from the one that is wanted, at most [`MAX_PAGE_RECORDS`]. Those before the
    /// first refused one stay.
    ///
    /// # Errors
    /// `history/wrong-record`, `history/out-of-order`, `codec/*`, `store/*`.
    pub fn import_history(&mut self, records: &[Vec<u8>]) -> Result<HistoryProgress, SvcError> {
        self.chain.records.guard()?;
        self.chain.records.require_state()?;
        let history = begun(self.chain)?;
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
            outcome = fetch::take(self.chain, &mut history, bytes);
            if outcome.is_err() {
                break;
            }
        }
        self.chain.records.put_history(&history);
        self.chain.records.flush()?;
        outcome?;
        progress(self.chain)
    }

    /// Does at most `budget` records' worth of what is due. When the records do not make the note tree of the base they
    /// are thrown away, and are wanted again.
    ///
    /// # Errors
    /// `store/*`.
    pub fn history_step(&mut self, budget: usize) -> Result<HistoryProgress, SvcError> {
        self.chain.records.guard()?;
        self.chain.records.require_state()?;
        for _ in 0..budget.max(1) {
            let Some(mut history) = self.chain.records.history()? else {
                break;
            };
            let chain = &mut *self.chain;
            let done = match history.stage {
                Stage::Fetch => break,
                Stage::Verify => verify::replay(chain, &mut history),
                Stage::Rebase => join::rebase(&mut chain.records, &mut history),
                Stage::Join => join::join(&mut chain.records, &mut history),
                Stage::Purge => join::purge(chain, &mut history),
            };
            self.chain.records.note_fatal(done)?;
            // Joining and purging end by taking the record away.
            if self.chain.records.find_meta(meta::HISTORY)?.is_some() {
                self.chain.records.put_history(&history);
            }
        }
        self.chain.records.flush()?;
        progress(self.chain)
    }

    /// Throws away what was taken in of a history that is not whole: from a peer that went away, or one whose records
    /// lead nowhere. Steps do the rest.
    ///
    /// # Errors
    /// `history/out-of-order` while nothing is being taken in, `store/*`.
    pub fn drop_history(&mut self) -> Result<(), SvcError> {
        self.chain.records.guard()?;
        let history = self.chain.records.history()?;
        let Some(mut history) = history.filter(|history| history.stage == Stage::Fetch) else {
            return Err(SvcError::new(Code::HistoryOutOfOrder));
        };
        history.stage = Stage::Purge;
        history.next = 0;
        self.chain.records.put_history(&history);
        self.chain.records.flush()
    }
}
