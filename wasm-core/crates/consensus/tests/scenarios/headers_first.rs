//! Headers ahead of their bodies: the same graph and the same state in the end, whatever comes when.

use serde_json::json;
use svc_chain::block::Block;
use svc_chain::header::Header;
use svc_chain::header::raw::HashedHeader;
use svc_chance::chance::Chance;
use svc_codec::hash32::Hash32;
use svc_codec::limits::HEADERS_PER_CALL;
use svc_consensus::pipeline::headers::headers_tip;
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::questions;
use svc_consensus::records::meta::{self, PruningRecord};
use svc_consensus::store::tables;
use svc_consensus::store::{Change, Store};
use svc_dag::ghostdag::ghostdag;
use svc_dag::parents_builder::build_parents;
use svc_dag::reachability::is_dag_ancestor;
use svc_dag::sortable_block::SortableBlock;
use svc_dag::store::DagStore;
use svc_dag::windows::daa_data;

use crate::scenarios::kit::{Node, simnet, simnet_with};
use crate::scenarios::random_dags::{mine_dag, new_node, shuffled, summary};

/// What a header leaves behind, whenever it came.
const OF_HEADERS: [u8; 4] = [
    tables::HEADERS,
    tables::GHOSTDAG,
    tables::DAA_EXCLUDED,
    tables::DEPTHS,
];
/// Bodies, the selected chain and the state at its end, whatever was judged beside it.
const OF_STATE: [u8; 7] = [
    tables::BODIES,
    tables::CHAIN_BY_INDEX,
    tables::CHAIN_BY_HASH,
    tables::NULLIFIERS,
    tables::LANES,
    tables::LANE_NODES,
    tables::LANE_EXPIRY,
];

#[test]
fn headers_first_then_bodies_give_the_same_state() {
    for seed in [11, 12] {
        println!("seed {seed}");
        let mut chance = Chance::new(seed);
        let blocks = mine_dag(&mut chance);
        let mut in_order = new_node();
        for block in &blocks {
            in_order.add(block);
        }
        let mut first = new_node();
        first.add_headers(&shuffled(&mut chance, &blocks));
        assert_eq!(first.headers_tip(), in_order.headers_tip());
        assert!(first.dump(&OF_HEADERS) == in_order.dump(&OF_HEADERS));
        // Without bodies nothing moves.
        first.settle();
        assert_eq!(first.chain().len(), 1);
        for block in &shuffled(&mut chance, &blocks) {
            first.insert(block);
            if chance.below(5) == 0 {
                first.settle();
            }
        }
        first.settle();
        assert!(summary(&first) == summary(&in_order), "seed {seed}");
        // Headers and bodies mixed, with a restart in the middle: a header may run ahead of its body or come after it.
        let mut mixed = new_node();
        let bodies = shuffled(&mut chance, &blocks);
        let mut headers = blocks.iter();
        for (index, block) in bodies.iter().enumerate() {
            let ahead: Vec<Block> = headers.by_ref().take(2).cloned().collect();
            mixed.insert_headers(&ahead);
            mixed.insert(block);
            if index == bodies.len() / 3 {
                mixed = mixed.copy();
            }
        }
        mixed.settle();
        assert!(summary(&mixed) == summary(&in_order), "seed {seed}: mixed");
        assert!(mixed.dump(&OF_HEADERS) == in_order.dump(&OF_HEADERS));
        assert!(mixed.dump(&OF_STATE) == in_order.dump(&OF_STATE));
    }
}

/// A header over any parents, such as a miner without bodies would make.
pub fn header_over<S: Store>(node: &Node<S>, direct: &[Hash32], chance: &mut Chance) -> Header {
    let chain = node.engine.chain();
    let (profile, genesis) = (&chain.rules.profile, &chain.rules.genesis_hash);
    let data = ghostdag(&chain.records, profile.ghostdag_k, direct).unwrap();
    let daa = daa_data(&chain.records, profile, genesis, &data).unwrap();
    let windows = &chain.rules.windows;
    let bits = windows.difficulty_bits(&chain.records, profile, &data, &daa);
    let median = windows.past_median_time(&chain.records, profile, &data, &daa);
    Header {
        version: chain.rules.block_version(daa.daa_score),
        parents: build_parents(&chain.records, profile, genesis, genesis, direct).unwrap(),
        hash_merkle_root: Hash32([chance.bits() as u8; 32]),
        accepted_id_merkle_root: Hash32::ZERO,
        utxo_commitment: Hash32::ZERO,
        timestamp_ms: median.unwrap() + 1 + chance.below(2_000),
        bits: bits.unwrap(),
        nonce: chance.bits(),
        daa_score: daa.daa_score,
        blue_work: data.blue_work,
        blue_score: data.blue_score,
        pruning_point: *genesis,
    }
}

