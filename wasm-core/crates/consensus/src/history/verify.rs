//! Verification of the imported history by replaying all records from genesis on: their leaves must make the note
//! tree of the base, which the network committed to, and from the security fork on the blocks themselves must make
//! its anchor log. Commitments of coinbase notes are computed from the minted values in the record. The rest of a
//! record (keys, ciphertexts, ids) is not authenticated by that.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_shielded::anchor_log::{LogEntry, LogPersonals};
use svc_shielded::coinbase_note::{self, Minting};
use svc_shielded::frontier::Frontier;

use crate::history::stored_record::StoredRecord;
use crate::history::{HistoryRecord, Stage};
use crate::parameters::Parameters;
use crate::records::chain::Chain;
use crate::records::chain_state::ChainState;
use crate::records::{missing, stored};
use crate::store::{Store, tables};

/// Replays one record. With the last, history is found to be right or is thrown away.
pub(super) fn replay<S: Store>(
    chain: &Chain<S>,
    history: &mut HistoryRecord,
) -> Result<(), SvcError> {
    let records = &chain.records;
    let block = records.aside(history.next)?;
    let block = block.ok_or_else(|| missing("import", &history.base))?;
    let sound = match record_of(chain, history, &block)? {
        Some(record) => {
            notes_hold(&chain.rules, &record)? && advance(&chain.rules, history, &record)
        }
        None => false,
    };
    let is_last = history.next == 0;
    let holds = sound && (!is_last || is_same(history, &*records.chain_state(&history.base)?));
    if !holds {
        history.stage = Stage::Purge;
        history.next = 0;
    } else if !is_last {
        history.next -= 1;
    } else if records.chain_index(&history.base)? == Some(history.below) {
        history.stage = Stage::Join;
    } else {
        history.stage = Stage::Rebase;
    }
    Ok(())
}

/// Whether the record can come next.
fn advance(rules: &Parameters, history: &mut HistoryRecord, record: &StoredRecord) -> bool {
    if history.frontier.append_all(&record.leaves()).is_err() {
        return false;
    }
    // Genesis is not judged and appends nothing.
    if rules.fork_active(record.head.daa_score) && record.head.hash != rules.genesis_hash {
        let entry = LogEntry {
            block: record.head.hash,
            parent: history.parent,
            tree_root: history.frontier.root(),
            blue_score: record.head.blue_score,
        };
        history
            .log
            .append(&LogPersonals::of(&rules.profile), &entry);
    }
    history.parent = record.head.hash;
    true
}

fn is_same(history: &HistoryRecord, expected: &ChainState) -> bool {
    let of = |frontier: &Frontier| (frontier.size(), frontier.leaf(), frontier.ommers());
    of(&history.frontier) == of(&expected.frontier) && history.log == expected.anchor_log
}

/// The record of a block that was taken in; `None` for a block that is above the base by now, or was for a while.
fn record_of<S: Store>(
    chain: &Chain<S>,
    history: &HistoryRecord,
    block: &Hash32,
) -> Result<Option<StoredRecord>, SvcError> {
    let may_be_above = *block != history.base && *block != chain.rules.genesis_hash;
    if may_be_above && chain.records.chain_index(block)?.is_some() {
        return Ok(None);
    }
    let bytes = chain
        .records
        .overlay
        .get(tables::SCAN_RECORDS, block.as_bytes())?;
    let record = bytes.map(|bytes| StoredRecord::decode(&bytes)).transpose();
    stored("scan record", record)
}

/// Whether the commitments of minted notes are those of recipient, value and place.
fn notes_hold(rules: &Parameters, record: &StoredRecord) -> Result<bool, SvcError> {
    let mintings: Vec<Minting> = (0..)
        .zip(&record.minted)
        .map(|(index, note)| Minting {
            source: coinbase_note::Source {
                block: record.head.hash,
                txid: record.head.coinbase_txid,
                daa_score: record.head.daa_score,
                index,
            },
            recipient: note.recipient,
            value: note.value,
        })
        .collect();
    match coinbase_note::derive_all(&rules.profile, &mintings) {
        Ok(notes) => Ok(notes
            .iter()
            .zip(&record.minted)
            .all(|(made, note)| made.cmx == note.cmx)),
        Err(error) if error.code == Code::ShieldedBadRecipient => Ok(false),
        Err(error) => Err(error),
    }
}
