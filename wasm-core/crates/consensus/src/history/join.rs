//! Last stage of the history import: proved records join the selected chain, others are thrown away.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::history::{HistoryRecord, Stage};
use crate::records::chain::Chain;
use crate::records::meta::{self, PruningRecord};
use crate::records::{Records, missing};
use crate::store::{Store, tables};

/// Numbers the chain from the base to the sink anew, in one step: readers see one numbering or the other.
pub(super) fn rebase<S: Store>(
    records: &mut Records<S>,
    history: &mut HistoryRecord,
) -> Result<(), SvcError> {
    let index_of = |records: &Records<S>, block: &Hash32| -> Result<u64, SvcError> {
        let index = records.chain_index(block)?;
        index.ok_or_else(|| missing("chain index", block))
    };
    let sink = records.virtual_record()?.sink;
    let (from, to) = (index_of(records, &history.base)?, index_of(records, &sink)?);
    let mut chain = Vec::new();
    for index in from..=to {
        let block = records.chain_at(index)?;
        let block = block.ok_or_else(|| missing("chain index", &sink))?;
        records.set_chain(index, &block, false);
        chain.push(block);
    }
    for (index, block) in (history.below..).zip(&chain) {
        records.set_chain(index, block, true);
    }
    history.stage = Stage::Join;
    history.next = 0;
    Ok(())
}

/// The next block below joins the chain; what is served is whole after every one.
pub(super) fn join<S: Store>(
    records: &mut Records<S>,
    history: &mut HistoryRecord,
) -> Result<(), SvcError> {
    let block = records.aside(history.next)?;
    let block = block.ok_or_else(|| missing("import", &history.base))?;
    let index = history.below.checked_sub(history.next);
    let index = index.ok_or_else(|| missing("import", &block))?;
    // Before the fork a record may have the id of a block that came to the chain meanwhile, which keeps its place.
    let place = records.chain_index(&block)?.filter(|place| *place != index);
    records.set_chain(index, &block, true);
    if let Some(place) = place {
        records.set_chain(place, &block, true);
    }
    let pruning = records.pruning()?;
    records.put_pruning(&PruningRecord {
        history_base: block,
        ..pruning
    });
    let key = history.next.to_be_bytes();
    records.overlay.delete(tables::IMPORT, &key);
    history.next += 1;
    if index == 0 {
        records.delete_meta(meta::HISTORY);
    }
    Ok(())
}

/// Throws the next record away; that of genesis is our own, and so is that of a block that came to the chain meanwhile.
pub(super) fn purge<S: Store>(
    chain: &mut Chain<S>,
    history: &mut HistoryRecord,
) -> Result<(), SvcError> {
    let Chain { rules, records } = chain;
    let Some(block) = records.aside(history.next)? else {
        records.delete_meta(meta::HISTORY);
        return Ok(());
    };
    let key = history.next.to_be_bytes();
    records.overlay.delete(tables::IMPORT, &key);
    let is_base = block == history.base;
    let is_ours =
        records.chain_index(&block)?.is_some() || records.find_chain_state(&block)?.is_some();
    if block != rules.genesis_hash && (is_base || !is_ours) {
        records
            .overlay
            .delete(tables::SCAN_RECORDS, block.as_bytes());
    }
    history.next += 1;
    Ok(())
}
