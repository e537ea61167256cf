//! Migration from layout 3, where no evidence was kept, to 4, where each judged block has its record.

use svc_codec::error::SvcError;
use svc_codec::limits::MIGRATION_PAGE_BLOCKS;
use svc_codec::reader::Reader;
use svc_dag::store::DagStore;

use crate::records::chain::Chain;
use crate::records::record_fields::whole;
use crate::records::stored;
use crate::rules::made_evidence::made_evidence;
use crate::store::{KeyRange, Store, tables};

/// Longer than any key.
const KEYS_END: [u8; 33] = [0xff; 33];

/// Makes the evidence of every judged block that is still held whole, a commit for each page of them; what has its record
/// keeps it.
pub fn kept_evidence<S: Store>(chain: &mut Chain<S>) -> Result<(), SvcError> {
    let mut from = Vec::new();
    loop {
        let rows = chain.records.overlay.range(KeyRange {
            table: tables::ACCEPTANCE,
            from: &from,
            to: &KEYS_END,
            limit: MIGRATION_PAGE_BLOCKS,
            reverse: false,
        })?;
        let Some((last, _)) = rows.last() else {
            return Ok(());
        };
        from = [last.as_slice(), &[0]].concat();
        for (key, _) in &rows {
            keep(chain, key)?;
        }
        chain.records.overlay.commit()?;
    }
}

fn keep<S: Store>(chain: &mut Chain<S>, key: &[u8]) -> Result<(), SvcError> {
    let block = stored("acceptance", whole(key, Reader::hash))?;
    if chain.records.chain_evidence(&block)?.is_some() {
        return Ok(());
    }
    let Some(made) = made_evidence(chain, &block)? else {
        return Ok(());
    };
    let Chain { rules, records } = chain;
    records.put_chain_evidence(&block, &made);
    let parent = records.ghostdag(&block)?.selected_parent;
    records.keep_opening(rules, &parent, &block)
}
