//! Windows, difficulty and median time against their statement without a cache and without an early
//! end (specification consensus 7.3–7.6), and with every kind of cache against each other.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use svc_chain::bits::{bits_from_target, target_from_bits};
use svc_chain::header::Header;
use svc_chain::profile::Profile;
use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;
use svc_dag::ghostdag::ghostdag;
use svc_dag::records::GhostdagData;
use svc_dag::store::DagStore;
use svc_dag::windows::{WindowManager, daa_data};

use crate::support::cases;
use crate::support::memory_dag::{Chain, Facts};
use crate::support::random_chain::{RandomChain, small_profile};
use crate::support::random_graph::{Random, Shape};

// The lint fires inside the macro.
#[allow(clippy::manual_div_ceil)]
mod wide {
    uint::construct_uint! {
        pub struct U512(8);
    }
}
use wide::U512;

fn header(chain: &Chain, id: &Hash32) -> Header {
    chain.dag.header(id).unwrap().header.clone()
}

/// Mergeset blocks too old to count, selected parent and genesis included.
fn is_excluded(chain: &Chain, data: &GhostdagData, id: &Hash32) -> bool {
    let reach = chain.profile.difficulty_window_size * chain.profile.difficulty_sample_rate;
    let lowest = data.blue_score.max(reach) - reach;
    let genesis_selected = *id == chain.genesis && data.selected_parent == chain.genesis;
    genesis_selected || header(chain, id).blue_score < lowest
}

/// Every sampled block of the past, down to genesis; the `size` greatest of them, greatest first.
fn window(chain: &Chain, data: &GhostdagData, size: u64, rate: u64) -> Vec<Header> {
    let mut samples: Vec<Header> = Vec::new();
    let mut current = data.clone();
    while current.selected_parent != chain.genesis {
        let mut mergeset: Vec<Hash32> = current.blues[1..]
            .iter()
            .chain(&current.reds)
            .copied()
            .collect();
        mergeset.sort_by_key(|id| std::cmp::Reverse((header(chain, id).blue_work, *id)));
        mergeset.insert(0, current.selected_parent);
        mergeset.retain(|id| !is_excluded(chain, &current, id));
        let base = header(chain, &current.selected_parent).daa_score;
        for (index, id) in mergeset.iter().enumerate() {
            if (base + index as u64 + 1).is_multiple_of(rate) {
                samples.push(header(chain, id));
            }
        }
        current = (*chain.dag.ghostdag(&current.selected_parent).unwrap()).clone();
    }
    samples.sort_by_key(|header| std::cmp::Reverse((header.blue_work, header.hash())));
    samples.truncate(size as usize);
    samples
}

/// `sum / count * duration / expected` in numbers that nothing here overflows, at most 2^255 - 1.
fn averaged(targets: &[U256], duration: u64, expected: u64) -> U256 {
    let wide = |number: &U256| U512::from_little_endian(&number.to_little_endian());
    let sum = targets
        .iter()
        .map(wide)
        .fold(U512::zero(), |sum, target| sum + target);
    let target = sum / U512::from(targets.len()) * U512::from(duration) / U512::from(expected);
    let easiest = (U512::one() << 255) - 1;
    U256::from_little_endian(&target.min(easiest).to_little_endian()[..32])
}

fn bits(chain: &Chain, data: &GhostdagData) -> u32 {
    let profile = &chain.profile;
    let mut samples = window(
        chain,
        data,
        profile.difficulty_window_size,
        profile.difficulty_sample_rate,
    );
    if (samples.len() as u64) < profile.min_difficulty_window_size {
        let parent = &data.selected_parent;
        return if *parent == chain.genesis {
            profile.genesis.bits
        } else {
            header(chain, parent).bits
        };
    }
    samples.sort_by_key(|header| (header.timestamp_ms, header.blue_work, header.hash()));
    let duration = (samples[samples.len() - 1].timestamp_ms - samples[0].timestamp_ms).max(1);
    let targets: Vec<U256> = samples[1..]
        .iter()
        .map(|header| target_from_bits(header.bits))
        .collect();
    let expected =
        profile.target_time_per_block_ms * profile.difficulty_sample_rate * targets.len() as u64;
    bits_from_target(ramp(
        profile,
        averaged(&targets, duration, expected),
        data.blue_score,
    ))
}

fn ramp(profile: &Profile, target: U256, blue_score: u64) -> U256 {
    let (e, r) = (
        profile.launch_ramp.low_difficulty_blocks,
        profile.launch_ramp.low_difficulty_blocks + profile.launch_ramp.ramp_blocks,
    );
    let genesis = target_from_bits(profile.genesis.bits);
    if r == 0 {
        target
    } else if blue_score <= e {
        target.max(genesis)
    } else if blue_score < r {
        target.max(genesis >> ((genesis.bits() as u64 - 32) * (blue_score - e) / (r - e)) as usize)
    } else {
        target.min(genesis)
    }
}

