//! Anchor validity: when an anchor may be spent against (specification consensus 11, shielded 8). Fails closed: what
//! is not known to be final is not final; a store error aborts.

use svc_chain::profile::active;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_ANCHOR_PRODUCERS;
use svc_codec::reader::Reader;
use svc_dag::reachability::is_chain_ancestor;
use svc_dag::store::DagStore;
use svc_shielded::frontier::empty_root;

use crate::parameters::Parameters;
use crate::records::Records;
use crate::records::chain::Chain;
use crate::store::tables;
use crate::store::{KeyRange, Store};

/// Depth of the note commitment tree.
const TREE_DEPTH: u8 = 32;

/// The block from whose view an anchor is judged: the chain block that would merge the spend.
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
/// `tx/anchor-block-mismatch`, `engine/overflow` and the store's own, which are none of the spend.
pub fn check_anchor<S: Store>(
    chain: &Chain<S>,
    judge: &Judge,
    anchor: &NamedAnchor,
) -> Result<(), SvcError> {
    let rules = &chain.rules;
    if anchor.root == empty_root(TREE_DEPTH) {
        return Ok(());
    }
    if let Some(block) = anchor.block {
        return check_named(chain, judge, &anchor.root, &block);
    }
    if !active(
        rules.profile.activations.multi_producer_anchors,
        judge.daa_score,
    ) {
        return check_latest(chain, judge, &anchor.root);
    }
    let mut verdict = Err(SvcError::new(Code::TxAnchorNotFinal).with("anchor", anchor.root));
    let lowest = reach(rules, judge);
    for producer in chain.records.anchor_producers(&anchor.root)? {
        // A producer that is out of reach counts as none: its row may be gone.
        match place(&chain.records, judge, &producer)? {
            Place::At(score) => match judge_age(rules, judge, &producer, score) {
                Ok(()) => return Ok(()),
                Err(error) if score >= lowest => verdict = Err(error),
                Err(_) => {}
            },
            Place::Elsewhere | Place::Gone => {}
        }
    }
    verdict
}

/// From the security fork: the named block is final, and its own tree root is the anchor.
fn check_named<S: Store>(
    chain: &Chain<S>,
    judge: &Judge,
    root: &Hash32,
    block: &Hash32,
) -> Result<(), SvcError> {
    match place(&chain.records, judge, block)? {
        Place::At(score) => judge_age(&chain.rules, judge, block, score)?,
        Place::Gone => return Err(SvcError::new(Code::TxAnchorTooOld).with("anchor", block)),
        Place::Elsewhere => {
            return Err(SvcError::new(Code::TxAnchorNotFinal).with("anchor", root));
        }
    }
    match chain.records.tree_root_of(block)? {
        Some(produced) if produced == *root => Ok(()),
        Some(_) => {
            let error = SvcError::new(Code::TxAnchorBlockMismatch);
            Err(error.with("anchor", root).with("block", block))
        }
        None => Err(SvcError::new(Code::TxAnchorNotFinal).with("anchor", root)),
    }
}

/// Before multi-producer anchors one block counts for a root: of its producers on the judge's own chain the
/// highest. What other branches produced has no part in it, so the answer does not depend on the order in which
/// a node saw them.
fn check_latest<S: Store>(chain: &Chain<S>, judge: &Judge, root: &Hash32) -> Result<(), SvcError> {
    let mut latest = None;
    for producer in chain.records.anchor_producers(root)? {
        if let Place::At(score) = place(&chain.records, judge, &producer)? {
            latest = latest.max(Some((score, producer)));
        }
    }
    let not_final = || SvcError::new(Code::TxAnchorNotFinal).with("anchor", root);
    let (score, producer) = latest.ok_or_else(not_final)?;
    let verdict = judge_age(&chain.rules, judge, &producer, score);
    if verdict.is_err() && score < reach(&chain.rules, judge) {
        return Err(not_final());
    }
    verdict
}

/// The lowest blue score at which every node that may judge this block still has all producers: its sink is less than
/// F + k + 1 above the block, and its pruning point at least P below the sink. The pruning point itself has no part in a
/// verdict: nodes move it at different moments.
fn reach(rules: &Parameters, judge: &Judge) -> u64 {
    let profile = &rules.profile;
    let ahead = profile.finality_depth + u64::from(profile.ghostdag_k) + 1;
    let depth = profile.pruning_depth.saturating_sub(ahead);
    judge.blue_score.saturating_sub(depth)
}

/// Where a block stands that produced an anchor.
enum Place {
    /// It is the judge's selected parent or a chain ancestor of it, with this blue score.
    At(u64),
    /// It is not, or not known at all.
    Elsewhere,
    /// It was pruned from the chain and no spend can reach it any more.
    Gone,
}

/// The chain below the pruning point is that of every judge. The age window of a node that pruned by itself ends above
/// its pruning point; one that began at its pruning point has entries for the blocks below.
fn place<S: Store>(
    records: &Records<S>,
    judge: &Judge,
    source: &Hash32,
) -> Result<Place, SvcError> {
    if records.has_reachability(source)? {
        return Ok(
            match is_chain_ancestor(records, source, &judge.selected_parent)? {
                true => Place::At(records.header(source)?.header.blue_score),
                false => Place::Elsewhere,
            },
        );
    }
    if let Some(entry) = records.anchor_entry(source)? {
        return Ok(Place::At(entry.blue_score));
    }
    Ok(match records.chain_index(source)? {
        Some(_) => Place::Gone,
        None => Place::Elsewhere,
    })
}

/// The age of a source must be within the window, both ends inclusive.
fn judge_age(
    rules: &Parameters,
    judge: &Judge,
    source: &Hash32,
    produced_at: u64,
) -> Result<(), SvcError> {
    if judge.blue_score.saturating_sub(produced_at) < rules.profile.shielded_anchor_depth {
        return Err(SvcError::new(Code::TxAnchorNotFinal).with("anchor", source));
    }
    let last_age = judge.last_blue_score.saturating_sub(produced_at);
    if last_age > rules.profile.max_shielded_anchor_age {
        return Err(SvcError::new(Code::TxAnchorTooOld).with("anchor", source));
    }
    Ok(())
}

impl<S: Store> Records<S> {
    /// All chain blocks that ever produced a tree root, ascending by hash.
    ///
    /// # Errors
    /// `engine/overflow` for more than [`MAX_ANCHOR_PRODUCERS`]: which of them this node knows depends on what it has seen,
    /// so a verdict by some of them could be another than that of other nodes. `store/*`.
    pub fn anchor_producers(&self, root: &Hash32) -> Result<Vec<Hash32>, SvcError> {
        let from = [root.as_bytes().as_slice(), &[0; 32]].concat();
        let to = [root.as_bytes().as_slice(), &[0xff; 33]].concat();
        let range = KeyRange {
            table: tables::ANCHOR_PRODUCERS,
            from: &from,
            to: &to,
            limit: MAX_ANCHOR_PRODUCERS + 1,
            reverse: false,
        };
        let rows = self.overlay.range(range)?;
        if rows.len() > MAX_ANCHOR_PRODUCERS {
            let error = SvcError::new(Code::EngineOverflow);
            return Err(error.with("what", "producers of one anchor"));
        }
        rows.into_iter()
            .map(|(key, _)| Reader::new(key.get(32..).unwrap_or_default()).hash())
            .collect()
    }
}
