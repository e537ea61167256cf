//! A change of the selected chain of any depth is a row of short calls, and each of them leaves a whole chain.

use std::cell::Cell;
use std::rc::Rc;

use serde_json::json;
use svc_chain::block::Block;
use svc_chain::profile::Profile;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{CHAIN_PAGE_BLOCKS, GROUP_COMMIT_CHANGES};
use svc_consensus::pipeline::event::Event;
use svc_consensus::questions;
use svc_consensus::store::{Batch, KeyRange, MemoryStore, Pair, Store};
use svc_dag::store::DagStore;

use crate::scenarios::kit::{Node, simnet_with};
use crate::scenarios::payments::Payment;

/// A store that counts what is read and written.
#[derive(Clone)]
pub struct Counted {
    content: MemoryStore,
    reads: Rc<Cell<usize>>,
    writes: Rc<Cell<usize>>,
}

impl Counted {
    pub fn over(content: &MemoryStore) -> Self {
        Self {
            content: content.clone(),
            reads: Rc::default(),
            writes: Rc::default(),
        }
    }

    /// Reads and writes since the last time.
    pub fn take(&self) -> (usize, usize) {
        (self.reads.take(), self.writes.take())
    }
}

impl Store for Counted {
    fn get(&self, table: u8, key: &[u8]) -> Result<Option<Vec<u8>>, SvcError> {
        self.reads.set(self.reads.get() + 1);
        self.content.get(table, key)
    }

    fn range(&self, range: KeyRange<'_>) -> Result<Vec<Pair>, SvcError> {
        let found = self.content.range(range)?;
        self.reads.set(self.reads.get() + found.len());
        Ok(found)
    }

    fn commit(&mut self, batch: Batch) -> Result<(), SvcError> {
        self.writes.set(self.writes.get() + batch.len());
        self.content.commit(batch)
    }
}

/// Chain blocks of one call, as the host asks for.
const BUDGET: usize = 4;

fn blocks_above(node: &Node, base: usize) -> Vec<Block> {
    let block = |hash: &Hash32| node.engine.records().block(hash).unwrap().unwrap();
    node.chain()[base..].iter().map(block).collect()
}

/// Two branches over a common chain of five: virtual stands on the first, the second is one longer.
struct Branches {
    first: Node,
    second: Vec<Block>,
}

/// An abandoned branch of a hundred blocks is out of the merge depth: nothing of it is looked at for virtual's parents.
fn profile() -> Profile {
    simnet_with(&[("/mergeDepth", json!(30))])
}

fn branches(depth: usize) -> Branches {
    let mut first = Node::new(profile());
    first.mine_many(1, 4);
    let mut second = first.copy();
    first.mine_many(1, depth);
    second.mine_many(2, depth + 1);
    Branches {
        first,
        second: blocks_above(&second, 5),
    }
}

/// A node on the first branch that has taken in the second and not resolved.
fn before_the_change(branches: &Branches) -> Node<Counted> {
    let store = Counted::over(branches.first.engine.records().overlay.store());
    let mut node = Node::open(store, profile());
    for block in &branches.second {
        node.insert(block);
    }
    node
}

/// Most reads and most writes of one call; nothing is remembered from call to call.
fn worst_call(node: &mut Node<Counted>) -> (usize, usize) {
    let mut worst = (0, 0);
    for _ in 0..10_000 {
        node.engine.records().clear_caches();
        node.engine.records().overlay.store().take();
        let resolved = node.engine.resolve(BUDGET).unwrap();
        let (reads, writes) = node.engine.records().overlay.store().take();
        worst = (worst.0.max(reads), worst.1.max(writes));
        node.events.extend(resolved.events);
        if resolved.done {
            return worst;
        }
    }
    panic!("resolve does not come to an end");
}

#[test]
fn no_call_does_more_the_deeper_the_change() {
    let costs = [100, 300].map(|depth| {
        let branches = branches(depth);
        let mut node = before_the_change(&branches);
        let tip = branches.second[depth].hash();
        let judging = worst_call(&mut node);
        assert_eq!(node.sink(), tip);
        // Back to the first branch, whose blocks are judged already.
        let mut first = branches.first.copy();
        let extension = first.mine_many(1, 2);
        for hash in extension {
            let block = first.engine.records().block(&hash).unwrap().unwrap();
            node.insert(&block);
        }
        let applying = worst_call(&mut node);
        assert_eq!(node.sink(), first.sink());
        // All of a chain that came in before anything was judged.
        let mut loading = Node::open(Counted::over(&MemoryStore::new()), profile());
        for block in &blocks_above(&branches.first, 1) {
            loading.insert(block);
        }
        let loading = worst_call(&mut loading);
        println!("depth {depth}: judging {judging:?}, applying {applying:?}, loading {loading:?}");
        [judging, applying, loading]
    });
    for (shallow, deep) in costs[0].iter().zip(&costs[1]) {
        assert!(deep.0 <= shallow.0 + shallow.0 / 4, "reads");
        assert!(deep.1 <= shallow.1 + shallow.1 / 4, "writes");
    }
}

