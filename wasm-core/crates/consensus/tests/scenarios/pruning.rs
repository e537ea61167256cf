//! Pruning: a node that deletes what lies below its pruning point judges like one that keeps everything.

use std::collections::BTreeSet;

use serde_json::Value;
use svc_chain::block::Block;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::proof::stored_proof;
use svc_consensus::proof::validate::validate_proof;
use svc_consensus::questions;
use svc_consensus::questions::pages;
use svc_consensus::rules::reach::is_out_of_reach;
use svc_consensus::store::{Store, tables};
use svc_dag::store::DagStore;

use crate::scenarios::kit::{Node, listed, named_seed};
use crate::scenarios::payments::Payment;
use crate::scenarios::pruning_kit::{
    DEPTH, FINALITY, MAX_AGE, Miners, assert_agree, live_size, prune_all, pruned_points,
    rows_by_table, simnet_with_depths, small_network, without_fork,
};

/// Nodes go over to the chain of another when they get its last blocks.
fn assert_follow(nodes: [&mut Node; 2], (other, blocks): (&Node, usize)) {
    let chain = other.chain();
    for node in nodes {
        for hash in &chain[chain.len() - blocks..] {
            node.insert(&other.engine.records().block(hash).unwrap().unwrap());
        }
        node.settle();
        assert_eq!(node.sink(), other.sink());
    }
}

/// One node keeps everything, one prunes whenever it can, one a block at a time.
fn run(seed: u64, blocks: usize, latency: u64) {
    let profile = small_network();
    let mut miners = Miners::new(&profile, seed, 4);
    miners.latency = latency;
    let mut full = Node::new(profile.clone());
    let mut eager = Node::new(profile.clone());
    let mut slow = Node::new(profile);
    let mut last = 0;
    for count in 0..blocks {
        let block = miners.mine();
        for node in [&mut full, &mut eager, &mut slow] {
            node.insert(&block);
            if count % 3 == 0 {
                node.settle();
            }
        }
        prune_all(&mut eager, 40);
        slow.engine.prune(1).unwrap();
        let index = full.engine.records().pruning().unwrap().index;
        if index != last {
            last = index;
            assert_agree(&full, &eager);
            assert_agree(&full, &slow);
            assert_proved(&eager);
        }
    }
    for node in [&mut full, &mut eager, &mut slow] {
        node.settle();
    }
    assert_agree(&full, &eager);
    assert_agree(&full, &slow);
    let steps = (full.blue_score(&full.sink()) - DEPTH) / FINALITY;
    assert!(last + 1 >= steps && last > 2, "{last} of {steps} steps");
    assert_eq!(pruned_points(&eager).len() as u64, last);
}

/// The stored proof is one of the pruning point, made of headers that are kept.
pub fn assert_proved<S: Store>(node: &Node<S>) {
    let chain = node.engine.chain();
    let max_level = chain.rules.profile.max_block_level;
    let proof = stored_proof::read(&chain.records, max_level)
        .unwrap()
        .unwrap();
    let view = validate_proof(&chain.rules, proof).unwrap();
    assert_eq!(view.pruning_point, chain.records.pruning_point().unwrap());
}

#[test]
fn a_pruned_node_agrees_with_one_that_keeps_everything() {
    run(1, 500, 6);
    run(2, 500, 14);
    if let Some(seed) = named_seed() {
        run(seed, 900, 3 + seed % 22);
    }
}

/// In the second half of a run, when the chain grows to twice its length, the store varies with the place of the
/// pruning point and the width of the graph. What grows is one header and one state for each pruning point, and proofs
/// with the logarithm of the chain.
fn assert_flat(sizes: &[(usize, usize)], node: &Node) {
    println!("{sizes:?} {:?}", rows_by_table(node));
    let most = |sizes: &[(usize, usize)]| {
        let rows = sizes.iter().map(|(rows, _)| *rows).max().unwrap();
        (rows, sizes.iter().map(|(_, bytes)| *bytes).max().unwrap())
    };
    let (early, late) = sizes.split_at(sizes.len() / 2);
    let (early, late) = (most(early), most(late));
    assert!(late.0 <= early.0 + early.0 / 4, "{sizes:?}");
    assert!(late.1 <= early.1 + early.1 / 4, "{sizes:?}");
}

/// The store of a node that prunes stops growing.
#[test]
fn what_is_kept_does_not_grow_with_the_chain() {
    let mut node = Node::new(small_network());
    let mut sizes = Vec::new();
    for _ in 0..12 {
        node.mine_many(1, 100);
        prune_all(&mut node, 64);
        sizes.push(live_size(&node));
    }
    assert_flat(&sizes, &node);
}

