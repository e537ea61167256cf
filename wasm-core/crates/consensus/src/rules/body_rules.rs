//! Body validation: what a block's transactions must satisfy before it enters the DAG (specification consensus 8.1).
//! Proofs and signatures are not checked here.

use std::collections::{BTreeMap, BTreeSet};

use svc_chain::block::Block;
use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::emission::subsidy;
use svc_chain::mass::{MAX_SOMPI, compute_mass, transient_mass};
use svc_chain::merge_commitment::commitment_in;
use svc_chain::profile::active;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_COINBASE_SCRIPT_LEN, MAX_GAS_PER_LANE, MAX_LANES_PER_BLOCK};
use svc_shielded::bundle::action_count;
use svc_shielded::keys::address::is_valid_recipient;

use crate::failure::{Failure, passing};
use crate::parameters::Parameters;
use crate::records::Records;
use crate::records::block_status::Stage;
use crate::records::chain::Chain;
use crate::rules::tx_rules::{self, Carrier, MAX_TX_VERSION};
use crate::store::Store;

/// Runs all body checks and returns the ids of the transactions. `past_median_ms` is that of the block; the parents of
/// blocks at or beside the pruning point need no bodies.
pub fn check_body<S: Store>(
    chain: &Chain<S>,
    block: &Block,
    past_median_ms: u64,
    needs_parents: bool,
) -> Result<Vec<Hash32>, Failure> {
    let Chain { rules, records } = chain;
    check_merkle_root(block)?;
    let coinbase = check_coinbase_position(block)?;
    check_coinbase_shape(rules, coinbase)?;
    for transaction in block.transactions.iter().skip(1) {
        named(transaction, tx_rules::check_isolation(rules, transaction))?;
    }
    let txids: Vec<Hash32> = block.transactions.iter().map(Transaction::id).collect();
    check_duplicates(&txids)?;
    check_outpoints(block, &txids)?;
    check_mass(rules, block)?;
    check_lanes(block)?;
    if needs_parents {
        check_parents_have_bodies(records, block)?;
    }
    check_coinbase_payload(rules, block, coinbase)?;
    let carrier = Carrier {
        daa_score: block.header.daa_score,
        past_median_ms,
    };
    for transaction in block.transactions.iter().skip(1) {
        let checked = tx_rules::check_in_carrier(rules, transaction, carrier);
        named(transaction, checked)?;
    }
    Ok(txids)
}

/// Says, beyond the fields that its code lists, which transaction of the block an error is about.
fn named(transaction: &Transaction, checked: Result<(), SvcError>) -> Result<(), SvcError> {
    checked.map_err(|error| error.with("txid", transaction.id()))
}

/// Passing: the right body may still arrive.
pub(crate) fn check_merkle_root(block: &Block) -> Result<(), Failure> {
    if block.transactions.is_empty() {
        return Err(passing(SvcError::new(Code::BodyNoTransactions)));
    }
    let root = block.merkle_root();
    if root == block.header.hash_merkle_root {
        return Ok(());
    }
    let error = SvcError::new(Code::BodyBadMerkleRoot)
        .with("found", block.header.hash_merkle_root)
        .with("expected", root);
    Err(passing(error))
}

fn check_coinbase_position(block: &Block) -> Result<&Transaction, SvcError> {
    let Some(first) = block
        .transactions
        .first()
        .filter(|transaction| transaction.is_coinbase())
    else {
        return Err(SvcError::new(Code::BodyFirstNotCoinbase));
    };
    match block
        .transactions
        .iter()
        .skip(1)
        .position(Transaction::is_coinbase)
    {
        None => Ok(first),
        Some(index) => Err(SvcError::new(Code::BodyMultipleCoinbases).with("index", index + 1)),
    }
}

fn check_coinbase_shape(rules: &Parameters, coinbase: &Transaction) -> Result<(), SvcError> {
    if !coinbase.inputs.is_empty() {
        return Err(SvcError::new(Code::CoinbaseHasInputs));
    }
    if coinbase.storage_mass != 0 {
        return Err(SvcError::new(Code::CoinbaseBadStorageMass));
    }
    // The coinbase lane takes no gas, and versions are bounded for every transaction (specification consensus
    // 9.3); the one version that belongs to the height is compared on the chain.
    if coinbase.gas != 0 {
        return Err(SvcError::new(Code::TxGasNotZero).with("gas", coinbase.gas));
    }
    if coinbase.version > MAX_TX_VERSION {
        return Err(SvcError::new(Code::TxUnsupportedVersion).with("version", coinbase.version));
    }
    let max = usize::from(rules.profile.ghostdag_k) + 4;
    if coinbase.outputs.len() > max {
        return Err(SvcError::new(Code::CoinbaseTooManyOutputs)
            .with("count", coinbase.outputs.len())
            .with("max", max));
    }
    let mut total: u64 = 0;
    for output in &coinbase.outputs {
        total = total.saturating_add(output.value);
        if output.value == 0 || total > MAX_SOMPI {
            let error = SvcError::new(Code::CodecNumberOutOfRange);
            return Err(error.with("text", output.value).with("max", MAX_SOMPI));
        }
        if output.script.len() > MAX_COINBASE_SCRIPT_LEN {
            let error = SvcError::new(Code::CoinbaseScriptTooLong);
            return Err(error
                .with("length", output.script.len())
                .with("max", MAX_COINBASE_SCRIPT_LEN));
        }
    }
    Ok(())
}

fn check_duplicates(txids: &[Hash32]) -> Result<(), SvcError> {
    let mut seen = BTreeSet::new();
    for txid in txids {
        if !seen.insert(txid) {
            return Err(SvcError::new(Code::BodyDuplicateTransaction).with("txid", txid));
        }
    }
    Ok(())
}

