//! A small network whose pruning point moves every few dozen blocks, and miners that hear of each other late.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use svc_chain::block::Block;
use svc_chain::profile::Profile;
use svc_chance::chance::Chance;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::pipeline::event::Event;
use svc_consensus::records::block_status::Stage;
use svc_consensus::store::tables;
use svc_consensus::store::{MemoryStore, Store};
use svc_dag::reachability::is_dag_ancestor;
use svc_dag::store::DagStore;

use crate::scenarios::kit::{Node, simnet_with};
use crate::scenarios::payments::Payment;
use crate::scenarios::self_check::check;

/// Blue score between two pruning points.
pub const FINALITY: u64 = 25;
/// Blue score between the pruning point and the sink.
pub const DEPTH: u64 = 160;
/// Oldest anchor.
pub const MAX_AGE: u64 = 20;

/// The rules of the simnet with every depth in reach of a few hundred blocks, and with difficulty.
pub fn small_network() -> Profile {
    simnet_with(&[
        ("/ghostdagK", json!(3)),
        ("/mergesetSizeLimit", json!(8)),
        ("/mergeDepth", json!(10)),
        ("/finalityDepth", json!(FINALITY)),
        ("/pruningDepth", json!(DEPTH)),
        ("/pruningProofM", json!(6)),
        ("/shieldedAnchorDepth", json!(3)),
        ("/maxShieldedAnchorAge", json!(MAX_AGE)),
        ("/difficultyWindowSize", json!(30)),
        ("/minDifficultyWindowSize", json!(6)),
        ("/difficultySampleRate", json!(2)),
        ("/pastMedianTimeWindowSize", json!(9)),
        ("/pastMedianTimeSampleRate", json!(3)),
        ("/fixedDifficulty", json!(false)),
        ("/maxBlockParents", json!(6)),
        // Every fourth block or so is of level 1 or higher, so that proofs are short.
        ("/maxBlockLevel", json!(254)),
    ])
}

/// Calls `prune` until nothing is left; the number of calls and of blocks.
pub fn prune_all<S: Store>(node: &mut Node<S>, budget: usize) -> (usize, usize) {
    let (mut calls, mut blocks) = (0, 0);
    loop {
        let progress = node.engine.prune(budget).unwrap();
        node.events.extend(progress.events);
        calls += 1;
        blocks += progress.blocks;
        assert!(progress.blocks <= budget.max(1));
        if progress.done {
            return (calls, blocks);
        }
        assert!(calls < 1_000_000, "pruning comes to no end");
    }
}

/// Miners that hear of each other's blocks late. Blocks that were left out too long stay out for good.
pub struct Miners {
    pub chance: Chance,
    nodes: Vec<Node>,
    heard: Vec<usize>,
    pub blocks: Vec<Block>,
    /// Blocks by which a miner may be behind.
    pub latency: u64,
}

impl Miners {
    pub fn new(profile: &Profile, seed: u64, count: usize) -> Self {
        println!("seed {seed}");
        Self {
            chance: Chance::new(seed),
            nodes: (0..count).map(|_| Node::new(profile.clone())).collect(),
            heard: vec![0; count],
            blocks: Vec::new(),
            latency: 6,
        }
    }

    /// A miner finds a block on what it has heard of.
    pub fn mine(&mut self) -> Block {
        let who = self.chance.index(self.nodes.len());
        let latency = self.chance.below(self.latency) as usize;
        let known = self.heard[who].max(self.blocks.len().saturating_sub(latency));
        for block in &self.blocks[self.heard[who]..known] {
            self.nodes[who].insert(block);
        }
        self.heard[who] = known;
        let node = &mut self.nodes[who];
        node.settle();
        let payment = self.chance.one_in(3).then(|| {
            let chain = node.chain();
            let back = self.chance.index(40);
            let anchor = chain[(chain.len() - 1).saturating_sub(back)];
            Payment::of(self.chance.below(2_000))
                .against(node, &anchor)
                .build()
        });
        let carried: Vec<_> = payment.into_iter().collect();
        let mut block = node.build_carrying(who as u32, &carried);
        block.header.nonce = self.chance.bits();
        node.insert(&block);
        self.blocks.push(block.clone());
        block
    }
}

