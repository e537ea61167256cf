//! Reachability index: whether one block is in the past of another (specification consensus 7.2).
//!
//! Blocks form a tree along selected parents. Each holds an interval inside its parent's, so "on
//! the selected chain of" is interval containment. The rest of the graph is covered by lists: every
//! block that merges another outside the tree is entered in the other's `future_covering`.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::interval::Interval;
use crate::records::ReachabilityNode;
use crate::reindex::Reindexer;
use crate::store::DagStore;

/// Numbers of the redistribution of intervals. They change cost, never an answer.
#[derive(Clone, Copy, Debug)]
pub struct ReindexParams {
    /// How many blocks the reindex root trails the selected tip.
    pub depth: u64,
    /// Numbers kept free on each side of a chain block below the reindex root.
    pub slack: u64,
}

impl ReindexParams {
    /// The numbers of specification consensus 7.2.
    pub const STANDARD: Self = Self {
        depth: 100,
        slack: 1 << 14,
    };
}

/// Makes the tree: the virtual root, and genesis as its child.
///
/// # Errors
/// `store/*`.
pub fn init(store: &mut impl DagStore, genesis: Hash32) -> Result<(), SvcError> {
    init_within(store, genesis, Interval::FULL)
}

/// [`init`] with a smaller space of numbers, which makes redistribution frequent.
///
/// # Errors
/// `store/*`, `engine/overflow` when the space cannot hold two blocks.
pub fn init_within(
    store: &mut impl DagStore,
    genesis: Hash32,
    space: Interval,
) -> Result<(), SvcError> {
    let root = ReachabilityNode {
        parent: Hash32::ZERO,
        start: space.start,
        end: space.end,
        height: 0,
        children: Vec::new(),
        future_covering: Vec::new(),
    };
    store.set_reachability(Hash32::ORIGIN, root);
    store.set_reindex_root(Hash32::ORIGIN);
    add_block(store, genesis, Hash32::ORIGIN, &[])
}

/// Adds a block whose parents were all added. `mergeset` is without the selected parent.
///
/// # Errors
/// `store/*`, `engine/overflow` when 64 bits of intervals are used up.
pub fn add_block(
    store: &mut impl DagStore,
    block: Hash32,
    selected_parent: Hash32,
    mergeset: &[Hash32],
) -> Result<(), SvcError> {
    add_to_tree(store, ReindexParams::STANDARD, block, selected_parent)?;
    add_to_future(store, block, mergeset)
}

/// [`add_block`] with other redistribution numbers.
///
/// # Errors
/// As [`add_block`].
pub fn add_block_with(
    store: &mut impl DagStore,
    params: ReindexParams,
    (block, selected_parent): (Hash32, Hash32),
    mergeset: &[Hash32],
) -> Result<(), SvcError> {
    add_to_tree(store, params, block, selected_parent)?;
    add_to_future(store, block, mergeset)
}

/// Tells the tree which block is the selected tip: the reindex root follows it, so that room is
/// where the graph grows.
///
/// # Errors
/// `store/*`, `engine/overflow`.
pub fn hint_virtual_selected_parent(
    store: &mut impl DagStore,
    block: Hash32,
) -> Result<(), SvcError> {
    hint_with(store, ReindexParams::STANDARD, block)
}

/// [`hint_virtual_selected_parent`] with other redistribution numbers.
///
/// # Errors
/// As [`hint_virtual_selected_parent`].
pub fn hint_with(
    store: &mut impl DagStore,
    params: ReindexParams,
    block: Hash32,
) -> Result<(), SvcError> {
    Reindexer::new(store, params).advance_root(block)
}

/// Whether `a` is `b` or on the selected chain of `b`.
///
/// # Errors
/// `store/*`.
pub fn is_chain_ancestor(store: &impl DagStore, a: &Hash32, b: &Hash32) -> Result<bool, SvcError> {
    Ok(a == b || interval_of(store, a)?.contains(interval_of(store, b)?))
}

/// Whether `a` is `b` or in the past of `b`.
///
/// # Errors
/// `store/*`.
pub fn is_dag_ancestor(store: &impl DagStore, a: &Hash32, b: &Hash32) -> Result<bool, SvcError> {
    if a == b {
        return Ok(true);
    }
    let node = store.reachability(a)?;
    let target = interval_of(store, b)?;
    if node.interval().contains(target) {
        return Ok(true);
    }
    match last_starting_at_or_before(store, &node.future_covering, target.start)? {
        Some((_, last)) => Ok(interval_of(store, &last)?.contains(target)),
        None => Ok(false),
    }
}