pub fn bodiless(header: Header) -> Block {
    Block {
        header,
        transactions: Vec::new(),
    }
}

/// Up to ten parents of the last hundred headers, none in the past of another.
fn wide_parents(node: &Node, known: &[Hash32], chance: &mut Chance) -> Vec<Hash32> {
    let records = node.engine.records();
    let recent = &known[known.len().saturating_sub(100)..];
    let mut chosen: Vec<Hash32> = Vec::new();
    for _ in 0..1 + chance.below(10) {
        let next = recent[chance.below(recent.len() as u64) as usize];
        let related = |other: &Hash32| {
            is_dag_ancestor(records, other, &next).unwrap()
                || is_dag_ancestor(records, &next, other).unwrap()
        };
        if !chosen.iter().any(related) {
            chosen.push(next);
        }
    }
    chosen
}

fn wide_node() -> Node {
    Node::new(simnet_with(&[
        ("/ghostdagK", json!(3)),
        ("/mergesetSizeLimit", json!(60)),
        ("/mergeDepth", json!(40)),
    ]))
}

#[test]
fn wide_random_graphs_are_the_same_in_every_order() {
    for seed in [21, 22, 23] {
        println!("seed {seed}");
        let mut chance = Chance::new(seed);
        let mut node = wide_node();
        let mut known = vec![node.engine.rules().genesis_hash];
        let mut blocks = Vec::new();
        let mut refused = 0;
        while blocks.len() < 300 {
            let direct = wide_parents(&node, &known, &mut chance);
            let block = bodiless(header_over(&node, &direct, &mut chance));
            match &node.insert_headers(std::slice::from_ref(&block))[..] {
                [Inserted::Accepted { new: true, .. }] => {
                    known.push(block.hash());
                    blocks.push(block);
                }
                // Too much at once, or too old: found out by the rules, as it should be.
                [Inserted::Rejected(_)] => refused += 1,
                other => panic!("{other:?}"),
            }
        }
        println!("{refused} refused");
        let best = known.iter().map(|hash| {
            let records = node.engine.records();
            SortableBlock::load(records, hash).unwrap()
        });
        assert_eq!(node.headers_tip(), best.max().unwrap().hash);
        let mut other = wide_node();
        for part in shuffled_blocks(&mut chance, &blocks).chunks(7) {
            other.add_headers(part);
            if chance.below(10) == 0 {
                other = other.copy();
            }
        }
        assert_eq!(other.headers_tip(), node.headers_tip(), "seed {seed}");
        assert!(
            other.dump(&OF_HEADERS) == node.dump(&OF_HEADERS),
            "seed {seed}"
        );
        for _ in 0..2_000 {
            let pick = |chance: &mut Chance| known[chance.below(known.len() as u64) as usize];
            let (a, b) = (pick(&mut chance), pick(&mut chance));
            let ask = |node: &Node| is_dag_ancestor(node.engine.records(), &a, &b).unwrap();
            assert_eq!(ask(&node), ask(&other), "seed {seed}: {a} {b}");
        }
    }
}

/// [`shuffled`] starts at the genesis of another profile; here all share the wide one's.
fn shuffled_blocks(chance: &mut Chance, blocks: &[Block]) -> Vec<Block> {
    let genesis = wide_node().engine.rules().genesis_hash;
    assert_eq!(genesis, new_node().engine.rules().genesis_hash);
    shuffled(chance, blocks)
}

/// A chain of `count` blocks above the node's sink.
fn chain_above(node: &Node, miner: u32, count: usize) -> Vec<Block> {
    let mut other = node.copy();
    let base = other.chain().len();
    other.mine_many(miner, count);
    let block = |hash: &Hash32| other.engine.records().block(hash).unwrap().unwrap();
    other.chain()[base..].iter().map(block).collect()
}

fn outcome_code(inserted: &Inserted) -> &str {
    match inserted {
        Inserted::Accepted { new: true, .. } => "new",
        Inserted::Accepted { new: false, .. } => "known",
        Inserted::MissingParents(_) => "missing",
        Inserted::Rejected(error) => error.code.as_str(),
    }
}

fn codes(outcomes: &[Inserted]) -> Vec<&str> {
    outcomes.iter().map(outcome_code).collect()
}

