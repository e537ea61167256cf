//! Deleting blocks from the reachability tree against ancestor sets by brute force: any blocks, in any order, while
//! the graph goes on growing and intervals are redistributed all the time.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use proptest::prelude::*;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::interval::Interval;
use svc_dag::reachability::{
    ReindexParams, add_block_with, hint_with, init_within, is_chain_ancestor, is_dag_ancestor,
    next_chain_ancestor,
};
use svc_dag::reachability_delete::{PrunableStore, delete_block};
use svc_dag::records::{DepthRecord, GhostdagData, HeaderRecord, ReachabilityNode};
use svc_dag::store::DagStore;

use crate::support::cases;
use crate::support::memory_dag::MemoryDag;
use crate::support::random_graph::{Random, RandomGraph, Shape};

fn id(index: usize) -> Hash32 {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&(index as u64 + 1).to_le_bytes());
    Hash32(bytes)
}

/// A tree whose nodes can be removed.
#[derive(Default)]
struct Prunable {
    dag: MemoryDag,
    removed: BTreeSet<Hash32>,
    inherited: HashMap<Hash32, Vec<Hash32>>,
}

impl DagStore for Prunable {
    fn header(&self, block: &Hash32) -> Result<Rc<HeaderRecord>, SvcError> {
        self.dag.header(block)
    }
    fn has_header(&self, block: &Hash32) -> Result<bool, SvcError> {
        self.dag.has_header(block)
    }
    fn ghostdag(&self, block: &Hash32) -> Result<Rc<GhostdagData>, SvcError> {
        self.dag.ghostdag(block)
    }
    fn daa_excluded(&self, block: &Hash32) -> Result<Rc<Vec<Hash32>>, SvcError> {
        self.dag.daa_excluded(block)
    }
    fn depth(&self, block: &Hash32) -> Result<DepthRecord, SvcError> {
        self.dag.depth(block)
    }
    fn pruning_sample(&self, block: &Hash32) -> Result<Hash32, SvcError> {
        self.dag.pruning_sample(block)
    }
    fn reachability(&self, block: &Hash32) -> Result<Rc<ReachabilityNode>, SvcError> {
        assert!(!self.removed.contains(block), "a deleted node was read");
        self.dag.reachability(block)
    }
    fn has_reachability(&self, block: &Hash32) -> Result<bool, SvcError> {
        Ok(!self.removed.contains(block) && self.dag.has_reachability(block)?)
    }
    fn set_reachability(&mut self, block: Hash32, node: ReachabilityNode) {
        assert!(!self.removed.contains(&block), "a deleted node was written");
        self.dag.set_reachability(block, node);
    }
    fn reindex_root(&self) -> Result<Hash32, SvcError> {
        self.dag.reindex_root()
    }
    fn set_reindex_root(&mut self, block: Hash32) {
        self.dag.set_reindex_root(block);
    }
}

impl PrunableStore for Prunable {
    fn remove_reachability(&mut self, block: &Hash32) {
        self.removed.insert(*block);
        self.inherited.remove(block);
    }
    fn inherited_merges(&self, block: &Hash32) -> Result<Vec<Hash32>, SvcError> {
        Ok(self.inherited.get(block).cloned().unwrap_or_default())
    }
    fn set_inherited_merges(&mut self, block: &Hash32, merged: Vec<Hash32>) {
        self.inherited.insert(*block, merged);
    }
}

#[derive(Clone, Copy, Debug)]
struct Plan {
    shape: Shape,
    params: ReindexParams,
    space_bits: u32,
    /// Blocks are deleted after this many were added.
    pause: usize,
    /// One block in this many stays for good.
    keep: usize,
}

struct Run {
    plan: Plan,
    graph: RandomGraph,
    dag: Prunable,
    tree_parent: Vec<usize>,
    mergesets: Vec<Vec<Hash32>>,
    height: Vec<u64>,
    alive: BTreeSet<usize>,
    tip: usize,
}

impl Run {
    fn new(plan: Plan, random: &mut Random) -> Self {
        let mut run = Self {
            graph: RandomGraph::new(plan.shape, random),
            dag: Prunable::default(),
            tree_parent: vec![0],
            mergesets: vec![Vec::new()],
            height: vec![0],
            alive: BTreeSet::from([0]),
            tip: 0,
            plan,
        };
        let end = 1 << plan.space_bits;
        init_within(&mut run.dag, id(0), Interval { start: 1, end }).unwrap();
        run
    }

    fn add(&mut self, block: usize, random: &mut Random) {
        let parents = &self.graph.parents[block];
        let selected = parents[random.below(parents.len())];
        let merged = |merged: &usize| {
            self.alive.contains(merged) && !self.graph.is_ancestor(*merged, selected)
        };
        let mergeset: Vec<Hash32> = self.graph.pasts[block]
            .iter()
            .filter(merged)
            .map(id)
            .collect();
        let params = self.plan.params;
        add_block_with(&mut self.dag, params, (id(block), id(selected)), &mergeset).unwrap();
        self.mergesets.push(mergeset);
        self.tree_parent.push(selected);
        self.height.push(self.height[selected] + 1);
        self.alive.insert(block);
        if self.height[block] > self.height[self.tip] || random.below(15) == 0 {
            self.tip = block;
            hint_with(&mut self.dag, params, id(block)).unwrap();
        }
    }

