//! Migration from layout 4, where a run of evidence did not bind its base, to 5, where records open the sequencing state (ADR 61).

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::migration::judged_blocks::each_judged_block;
use crate::records::chain::Chain;
use crate::rules::made_evidence::made_evidence;
use crate::store::Store;

/// Makes the record of every judged block anew that is still held whole. A block of which too little is held keeps its record of
/// form 1.
///
/// # Errors
/// `store/*`.
pub fn opened_evidence<S: Store>(chain: &mut Chain<S>) -> Result<(), SvcError> {
    each_judged_block(chain, remake)
}

fn remake<S: Store>(chain: &mut Chain<S>, block: &Hash32) -> Result<(), SvcError> {
    if let Some(made) = made_evidence(chain, block)? {
        chain.records.put_chain_evidence(block, &made);
    }
    Ok(())
}
