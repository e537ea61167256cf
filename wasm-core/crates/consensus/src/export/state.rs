//! The claims of an export about the state at its pruning point.

use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::seq_commit;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::ANCHOR_BINDING_ROWS;
use svc_dag::store::DagStore;
use svc_shielded::anchor_log::{AnchorLog, LogEntry};

use crate::anchor_binding::AnchorBinding;
use crate::chain_rules::ChainRules;
use crate::export::Export;
use crate::import::lanes::LanesClaim;
use crate::import::state_claim::StateClaim;
use crate::meta;
use crate::state::{State, missing, stored};
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
    /// What binds the lanes. Errors: `export/moved`, `store/*`.
    pub fn lanes_claim<S: Store>(&self, state: &State<S>) -> Result<LanesClaim, SvcError> {
        self.check(state)?;
        Ok(LanesClaim {
            payload_digest: payload_digest(state, &self.point)?,
            root: state.chain_state(&self.point)?.lanes_root,
            count: self.lane_count,
        })
    }

    /// Collects the anchor of a chain block. Returns the block below while anchors may be spent against.
    pub(super) fn next_anchor<S: Store>(
        &mut self,
        rules: &ChainRules,
        state: &State<S>,
        block: &Hash32,
    ) -> Result<Option<Hash32>, SvcError> {
        if *block == rules.genesis_hash {
            return Ok(None);
        }
        let record = state.header(block)?;
        let point_score = state.header(&self.point)?.header.blue_score;
        let age = point_score.saturating_sub(record.header.blue_score);
        if age > rules.profile.max_shielded_anchor_age {
            return Ok(None);
        }
        let Some(entry) = state.entry_of(block)? else {
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
    pub fn state_claim<S: Store>(&self, state: &State<S>) -> Result<StateClaim, SvcError> {
        self.check(state)?;
        let at = state.chain_state(&self.point)?;
        let index = state.chain_index(&self.point)?;
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
    /// What binds the anchors from before the security fork, ascending by blue score, from number `from` on.
    ///
    /// # Errors
    /// `chain/unknown-block` naming a block whose binding is not held, `export/moved`, `store/*`.
    pub fn bindings<S: Store>(
        &self,
        state: &State<S>,
        from: usize,
        limit: usize,
    ) -> Result<Vec<(Hash32, AnchorBinding)>, SvcError> {
        self.check(state)?;
        let page = self.anchors.older.iter().rev().skip(from);
        page.take(limit.min(ANCHOR_BINDING_ROWS))
            .map(|OlderAnchor { block, child, .. }| {
                let unknown = || SvcError::new(Code::ChainUnknownBlock).with("hash", block);
                let binding = state.anchor_binding(block, child)?.ok_or_else(unknown)?;
                Ok((*block, binding))
            })
            .collect()
    }
}

/// Writes down what serving a new pruning point takes of the blocks it merged, before their bodies go.
///
/// # Errors
/// `store/*`.
pub(crate) fn remember_payloads<S: Store>(
    state: &mut State<S>,
    point: &Hash32,
) -> Result<(), SvcError> {
    match payload_digest(state, point) {
        Ok(digest) => {
            let row = meta::encode_hashes(&[*point, digest]);
            state.put_meta(meta::PAYLOAD_DIGEST, row);
            Ok(())
        }
        // A body is gone already: this pruning point is not served.
        Err(error) if error.code == Code::ChainUnknownBlock => Ok(()),
        Err(error) => Err(error),
    }
}

/// The digest over payloads and context in the sequencing commitment of a chain block (specification consensus 12,
/// steps 1, 7 and 9): as an import brought it, or of the blocks it merged, whose bodies must be held.
///
/// # Errors
/// `chain/unknown-block` naming a merged block without body, `store/*`.
pub fn payload_digest<S: Store>(state: &State<S>, block: &Hash32) -> Result<Hash32, SvcError> {
    if let Some(bytes) = state.find_meta(meta::PAYLOAD_DIGEST)?
        && let [of, digest] = stored("meta", meta::decode_hashes(&bytes))?[..]
        && of == *block
    {
        return Ok(digest);
    }
    let data = state.ghostdag(block)?;
    let header = &state.header(block)?.header;
    let parent = state.header(&data.selected_parent)?;
    let mut leaves = Vec::new();
    for merged in data.consensus_ordered_mergeset(state)? {
        let unknown = || SvcError::new(Code::ChainUnknownBlock).with("hash", merged);
        let coinbase = state.transaction(&merged, 0)?.ok_or_else(unknown)?;
        stored("bodies", CoinbasePayload::decode(&coinbase.payload))?;
        let work = state.header(&merged)?.header.blue_work;
        let leaf = seq_commit::miner_payload_leaf(&merged, work, &coinbase.payload);
        leaves.push(leaf);
    }
    let context = seq_commit::mergeset_context(
        parent.header.timestamp_ms,
        header.daa_score,
        header.blue_score,
    );
    let root = seq_commit::payload_root(&leaves);
    Ok(seq_commit::payload_and_context_digest(&context, &root))
}
