//! Check of a transaction's acceptance: that a block carries it, that a chain block accepted it, and whether that moved
//! value (specification consensus 12, shielded 11.1 and 12).
//!
//! The header of the chain block commits to what was merged and accepted, dropped payments among it. What was applied is
//! committed by the note tree: its root is part of the state root in the coinbase of the next chain block, and the tree
//! grows by the notes of the block's own coinbase and of the applied payments, by nothing else.

use svc_chain::block::{Block, WitnessedBlock};
use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_shielded::bundle::Bundle;
use svc_shielded::coinbase_note::{Minting, Source, derive_all};
use svc_shielded::frontier::empty_root;

use crate::checks::acceptance_proof::{AcceptanceProof, TransactionClaim};
use crate::checks::block_check::sound_block;
use crate::checks::sequencing_check::commitment_of;
use crate::checks::steps::{Step, Steps};
use crate::parameters::Parameters;

/// What a node showed of a transaction.
pub struct AcceptanceClaim<'a> {
    /// What is said of it.
    pub transaction: &'a TransactionClaim,
    /// What is said of the chain block that accepted it.
    pub proof: &'a AcceptanceProof,
}

/// Bytes of the blocks that the claim names.
pub struct AcceptanceBlocks<'a> {
    /// The block that carries the transaction.
    pub carrier: &'a [u8],
    /// The chain block that accepted it.
    pub accepting: &'a [u8],
    /// The selected parent of that block.
    pub parent: &'a [u8],
    /// The chain block above it; none at the tip.
    pub child: Option<&'a [u8]>,
}

/// The blocks, each sound by itself.
struct Blocks {
    carrier: Block,
    accepting: Block,
    parent: Block,
    child: Option<Block>,
}

/// Checks a claim. The last steps name what stays the node's word.
pub fn check_acceptance(
    rules: &Parameters,
    claim: &AcceptanceClaim<'_>,
    bytes: &AcceptanceBlocks<'_>,
) -> Vec<Step> {
    let mut steps = Steps::about("carrier");
    if let Some(blocks) = sound_blocks(rules, claim, bytes, &mut steps) {
        steps.turn_to("carrier");
        carried_step(claim, &blocks.carrier, &mut steps);
        steps.turn_to("accepting");
        accepted_steps(claim, &blocks, &mut steps);
        let has_grown = state_steps(rules, claim, &blocks, &mut steps);
        steps.turn_to("transaction");
        outcome_step(rules, claim, &blocks, has_grown, &mut steps);
    }
    steps.turn_to("accepting");
    steps.not_provable("chain", "onlyTheChain");
    steps.turn_to("transaction");
    steps.not_provable("proof", "notVerifiedHere");
    steps.into_list()
}

fn sound_blocks(
    rules: &Parameters,
    claim: &AcceptanceClaim<'_>,
    bytes: &AcceptanceBlocks<'_>,
    steps: &mut Steps,
) -> Option<Blocks> {
    let proof = claim.proof;
    let mut sound = |subject, hash: &Hash32, bytes: &[u8]| {
        steps.turn_to(subject);
        let found = sound_block(rules, hash, bytes, steps);
        found.map(|(WitnessedBlock { block, .. }, _)| block)
    };
    let carrier = sound("carrier", &claim.transaction.carrier, bytes.carrier)?;
    let accepting = sound("accepting", &proof.block, bytes.accepting)?;
    let parent = sound("parent", &proof.selected_parent, bytes.parent)?;
    let child = match (&proof.child, bytes.child) {
        (Some(hash), Some(bytes)) => Some(sound("child", hash, bytes)?),
        _ => None,
    };
    Some(Blocks {
        carrier,
        accepting,
        parent,
        child,
    })
}

fn carried_step(claim: &AcceptanceClaim<'_>, carrier: &Block, steps: &mut Steps) {
    let carried = carried(claim, carrier);
    match carried {
        Some(_) => steps.ok("carried", claim.transaction.txid),
        None => steps.differs("carried", claim.transaction.txid, "no such transaction"),
    }
}

