//! GHOSTDAG of one block level: the graph that the blocks of a level and above form among themselves (specification
//! consensus 7.10).
//!
//! A block of level `l` was found by chance at a much lower target, so a short list of such blocks stands for the work
//! of a long chain. Each level is a graph of its own: edges are the parents at that level, and a blue block counts for at
//! least the work its level takes on average. The graph lives in memory and may begin at any block.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use svc_chain::bits::{level_work, work_from_bits};
use svc_chain::header::Header;
use svc_chain::uint256::U256;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::ghostdag::{compare, genesis_ghostdag, ghostdag};
use crate::parents_builder::parents_at;
use crate::reachability;
use crate::records::{DepthRecord, GhostdagData, HeaderRecord, ReachabilityNode};
use crate::store::DagStore;

/// What makes the graph of a level.
#[derive(Clone, Copy, Debug)]
pub struct LevelRules {
    /// The level.
    pub level: u8,
    /// The highest level of the network.
    pub max_level: u8,
    /// GHOSTDAG bound on the blue anticone of a blue block.
    pub k: u16,
    /// Genesis, the parent at every level that a header does not write out.
    pub genesis: Hash32,
}

struct LevelBlock {
    parents: Vec<Hash32>,
    work: U256,
    claimed_blue_work: U256,
    ghostdag: Rc<GhostdagData>,
}

/// GHOSTDAG scores of a block in the graph of its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelScore {
    /// Greatest parent at the level; the virtual root for the first block.
    pub selected_parent: Hash32,
    /// Blue blocks of the level in the past.
    pub blue_score: u64,
    /// Their work, each counted with the work of the level at least.
    pub blue_work: U256,
}

/// The scores of a finished graph.
#[derive(Clone, Debug)]
pub struct LevelScores {
    /// The greatest block.
    pub tip: Hash32,
    /// Every block.
    pub blocks: HashMap<Hash32, LevelScore>,
}

/// The graph of one level, which grows by blocks whose parents at the level came before.
pub struct LevelDag {
    rules: LevelRules,
    blocks: HashMap<Hash32, LevelBlock>,
    nodes: HashMap<Hash32, Rc<ReachabilityNode>>,
    reindex_root: Hash32,
    tip: Option<Hash32>,
}

impl LevelDag {
    /// A graph without blocks.
    pub fn new(rules: LevelRules) -> Self {
        Self {
            rules,
            blocks: HashMap::new(),
            nodes: HashMap::new(),
            reindex_root: Hash32::ORIGIN,
            tip: None,
        }
    }

    /// Whether a block was added.
    pub fn contains(&self, block: &Hash32) -> bool {
        self.blocks.contains_key(block)
    }

    /// The parents of a header at the level that were added, in the order of the header, each once.
    pub fn known_parents(&self, header: &Header) -> Vec<Hash32> {
        let mut seen = HashSet::new();
        parents_at(header, self.rules.level, &self.rules.genesis)
            .iter()
            .filter(|parent| self.contains(parent) && seen.insert(**parent))
            .copied()
            .collect()
    }

    /// The blue work an added block's own header claims, which counts the whole graph and not the level.
    ///
    /// # Errors
    /// `store/missing` for a block that was not added.
    pub fn claimed_blue_work(&self, block: &Hash32) -> Result<U256, SvcError> {
        Ok(self.block(block)?.claimed_blue_work)
    }

    /// Adds a block that was not added yet. Parents that were not are left out; without any the block is a root.
    ///
    /// # Errors
    /// `header/mergeset-too-big`, `header/blue-work-too-large`, `engine/overflow`, `store/corrupt` for a block that is
    /// there already.
    pub fn add(&mut self, hash: Hash32, header: &Header) -> Result<(), SvcError> {
        let parents = self.known_parents(header);
        let data = if parents.is_empty() {
            genesis_ghostdag()
        } else {
            ghostdag(self, self.rules.k, &parents)?
        };
        if self.nodes.is_empty() {
            reachability::init(self, hash)?;
        } else {
            let mergeset = data.ascending_mergeset_without_selected_parent(self)?;
            reachability::add_block(self, hash, data.selected_parent, &mergeset)?;
        }
        let block = LevelBlock {
            parents,
            work: work_from_bits(header.bits)
                .max(level_work(self.rules.level, self.rules.max_level)),
            claimed_blue_work: header.blue_work,
            ghostdag: Rc::new(data),
        };
        self.blocks.insert(hash, block);
        let is_tip = match self.tip {
            Some(tip) => compare(self, &tip, &hash)?.is_lt(),
            None => true,
        };
        if is_tip {
            self.tip = Some(hash);
            reachability::hint_virtual_selected_parent(self, hash)?;
        }
        Ok(())
    }

