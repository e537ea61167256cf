//! Commits: what reaches the store when, and what happens when the store fails.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_consensus::engine::Engine;
use svc_consensus::pipeline::event::Event;
use svc_consensus::store::{Batch, KeyRange, MemoryStore, Pair, Store};

use crate::scenarios::kit::{Node, simnet, simnet_with};
use crate::scenarios::payments::Payment;

/// A disk that outlives engines and fails its commits on demand.
#[derive(Clone, Default)]
struct Disk {
    content: Rc<RefCell<MemoryStore>>,
    full: Rc<Cell<bool>>,
}

impl Disk {
    fn dump(&self) -> Vec<(u8, Vec<u8>, Vec<u8>)> {
        self.content.borrow().dump()
    }
}

impl Store for Disk {
    fn get(&self, table: u8, key: &[u8]) -> Result<Option<Vec<u8>>, SvcError> {
        self.content.borrow().get(table, key)
    }

    fn range(&self, range: KeyRange<'_>) -> Result<Vec<Pair>, SvcError> {
        self.content.borrow().range(range)
    }

    fn commit(&mut self, batch: Batch) -> Result<(), SvcError> {
        if self.full.get() {
            return Err(SvcError::new(Code::StoreCommitFailed).with("reason", "disk full"));
        }
        self.content.borrow_mut().commit(batch)
    }
}

/// A chain of 12 blocks with payments, made elsewhere.
fn recorded() -> Vec<svc_chain::block::Block> {
    let mut node = Node::new(simnet());
    for note in 0..12 {
        node.mine(1, &[Payment::of(note).build()]);
    }
    let chain = node.chain();
    let blocks = chain.iter().skip(1);
    blocks
        .map(|hash| node.engine.records().block(hash).unwrap().unwrap())
        .collect()
}

#[test]
fn in_a_group_nothing_reaches_the_store_and_events_wait_for_the_flush() {
    let disk = Disk::default();
    let mut node = Node::open(disk.clone(), simnet());
    let before = disk.dump();
    node.engine.set_group_commit(true).unwrap();
    let blocks = recorded();
    for block in &blocks {
        node.add(block);
    }
    assert_eq!(disk.dump(), before);
    assert!(node.events.is_empty());
    assert_eq!(
        node.sink(),
        blocks[11].hash(),
        "the engine reads its own writes"
    );
    node.engine.flush().unwrap();
    assert_eq!(disk.content.borrow().commits, 2, "genesis and the group");
    node.settle();
    let added = node.events.iter();
    let added = added.filter(|event| matches!(event, Event::BlockAdded { .. }));
    assert_eq!(added.count(), 12);
    assert_eq!(node.events.len(), 24);
    // The same content as committed step by step.
    let stepwise = Disk::default();
    let mut other = Node::open(stepwise.clone(), simnet());
    for block in &blocks {
        other.add(block);
    }
    assert_eq!(disk.dump(), stepwise.dump());
    assert!(stepwise.content.borrow().commits > 24);
}

#[test]
fn switching_the_group_off_commits_it() {
    let disk = Disk::default();
    let mut node = Node::open(disk.clone(), simnet());
    node.engine.set_group_commit(true).unwrap();
    node.add(&recorded()[0]);
    assert_eq!(disk.content.borrow().commits, 1);
    node.engine.set_group_commit(false).unwrap();
    assert_eq!(disk.content.borrow().commits, 2);
}

#[test]
fn after_a_failed_commit_the_engine_refuses_and_a_new_one_goes_on() {
    let blocks = recorded();
    // Fail at every commit of the run in turn.
    for failing in 1.. {
        let disk = Disk::default();
        let mut node = Node::open(disk.clone(), simnet());
        let mut failed = false;
        for block in &blocks {
            if disk.content.borrow().commits >= failing {
                disk.full.set(true);
            }
            if drive(&mut node, block).is_err() {
                failed = true;
                break;
            }
        }
        if !failed {
            assert!(failing > 24, "every commit had its turn");
            return;
        }
        let restarted = |error: SvcError| assert_eq!(error.code, Code::EngineRestarted);
        disk.full.set(false);
        let committed = disk.dump();
        restarted(node.engine.flush().unwrap_err());
        restarted(node.engine.resolve(1).unwrap_err());
        let block = blocks[0].clone();
        restarted(node.engine.insert_block(block, u64::MAX).unwrap_err());
        restarted(node.engine.pending_jobs(&blocks[0].hash()).unwrap_err());
        let payment = blocks[0].transactions[1].clone();
        let check = node.engine.check_transaction(&payment.into());
        restarted(check.err().unwrap());
        assert_eq!(disk.dump(), committed, "nothing of the broken step");
        let mut again = Node::open(disk.clone(), simnet());
        again.settle();
        for block in &blocks {
            again.add(block);
        }
        assert_eq!(again.sink(), blocks[11].hash());
        let mut never_failed = Node::open(Disk::default(), simnet());
        for block in &blocks {
            never_failed.add(block);
        }
        let expected = never_failed.engine.records().overlay.store().dump();
        assert_eq!(disk.dump(), expected, "failed at commit {failing}");
    }
}

/// Takes a block in and resolves, stopping at the first error.
fn drive(node: &mut Node<Disk>, block: &svc_chain::block::Block) -> Result<(), SvcError> {
    let now = block.header.timestamp_ms;
    node.engine.insert_block(block.clone(), now)?;
    for payment in &block.transactions[1..] {
        let format = svc_shielded::bundle::BundleFormat::NamedAnchor;
        node.engine.note_verdict(payment.id(), format, true)?;
    }
    while !node.engine.resolve(1)?.done {}
    Ok(())
}

#[test]
fn a_store_belongs_to_one_profile() {
    let disk = Disk::default();
    drop(Engine::open(disk.clone(), simnet()).map(drop));
    let other = simnet_with(&[("/shieldedAnchorDepth", serde_json::json!(11))]);
    let error = Engine::open(disk.clone(), other).map(drop).unwrap_err();
    assert_eq!(error.code, Code::StoreProfileMismatch);
    assert!(Engine::open(disk, simnet()).is_ok());
}
