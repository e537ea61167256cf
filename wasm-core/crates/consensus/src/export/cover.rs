//! Window of an export: the headers below a pruning point that later blocks are judged by. It is found by judging the
//! blocks and recording which headers are read.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::ghostdag::ghostdag;
use svc_dag::records::{DepthRecord, GhostdagData, HeaderRecord, ReachabilityNode};
use svc_dag::store::DagStore;
use svc_dag::windows::{WindowManager, daa_data};

use crate::parameters::Parameters;
use crate::records::Records;
use crate::records::chain::Chain;
use crate::store::{Store, tables};

/// Notes the blocks whose records are read.
struct Watched<'a, S> {
    records: &'a Records<S>,
    seen: RefCell<BTreeSet<Hash32>>,
}

impl<S> Watched<'_, S> {
    fn note(&self, block: &Hash32) {
        self.seen.borrow_mut().insert(*block);
    }
}

/// The search for the window: the headers found so far.
#[derive(Default)]
pub(super) struct Cover {
    /// Blocks to be looked at.
    left: Vec<Hash32>,
    seen: BTreeSet<Hash32>,
}

impl Cover {
    /// The pruning point and the blocks beside it are to be looked at.
    pub(super) fn of(blocks: Vec<Hash32>) -> Self {
        Self {
            left: blocks,
            seen: BTreeSet::new(),
        }
    }

    /// Looks at the next block: notes it with what its own coloring and windows read, and those of a block on top.
    /// Returns whether there was one.
    pub(super) fn watch_next<S: Store>(&mut self, chain: &Chain<S>) -> Result<bool, SvcError> {
        let Some(block) = self.left.pop() else {
            return Ok(false);
        };
        let watched = Watched {
            records: &chain.records,
            seen: RefCell::new(std::mem::take(&mut self.seen)),
        };
        // Remembered windows would hide what is read.
        let windows = WindowManager::with_capacity(0);
        let parents = chain
            .records
            .header(&block)?
            .header
            .direct_parents()
            .to_vec();
        // Genesis is judged by nothing below it.
        for parents in [parents, vec![block]]
            .iter()
            .filter(|parents| !parents.is_empty())
        {
            watch(&chain.rules, &watched, &windows, parents)?;
        }
        note_chain(chain, &watched, &block)?;
        watched.note(&block);
        self.seen = watched.seen.into_inner();
        Ok(true)
    }

    /// Blocks whose headers and GHOSTDAG data are sent, ascending by id: those noted, with whole mergesets.
    pub(super) fn window<S: Store>(&mut self, chain: &Chain<S>) -> Result<Vec<Hash32>, SvcError> {
        let noted = std::mem::take(&mut self.seen);
        let mut all = noted.clone();
        for block in noted {
            if let Some(data) = find_ghostdag(&chain.records, &block)? {
                all.insert(data.selected_parent);
                all.extend(data.blues.iter().chain(&data.reds));
            }
        }
        let mut window = Vec::new();
        for block in all {
            if block != chain.rules.genesis_hash && find_ghostdag(&chain.records, &block)?.is_some()
            {
                window.push(block);
            }
        }
        Ok(window)
    }
}

fn watch<S: Store>(
    rules: &Parameters,
    watched: &Watched<'_, S>,
    windows: &WindowManager,
    parents: &[Hash32],
) -> Result<(), SvcError> {
    let profile = &rules.profile;
    let data = ghostdag(watched, profile.ghostdag_k, parents)?;
    let daa = daa_data(watched, profile, &rules.genesis_hash, &data)?;
    windows.difficulty_bits(watched, profile, &data, &daa)?;
    windows.past_median_time(watched, profile, &data, &daa)?;
    Ok(())
}

/// Coloring a block on top goes down as many chain blocks as a blue block may have others beside it.
fn note_chain<S: Store>(
    chain: &Chain<S>,
    watched: &Watched<'_, S>,
    block: &Hash32,
) -> Result<(), SvcError> {
    let mut current = *block;
    for _ in 0..=chain.rules.profile.ghostdag_k + 1 {
        watched.note(&current);
        let Some(data) = find_ghostdag(&chain.records, &current)? else {
            break;
        };
        current = data.selected_parent;
    }
    Ok(())
}

fn find_ghostdag<S: Store>(
    records: &Records<S>,
    block: &Hash32,
) -> Result<Option<Rc<GhostdagData>>, SvcError> {
    let found = records.overlay.get(tables::GHOSTDAG, block.as_bytes())?;
    found.map(|_| records.ghostdag(block)).transpose()
}

/// The chain block below one, down to the first more than the finality depth below the pruning point (specification
/// consensus 7.10, 12). Chain blocks name their selected parent first.
pub(super) fn next_below<S: Store>(
    chain: &Chain<S>,
    point: &Hash32,
    block: &Hash32,
) -> Result<Option<Hash32>, SvcError> {
    let depth = chain.rules.profile.finality_depth.saturating_add(1);
    let limit = chain
        .records
        .header(point)?
        .header
        .blue_score
        .saturating_sub(depth);
    let record = chain.records.header(block)?;
    if record.header.blue_score <= limit {
        return Ok(None);
    }
    let parent = record.header.direct_parents().first().copied();
    Ok(parent.filter(|parent| *parent != chain.rules.genesis_hash))
}

/// Reads only. Answers about ancestry are not watched: they look at blocks that the question is not about.
impl<S: Store> DagStore for Watched<'_, S> {
    fn header(&self, block: &Hash32) -> Result<Rc<HeaderRecord>, SvcError> {
        self.note(block);
        self.records.header(block)
    }

    fn has_header(&self, block: &Hash32) -> Result<bool, SvcError> {
        self.records.has_header(block)
    }

    fn ghostdag(&self, block: &Hash32) -> Result<Rc<GhostdagData>, SvcError> {
        self.note(block);
        self.records.ghostdag(block)
    }

    fn daa_excluded(&self, block: &Hash32) -> Result<Rc<Vec<Hash32>>, SvcError> {
        self.note(block);
        self.records.daa_excluded(block)
    }

    fn depth(&self, block: &Hash32) -> Result<DepthRecord, SvcError> {
        self.records.depth(block)
    }

    fn pruning_sample(&self, block: &Hash32) -> Result<Hash32, SvcError> {
        self.records.pruning_sample(block)
    }

    fn reachability(&self, block: &Hash32) -> Result<Rc<ReachabilityNode>, SvcError> {
        self.records.reachability(block)
    }

    fn has_reachability(&self, block: &Hash32) -> Result<bool, SvcError> {
        self.records.has_reachability(block)
    }

    fn set_reachability(&mut self, _: Hash32, _: ReachabilityNode) {}

    fn reindex_root(&self) -> Result<Hash32, SvcError> {
        self.records.reindex_root()
    }

    fn set_reindex_root(&mut self, _: Hash32) {}
}
