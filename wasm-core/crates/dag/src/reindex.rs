//! Reindexing of the reachability tree: redistribution of its intervals (specification consensus 7.2).
//!
//! A block that found no room asks for it ([`Reindexer::make_room`]): the nearest ancestor whose
//! interval holds its whole subtree divides that interval anew. Below the reindex root, which
//! trails the selected tip, only side branches are redistributed, with room taken from the slack
//! that every chain block keeps free on both sides ([`Reindexer::advance_root`] lays it out).

use std::collections::{HashMap, VecDeque};

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::interval::{Interval, Shift, overflow};
use crate::reachability::{
    ReindexParams, inconsistent, interval_of, is_chain_ancestor, next_chain_ancestor,
};
use crate::store::DagStore;

/// The side of a chain block on which a branch lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Before the chain block, at lower numbers.
    Before,
    /// After it, at higher numbers.
    After,
}

/// State of one reindexing. Subtree sizes are counted once: the tree's shape does not change meanwhile.
pub(crate) struct Reindexer<'a, S> {
    store: &'a mut S,
    params: ReindexParams,
    subtree_sizes: HashMap<Hash32, u64>,
}

impl<'a, S: DagStore> Reindexer<'a, S> {
    pub(crate) fn new(store: &'a mut S, params: ReindexParams) -> Self {
        Self {
            store,
            params,
            subtree_sizes: HashMap::new(),
        }
    }

    /// Gives the new block, which has an empty interval, some room.
    pub(crate) fn make_room(&mut self, new_block: Hash32) -> Result<(), SvcError> {
        let root = self.store.reindex_root()?;
        let mut current = new_block;
        loop {
            let size = self.subtree_size(current)?;
            if self.interval(current)?.size() >= size {
                return self.redistribute(current);
            }
            if current == root || current == Hash32::ORIGIN {
                // Above the root lies nearly all of the space: only 2^64 blocks could fill it.
                return Err(overflow());
            }
            let parent = self.store.reachability(&current)?.parent;
            if parent != root && is_chain_ancestor(self.store, &parent, &root)? {
                // `parent` holds most of the graph; `current` is a branch beside the chain to the
                // root. Its size was just exceeded, so adding that much doubles it.
                return self.take_slack((current, parent), root, size);
            }
            current = parent;
        }
    }

    /// Moves the reindex root towards `tip`, and the free space with it.
    pub(crate) fn advance_root(&mut self, tip: Hash32) -> Result<(), SvcError> {
        let current = self.store.reindex_root()?;
        let Some((mut ancestor, next)) = self.next_root(current, tip)? else {
            return Ok(());
        };
        while ancestor != next {
            let child = next_chain_ancestor(self.store, &next, &ancestor)?;
            self.concentrate(ancestor, child, child == next)?;
            ancestor = child;
        }
        self.store.set_reindex_root(next);
        Ok(())
    }

    /// The next root and the common ancestor of it and the current one; `None` when it stays.
    fn next_root(
        &self,
        current: Hash32,
        tip: Hash32,
    ) -> Result<Option<(Hash32, Hash32)>, SvcError> {
        let tip_height = self.height(tip)?;
        let mut ancestor = current;
        if !is_chain_ancestor(self.store, &current, &tip)? {
            // The tip left the root's chain. Follow only when it is far ahead, else the root would
            // jump with every short race.
            if tip_height.saturating_sub(self.height(current)?) < self.params.slack {
                return Ok(None);
            }
            while !is_chain_ancestor(self.store, &ancestor, &tip)? {
                ancestor = self.store.reachability(&ancestor)?.parent;
            }
        }
        let mut next = ancestor;
        while next != tip {
            let child = next_chain_ancestor(self.store, &tip, &next)?;
            if tip_height.saturating_sub(self.height(child)?) < self.params.depth {
                break;
            }
            next = child;
        }
        Ok((next != current).then_some((ancestor, next)))
    }

    /// Squeezes the siblings of `child` to their exact sizes, with slack on the outer sides, and
    /// gives `child` everything between them.
    fn concentrate(
        &mut self,
        parent: Hash32,
        child: Hash32,
        is_final: bool,
    ) -> Result<(), SvcError> {
        let interval = self.interval(parent)?;
        let slack = self.params.slack;
        let before = self.siblings(parent, child, Side::Before)?;
        let after = self.siblings(parent, child, Side::After)?;
        let (before_sizes, before_sum) = self.sizes(&before)?;
        let (after_sizes, after_sum) = self.sizes(&after)?;

        let before_start = interval.start.checked_add(slack).ok_or_else(overflow)?;
        let room_start = before_start.checked_add(before_sum).ok_or_else(overflow)?;
        let after_end = interval
            .end
            .checked_sub(slack)
            .and_then(|n| n.checked_sub(1))
            .ok_or_else(overflow)?;
        let room_end = after_end.checked_sub(after_sum).ok_or_else(overflow)?;
        let room = Interval {
            start: room_start,
            end: room_end,
        };
        if room_start > room_end {
            return Err(overflow());
        }
        self.place(
            &before,
            Interval {
                start: before_start,
                end: room_start - 1,
            },
            &before_sizes,
        )?;
        self.place(
            &after,
            Interval {
                start: room_end + 1,
                end: after_end,
            },
            &after_sizes,
        )?;
        self.give_room(child, room, is_final)
    }