fn carried<'a>(claim: &AcceptanceClaim<'_>, carrier: &'a Block) -> Option<&'a Transaction> {
    let mut listed = carrier.transactions.iter();
    listed.find(|transaction| transaction.id() == claim.transaction.txid)
}

/// The link to the selected parent, the sequencing commitment, and the transaction's place under it.
fn accepted_steps(claim: &AcceptanceClaim<'_>, blocks: &Blocks, steps: &mut Steps) {
    let AcceptanceClaim { proof, .. } = claim;
    let header = &blocks.accepting.header;
    let first = header.direct_parents().first().copied();
    steps.same("parent", &proof.selected_parent, &first.unwrap_or_default());
    let Some(lanes) = &proof.lanes else {
        steps.not_provable("sequencing", "lanesUnknown");
        steps.not_provable("accepted", "lanesUnknown");
        return;
    };
    let found = commitment_of(proof, lanes, header, &blocks.parent.header);
    steps.same(
        "sequencing",
        &header.accepted_id_merkle_root,
        &found.unwrap_or_default(),
    );
    // A block mints what its own coinbase says; the acceptance is of the blocks below.
    if own_coinbase(claim, blocks) {
        return;
    }
    // The commitment names transactions and merged blocks, not which carries which: that its block shows.
    let TransactionClaim { txid, carrier, .. } = claim.transaction;
    if !proof.merged.iter().any(|one| one.hash == *carrier) {
        steps.differs("accepted", carrier, "not among the merged blocks");
    } else if proof.accepted.iter().any(|one| one.txid == *txid) {
        steps.ok("accepted", txid);
    } else {
        steps.differs("accepted", txid, "not among the accepted");
    }
}

fn own_coinbase(claim: &AcceptanceClaim<'_>, blocks: &Blocks) -> bool {
    let coinbase = blocks.accepting.transactions.first();
    coinbase.is_some_and(|coinbase| coinbase.id() == claim.transaction.txid)
}

/// The states before and after, each in a coinbase, and the growth of the note tree between them. Whether the growth is
/// proven.
fn state_steps(
    rules: &Parameters,
    claim: &AcceptanceClaim<'_>,
    blocks: &Blocks,
    steps: &mut Steps,
) -> bool {
    let AcceptanceClaim { proof, .. } = claim;
    let (parent, accepting) = (&blocks.parent.header, &blocks.accepting.header);
    let before = proof.before.root(&rules.profile, parent.daa_score);
    let is_before = steps.same("stateBefore", &state_root_in(&blocks.accepting), &before);
    let Some(child) = &blocks.child else {
        steps.not_provable("stateAfter", "noBlockAbove");
        steps.not_provable("treeGrowth", "noBlockAbove");
        return false;
    };
    let first = child.header.direct_parents().first().copied();
    let is_child = steps.same("child", &proof.block, &first.unwrap_or_default());
    let after = proof.after.root(&rules.profile, accepting.daa_score);
    let is_after = steps.same("stateAfter", &state_root_in(child), &after);
    let minted = minted(&blocks.accepting);
    let grown = proof.before.cumulative_coinbase.checked_add(minted);
    let is_minted = steps.same(
        "minted",
        &grown.unwrap_or(u128::MAX),
        &proof.after.cumulative_coinbase,
    );
    let found = match tree_after(rules, claim, blocks) {
        Ok(root) => root,
        Err(error) => {
            steps.differs("treeGrowth", proof.after.tree_root, error.code.as_str());
            return false;
        }
    };
    let is_grown = steps.same("treeGrowth", &proof.after.tree_root, &found);
    is_before && is_child && is_after && is_minted && is_grown
}

/// The state root that a block's coinbase carries; zero where it carries none.
pub(crate) fn state_root_in(block: &Block) -> Hash32 {
    let coinbase = block.transactions.first().filter(|one| one.is_coinbase());
    let payload = coinbase.and_then(|one| CoinbasePayload::decode(&one.payload).ok());
    payload
        .map(|payload| payload.state_root)
        .unwrap_or_default()
}

