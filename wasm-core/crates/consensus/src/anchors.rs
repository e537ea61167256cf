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
use crate::store::{KeyRange, Store};
use crate::tables;

/// Depth of the note commitment tree.
const TREE_DEPTH: u8 = 32;

/// Who asks: the chain block that would merge the spend.
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    /// Its selected parent.
    pub selected_parent: Hash32,
    /// Its blue score, which an anchor's lower age bound is measured from.
    pub blue_score: u64,
    /// Blue score that the upper bound is measured from: the same for a chain block, the lowest at which the
    /// spend can be merged for a candidate.
    pub last_blue_score: u64,
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
    let Some(produced) = state.tree_root_of(block)? else {
        return Err(SvcError::new(Code::TxAnchorNotFinal).with("anchor", root));
    };
    if produced != *root {
        let error = SvcError::new(Code::TxAnchorBlockMismatch);
        return Err(error.with("anchor", root).with("block", block));
    }
    judge_source(rules, state, judge, block)
}

/// Before multi-producer anchors one block counts for a root: of its producers on the judge's own chain the
/// highest. What other branches produced has no part in it, so the answer does not depend on the order in which
/// a node saw them.
fn check_latest<S: Store>(
    rules: &ChainRules,
    state: &State<S>,
    judge: &Judge,
    root: &Hash32,
) -> Result<(), SvcError> {
    let mut latest = None;
    for producer in state.anchor_producers(root, MAX_ANCHOR_PRODUCERS)? {
        if is_on_chain(state, judge, &producer)? {
            let produced_at = state.header(&producer)?.header.blue_score;
            latest = latest.max(Some((produced_at, producer)));
        }
    }
    match latest {
        None => Err(SvcError::new(Code::TxAnchorNotFinal).with("anchor", root)),
        Some((_, producer)) => judge_source(rules, state, judge, &producer),
    }
}

/// Whether `source` is the judge's selected parent or a chain ancestor of it. A block that was pruned is not:
/// the age window ends above every pruning point, so nothing that may be spent against is missing.
fn is_on_chain<S: Store>(
    state: &State<S>,
    judge: &Judge,
    source: &Hash32,
) -> Result<bool, SvcError> {
    Ok(
        state.has_reachability(source)?
            && is_chain_ancestor(state, source, &judge.selected_parent)?,
    )
}

/// Final iff `source` is on the judge's chain and its age is within the window, both ends inclusive.
fn judge_source<S: Store>(
    rules: &ChainRules,
    state: &State<S>,
    judge: &Judge,
    source: &Hash32,
) -> Result<(), SvcError> {
    if !is_on_chain(state, judge, source)? {
        return Err(SvcError::new(Code::TxAnchorNotFinal).with("anchor", source));
    }
    let produced_at = state.header(source)?.header.blue_score;
    if judge.blue_score.saturating_sub(produced_at) < rules.profile.shielded_anchor_depth {
        return Err(SvcError::new(Code::TxAnchorNotFinal).with("anchor", source));
    }
    let last_age = judge.last_blue_score.saturating_sub(produced_at);
    if last_age > rules.profile.max_shielded_anchor_age {
        return Err(SvcError::new(Code::TxAnchorTooOld).with("anchor", source));
    }
    Ok(())
}

impl<S: Store> State<S> {
    /// All chain blocks that ever produced a tree root, ascending by hash, at most `limit`.
    pub fn anchor_producers(&self, root: &Hash32, limit: usize) -> Result<Vec<Hash32>, SvcError> {
        let from = [root.as_bytes().as_slice(), &[0; 32]].concat();
        let to = [root.as_bytes().as_slice(), &[0xff; 33]].concat();
        let range = KeyRange {
            table: tables::ANCHOR_PRODUCERS,
            from: &from,
            to: &to,
            limit,
            reverse: false,
        };
        self.overlay
            .range(range)?
            .into_iter()
            .map(|(key, _)| Reader::new(&key[32..]).hash())
            .collect()
    }
}