/// A refusal that took proof of work ends the call, and nothing behind it is held against anybody; one that is
/// remembered does not.
#[test]
fn a_bad_header_in_the_middle_ends_the_call_and_takes_only_what_is_above_it() {
    let mut node = Node::new(simnet());
    let chain = chain_above(&node, 1, 6);
    let mut bad = chain[3].clone();
    bad.header.blue_score += 1;
    let mut above = chain[4].clone();
    above.header.parents =
        svc_chain::header::parents::Parents::from_levels(&[vec![bad.hash()]]).unwrap();
    let tree = [&chain[..3], &[bad.clone(), above.clone()], &chain[3..]].concat();
    let expected = [
        (
            "new",
            ["header/wrong-blue-score"; 2],
            "header/wrong-blue-score",
        ),
        (
            "known",
            ["header/known-invalid", "header/invalid-parent"],
            "header/invalid-parent",
        ),
        ("known", ["header/known-invalid"; 2], "new"),
        ("known", ["header/known-invalid"; 2], "known"),
    ];
    for (below, refused, behind) in expected {
        let outcomes = node.insert_headers(&tree);
        let codes = codes(&outcomes);
        assert_eq!(codes[..3], [below; 3]);
        assert_eq!(codes[3..5], refused);
        assert_eq!(codes[5..], [behind; 3]);
    }
    assert_eq!(node.headers_tip(), chain[5].hash());
    for block in &chain {
        node.add(block);
    }
    assert_eq!(node.sink(), chain[5].hash());
    // After a restart the memory is empty and the verdicts are the same.
    let mut node = node.copy();
    let again = node.insert_headers(&[bad, above]);
    assert_eq!(
        codes(&again),
        ["header/known-invalid", "header/invalid-parent"]
    );
}

#[test]
fn headers_without_their_parents_name_them() {
    let mut node = Node::new(simnet());
    let chain = chain_above(&node, 1, 3);
    let outcomes = node.insert_headers(&chain[1..]);
    assert_eq!(codes(&outcomes), ["missing", "missing"]);
    match &outcomes[0] {
        Inserted::MissingParents(parents) => assert_eq!(parents[..], [chain[0].hash()]),
        other => panic!("{other:?}"),
    }
    node.add_headers(&chain);
}

/// A body that turns out to be bad when its descendants' headers are in already.
#[test]
fn a_bad_body_below_known_headers() {
    let mut node = Node::new(simnet());
    let mut other = node.copy();
    other.mine_many(1, 2);
    let mut bad = other.build(1, &[]);
    bad.transactions[0].gas = 1;
    let bad = crate::scenarios::kit::seal(bad);
    let good: Vec<Block> = chain_above(&node, 2, 2);
    // The bad branch is longer, and its headers are sound.
    let records = other.engine.records();
    let block = |hash: &Hash32| records.block(hash).unwrap().unwrap();
    let mut branch: Vec<Block> = other.chain()[1..].iter().map(block).collect();
    branch.push(bad.clone());
    node.add_headers(&branch);
    let mut chance = Chance::new(5);
    let over = bodiless(header_over(&node, &[bad.hash()], &mut chance));
    node.add_headers(std::slice::from_ref(&over));
    assert_eq!(node.headers_tip(), over.hash());
    for block in &branch[..2] {
        node.add(block);
    }
    let code = node.refusal(&bad);
    assert!(
        code.starts_with("tx/") || code.starts_with("coinbase/"),
        "{code}"
    );
    let again = node.refusal(&bad);
    assert_eq!(again, "header/known-invalid");
    // Its descendant waits for nothing any more.
    let mut carried = over.clone();
    carried.transactions = good[0].transactions.clone();
    let carried = Block {
        header: Header {
            hash_merkle_root: carried.merkle_root(),
            ..carried.header
        },
        ..carried
    };
    assert_eq!(node.refusal(&carried), "header/invalid-parent");
    // The node goes on below it.
    let more = node.mine_many(1, 3);
    assert_eq!(node.sink(), more[2]);
}

#[test]
fn a_body_that_is_missing_for_long_holds_up_only_what_is_above_it() {
    let mut node = Node::new(simnet());
    let main = chain_above(&node, 1, 30);
    let side = chain_above(&node, 2, 20);
    node.add_headers(&main);
    node.add_headers(&side);
    assert_eq!(node.headers_tip(), main[29].hash());
    for (index, block) in main.iter().enumerate() {
        if index == 3 {
            continue;
        }
        let outcome = node.insert(block);
        let expected = if index < 3 { "new" } else { "missing" };
        assert_eq!(outcome_code(&outcome), expected, "{index}");
    }
    node.settle();
    assert_eq!(node.sink(), main[2].hash());
    for block in &side {
        node.add(block);
    }
    assert_eq!(node.sink(), side[19].hash(), "the best chain with bodies");
    assert_eq!(node.headers_tip(), main[29].hash());
    // Restarted, then the body comes.
    let mut node = node.copy();
    assert_eq!(node.headers_tip(), main[29].hash());
    for block in &main[3..] {
        node.add(block);
    }
    assert_eq!(node.sink(), main[29].hash());
    let mut straight = Node::new(simnet());
    for block in main.iter().chain(&side) {
        straight.add(block);
    }
    assert!(node.dump(&OF_HEADERS) == straight.dump(&OF_HEADERS));
    assert!(node.dump(&OF_STATE) == straight.dump(&OF_STATE));
}

