//! GHOSTDAG against its definition over whole sets (specification consensus 7.1): no stored sizes,
//! no reachability, no early end.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use proptest::prelude::*;
use svc_chain::bits::work_from_bits;
use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_MERGESET_WALK;
use svc_dag::ghostdag::{compare, genesis_ghostdag, ghostdag};
use svc_dag::records::{GhostdagData, ReachabilityNode};
use svc_dag::store::DagStore;

use crate::support::memory_dag::{Chain, genesis_header};
use crate::support::random_chain::{RandomChain, small_profile};
use crate::support::random_graph::{Random, Shape};

/// What the definition says about one block.
struct Expected {
    selected_parent: usize,
    blues: Vec<usize>,
    reds: Vec<usize>,
    /// Every blue block of the past.
    blue_set: BTreeSet<usize>,
    work: U256,
}

fn anticone(made: &RandomChain, block: usize, set: &BTreeSet<usize>) -> Vec<usize> {
    let related =
        |other: usize| made.graph.is_ancestor(block, other) || made.graph.is_ancestor(other, block);
    set.iter()
        .copied()
        .filter(|other| !related(*other))
        .collect()
}

fn expected(made: &RandomChain, known: &[Expected], block: usize, k: usize) -> Expected {
    let key = |index: usize| (known[index].work, made.ids[index]);
    let selected_parent = made.graph.parents[block]
        .iter()
        .copied()
        .max_by_key(|parent| key(*parent))
        .unwrap();
    let mut mergeset: Vec<usize> = made.graph.pasts[block]
        .iter()
        .filter(|other| !made.graph.is_ancestor(*other, selected_parent))
        .collect();
    mergeset.sort_by_key(|index| key(*index));

    let mut blue_set = known[selected_parent].blue_set.clone();
    blue_set.insert(selected_parent);
    let (mut blues, mut reds) = (vec![selected_parent], Vec::new());
    for candidate in mergeset {
        let around = anticone(made, candidate, &blue_set);
        let fits = blues.len() <= k
            && around.len() <= k
            && around
                .iter()
                .all(|peer| anticone(made, *peer, &blue_set).len() < k);
        if fits {
            blue_set.insert(candidate);
            blues.push(candidate);
        } else {
            reds.push(candidate);
        }
    }
    let bits = |index: &usize| {
        made.chain
            .dag
            .header(&made.ids[*index])
            .unwrap()
            .header
            .bits
    };
    let work = blues.iter().fold(known[selected_parent].work, |sum, blue| {
        sum + work_from_bits(bits(blue))
    });
    Expected {
        selected_parent,
        blues,
        reds,
        blue_set,
        work,
    }
}

