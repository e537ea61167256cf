//! Migration from layout 3, where no evidence was kept, to 5, where each judged block has its record.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::store::DagStore;

use crate::migration::judged_blocks::each_judged_block;
use crate::records::chain::Chain;
use crate::rules::made_evidence::made_evidence;
use crate::store::Store;

/// Makes the evidence of every judged block that is still held whole, also where a build of layout 4 began to and was cut short.
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
