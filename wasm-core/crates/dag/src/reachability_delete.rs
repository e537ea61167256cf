//! Deletion from the reachability index (specification consensus 7.2). Every answer about two of the blocks that stay
//! is the same as before.
//!
//! In the tree the children of the block become children of its parent and take over its interval. In the lists of
//! `future_covering` they take its place too: what merged an older block through the deleted one now does so through
//! them. So a block may stand in the list of a block that is not in its mergeset. It inherited it, and the store
//! remembers that, since the list has to be found again when the heir is deleted.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::interval::Interval;
use crate::reachability::{inconsistent, interval_of, last_starting_at_or_before};
use crate::records::ReachabilityNode;
use crate::store::DagStore;

/// A store that blocks can be deleted from.
pub trait PrunableStore: DagStore {
    /// Removes a node of the reachability tree and what the block inherited.
    fn remove_reachability(&mut self, block: &Hash32);

    /// Blocks in whose `future_covering` a block stands in the place of deleted ones; empty for most blocks.
    ///
    /// # Errors
    /// `store/*`.
    fn inherited_merges(&self, block: &Hash32) -> Result<Vec<Hash32>, SvcError>;

    /// Replaces the inherited blocks.
    fn set_inherited_merges(&mut self, block: &Hash32, merged: Vec<Hash32>);
}

/// Deletes a block. `mergeset` is the one it was added with, without the selected parent; blocks of it may have been
/// deleted before. The cost grows with its children and the lists it stands in, not with the graph.
///
/// # Errors
/// `store/corrupt` for the virtual root or a tree that does not hold together, other `store/*`.
pub fn delete_block(
    store: &mut impl PrunableStore,
    block: &Hash32,
    mergeset: &[Hash32],
) -> Result<(), SvcError> {
    if *block == Hash32::ORIGIN {
        return Err(inconsistent("the virtual root stays"));
    }
    let node = store.reachability(block)?;
    let mut merged = Vec::with_capacity(mergeset.len());
    for older in merged_by(store, block, mergeset)? {
        if replace_in_covering(store, &older, (block, &node))? {
            merged.push(older);
        }
    }
    for child in &node.children {
        inherit(store, child, &merged)?;
    }
    lift_children(store, block, &node)?;
    if store.reindex_root()? == *block {
        store.set_reindex_root(node.parent);
    }
    store.remove_reachability(block);
    Ok(())
}

/// The kept blocks in whose lists a block stands.
fn merged_by(
    store: &impl PrunableStore,
    block: &Hash32,
    mergeset: &[Hash32],
) -> Result<Vec<Hash32>, SvcError> {
    let mut merged = Vec::with_capacity(mergeset.len());
    for older in store.inherited_merges(block)?.iter().chain(mergeset) {
        if store.has_reachability(older)? && !merged.contains(older) {
            merged.push(*older);
        }
    }
    Ok(merged)
}

/// The subtree of the block without itself is that of its children, so they cover the same future. Whether the block
/// stood in the list: a graph that began at a pruning point may not know how the one came into the other's past.
fn replace_in_covering(
    store: &mut impl PrunableStore,
    older: &Hash32,
    (block, node): (&Hash32, &ReachabilityNode),
) -> Result<bool, SvcError> {
    let mut changed = (*store.reachability(older)?).clone();
    let found = last_starting_at_or_before(store, &changed.future_covering, node.start)?;
    let Some((index, _)) = found.filter(|(_, last)| last == block) else {
        return Ok(false);
    };
    let children = node.children.iter().copied();
    changed
        .future_covering
        .splice(index..=index, children)
        .for_each(drop);
    store.set_reachability(*older, changed);
    Ok(true)
}

fn inherit(
    store: &mut impl PrunableStore,
    child: &Hash32,
    merged: &[Hash32],
) -> Result<(), SvcError> {
    if merged.is_empty() {
        return Ok(());
    }
    let mut all = Vec::with_capacity(merged.len());
    for older in store.inherited_merges(child)?.iter().chain(merged) {
        if store.has_reachability(older)? {
            all.push(*older);
        }
    }
    store.set_inherited_merges(child, all);
    Ok(())
}

/// Children take the block's place in its parent; the outer ones take the numbers it kept free.
fn lift_children(
    store: &mut impl PrunableStore,
    block: &Hash32,
    node: &ReachabilityNode,
) -> Result<(), SvcError> {
    let last = node.children.len().saturating_sub(1);
    for (index, child) in node.children.iter().enumerate() {
        let mut interval = interval_of(store, child)?;
        if index == 0 {
            interval.start = node.start;
        }
        if index == last {
            interval.end = node.end;
        }
        let Interval { start, end } = interval;
        let lifted = ReachabilityNode {
            parent: node.parent,
            start,
            end,
            ..(*store.reachability(child)?).clone()
        };
        store.set_reachability(*child, lifted);
    }
    let mut parent = (*store.reachability(&node.parent)?).clone();
    let Some(index) = parent.children.iter().position(|child| child == block) else {
        let error = format!("{block} is not a child of {}", node.parent);
        return Err(inconsistent(error));
    };
    parent
        .children
        .splice(index..=index, node.children.iter().copied())
        .for_each(drop);
    store.set_reachability(node.parent, parent);
    Ok(())
}
