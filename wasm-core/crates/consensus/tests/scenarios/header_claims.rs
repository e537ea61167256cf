//! What a header claims about its past, field by field.

use serde_json::json;
use svc_chain::block::Block;
use svc_chain::header::parents::Parents;
use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;
use svc_consensus::pipeline::inserted::Inserted;
use svc_dag::store::DagStore;

use crate::scenarios::kit::{Node, simnet, simnet_with};
use crate::scenarios::pruning_kit::small_network;

/// What is changed in a valid block, and how.
type Case = (&'static str, fn(&mut Block));

fn node() -> Node {
    let mut node = Node::new(simnet());
    node.mine_many(1, 5);
    node
}

fn parents(direct: &[Hash32]) -> Parents {
    Parents::from_levels(&[direct.to_vec()]).unwrap()
}

#[test]
fn claims_that_are_wrong_for_good_are_remembered() {
    let cases: [Case; 5] = [
        ("header/wrong-version", |block| block.header.version += 1),
        ("header/wrong-blue-score", |block| {
            block.header.blue_score += 1
        }),
        ("header/wrong-blue-work", |block| {
            block.header.blue_work += U256::from(1u8);
        }),
        ("header/time-too-old", |block| {
            block.header.timestamp_ms = simnet().genesis.timestamp_ms;
        }),
        ("header/wrong-indirect-parents", |block| {
            let direct = block.header.direct_parents().to_vec();
            let levels = [direct, vec![Hash32([7; 32])]];
            block.header.parents = Parents::from_levels(&levels).unwrap();
        }),
    ];
    let mut node = node();
    for (code, change) in cases {
        let mut block = node.build(1, &[]);
        change(&mut block);
        assert_eq!(node.refusal(&block), code);
        assert_eq!(node.refusal(&block), "header/known-invalid", "{code}");
    }
}

/// As many levels as there should be, with another block in one of them.
#[test]
fn each_level_names_its_own_parents() {
    let mut node = Node::new(small_network());
    let block = loop {
        let block = node.build(1, &[]);
        if block.header.parents.levels() > 2 {
            break block;
        }
        node.add(&block);
    };
    let parents = &block.header.parents;
    let levels: Vec<Vec<Hash32>> = (0..parents.levels())
        .map(|level| parents.level(level).unwrap().to_vec())
        .collect();
    for level in 1..levels.len() {
        let mut named = levels.clone();
        named[level] = vec![Hash32([7; 32])];
        let mut changed = block.clone();
        changed.header.parents = Parents::from_levels(&named).unwrap();
        assert_eq!(changed.header.parents.levels(), levels.len());
        let refusal = node.refusal(&changed);
        assert_eq!(refusal, "header/wrong-indirect-parents", "level {level}");
    }
    node.add(&block);
}

/// The store keeps nothing of them; what costs a matrix to find out is remembered for a while.
#[test]
fn claims_a_flood_would_get_wrong_are_not_stored() {
    let cases: [Case; 8] = [
        ("header/wrong-daa-score", |block| {
            block.header.daa_score += 1
        }),
        ("header/wrong-bits", |block| block.header.bits -= 1),
        ("header/wrong-bits", |block| block.header.bits = 0x2100_ffff),
        ("header/wrong-bits", |block| block.header.bits = 0x2080_0000),
        ("header/no-parents", |block| {
            block.header.parents = Parents::from_levels(&[]).unwrap();
        }),
        ("header/origin-parent", |block| {
            block.header.parents = parents(&[Hash32::ORIGIN]);
        }),
        ("header/too-many-parents", |block| {
            let many: Vec<Hash32> = (0..11).map(|index| Hash32([index; 32])).collect();
            block.header.parents = parents(&many);
        }),
        ("header/related-parents", |block| {
            let parent = block.header.direct_parents()[0];
            block.header.parents = parents(&[parent, parent]);
        }),
    ];
    let mut node = node();
    for (code, change) in cases {
        let mut block = node.build(1, &[]);
        change(&mut block);
        assert_eq!(node.refusal(&block), code);
        let status = node.engine.records().status(&block.hash()).unwrap();
        assert!(status.is_none(), "{code}");
    }
}

#[test]
fn a_block_from_the_future_may_come_again() {
    let mut node = node();
    let mut block = node.build(1, &[]);
    let tolerance = simnet().timestamp_deviation_tolerance_ms;
    block.header.timestamp_ms += 1_000_000;
    let now = block.header.timestamp_ms - tolerance - 1;
    match node.engine.insert_block(block.clone(), now).unwrap() {
        Inserted::Rejected(error) => assert_eq!(error.code.as_str(), "header/time-too-far-ahead"),
        other => panic!("{other:?}"),
    }
    match node.engine.insert_block(block.clone(), now + 1).unwrap() {
        Inserted::Accepted { new, .. } => assert!(new),
        other => panic!("{other:?}"),
    }
}

/// One millisecond after the past median is enough, and the median itself is not.
#[test]
fn a_block_is_younger_than_its_past_median() {
    let mut node = node();
    let mut block = node.build(1, &[]);
    block.header.timestamp_ms = simnet().genesis.timestamp_ms;
    let Inserted::Rejected(error) = node.insert(&block) else {
        panic!("as old as genesis");
    };
    let min = error.data.iter().find(|(key, _)| *key == "min");
    block.header.timestamp_ms = min.unwrap().1.parse::<u64>().unwrap() - 1;
    assert_eq!(node.refusal(&block), "header/time-too-old");
    block.header.timestamp_ms += 1;
    node.add(&block);
    assert_eq!(node.sink(), block.hash());
}

/// As many parents as a block may have.
#[test]
fn a_block_names_all_the_parents_it_may() {
    let mut node = node();
    let most = simnet().max_block_parents as u32;
    let siblings: Vec<Block> = (0..most).map(|miner| node.build(10 + miner, &[])).collect();
    for block in &siblings {
        node.add(block);
    }
    let block = node.mine(1, &[]);
    let header = node.engine.records().header(&block).unwrap();
    assert_eq!(header.header.direct_parents().len(), most as usize);
}

#[test]
fn a_parent_and_its_ancestor_are_related() {
    let mut node = node();
    let chain = node.chain();
    let mut block = node.build(1, &[]);
    block.header.parents = parents(&[chain[5], chain[3]]);
    assert_eq!(node.refusal(&block), "header/related-parents");
}

/// Commitments that only the chain can judge: the block stays in the DAG and off the chain.
#[test]
fn wrong_commitments_disqualify() {
    let cases: [Case; 3] = [
        ("virtual/wrong-utxo-commitment", |block| {
            block.header.utxo_commitment = Hash32::ZERO;
        }),
        ("virtual/wrong-accepted-ids", |block| {
            block.header.accepted_id_merkle_root = Hash32::ZERO;
        }),
        ("header/wrong-pruning-point", |block| {
            block.header.pruning_point = Hash32::ZERO;
        }),
    ];
    for (code, change) in cases {
        let mut node = node();
        let sink = node.sink();
        let mut block = node.build(1, &[]);
        change(&mut block);
        node.add(&block);
        assert_eq!(node.sink(), sink, "{code}");
        let status = node.status(&block.hash());
        assert_eq!(status, ("disqualified".into(), code.into()));
    }
}

#[test]
fn the_selected_parent_comes_first() {
    let mut node = node();
    for block in [2, 3].map(|miner| node.build(miner, &[])) {
        node.add(&block);
    }
    let mut block = node.build(1, &[]);
    let mut direct = block.header.direct_parents().to_vec();
    direct.reverse();
    assert_eq!(direct.len(), 2);
    block.header.parents = parents(&direct);
    node.add(&block);
    let status = node.status(&block.hash());
    assert_eq!(
        status,
        (
            "disqualified".into(),
            "virtual/wrong-selected-parent-order".into()
        )
    );
}

#[test]
fn the_mergeset_is_bounded() {
    let limited = || simnet_with(&[("/mergesetSizeLimit", json!(5))]);
    let mut wide = Node::new(simnet());
    wide.mine_many(1, 3);
    let mut side = wide.copy();
    let mut narrow = Node::new(limited());
    for hash in wide.chain().iter().skip(1) {
        let block = wide.engine.records().block(hash).unwrap().unwrap();
        narrow.add(&block);
    }
    wide.mine_many(1, 8);
    side.mine_many(2, 6);
    for from in [wide.copy(), side] {
        for hash in from.chain().iter().skip(4) {
            let block = from.engine.records().block(hash).unwrap().unwrap();
            wide.add(&block);
            narrow.add(&block);
        }
    }
    let over = wide.build(1, &[]);
    assert_eq!(over.header.direct_parents().len(), 2);
    assert_eq!(narrow.refusal(&over), "header/mergeset-too-big");
    // The template merges the side branch a piece at a time.
    let first = narrow.mine(1, &[]);
    let merged = narrow
        .engine
        .records()
        .ghostdag(&first)
        .unwrap()
        .mergeset_size();
    assert!((2..=5).contains(&merged), "{merged}");
    let second = narrow.mine(1, &[]);
    let tips = narrow.engine.records().tips().unwrap();
    assert_eq!(tips, [second], "two blocks merged all six");
}

/// Nodes with one chain of nine blocks, over which a block hangs below the third that is red for whoever merges it.
struct OldRed {
    side: Block,
    /// Does not know it.
    unaware: Node,
    /// Merges it at any depth.
    unbound: Node,
    /// Merges it while its parent is more than six blocks below.
    bound: Node,
}

fn old_red() -> OldRed {
    let with_depth = |depth: u64| {
        Node::new(simnet_with(&[
            ("/ghostdagK", json!(1)),
            ("/mergeDepth", json!(depth)),
        ]))
    };
    let (mut unaware, mut unbound, mut bound) = (with_depth(6), with_depth(3_600), with_depth(6));
    unaware.mine_many(1, 3);
    let side = unaware.build(2, &[]);
    unaware.mine_many(1, 6);
    for node in [&mut unbound, &mut bound] {
        node.insert_chain(&unaware, 1);
        node.insert(&side);
        node.settle();
        assert_eq!(node.sink(), unaware.sink());
    }
    OldRed {
        side,
        unaware,
        unbound,
        bound,
    }
}

impl OldRed {
    /// A block on top of the sink that merges the red.
    fn merging(&self, node: &Node) -> Block {
        let block = node.copy().build(1, &[]);
        let parents = [node.sink(), self.side.hash()];
        assert_eq!(block.header.direct_parents(), parents);
        block
    }

    /// A block on top of the sink that does not, with a greater hash than `other`.
    fn passing_by(&self, other: &Block) -> Block {
        let mut block = self.unaware.copy().build(3, &[]);
        while block.hash() < other.hash() {
            block.header.nonce += 1;
        }
        block
    }
}

fn reds(node: &Node, block: &Block) -> Vec<Hash32> {
    let data = node.engine.records().ghostdag(&block.hash()).unwrap();
    data.reds.clone()
}

/// Specification consensus 7.8. The merge depth root is the last chain block more than six below.
#[test]
fn an_old_red_is_refused_for_good() {
    let old = old_red();
    let (mut unbound, mut bound) = (old.unbound.copy(), old.bound.copy());
    // Of blue score 10: the root is the third, the parent of the red.
    let early = old.merging(&unbound);
    assert_eq!(early.header.blue_score, 10);
    assert_eq!(bound.build(1, &[]), early, "so does a template");
    let mut other = bound.copy();
    other.add(&early);
    assert_eq!(other.sink(), early.hash());
    assert_eq!(reds(&other, &early), [old.side.hash()]);
    // One block later.
    let next = old.passing_by(&early);
    for node in [&mut unbound, &mut bound] {
        node.add(&next);
    }
    let late = old.merging(&unbound);
    assert_eq!(late.header.blue_score, 11);
    unbound.add(&late);
    assert_eq!(unbound.sink(), late.hash(), "nothing else is wrong with it");
    match bound.insert(&late) {
        Inserted::Rejected(error) => {
            assert_eq!(error.code.as_str(), "header/bounded-merge");
            assert_eq!(error.data, [("block", old.side.hash().to_string())]);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(bound.refusal(&late), "header/known-invalid");
    let template = bound.build(1, &[]);
    assert_eq!(template.header.direct_parents(), [next.hash()]);
}

/// A blue that merged the red in time, and that is above the root, makes it harmless.
#[test]
fn an_old_red_is_taken_with_a_blue_that_merged_it() {
    let old = old_red();
    let (mut unbound, mut bound) = (old.unbound.copy(), old.bound.copy());
    let early = old.merging(&unbound);
    let next = old.passing_by(&early);
    for node in [&mut unbound, &mut bound] {
        node.add(&early);
        node.add(&next);
        assert_eq!(node.sink(), next.hash());
    }
    let late = unbound.build(1, &[]);
    assert_eq!(late.header.blue_score, 12);
    let parents = [next.hash(), early.hash()];
    assert_eq!(late.header.direct_parents(), parents);
    assert_eq!(bound.build(1, &[]), late);
    bound.add(&late);
    assert_eq!(bound.sink(), late.hash());
    assert_eq!(reds(&bound, &late), [old.side.hash()]);
}