/// The same where most chain blocks merge others, and with branches that nobody merges.
#[test]
fn what_is_kept_does_not_grow_with_a_wide_chain() {
    let profile = small_network();
    let mut miners = Miners::new(&profile, 9, 2);
    miners.latency = 9;
    let mut node = Node::new(profile);
    let mut sizes = Vec::new();
    for count in 1..=1_200 {
        node.insert(&miners.mine());
        if count % 4 == 0 {
            node.settle();
            prune_all(&mut node, 30);
        }
        if count % 100 == 0 {
            sizes.push(live_size(&node));
        }
    }
    assert_flat(&sizes, &node);
}

/// A node that keeps everything and one that has pruned, both given the same wide chain, with all of its blocks.
pub fn pair(seed: u64) -> (Node, Node, Vec<Block>) {
    let profile = small_network();
    let mut miners = Miners::new(&profile, seed, 4);
    let mut full = Node::new(profile.clone());
    for count in 0..330 {
        let block = miners.mine();
        full.insert(&block);
        if count % 8 == 0 {
            full.settle();
        }
    }
    full.settle();
    let mut pruned = full.copy();
    prune_all(&mut pruned, 1_000);
    assert!(pruned.engine.records().pruning().unwrap().index > 1);
    (full, pruned, miners.blocks)
}

type Answer = Result<Value, SvcError>;

/// All answers about a block.
fn answers(node: &Node, hash: &Hash32) -> Vec<Answer> {
    let chain = node.engine.chain();
    let bytes = |answer: Result<Vec<u8>, SvcError>| answer.map(Value::from);
    let blue_score = chain
        .records
        .chain_scores(hash)
        .map_or(0, |scores| scores.blue_score);
    vec![
        questions::block_facts(&chain.records, hash).map(Value::from),
        questions::chain_facts(&chain.records, hash).map(Value::from),
        questions::shielded_facts(chain, hash),
        questions::virtual_chain_from(&chain.records, hash, 10),
        questions::blocks_from(&chain.records, hash, 50),
        questions::locate(&chain.records, &[*hash]),
        questions::common_chain_block(&chain.records, hash)
            .map(|(hash, index)| Value::from(format!("{hash} {index}"))),
        bytes(pages::tree_state(&chain.records, hash)),
        bytes(pages::records(&chain.records, hash, 5)),
        bytes(pages::record_of(&chain.records, hash)),
        bytes(pages::anchors(&chain.records, blue_score, 5)),
        Ok(Value::from(
            chain.records.witnessed_block(hash).unwrap().is_some(),
        )),
    ]
}

/// Nothing that is asked about a pruned block fails in the store, and every answer is the one of the full node.
#[test]
fn every_question_at_the_pruning_point() {
    let (full, mut pruned, blocks) = pair(3);
    let point = pruned.engine.records().pruning_point().unwrap();
    let at = pruned
        .engine
        .records()
        .chain_index(&point)
        .unwrap()
        .unwrap();
    let mut refused = BTreeSet::new();
    let all = blocks.iter().map(Block::hash);
    for hash in all.chain([full.engine.rules().genesis_hash]) {
        let pairs = answers(&full, &hash)
            .into_iter()
            .zip(answers(&pruned, &hash));
        for (number, (full, pruned)) in pairs.enumerate() {
            match (full, pruned) {
                // The body of a block below is gone, and with it its status.
                (Ok(_), Ok(_)) if number == 0 => {}
                (Ok(_), Ok(Value::Bool(false))) if number == 11 => {}
                (Ok(_), Ok(Value::Null)) if number < 2 => {}
                (Ok(full), Ok(pruned)) => assert_eq!(full, pruned, "{number} of {hash}"),
                (Err(full), Err(pruned)) if full.code == pruned.code => {}
                (_, Err(error)) => {
                    assert!(
                        matches!(error.code, Code::ChainPruned | Code::ChainUnknownBlock),
                        "{number} of {hash}: {error:?}"
                    );
                    refused.insert(number);
                }
                (full, pruned) => panic!("{number} of {hash}: {full:?} {pruned:?}"),
            }
        }
    }
    assert!(refused.len() >= 6, "{refused:?}");
    let chain = full.chain();
    for (offset, is_kept) in [(at - 1, false), (at, true), (at + 1, true)] {
        let hash = &chain[offset as usize];
        let facts = questions::chain_facts(pruned.engine.records(), hash);
        match facts {
            Ok(facts) => assert!(is_kept && facts.is_some()),
            Err(error) => assert!(!is_kept && error.code == Code::ChainPruned),
        }
    }
    let chain = pruned.engine.chain();
    let tip = questions::tip(chain).unwrap();
    assert_eq!(tip["pruningPoint"], point.to_string());
    assert_eq!(tip["historyFromDaaScore"], "0");
    assert_eq!(tip["historyComplete"], true);
    // Whatever was asked, the node works on.
    pruned.mine_many(1, 3);
}

