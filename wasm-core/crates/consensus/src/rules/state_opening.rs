//! Openings of states for evidence: the state after a chain block, by the coinbase of the next one (docs/light-client.md).
//!
//! Tree states of some blocks stay when the rest is pruned, so that a wallet can begin there. Their openings are made when
//! the block above is judged, and stay as well.

use svc_chain::header::raw::ReadHeader;
use svc_chain::witness::Witness;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::store::DagStore;
use svc_evidence::opening::{Nullifiers, OpenedLog, Opening};
use svc_shielded::anchor_log::AnchorLog;

use crate::parameters::Parameters;
use crate::records::block_status::Stage;
use crate::records::{Records, stored};
use crate::store::{Store, tables};

/// Note trees of chain blocks at multiples of this DAA score stay (specification shielded 14).
pub const TREE_STATE_SPACING: u64 = 1_000;

/// Opens the state after a block by its child, with the product of all nullifiers; `None` where too little is held.
///
/// # Errors
/// `store/*`.
pub fn open_state<S: Store>(
    rules: &Parameters,
    records: &Records<S>,
    block: &Hash32,
    child: &Hash32,
) -> Result<Option<(ReadHeader, Opening)>, SvcError> {
    let Some(state) = records.find_chain_state(block)? else {
        return Ok(None);
    };
    if !records.stage(child)?.is_some_and(Stage::has_body) {
        return Ok(None);
    }
    let mut log = None;
    if rules.fork_active(records.header(block)?.header.daa_score) {
        let entry = match *block == rules.genesis_hash {
            true => Some((Hash32::ZERO, 0, AnchorLog::default())),
            false => (records.entry_of(block)?)
                .map(|entry| (entry.parent, entry.blue_score, entry.log_before)),
        };
        let Some((parent, blue_score, before)) = entry else {
            return Ok(None);
        };
        let carried = state.carried(&rules.profile);
        log = Some(OpenedLog {
            parent,
            blue_score,
            before,
            dev_accrued: carried.dev_accrued,
            slot_script_version: carried.slot_script_version,
            slot_script: carried.slot_script,
            slot_amount: carried.slot_amount,
        });
    }
    let body = records.body(child)?;
    let opening = Opening {
        coinbase: body.coinbase()?.clone(),
        branch: Opening::branch_in(&body.transactions),
        tree_root: state.tree_root,
        nullifiers: match &state.nullifiers {
            Some(product) => Nullifiers::Product(Box::new(product.clone())),
            None => Nullifiers::Digest(state.parts().nullifier_root),
        },
        cumulative_coinbase: state.cumulative_coinbase,
        cumulative_fees: state.cumulative_fees,
        log,
    };
    Ok(Some((records.evidence_header(child)?, opening)))
}

impl<S: Store> Records<S> {
    /// A header with its witness in the form that evidence has: without what no reader believes.
    ///
    /// # Errors
    /// `store/*`.
    pub fn evidence_header(&self, block: &Hash32) -> Result<ReadHeader, SvcError> {
        let witness = self.witness(block)?;
        let canonical = witness.map(|bytes| Ok(Witness::from_bytes(&bytes)?.to_bytes()));
        let canonical = stored("witnesses", canonical.transpose())?;
        Ok((self.header(block)?.header.clone(), canonical))
    }

    /// Keeps the opening of the state after the parent of a judged chain block, where that state stays.
    ///
    /// # Errors
    /// `store/*`.
    pub(crate) fn keep_opening(
        &mut self,
        rules: &Parameters,
        block: &Hash32,
        child: &Hash32,
    ) -> Result<(), SvcError> {
        if self.header(block)?.header.daa_score % TREE_STATE_SPACING != 0 {
            return Ok(());
        }
        if let Some((header, opening)) = open_state(rules, self, block, child)? {
            self.overlay
                .put(tables::OPENINGS, child.as_bytes(), opening.encode(&header));
        }
        Ok(())
    }

    /// The opening that was kept under a child; `None` where none was.
    ///
    /// # Errors
    /// `store/*`.
    pub fn kept_opening(&self, child: &Hash32) -> Result<Option<(ReadHeader, Opening)>, SvcError> {
        let found = self.overlay.get(tables::OPENINGS, child.as_bytes())?;
        let read = found.map(|bytes| Opening::decode(&bytes)).transpose();
        stored("openings", read)
    }
}
