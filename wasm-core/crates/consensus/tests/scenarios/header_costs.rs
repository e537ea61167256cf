//! What a call with headers reads and writes does not grow with the number of headers that wait for their bodies.

use serde_json::json;
use svc_chain::block::Block;
use svc_chain::header::parents::Parents;
use svc_chain::header::raw::{HashedHeader, write_headers};
use svc_chain::profile::Profile;
use svc_chance::chance::Chance;
use svc_codec::hash32::Hash32;
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::pipeline::{headers, ingest};
use svc_consensus::store::MemoryStore;

use crate::scenarios::bounded_steps::Counted;
use crate::scenarios::headers_first::{bodiless, header_over};
use crate::scenarios::kit::{Node, simnet, simnet_with};

/// Headers of one call.
const CALL: usize = 100;

/// Headers one above the other.
fn branch(from: Hash32, count: usize, seed: u64) -> Vec<Block> {
    let mut chance = Chance::new(seed);
    let mut node = Node::new(simnet());
    let (mut tip, mut made) = (from, Vec::new());
    for _ in 0..count {
        let block = bodiless(header_over(&node, &[tip], &mut chance));
        node.add_headers(std::slice::from_ref(&block));
        tip = block.hash();
        made.push(block);
    }
    made
}

/// Reads and writes of one call, nothing being remembered from the last.
fn cost(node: &mut Node<Counted>, headers: &[Block]) -> (usize, usize) {
    node.engine.records().clear_caches();
    node.engine.records().overlay.store().take();
    node.add_headers(headers);
    node.engine.records().overlay.store().take()
}

/// Sums of both halves of the calls.
fn halves(costs: &[(usize, usize)]) -> [(usize, usize); 2] {
    println!("reads and writes: {costs:?}");
    let (early, late) = costs.split_at(costs.len() / 2);
    let sum = |part: &[(usize, usize)]| {
        let reads = part.iter().map(|cost| cost.0).sum();
        (reads, part.iter().map(|cost| cost.1).sum())
    };
    [sum(early), sum(late)]
}

#[test]
fn one_branch() {
    assert_even(simnet());
}

/// Where a block's merge depth root and finality point are is looked for from its parent's, not from the pruning point,
/// which stays far below.
#[test]
fn one_branch_longer_than_its_depths() {
    assert_even(simnet_with(&[
        ("/mergeDepth", json!(50)),
        ("/finalityDepth", json!(100)),
        ("/maxShieldedAnchorAge", json!(60)),
    ]));
}

/// One branch of headers costs as much at its end as at its beginning.
fn assert_even(profile: Profile) {
    let mut node = Node::open(Counted::over(&MemoryStore::new()), profile);
    let genesis = node.engine.rules().genesis_hash;
    let headers = branch(genesis, 12 * CALL, 1);
    let costs: Vec<_> = headers
        .chunks(CALL)
        .map(|call| cost(&mut node, call))
        .collect();
    // The windows fill first.
    let [early, late] = halves(&costs[4..]);
    assert!(late.0 <= early.0 + early.0 / 10, "{early:?} {late:?}");
    assert!(late.1 <= early.1 + early.1 / 10, "{early:?} {late:?}");
}

/// Two branches that overtake each other with every call: room for intervals does not run back and forth. Room beside
/// the chain doubles when it is used up, so that one call may take more; what counts is the sum.
#[test]
fn two_branches_in_turns() {
    let mut node = Node::open(Counted::over(&MemoryStore::new()), simnet());
    let genesis = node.engine.rules().genesis_hash;
    let branches = [2, 3].map(|seed| branch(genesis, 12 * CALL, seed));
    let mut costs = Vec::new();
    for (first, second) in branches[0].chunks(CALL).zip(branches[1].chunks(CALL)) {
        let (a, b) = (cost(&mut node, first), cost(&mut node, second));
        costs.push((a.0 + b.0, a.1 + b.1));
    }
    let [early, late] = halves(&costs[4..]);
    assert!(late.0 <= 2 * early.0, "{early:?} {late:?}");
    assert!(late.1 <= 2 * early.1, "{early:?} {late:?}");
}

/// A node with difficulty and a chain of headers of more than two windows.
fn long_chain() -> (Node<Counted>, Vec<Block>) {
    let profile = simnet_with(&[
        ("/fixedDifficulty", json!(false)),
        ("/difficultyWindowSize", json!(200)),
        ("/minDifficultyWindowSize", json!(20)),
    ]);
    let mut node = Node::open(Counted::over(&MemoryStore::new()), profile);
    let mut chance = Chance::new(4);
    let (mut tip, mut made) = (node.engine.rules().genesis_hash, Vec::new());
    for _ in 0..2_000 {
        let block = bodiless(header_over(&node, &[tip], &mut chance));
        node.add_headers(std::slice::from_ref(&block));
        tip = block.hash();
        made.push(block);
    }
    (node, made)
}

/// The code of a refusal, or how a header was taken.
fn code(inserted: &Inserted) -> &'static str {
    match inserted {
        Inserted::Accepted { new: true, .. } => "new",
        Inserted::Accepted { new: false, .. } => "known",
        Inserted::MissingParents(_) => "missing parents",
        Inserted::Rejected(error) => error.code.as_str(),
    }
}