/// A sweep that is cut off after any of its commits goes on where it was, and ends in the same store.
#[test]
fn a_sweep_survives_a_restart_after_every_commit() {
    let (full, _, _) = pair(4);
    let mut whole = full.copy();
    prune_all(&mut whole, 7);
    let store = |node: &Node| node.engine.records().overlay.store().dump();
    let expected = store(&whole);
    let mut running = full.copy();
    let mut calls = 0;
    while !running.engine.prune(3).unwrap().done {
        calls += 1;
        let mut cut = running.copy();
        prune_all(&mut cut, 1_000);
        assert!(store(&cut) == expected, "cut after {calls} calls");
    }
    assert!(calls > 20, "{calls}");
    assert_agree(&full, &running);
}

fn code_of(inserted: Inserted) -> &'static str {
    match inserted {
        Inserted::Rejected(error) => error.code.as_str(),
        Inserted::MissingParents(_) => "missingParents",
        Inserted::Accepted { .. } => "accepted",
    }
}

/// Old blocks and blocks on old blocks are refused, by a node that still has them as well.
#[test]
fn blocks_below_the_pruning_point_are_refused() {
    let (mut full, mut pruned, blocks) = pair(5);
    let mut seen = BTreeSet::new();
    for block in &blocks {
        let hash = block.hash();
        let is_old = is_out_of_reach(full.engine.records(), &hash).unwrap();
        let again = code_of(pruned.insert(block));
        if is_old {
            assert!(again != "accepted", "{hash}");
            seen.insert(again);
        } else {
            assert_eq!(again, "accepted");
        }
        // Its child, with any claims: the parents are looked at first.
        let mut child = block.clone();
        child.header.nonce ^= 1;
        child.header.timestamp_ms += 1;
        let parents = child.header.direct_parents();
        let old =
            |node: &Node, parent: &Hash32| is_out_of_reach(node.engine.records(), parent).unwrap();
        let is_violation = parents.iter().any(|parent| old(&full, parent));
        let (here, there) = (code_of(full.insert(&child)), code_of(pruned.insert(&child)));
        assert_eq!(
            is_violation,
            here == "header/pruning-violation",
            "{here} {hash}"
        );
        match there {
            "missingParents" => assert!(is_violation),
            there => assert_eq!(here, there),
        }
        seen.insert(there);
    }
    for code in ["missingParents", "body/pruned", "header/pruning-violation"] {
        assert!(seen.contains(code), "{seen:?}");
    }
    full.settle();
    pruned.settle();
    assert_agree(&full, &pruned);
}

/// Entries are kept for exactly the chain blocks that a spend right above the pruning point can name.
#[test]
fn anchors_on_both_sides_of_the_floor() {
    let (mut full, mut pruned, _) = pair(6);
    let records = pruned.engine.records();
    let point = records.pruning_point().unwrap();
    let top = pruned.blue_score(&point);
    for hash in full.chain().iter().skip(1) {
        let score = full.blue_score(hash);
        let entry = records.anchor_entry(hash).unwrap();
        assert_eq!(entry.is_some(), score <= top && score + MAX_AGE >= top);
        if let Some(entry) = entry {
            let parent = full
                .engine
                .records()
                .ghostdag(hash)
                .unwrap()
                .selected_parent;
            assert_eq!(entry.parent, parent);
            assert_eq!(entry.blue_score, score);
            assert_eq!(entry.tree_root, full.state_of(hash).tree_root);
            assert_eq!(entry.log_before, full.state_of(&parent).anchor_log);
        }
    }
    // The merging block is two above the sink.
    for hash in full.mine_many(1, MAX_AGE as usize + 2) {
        pruned.add(&full.engine.records().block(&hash).unwrap().unwrap());
    }
    prune_all(&mut pruned, 5);
    let merging = full.blue_score(&full.sink()) + 2;
    let chain = full.chain();
    let aged = |age: u64| {
        let mut blocks = chain.iter();
        *blocks
            .find(|hash| full.blue_score(hash) == merging - age)
            .unwrap()
    };
    let spends: Vec<_> = [(MAX_AGE, 9_001), (MAX_AGE + 1, 9_002)]
        .into_iter()
        .map(|(age, note)| Payment::of(note).against(&full, &aged(age)).build())
        .collect();
    let gone = chain[3];
    let ancient = Payment::of(9_003).against(&full, &gone).build();
    let spends = [spends, vec![ancient]].concat();
    let block = full.build_carrying(1, &spends);
    for node in [&mut full, &mut pruned] {
        node.add(&block);
    }
    let child = full.build(1, &[]);
    for node in [&mut full, &mut pruned] {
        let facts = {
            let hash = node.add(&child);
            node.chain_facts(&hash)
        };
        assert_eq!(listed(&facts, "applied"), [spends[0].id()]);
        for dropped in facts["dropped"].as_array().unwrap() {
            assert_eq!(dropped["reason"], "tx/anchor-too-old");
        }
    }
    assert_agree(&full, &pruned);
}

