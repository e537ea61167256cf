//! Facts of a block that follow from its bytes, for comparison with what a page was told.

use serde::Serialize;
use svc_chain::bits::{difficulty, target_from_bits};
use svc_chain::block::WitnessedBlock;
use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::mass::serialized_size;
use svc_chain::transaction::Transaction;
use svc_chain::witness::Witness;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_shielded::bundle::{Bundle, BundleFormat};

use crate::checks::block_check::WorkKind;
use crate::parameters::Parameters;

/// A block as its bytes say it is. 64-bit numbers are decimal text, work and targets hexadecimal.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockFacts {
    hash: Hash32,
    version: u16,
    parents: Vec<Vec<Hash32>>,
    hash_merkle_root: Hash32,
    accepted_id_merkle_root: Hash32,
    utxo_commitment: Hash32,
    timestamp: String,
    bits: u32,
    nonce: String,
    daa_score: String,
    blue_score: String,
    blue_work: String,
    pruning_point: Hash32,
    work: &'static str,
    target: String,
    difficulty: f64,
    /// Id of the parent network's block that carries the work.
    parent_block: Option<Hash32>,
    /// What the coinbase says of its miner.
    miner: Option<MinerFacts>,
    transactions: Vec<TransactionFacts>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MinerFacts {
    subsidy: String,
    script: String,
    extra: String,
    state_root: Hash32,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TransactionFacts {
    txid: Hash32,
    hash: Hash32,
    kind: &'static str,
    size: u64,
    outputs: Vec<OutputFacts>,
    /// None for a coinbase, and for a payment that does not decode.
    payment: Option<PaymentFacts>,
}

#[derive(Clone, Debug, Serialize)]
struct OutputFacts {
    value: String,
    script: String,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PaymentFacts {
    actions: usize,
    fee: String,
    nullifiers: Vec<Hash32>,
    commitments: Vec<Hash32>,
}

/// The facts of a block that decoded.
pub(crate) fn block_facts(
    rules: &Parameters,
    incoming: &WitnessedBlock,
    work: WorkKind,
) -> BlockFacts {
    let block = &incoming.block;
    let header = &block.header;
    let witness = incoming
        .witness
        .as_deref()
        .filter(|_| work == WorkKind::Merged);
    let parent = witness.and_then(|bytes| Witness::from_bytes(bytes).ok());
    let format = rules.bundle_format(header.daa_score);
    let listed = block.transactions.iter();
    BlockFacts {
        hash: block.hash(),
        version: header.version,
        parents: header.parents.expanded().map(<[Hash32]>::to_vec).collect(),
        hash_merkle_root: header.hash_merkle_root,
        accepted_id_merkle_root: header.accepted_id_merkle_root,
        utxo_commitment: header.utxo_commitment,
        timestamp: header.timestamp_ms.to_string(),
        bits: header.bits,
        nonce: header.nonce.to_string(),
        daa_score: header.daa_score.to_string(),
        blue_score: header.blue_score.to_string(),
        blue_work: format!("{:x}", header.blue_work),
        pruning_point: header.pruning_point,
        work: work.word(),
        target: format!("{:064x}", target_from_bits(header.bits)),
        difficulty: difficulty(header.bits),
        parent_block: parent.map(|witness| witness.parent.hash()),
        miner: block.transactions.first().and_then(miner_facts),
        transactions: listed.map(|one| transaction_facts(one, format)).collect(),
    }
}

fn miner_facts(coinbase: &Transaction) -> Option<MinerFacts> {
    let payload = CoinbasePayload::decode(&coinbase.payload).ok()?;
    Some(MinerFacts {
        subsidy: payload.subsidy.to_string(),
        script: hex::encode(&payload.script),
        extra: hex::encode(&payload.extra),
        state_root: payload.state_root,
    })
}

fn transaction_facts(transaction: &Transaction, format: BundleFormat) -> TransactionFacts {
    let is_coinbase = transaction.is_coinbase();
    let outputs = transaction.outputs.iter().map(|output| OutputFacts {
        value: output.value.to_string(),
        script: hex::encode(&output.script),
    });
    TransactionFacts {
        txid: transaction.id(),
        hash: transaction.hash(),
        kind: if is_coinbase { "coinbase" } else { "payment" },
        size: serialized_size(transaction),
        outputs: outputs.collect(),
        payment: payment_facts(transaction, format),
    }
}

fn payment_facts(transaction: &Transaction, format: BundleFormat) -> Option<PaymentFacts> {
    if !transaction.is_shielded() {
        return None;
    }
    let bundle = Bundle::decode(&transaction.payload, format).ok()?;
    let actions = bundle.actions.iter();
    Some(PaymentFacts {
        actions: bundle.actions.len(),
        fee: bundle.fee().ok()?.to_string(),
        nullifiers: bundle.nullifiers(),
        commitments: actions.map(|action| action.cmx).collect(),
    })
}
