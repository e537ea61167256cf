//! Stores of older layouts: a fixture that an older build wrote is opened, extended and reorganised.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::Value;
use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_consensus::engine::Engine;
use svc_consensus::questions::evidence;
use svc_consensus::records::chain_state::ChainState;
use svc_consensus::records::meta::{self, PruningRecord};
use svc_consensus::store::tables;
use svc_consensus::store::{Batch, Change, KeyRange, MemoryStore, Pair, Store};
use svc_dag::store::DagStore;

use crate::scenarios::evidence::run;
use crate::scenarios::kit::Node;
use crate::scenarios::lanes::{PRESENT, assert_by_the_book, hand_over_all, in_lane};
use crate::scenarios::self_check::check;

/// A store as an older build left it; its first line tells how it was made.
fn fixture(name: &str) -> (MemoryStore, Profile) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../tests/fixtures/stores")
        .join(name);
    let mut lines = BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines();
    let mut next = || -> Option<Value> {
        let line = lines.next()?;
        Some(serde_json::from_str(&line.unwrap()).unwrap())
    };
    let head = next().unwrap();
    assert!(head["origin"].is_string());
    let bytes = |value: &Value| hex::decode(value.as_str().unwrap()).unwrap();
    let mut store = MemoryStore::new();
    while let Some(row) = next() {
        let change = Change {
            table: u8::try_from(row["table"].as_u64().unwrap()).unwrap(),
            key: bytes(&row["key"]),
            value: Some(bytes(&row["value"])),
        };
        store.commit(vec![change]).unwrap();
    }
    (
        store,
        Profile::from_json(&head["profile"].to_string()).unwrap(),
    )
}

/// A chain of 38 blocks with user lanes, some of them expired, two branches above it that were both judged, and
/// the position on the longer one.
fn layout_1() -> (MemoryStore, Profile) {
    fixture("layout-1.jsonl.gz")
}

fn version_of(store: &MemoryStore) -> Vec<u8> {
    store.get(tables::META, meta::VERSION).unwrap().unwrap()
}

fn with_version(version: u32) -> (MemoryStore, Profile) {
    let (mut store, profile) = layout_1();
    let change = Change {
        table: tables::META,
        key: meta::VERSION.to_vec(),
        value: Some(version.to_le_bytes().to_vec()),
    };
    store.commit(vec![change]).unwrap();
    (store, profile)
}

fn migrated() -> Node {
    let (store, profile) = layout_1();
    assert_eq!(version_of(&store), [1, 0, 0, 0]);
    Node::open(store, profile)
}

#[test]
fn a_store_of_layout_1_opens_with_the_lanes_a_new_node_has() {
    let node = migrated();
    let store = node.engine.records().overlay.store();
    assert_eq!(version_of(store), meta::LAYOUT_VERSION.to_le_bytes());
    let mut fresh = Node::new(node.engine.rules().profile.clone());
    hand_over_all(&node, &mut fresh);
    assert_eq!(fresh.sink(), node.sink());
    assert_eq!(node.dump(&PRESENT), fresh.dump(&PRESENT));
    let book = assert_by_the_book(&node);
    assert!(book.len() > 3, "{book:?}");
    for block in node.chain() {
        let (old, new) = (node.state_of(&block), fresh.state_of(&block));
        assert_eq!(old.encode(), new.encode(), "but for its form the same");
    }
    // The second opening finds nothing to do.
    let before = store.dump();
    let again = node.copy();
    let store = again.engine.records().overlay.store();
    assert_eq!(store.dump(), before);
}

/// The tip that is not on the selected chain, and a node that knows nothing but its chain.
fn other_branch(node: &Node) -> (Hash32, Node) {
    let records = node.engine.records();
    let tips = records.tips().unwrap();
    let sink = node.sink();
    let other = *tips.iter().find(|tip| **tip != sink).unwrap();
    let mut path = vec![other];
    let genesis = node.engine.rules().genesis_hash;
    while let Some(last) = path.last().filter(|last| **last != genesis) {
        path.push(records.ghostdag(last).unwrap().selected_parent);
    }
    let mut lone = Node::new(node.engine.rules().profile.clone());
    for hash in path.iter().rev().skip(1) {
        lone.add(&records.block(hash).unwrap().unwrap());
    }
    assert_eq!(lone.sink(), other);
    (other, lone)
}

#[test]
fn blocks_judged_under_layout_1_are_undone_and_redone() {
    let mut node = migrated();
    let (old, mut lone) = other_branch(&node);
    let first = node.sink();
    lone.mine(3, &[in_lane(100, 1), in_lane(101, 50)]);
    lone.mine_many(3, 4);
    let ahead: Vec<Hash32> = lone.chain().into_iter().rev().take(5).collect();
    for hash in ahead.iter().rev() {
        node.insert(&lone.engine.records().block(hash).unwrap().unwrap());
    }
    node.settle();
    assert_eq!(node.sink(), lone.sink());
    assert!(node.chain().contains(&old) && !node.chain().contains(&first));
    assert_eq!(node.dump(&PRESENT), lone.dump(&PRESENT));
    assert_by_the_book(&node);
    // And back: the first branch grows on a node that never saw the other.
    let (_, mut back) = other_branch(&node);
    back.mine_many(4, 8);
    node.insert_chain(&back, 1);
    node.settle();
    assert_eq!(node.sink(), back.sink());
    assert!(node.chain().contains(&first));
    assert_eq!(node.dump(&PRESENT), back.dump(&PRESENT));
    assert_by_the_book(&node);
    node.mine_many(1, 3);
    assert_by_the_book(&node.copy());
}

