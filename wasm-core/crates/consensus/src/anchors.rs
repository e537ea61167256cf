//! When an anchor may be spent against (specification consensus 11, shielded 8). Fails closed: what is not
//! known to be final is not final; a store error aborts.

use svc_chain::profile::active;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_ANCHOR_PRODUCERS;
use svc_codec::reader::Reader;
use svc_dag::reachability::is_chain_ancestor;
use svc_dag::store::DagStore;
use svc_shielded::frontier::empty_root;

use crate::chain_rules::ChainRules;
use crate::state::State;
use crate::store::Store;
use crate::tables;

/// Depth of the note commitment tree.
const TREE_DEPTH: u8 = 32;

/// Who asks: the chain block that would merge the spend.
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    /// Its selected parent.
    pub selected_parent: Hash32,
    /// Its blue score.
    pub blue_score: u64,
    /// Its DAA score.
    pub daa_score: u64,
}

/// An anchor as a spend names it.
#[derive(Clone, Copy, Debug)]
pub struct NamedAnchor {
    /// Tree root.
    pub root: Hash32,
    /// The block that produced it; present from the security fork of the carrying block on.
    pub block: Option<Hash32>,
}

/// Whether the anchor is final for the judge. Errors: `tx/anchor-not-final`, `tx/anchor-too-old`,
/// `tx/anchor-block-mismatch`, and the store's own.
pub fn check_anchor<S: Store>(
    rules: &ChainRules,
    state: &State<S>,
    judge: &Judge,
    anchor: &NamedAnchor,
) -> Result<(), SvcError> {
    if anchor.root == empty_root(TREE_DEPTH) {
        return Ok(());
    }
    if let Some(block) = anchor.block {
        return check_named(rules, state, judge, (&anchor.root, &block));
    }
    if !active(
        rules.profile.activations.multi_producer_anchors,
        judge.daa_score,
    ) {
        return check_latest(rules, state, judge, &anchor.root);
    }
    let mut verdict = Err(SvcError::new(Code::TxAnchorNotFinal).with("anchor", anchor.root));
    for producer in state.anchor_producers(&anchor.root, MAX_ANCHOR_PRODUCERS)? {
        match judge_source(rules, state, judge, &producer) {
            Ok(()) => return Ok(()),
            Err(error) if crate::failure::is_fatal(&error) => return Err(error),
            Err(error) => verdict = Err(error),
        }
    }
    verdict
}

/// From the security fork: the named block's own tree root is the anchor, and that block is final.
fn check_named<S: Store>(
    rules: &ChainRules,
    state: &State<S>,
    judge: &Judge,
    (root, block): (&Hash32, &Hash32),
) -> Result<(), SvcError> {
    let Some(produced) = state.find_chain_state(block)? else {
        return Err(SvcError::new(Code::TxAnchorNotFinal).with("anchor", root));
    };
    if produced.tree_root != *root {
        let error = SvcError::new(Code::TxAnchorBlockMismatch);
        return Err(error.with("anchor", root).with("block", block));
    }
    judge_source(rules, state, judge, block)
}

/// Before multi-producer anchors: only the block that produced the root last counts.
fn check_latest<S: Store>(
    rules: &ChainRules,
    state: &State<S>,
    judge: &Judge,
    root: &Hash32,
) -> Result<(), SvcError> {
    match state.overlay.get(tables::ANCHOR_LATEST, root.as_bytes())? {
        None => Err(SvcError::new(Code::TxAnchorNotFinal).with("anchor", root)),
        Some(bytes) => judge_source(rules, state, judge, &Reader::new(&bytes).hash()?),
    }
}

/// Final iff `source` is on the judge's chain and its age is within the window, both ends inclusive.
fn judge_source<S: Store>(
    rules: &ChainRules,
    state: &State<S>,
    judge: &Judge,
    source: &Hash32,
) -> Result<(), SvcError> {
    if !is_chain_ancestor(state, source, &judge.selected_parent)? {
        return Err(SvcError::new(Code::TxAnchorNotFinal).with("anchor", source));
    }
    let age = judge
        .blue_score
        .saturating_sub(state.header(source)?.header.blue_score);
    if age < rules.profile.shielded_anchor_depth {
        return Err(SvcError::new(Code::TxAnchorNotFinal).with("anchor", source));
    }
    if age > rules.profile.max_shielded_anchor_age {
        return Err(SvcError::new(Code::TxAnchorTooOld).with("anchor", source));
    }
    Ok(())
}
