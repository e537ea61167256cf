//! Evidence of a payment: the path from its bytes to the header of the chain block that accepted it (docs/light-client.md).

use svc_chain::header::Header;
use svc_chain::seq_commit;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::store::DagStore;
use svc_evidence::payload::PayloadOpening;

use crate::checks::acceptance_proof::AcceptanceProof;
use crate::checks::sequencing_check::{activity_of, live_lanes, payload_leaves, tip_before};
use crate::questions::told_proofs::acceptance_proof;
use crate::records::chain::Chain;
use crate::store::Store;

/// The payment at a place among those that a chain block applied, in the order of its scan record, and what binds it to the block's
/// header.
///
/// # Errors
/// `chain/unknown-block` for a block that is not on the selected chain or has no such payment, `chain/pruned`, also where a lane of
/// the block is no longer known.
pub fn payload<S: Store>(
    chain: &Chain<S>,
    block: &Hash32,
    place: usize,
) -> Result<Vec<u8>, SvcError> {
    let records = &chain.records;
    let proof = acceptance_proof(chain, block)?;
    let fault = |code| SvcError::new(code).with("hash", block);
    let carried = proof.applied.get(place);
    let carried = carried.ok_or_else(|| fault(Code::ChainUnknownBlock))?;
    let body = records.body(&carried.block)?;
    let found = body.txids().iter().position(|id| *id == carried.txid);
    let transaction = found.and_then(|found| body.get(found));
    let header = records.header(block)?.header.clone();
    let parent = records.header(&proof.selected_parent)?;
    let told = transaction.and_then(|transaction| {
        let bare = Transaction {
            storage_mass: 0,
            ..transaction.clone()
        };
        opened(&proof, header, &parent.header, (carried.txid, bare))
    });
    let told = told.ok_or_else(|| fault(Code::ChainPruned))?;
    Ok(told.encode())
}

/// The path of an accepted transaction; `None` where the lanes of the block are not known.
fn opened(
    proof: &AcceptanceProof,
    header: Header,
    parent: &Header,
    (txid, transaction): (Hash32, Transaction),
) -> Option<PayloadOpening> {
    let lanes = proof.lanes.as_ref()?;
    let lane = transaction.subnetwork_id;
    let key = seq_commit::lane_key(&lane);
    let index = proof.accepted.iter().position(|one| one.txid == txid)?;
    let before = proof.accepted.iter().take(index);
    let place = before.filter(|one| one.lane == lane).count();
    let mut others = live_lanes(proof, lanes, &header, parent);
    others.retain(|(other, _)| *other != key);
    others.sort_unstable();
    Some(PayloadOpening {
        parent: parent.accepted_id_merkle_root,
        shortcut: proof.shortcut,
        context: seq_commit::mergeset_context(
            parent.timestamp_ms,
            header.daa_score,
            header.blue_score,
        ),
        payload_root: seq_commit::payload_root(&payload_leaves(proof)?),
        lanes: others,
        lane_tip: tip_before(lanes, &key, parent),
        index: u32::try_from(index).ok()?,
        place: u32::try_from(place).ok()?,
        path: seq_commit::lane_branch(activity_of(proof).get(&lane)?, place),
        header: (header, None),
        transaction,
    })
}