#[test]
fn the_best_header_moves_to_a_branch_that_leaves_far_below() {
    let mut node = Node::new(simnet());
    let base = chain_above(&node, 1, 5);
    for block in &base {
        node.add(block);
    }
    assert_eq!(node.headers_tip(), base[4].hash());
    let short = chain_above(&node, 2, 150);
    let long = chain_above(&node, 3, 151);
    node.add_headers(&short);
    assert_eq!(node.headers_tip(), short[149].hash());
    node.add_headers(&long[..149]);
    assert_eq!(node.headers_tip(), short[149].hash());
    node.add_headers(&long);
    assert_eq!(node.headers_tip(), long[150].hash());
    assert_eq!(node.sink(), base[4].hash());
    let chain = node.engine.chain();
    let tip = questions::tip(chain).unwrap();
    assert_eq!(tip["headersTip"], json!(long[150].hash().to_string()));
    let score = chain
        .records
        .ghostdag(&long[150].hash())
        .unwrap()
        .blue_score;
    assert_eq!(tip["headersBlueScore"], json!(score.to_string()));
    // Bodies of the shorter branch first: virtual follows what it can.
    for block in short.iter().chain(&long) {
        node.insert(block);
    }
    node.settle();
    assert_eq!(node.sink(), long[150].hash());
    assert_eq!(headers_tip(node.engine.records()).unwrap(), node.sink());
    node.assert_supply();
}

#[test]
fn a_call_takes_a_bounded_number() {
    let mut node = Node::new(simnet());
    let block = chain_above(&node, 1, 1).remove(0);
    let headers = vec![HashedHeader::new(block.header.clone(), None); HEADERS_PER_CALL + 1];
    let now = block.header.timestamp_ms;
    let error = node.engine.insert_headers(&headers, now).unwrap_err();
    assert_eq!(error.code.as_str(), "codec/count-too-large");
    let outcomes = node.engine.insert_headers(&headers[1..], now).unwrap();
    assert_eq!(outcome_code(&outcomes[0]), "new");
    assert_eq!(outcome_code(&outcomes[HEADERS_PER_CALL - 1]), "known");
}

/// A node over the same blocks that takes `point` for its pruning point, whatever its depth, and has nothing to delete.
/// (While a sweep is due, a branch that nobody above merged may be gone in part: no header may name it.)
fn pruned_at(node: &Node, point: Hash32) -> Node {
    let records = node.engine.records();
    let record = PruningRecord {
        point,
        swept: point,
        index: 1,
        ..records.pruning().unwrap()
    };
    let mut store = records.overlay.store().clone();
    let change = Change {
        table: tables::META,
        key: meta::PRUNING.to_vec(),
        value: Some(record.encode()),
    };
    store.commit(vec![change]).unwrap();
    Node::open(store, simnet())
}

#[test]
fn headers_that_are_not_above_the_pruning_point_are_refused() {
    let mut node = Node::new(simnet());
    node.mine_many(1, 12);
    let chain = node.chain();
    let mut chance = Chance::new(9);
    // A heavier branch that leaves below what will be the pruning point.
    let mut branch = vec![bodiless(header_over(&node, &[chain[5]], &mut chance))];
    node.add_headers(&branch);
    for _ in 0..9 {
        let tip = branch[branch.len() - 1].hash();
        branch.push(bodiless(header_over(&node, &[tip], &mut chance)));
        node.add_headers(&branch[branch.len() - 1..]);
    }
    let best = branch[9].hash();
    assert_eq!(node.headers_tip(), best);
    let beside = bodiless(header_over(&node, &[chain[4]], &mut chance));
    let below = bodiless(header_over(&node, &[best], &mut chance));
    let both = bodiless(header_over(&node, &[chain[12], best], &mut chance));
    let mut node = pruned_at(&node, chain[10]);
    assert_eq!(node.headers_tip(), chain[12], "the best one is not above");
    for header in [&beside, &below] {
        let outcomes = node.insert_headers(std::slice::from_ref(header));
        match &outcomes[..] {
            [Inserted::Rejected(error)] => {
                assert_eq!(error.code.as_str(), "header/pruning-violation");
                assert_eq!(error.data, [("pruningPoint", chain[10].to_string())]);
            }
            other => panic!("{other:?}"),
        }
        let again = node.insert_headers(std::slice::from_ref(header));
        assert_eq!(codes(&again), ["header/known-invalid"]);
    }
    // One parent above it is enough for this rule.
    let merging = node.insert_headers(&[both]);
    assert_ne!(codes(&merging), ["header/pruning-violation"]);
    // On the point itself and above it the graph goes on.
    let on_point = header_over(&node, &[chain[10]], &mut chance);
    node.add_headers(&[bodiless(on_point)]);
    node.mine_many(2, 3);
    assert_eq!(node.headers_tip(), node.sink());
}
