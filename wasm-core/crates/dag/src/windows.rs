//! Difficulty and median-time windows of a block: its DAA score, difficulty bits and past median time (specification
//! consensus 7.3–7.6).

use svc_chain::profile::Profile;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::WINDOW_CACHE_BLOCKS;

use crate::difficulty::next_bits;
use crate::reachability::is_chain_ancestor;
use crate::records::GhostdagData;
use crate::sampled_window::{WindowCache, WindowShape, blue_work_if_known};
use crate::store::DagStore;

/// Samples in the middle of the sorted window that make the median time.
const MEDIAN_FRAME: usize = 11;

/// DAA score of a block, and what did not count for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DaaData {
    /// Number of blocks in the past that were inside a DAA window.
    pub daa_score: u64,
    /// Mergeset blocks outside the window, in mergeset order; genesis is always outside.
    pub excluded: Vec<Hash32>,
}

/// DAA score of a block with this GHOSTDAG data (specification consensus 7.3).
///
/// # Errors
/// `store/*`.
pub fn daa_data(
    store: &impl DagStore,
    profile: &Profile,
    genesis: &Hash32,
    data: &GhostdagData,
) -> Result<DaaData, SvcError> {
    let full_window = profile
        .difficulty_window_size
        .saturating_mul(profile.difficulty_sample_rate);
    let lowest = data.blue_score.saturating_sub(full_window);
    let mut excluded = Vec::new();
    for block in data.blues.iter().chain(&data.reds) {
        if block == genesis || store.ghostdag(block)?.blue_score < lowest {
            excluded.push(*block);
        }
    }
    let parent_score = store.header(&data.selected_parent)?.header.daa_score;
    let counted = data.mergeset_size().saturating_sub(excluded.len()) as u64;
    Ok(DaaData {
        daa_score: parent_score.saturating_add(counted),
        excluded,
    })
}

/// Difficulty and median-time windows of one network, with a bounded cache.
#[derive(Debug)]
pub struct WindowManager {
    difficulty: WindowCache,
    median: WindowCache,
}

impl Default for WindowManager {
    fn default() -> Self {
        Self::new()
    }
}

impl WindowManager {
    /// A manager that remembers the windows of [`WINDOW_CACHE_BLOCKS`] blocks in each of two
    /// generations.
    pub fn new() -> Self {
        Self::with_capacity(WINDOW_CACHE_BLOCKS)
    }

    /// A manager with another cache size; 0 remembers nothing and answers the same.
    pub fn with_capacity(blocks: usize) -> Self {
        Self {
            difficulty: WindowCache::new(blocks),
            median: WindowCache::new(blocks),
        }
    }

    /// Bits the block must have (specification consensus 7.5).
    ///
    /// # Errors
    /// `store/*`.
    pub fn difficulty_bits(
        &self,
        store: &impl DagStore,
        profile: &Profile,
        data: &GhostdagData,
        daa: &DaaData,
    ) -> Result<u32, SvcError> {
        if profile.fixed_difficulty || data.selected_parent == profile.genesis.hash {
            return Ok(profile.genesis.bits);
        }
        let shape = WindowShape::difficulty(profile);
        let window = self
            .difficulty
            .window(store, shape, (data, &daa.excluded))?;
        if (window.len() as u64) < profile.min_difficulty_window_size {
            return Ok(store.header(&data.selected_parent)?.header.bits);
        }
        Ok(next_bits(profile, &window, data.blue_score))
    }

    /// The time in Unix milliseconds that the block must be younger than (specification consensus 7.6).
    ///
    /// # Errors
    /// `store/*`.
    pub fn past_median_time(
        &self,
        store: &impl DagStore,
        profile: &Profile,
        data: &GhostdagData,
        daa: &DaaData,
    ) -> Result<u64, SvcError> {
        let window =
            self.median
                .window(store, WindowShape::median(profile), (data, &daa.excluded))?;
        if window.is_empty() {
            return Ok(store.header(&data.selected_parent)?.header.timestamp_ms);
        }
        let mut times: Vec<u64> = window.iter().map(|sample| sample.timestamp_ms).collect();
        times.sort_unstable();
        Ok(middle_average(&times))
    }
}

/// The chain block under which no window of a block above `from` reaches: when it, all of the past of `from` outside
/// its past, and their GHOSTDAG data are known, every such window can be computed.
///
/// # Errors
/// `store/*`.
pub fn window_floor(
    store: &impl DagStore,
    profile: &Profile,
    from: &Hash32,
) -> Result<Hash32, SvcError> {
    let difficulty = WindowCache::floor(store, WindowShape::difficulty(profile), *from)?;
    let median = WindowCache::floor(store, WindowShape::median(profile), *from)?;
    // Coloring looks at most k + 1 chain blocks down.
    let mut coloring = *from;
    for _ in 0..u32::from(profile.ghostdag_k) + 2 {
        let parent = store.ghostdag(&coloring)?.selected_parent;
        if blue_work_if_known(store, &parent)?.is_none() {
            break;
        }
        coloring = parent;
    }
    let mut lowest = difficulty;
    for other in [median, coloring] {
        if is_chain_ancestor(store, &other, &lowest)? {
            lowest = other;
        }
    }
    Ok(lowest)
}

/// Average of the middle of a sorted list, rounded to nearest; one outlier cannot move it.
fn middle_average(times: &[u64]) -> u64 {
    let frame = times.len().min(MEDIAN_FRAME);
    let end = (times.len() + frame).div_ceil(2);
    let sum: u128 = times
        .iter()
        .skip(end - frame)
        .take(frame)
        .map(|time| u128::from(*time))
        .sum();
    let frame = frame as u128;
    // An average of u64 fits u64.
    u64::try_from((sum + frame / 2) / frame).unwrap_or(u64::MAX)
}