    /// Sets the interval of the chain's child, moving its subtree only when it must.
    fn give_room(&mut self, child: Hash32, room: Interval, is_final: bool) -> Result<(), SvcError> {
        if is_final && !room.contains(self.interval(child)?) {
            // The subtree is laid out with the slack of the next `depth` moves of the root to spare
            // on both sides: those moves find it inside their room and need not move it again.
            let margin = self.params.slack.saturating_mul(self.params.depth);
            let narrowed = Shift {
                start_up: margin,
                end_down: margin,
                ..Shift::default()
            };
            let inner = match room.moved(narrowed) {
                Ok(inner) if inner.size() >= self.subtree_size(child)? => inner,
                _ => room,
            };
            self.set_interval(child, inner)?;
            self.redistribute(child)?;
        }
        self.set_interval(child, room)
    }

    /// Lays out siblings side by side.
    fn place(&mut self, blocks: &[Hash32], space: Interval, sizes: &[u64]) -> Result<(), SvcError> {
        for (block, part) in blocks.iter().zip(space.split_exact(sizes)?) {
            self.set_interval(*block, part)?;
            self.redistribute(*block)?;
        }
        Ok(())
    }

    /// Finds `wanted` numbers for `branch`, a child of `fork` beside the chain from `fork` to the
    /// root, in the slack of that chain.
    fn take_slack(
        &mut self,
        (branch, fork): (Hash32, Hash32),
        root: Hash32,
        wanted: u64,
    ) -> Result<(), SvcError> {
        let chosen = next_chain_ancestor(self.store, &root, &fork)?;
        let side = if self.interval(branch)?.start < self.interval(chosen)?.start {
            Side::Before
        } else {
            Side::After
        };
        let mut current = chosen;
        let mut found = 0_u64;
        let mut passed = 0_u64;
        // What each chain block that is passed on the way down keeps of its slack.
        let mut kept = 0;
        loop {
            if current == root {
                // The root's room is all but unlimited: take what is missing, and new slack for
                // every chain block on the way.
                let refill = self.params.slack.checked_mul(passed).ok_or_else(overflow)?;
                let needed = wanted.checked_add(refill).ok_or_else(overflow)?;
                let offset = needed.saturating_sub(found);
                kept = self.params.slack;
                self.shrink(current, side, offset)?;
                self.redistribute(current)?;
                self.shift_siblings(branch, current, (side, offset))?;
                break;
            }
            let slack = self.free_beside_children(current, side)?;
            found = found.checked_add(slack).ok_or_else(overflow)?;
            if found >= wanted {
                let offset = slack - (found - wanted);
                self.shrink(current, side, offset)?;
                self.shift_siblings(branch, current, (side, offset))?;
                break;
            }
            current = next_chain_ancestor(self.store, &root, &current)?;
            passed += 1;
        }
        // Down again: each block hands what is now free on that side to the branches below it.
        loop {
            current = self.store.reachability(&current)?.parent;
            if current == fork {
                return Ok(());
            }
            let offset = self
                .free_beside_children(current, side)?
                .saturating_sub(kept);
            self.shrink(current, side, offset)?;
            self.shift_siblings(branch, current, (side, offset))?;
        }
    }

    /// Moves the branches on one side of a chain block into the room it left, farthest from it
    /// last. The branch that asked, once met, takes the room and ends it.
    fn shift_siblings(
        &mut self,
        branch: Hash32,
        chain_block: Hash32,
        (side, offset): (Side, u64),
    ) -> Result<(), SvcError> {
        let parent = self.store.reachability(&chain_block)?.parent;
        let mut siblings = self.siblings(parent, chain_block, side)?;
        if side == Side::Before {
            siblings.reverse();
        }
        for sibling in siblings {
            let is_branch = sibling == branch;
            let shift = match (side, is_branch) {
                (Side::Before, true) => Shift {
                    end_up: offset,
                    ..Shift::default()
                },
                (Side::Before, false) => Shift {
                    start_up: offset,
                    end_up: offset,
                    ..Shift::default()
                },
                (Side::After, true) => Shift {
                    start_down: offset,
                    ..Shift::default()
                },
                (Side::After, false) => Shift {
                    start_down: offset,
                    end_down: offset,
                    ..Shift::default()
                },
            };
            self.set_interval(sibling, self.interval(sibling)?.moved(shift)?)?;
            self.redistribute(sibling)?;
            if is_branch {
                break;
            }
        }
        Ok(())
    }

