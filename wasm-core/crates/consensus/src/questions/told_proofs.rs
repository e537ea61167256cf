//! Proofs about a chain block that a node serves, to be verified against headers (docs/formats.md 3.11).

use std::collections::{BTreeMap, BTreeSet};

use svc_chain::seq_commit;
use svc_chain::uint256::blue_work_bytes;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_LANE_WALK, MAX_TOLD_LANES};
use svc_dag::store::DagStore;
use svc_shielded::bundle::Bundle;

use crate::checks::acceptance_proof::{
    AcceptanceProof, AcceptedTransaction, AppliedPayment, ClaimedFrontier, ClaimedLane,
    DroppedPayment, LanesProof, MergedPayload,
};
use crate::checks::committed_state::CommittedState;
use crate::checks::supply_check::SupplyProof;
use crate::records::acceptance_record::{AcceptanceRecord, Carried};
use crate::records::block_status::Stage;
use crate::records::chain::Chain;
use crate::records::lane_diff::LaneTip;
use crate::records::lanes::lane_diff;
use crate::records::{Records, stored};
use crate::store::{KeyRange, Store, tables};

/// What ties the state after a chain block to the next one. Errors: `chain/unknown-block`, `chain/pruned`.
pub fn supply_proof<S: Store>(chain: &Chain<S>, hash: &Hash32) -> Result<SupplyProof, SvcError> {
    let records = &chain.records;
    let state = records.answered_chain_state(hash)?;
    let scores = records.chain_scores(hash)?;
    Ok(SupplyProof {
        block: *hash,
        child: records.chain_at(index_of(records, hash)? + 1)?,
        daa_score: scores.daa_score,
        blue_score: scores.blue_score,
        state: CommittedState::of(&state, &chain.rules.profile),
        frontier: ClaimedFrontier::of(&state.frontier),
        nullifier_count: state.nullifier_count,
    })
}

/// What ties the effects of a chain block to its header and to the next one. Errors: `chain/unknown-block` for genesis too,
/// `chain/pruned`.
pub fn acceptance_proof<S: Store>(
    chain: &Chain<S>,
    hash: &Hash32,
) -> Result<AcceptanceProof, SvcError> {
    let Chain { rules, records } = chain;
    let after = records.answered_chain_state(hash)?;
    let index = index_of(records, hash)?;
    if index == 0 {
        return Err(SvcError::new(Code::ChainUnknownBlock).with("hash", hash));
    }
    let record = records.kept_acceptance(hash)?;
    let selected_parent = records.ghostdag(hash)?.selected_parent;
    let before = records.answered_chain_state(&selected_parent)?;
    let accepted = accepted(records, &record)?;
    let lanes = lanes_of(chain, hash, index, &accepted)?;
    let shortcut = records.header(&after.shortcut)?;
    Ok(AcceptanceProof {
        block: *hash,
        selected_parent,
        child: records.chain_at(index + 1)?,
        accepted,
        merged: merged(records, &record)?,
        lanes,
        shortcut: shortcut.header.accepted_id_merkle_root,
        frontier: ClaimedFrontier::of(&before.frontier),
        applied: applied(chain, &record)?,
        dropped: dropped(&record),
        before: CommittedState::of(&before, &rules.profile),
        after: CommittedState::of(&after, &rules.profile),
    })
}

fn index_of<S: Store>(records: &Records<S>, hash: &Hash32) -> Result<u64, SvcError> {
    let unknown = || SvcError::new(Code::ChainUnknownBlock).with("hash", hash);
    records.chain_index(hash)?.ok_or_else(unknown)
}

fn corrupt() -> SvcError {
    SvcError::new(Code::StoreCorrupt).with("table", "acceptance")
}

fn accepted<S: Store>(
    records: &Records<S>,
    record: &AcceptanceRecord,
) -> Result<Vec<AcceptedTransaction>, SvcError> {
    let mut list = Vec::new();
    for merged in &record.merged {
        if !records.stage(&merged.hash)?.is_some_and(Stage::has_body) {
            return Err(SvcError::new(Code::ChainPruned).with("hash", merged.hash));
        }
        let body = records.body(&merged.hash)?;
        let places: BTreeMap<&Hash32, usize> = body.txids().iter().zip(0..).collect();
        for txid in &merged.accepted {
            let place = places.get(txid).copied();
            let transaction = place
                .and_then(|place| body.get(place))
                .ok_or_else(corrupt)?;
            list.push(AcceptedTransaction {
                txid: *txid,
                version: transaction.version,
                lane: transaction.subnetwork_id,
                block: merged.hash,
            });
        }
    }
    Ok(list)
}

fn merged<S: Store>(
    records: &Records<S>,
    record: &AcceptanceRecord,
) -> Result<Vec<MergedPayload>, SvcError> {
    let told = record.merged.iter().map(|merged| {
        Ok(MergedPayload {
            hash: merged.hash,
            blue_work: blue_work_bytes(records.header(&merged.hash)?.header.blue_work),
            payload: records.body(&merged.hash)?.coinbase()?.payload.clone(),
        })
    });
    told.collect()
}

