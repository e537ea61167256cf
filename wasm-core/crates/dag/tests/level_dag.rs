//! The graph of a level against the definition over whole sets (specification consensus 7.10).
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::rc::Rc;

use proptest::prelude::*;
use svc_chain::bits::{level_work, work_from_bits};
use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;
use svc_dag::level_dag::{LevelDag, LevelRules};
use svc_dag::parents_builder::parents_at;
use svc_dag::records::HeaderRecord;
use svc_dag::store::DagStore;

use crate::support::random_chain::{RandomChain, small_profile};
use crate::support::random_graph::{Random, Shape};

fn rules_of(made: &RandomChain, level: u8) -> LevelRules {
    LevelRules {
        level,
        max_level: made.chain.profile.max_block_level,
        k: made.chain.profile.ghostdag_k,
        genesis: made.chain.genesis,
    }
}

fn record(made: &RandomChain, block: usize) -> Rc<HeaderRecord> {
    made.chain.dag.header(&made.ids[block]).unwrap()
}

/// Blocks of a level and above in the order they were made, which is topological.
fn at_level(made: &RandomChain, level: u8) -> Vec<usize> {
    let all = 0..made.ids.len();
    all.filter(|block| record(made, *block).level >= level)
        .collect()
}

fn level_dag(made: &RandomChain, level: u8, blocks: &[usize]) -> LevelDag {
    let mut dag = LevelDag::new(rules_of(made, level));
    for block in blocks {
        dag.add(made.ids[*block], &record(made, *block).header)
            .unwrap();
    }
    dag
}

/// What the definition says about a block: all blue blocks of its past, and their work.
#[derive(Clone)]
struct Expected {
    selected_parent: Option<usize>,
    blue_set: BTreeSet<usize>,
    work: U256,
}

/// Every block of the list colored by the definition; ancestry is that of the whole graph.
fn by_definition(made: &RandomChain, level: u8, blocks: &[usize]) -> Vec<Expected> {
    let k = usize::from(made.chain.profile.ghostdag_k);
    let related = |a: usize, b: usize| made.graph.is_ancestor(a, b) || made.graph.is_ancestor(b, a);
    let anticone = |block: usize, set: &BTreeSet<usize>| {
        set.iter().filter(|other| !related(block, **other)).count()
    };
    let mut known: Vec<Expected> = Vec::new();
    let at = |block: usize| blocks.iter().position(|other| *other == block);
    for block in blocks {
        let header = &record(made, *block).header;
        let parents = parents_at(header, level, &made.chain.genesis);
        let key =
            |index: usize, known: &[Expected]| (known[at(index).unwrap()].work, made.ids[index]);
        let mut mergeset: Vec<usize> = Vec::new();
        let mut next = Expected {
            selected_parent: None,
            blue_set: BTreeSet::new(),
            work: U256::zero(),
        };
        let selected = parents
            .iter()
            .map(|parent| made.index(parent))
            .filter(|parent| at(*parent).is_some())
            .max_by_key(|parent| key(*parent, &known));
        if let Some(selected) = selected {
            let past = blocks.iter().copied();
            mergeset.extend(past.filter(|other| {
                other != block
                    && made.graph.is_ancestor(*other, *block)
                    && !made.graph.is_ancestor(*other, selected)
            }));
            mergeset.sort_by_key(|index| key(*index, &known));
            mergeset.insert(0, selected);
            next = known[at(selected).unwrap()].clone();
            next.selected_parent = Some(selected);
        }
        let mut blues = 0;
        for (position, candidate) in mergeset.into_iter().enumerate() {
            let around: Vec<usize> = next
                .blue_set
                .iter()
                .copied()
                .filter(|other| !related(candidate, *other))
                .collect();
            let fits = blues <= k
                && around.len() <= k
                && around
                    .iter()
                    .all(|peer| anticone(*peer, &next.blue_set) < k);
            if position == 0 || fits {
                blues += 1;
                next.blue_set.insert(candidate);
                let own = work_from_bits(record(made, candidate).header.bits);
                next.work += own.max(level_work(level, made.chain.profile.max_block_level));
            }
        }
        known.push(next);
    }
    known
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn coloring_equals_the_definition(
        k in 0..6_u16, blocks in 20..140_usize, delay in 0..30_usize, max_parents in 1..9_usize, seed in any::<u64>()
    ) {
        let mut profile = small_profile();
        profile.ghostdag_k = k;
        let shape = Shape { blocks, delay, max_parents };
        let made = RandomChain::new(profile, shape, &mut Random(seed), |_, _| {});
        for level in 0..5 {
            let blocks = at_level(&made, level);
            let dag = level_dag(&made, level, &blocks);
            for (block, expected) in blocks.iter().zip(by_definition(&made, level, &blocks)) {
                let data = dag.ghostdag(&made.ids[*block]).unwrap();
                prop_assert_eq!(data.blue_score, expected.blue_set.len() as u64, "level {}", level);
                prop_assert_eq!(data.blue_work, expected.work, "level {}", level);
                let selected = expected.selected_parent.map_or(Hash32::ORIGIN, |index| made.ids[index]);
                prop_assert_eq!(data.selected_parent, selected, "level {}", level);
                if level == 0 {
                    prop_assert_eq!(&data, &made.chain.dag.ghostdag(&made.ids[*block]).unwrap());
                }
            }
            let tip = dag.tip().unwrap();
            let scores = dag.into_scores().unwrap();
            prop_assert_eq!(scores.tip, tip);
            let key = |block: &Hash32| (scores.blocks[block].blue_work, *block);
            prop_assert!(scores.blocks.keys().all(|block| key(block) <= key(&tip)));
            prop_assert_eq!(scores.blocks.len(), blocks.len());
        }
    }
}