/// Whether some block has both `a` and `b` in its past or is one of them.
///
/// # Errors
/// `store/*`.
pub fn have_common_future(store: &impl DagStore, a: &Hash32, b: &Hash32) -> Result<bool, SvcError> {
    // Both futures are unions of subtrees, and two subtrees that meet contain one another's root.
    for (a, b) in [(a, b), (b, a)] {
        if is_dag_ancestor(store, a, b)? {
            return Ok(true);
        }
        for root in &store.reachability(b)?.future_covering {
            if is_dag_ancestor(store, a, root)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The child of `ancestor` on the selected chain of `descendant`.
///
/// # Errors
/// `store/corrupt` when `ancestor` is not strictly on that chain, other `store/*`.
pub fn next_chain_ancestor(
    store: &impl DagStore,
    descendant: &Hash32,
    ancestor: &Hash32,
) -> Result<Hash32, SvcError> {
    let target = interval_of(store, descendant)?;
    let node = store.reachability(ancestor)?;
    if let Some((_, child)) = last_starting_at_or_before(store, &node.children, target.start)?
        && interval_of(store, &child)?.contains(target)
    {
        return Ok(child);
    }
    Err(inconsistent(format!(
        "{ancestor} is not below {descendant} on a selected chain"
    )))
}

impl ReachabilityNode {
    /// The interval of the block.
    pub fn interval(&self) -> Interval {
        Interval {
            start: self.start,
            end: self.end,
        }
    }
}

pub(crate) fn interval_of(store: &impl DagStore, block: &Hash32) -> Result<Interval, SvcError> {
    Ok(store.reachability(block)?.interval())
}

pub(crate) fn inconsistent(reason: impl std::fmt::Display) -> SvcError {
    SvcError::new(Code::StoreCorrupt)
        .with("table", "reachability")
        .with("reason", reason)
}

/// Index of the first block that starts after `number`, in blocks by ascending interval.
fn first_starting_after(
    store: &impl DagStore,
    blocks: &[Hash32],
    number: u64,
) -> Result<usize, SvcError> {
    let (mut low, mut high) = (0, blocks.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let Some(block) = blocks.get(middle) else {
            break;
        };
        if interval_of(store, block)?.start <= number {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

/// The last block that does not start after `number`, with its place.
pub(crate) fn last_starting_at_or_before(
    store: &impl DagStore,
    blocks: &[Hash32],
    number: u64,
) -> Result<Option<(usize, Hash32)>, SvcError> {
    let last = first_starting_after(store, blocks, number)?.checked_sub(1);
    Ok(last.and_then(|index| Some((index, *blocks.get(index)?))))
}

fn add_to_tree(
    store: &mut impl DagStore,
    params: ReindexParams,
    block: Hash32,
    parent: Hash32,
) -> Result<(), SvcError> {
    if store.has_reachability(&block)? {
        return Err(inconsistent(format!("{block} is already in the tree")));
    }
    let mut parent_node = (*store.reachability(&parent)?).clone();
    // Free numbers come after the last child; the last number of a block is never given away, so
    // that the block differs from its only child.
    let free_start = match parent_node.children.last() {
        Some(last) => interval_of(store, last)?.end.wrapping_add(1),
        None => parent_node.start,
    };
    let free = Interval {
        start: free_start,
        end: parent_node.end.wrapping_sub(1),
    };
    let interval = free.first_half();
    let node = ReachabilityNode {
        parent,
        start: interval.start,
        end: interval.end,
        height: parent_node.height.saturating_add(1),
        children: Vec::new(),
        future_covering: Vec::new(),
    };
    parent_node.children.push(block);
    store.set_reachability(parent, parent_node);
    store.set_reachability(block, node);
    if interval.is_empty() {
        Reindexer::new(store, params).make_room(block)?;
    }
    Ok(())
}

fn add_to_future(
    store: &mut impl DagStore,
    block: Hash32,
    mergeset: &[Hash32],
) -> Result<(), SvcError> {
    let interval = interval_of(store, &block)?;
    for merged in mergeset {
        let mut node = (*store.reachability(merged)?).clone();
        let index = first_starting_after(store, &node.future_covering, interval.start)?;
        let before = index.checked_sub(1);
        let before = before.and_then(|last| node.future_covering.get(last));
        if let Some(before) = before
            && interval_of(store, before)?.contains(interval)
        {
            return Err(inconsistent(format!(
                "{block} merges {merged}, which its chain merged before"
            )));
        }
        node.future_covering.insert(index, block);
        store.set_reachability(*merged, node);
    }
    Ok(())
}
