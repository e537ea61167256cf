//! State transition of the shielded pool by a chain block: coinbase notes first, then the applied transactions, then
//! the turnstile (specification shielded 7, 10, 11.2).

use svc_chain::header::Header;
use svc_chain::muhash::MuHash;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::scan_record::MintedNote;
use svc_shielded::anchor_log::{LogEntry, LogPersonals};
use svc_shielded::coinbase_note;

use crate::parameters::Parameters;
use crate::records::chain_evidence::ChainEvidence;
use crate::records::chain_state::ChainState;
use crate::rules::acceptance::Acceptance;
use crate::rules::coinbase::BuiltCoinbase;
use crate::rules::sequencing::Sequencing;

/// The new state and the notes its coinbase minted.
pub struct Transition {
    /// State after the block.
    pub state: ChainState,
    /// Coinbase notes in output order.
    pub minted: Vec<MintedNote>,
    /// The record of the block for evidence.
    pub evidence: ChainEvidence,
}

/// Effects of a block, which are applied on top of the parent's state.
pub struct Effects<'a> {
    /// Header of the block.
    pub header: &'a Header,
    /// Its hash.
    pub hash: Hash32,
    /// Its own coinbase, already compared with the rebuilt one.
    pub coinbase: &'a Transaction,
    /// Id of that coinbase.
    pub coinbase_txid: Hash32,
    /// The accepted mergeset.
    pub acceptance: &'a Acceptance,
    /// Balances left by the coinbase.
    pub built: &'a BuiltCoinbase,
    /// Lanes and shortcut.
    pub sequencing: &'a Sequencing,
}

/// Computes the state after a block. Errors: `virtual/supply-mismatch`, `shielded/tree-full`,
/// `shielded/bad-recipient`.
pub fn advance(
    rules: &Parameters,
    parent: &ChainState,
    parent_hash: &Hash32,
    effects: Effects<'_>,
) -> Result<Transition, SvcError> {
    let mut state = parent.clone();
    let minted = mint(rules, &effects)?;
    let mut leaves: Vec<Hash32> = minted.iter().map(|note| note.cmx).collect();
    for applied in &effects.acceptance.applied {
        leaves.extend(applied.bundle.actions.iter().map(|action| action.cmx));
    }
    if !leaves.is_empty() {
        state.frontier.append_all(&leaves)?;
        state.tree_root = state.frontier.root();
    }
    add_nullifiers(&mut state, &effects.acceptance.nullifiers);
    settle_supply(&mut state, parent, &effects)?;
    state.dev_accrued = effects.built.dev_accrued;
    state.slot = effects.built.slot.clone();
    state.lanes_root = effects.sequencing.lanes.tree.root;
    state.shortcut = effects.sequencing.shortcut;
    let mut log_nodes = Vec::new();
    if rules.fork_active(effects.header.daa_score) {
        let entry = LogEntry {
            block: effects.hash,
            parent: *parent_hash,
            tree_root: state.tree_root,
            blue_score: effects.header.blue_score,
        };
        log_nodes = state
            .anchor_log
            .append(&LogPersonals::of(&rules.profile), &entry);
    }
    let evidence = ChainEvidence {
        sequencing: effects.sequencing.state,
        parent_path: effects.sequencing.parent_path.clone(),
        tree_root: state.tree_root,
        log_nodes,
    };
    Ok(Transition {
        state,
        minted,
        evidence,
    })
}

fn mint(rules: &Parameters, effects: &Effects<'_>) -> Result<Vec<MintedNote>, SvcError> {
    let txid = effects.coinbase_txid;
    let outputs = effects.coinbase.outputs.iter().enumerate();
    let mintings = outputs
        .map(|(index, output)| {
            let bytes = output
                .script
                .get(..43)
                .and_then(|bytes| <[u8; 43]>::try_from(bytes).ok());
            let recipient = bytes.ok_or_else(|| SvcError::new(Code::ShieldedBadRecipient))?;
            let source = coinbase_note::Source {
                block: effects.hash,
                txid,
                daa_score: effects.header.daa_score,
                index: index as u32,
            };
            Ok(coinbase_note::Minting {
                source,
                recipient,
                value: output.value,
            })
        })
        .collect::<Result<Vec<_>, SvcError>>()?;
    let notes = coinbase_note::derive_all(&rules.profile, &mintings)?;
    let minted = mintings
        .iter()
        .zip(notes)
        .map(|(minting, note)| MintedNote {
            recipient: minting.recipient,
            value: minting.value,
            cmx: note.cmx,
        });
    Ok(minted.collect())
}

fn add_nullifiers(state: &mut ChainState, nullifiers: &[Hash32]) {
    if nullifiers.is_empty() {
        return;
    }
    let accumulator = state.nullifiers.get_or_insert_with(MuHash::new);
    for nullifier in nullifiers {
        accumulator.add(nullifier.as_bytes());
    }
    state.nullifier_count += nullifiers.len() as u64;
}

/// Totals, the pool's lower bound, and the exact growth rule: halt rather than inflate.
fn settle_supply(
    state: &mut ChainState,
    parent: &ChainState,
    effects: &Effects<'_>,
) -> Result<(), SvcError> {
    let minted: u128 = effects
        .coinbase
        .outputs
        .iter()
        .map(|output| u128::from(output.value))
        .sum();
    let mut fees: u128 = 0;
    for applied in &effects.acceptance.applied {
        fees += u128::from(applied.bundle.fee()?);
    }
    state.cumulative_coinbase = parent.cumulative_coinbase + minted;
    state.cumulative_fees = parent.cumulative_fees + fees;
    if state.cumulative_fees > state.cumulative_coinbase {
        return Err(SvcError::new(Code::VirtualSupplyMismatch)
            .with("expected", "a pool of at least 0")
            .with("found", "less"));
    }
    let delta =
        i128::try_from(minted).unwrap_or(i128::MAX) - i128::try_from(fees).unwrap_or(i128::MAX);
    if delta != effects.built.expected_delta {
        let error = SvcError::new(Code::VirtualSupplyMismatch);
        return Err(error
            .with("expected", effects.built.expected_delta)
            .with("found", delta));
    }
    Ok(())
}