#[test]
fn a_graph_may_begin_anywhere() {
    let shape = Shape {
        blocks: 120,
        delay: 0,
        max_parents: 1,
    };
    let made = RandomChain::new(small_profile(), shape, &mut Random(7), |_, _| {});
    let dag = level_dag(&made, 0, &(50..120).collect::<Vec<_>>());
    let root = dag.ghostdag(&made.ids[50]).unwrap();
    assert_eq!((root.blue_score, root.selected_parent), (0, Hash32::ORIGIN));
    assert_eq!(dag.tip().unwrap(), made.ids[119]);
    assert_eq!(dag.ghostdag(&made.ids[119]).unwrap().blue_score, 69);
    // One more than the depth below, as score 58 is the last that is within it.
    assert_eq!(dag.block_at_depth(10).unwrap(), made.ids[50 + 58]);
    assert_eq!(dag.block_at_depth(69).unwrap(), made.ids[50]);
    assert_eq!(dag.block_at_depth(1_000).unwrap(), made.ids[50]);
    assert!(!dag.contains(&made.ids[49]));
    let known = dag.known_parents(&record(&made, 50).header);
    assert!(known.is_empty());
    let again = level_dag(&made, 0, &[50]).add(made.ids[50], &record(&made, 50).header);
    assert_eq!(again.unwrap_err().code.as_str(), "store/corrupt");
    let empty = LevelDag::new(rules_of(&made, 3));
    assert_eq!(empty.tip().unwrap_err().code.as_str(), "store/missing");
}

#[test]
fn work_of_levels() {
    assert_eq!(level_work(0, 250), U256::zero());
    assert_eq!(level_work(1, 250), U256::one() << 7);
    assert_eq!(level_work(121, 250), U256::one() << 127);
    assert_eq!(level_work(122, 250), U256::one() << 128);
    assert_eq!(level_work(250, 250), U256::one() << 128);
    assert_eq!(level_work(1, 225), U256::one() << 32);
    assert_eq!(level_work(255, 255), U256::one() << 128);
}

/// Bits may claim more work than the blue work of a header holds. A graph without judged work refuses the block on top.
#[test]
fn blue_work_that_no_header_holds_is_refused() {
    let shape = Shape {
        blocks: 2,
        delay: 0,
        max_parents: 1,
    };
    let made = RandomChain::new(small_profile(), shape, &mut Random(7), |_, _| {});
    let genesis = record(&made, 0);
    let mut dag = LevelDag::new(rules_of(&made, 0));
    dag.add(genesis.hash, &genesis.header).unwrap();
    let mut header = record(&made, 1).header.clone();
    // One hash in 2^185 meets the first target, one in 2^193 the second.
    for (bits, code) in [
        (0x097f_ffff, ""),
        (0x087f_ffff, "header/blue-work-too-large"),
    ] {
        header.bits = bits;
        let below = header.hash();
        dag.add(below, &header).unwrap();
        let above = Header {
            parents: Parents::from_levels(&[vec![below]]).unwrap(),
            ..header.clone()
        };
        let added = dag
            .add(above.hash(), &above)
            .map_err(|error| error.code.as_str());
        assert_eq!(added.err().unwrap_or_default(), code);
    }
}