    /// The greatest block by blue work at the level, then by hash.
    ///
    /// # Errors
    /// `store/missing` while there is no block.
    pub fn tip(&self) -> Result<Hash32, SvcError> {
        self.tip.ok_or_else(|| missing("level", &Hash32::ZERO))
    }

    /// The first block down the selected chain of the tip whose blue score is below the tip's by more than `depth`, or
    /// the root.
    ///
    /// # Errors
    /// `store/missing` while there is no block.
    pub fn block_at_depth(&self, depth: u64) -> Result<Hash32, SvcError> {
        let mut at = self.tip()?;
        let floor = self.ghostdag(&at)?.blue_score.saturating_sub(depth);
        loop {
            let data = self.ghostdag(&at)?;
            if data.blue_score < floor || data.selected_parent == Hash32::ORIGIN {
                return Ok(at);
            }
            at = data.selected_parent;
        }
    }

    /// The scores of all blocks; the rest is given back.
    ///
    /// # Errors
    /// `store/missing` while there is no block.
    pub fn into_scores(self) -> Result<LevelScores, SvcError> {
        let tip = self.tip()?;
        let score = |(hash, block): (Hash32, LevelBlock)| {
            let score = LevelScore {
                selected_parent: block.ghostdag.selected_parent,
                blue_score: block.ghostdag.blue_score,
                blue_work: block.ghostdag.blue_work,
            };
            (hash, score)
        };
        Ok(LevelScores {
            tip,
            blocks: self.blocks.into_iter().map(score).collect(),
        })
    }

    fn block(&self, block: &Hash32) -> Result<&LevelBlock, SvcError> {
        self.blocks
            .get(block)
            .ok_or_else(|| missing("level", block))
    }
}

fn missing(table: &'static str, block: &Hash32) -> SvcError {
    SvcError::new(Code::StoreMissing)
        .with("table", table)
        .with("key", block)
}

/// Coloring and reachability ask for what a level has; headers, windows and depths belong to the whole graph.
impl DagStore for LevelDag {
    fn header(&self, block: &Hash32) -> Result<Rc<HeaderRecord>, SvcError> {
        Err(missing("header", block))
    }

    fn has_header(&self, block: &Hash32) -> Result<bool, SvcError> {
        Ok(self.contains(block))
    }

    fn graph_parents(&self, block: &Hash32) -> Result<Vec<Hash32>, SvcError> {
        Ok(self.block(block)?.parents.clone())
    }

    fn graph_work(&self, block: &Hash32) -> Result<U256, SvcError> {
        Ok(self.block(block)?.work)
    }

    fn ghostdag(&self, block: &Hash32) -> Result<Rc<GhostdagData>, SvcError> {
        Ok(self.block(block)?.ghostdag.clone())
    }

    fn daa_excluded(&self, block: &Hash32) -> Result<Rc<Vec<Hash32>>, SvcError> {
        Err(missing("daa", block))
    }

    fn depth(&self, block: &Hash32) -> Result<DepthRecord, SvcError> {
        Err(missing("depth", block))
    }

    fn pruning_sample(&self, block: &Hash32) -> Result<Hash32, SvcError> {
        Err(missing("sample", block))
    }

    fn reachability(&self, block: &Hash32) -> Result<Rc<ReachabilityNode>, SvcError> {
        let node = self.nodes.get(block);
        node.cloned().ok_or_else(|| missing("reachability", block))
    }

    fn has_reachability(&self, block: &Hash32) -> Result<bool, SvcError> {
        Ok(self.nodes.contains_key(block))
    }

    fn set_reachability(&mut self, block: Hash32, node: ReachabilityNode) {
        self.nodes.insert(block, Rc::new(node));
    }

    fn reindex_root(&self) -> Result<Hash32, SvcError> {
        Ok(self.reindex_root)
    }

    fn set_reindex_root(&mut self, block: Hash32) {
        self.reindex_root = block;
    }
}