/// A heavier branch from right above the finality point is followed after everything below was pruned.
#[test]
fn a_deep_reorganisation_after_pruning() {
    let mut full = Node::new(small_network());
    full.mine_many(1, DEPTH as usize + 60);
    let mut other = full.copy();
    full.mine_many(1, FINALITY as usize - 2);
    let mut pruned = full.copy();
    prune_all(&mut pruned, 50);
    other.mine_many(2, FINALITY as usize + 4);
    let before = full.sink();
    assert_follow([&mut full, &mut pruned], (&other, FINALITY as usize + 4));
    assert_ne!(before, full.sink());
    assert_agree(&full, &pruned);
    // And on over the next pruning points.
    for _ in 0..60 {
        let block = full.build(3, &[]);
        for node in [&mut full, &mut pruned] {
            node.add(&block);
        }
        pruned.engine.prune(3).unwrap();
    }
    assert_agree(&full, &pruned);
    let present = [tables::NULLIFIERS, tables::LANES, tables::LANE_NODES];
    assert_eq!(full.dump(&present), pruned.dump(&present));
}

/// Tips that can never be merged any more leave when the pruning point has passed them.
#[test]
fn tips_that_can_never_be_merged_leave() {
    let mut node = Node::new(small_network());
    node.mine_many(1, 5);
    let mut other = node.copy();
    node.mine_many(1, 40);
    let stray: Vec<Hash32> = other.mine_many(2, 3);
    for hash in &stray {
        node.insert(&other.engine.records().block(hash).unwrap().unwrap());
    }
    node.settle();
    assert!(node.engine.records().tips().unwrap().contains(&stray[2]));
    node.mine_many(1, DEPTH as usize);
    assert_eq!(node.engine.records().tips().unwrap(), [node.sink()]);
    prune_all(&mut node, 10);
    for hash in &stray {
        assert!(node.engine.records().status(hash).unwrap().is_none());
        assert!(!node.engine.records().has_header(hash).unwrap());
    }
}

/// The same at the least pruning depth that a profile may have: the inactivity shortcut of the lowest block that may
/// still be judged is just above the pruning point.
#[test]
fn a_deep_reorganisation_with_the_least_pruning_depth() {
    let finality = 300_usize;
    let depth = 2 * finality + 2 * usize::from(small_network().ghostdag_k) + 3;
    let with_depth = |depth: usize| simnet_with_depths(finality as u64, depth as u64);
    let refused = with_depth(depth - 1).unwrap_err();
    assert_eq!(refused.code, Code::ProfileBadValue);
    let mut full = Node::new(with_depth(depth).unwrap());
    full.mine_many(1, depth + finality + 20);
    let mut other = full.copy();
    full.mine_many(1, finality - 15);
    let mut pruned = full.copy();
    prune_all(&mut pruned, 50);
    assert!(pruned.engine.records().pruning().unwrap().index > 0);
    other.mine_many(2, finality - 10);
    assert_follow([&mut full, &mut pruned], (&other, finality - 10));
}

/// Why a spend was dropped is on record, and two nodes that were given the same blocks in other portions have the same
/// record: the pruning point of the moment has no part in it.
#[test]
fn a_drop_reason_does_not_depend_on_when_the_pruning_point_moved() {
    let profile = without_fork();
    let mut prompt = Node::new(profile.clone());
    prompt.mine_many(1, DEPTH as usize + 2 * FINALITY as usize + 10);
    let records = prompt.engine.records();
    let point = prompt.blue_score(&records.pruning_point().unwrap());
    let ancient = prompt.chain()[30];
    assert!(point > 30);
    let spend = Payment::of(9_001)
        .plain()
        .against(&prompt, &ancient)
        .build();
    let carrier = prompt.build_carrying(1, &[spend]);
    prompt.add(&carrier);
    let judge = prompt.mine(1, &[]);
    let mut late = Node::new(profile);
    late.insert_chain(&prompt, 1);
    late.settle();
    assert_eq!(late.sink(), prompt.sink());
    let dropped = |node: &Node| node.chain_facts(&judge)["dropped"].clone();
    assert_eq!(dropped(&late), dropped(&prompt));
}