/// A node whose host believes every proof, with a branch over a block that carries a broken one.
fn gullible_branch(honest: &Node, length: usize) -> (Node, Vec<Block>) {
    let base = honest.chain().len();
    let mut gullible = honest.copy();
    let payment = Payment::of(1).broken().build();
    let bad = gullible.build_carrying(2, std::slice::from_ref(&payment));
    let now = bad.header.timestamp_ms;
    gullible.engine.insert_block(bad, now).unwrap();
    let named = svc_shielded::bundle::BundleFormat::NamedAnchor;
    let txid = payment.id();
    gullible.engine.note_verdict(txid, named, true).unwrap();
    gullible.settle();
    gullible.mine_many(2, length);
    let blocks = blocks_above(&gullible, base);
    (gullible, blocks)
}

#[test]
fn a_long_refused_branch_is_refused_in_short_calls_and_never_walked_again() {
    let costs = [100, 300].map(|length| {
        let mut honest = Node::new(profile());
        honest.mine_many(1, 12);
        let (mut gullible, branch) = gullible_branch(&honest, length);
        let store = Counted::over(honest.engine.records().overlay.store());
        let mut node = Node::open(store, profile());
        let sink = node.sink();
        for block in &branch {
            node.insert(block);
        }
        let worst = worst_call(&mut node);
        assert_eq!(node.sink(), sink);
        for block in &branch {
            assert_eq!(node.status(&block.hash()).0, "disqualified");
        }
        // One more on top is refused without a step of the position.
        let block = gullible.build(2, &[]);
        node.insert(&block);
        while !node.engine.resolve(1).unwrap().done {
            assert_eq!(node.engine.records().position().unwrap(), sink);
        }
        assert_eq!(node.status(&block.hash()).0, "disqualified");
        assert_eq!(node.sink(), sink);
        println!("length {length}: {worst:?}");
        worst
    });
    assert!(costs[1].0 <= costs[0].0 + costs[0].0 / 4, "reads");
    assert!(costs[1].1 <= costs[0].1 + costs[0].1 / 4, "writes");
}

/// Follows the published pages from the chain at the start; returns how often a change ended.
pub fn follow(events: &[Event], chain: &mut Vec<Hash32>) -> usize {
    let mut ended = 0;
    for event in events {
        let Event::VirtualChanged(page) = event else {
            continue;
        };
        assert!(page.removed.len() <= CHAIN_PAGE_BLOCKS && page.added.len() <= CHAIN_PAGE_BLOCKS);
        assert!(page.removed.len() + page.added.len() > 0);
        for gone in &page.removed {
            assert_eq!(chain.pop(), Some(*gone));
        }
        for facts in &page.added {
            assert_eq!(facts["index"], chain.len().to_string());
            chain.push(facts["hash"].as_str().unwrap().parse().unwrap());
        }
        assert_eq!(chain.last(), Some(&page.sink));
        ended += usize::from(page.last);
    }
    ended
}

#[test]
fn pages_make_up_the_change_and_the_last_one_says_so() {
    for depth in [1, CHAIN_PAGE_BLOCKS - 1, CHAIN_PAGE_BLOCKS, 150] {
        let branches = branches(depth);
        let mut node = before_the_change(&branches);
        let mut chain = node.chain();
        node.budget = BUDGET;
        node.settle();
        assert_eq!(follow(&node.events, &mut chain), 1, "depth {depth}");
        assert_eq!(chain, node.chain());
        let pages = node.events.iter();
        let pages = pages.filter(|event| matches!(event, Event::VirtualChanged(_)));
        // Removed blocks fill pages, and the one that ends them has room for added blocks.
        let expected = (depth / CHAIN_PAGE_BLOCKS).max(depth / (CHAIN_PAGE_BLOCKS + 1));
        let bounds = expected..=2 * expected + 2;
        assert!(bounds.contains(&pages.count()), "depth {depth}");
    }
}

