//! Kept evidence: what a self-check finds in its rows, on a whole store and on a pruned one, and how the store of an older
//! build comes by them.

use std::cell::RefCell;
use std::rc::Rc;

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::engine::Engine;
use svc_consensus::records::meta;
use svc_consensus::store::{Batch, Change, KeyRange, MemoryStore, Pair, Store, tables};

use crate::scenarios::evidence::{grown, pruned};
use crate::scenarios::kit::Node;
use crate::scenarios::pruning_kit::{small_network, without_fork};
use crate::scenarios::self_check::{changed, check};

const ROWS: [u8; 2] = [tables::CHAIN_EVIDENCE, tables::OPENINGS];

/// The check ends, with the name of the table or at a record of it that cannot be read.
fn assert_named(node: &Node, table: u8, note: &str) {
    let error = check(node, 500).expect_err(note);
    let name = match table {
        tables::OPENINGS => "openings",
        _ => "chain evidence",
    };
    let codes = [Code::VerifyContradiction, Code::StoreCorrupt];
    assert!(codes.contains(&error.code), "{note}: {error}");
    let told = |(key, value): &(&str, String)| {
        *key == "table" && value.replace('_', " ").starts_with(name)
    };
    assert!(error.data.iter().any(told), "{note}: {error}");
}

fn flipped(value: &[u8], at: usize) -> Option<Vec<u8>> {
    let mut other = value.to_vec();
    other[at] ^= 1;
    Some(other)
}

/// A byte of each hash of a row, and of its form.
fn places(value: &[u8]) -> impl Iterator<Item = usize> {
    (0..value.len()).step_by(32).chain([value.len() - 1])
}

#[test]
fn a_changed_missing_or_superfluous_row_is_named() {
    let node = grown();
    check(&node, 3).unwrap();
    for (table, key, value) in node.dump(&ROWS) {
        for at in places(&value) {
            let other = changed(&node, table, &key, flipped(&value, at));
            assert_named(&other, table, &format!("byte {at}"));
        }
        let other = changed(&node, table, &key, Some([value, vec![0; 32]].concat()));
        assert_named(&other, table, "longer");
        assert_named(&changed(&node, table, &key, None), table, "missing");
    }
    let genesis = node.engine.rules().genesis_hash;
    let rows = node.dump(&ROWS);
    for table in ROWS {
        let (_, _, value) = rows.iter().find(|(found, ..)| *found == table).unwrap();
        for key in [Hash32([7; 32]), genesis, node.chain()[5]] {
            if table == tables::OPENINGS || key != node.chain()[5] {
                let other = changed(&node, table, key.as_bytes(), Some(value.clone()));
                assert_named(&other, table, "superfluous");
            }
        }
    }
}

/// Nothing can be made anew there, and yet every byte that an answer may hold is fixed by a header or a state.
#[test]
fn below_the_pruning_point_rows_lead_to_what_is_held() {
    for profile in [small_network(), without_fork()] {
        let (node, chain) = pruned(profile);
        check(&node, 3).unwrap();
        let has_fork = node.engine.rules().fork_active(0);
        let rows = node.dump(&ROWS);
        for block in chain[1..60].iter().step_by(7) {
            let row = |(table, key, _): &&(u8, Vec<u8>, Vec<u8>)| {
                *table == tables::CHAIN_EVIDENCE && key == block.as_bytes()
            };
            let (table, key, value) = rows.iter().find(row).unwrap();
            // Before the fork nobody is shown the tree root.
            let shown = |at: &usize| has_fork || *at < 33;
            for at in places(value).filter(shown) {
                let other = changed(&node, *table, key, flipped(value, at));
                assert_named(&other, *table, &format!("byte {at}"));
            }
            if block != &chain[1] {
                assert_named(&changed(&node, *table, key, None), *table, "missing");
            }
        }
        for (table, key, value) in node.dump(&[tables::OPENINGS]) {
            for at in places(&value) {
                let other = changed(&node, table, &key, flipped(&value, at));
                assert_named(&other, table, &format!("byte {at}"));
            }
            let beside = changed(&node, table, &[7; 32], Some(value));
            assert_named(&beside, table, "superfluous");
        }
    }
}

/// A store of layout 3, which no evidence was kept in.
fn of_layout_3(node: &Node) -> MemoryStore {
    let mut store = node.engine.records().overlay.store().clone();
    let gone = node.dump(&ROWS).into_iter().map(|(table, key, _)| Change {
        table,
        key,
        value: None,
    });
    let version = Change {
        table: tables::META,
        key: meta::VERSION.to_vec(),
        value: Some(3_u32.to_le_bytes().to_vec()),
    };
    store.commit(gone.chain([version]).collect()).unwrap();
    store
}

#[test]
fn an_older_store_gets_the_evidence_of_what_it_holds() {
    let whole = grown();
    let profile = || whole.engine.rules().profile.clone();
    let node = Node::open(of_layout_3(&whole), profile());
    assert_eq!(node.dump(&ROWS), whole.dump(&ROWS));
    let (whole, chain) = pruned(small_network());
    let node = Node::open(of_layout_3(&whole), small_network());
    check(&node, 500).unwrap();
    let of_row = |node: &Node, block: &Hash32| node.engine.records().chain_evidence(block).unwrap();
    let held = chain.iter().filter(|block| of_row(&node, block).is_some());
    let held: Vec<&Hash32> = held.collect();
    assert!(held.len() > 100, "{}", held.len());
    for block in &held {
        assert_eq!(of_row(&node, block), of_row(&whole, block));
    }
    assert_eq!(of_row(&node, &chain[2]), None);
    assert_eq!(*held[0], chain[chain.len() - held.len()], "without gaps");
}

/// A store that takes so many commits and no more.
struct Failing {
    store: Rc<RefCell<MemoryStore>>,
    left: u32,
}

impl Store for Failing {
    fn get(&self, table: u8, key: &[u8]) -> Result<Option<Vec<u8>>, SvcError> {
        self.store.borrow().get(table, key)
    }

    fn range(&self, range: KeyRange<'_>) -> Result<Vec<Pair>, SvcError> {
        self.store.borrow().range(range)
    }

    fn commit(&mut self, batch: Batch) -> Result<(), SvcError> {
        let left = self.left.checked_sub(1);
        let full = || SvcError::new(Code::StoreCommitFailed).with("reason", "disk full");
        self.left = left.ok_or_else(full)?;
        self.store.borrow_mut().commit(batch)
    }
}

#[test]
fn a_migration_that_was_cut_short_is_begun_again() {
    let whole = grown();
    let profile = || whole.engine.rules().profile.clone();
    for left in 0..3 {
        let store = Rc::new(RefCell::new(of_layout_3(&whole)));
        let failing = Failing {
            store: Rc::clone(&store),
            left,
        };
        // The rows, then the version.
        let is_done = Engine::open(failing, profile()).is_ok();
        assert_eq!(is_done, left == 2);
        let node = Node::open(store.borrow().clone(), profile());
        assert_eq!(node.dump(&ROWS), whole.dump(&ROWS));
    }
}
