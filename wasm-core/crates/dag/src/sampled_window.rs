//! Sampled difficulty and median-time windows: the greatest sampled blocks in the past of a block (specification
//! consensus 7.4).
//!
//! The window of a block is its selected parent's window with the block's own sampled mergeset
//! pushed in, cut to size: so a cache of the parents' windows makes a step cost one mergeset.
//! Without a cached window the chain is walked until nothing older can enter.

use std::cell::{OnceCell, RefCell};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::ops::Deref;
use std::rc::Rc;

use svc_chain::profile::Profile;
use svc_chain::uint256::U256;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::id_map::IdMap;
use svc_codec::limits::COMPUTED_WINDOWS;

use crate::records::GhostdagData;
use crate::store::DagStore;

/// A block of a window with what the formulas need. The order is that of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sample {
    /// Blue work of the block.
    pub(crate) blue_work: U256,
    /// Block id.
    pub(crate) hash: Hash32,
    /// Header time, Unix milliseconds.
    pub(crate) timestamp_ms: u64,
    /// Compact target of the header.
    pub(crate) bits: u32,
}

/// Samples, ascending, with what was computed of them.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    list: Vec<Sample>,
    /// The target that follows from them; blocks in a row mostly share one window.
    pub(crate) target: OnceCell<U256>,
}

impl From<Vec<Sample>> for Samples {
    fn from(list: Vec<Sample>) -> Self {
        Self {
            list,
            target: OnceCell::new(),
        }
    }
}

impl Deref for Samples {
    type Target = [Sample];

    fn deref(&self) -> &[Sample] {
        &self.list
    }
}

/// A window, shared by the blocks that have it.
pub(crate) type Window = Rc<Samples>;

/// Which blocks a window holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WindowShape {
    /// Most samples.
    pub(crate) size: usize,
    /// One block in this many is a sample.
    pub(crate) rate: u64,
    /// Genesis, which is never a sample.
    pub(crate) genesis: Hash32,
}

impl WindowShape {
    /// The window difficulty is computed over.
    pub(crate) fn difficulty(profile: &Profile) -> Self {
        Self::new(
            profile,
            profile.difficulty_window_size,
            profile.difficulty_sample_rate,
        )
    }

    /// The window of the past median time.
    pub(crate) fn median(profile: &Profile) -> Self {
        Self::new(
            profile,
            profile.past_median_time_window_size,
            profile.past_median_time_sample_rate,
        )
    }

    fn new(profile: &Profile, size: u64, rate: u64) -> Self {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        Self {
            size,
            rate: rate.max(1),
            genesis: profile.genesis.hash,
        }
    }
}

/// Windows of accepted blocks in two generations: when the young one is full it becomes the old
/// one. Holds at most `2 × capacity` windows.
#[derive(Debug)]
pub(crate) struct WindowCache {
    capacity: usize,
    generations: RefCell<Generations>,
    /// The newest windows of blocks not stored yet: when one becomes a selected parent, its window is known.
    computed: RefCell<VecDeque<Computed>>,
}

#[derive(Debug, Default)]
struct Generations {
    young: IdMap<Window>,
    old: IdMap<Window>,
}

/// A window and all that it depends on.
#[derive(Debug)]
struct Computed {
    data: GhostdagData,
    excluded: Vec<Hash32>,
    window: Window,
}