/// The header as it would be with other contents.
fn twin(block: &Block, byte: u8) -> Block {
    let mut twin = block.clone();
    twin.header.hash_merkle_root = Hash32([byte; 32]);
    twin
}

/// Else the commit of several calls falls to one of them.
#[test]
fn each_call_with_headers_is_a_commit_in_a_group_too() {
    let mut node = Node::new(simnet());
    let headers = branch(node.sink(), 3 * CALL, 1);
    node.engine.set_group_commit(true).unwrap();
    let mut commits = vec![node.engine.records().overlay.store().commits];
    for call in headers.chunks(CALL) {
        node.add_headers(call);
        commits.push(node.engine.records().overlay.store().commits);
    }
    let made: Vec<u64> = commits.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(made, [1, 1, 1]);
    assert_eq!(node.engine.records().overlay.pending_len(), 0);
}

/// The window over an old block is thousands of reads, and a nonce for the easiest bits is found at once.
#[test]
fn a_refused_header_over_an_old_parent_costs_no_window() {
    let (node, headers) = long_chain();
    let mut bad = twin(&headers[1_001], 1);
    bad.header.bits -= 1;
    let good = twin(&headers[1_001], 2);
    // A new manager of windows remembers none.
    let mut node = {
        let profile = node.engine.rules().profile.clone();
        Node::open(node.engine.records().overlay.store().clone(), profile)
    };
    node.engine.records().overlay.store().take();
    let outcome = node.insert_headers(std::slice::from_ref(&bad));
    assert_eq!(code(&outcome[0]), "header/wrong-bits");
    let (reads, _) = node.engine.records().overlay.store().take();
    println!("{reads} reads");
    assert!(reads < 100, "{reads} reads");
    // Neither is an honest one refused for it.
    node.add_headers(&[good]);
}

/// Over a past that no known block has, a window must be walked: once in a call.
#[test]
fn a_call_ends_with_the_first_dear_refusal() {
    let (mut node, headers) = long_chain();
    let mut chance = Chance::new(5);
    let fork = twin(&headers[1_000], 1);
    node.add_headers(std::slice::from_ref(&fork));
    let over = header_over(&node, &[fork.hash()], &mut chance);
    let mut wrong = bodiless(over.clone());
    wrong.header.bits -= 1;
    let mut late = bodiless(over.clone());
    late.header.timestamp_ms = u64::MAX;
    let good = bodiless(over);
    let stray = bodiless(header_over(&node, &[fork.hash()], &mut chance));
    let mut orphan = stray.clone();
    orphan.header.parents = Parents::from_levels(&[vec![Hash32([9; 32])]]).unwrap();
    let now = good.header.timestamp_ms;
    let call: Vec<HashedHeader> = [&late, &orphan, &wrong, &good, &headers[5], &stray, &orphan]
        .map(|block| HashedHeader::new(block.header.clone(), None))
        .to_vec();
    let outcomes = node.engine.insert_headers(&call, now).unwrap();
    let codes: Vec<_> = outcomes.iter().map(code).collect();
    let expected = [
        "header/time-too-far-ahead",
        "missing parents",
        "header/wrong-bits",
        "header/wrong-bits",
        "known",
        "header/wrong-bits",
        "header/wrong-bits",
    ];
    assert_eq!(codes, expected);
    // What was not judged is not held against anybody.
    node.add_headers(&[good, stray]);
    // A refusal that the store keeps is one of the block that was judged.
    let tip = headers[1_999].hash();
    let mut marked = bodiless(header_over(&node, &[tip], &mut chance));
    marked.header.blue_score += 1;
    let next = bodiless(header_over(&node, &[tip], &mut chance));
    let outcomes = node.insert_headers(&[marked.clone(), next.clone()]);
    let codes: Vec<_> = outcomes.iter().map(code).collect();
    assert_eq!(codes, ["header/wrong-blue-score"; 2]);
    let again = node.insert_headers(&[marked, next]);
    let codes: Vec<_> = again.iter().map(code).collect();
    assert_eq!(codes, ["header/known-invalid", "new"]);
}

/// More parents than a block may have are refused before anything is hashed, so there is no id to answer with.
#[test]
fn too_many_parents_are_refused_unhashed() {
    let mut node = Node::new(simnet());
    let max = node.engine.rules().profile.max_block_parents as u8;
    let mut block = node.build(1, &[]);
    let with = |count: u8| {
        let direct: Vec<Hash32> = (1..=count).map(|byte| Hash32([byte; 32])).collect();
        Parents::from_levels(&vec![direct; 200]).unwrap()
    };
    for (count, refusal) in [(max, None), (max + 1, Some("header/too-many-parents"))] {
        block.header.parents = with(count);
        let rules = node.engine.rules();
        let read = ingest::read_incoming(rules, &block.to_bytes());
        assert_eq!(read.err().map(|error| error.code.as_str()), refusal);
        let raw = write_headers(&[HashedHeader::new(block.header.clone(), None)]);
        let read = headers::read_incoming(rules, &raw);
        assert_eq!(read.err().map(|error| error.code.as_str()), refusal);
    }
}