fn applied<S: Store>(
    chain: &Chain<S>,
    record: &AcceptanceRecord,
) -> Result<Vec<AppliedPayment>, SvcError> {
    let told = record.applied.iter().map(|carried| {
        let Carried { txid, block } = *carried;
        let body = chain.records.body(&block)?;
        let place = body.txids().iter().position(|id| *id == txid);
        let transaction = place
            .and_then(|place| body.get(place))
            .ok_or_else(corrupt)?;
        let carrier = chain.records.header(&block)?;
        let format = chain.rules.bundle_format(carrier.header.daa_score);
        let bundle = stored("bodies", Bundle::decode(&transaction.payload, format))?;
        let commitments = bundle.commitments();
        Ok(AppliedPayment {
            txid,
            block,
            commitments,
        })
    });
    told.collect()
}

fn dropped(record: &AcceptanceRecord) -> Vec<DroppedPayment> {
    let told = record.dropped.iter().map(|dropped| DroppedPayment {
        txid: dropped.carried.txid,
        block: dropped.carried.block,
        reason: dropped.reason.clone(),
    });
    told.collect()
}

/// The lanes of a chain block; `None` where what is stored does not tell all of them: the state of lanes is kept for the
/// tip alone, and of a block only what it changed.
fn lanes_of<S: Store>(
    chain: &Chain<S>,
    hash: &Hash32,
    index: u64,
    accepted: &[AcceptedTransaction],
) -> Result<Option<LanesProof>, SvcError> {
    let Chain { rules, records } = chain;
    let header = records.header(hash)?;
    let blue_score = header.header.blue_score;
    let oldest = blue_score.saturating_sub(rules.profile.finality_depth);
    let lanes: BTreeSet<[u8; 20]> = accepted.iter().map(|one| one.lane).collect();
    let touched: BTreeSet<Hash32> = lanes.iter().map(seq_commit::lane_key).collect();
    let diff = lane_diff(records, hash)?;
    let extended = diff.0.iter().filter_map(|(key, change)| {
        let before = change.before.filter(|lane| lane.blue_score >= oldest)?;
        touched.contains(key).then(|| told(*key, before))
    });
    let extended = extended.collect();
    let mut live = Live {
        root: records.chain_state(hash)?.lanes_root,
        touched: diff
            .0
            .iter()
            .filter_map(|(key, change)| Some((*key, leaf_of(change.after?))))
            .collect(),
        untouched: BTreeMap::new(),
    };
    let is_whole = live.is_whole()
        || live.add_current(records, blue_score)?
        || live.add_from_above(records, index, blue_score)?;
    let untouched = live.untouched.into_iter();
    Ok(is_whole.then(|| LanesProof {
        extended,
        untouched: untouched.map(|(key, lane)| told(key, lane)).collect(),
    }))
}

fn told(key: Hash32, LaneTip { tip, blue_score }: LaneTip) -> ClaimedLane {
    ClaimedLane {
        key,
        tip,
        blue_score,
    }
}

fn leaf_of(lane: LaneTip) -> Hash32 {
    seq_commit::active_leaf(&lane.tip, lane.blue_score)
}

/// Lanes that lived after a block, as far as they are found.
struct Live {
    root: Hash32,
    touched: BTreeMap<Hash32, Hash32>,
    untouched: BTreeMap<Hash32, LaneTip>,
}

impl Live {
    /// Whether they make the root.
    fn is_whole(&self) -> bool {
        let untouched = self.untouched.iter();
        let untouched = untouched.map(|(key, lane)| (*key, leaf_of(*lane)));
        let touched = self.touched.iter().map(|(key, leaf)| (*key, *leaf));
        let lanes: Vec<(Hash32, Hash32)> = touched.chain(untouched).collect();
        seq_commit::lanes_root(&lanes) == self.root
    }

    /// Adds those that live now and have not been touched since.
    fn add_current<S: Store>(
        &mut self,
        records: &Records<S>,
        blue_score: u64,
    ) -> Result<bool, SvcError> {
        let rows = records.overlay.range(KeyRange {
            table: tables::LANES,
            from: &[],
            to: &[0xff; 33],
            limit: MAX_TOLD_LANES,
            reverse: false,
        })?;
        for (key, bytes) in &rows {
            let lane = stored("lanes", LaneTip::decode(bytes))?;
            let key: Option<[u8; 32]> = key.as_slice().try_into().ok();
            let key = Hash32(key.ok_or_else(corrupt)?);
            if lane.blue_score <= blue_score && !self.touched.contains_key(&key) {
                self.untouched.insert(key, lane);
            }
        }
        Ok(rows.len() < MAX_TOLD_LANES && self.is_whole())
    }

    /// Adds what the blocks above found when they touched a lane first.
    fn add_from_above<S: Store>(
        &mut self,
        records: &Records<S>,
        index: u64,
        blue_score: u64,
    ) -> Result<bool, SvcError> {
        let mut seen: BTreeSet<Hash32> = self.touched.keys().copied().collect();
        for above in index + 1..=index.saturating_add(MAX_LANE_WALK) {
            let Some(block) = records.chain_at(above)? else {
                return Ok(false);
            };
            let known = self.untouched.len();
            for (key, change) in &lane_diff(records, &block)?.0 {
                let before = change.before.filter(|lane| lane.blue_score <= blue_score);
                if seen.insert(*key)
                    && let Some(lane) = before
                {
                    self.untouched.insert(*key, lane);
                }
            }
            if self.untouched.len() > MAX_TOLD_LANES {
                return Ok(false);
            }
            if self.untouched.len() > known && self.is_whole() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