#[test]
fn between_two_calls_there_is_a_whole_chain_and_no_template_on_half_a_change() {
    let branches = branches(150);
    let mut node = before_the_change(&branches);
    let mut sinks = vec![node.sink()];
    loop {
        let done = node.engine.resolve(1).unwrap().done;
        let chain = node.chain();
        let sink = node.sink();
        assert_eq!(chain.last(), Some(&sink));
        for pair in chain.windows(2) {
            let parent = node.engine.records().ghostdag(&pair[1]).unwrap();
            assert_eq!(parent.selected_parent, pair[0]);
        }
        let tip = questions::tip(node.engine.chain()).unwrap();
        assert_eq!(tip["chainIndex"], (chain.len() - 1).to_string());
        questions::shielded_facts(node.engine.chain(), &sink).unwrap();
        let stands = node.engine.records().position().unwrap() == sink;
        let check = node
            .engine
            .check_transaction(&Payment::of(1).build().into());
        assert_eq!(check.is_ok(), stands);
        if sinks.last() != Some(&sink) {
            sinks.push(sink);
        }
        if done {
            break;
        }
    }
    assert!(sinks.len() >= 5, "the chain moved in pages");
    assert_eq!(sinks.last(), Some(&branches.second[150].hash()));
}

#[test]
fn a_change_cut_short_at_any_point_is_finished_by_the_next_engine() {
    let branches = branches(100);
    let expected = {
        let mut node = before_the_change(&branches);
        node.settle();
        node.engine.records().overlay.store().content.dump()
    };
    for calls in [23, 24, 25, 31, 101] {
        let mut node = before_the_change(&branches);
        let mut restarts = 0;
        while !(0..calls).any(|_| node.engine.resolve(1).unwrap().done) {
            node = Node::open(node.engine.records().overlay.store().clone(), profile());
            restarts += 1;
        }
        assert!(restarts > 0);
        let found = node.engine.records().overlay.store().content.dump();
        assert!(found == expected, "restarted after every {calls} calls");
    }
}

#[test]
fn a_tip_that_comes_in_the_middle_of_a_change_is_followed_after_it() {
    let branches = branches(120);
    let (last, rest) = branches.second.split_last().unwrap();
    let (before_last, rest) = rest.split_last().unwrap();
    let mut longer = branches.first.copy();
    // Heavier than the second branch will be.
    longer.mine_many(1, 3);
    for stop in [3, 40, 130, 150, 245, 250, 252] {
        let mut node = before_the_change(&branches);
        for _ in 0..stop {
            let resolved = node.engine.resolve(1).unwrap();
            node.events.extend(resolved.events);
        }
        for block in &blocks_above(&longer, 125) {
            node.insert(block);
        }
        node.budget = 1;
        node.settle();
        assert_eq!(node.sink(), longer.sink(), "after {stop} calls");
        let mut chain = branches.first.chain();
        follow(&node.events, &mut chain);
        assert_eq!(chain, longer.chain());
    }
    // A tip that extends what is being walked to: nothing is walked twice.
    let store = Counted::over(branches.first.engine.records().overlay.store());
    let mut node = Node::open(store, profile());
    for block in rest.iter().chain([before_last]) {
        node.insert(block);
    }
    for _ in 0..10 {
        node.engine.resolve(1).unwrap();
    }
    node.insert(last);
    node.budget = 1;
    node.settle();
    assert_eq!(node.sink(), last.hash());
    assert!(node.resolves < 300, "{} calls", node.resolves);
}

#[test]
fn a_group_with_much_in_it_commits_in_the_middle_of_a_change() {
    let branches = branches(GROUP_COMMIT_CHANGES / 10);
    let mut node = before_the_change(&branches);
    node.engine.set_group_commit(true).unwrap();
    let commits = node.engine.records().overlay.store().content.commits;
    let mut largest = 0;
    node.engine.records().overlay.store().take();
    loop {
        let resolved = node.engine.resolve(BUDGET).unwrap();
        let (_, writes) = node.engine.records().overlay.store().take();
        largest = largest.max(writes);
        if resolved.done {
            break;
        }
    }
    let made = node.engine.records().overlay.store().content.commits - commits;
    println!("{made} commits, the largest of {largest} changes");
    assert!((1..20).contains(&made), "{made} commits");
    assert!(largest < GROUP_COMMIT_CHANGES + 1_000, "{largest} changes");
    node.engine.flush().unwrap();
}
