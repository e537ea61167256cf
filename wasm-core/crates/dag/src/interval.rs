//! Interval arithmetic of the reachability tree: how intervals are divided among subtrees.

use svc_codec::code::Code;
use svc_codec::error::SvcError;

/// Halvings after which an exponential share is nothing.
const SHARE_BITS: u32 = 52;

/// The numbers `start..=end`; empty when `end` is one below `start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// First number.
    pub start: u64,
    /// Last number.
    pub end: u64,
}

impl Interval {
    /// The interval of a whole tree. One number is left out on both sides so that an empty interval at either end can
    /// be written down.
    pub const FULL: Self = Self {
        start: 1,
        end: u64::MAX - 1,
    };

    /// Length of the interval.
    pub const fn size(self) -> u64 {
        (self.end.wrapping_sub(self.start)).wrapping_add(1)
    }

    /// Whether there is no number.
    pub const fn is_empty(self) -> bool {
        self.size() == 0
    }

    /// Whether every number of `other` is in `self`.
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The first half, rounded up.
    pub const fn first_half(self) -> Self {
        let half = self.size().div_ceil(2);
        Self {
            start: self.start,
            end: self.start.wrapping_add(half).wrapping_sub(1),
        }
    }

    /// Moves both ends: `start` up by `start_up` and down by `start_down`, `end` likewise.
    ///
    /// # Errors
    /// `engine/overflow` when the result is not an interval.
    pub fn moved(self, shift: Shift) -> Result<Self, SvcError> {
        let start = self
            .start
            .checked_add(shift.start_up)
            .and_then(|n| n.checked_sub(shift.start_down));
        let end = self
            .end
            .checked_add(shift.end_up)
            .and_then(|n| n.checked_sub(shift.end_down));
        match (start, end) {
            (Some(start), Some(end)) if end.checked_add(1).is_some_and(|next| start <= next) => {
                Ok(Self { start, end })
            }
            _ => Err(overflow()),
        }
    }

    /// Cuts into neighbouring intervals of these sizes, which must add up to the whole.
    ///
    /// # Errors
    /// `engine/overflow` when they do not.
    pub fn split_exact(self, sizes: &[u64]) -> Result<Vec<Self>, SvcError> {
        let mut parts = Vec::with_capacity(sizes.len());
        let mut start = self.start;
        for size in sizes {
            let next = start.checked_add(*size).ok_or_else(overflow)?;
            parts.push(Self {
                start,
                end: next.checked_sub(1).ok_or_else(overflow)?,
            });
            start = next;
        }
        if start.checked_sub(1) == Some(self.end) {
            Ok(parts)
        } else {
            Err(overflow())
        }
    }

    /// Cuts into one part per subtree, at least as large as the subtree. What is left over is
    /// divided exponentially: a subtree larger by one gets twice the share, because the larger
    /// one is the one that grows.
    ///
    /// # Errors
    /// `engine/overflow` when the subtrees do not fit.
    pub fn split_exponential(self, sizes: &[u64]) -> Result<Vec<Self>, SvcError> {
        let Some(largest) = sizes.iter().max() else {
            return Ok(Vec::new());
        };
        let sum = sizes
            .iter()
            .try_fold(0_u64, |sum, size| sum.checked_add(*size))
            .ok_or_else(overflow)?;
        let spare = self.size().checked_sub(sum).ok_or_else(overflow)?;
        let weight = |size: &u64| -> u128 {
            let halvings = u32::try_from(largest - size).unwrap_or(u32::MAX);
            if halvings > SHARE_BITS {
                0
            } else {
                1 << (SHARE_BITS - halvings)
            }
        };
        let total: u128 = sizes.iter().map(weight).sum();
        let mut parts = Vec::with_capacity(sizes.len());
        let mut left = spare;
        let mut heaviest = 0;
        for (index, size) in sizes.iter().enumerate() {
            // spare < 2^64 and weight <= 2^52, so the product fits 116 bits; total >= 2^52.
            let share =
                u64::try_from(u128::from(spare) * weight(size) / total).map_err(|_| overflow())?;
            left = left.checked_sub(share).ok_or_else(overflow)?;
            parts.push(size.checked_add(share).ok_or_else(overflow)?);
            if size == largest {
                heaviest = index;
            }
        }
        // What rounding left over goes to a largest subtree.
        if let Some(part) = parts.get_mut(heaviest) {
            *part = part.checked_add(left).ok_or_else(overflow)?;
        }
        self.split_exact(&parts)
    }
}

/// How far the ends of an interval move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shift {
    /// Added to the start.
    pub start_up: u64,
    /// Subtracted from the start.
    pub start_down: u64,
    /// Added to the end.
    pub end_up: u64,
    /// Subtracted from the end.
    pub end_down: u64,
}

/// The tree has no room where there must be some: more blocks than 64 bits, or a corrupt store.
pub(crate) fn overflow() -> SvcError {
    SvcError::new(Code::EngineOverflow).with("what", "reachability interval")
}
