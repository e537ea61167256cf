//! Merge depth, finality depth and pruning samples against their statement over the whole selected
//! chain (specification consensus 7.8 and 7.9).
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use svc_codec::hash32::Hash32;
use svc_dag::records::GhostdagData;
use svc_dag::store::DagStore;

use crate::support::cases;
use crate::support::memory_dag::{Chain, Facts};
use crate::support::random_chain::{RandomChain, small_profile};
use crate::support::random_graph::{Random, Shape};

fn score(chain: &Chain, id: &Hash32) -> u64 {
    chain.dag.header(id).unwrap().header.blue_score
}

/// The selected chain below a block, newest first, down to genesis.
fn selected_chain(chain: &Chain, data: &GhostdagData) -> Vec<Hash32> {
    let mut blocks = Vec::new();
    let mut current = data.selected_parent;
    while current != Hash32::ORIGIN {
        blocks.push(current);
        current = chain.dag.ghostdag(&current).unwrap().selected_parent;
    }
    blocks
}

fn at_depth(chain: &Chain, data: &GhostdagData, depth: u64) -> Hash32 {
    let below = |id: &Hash32| score(chain, id) + depth < data.blue_score;
    selected_chain(chain, data)
        .into_iter()
        .find(below)
        .unwrap_or(chain.genesis)
}

fn samples(chain: &Chain, data: &GhostdagData) -> Vec<Hash32> {
    let finality = chain.profile.finality_depth;
    let blocks = selected_chain(chain, data);
    let mut samples: Vec<Hash32> = blocks
        .windows(2)
        .filter(|pair| score(chain, &pair[0]) / finality > score(chain, &pair[1]) / finality)
        .map(|pair| pair[0])
        .collect();
    samples.push(chain.genesis);
    samples
}

fn pruning_point(chain: &Chain, data: &GhostdagData) -> Hash32 {
    let profile = &chain.profile;
    let parent = &chain.dag.header(&data.selected_parent).unwrap().header;
    let is_sample =
        data.blue_score / profile.finality_depth > parent.blue_score / profile.finality_depth;
    let most = profile.pruning_depth.div_ceil(profile.finality_depth) as usize;
    let fits = |(index, sample): &(usize, Hash32)| {
        *sample == chain.genesis
            || score(chain, sample) + profile.pruning_depth <= data.blue_score
            || (is_sample && index + 1 == most)
            || *sample == parent.pruning_point
    };
    samples(chain, data)
        .into_iter()
        .enumerate()
        .find(fits)
        .unwrap()
        .1
}

fn violates(made: &RandomChain, data: &GhostdagData, root: &Hash32) -> bool {
    let chain = &made.chain;
    let in_past = |a: &Hash32, b: &Hash32| made.graph.is_ancestor(made.index(a), made.index(b));
    let on_chain = |id: &Hash32| {
        id == root || selected_chain(chain, &chain.dag.ghostdag(id).unwrap()).contains(root)
    };
    let allowing: Vec<&Hash32> = data.blues.iter().filter(|blue| on_chain(blue)).collect();
    data.reds
        .iter()
        .any(|red| !in_past(root, red) && !allowing.iter().any(|blue| in_past(red, blue)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(120), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn depths_equal_their_statement(
        blocks in 20..400_usize, delay in 0..30_usize, max_parents in 1..7_usize,
        k in 0..14_u16, merge_depth in 3..40_u64, seed in any::<u64>()
    ) {
        let mut profile = small_profile();
        profile.ghostdag_k = k;
        profile.merge_depth = merge_depth;
        let shape = Shape { blocks, delay, max_parents };
        RandomChain::new(profile, shape, &mut Random(seed), |made, parents| {
            let Facts { data, depth, sample, pruning_point: found, bounded_merge, .. } = made.chain.facts(parents);
            let profile = &made.chain.profile;
            assert_eq!(depth.merge_depth_root, at_depth(&made.chain, &data, profile.merge_depth));
            assert_eq!(depth.finality_point, at_depth(&made.chain, &data, profile.finality_depth));
            assert_eq!(sample, samples(&made.chain, &data)[0]);
            assert_eq!(found, pruning_point(&made.chain, &data));
            let violated = violates(made, &data, &depth.merge_depth_root);
            assert_eq!(bounded_merge.is_err(), violated);
            if let Err(error) = bounded_merge {
                assert_eq!(error.code.as_str(), "header/bounded-merge");
            }
        });
    }
}

/// A red block below the merge depth is refused, and allowed again once a blue above the merge depth
/// root has merged it.
#[test]
fn old_reds_need_a_blue_that_merged_them() {
    let mut profile = small_profile();
    profile.ghostdag_k = 2;
    profile.merge_depth = 6;
    let shape = Shape {
        blocks: 2,
        delay: 0,
        max_parents: 1,
    };
    let made = RandomChain::new(profile, shape, &mut Random(1), |_, _| {});
    let mut chain = made.chain;
    let start = made.ids[1];
    let mut time = chain.profile.genesis.timestamp_ms;
    let mut mine = |chain: &mut Chain, parents: &[Hash32]| {
        time += 1_000;
        chain.mine(parents, time, 0)
    };
    let branch = mine(&mut chain, &[start]);
    let mut tip = start;
    for _ in 0..7 {
        tip = mine(&mut chain, &[tip]);
    }
    // Merged as red while the merge depth root is still below the branch.
    let early = mine(&mut chain, &[tip, branch]);
    assert!(chain.dag.ghostdag(&early).unwrap().reds.contains(&branch));
    for _ in 0..6 {
        tip = mine(&mut chain, &[tip]);
    }
    let late = chain.facts(&[tip, branch]);
    assert!(late.data.reds.contains(&branch));
    let error = late.bounded_merge.unwrap_err();
    assert_eq!(error.code.as_str(), "header/bounded-merge");
    assert_eq!(error.data, [("block", branch.to_string())]);
}

/// Pruning points follow the chain and never fall back.
#[test]
fn pruning_points_advance() {
    let shape = Shape {
        blocks: 700,
        delay: 2,
        max_parents: 2,
    };
    println!("seed 9");
    let made = RandomChain::new(small_profile(), shape, &mut Random(9), |_, _| {});
    let chain = &made.chain;
    let last = chain.dag.ghostdag(&made.ids[699]).unwrap();
    let mut newest = u64::MAX;
    for id in selected_chain(chain, &last)
        .iter()
        .take_while(|id| **id != chain.genesis)
    {
        let header = &chain.dag.header(id).unwrap().header;
        let point = score(chain, &header.pruning_point);
        assert!(point <= newest);
        newest = point;
    }
    assert_eq!(newest, 0);
    let tip = &chain.dag.header(&last.selected_parent).unwrap().header;
    let point = score(chain, &tip.pruning_point);
    assert!(point > 0 && point + 2 * chain.profile.finality_depth < tip.blue_score);
}