/// What two nodes that were given the same blocks must agree on, whatever they keep.
pub fn assert_agree<S: Store, T: Store>(full: &Node<S>, pruned: &Node<T>) {
    let (a, b) = (full.engine.records(), pruned.engine.records());
    assert_eq!(a.virtual_record().unwrap(), b.virtual_record().unwrap());
    assert_eq!(a.position().unwrap(), b.position().unwrap());
    let (mut left, mut right) = (a.tips().unwrap(), b.tips().unwrap());
    left.sort();
    right.sort();
    assert_eq!(left, right);
    let (x, y) = (a.pruning().unwrap(), b.pruning().unwrap());
    assert_eq!((x.point, x.index), (y.point, y.index));
    assert_eq!(full.chain(), pruned.chain());
    check(pruned, 500).unwrap();
    for tip in left {
        assert_same_graph(full, pruned, tip);
    }
}

/// Every block from a tip down to what the pruned node keeps of the graph has the same records.
fn assert_same_graph<S: Store, T: Store>(full: &Node<S>, pruned: &Node<T>, tip: Hash32) {
    let (a, b) = (full.engine.records(), pruned.engine.records());
    let point = a.pruning_point().unwrap();
    let mut seen = BTreeSet::from([tip]);
    let mut waiting = vec![tip];
    while let Some(block) = waiting.pop() {
        assert_eq!(a.header(&block).unwrap(), b.header(&block).unwrap());
        assert_eq!(a.ghostdag(&block).unwrap(), b.ghostdag(&block).unwrap());
        assert_eq!(
            a.daa_excluded(&block).unwrap(),
            b.daa_excluded(&block).unwrap()
        );
        if is_dag_ancestor(a, &point, &block).unwrap() {
            assert_eq!(
                a.known_status(&block).unwrap(),
                b.known_status(&block).unwrap()
            );
            assert_eq!(a.depth(&block).unwrap(), b.depth(&block).unwrap());
            if a.stage(&block).unwrap() == Some(Stage::Valid) {
                let (x, y) = (
                    a.chain_state(&block).unwrap(),
                    b.chain_state(&block).unwrap(),
                );
                assert_eq!(x.encode(), y.encode());
                let (x, y) = (a.acceptance(&block).unwrap(), b.acceptance(&block).unwrap());
                assert_eq!(x.encode(), y.encode());
            }
        }
        for parent in b.graph_parents(&block).unwrap() {
            if seen.insert(parent) {
                waiting.push(parent);
            }
        }
    }
}

/// Rows and bytes of the tables that may not grow with the chain.
pub fn live_size(node: &Node<MemoryStore>) -> (usize, usize) {
    let lasting = [
        tables::SCAN_RECORDS,
        tables::CHAIN_EVIDENCE,
        tables::OPENINGS,
        tables::CHAIN_BY_HASH,
        tables::CHAIN_BY_INDEX,
        tables::NULLIFIERS,
        tables::PRUNING_POINTS,
    ];
    let rows = node.engine.records().overlay.store().dump();
    let live = rows.iter().filter(|(table, ..)| !lasting.contains(table));
    live.fold((0, 0), |(rows, bytes), (_, key, value)| {
        (rows + 1, bytes + key.len() + value.len())
    })
}

/// Number of rows of each table.
pub fn rows_by_table(node: &Node<MemoryStore>) -> BTreeMap<u8, usize> {
    let mut rows = BTreeMap::new();
    for (table, ..) in node.engine.records().overlay.store().dump() {
        *rows.entry(table).or_default() += 1;
    }
    rows
}

/// The pruning points that were published.
pub fn pruned_points<S: Store>(node: &Node<S>) -> Vec<Hash32> {
    let points = node.events.iter().filter_map(|event| match event {
        Event::Pruned { point, .. } => Some(*point),
        _ => None,
    });
    points.collect()
}

/// The small network with other depths.
pub fn simnet_with_depths(finality: u64, pruning: u64) -> Result<Profile, SvcError> {
    let mut json: serde_json::Value =
        serde_json::from_str(&small_network().canonical_json()).unwrap();
    json["finalityDepth"] = json!(finality);
    json["pruningDepth"] = json!(pruning);
    Profile::from_json(&json.to_string())
}

/// The small network before the security fork.
pub fn without_fork() -> Profile {
    let mut json: serde_json::Value =
        serde_json::from_str(&small_network().canonical_json()).unwrap();
    json["activations"]["securityFork"] = json!(null);
    Profile::from_json(&json.to_string()).unwrap()
}
