//! More lanes than a count of 16 bits holds: what a block reads and writes depends on the lanes it touches, not on
//! those that live.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use svc_chain::profile::Profile;
use svc_chain::seq_commit;
use svc_chain::transaction::Transaction;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::records::Records;
use svc_consensus::records::lane_diff::{LaneDiff, LaneTip};
use svc_consensus::records::lanes::{plan, write};
use svc_consensus::store::tables;
use svc_consensus::store::{Batch, KeyRange, MemoryStore, Pair, Store};

use crate::scenarios::kit::Node;
use crate::scenarios::lanes::{PRESENT, assert_by_the_book, in_lane, short_lived, subnetwork};

/// Live lanes: more than 65,535.
const LANES: u32 = 70_000;

/// A disk that counts what it is asked for.
#[derive(Clone, Default)]
struct Disk {
    content: Rc<RefCell<MemoryStore>>,
    reads: Rc<Cell<usize>>,
    changes: Rc<Cell<usize>>,
    bytes: Rc<Cell<usize>>,
}

impl Disk {
    /// Reads, changes and bytes written since the last call.
    fn take(&self) -> [usize; 3] {
        [&self.reads, &self.changes, &self.bytes].map(|count| count.replace(0))
    }
}

impl Store for Disk {
    fn get(&self, table: u8, key: &[u8]) -> Result<Option<Vec<u8>>, SvcError> {
        self.reads.set(self.reads.get() + 1);
        self.content.borrow().get(table, key)
    }

    fn range(&self, range: KeyRange<'_>) -> Result<Vec<Pair>, SvcError> {
        let rows = self.content.borrow().range(range)?;
        self.reads.set(self.reads.get() + 1 + rows.len());
        Ok(rows)
    }

    fn commit(&mut self, batch: Batch) -> Result<(), SvcError> {
        self.changes.set(self.changes.get() + batch.len());
        let sizes = batch
            .iter()
            .map(|change| change.value.as_ref().map_or(0, Vec::len));
        self.bytes.set(self.bytes.get() + sizes.sum::<usize>());
        self.content.borrow_mut().commit(batch)
    }
}

/// A store after a few blocks in which, at the sink, this many more lanes live.
fn store_with(lanes: u32) -> MemoryStore {
    let mut node = Node::new(short_lived());
    node.mine_many(1, 5);
    let sink = node.sink();
    let blue_score = node.blue_score(&sink);
    let mut records = Records::new(node.engine.records().overlay.store().clone());
    let added: BTreeMap<Hash32, LaneTip> = (0..lanes)
        .map(|lane| {
            let key = seq_commit::lane_key(&subnetwork(lane));
            (
                key,
                LaneTip {
                    tip: key,
                    blue_score,
                },
            )
        })
        .collect();
    let update = plan(&records, LaneDiff::between(&BTreeMap::new(), &added)).unwrap();
    write(&mut records, &update);
    let mut chain_state = records.chain_state(&sink).unwrap().as_ref().clone();
    chain_state.lanes_root = update.tree.root;
    records.put_chain_state(&sink, chain_state);
    records.overlay.commit().unwrap();
    records.overlay.store().clone()
}

/// Reads, changes and bytes of each of the next blocks; every other one touches an old lane and a new one.
fn cost_of_blocks(lanes: u32, count: u32) -> Vec<[usize; 3]> {
    let disk = Disk::default();
    *disk.content.borrow_mut() = store_with(lanes);
    // A restart.
    let mut node: Node<Disk> = Node::open(disk.clone(), short_lived());
    let mut costs = Vec::new();
    for index in 0..count {
        let payments: Vec<Transaction> = if index % 2 == 0 {
            let notes = [u64::from(2 * index), u64::from(2 * index + 1)];
            vec![in_lane(notes[0], index), in_lane(notes[1], LANES + index)]
        } else {
            Vec::new()
        };
        let block = node.build(1, &payments);
        disk.take();
        node.add(&block);
        assert_eq!(node.sink(), block.hash());
        costs.push(disk.take());
    }
    costs
}

#[test]
fn seventy_thousand_lanes_cost_a_block_a_few_rows_more_than_none() {
    let (few, many) = (cost_of_blocks(1, 12), cost_of_blocks(LANES, 12));
    for (few, many) in few.iter().zip(&many) {
        println!("reads, changes, bytes: {few:?} {many:?}");
        // A tree of 70,000 lanes is 16 nodes high; a block here touches up to three lanes.
        assert!(many[0] < few[0] + 60 && many[1] < few[1] + 60);
        assert!(many[2] < few[2] + 4_000);
        assert!(many[1] < 120 && many[2] < 20_000);
    }
}

#[test]
fn seventy_thousand_lanes_expire_in_one_block_and_come_back() {
    let profile: Profile = short_lived();
    let mut node = Node::open(store_with(LANES), profile.clone());
    let count = |node: &Node| node.dump(&[tables::LANES]).len();
    let planted = node.blue_score(&node.sink());
    node.mine_many(1, profile.finality_depth as usize);
    assert_eq!(
        node.blue_score(&node.sink()),
        planted + profile.finality_depth
    );
    assert_eq!(count(&node), 1 + LANES as usize);
    let before = node.dump(&PRESENT);
    let mut other = node.copy();
    node.mine(1, &[]);
    assert_eq!(count(&node), 1);
    // A branch that touches one of them overtakes.
    other.mine(2, &[in_lane(1, 5)]);
    other.mine(2, &[]);
    let lead: Vec<Hash32> = other.chain().into_iter().rev().take(2).collect();
    for hash in lead.iter().rev() {
        let block = other.engine.records().block(hash).unwrap().unwrap();
        node.insert(&block);
    }
    node.settle();
    assert_eq!(node.sink(), other.sink());
    assert_eq!(node.dump(&PRESENT), other.dump(&PRESENT));
    assert_eq!(count(&node), 2);
    assert!(before.len() > 3 * LANES as usize);
}

#[test]
fn lanes_by_payments_of_blocks() {
    // The full size makes them all by payments of 50 lanes a block; F is too short for them to live all at once,
    // so a longer one is taken.
    let full = std::env::var("SVC_TEST_SIZE").is_ok_and(|size| size == "full");
    let lanes = if full { LANES } else { 400 };
    let mut profile = short_lived();
    profile.finality_depth = 10_000;
    profile.pruning_depth = 1_000_000;
    let mut node = Node::new(profile);
    node.mine_many(1, 3);
    for first in (0..lanes).step_by(50) {
        let payments: Vec<Transaction> = (first..first + 50)
            .map(|lane| in_lane(u64::from(lane), lane))
            .collect();
        node.mine(1, &payments);
    }
    node.mine(1, &[]);
    assert_eq!(node.dump(&[tables::LANES]).len(), 1 + lanes as usize);
    let state = node.state_of(&node.sink()).encode();
    assert!(state.len() < 2_000, "{} bytes", state.len());
    let mut restarted = node.copy();
    restarted.mine(1, &[]);
    if !full {
        assert_by_the_book(&restarted);
    }
}
