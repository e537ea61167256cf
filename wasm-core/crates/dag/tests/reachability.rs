//! Reachability against ancestor sets by brute force, with intervals small enough to be
//! redistributed all the time.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::interval::{Interval, Shift};
use svc_dag::reachability::{
    ReindexParams, add_block_with, hint_with, init_within, is_chain_ancestor, is_dag_ancestor,
    next_chain_ancestor,
};
use svc_dag::store::DagStore;

use crate::support::cases;
use crate::support::memory_dag::MemoryDag;
use crate::support::random_graph::{Random, RandomGraph, Shape};

fn id(index: usize) -> Hash32 {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&(index as u64 + 1).to_le_bytes());
    Hash32(bytes)
}

/// A graph with a tree of selected parents chosen at random.
struct Tree {
    graph: RandomGraph,
    dag: MemoryDag,
    tree_parent: Vec<usize>,
    height: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Plan {
    shape: Shape,
    params: ReindexParams,
    space_bits: u32,
    /// One block in this many becomes the tip although another is higher.
    reorg: usize,
}

fn build(plan: Plan, random: &mut Random) -> Tree {
    let graph = RandomGraph::new(plan.shape, random);
    let mut tree = Tree {
        dag: MemoryDag::default(),
        tree_parent: vec![0],
        height: vec![0],
        graph,
    };
    let space = Interval {
        start: 1,
        end: 1 << plan.space_bits,
    };
    init_within(&mut tree.dag, id(0), space).unwrap();
    let mut tip = 0;
    for block in 1..tree.graph.parents.len() {
        let parents = &tree.graph.parents[block];
        let selected = parents[random.below(parents.len())];
        let mergeset: Vec<Hash32> = tree.graph.pasts[block]
            .iter()
            .filter(|merged| !tree.graph.is_ancestor(*merged, selected))
            .map(id)
            .collect();
        add_block_with(
            &mut tree.dag,
            plan.params,
            (id(block), id(selected)),
            &mergeset,
        )
        .unwrap();
        tree.tree_parent.push(selected);
        tree.height.push(tree.height[selected] + 1);
        if tree.height[block] > tree.height[tip] || random.below(plan.reorg) == 0 {
            tip = block;
            hint_with(&mut tree.dag, plan.params, id(tip)).unwrap();
        }
    }
    tree
}

fn chain_child(tree: &Tree, ancestor: usize, descendant: usize) -> Option<usize> {
    let mut current = descendant;
    while tree.height[current] > tree.height[ancestor] + 1 {
        current = tree.tree_parent[current];
    }
    (current != 0 && tree.tree_parent[current] == ancestor).then_some(current)
}

fn check_pair(tree: &Tree, a: usize, b: usize) {
    let (dag, graph) = (&tree.dag, &tree.graph);
    let child = chain_child(tree, a, b);
    assert_eq!(
        is_dag_ancestor(dag, &id(a), &id(b)).unwrap(),
        graph.is_ancestor(a, b),
        "{a} before {b}"
    );
    assert_eq!(
        is_chain_ancestor(dag, &id(a), &id(b)).unwrap(),
        a == b || child.is_some(),
        "{a} on chain of {b}"
    );
    assert_eq!(
        next_chain_ancestor(dag, &id(b), &id(a)).ok(),
        child.map(id),
        "from {a} to {b}"
    );
}

fn check_intervals(tree: &Tree) {
    for block in 0..tree.graph.parents.len() {
        let node = tree.dag.reachability(&id(block)).unwrap();
        assert!(!node.interval().is_empty());
        assert_eq!(node.height, tree.height[block] + 1);
        let mut next = node.start;
        for child in &node.children {
            let inner = tree.dag.reachability(child).unwrap().interval();
            assert!(
                next <= inner.start && inner.end < node.end,
                "child outside at {block}"
            );
            next = inner.end + 1;
        }
        let covering: Vec<Interval> = node
            .future_covering
            .iter()
            .map(|hash| tree.dag.reachability(hash).unwrap().interval())
            .collect();
        assert!(
            covering.windows(2).all(|pair| pair[0].end < pair[1].start),
            "covering order at {block}"
        );
    }
}

fn shapes() -> impl Strategy<Value = Plan> {
    let shape =
        (20..160_usize, 0..24_usize, 1..8_usize).prop_map(|(blocks, delay, max_parents)| Shape {
            blocks,
            delay,
            max_parents,
        });
    let params = (1..12_u64, 1..20_u64).prop_map(|(depth, slack)| ReindexParams { depth, slack });
    (shape, params, 14..40_u32, 2..30_usize).prop_map(|(shape, params, space_bits, reorg)| Plan {
        shape,
        params,
        space_bits,
        reorg,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(200), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_equal_ancestor_sets(plan in shapes(), seed in any::<u64>()) {
        let tree = build(plan, &mut Random(seed));
        check_intervals(&tree);
        for a in 0..tree.graph.parents.len() {
            for b in 0..tree.graph.parents.len() {
                check_pair(&tree, a, b);
            }
        }
    }
}

fn sampled(plan: Plan, seed: u64) {
    println!("seed {seed}, {plan:?}");
    let mut random = Random(seed);
    let tree = build(plan, &mut random);
    check_intervals(&tree);
    let blocks = tree.graph.parents.len();
    for _ in 0..200_000 {
        check_pair(&tree, random.below(blocks), random.below(blocks));
    }
    let writes = tree.dag.node_writes as f64 / blocks as f64;
    println!("{blocks} blocks, {writes:.1} node writes a block");
}

const SMALL: ReindexParams = ReindexParams {
    depth: 10,
    slack: 8,
};

#[test]
fn thousands_of_blocks_in_a_narrow_graph() {
    let shape = Shape {
        blocks: 6_000,
        delay: 3,
        max_parents: 3,
    };
    sampled(
        Plan {
            shape,
            params: SMALL,
            space_bits: 30,
            reorg: 50,
        },
        1,
    );
    sampled(
        Plan {
            shape,
            params: ReindexParams::STANDARD,
            space_bits: 60,
            reorg: 200,
        },
        2,
    );
}

#[test]
fn thousands_of_blocks_in_a_wide_graph() {
    let shape = Shape {
        blocks: 4_000,
        delay: 80,
        max_parents: 12,
    };
    sampled(
        Plan {
            shape,
            params: SMALL,
            space_bits: 34,
            reorg: 20,
        },
        3,
    );
    sampled(
        Plan {
            shape,
            params: ReindexParams::STANDARD,
            space_bits: 60,
            reorg: 100,
        },
        4,
    );
}

/// Branches that keep growing from blocks far below the tip: room comes from the slack of the chain.
#[test]
fn old_branches_grow_beside_the_chain() {
    let params = ReindexParams { depth: 5, slack: 4 };
    for seed in 0..20 {
        println!("seed {seed}");
        let mut random = Random(seed);
        let mut dag = MemoryDag::default();
        init_within(
            &mut dag,
            id(0),
            Interval {
                start: 1,
                end: 1 << 40,
            },
        )
        .unwrap();
        let mut tree_parent = vec![0];
        let mut height = vec![0_u64];
        let mut tip = 0;
        for block in 1..1_500 {
            let parent = if random.below(3) == 0 {
                random.below(block)
            } else {
                tip
            };
            add_block_with(&mut dag, params, (id(block), id(parent)), &[]).unwrap();
            tree_parent.push(parent);
            height.push(height[parent] + 1);
            if height[block] > height[tip] {
                tip = block;
                hint_with(&mut dag, params, id(tip)).unwrap();
            }
        }
        let mut graph = RandomGraph {
            parents: vec![Vec::new()],
            pasts: vec![Default::default()],
        };
        tree_parent
            .iter()
            .skip(1)
            .for_each(|parent| graph.push(vec![*parent]));
        let tree = Tree {
            graph,
            dag,
            tree_parent,
            height,
        };
        check_intervals(&tree);
        for _ in 0..20_000 {
            check_pair(&tree, random.below(1_500), random.below(1_500));
        }
    }
}

/// A chain longer than any stack: nothing recurses.
#[test]
fn a_long_chain_is_added_in_few_writes() {
    let mut dag = MemoryDag::default();
    svc_dag::reachability::init(&mut dag, id(0)).unwrap();
    let length = 200_000;
    for block in 1..length {
        svc_dag::reachability::add_block(&mut dag, id(block), id(block - 1), &[]).unwrap();
        svc_dag::reachability::hint_virtual_selected_parent(&mut dag, id(block)).unwrap();
    }
    assert!(is_chain_ancestor(&dag, &id(1), &id(length - 1)).unwrap());
    assert!(!is_dag_ancestor(&dag, &id(length - 1), &id(1)).unwrap());
    assert_eq!(
        next_chain_ancestor(&dag, &id(length - 1), &id(500)).unwrap(),
        id(501)
    );
    let writes = dag.node_writes as f64 / length as f64;
    println!("{writes:.1} node writes a block");
    assert!(writes < 12.0, "{writes:.1} node writes a block");
}

/// The same without hints: the whole chain hangs in the first half of the space.
#[test]
fn a_long_chain_without_hints_is_still_right() {
    let mut dag = MemoryDag::default();
    svc_dag::reachability::init(&mut dag, id(0)).unwrap();
    for block in 1..20_000 {
        svc_dag::reachability::add_block(&mut dag, id(block), id(block - 1), &[]).unwrap();
    }
    assert!(is_chain_ancestor(&dag, &id(7), &id(19_999)).unwrap());
    assert!(!is_chain_ancestor(&dag, &id(19_999), &id(7)).unwrap());
}

#[test]
fn a_block_is_added_once() {
    let mut dag = MemoryDag::default();
    svc_dag::reachability::init(&mut dag, id(0)).unwrap();
    svc_dag::reachability::add_block(&mut dag, id(1), id(0), &[]).unwrap();
    assert!(svc_dag::reachability::add_block(&mut dag, id(1), id(0), &[]).is_err());
    assert!(svc_dag::reachability::add_block(&mut dag, id(3), id(2), &[]).is_err());
}

/// The code of a refusal; "" when there is none.
fn code<T>(outcome: Result<T, SvcError>) -> &'static str {
    outcome.map_or_else(|error| error.code.as_str(), |_| "")
}

#[test]
fn a_tree_without_room_for_a_block_is_an_overflow() {
    let mut dag = MemoryDag::default();
    // Every block needs a number of its own.
    init_within(&mut dag, id(0), Interval { start: 1, end: 4 }).unwrap();
    let mut add = |block| {
        let place = (id(block), id(block - 1));
        code(add_block_with(&mut dag, SMALL, place, &[]))
    };
    assert_eq!(add(1), "");
    let refusal = (2..6).map(add).find(|code| !code.is_empty());
    assert_eq!(refusal, Some("engine/overflow"));
}

#[test]
fn an_interval_that_64_bits_cannot_hold_is_an_overflow() {
    const OVERFLOW: &str = "engine/overflow";
    let interval = |start, end| Interval { start, end };
    let up = |start_up, end_up| Shift {
        start_up,
        end_up,
        ..Shift::default()
    };
    let down = |start_down, end_down| Shift {
        start_down,
        end_down,
        ..Shift::default()
    };
    let last = interval(u64::MAX - 2, u64::MAX - 1);
    assert_eq!(code(last.moved(up(2, 0))), "", "empty at the end");
    assert_eq!(code(last.moved(up(3, 0))), OVERFLOW, "its start behind");
    assert_eq!(code(last.moved(up(0, 2))), OVERFLOW, "its end");
    assert_eq!(code(interval(1, 5).moved(down(2, 0))), OVERFLOW);
    assert_eq!(code(interval(1, 5).moved(down(0, 6))), OVERFLOW);
    let ten = interval(1, 10);
    assert_eq!(code(ten.split_exact(&[4, 6])), "");
    for sizes in [&[4, 5][..], &[4, 7], &[u64::MAX, 2], &[]] {
        assert_eq!(code(ten.split_exact(sizes)), OVERFLOW, "{sizes:?}");
    }
    assert_eq!(code(ten.split_exponential(&[4, 6])), "");
    assert_eq!(code(ten.split_exponential(&[])), "");
    for sizes in [&[4, 7][..], &[u64::MAX, 2]] {
        assert_eq!(code(ten.split_exponential(sizes)), OVERFLOW, "{sizes:?}");
    }
}
