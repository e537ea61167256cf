//! Page of scan records: its reading, the checks that follow from the page alone, and where its actions lie.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::scan_record::MIN_RECORD_LEN;

use crate::record::{Record, RecordAction};
use crate::trial::{Hit, TrialKey, find_notes};

/// Records of one page; a node serves at most 2,000.
const MAX_RECORDS: usize = 4_000;

/// Where the output of an action lies.
pub(crate) struct OutputPlace {
    /// The transaction of the action.
    pub(crate) txid: Hash32,
    /// The action in it.
    pub(crate) output_index: u32,
    /// The leaf.
    pub(crate) cmx: Hash32,
    /// Where the leaf stands in the tree.
    pub(crate) position: u64,
}

/// Reads exactly `count` records. Errors: `codec/*`.
pub(crate) fn read_records(body: &[u8], count: usize) -> Result<Vec<Record>, SvcError> {
    if count > MAX_RECORDS || count.saturating_mul(MIN_RECORD_LEN) > body.len() {
        return Err(SvcError::new(Code::CodecCountTooLarge)
            .with("count", count)
            .with("max", MAX_RECORDS));
    }
    let mut reader = Reader::new(body);
    let records = (0..count)
        .map(|_| Record::read(&mut reader, RecordAction::of))
        .collect::<Result<Vec<_>, _>>()?;
    reader.finish()?;
    Ok(records)
}

/// Tries keys on every action of the records in one batch; one entry per action. Each block must begin where the one before
/// ended, and come after it.
///
/// Errors: `shielded/bad-field`, `wallet/bad-page`.
pub(crate) fn try_records(
    keys: &[TrialKey],
    records: &[Record],
) -> Result<Vec<Option<Hit>>, SvcError> {
    let actions: Vec<&RecordAction> = records.iter().flat_map(Record::actions).collect();
    let hits = find_notes(keys, &actions)?;
    for (previous, record) in records.iter().zip(records.iter().skip(1)) {
        check_follows(previous, record)?;
    }
    Ok(hits)
}

fn check_follows(previous: &Record, record: &Record) -> Result<(), SvcError> {
    let end = previous.head.first_leaf.checked_add(leaf_count(previous));
    if end == Some(record.head.first_leaf) && previous.head.blue_score < record.head.blue_score {
        return Ok(());
    }
    let reason = format!("block {} does not follow", record.head.hash);
    Err(SvcError::new(Code::WalletBadPage).with("reason", reason))
}

/// How many leaves a block appends.
pub(crate) fn leaf_count(record: &Record) -> u64 {
    let actions = record.payments.iter().map(|payment| payment.actions.len());
    (record.minted.len() + actions.sum::<usize>()) as u64
}

/// What was found in the actions of a record, with their places. Takes one entry for each action from `found`.
pub(crate) fn with_places<'a, T>(
    record: &'a Record,
    found: &'a mut impl Iterator<Item = Option<T>>,
) -> impl Iterator<Item = (OutputPlace, T)> + 'a
where
    T: 'a,
{
    let first = record.head.first_leaf;
    let mut position = first.saturating_add(record.minted.len() as u64);
    let actions = record.payments.iter().flat_map(|payment| {
        let actions = (0..).zip(&payment.actions);
        actions.map(|(output_index, action)| (payment.txid, output_index, action.cmx))
    });
    let places = actions.map(move |(txid, output_index, cmx)| {
        let place = OutputPlace {
            txid,
            output_index,
            cmx,
            position,
        };
        position = position.saturating_add(1);
        place
    });
    places
        .zip(found)
        .filter_map(|(place, entry)| Some((place, entry?)))
}
