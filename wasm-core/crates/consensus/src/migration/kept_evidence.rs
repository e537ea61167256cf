//! Migration to layout 5, where each judged block has its record of form 2: from layout 3, which kept no evidence, and from layout 4, whose
//! records did not open the sequencing state (ADR 61).

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::store::DagStore;

use crate::migration::judged_blocks::each_judged_block;
use crate::records::chain::Chain;
use crate::rules::made_evidence::made_evidence;
use crate::store::Store;

/// Makes the evidence of every judged block that is still held whole. A block of which too little is held keeps its record of form 1; an
/// opening that is there already is written again as it was.
///
/// # Errors
/// `store/*`.
pub fn kept_evidence<S: Store>(chain: &mut Chain<S>) -> Result<(), SvcError> {
    each_judged_block(chain, keep)
}

fn keep<S: Store>(chain: &mut Chain<S>, block: &Hash32) -> Result<(), SvcError> {
    let Some(made) = made_evidence(chain, block)? else {
        return Ok(());
    };
    let Chain { rules, records } = chain;
    records.put_chain_evidence(block, &made);
    let parent = records.ghostdag(block)?.selected_parent;
    records.keep_opening(rules, &parent, block)
}
