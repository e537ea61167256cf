//! Extent of the stored history: from where on a store holds the scan records of its chain.

use svc_codec::error::SvcError;

use crate::records::chain::Chain;
use crate::store::Store;

/// From where on the scan records of the selected chain are held.
pub struct HeldHistory {
    /// DAA score of the lowest block.
    pub from_daa_score: u64,
    /// Whether that is genesis.
    pub is_complete: bool,
}

/// The extent of the stored history: pruning takes no scan record of the chain, so it begins where the store began.
pub fn held_history<S: Store>(chain: &Chain<S>) -> Result<HeldHistory, SvcError> {
    let base = chain.records.pruning()?.history_base;
    Ok(HeldHistory {
        from_daa_score: chain.records.chain_scores(&base)?.daa_score,
        is_complete: base == chain.rules.genesis_hash,
    })
}