fn check(made: &RandomChain, expected: &Expected, data: &GhostdagData) {
    let indices = |ids: &[Hash32]| ids.iter().map(|id| made.index(id)).collect::<Vec<_>>();
    assert_eq!(made.index(&data.selected_parent), expected.selected_parent);
    assert_eq!(indices(&data.blues), expected.blues);
    assert_eq!(indices(&data.reds), expected.reds);
    assert_eq!(data.blue_score, expected.blue_set.len() as u64);
    assert_eq!(data.blue_work, expected.work);
    for (id, size) in &data.anticone_sizes {
        let real = anticone(made, made.index(id), &expected.blue_set).len();
        assert_eq!(usize::from(*size), real, "anticone size of {id}");
    }
    let ordered = indices(&data.consensus_ordered_mergeset(&made.chain.dag).unwrap());
    for (position, block) in ordered.iter().enumerate() {
        let later = &ordered[position + 1..];
        assert!(
            later
                .iter()
                .all(|other| !made.graph.is_ancestor(*other, *block)),
            "not topological"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn coloring_equals_the_definition(
        k in 0..7_u16, blocks in 10..130_usize, delay in 0..30_usize, max_parents in 1..9_usize, seed in any::<u64>()
    ) {
        let mut profile = small_profile();
        profile.ghostdag_k = k;
        let shape = Shape { blocks, delay, max_parents };
        let made = RandomChain::new(profile, shape, &mut Random(seed), |_, _| {});
        let mut known = vec![Expected {
            selected_parent: 0, blues: Vec::new(), reds: Vec::new(), blue_set: BTreeSet::new(), work: U256::zero(),
        }];
        for block in 1..blocks {
            let next = expected(&made, &known, block, usize::from(k));
            let data = made.chain.dag.ghostdag(&made.ids[block]).unwrap();
            check(&made, &next, &data);
            prop_assert_eq!(GhostdagData::decode(&data.encode()).unwrap(), (*data).clone());
            let node = made.chain.dag.reachability(&made.ids[block]).unwrap();
            prop_assert_eq!(ReachabilityNode::decode(&node.encode()).unwrap(), (*node).clone());
            known.push(next);
        }
        // The order of parents in the header changes nothing.
        let mut parents: Vec<Hash32> = made.graph.parents[blocks - 1].iter().map(|p| made.ids[*p]).collect();
        parents.reverse();
        let data = ghostdag(&made.chain.dag, k, &parents).unwrap();
        prop_assert_eq!(data, (*made.chain.dag.ghostdag(&made.ids[blocks - 1]).unwrap()).clone());
    }

    #[test]
    fn stored_forms_refuse_damage(bytes in proptest::collection::vec(any::<u8>(), 0..300), version in any::<bool>()) {
        let mut bytes = bytes;
        if version && !bytes.is_empty() {
            bytes[0] = 1;
        }
        if let Ok(data) = GhostdagData::decode(&bytes) {
            prop_assert_eq!(data.encode(), bytes.clone());
        }
        if let Ok(node) = ReachabilityNode::decode(&bytes) {
            prop_assert_eq!(node.encode(), bytes);
        }
    }
}

#[test]
fn order_is_work_then_hash() {
    let shape = Shape {
        blocks: 40,
        delay: 10,
        max_parents: 3,
    };
    let made = RandomChain::new(small_profile(), shape, &mut Random(5), |_, _| {});
    for a in &made.ids {
        for b in &made.ids {
            let key = |id: &Hash32| (made.chain.dag.ghostdag(id).unwrap().blue_work, *id);
            assert_eq!(compare(&made.chain.dag, a, b).unwrap(), key(a).cmp(&key(b)));
        }
    }
    let error = ghostdag(&made.chain.dag, 18, &[]).unwrap_err();
    assert_eq!(error.code.as_str(), "header/no-parents");
    let error = ghostdag(&made.chain.dag, 18, &[Hash32([9; 32])]).unwrap_err();
    assert_eq!(error.code.as_str(), "store/missing");
    assert_eq!(genesis_ghostdag().mergeset_size(), 0);
}

/// A mergeset is walked as far as the bound, that number included.
#[test]
fn the_walk_of_a_mergeset_is_bounded() {
    let mut profile = small_profile();
    profile.fixed_difficulty = true;
    let genesis = genesis_header(&mut profile);
    let k = profile.ghostdag_k;
    let mut chain = Chain::new(profile, &genesis);
    let mut branch = |length: usize| {
        let mut tip = chain.genesis;
        for number in 0..length {
            tip = chain.mine(&[tip], number as u64, 0);
        }
        tip
    };
    // The longer one is selected; the other one is the mergeset.
    let (selected, merged) = (branch(MAX_MERGESET_WALK + 2), branch(MAX_MERGESET_WALK));
    let more = chain.mine(&[merged], 0, 0);
    let data = ghostdag(&chain.dag, k, &[merged, selected]).unwrap();
    assert_eq!(data.selected_parent, selected);
    assert_eq!(data.mergeset_size(), 1 + MAX_MERGESET_WALK);
    let error = ghostdag(&chain.dag, k, &[more, selected]).unwrap_err();
    assert_eq!(error.code.as_str(), "header/mergeset-too-big");
}