/// Double spends and chains of transparent transactions inside one block. Networks of version 2 only never
/// reach this with an input.
fn check_outpoints(block: &Block, txids: &[Hash32]) -> Result<(), SvcError> {
    let mut spent = BTreeSet::new();
    for transaction in &block.transactions {
        for input in &transaction.inputs {
            if !spent.insert((input.txid, input.index)) {
                let outpoint = format!("{}:{}", input.txid, input.index);
                return Err(SvcError::new(Code::BodyDoubleSpend).with("outpoint", outpoint));
            }
        }
    }
    let created: BTreeSet<&Hash32> = txids.iter().collect();
    match spent.iter().find(|(txid, _)| created.contains(txid)) {
        None => Ok(()),
        Some((txid, _)) => Err(SvcError::new(Code::BodyChainedTransaction).with("txid", txid)),
    }
}

fn check_mass(rules: &Parameters, block: &Block) -> Result<(), SvcError> {
    let limits = &rules.profile.mass_limits;
    let (mut compute, mut transient, mut storage) = (0u64, 0u64, 0u64);
    for transaction in block.transactions.iter().skip(1) {
        let actions = shielded_actions(transaction);
        compute = compute.saturating_add(compute_mass(transaction, actions));
        transient = transient.saturating_add(transient_mass(transaction));
        storage = storage.saturating_add(transaction.storage_mass);
    }
    let dimensions = [
        (Code::BodyComputeMass, compute, limits.compute),
        (Code::BodyTransientMass, transient, limits.transient),
        (Code::BodyStorageMass, storage, limits.storage),
    ];
    match dimensions.into_iter().find(|(_, got, max)| got > max) {
        None => Ok(()),
        Some((code, got, max)) => Err(SvcError::new(code).with("mass", got).with("max", max)),
    }
}

/// Action count that mass is charged on, read from the payload's header.
pub fn shielded_actions(transaction: &Transaction) -> u32 {
    if transaction.is_shielded() {
        action_count(&transaction.payload).unwrap_or(0)
    } else {
        0
    }
}

fn check_lanes(block: &Block) -> Result<(), SvcError> {
    let mut gas: BTreeMap<[u8; 20], u64> = BTreeMap::new();
    for transaction in block.transactions.iter().skip(1) {
        let lane = gas.entry(transaction.subnetwork_id).or_default();
        *lane = lane.saturating_add(transaction.gas);
    }
    if gas.len() > MAX_LANES_PER_BLOCK {
        let error = SvcError::new(Code::BodyTooManyLanes);
        return Err(error
            .with("count", gas.len())
            .with("max", MAX_LANES_PER_BLOCK));
    }
    match gas.values().find(|used| **used > MAX_GAS_PER_LANE) {
        None => Ok(()),
        Some(used) => Err(SvcError::new(Code::BodyLaneGas)
            .with("gas", used)
            .with("max", MAX_GAS_PER_LANE)),
    }
}

/// A parent known by its header only may turn out to have a body that breaks a rule: then this block is not
/// waiting for anything any more.
fn check_parents_have_bodies<S: Store>(records: &Records<S>, block: &Block) -> Result<(), Failure> {
    let mut missing = Vec::new();
    for parent in block.header.direct_parents() {
        match records.stage(parent)? {
            Some(stage) if stage.has_body() => {}
            Some(Stage::Invalid) => {
                let error = SvcError::new(Code::HeaderInvalidParent).with("parent", parent);
                return Err(passing(error));
            }
            _ => missing.push(*parent),
        }
    }
    if missing.is_empty() {
        Ok(())
    } else {
        Err(Failure::MissingParents(missing))
    }
}

/// Payload layout, blue score, subsidy, recipient, output bound and the commitment ban.
fn check_coinbase_payload(
    rules: &Parameters,
    block: &Block,
    coinbase: &Transaction,
) -> Result<(), SvcError> {
    let header = &block.header;
    let payload = CoinbasePayload::decode(&coinbase.payload)?;
    if payload.blue_score != header.blue_score {
        let error = SvcError::new(Code::CoinbaseWrongBlueScore);
        return Err(error
            .with("found", payload.blue_score)
            .with("expected", header.blue_score));
    }
    let expected = subsidy(&rules.profile, header.daa_score);
    if payload.subsidy != expected {
        return Err(SvcError::new(Code::CoinbaseWrongSubsidy)
            .with("found", payload.subsidy)
            .with("expected", expected));
    }
    if !is_valid_recipient(&payload.script) {
        let error = SvcError::new(Code::CoinbaseBadRecipient);
        return Err(error.with("reason", "not a canonical receiver of 43 bytes"));
    }
    check_output_bound(rules, header.daa_score, coinbase)?;
    let banned = active(rules.profile.activations.commitment_ban, header.daa_score);
    if banned && commitment_in(&rules.profile, &coinbase.payload) {
        return Err(SvcError::new(Code::CoinbaseCarriesCommitment));
    }
    Ok(())
}

/// Specification consensus 10.5: k + 2 before the fork where a profile asks for the reference's rule, else k + 4.
fn check_output_bound(
    rules: &Parameters,
    daa_score: u64,
    coinbase: &Transaction,
) -> Result<(), SvcError> {
    if rules.profile.output_bound_k4 || rules.fork_active(daa_score) {
        return Ok(());
    }
    let max = usize::from(rules.profile.ghostdag_k) + 2;
    if coinbase.outputs.len() > max {
        return Err(SvcError::new(Code::CoinbaseTooManyOutputs)
            .with("count", coinbase.outputs.len())
            .with("max", max));
    }
    Ok(())
}