    /// Deletes what no later block names as a parent, but for a few, in random order.
    fn delete(&mut self, next: usize, random: &mut Random) {
        let needed: BTreeSet<usize> = self.graph.parents[next..]
            .iter()
            .flatten()
            .copied()
            .collect();
        let mut doomed: Vec<usize> = self.alive.iter().copied().collect();
        doomed.retain(|block| {
            *block != self.tip && !needed.contains(block) && random.below(self.plan.keep) != 0
        });
        for index in (1..doomed.len()).rev() {
            doomed.swap(index, random.below(index + 1));
        }
        for block in doomed {
            delete_block(&mut self.dag, &id(block), &self.mergesets[block]).unwrap();
            self.alive.remove(&block);
        }
    }

    /// The nearest block below in the tree that is there.
    fn kept_parent(&self, block: usize) -> Option<usize> {
        let mut current = block;
        while current != 0 {
            current = self.tree_parent[current];
            if self.alive.contains(&current) {
                return Some(current);
            }
        }
        None
    }

    fn chain_child(&self, ancestor: usize, descendant: usize) -> Option<usize> {
        let mut current = descendant;
        while let Some(parent) = self.kept_parent(current) {
            if parent == ancestor {
                return Some(current);
            }
            current = parent;
        }
        None
    }

    fn check(&self) {
        for a in self.alive.iter().copied() {
            let node = self.dag.reachability(&id(a)).unwrap();
            assert_eq!(node.parent, self.kept_parent(a).map_or(Hash32::ORIGIN, id));
            for link in node.children.iter().chain(&node.future_covering) {
                assert!(self.dag.has_reachability(link).unwrap());
            }
            for b in self.alive.iter().copied() {
                let child = self.chain_child(a, b);
                assert_eq!(
                    is_dag_ancestor(&self.dag, &id(a), &id(b)).unwrap(),
                    self.graph.is_ancestor(a, b),
                    "{a} before {b}"
                );
                assert_eq!(
                    is_chain_ancestor(&self.dag, &id(a), &id(b)).unwrap(),
                    a == b || child.is_some(),
                    "{a} on chain of {b}"
                );
                let next = next_chain_ancestor(&self.dag, &id(b), &id(a)).ok();
                assert_eq!(next, child.map(id), "from {a} to {b}");
            }
        }
    }
}

fn plans() -> impl Strategy<Value = Plan> {
    let shape =
        (20..220_usize, 0..24_usize, 1..8_usize).prop_map(|(blocks, delay, max_parents)| Shape {
            blocks,
            delay,
            max_parents,
        });
    let params = (1..12_u64, 1..20_u64).prop_map(|(depth, slack)| ReindexParams { depth, slack });
    (shape, params, 16..40_u32, 10..90_usize, 1..12_usize).prop_map(
        |(shape, params, space_bits, pause, keep)| Plan {
            shape,
            params,
            space_bits,
            pause,
            keep,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(100), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn kept_blocks_keep_their_answers(plan in plans(), seed in any::<u64>()) {
        let random = &mut Random(seed);
        let mut run = Run::new(plan, random);
        for block in 1..run.graph.parents.len() {
            run.add(block, random);
            if block % plan.pause == 0 {
                run.delete(block + 1, random);
                run.check();
            }
        }
        run.check();
    }
}

/// A long chain with side blocks, of which only the newest part stays: rounds of deletion do not make it dearer.
#[test]
fn a_chain_pruned_again_and_again_stays_small() {
    let mut dag = Prunable::default();
    let params = ReindexParams::STANDARD;
    svc_dag::reachability::init(&mut dag, id(0)).unwrap();
    let chain = |height: usize| id(2 * height);
    let side = |height: usize| id(2 * height + 1);
    let window = 300;
    for height in 1..5_000 {
        let merged: Vec<Hash32> = (height > 2).then(|| side(height - 1)).into_iter().collect();
        let block = chain(height);
        add_block_with(&mut dag, params, (block, chain(height - 1)), &merged).unwrap();
        add_block_with(&mut dag, params, (side(height), chain(height - 1)), &[]).unwrap();
        hint_with(&mut dag, params, block).unwrap();
        if height > window {
            let old = height - window;
            let mergeset = [side(old - 1)];
            let mergeset = if old > 2 { &mergeset[..] } else { &[] };
            delete_block(&mut dag, &chain(old), mergeset).unwrap();
            if old % 100 != 0 {
                delete_block(&mut dag, &side(old), &[]).unwrap();
            }
        }
    }
    let tip = chain(4_999);
    assert!(is_dag_ancestor(&dag, &side(100), &tip).unwrap());
    assert!(is_dag_ancestor(&dag, &side(4_600), &tip).unwrap());
    assert!(is_dag_ancestor(&dag, &side(100), &side(200)).unwrap());
    assert!(!is_dag_ancestor(&dag, &side(4_900), &chain(4_900)).unwrap());
    let kept = dag.reachability(&side(100)).unwrap();
    // The newer blocks that were kept beside the chain, and the chain.
    assert!(kept.future_covering.len() <= 50, "{kept:?}");
    let heirs = dag.inherited.values().map(Vec::len).max().unwrap_or(0);
    println!("{heirs} inherited at most");
}
