//! Random graphs carried through the whole computation of a chain.

use svc_chain::profile::Profile;
use svc_codec::hash32::Hash32;

use super::memory_dag::{Chain, genesis_header};
use super::random_graph::{Random, RandomGraph, Shape};

/// A graph, the chain made from it, and the block ids by index.
pub struct RandomChain {
    pub graph: RandomGraph,
    pub chain: Chain,
    pub ids: Vec<Hash32>,
}

impl RandomChain {
    /// Makes the chain; `before` sees each block's parents just before the block is added.
    pub fn new(
        mut profile: Profile,
        shape: Shape,
        random: &mut Random,
        mut before: impl FnMut(&Self, &[Hash32]),
    ) -> Self {
        let graph = RandomGraph::new(shape, random);
        let genesis = genesis_header(&mut profile);
        let start = profile.genesis.timestamp_ms;
        let step = profile.target_time_per_block_ms;
        let chain = Chain::new(profile, &genesis);
        let mut made = Self {
            graph,
            ids: vec![chain.genesis],
            chain,
        };
        for block in 1..made.graph.parents.len() {
            let parents: Vec<Hash32> = made.graph.parents[block]
                .iter()
                .map(|parent| made.ids[*parent])
                .collect();
            before(&made, &parents);
            let jitter = random.below(4 * step as usize) as u64;
            let level = random
                .next()
                .trailing_zeros()
                .min(u32::from(made.chain.profile.max_block_level)) as u8;
            let id = made
                .chain
                .mine(&parents, start + block as u64 * step / 2 + jitter, level);
            made.ids.push(id);
        }
        made
    }

    pub fn index(&self, id: &Hash32) -> usize {
        self.ids.iter().position(|other| other == id).unwrap()
    }
}

/// A small network: every window and depth is met within a few hundred blocks.
pub fn small_profile() -> Profile {
    let mut profile = Profile::built_in("simnet").unwrap();
    profile.fixed_difficulty = false;
    profile.genesis.bits = 0x1f00_ffff;
    profile.difficulty_window_size = 20;
    profile.min_difficulty_window_size = 6;
    profile.difficulty_sample_rate = 3;
    profile.past_median_time_window_size = 13;
    profile.past_median_time_sample_rate = 2;
    profile.merge_depth = 30;
    profile.finality_depth = 40;
    // Three finality depths: the third sample is often, not always, deep enough.
    profile.pruning_depth = 120;
    profile.max_block_level = 12;
    profile
}
