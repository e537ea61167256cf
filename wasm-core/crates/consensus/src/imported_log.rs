//! Log import: the anchor log below the pruning point that a store began at, fetched afterwards, so that older blocks have paths to
//! show (docs/light-client.md).
//!
//! The state that was imported has the peaks of the log, and the network committed to them. So each page is checked by itself,
//! whoever sends it, and is kept or refused as a whole. Pages come from the first entry upwards. All of it is in the store: a
//! page whose commit was killed is asked for again.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_evidence::log_page::LogPage;
use svc_shielded::anchor_log::{AnchorLog, LogPersonals};

use crate::records::chain::Chain;
use crate::records::log_row::LogRow;
use crate::records::{Records, meta, stored};
use crate::store::Store;

/// Progress record of the log import, in META while something is lacking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRecord {
    /// The block that the store began at: the last entry.
    pub base: Hash32,
    /// The log after it.
    pub whole: AnchorLog,
    /// The log as far as it was taken in.
    pub taken: AnchorLog,
}

/// Progress of the log import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogProgress {
    /// Nothing is lacking.
    Complete,
    /// Entries are wanted, upwards.
    Wanted {
        /// The last entry.
        base: Hash32,
        /// How many there are.
        count: u64,
        /// Place of the first that is lacking.
        first: u64,
    },
}

impl LogRecord {
    /// Notes what a store lacks that begins at `base`, whose log this is.
    pub(crate) fn begin<S: Store>(records: &mut Records<S>, base: &Hash32, whole: &AnchorLog) {
        if whole.count() == 0 {
            return;
        }
        let record = Self {
            base: *base,
            whole: whole.clone(),
            taken: AnchorLog::default(),
        };
        records.put_meta(meta::LOG, record.encode());
    }

    /// Stored form, version 1.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u8(1).hash(&self.base);
        self.whole.encode(&mut writer);
        self.taken.encode(&mut writer);
        writer.into_vec()
    }

    /// Reads the stored form. Errors: `store/corrupt`, `codec/*`, `shielded/bad-anchor-log`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        crate::corrupt_unless(reader.u8()? == 1, "log import version")?;
        let record = Self {
            base: reader.hash()?,
            whole: AnchorLog::decode(&mut reader)?,
            taken: AnchorLog::decode(&mut reader)?,
        };
        reader.finish()?;
        Ok(record)
    }

    fn progress(&self) -> LogProgress {
        LogProgress::Wanted {
            base: self.base,
            count: self.whole.count(),
            first: self.taken.count(),
        }
    }
}

/// The progress record; `None` while nothing is lacking.
pub(crate) fn under_way<S: Store>(records: &Records<S>) -> Result<Option<LogRecord>, SvcError> {
    let found = records.find_meta(meta::LOG)?;
    let record = found.map(|bytes| LogRecord::decode(&bytes)).transpose();
    stored("log import", record)
}

/// The progress of the log import.
pub(crate) fn progress<S: Store>(records: &Records<S>) -> Result<LogProgress, SvcError> {
    let record = under_way(records)?;
    Ok(record.map_or(LogProgress::Complete, |record| record.progress()))
}

/// Takes in the page that is wanted. Nothing of a page is kept that the log does not cover.
///
/// # Errors
/// `history/out-of-order` while nothing is lacking, `history/wrong-record`, `codec/*`, `engine/not-imported`, `store/*`.
pub fn take<S: Store>(chain: &mut Chain<S>, page: &[u8]) -> Result<LogProgress, SvcError> {
    let Chain { rules, records } = chain;
    records.guard()?;
    records.require_state()?;
    let Some(mut record) = under_way(records)? else {
        return Err(SvcError::new(Code::HistoryOutOfOrder));
    };
    let wrong = |reason: &'static str| {
        let error = SvcError::new(Code::HistoryWrongRecord).with("hash", record.base);
        error.with("reason", reason)
    };
    let page = LogPage::decode(page)?;
    if page.first != record.taken.count() {
        return Err(wrong("a page of the log from another place"));
    }
    let personals = LogPersonals::of(&rules.profile);
    let entries = page.check(&personals, &record.whole);
    let entries = entries.map_err(|_| wrong("the log before it has other entries"))?;
    for (place, entry) in (page.first..).zip(entries) {
        let completed = record.taken.append(&personals, &entry);
        let nodes = completed.into_iter().skip(1).collect();
        records.put_log_row(place, &LogRow { entry, nodes });
    }
    if record.taken.count() == record.whole.count() {
        records.delete_meta(meta::LOG);
    } else {
        records.put_meta(meta::LOG, record.encode());
    }
    records.flush()?;
    progress(records)
}