fn median(chain: &Chain, data: &GhostdagData) -> u64 {
    let profile = &chain.profile;
    let samples = window(
        chain,
        data,
        profile.past_median_time_window_size,
        profile.past_median_time_sample_rate,
    );
    if samples.is_empty() {
        return header(chain, &data.selected_parent).timestamp_ms;
    }
    let mut times: Vec<u64> = samples.iter().map(|header| header.timestamp_ms).collect();
    times.sort_unstable();
    let (n, f) = (times.len(), times.len().min(11));
    let end = (n + f).div_ceil(2);
    let sum: u64 = times[end - f..end].iter().sum();
    (sum + f as u64 / 2) / f as u64
}

fn check(made: &RandomChain, parents: &[Hash32], managers: &[WindowManager]) {
    let chain = &made.chain;
    let Facts {
        data,
        daa,
        bits: found_bits,
        past_median_time,
        ..
    } = chain.facts(parents);
    let mergeset: Vec<Hash32> = data.blues.iter().chain(&data.reds).copied().collect();
    let excluded: Vec<Hash32> = mergeset
        .iter()
        .filter(|id| is_excluded(chain, &data, id))
        .copied()
        .collect();
    assert_eq!(daa.excluded, excluded);
    let counted = (mergeset.len() - excluded.len()) as u64;
    assert_eq!(
        daa.daa_score,
        header(chain, &data.selected_parent).daa_score + counted
    );
    assert_eq!(found_bits, bits(chain, &data));
    assert_eq!(past_median_time, median(chain, &data));
    for manager in managers {
        let (dag, profile) = (&chain.dag, &chain.profile);
        assert_eq!(
            manager.difficulty_bits(dag, profile, &data, &daa).unwrap(),
            found_bits
        );
        assert_eq!(
            manager.past_median_time(dag, profile, &data, &daa).unwrap(),
            past_median_time
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(60), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn windows_equal_their_statement(
        blocks in 30..220_usize, delay in 0..25_usize, max_parents in 1..7_usize,
        k in 1..6_u16, ramp in 0..3_u64, seed in any::<u64>()
    ) {
        let mut profile = small_profile();
        profile.ghostdag_k = k;
        profile.launch_ramp.low_difficulty_blocks = ramp * 20;
        profile.launch_ramp.ramp_blocks = ramp * 30;
        let managers = [WindowManager::with_capacity(0), WindowManager::with_capacity(2)];
        let shape = Shape { blocks, delay, max_parents };
        RandomChain::new(profile, shape, &mut Random(seed), |made, parents| check(made, parents, &managers));
    }
}

/// The windows of the real networks, over a chain long enough to fill them.
#[test]
fn full_size_windows_equal_their_statement() {
    let mut profile = small_profile();
    let standard = Profile::built_in("devnet").unwrap();
    profile.difficulty_window_size = standard.difficulty_window_size;
    profile.min_difficulty_window_size = standard.min_difficulty_window_size;
    profile.difficulty_sample_rate = standard.difficulty_sample_rate;
    profile.past_median_time_window_size = standard.past_median_time_window_size;
    profile.past_median_time_sample_rate = standard.past_median_time_sample_rate;
    profile.merge_depth = standard.merge_depth;
    profile.finality_depth = standard.finality_depth;
    let managers = [WindowManager::with_capacity(0)];
    let shape = Shape {
        blocks: 3_400,
        delay: 3,
        max_parents: 3,
    };
    let mut seen = 0;
    println!("seed 11");
    RandomChain::new(profile, shape, &mut Random(11), |made, parents| {
        seen += 1;
        if seen > 600 && seen % 397 == 0 || seen == 3_399 {
            check(made, parents, &managers);
        }
    });
}

#[test]
fn fixed_difficulty_stays_at_genesis() {
    let mut profile = small_profile();
    profile.fixed_difficulty = true;
    let bits = profile.genesis.bits;
    let shape = Shape {
        blocks: 120,
        delay: 4,
        max_parents: 3,
    };
    let made = RandomChain::new(profile, shape, &mut Random(3), |_, _| {});
    assert!(
        made.ids
            .iter()
            .all(|id| header(&made.chain, id).bits == bits)
    );
}

#[test]
fn first_scores_are_those_of_the_specification() {
    let shape = Shape {
        blocks: 4,
        delay: 0,
        max_parents: 1,
    };
    let made = RandomChain::new(small_profile(), shape, &mut Random(1), |_, _| {});
    let scores: Vec<u64> = made
        .ids
        .iter()
        .map(|id| header(&made.chain, id).daa_score)
        .collect();
    assert_eq!(scores, [0, 0, 1, 2]);
    let data = ghostdag(&made.chain.dag, 18, &made.ids[..1]).unwrap();
    let daa = daa_data(
        &made.chain.dag,
        &made.chain.profile,
        &made.chain.genesis,
        &data,
    )
    .unwrap();
    assert_eq!(daa.excluded, [made.chain.genesis]);
}