fn minted(block: &Block) -> u128 {
    let coinbase = block.transactions.first();
    let outputs = coinbase.map(|coinbase| coinbase.outputs.as_slice());
    let outputs = outputs.unwrap_or_default().iter();
    outputs.map(|output| u128::from(output.value)).sum()
}

/// Root of the note tree before the block with its coinbase notes and the applied payments' commitments appended. Errors:
/// `shielded/*`, `codec/not-canonical`; `shielded/bad-frontier` too for a tree that is not the one before.
fn tree_after(
    rules: &Parameters,
    claim: &AcceptanceClaim<'_>,
    blocks: &Blocks,
) -> Result<Hash32, SvcError> {
    let AcceptanceClaim { proof, .. } = claim;
    let mut tree = proof.frontier.tree()?;
    let applied = proof.applied.iter();
    let leaves = applied.flat_map(|payment| payment.commitments.iter().copied());
    let leaves: Vec<Hash32> = coinbase_notes(rules, &blocks.accepting)?
        .into_iter()
        .chain(leaves)
        .collect();
    // An edge whose last leaf is none would hide one place more.
    let no_leaf = empty_root(0);
    let has_gap = proof.frontier.leaf == no_leaf || leaves.contains(&no_leaf);
    if has_gap || tree.root() != proof.before.tree_root {
        let reason = "it is not the tree before the block";
        return Err(SvcError::new(Code::ShieldedBadFrontier).with("reason", reason));
    }
    tree.append_all(&leaves)?;
    Ok(tree.root())
}

/// Commitments of the notes that a chain block's own coinbase mints. Errors: `shielded/bad-recipient`, `shielded/bad-note`.
fn coinbase_notes(rules: &Parameters, block: &Block) -> Result<Vec<Hash32>, SvcError> {
    let Some(coinbase) = block.transactions.first() else {
        return Ok(Vec::new());
    };
    let (hash, txid) = (block.hash(), coinbase.id());
    let mintings = coinbase.outputs.iter().zip(0u32..).map(|(output, index)| {
        let recipient = output.script.get(..43);
        let recipient = recipient.and_then(|bytes| <[u8; 43]>::try_from(bytes).ok());
        let source = Source {
            block: hash,
            txid,
            daa_score: block.header.daa_score,
            index,
        };
        Ok(Minting {
            source,
            recipient: recipient.ok_or_else(|| SvcError::new(Code::ShieldedBadRecipient))?,
            value: output.value,
        })
    });
    let mintings = mintings.collect::<Result<Vec<_>, SvcError>>()?;
    let notes = derive_all(&rules.profile, &mintings)?;
    Ok(notes.into_iter().map(|note| note.cmx).collect())
}

/// Whether the notes of the transaction are among those that the tree grew by, against what was said.
fn outcome_step(
    rules: &Parameters,
    claim: &AcceptanceClaim<'_>,
    blocks: &Blocks,
    has_grown: bool,
    steps: &mut Steps,
) {
    let said = word(claim.transaction.is_applied);
    if !has_grown {
        steps.not_provable("outcome", "stateNotShown");
        return;
    }
    let found = if own_coinbase(claim, blocks) {
        Some(true)
    } else {
        carried(claim, &blocks.carrier).and_then(|transaction| {
            let format = rules.bundle_format(blocks.carrier.header.daa_score);
            let bundle = Bundle::decode(&transaction.payload, format).ok();
            let own = bundle.filter(|_| transaction.is_shielded())?.commitments();
            let mut applied = claim.proof.applied.iter();
            Some(applied.any(|payment| payment.commitments == own))
        })
    };
    match found {
        Some(found) => {
            steps.same("outcome", &said, &word(found));
        }
        None => steps.not_provable("outcome", "noPayment"),
    }
    if found == Some(false) {
        steps.not_provable("dropReason", "nodesWord");
    }
}

fn word(is_applied: bool) -> &'static str {
    if is_applied { "applied" } else { "dropped" }
}