impl WindowCache {
    /// A cache of `capacity` windows in each generation; 0 remembers nothing.
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            capacity,
            generations: RefCell::default(),
            computed: RefCell::default(),
        }
    }

    /// The window of a block that is not stored yet, from its GHOSTDAG data and the mergeset blocks
    /// outside its DAA window.
    pub(crate) fn window(
        &self,
        store: &impl DagStore,
        shape: WindowShape,
        (data, excluded): (&GhostdagData, &[Hash32]),
    ) -> Result<Window, SvcError> {
        if data.selected_parent == shape.genesis {
            return Ok(Rc::default());
        }
        if let Some(window) = self.computed(data, || Ok(Rc::new(excluded.to_vec())))? {
            return Ok(window);
        }
        let parent = self.of_accepted(store, shape, data.selected_parent)?;
        let added = mergeset_samples(store, shape, data, excluded)?;
        let window = if added.is_empty() {
            parent
        } else {
            merged(&parent, added, shape.size)
        };
        self.remember(data, excluded, &window);
        Ok(window)
    }

    /// The window computed for a block of exactly this data. What it depends on besides never changes.
    fn computed(
        &self,
        data: &GhostdagData,
        excluded: impl FnOnce() -> Result<Rc<Vec<Hash32>>, SvcError>,
    ) -> Result<Option<Window>, SvcError> {
        let computed = self.computed.borrow();
        let Some(found) = computed.iter().find(|known| known.data == *data) else {
            return Ok(None);
        };
        Ok((found.excluded == *excluded()?).then(|| found.window.clone()))
    }

    fn remember(&self, data: &GhostdagData, excluded: &[Hash32], window: &Window) {
        if self.capacity == 0 {
            return;
        }
        let mut computed = self.computed.borrow_mut();
        computed.truncate(COMPUTED_WINDOWS - 1);
        computed.push_front(Computed {
            data: data.clone(),
            excluded: excluded.to_vec(),
            window: window.clone(),
        });
    }

    fn of_accepted(
        &self,
        store: &impl DagStore,
        shape: WindowShape,
        block: Hash32,
    ) -> Result<Window, SvcError> {
        if let Some(window) = self.get(&block) {
            return Ok(window);
        }
        let data = store.ghostdag(&block)?;
        let window = match self.computed(&data, || store.daa_excluded(&block))? {
            Some(window) => window,
            None => self.walk(store, shape, block)?,
        };
        self.insert(block, window.clone());
        Ok(window)
    }

    /// Down the selected chain until a cached window, genesis, or until nothing more can enter.
    fn walk(
        &self,
        store: &impl DagStore,
        shape: WindowShape,
        block: Hash32,
    ) -> Result<Window, SvcError> {
        let mut found = Vec::new();
        let mut greatest = BoundedHeap::new(shape.size);
        let mut current = block;
        loop {
            if current == shape.genesis {
                return Ok(merged(&[], found, shape.size));
            }
            if let Some(window) = self.get(&current) {
                // Blocks in a row mostly share one window.
                return Ok(if found.is_empty() {
                    window
                } else {
                    merged(&window, found, shape.size)
                });
            }
            let data = store.ghostdag(&current)?;
            if data.selected_parent == Hash32::ORIGIN {
                if greatest.is_full() {
                    return Ok(merged(&[], found, shape.size));
                }
                // Only possible while the past of the pruning point is incomplete.
                let error = SvcError::new(Code::StoreMissing).with("table", "daa window");
                return Err(error.with("key", current));
            }
            if data.selected_parent == shape.genesis {
                return Ok(merged(&[], found, shape.size));
            }
            let parent_work = store.ghostdag(&data.selected_parent)?.blue_work;
            if !greatest.can_enter((parent_work, data.selected_parent)) {
                return Ok(merged(&[], found, shape.size));
            }
            for sample in mergeset_samples(store, shape, &data, &store.daa_excluded(&current)?)? {
                if greatest.push((sample.blue_work, sample.hash)) {
                    found.push(sample);
                }
            }
            current = data.selected_parent;
        }
    }

    /// The chain block below which the walk from `block` reads nothing: the last one it looks at.
    pub(crate) fn floor(
        store: &impl DagStore,
        shape: WindowShape,
        block: Hash32,
    ) -> Result<Hash32, SvcError> {
        let mut greatest = BoundedHeap::new(shape.size);
        let mut current = block;
        while current != shape.genesis {
            let data = store.ghostdag(&current)?;
            let parent = data.selected_parent;
            if parent == shape.genesis {
                return Ok(parent);
            }
            // A store that began above does not hold what no window of its own needs.
            let Some(work) = blue_work_if_known(store, &parent)? else {
                return Ok(current);
            };
            if !greatest.can_enter((work, parent)) {
                return Ok(parent);
            }
            for sample in mergeset_samples(store, shape, &data, &store.daa_excluded(&current)?)? {
                greatest.push((sample.blue_work, sample.hash));
            }
            current = parent;
        }
        Ok(current)
    }

    fn get(&self, block: &Hash32) -> Option<Window> {
        let generations = self.generations.borrow();
        generations
            .young
            .get(block)
            .or_else(|| generations.old.get(block))
            .cloned()
    }

    fn insert(&self, block: Hash32, window: Window) {
        if self.capacity == 0 {
            return;
        }
        let mut generations = self.generations.borrow_mut();
        if generations.young.len() >= self.capacity {
            generations.old = std::mem::take(&mut generations.young);
        }
        generations.young.insert(block, window);
    }
}