    fn shrink(&mut self, block: Hash32, side: Side, offset: u64) -> Result<(), SvcError> {
        let shift = match side {
            Side::Before => Shift {
                start_up: offset,
                ..Shift::default()
            },
            Side::After => Shift {
                end_down: offset,
                ..Shift::default()
            },
        };
        self.set_interval(block, self.interval(block)?.moved(shift)?)
    }

    /// Numbers of a block before its first child, or after its last one.
    fn free_beside_children(&self, block: Hash32, side: Side) -> Result<u64, SvcError> {
        let node = self.store.reachability(&block)?;
        let (first, last) = match (node.children.first(), node.children.last()) {
            (Some(first), Some(last)) => (self.interval(*first)?, self.interval(*last)?),
            _ => return Ok(node.interval().size().saturating_sub(1)),
        };
        Ok(match side {
            Side::Before => first.start.saturating_sub(node.start),
            Side::After => node.end.saturating_sub(last.end).saturating_sub(1),
        })
    }

    /// Divides a block's interval among its subtree, breadth first.
    fn redistribute(&mut self, block: Hash32) -> Result<(), SvcError> {
        self.subtree_size(block)?;
        let mut waiting = VecDeque::from([block]);
        while let Some(current) = waiting.pop_front() {
            let node = self.store.reachability(&current)?;
            if node.children.is_empty() {
                continue;
            }
            let (sizes, _) = self.sizes(&node.children)?;
            let capacity = Interval {
                start: node.start,
                end: node.end.wrapping_sub(1),
            };
            for (child, part) in node
                .children
                .iter()
                .zip(capacity.split_exponential(&sizes)?)
            {
                self.set_interval(*child, part)?;
                waiting.push_back(*child);
            }
        }
        Ok(())
    }

    /// Children of `parent` on one side of `child`, in order.
    fn siblings(&self, parent: Hash32, child: Hash32, side: Side) -> Result<Vec<Hash32>, SvcError> {
        let node = self.store.reachability(&parent)?;
        let index = node.children.iter().position(|other| *other == child);
        let index =
            index.ok_or_else(|| inconsistent(format!("{child} is not a child of {parent}")))?;
        let children = node.children.iter().copied();
        Ok(match side {
            Side::Before => children.take(index).collect(),
            Side::After => children.skip(index + 1).collect(),
        })
    }

    fn sizes(&mut self, blocks: &[Hash32]) -> Result<(Vec<u64>, u64), SvcError> {
        let sizes = blocks
            .iter()
            .map(|block| self.subtree_size(*block))
            .collect::<Result<Vec<_>, _>>()?;
        let sum = sizes
            .iter()
            .try_fold(0_u64, |sum, size| sum.checked_add(*size))
            .ok_or_else(overflow)?;
        Ok((sizes, sum))
    }

    /// Blocks in the subtree of `root` with itself, children counted before parents.
    fn subtree_size(&mut self, root: Hash32) -> Result<u64, SvcError> {
        let mut waiting = vec![root];
        while let Some(block) = waiting.last().copied() {
            if self.subtree_sizes.contains_key(&block) {
                waiting.pop();
                continue;
            }
            let node = self.store.reachability(&block)?;
            let uncounted = waiting.len();
            waiting.extend(
                node.children
                    .iter()
                    .filter(|child| !self.subtree_sizes.contains_key(child)),
            );
            if waiting.len() == uncounted {
                let below: u64 = node
                    .children
                    .iter()
                    .filter_map(|child| self.subtree_sizes.get(child))
                    .sum();
                self.subtree_sizes.insert(block, below.saturating_add(1));
                waiting.pop();
            }
        }
        self.subtree_sizes
            .get(&root)
            .copied()
            .ok_or_else(|| inconsistent(format!("{root} was not counted")))
    }

    fn height(&self, block: Hash32) -> Result<u64, SvcError> {
        Ok(self.store.reachability(&block)?.height)
    }

    fn interval(&self, block: Hash32) -> Result<Interval, SvcError> {
        interval_of(self.store, &block)
    }

    fn set_interval(&mut self, block: Hash32, interval: Interval) -> Result<(), SvcError> {
        let node = self.store.reachability(&block)?;
        if node.interval() != interval {
            let changed = crate::records::ReachabilityNode {
                start: interval.start,
                end: interval.end,
                ..(*node).clone()
            };
            self.store.set_reachability(block, changed);
        }
        Ok(())
    }
}
