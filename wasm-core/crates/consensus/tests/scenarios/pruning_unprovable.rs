//! A pruning point of which no proof can be made is said once, and gives way to the next.

use std::cell::RefCell;
use std::rc::Rc;

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::prune::plan::Phase;
use svc_consensus::store::tables;
use svc_consensus::store::{Batch, KeyRange, MemoryStore, Pair, Store};
use svc_dag::store::DagStore;

use crate::scenarios::kit::Node;
use crate::scenarios::pruning::assert_proved;
use crate::scenarios::pruning_kit::{DEPTH, FINALITY, prune_all, pruned_points, small_network};

/// A store that does not find one header.
#[derive(Clone, Default)]
struct Hiding {
    content: MemoryStore,
    hidden: Rc<RefCell<Option<Hash32>>>,
}

impl Store for Hiding {
    fn get(&self, table: u8, key: &[u8]) -> Result<Option<Vec<u8>>, SvcError> {
        let hidden = self.hidden.borrow();
        let is_hidden = |hash: &Hash32| table == tables::HEADERS && hash.as_bytes() == key;
        if hidden.as_ref().is_some_and(is_hidden) {
            return Ok(None);
        }
        self.content.get(table, key)
    }

    fn range(&self, range: KeyRange<'_>) -> Result<Vec<Pair>, SvcError> {
        self.content.range(range)
    }

    fn commit(&mut self, batch: Batch) -> Result<(), SvcError> {
        self.content.commit(batch)
    }
}

/// The code of the first step that fails with the header hidden; the proof is made level by level.
fn failed(node: &mut Node<Hiding>, hidden: Hash32) -> Option<&'static str> {
    node.engine.records().clear_caches();
    let store = node.engine.records().overlay.store();
    store.hidden.replace(Some(hidden));
    let mut code = None;
    while code.is_none() && phase(node) == Some(Phase::Proof) {
        let outcome = node.engine.prune(1);
        code = outcome.err().map(|error| error.code.as_str());
    }
    node.engine.records().overlay.store().hidden.replace(None);
    code
}

fn phase(node: &Node<Hiding>) -> Option<Phase> {
    let plan = node.engine.records().pruning_plan().unwrap();
    plan.map(|plan| plan.phase)
}

#[test]
fn a_point_without_a_proof_gives_way_to_the_next() {
    let mut node = Node::open(Hiding::default(), small_network());
    while node.engine.records().pruning().unwrap().index == 0 {
        node.mine(1, &[]);
    }
    while phase(&node) != Some(Phase::Proof) {
        assert!(!node.engine.prune(1).unwrap().done);
    }
    let first = node.engine.records().pruning_point().unwrap();
    let below = node
        .engine
        .records()
        .ghostdag(&first)
        .unwrap()
        .selected_parent;
    assert_eq!(failed(&mut node, below), Some("proof/missing-depth-block"));
    // It is not made again with each call.
    for _ in 0..3 {
        assert!(node.engine.prune(1).unwrap().done);
    }
    assert_eq!(phase(&node), Some(Phase::Proof));
    assert_eq!(node.engine.records().pruning_point().unwrap(), first);
    // A node that is started again tries once more, and the next point does not wait for it either.
    let store = node.engine.records().overlay.store().clone();
    let mut again = Node::open(store, small_network());
    again.mine_many(1, 2 * FINALITY as usize);
    assert_eq!(failed(&mut again, below), Some("proof/missing-depth-block"));
    node.mine_many(1, 2 * FINALITY as usize);
    for node in [&mut node, &mut again] {
        prune_all(node, 20);
        let point = node.engine.records().pruning_point().unwrap();
        assert_ne!(point, first);
        assert_eq!(pruned_points(node), [point]);
        assert_proved(node);
        node.mine_many(1, DEPTH as usize);
    }
}
