//! State claim of an export: the shielded state, the lanes and the anchors at its pruning point.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::ANCHOR_BINDING_ROWS;
use svc_dag::store::DagStore;
use svc_shielded::anchor_log::{AnchorLog, LogEntry};

use crate::export::Export;
use crate::import::lanes::LanesClaim;
use crate::import::state_claim::StateClaim;
use crate::records::chain::Chain;
use crate::records::{Records, missing};
use crate::rules::anchor_binding::AnchorBinding;
use crate::rules::payload_digest::payload_digest;
use crate::store::Store;

/// Anchors that may be spent against, the newest first, as they are collected.
#[derive(Default)]
pub(super) struct Anchors {
    entries: Vec<LogEntry>,
    older: Vec<OlderAnchor>,
    /// The chain block above the next one, the pruning point first.
    above: Option<Hash32>,
    /// The log before the oldest of `entries`.
    log_before: AnchorLog,
}

/// An anchor from before the security fork.
struct OlderAnchor {
    tree_root: Hash32,
    block: Hash32,
    /// The next block of the chain.
    child: Hash32,
}

impl Export {
    /// The claim of the lanes, which the pruning point's header commits to. Errors: `export/moved`, `store/*`.
    pub fn lanes_claim<S: Store>(&self, records: &Records<S>) -> Result<LanesClaim, SvcError> {
        self.check(records)?;
        Ok(LanesClaim {
            payload_digest: payload_digest(records, &self.point)?,
            root: records.chain_state(&self.point)?.lanes_root,
            count: self.lane_count,
        })
    }

    /// Collects the anchor of a chain block. Returns the block below while anchors may be spent against.
    pub(super) fn next_anchor<S: Store>(
        &mut self,
        chain: &Chain<S>,
        block: &Hash32,
    ) -> Result<Option<Hash32>, SvcError> {
        let Chain { rules, records } = chain;
        if *block == rules.genesis_hash {
            return Ok(None);
        }
        let record = records.header(block)?;
        let point_score = records.header(&self.point)?.header.blue_score;
        let age = point_score.saturating_sub(record.header.blue_score);
        if age > rules.profile.max_shielded_anchor_age {
            return Ok(None);
        }
        let Some(entry) = records.entry_of(block)? else {
            return Ok(None);
        };
        if rules.fork_active(record.header.daa_score) {
            self.anchors.entries.push(entry.log_entry(block));
            self.anchors.log_before = entry.log_before;
        } else if let Some(child) = self.anchors.above {
            self.anchors.older.push(OlderAnchor {
                tree_root: entry.tree_root,
                block: *block,
                child,
            });
        }
        self.anchors.above = Some(*block);
        Ok(Some(entry.parent))
    }

    /// The state, with the anchors that may be spent against. Errors: `export/moved`, `store/*`.
    pub fn state_claim<S: Store>(&self, records: &Records<S>) -> Result<StateClaim, SvcError> {
        self.check(records)?;
        let at = records.chain_state(&self.point)?;
        let index = records.chain_index(&self.point)?;
        let older = self.anchors.older.iter().rev();
        Ok(StateClaim {
            frontier: at.frontier.clone(),
            cumulative_coinbase: at.cumulative_coinbase,
            cumulative_fees: at.cumulative_fees,
            nullifiers: at.nullifiers.clone(),
            nullifier_count: at.nullifier_count,
            dev_accrued: at.dev_accrued,
            slot: at.slot.clone(),
            log_before: self.anchors.log_before.clone(),
            entries: self.anchors.entries.iter().rev().cloned().collect(),
            older: older
                .map(|anchor| (anchor.tree_root, anchor.block))
                .collect(),
            chain_index: index.ok_or_else(|| missing("chain index", &self.point))?,
        })
    }
}

impl Export {
    /// The anchor bindings, which prove the anchors from before the security fork, ascending by blue score, from
    /// number `from` on.
    ///
    /// # Errors
    /// `chain/unknown-block` naming a block whose binding is not held, `export/moved`, `store/*`.
    pub fn bindings<S: Store>(
        &self,
        records: &Records<S>,
        from: usize,
        limit: usize,
    ) -> Result<Vec<(Hash32, AnchorBinding)>, SvcError> {
        self.check(records)?;
        let page = self.anchors.older.iter().rev().skip(from);
        page.take(limit.min(ANCHOR_BINDING_ROWS))
            .map(|OlderAnchor { block, child, .. }| {
                let unknown = || SvcError::new(Code::ChainUnknownBlock).with("hash", block);
                let binding = records.anchor_binding(block, child)?.ok_or_else(unknown)?;
                Ok((*block, binding))
            })
            .collect()
    }
}
