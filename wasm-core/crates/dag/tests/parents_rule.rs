//! Parents by level against their meaning: at each level the greatest blocks of the past that reach
//! it (specification consensus 7.7), with the whole graph known and with a pruned one.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::rc::Rc;

use proptest::prelude::*;
use svc_chain::header::parents::Parents;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::parents_builder::build_parents;
use svc_dag::reachability;
use svc_dag::records::{DepthRecord, GhostdagData, HeaderRecord, ReachabilityNode};
use svc_dag::store::DagStore;

use crate::support::memory_dag::MemoryDag;
use crate::support::random_chain::{RandomChain, small_profile};
use crate::support::random_graph::{Random, Shape};

/// Blocks of the past of `block` with a level of at least `level` and nothing such above them.
fn greatest(made: &RandomChain, block: usize, level: u8) -> BTreeSet<Hash32> {
    let reaching: Vec<usize> = made.graph.pasts[block]
        .iter()
        .filter(|other| made.chain.dag.header(&made.ids[*other]).unwrap().level >= level)
        .collect();
    let is_greatest = |index: &&usize| {
        !reaching
            .iter()
            .any(|above| made.graph.pasts[*above].contains(**index))
    };
    reaching
        .iter()
        .filter(is_greatest)
        .map(|index| made.ids[*index])
        .collect()
}

fn sets(parents: &Parents) -> Vec<BTreeSet<Hash32>> {
    parents
        .expanded()
        .map(|level| level.iter().copied().collect())
        .collect()
}

/// The graph as a node that pruned everything below a block knows it: headers of all, ancestry of
/// the rest only.
struct Pruned<'a> {
    full: &'a MemoryDag,
    tree: MemoryDag,
}

impl DagStore for Pruned<'_> {
    fn header(&self, block: &Hash32) -> Result<Rc<HeaderRecord>, SvcError> {
        self.full.header(block)
    }
    fn has_header(&self, block: &Hash32) -> Result<bool, SvcError> {
        self.full.has_header(block)
    }
    fn ghostdag(&self, block: &Hash32) -> Result<Rc<GhostdagData>, SvcError> {
        self.full.ghostdag(block)
    }
    fn daa_excluded(&self, block: &Hash32) -> Result<Rc<Vec<Hash32>>, SvcError> {
        self.full.daa_excluded(block)
    }
    fn depth(&self, block: &Hash32) -> Result<DepthRecord, SvcError> {
        self.full.depth(block)
    }
    fn pruning_sample(&self, block: &Hash32) -> Result<Hash32, SvcError> {
        self.full.pruning_sample(block)
    }
    fn reachability(&self, block: &Hash32) -> Result<Rc<ReachabilityNode>, SvcError> {
        self.tree.reachability(block)
    }
    fn has_reachability(&self, block: &Hash32) -> Result<bool, SvcError> {
        self.tree.has_reachability(block)
    }
    fn set_reachability(&mut self, block: Hash32, node: ReachabilityNode) {
        self.tree.set_reachability(block, node);
    }
    fn reindex_root(&self) -> Result<Hash32, SvcError> {
        self.tree.reindex_root()
    }
    fn set_reindex_root(&mut self, block: Hash32) {
        self.tree.set_reindex_root(block);
    }
}

/// Keeps the pruning point, its future and its anticone.
fn prune(made: &RandomChain, pruning_point: usize) -> Pruned<'_> {
    let mut tree = MemoryDag::default();
    let kept = |block: usize| !made.graph.pasts[pruning_point].contains(block);
    // The pruning point takes the place of genesis.
    reachability::init(&mut tree, made.ids[pruning_point]).unwrap();
    for block in (0..made.ids.len()).filter(|block| kept(*block) && *block != pruning_point) {
        let data = made.chain.dag.ghostdag(&made.ids[block]).unwrap();
        let is_kept = |id: &Hash32| kept(made.index(id));
        let parent = if is_kept(&data.selected_parent) {
            data.selected_parent
        } else {
            Hash32::ORIGIN
        };
        let ordered = data.consensus_ordered_mergeset(&made.chain.dag).unwrap();
        let mergeset: Vec<Hash32> = ordered
            .into_iter()
            .filter(|id| is_kept(id) && *id != parent)
            .collect();
        reachability::add_block(&mut tree, made.ids[block], parent, &mergeset).unwrap();
    }
    Pruned {
        full: &made.chain.dag,
        tree,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn levels_hold_the_greatest_blocks(
        blocks in 5..150_usize, delay in 0..20_usize, max_parents in 1..7_usize, seed in any::<u64>()
    ) {
        let shape = Shape { blocks, delay, max_parents };
        let made = RandomChain::new(small_profile(), shape, &mut Random(seed), |_, _| {});
        let genesis = BTreeSet::from([made.chain.genesis]);
        for block in 1..blocks {
            let record = made.chain.dag.header(&made.ids[block]).unwrap();
            let direct: Vec<Hash32> = made.graph.parents[block].iter().map(|p| made.ids[*p]).collect();
            prop_assert_eq!(record.header.direct_parents(), direct);
            let found = sets(&record.header.parents);
            for level in 0..=made.chain.profile.max_block_level {
                let expected = greatest(&made, block, level);
                match found.get(usize::from(level)) {
                    Some(set) => prop_assert_eq!(set, &expected, "level {}", level),
                    None => prop_assert_eq!(&genesis, &expected, "level {}", level),
                }
            }
            prop_assert!(found.iter().skip(1).all(|set| *set != genesis));
        }
    }

    #[test]
    fn a_pruned_node_builds_the_same(
        delay in 0..12_usize, max_parents in 1..5_usize, below in 20..80_usize, seed in any::<u64>()
    ) {
        let blocks = 120;
        let shape = Shape { blocks, delay, max_parents };
        let made = RandomChain::new(small_profile(), shape, &mut Random(seed), |_, _| {});
        // A block of the selected chain of the last one.
        let mut pruning_point = made.ids[blocks - 1];
        while made.index(&pruning_point) > below {
            pruning_point = made.chain.dag.ghostdag(&pruning_point).unwrap().selected_parent;
        }
        let at = made.index(&pruning_point);
        let pruned = prune(&made, at);
        let mut compared = 0;
        for block in at + 1..blocks {
            let parents = &made.graph.parents[block];
            let direct: Vec<Hash32> = parents.iter().map(|p| made.ids[*p]).collect();
            let build =
                || build_parents(&pruned, &made.chain.profile, &made.chain.genesis, &pruning_point, &direct);
            let above = parents.iter().find(|parent| made.graph.is_ancestor(at, **parent));
            if parents.iter().any(|parent| made.graph.pasts[at].contains(*parent)) {
                continue;
            }
            if above.is_none() {
                prop_assert_eq!(build().unwrap_err().code.as_str(), "header/pruning-violation");
                continue;
            }
            compared += 1;
            let header = &made.chain.dag.header(&made.ids[block]).unwrap().header;
            prop_assert_eq!(sets(&build().unwrap()), sets(&header.parents));
        }
        prop_assume!(compared > 0);
    }
}

#[test]
fn a_block_needs_a_parent() {
    let shape = Shape {
        blocks: 2,
        delay: 0,
        max_parents: 1,
    };
    let made = RandomChain::new(small_profile(), shape, &mut Random(1), |_, _| {});
    let genesis = &made.chain.genesis;
    let error =
        build_parents(&made.chain.dag, &made.chain.profile, genesis, genesis, &[]).unwrap_err();
    assert_eq!(error.code.as_str(), "header/no-parents");
}
