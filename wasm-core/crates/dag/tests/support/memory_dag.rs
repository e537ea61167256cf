//! A block graph in memory that does with a header what the engine does, without judging it.

use std::collections::HashMap;
use std::rc::Rc;

use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::profile::Profile;
use svc_chain::uint256::U256;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::depth::{check_bounded_merge, depth_record};
use svc_dag::ghostdag::{genesis_ghostdag, ghostdag};
use svc_dag::parents_builder::build_parents;
use svc_dag::pruning_point::{expected_header_pruning_point, pruning_sample_from_pov};
use svc_dag::reachability;
use svc_dag::records::{DepthRecord, GhostdagData, HeaderRecord, ReachabilityNode};
use svc_dag::store::DagStore;
use svc_dag::windows::{DaaData, WindowManager, daa_data};

/// The store alone.
#[derive(Default)]
pub struct MemoryDag {
    headers: HashMap<Hash32, Rc<HeaderRecord>>,
    ghostdag: HashMap<Hash32, Rc<GhostdagData>>,
    excluded: HashMap<Hash32, Rc<Vec<Hash32>>>,
    depths: HashMap<Hash32, DepthRecord>,
    samples: HashMap<Hash32, Hash32>,
    nodes: HashMap<Hash32, Rc<ReachabilityNode>>,
    reindex_root: Option<Hash32>,
    /// How often a reachability node was written.
    pub node_writes: u64,
}

fn found<T: Clone>(value: Option<&T>, table: &str, key: &Hash32) -> Result<T, SvcError> {
    value.cloned().ok_or_else(|| {
        SvcError::new(Code::StoreMissing)
            .with("table", table)
            .with("key", key)
    })
}

impl DagStore for MemoryDag {
    fn header(&self, block: &Hash32) -> Result<Rc<HeaderRecord>, SvcError> {
        found(self.headers.get(block), "header", block)
    }
    fn has_header(&self, block: &Hash32) -> Result<bool, SvcError> {
        Ok(self.headers.contains_key(block))
    }
    fn ghostdag(&self, block: &Hash32) -> Result<Rc<GhostdagData>, SvcError> {
        found(self.ghostdag.get(block), "ghostdag", block)
    }
    fn daa_excluded(&self, block: &Hash32) -> Result<Rc<Vec<Hash32>>, SvcError> {
        found(self.excluded.get(block), "daa", block)
    }
    fn depth(&self, block: &Hash32) -> Result<DepthRecord, SvcError> {
        found(self.depths.get(block), "depth", block)
    }
    fn pruning_sample(&self, block: &Hash32) -> Result<Hash32, SvcError> {
        found(self.samples.get(block), "sample", block)
    }
    fn reachability(&self, block: &Hash32) -> Result<Rc<ReachabilityNode>, SvcError> {
        found(self.nodes.get(block), "reachability", block)
    }
    fn has_reachability(&self, block: &Hash32) -> Result<bool, SvcError> {
        Ok(self.nodes.contains_key(block))
    }
    fn set_reachability(&mut self, block: Hash32, node: ReachabilityNode) {
        self.node_writes += 1;
        self.nodes.insert(block, Rc::new(node));
    }
    fn reindex_root(&self) -> Result<Hash32, SvcError> {
        found(self.reindex_root.as_ref(), "root", &Hash32::ZERO)
    }
    fn set_reindex_root(&mut self, block: Hash32) {
        self.reindex_root = Some(block);
    }
}

/// Everything the graph says about a block with given parents.
pub struct Facts {
    pub data: GhostdagData,
    pub daa: DaaData,
    pub bits: u32,
    pub past_median_time: u64,
    pub depth: DepthRecord,
    pub bounded_merge: Result<(), SvcError>,
    pub sample: Hash32,
    pub pruning_point: Hash32,
    pub parents: Parents,
}

/// A graph of one network from genesis on; nothing is pruned.
pub struct Chain {
    pub dag: MemoryDag,
    pub profile: Profile,
    pub genesis: Hash32,
    pub windows: WindowManager,
    selected_tip: Hash32,
}