/// Blue work of a chain block; `None` where the store begins.
pub(crate) fn blue_work_if_known(
    store: &impl DagStore,
    block: &Hash32,
) -> Result<Option<U256>, SvcError> {
    if *block == Hash32::ORIGIN {
        return Ok(None);
    }
    match store.ghostdag(block) {
        Ok(data) => Ok(Some(data.blue_work)),
        Err(error) if error.code == Code::StoreMissing => Ok(None),
        Err(error) => Err(error),
    }
}

/// The sampled blocks of one mergeset, greatest first. Blocks of the mergeset inside the DAA window
/// are numbered from the DAA score of the selected parent on, and one in `rate` is a sample.
fn mergeset_samples(
    store: &impl DagStore,
    shape: WindowShape,
    data: &GhostdagData,
    excluded: &[Hash32],
) -> Result<Vec<Sample>, SvcError> {
    let mut number = store.header(&data.selected_parent)?.header.daa_score;
    let mut samples = Vec::new();
    let rest = data.ascending_mergeset_without_selected_parent(store)?;
    for hash in std::iter::once(data.selected_parent).chain(rest.into_iter().rev()) {
        if excluded.contains(&hash) {
            continue;
        }
        number = number.saturating_add(1);
        if number % shape.rate == 0 {
            let header = &store.header(&hash)?.header;
            let (timestamp_ms, bits) = (header.timestamp_ms, header.bits);
            samples.push(Sample {
                blue_work: header.blue_work,
                hash,
                timestamp_ms,
                bits,
            });
        }
    }
    Ok(samples)
}

/// The `size` greatest of both, ascending.
fn merged(window: &[Sample], mut added: Vec<Sample>, size: usize) -> Window {
    added.sort_unstable();
    let total = window.len() + added.len();
    let beyond = total.saturating_sub(size);
    let follows = window
        .last()
        .zip(added.first())
        .is_none_or(|(last, first)| last < first);
    let mut all = Vec::with_capacity(total);
    if follows && beyond <= window.len() {
        all.extend_from_slice(window.split_at(beyond).1);
        all.extend(added);
    } else {
        all.extend_from_slice(window);
        all.extend(added);
        // Two sorted runs: the stable sort merges them in one pass.
        all.sort();
        all.drain(..beyond);
    }
    Rc::new(Samples::from(all))
}

/// The greatest blocks seen, at most `size`.
struct BoundedHeap {
    size: usize,
    least_first: BinaryHeap<Reverse<(U256, Hash32)>>,
}

impl BoundedHeap {
    fn new(size: usize) -> Self {
        Self {
            size,
            least_first: BinaryHeap::new(),
        }
    }

    fn is_full(&self) -> bool {
        self.least_first.len() >= self.size
    }

    fn can_enter(&self, block: (U256, Hash32)) -> bool {
        !self.is_full()
            || self
                .least_first
                .peek()
                .is_some_and(|Reverse(least)| *least < block)
    }

    fn push(&mut self, block: (U256, Hash32)) -> bool {
        if !self.can_enter(block) {
            return false;
        }
        if self.is_full() {
            self.least_first.pop();
        }
        self.least_first.push(Reverse(block));
        true
    }
}