/// Layout 3 says where the store begins; up to then it began at genesis.
#[test]
fn a_store_of_layout_2_begins_at_genesis() {
    let (store, profile) = fixture("layout-2.jsonl.gz");
    assert_eq!(version_of(&store), [2, 0, 0, 0]);
    let mut node = Node::open(store, profile.clone());
    let records = node.engine.records();
    let genesis = node.engine.rules().genesis_hash;
    assert_eq!(records.pruning().unwrap(), PruningRecord::genesis(genesis));
    assert_eq!(records.pruning_point_at(0).unwrap(), Some(genesis));
    assert_eq!(records.pruning_point_at(1).unwrap(), None);
    let mut fresh = Node::new(profile);
    hand_over_all(&node, &mut fresh);
    let kept = [tables::META, tables::PRUNING_POINTS];
    let pruning = |node: &Node| {
        let mut rows = node.dump(&kept);
        rows.retain(|(table, key, _)| *table != tables::META || key == meta::PRUNING);
        rows
    };
    assert_eq!(pruning(&node), pruning(&fresh));
    node.mine_many(1, 2);
    assert_eq!(node.copy().sink(), node.sink());
}

/// Layout 5 opens the state of each block that is held whole. Where an older build pruned, runs begin above that.
#[test]
fn a_store_of_layout_4_shows_runs_of_what_it_holds() {
    let (store, profile) = fixture("layout-4.jsonl.gz");
    assert_eq!(version_of(&store), [4, 0, 0, 0]);
    let mut node = Node::open(store, profile);
    check(&node, 500).unwrap();
    let (chain, sink) = (node.chain(), node.sink());
    let shown: Vec<bool> = chain
        .iter()
        .map(|block| run(&node, block, &sink).is_ok())
        .collect();
    let lowest = shown.iter().position(|is_shown| *is_shown).unwrap();
    assert!(
        lowest > 10 && chain.len() - lowest > 20,
        "{lowest} of {}",
        chain.len()
    );
    assert!(
        shown[lowest..].iter().all(|is_shown| *is_shown),
        "without gaps"
    );
    for block in &chain[1..lowest] {
        let error = run(&node, block, &sink).unwrap_err();
        assert_eq!(error.code, Code::ChainPruned);
        assert!(
            error.data.contains(&("from", chain[lowest].to_string())),
            "{error}"
        );
    }
    // The tip names what can be shown.
    for depth in [1, 20, 7_000] {
        let Ok(named) = evidence::tip(node.engine.chain(), depth) else {
            continue;
        };
        let block = named["block"].as_str().unwrap();
        let index = chain.iter().position(|one| one.to_string() == block);
        assert!(index >= Some(lowest), "{depth}: {index:?}");
    }
    // Blocks that come now have records of the new form, and the second opening finds nothing to do.
    node.mine_many(1, 4);
    check(&node, 500).unwrap();
    assert!(run(&node, &chain[lowest], &node.sink()).is_ok());
    let before = node.engine.records().overlay.store().dump();
    assert_eq!(node.copy().engine.records().overlay.store().dump(), before);
}

#[test]
fn no_damage_to_a_state_of_form_1_panics() {
    let (store, _) = layout_1();
    let rows = store.dump().into_iter();
    let states = rows.filter(|(table, _, _)| *table == tables::CHAIN_STATE);
    let (_, _, longest) = states.max_by_key(|(_, _, row)| row.len()).unwrap();
    assert_eq!(longest[0], 1);
    let whole = ChainState::decode(&longest).unwrap();
    let lanes = ChainState::listed_lanes(&longest).unwrap().unwrap();
    assert!(lanes.len() > 3);
    assert_eq!(ChainState::listed_lanes(&whole.encode()), Ok(None));
    for position in 0..longest.len() {
        for bit in 0..8 {
            let mut damaged = longest.clone();
            damaged[position] ^= 1 << bit;
            if let Ok(state) = ChainState::decode(&damaged) {
                assert_ne!(state.encode(), whole.encode(), "byte {position}, bit {bit}");
            }
        }
        assert!(ChainState::decode(&longest[..position]).is_err());
    }
    assert!(ChainState::decode(&[longest, vec![0]].concat()).is_err());
}

#[test]
fn other_layouts_are_refused() {
    for version in [0, meta::LAYOUT_VERSION + 1, u32::MAX] {
        let (store, profile) = with_version(version);
        let error = Engine::open(store, profile).map(drop).unwrap_err();
        assert_eq!(error.code, Code::StoreVersion);
    }
}

/// A disk without room.
struct Full(MemoryStore);

impl Store for Full {
    fn get(&self, table: u8, key: &[u8]) -> Result<Option<Vec<u8>>, SvcError> {
        self.0.get(table, key)
    }

    fn range(&self, range: KeyRange<'_>) -> Result<Vec<Pair>, SvcError> {
        self.0.range(range)
    }

    fn commit(&mut self, batch: Batch) -> Result<(), SvcError> {
        let tables: BTreeSet<u8> = batch.iter().map(|change| change.table).collect();
        let expected = [
            tables::META,
            tables::LANES,
            tables::LANE_NODES,
            tables::LANE_EXPIRY,
            tables::PRUNING_POINTS,
        ];
        assert_eq!(tables, expected.into(), "all of it in one commit");
        Err(SvcError::new(Code::StoreCommitFailed).with("reason", "disk full"))
    }
}

#[test]
fn a_migration_is_one_commit() {
    let (store, profile) = layout_1();
    let error = Engine::open(Full(store), profile).map(drop).unwrap_err();
    assert_eq!(error.code, Code::StoreCommitFailed);
}