impl Chain {
    pub fn new(profile: Profile, genesis: &Header) -> Self {
        let hash = genesis.hash();
        let mut chain = Self {
            dag: MemoryDag::default(),
            genesis: hash,
            windows: WindowManager::new(),
            selected_tip: hash,
            profile,
        };
        reachability::init(&mut chain.dag, hash).unwrap();
        let level = chain.profile.max_block_level;
        let record = HeaderRecord {
            header: genesis.clone(),
            hash,
            level,
        };
        let depth = DepthRecord {
            merge_depth_root: Hash32::ORIGIN,
            finality_point: Hash32::ORIGIN,
        };
        chain.dag.headers.insert(hash, Rc::new(record));
        chain.dag.ghostdag.insert(hash, Rc::new(genesis_ghostdag()));
        chain.dag.excluded.insert(hash, Rc::default());
        chain.dag.depths.insert(hash, depth);
        chain.dag.samples.insert(hash, hash);
        chain
    }

    /// What a block with these parents must say.
    pub fn facts(&self, parents: &[Hash32]) -> Facts {
        let (dag, profile, genesis) = (&self.dag, &self.profile, &self.genesis);
        let data = ghostdag(dag, profile.ghostdag_k, parents).unwrap();
        let daa = daa_data(dag, profile, genesis, &data).unwrap();
        let depth = depth_record(dag, profile, genesis, genesis, &data).unwrap();
        let sample = pruning_sample_from_pov(dag, profile, genesis, &data).unwrap();
        Facts {
            bits: self
                .windows
                .difficulty_bits(dag, profile, &data, &daa)
                .unwrap(),
            past_median_time: self
                .windows
                .past_median_time(dag, profile, &data, &daa)
                .unwrap(),
            bounded_merge: check_bounded_merge(dag, &data, &depth),
            pruning_point: expected_header_pruning_point(dag, profile, genesis, &data, &sample)
                .unwrap(),
            parents: build_parents(dag, profile, genesis, genesis, parents).unwrap(),
            data,
            daa,
            depth,
            sample,
        }
    }

    /// Stores a block, and moves the selected tip when it is greater.
    pub fn add(&mut self, record: HeaderRecord, facts: Facts) {
        let hash = record.hash;
        let mergeset = facts
            .data
            .ascending_mergeset_without_selected_parent(&self.dag)
            .unwrap();
        self.dag.headers.insert(hash, Rc::new(record));
        reachability::add_block(&mut self.dag, hash, facts.data.selected_parent, &mergeset)
            .unwrap();
        self.dag.ghostdag.insert(hash, Rc::new(facts.data));
        self.dag.excluded.insert(hash, Rc::new(facts.daa.excluded));
        self.dag.depths.insert(hash, facts.depth);
        self.dag.samples.insert(hash, facts.sample);
        if svc_dag::ghostdag::compare(&self.dag, &hash, &self.selected_tip)
            .unwrap()
            .is_gt()
        {
            self.selected_tip = hash;
            reachability::hint_virtual_selected_parent(&mut self.dag, hash).unwrap();
        }
    }

    /// Makes and stores a block that says what it must.
    pub fn mine(&mut self, parents: &[Hash32], timestamp_ms: u64, level: u8) -> Hash32 {
        let facts = self.facts(parents);
        let header = self.header(&facts, timestamp_ms);
        let hash = header.hash();
        self.add(
            HeaderRecord {
                header,
                hash,
                level,
            },
            facts,
        );
        hash
    }

    fn header(&self, facts: &Facts, timestamp_ms: u64) -> Header {
        Header {
            version: 1,
            parents: facts.parents.clone(),
            hash_merkle_root: Hash32::ZERO,
            accepted_id_merkle_root: Hash32::ZERO,
            utxo_commitment: Hash32::ZERO,
            timestamp_ms: timestamp_ms.max(facts.past_median_time + 1),
            bits: facts.bits,
            nonce: self.dag.headers.len() as u64,
            daa_score: facts.daa.daa_score,
            blue_work: facts.data.blue_work,
            blue_score: facts.data.blue_score,
            pruning_point: facts.pruning_point,
        }
    }
}

/// Genesis of a test network: its id is put into the profile.
pub fn genesis_header(profile: &mut Profile) -> Header {
    let header = Header {
        version: 0,
        parents: Parents::default(),
        hash_merkle_root: Hash32::ZERO,
        accepted_id_merkle_root: Hash32::ZERO,
        utxo_commitment: Hash32::ZERO,
        timestamp_ms: profile.genesis.timestamp_ms,
        bits: profile.genesis.bits,
        nonce: 0,
        daa_score: 0,
        blue_work: U256::zero(),
        blue_score: 0,
        pruning_point: Hash32::ZERO,
    };
    profile.genesis.hash = header.hash();
    header
}
