//! History from before a node's own begin: brought in, replayed, and joined to the chain, or thrown away.

use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_PAGE_RECORDS;
use svc_consensus::engine::Engine;
use svc_consensus::export::Export;
use svc_consensus::history::stored_record::StoredRecord;
use svc_consensus::history::{HistoryProgress, Stage};
use svc_consensus::questions::pages;
use svc_consensus::store::{MemoryStore, tables};
use svc_dag::reachability::is_dag_ancestor;
use svc_dag::store::DagStore;

use crate::scenarios::importing::{FINALITY, FORK, Offer, full_node, new_node, samples};
use crate::scenarios::kit::Node;

/// A full node, and one that started from a pruning point of it.
fn nodes() -> (Node, Node, Hash32) {
    let full = full_node();
    let (point, _) = samples(&full)[2];
    let mut node = new_node();
    Offer::of(&full, &point).take(&mut node).unwrap();
    (full, node, point)
}

/// Records of the chain below a block, its own first.
fn records(full: &Node, base: &Hash32) -> Vec<Vec<u8>> {
    let held = full.engine.records();
    let from = held.chain_index(base).unwrap().unwrap();
    let records = Export::history(held, from, MAX_PAGE_RECORDS).unwrap();
    assert_eq!(records.len() as u64, from + 1);
    records
}

fn finish(engine: &mut Engine<MemoryStore>) -> HistoryProgress {
    for _ in 0..10_000 {
        match engine.history_import().history_step(7).unwrap() {
            HistoryProgress::Working(_) => {}
            progress => return progress,
        }
    }
    panic!("no end");
}

/// The records are wanted from the base on.
fn wanted(base: Hash32) -> HistoryProgress {
    HistoryProgress::Wanted {
        base,
        below: 0,
        lowest: None,
    }
}

/// All scan records from genesis to the sink as they are served.
fn served(node: &Node) -> Vec<Vec<u8>> {
    let records = node.engine.records();
    let chain = node.chain();
    let of = |block: &Hash32| pages::record_of(records, block).unwrap();
    chain.iter().map(of).collect()
}

fn assert_complete(full: &Node, node: &mut Node) {
    assert_eq!(node.engine.history().unwrap(), HistoryProgress::Complete);
    assert_eq!(node.chain(), full.chain());
    assert_eq!(served(node), served(full));
    let chain = [tables::CHAIN_BY_INDEX, tables::CHAIN_BY_HASH];
    assert_eq!(node.dump(&chain), full.dump(&chain));
    assert!(node.dump(&[tables::IMPORT]).is_empty());
    let base = node.engine.records().pruning().unwrap().history_base;
    assert_eq!(base, node.engine.rules().genesis_hash);
    let sink = node.sink();
    assert_eq!(node.mine(3, &[]), full.copy().mine(3, &[]));
    assert_ne!(node.sink(), sink);
}

#[test]
fn history_down_to_genesis() {
    let full = full_node();
    let (point, _) = samples(&full)[0];
    let mut node = new_node();
    Offer::of(&full, &point).take(&mut node).unwrap();
    // The base is far below what the node keeps by now.
    assert_ne!(node.engine.records().pruning_point().unwrap(), point);
    while !node.engine.prune(20).unwrap().done {}
    let records = records(&full, &point);
    let engine = &mut node.engine;
    assert_eq!(engine.history().unwrap(), wanted(point));
    let mut taken = 0;
    for page in records.chunks(9) {
        taken += page.len() as u64;
        let progress = engine.history_import().import_history(page).unwrap();
        if taken < records.len() as u64 {
            let lowest = page.last().map(|record| StoredRecord::decode(record));
            let expected = HistoryProgress::Wanted {
                base: point,
                below: taken,
                lowest: lowest.map(|record| record.unwrap().head.hash),
            };
            assert_eq!(progress, expected);
            assert_eq!(engine.records().chain_at(0).unwrap(), None);
        } else {
            assert_eq!(progress, HistoryProgress::Working(Stage::Verify));
        }
        // Between any two pages the store may be opened again.
        let store = engine.records().overlay.store().clone();
        *engine = Engine::open(store, engine.rules().profile.clone()).unwrap();
        assert_eq!(engine.history().unwrap(), progress);
    }
    let early = engine
        .history_import()
        .import_history(&records[..1])
        .unwrap_err();
    assert_eq!(early.code.as_str(), "history/out-of-order");
    assert_eq!(finish(engine), HistoryProgress::Complete);
    assert_complete(&full, &mut node);
}

/// Genesis is not on the chain yet while records are replayed: a sweep may not take its record and its state.
#[test]
fn a_sweep_while_history_is_replayed() {
    let full = full_node();
    let (point, _) = samples(&full)[0];
    let mut node = new_node();
    Offer::of(&full, &point).take(&mut node).unwrap();
    let records = records(&full, &point);
    let progress = node
        .engine
        .history_import()
        .import_history(&records)
        .unwrap();
    assert_eq!(progress, HistoryProgress::Working(Stage::Verify));
    while !node.engine.prune(20).unwrap().done {}
    assert_eq!(finish(&mut node.engine), HistoryProgress::Complete);
    let genesis = node.engine.rules().genesis_hash;
    let at_genesis = |node: &Node| pages::tree_state(node.engine.records(), &genesis).unwrap();
    assert_eq!(at_genesis(&node), at_genesis(&full));
    assert_complete(&full, &mut node);
}

#[test]
fn every_step_can_be_the_last_before_a_kill() {
    let (full, mut node, point) = nodes();
    node.engine
        .history_import()
        .import_history(&records(&full, &point))
        .unwrap();
    loop {
        let progress = node.engine.history_import().history_step(1).unwrap();
        let store = node.engine.records().overlay.store().clone();
        let profile = node.engine.rules().profile.clone();
        node.engine = Engine::open(store, profile).unwrap();
        // What is on the chain is served, down to the base of the moment.
        let records = node.engine.records();
        let base = records.pruning().unwrap().history_base;
        if base != point {
            pages::record_of(records, &base).unwrap();
        }
        let index = records.chain_index(&base).unwrap().unwrap();
        assert_eq!(records.chain_at(index).unwrap(), Some(base));
        if progress == HistoryProgress::Complete {
            break;
        }
    }
    assert_complete(&full, &mut node);
}

#[test]
fn a_false_index_of_the_base_is_put_right() {
    let full = full_node();
    let (point, _) = samples(&full)[1];
    for lie in [-3_i64, 11] {
        let mut offer = Offer::of(&full, &point);
        let index = &mut offer.state.chain_index;
        *index = index.checked_add_signed(lie).unwrap();
        let mut node = new_node();
        offer.take(&mut node).unwrap();
        node.engine
            .history_import()
            .import_history(&records(&full, &point))
            .unwrap();
        assert_eq!(finish(&mut node.engine), HistoryProgress::Complete);
        assert_complete(&full, &mut node);
    }
}

#[test]
fn records_that_do_not_fit_are_refused() {
    let (full, mut node, point) = nodes();
    let good = records(&full, &point);
    let engine = &mut node.engine;
    let mut refused = |records: &[Vec<u8>]| {
        let error = engine.history_import().import_history(records).unwrap_err();
        error.code.as_str()
    };
    assert_eq!(refused(&good[1..]), "history/wrong-record");
    assert_eq!(refused(&[good[0][..40].to_vec()]), "codec/unexpected-end");
    let full_one = 1 + good[1..]
        .iter()
        .position(|record| has_leaves(record))
        .unwrap();
    let mut gap = good[..=full_one + 1].to_vec();
    gap.remove(full_one);
    assert_eq!(refused(&gap), "history/wrong-record");
    // The base has come; what follows must lead to it.
    let changed = |index: usize, at: usize| {
        let mut record = good[index + full_one - 1].clone();
        record[at] ^= 1;
        record
    };
    // Blue score above the base, time against the header, first leaf.
    assert_eq!(refused(&[changed(1, 36)]), "history/wrong-record");
    assert_eq!(refused(&[changed(1, 48)]), "history/wrong-record");
    assert_eq!(refused(&[changed(1, 56)]), "history/wrong-record");
    assert_eq!(
        refused(&vec![good[full_one].clone(); MAX_PAGE_RECORDS + 1]),
        "codec/count-too-large"
    );
    assert_eq!(refused(&[good[0].clone()]), "history/wrong-record");
    let sink_record = pages_record(&full);
    assert_eq!(refused(&[sink_record]), "history/wrong-record");
    engine
        .history_import()
        .import_history(&good[full_one..])
        .unwrap();
    assert_eq!(finish(engine), HistoryProgress::Complete);
    assert_complete(&full, &mut node);
}

fn pages_record(full: &Node) -> Vec<u8> {
    let overlay = &full.engine.records().overlay;
    let sink = full.sink();
    overlay
        .get(tables::SCAN_RECORDS, sink.as_bytes())
        .unwrap()
        .unwrap()
}

fn has_leaves(record: &[u8]) -> bool {
    !StoredRecord::decode(record).unwrap().leaves().is_empty()
}

/// From the fork on a block without notes cannot be left out, nor another block put in its place.
#[test]
fn blocks_without_notes_are_bound_by_the_log() {
    let full = full_node();
    let bare = |record: &StoredRecord| record.head.daa_score > FORK && record.leaves().is_empty();
    let found = samples(&full).into_iter().find_map(|(point, _)| {
        let mut node = new_node();
        Offer::of(&full, &point).take(&mut node).unwrap();
        let good = records(&full, &point);
        let index = find_unknown(&node, &good, bare)?;
        Some((point, node, good, index))
    });
    let (point, mut node, good, index) = found.unwrap();
    let mut fewer = good.clone();
    fewer.remove(index);
    node.engine.history_import().import_history(&fewer).unwrap();
    assert_eq!(finish(&mut node.engine), wanted(point));
    let mut other = good.clone();
    other[index][3] ^= 1;
    node.engine.history_import().import_history(&other).unwrap();
    assert_eq!(finish(&mut node.engine), wanted(point));
    node.engine.history_import().import_history(&good).unwrap();
    assert_eq!(finish(&mut node.engine), HistoryProgress::Complete);
    assert_complete(&full, &mut node);
}

/// The first such record of a block so far below that no header here says what it is.
pub fn find_unknown(
    node: &Node,
    records: &[Vec<u8>],
    fits: impl Fn(&StoredRecord) -> bool,
) -> Option<usize> {
    let held = node.engine.records();
    let decoded: Vec<StoredRecord> = records
        .iter()
        .map(|record| StoredRecord::decode(record).unwrap())
        .collect();
    let pairs = decoded.windows(2);
    let is_known = |record: &StoredRecord| held.has_header(&record.head.hash).unwrap();
    let mut unknown = pairs.map(|pair| !pair.iter().any(is_known) && fits(&pair[1]));
    unknown.position(|unknown| unknown).map(|index| index + 1)
}

/// Headers of the finality depth below the base are here: each names the chain block below it, on both sides of the
/// fork.
#[test]
fn ids_are_bound_where_headers_are_known() {
    let full = full_node();
    for (point, _) in [samples(&full)[1], samples(&full)[4]] {
        let mut node = new_node();
        Offer::of(&full, &point).take(&mut node).unwrap();
        let good = records(&full, &point);
        let top = full.blue_score(&point);
        let mut tried = 0;
        for index in 1..good.len() {
            let score = StoredRecord::decode(&good[index]).unwrap().head.blue_score;
            if score + FINALITY <= top {
                break;
            }
            let mut other = good[..=index].to_vec();
            other[index][3] ^= 1;
            let error = node
                .engine
                .history_import()
                .import_history(&other)
                .map(|_| index);
            let code = error.map_err(|error| error.code.as_str());
            assert_eq!(code, Err("history/wrong-record"));
            node.engine.history_import().drop_history().unwrap();
            assert_eq!(finish(&mut node.engine), wanted(point));
            tried += 1;
        }
        assert!(tried > 10);
        let mut twice = good.clone();
        let last = good.len() - 3;
        twice[last].splice(..32, good[last - 5][..32].to_vec());
        let error = node
            .engine
            .history_import()
            .import_history(&twice)
            .unwrap_err();
        assert_eq!(error.code.as_str(), "history/wrong-record");
        node.engine
            .history_import()
            .import_history(&good[last..])
            .unwrap();
        assert_eq!(finish(&mut node.engine), HistoryProgress::Complete);
        assert_complete(&full, &mut node);
    }
}

/// Before the fork a record may have any id below the headers that are known, also that of a block that comes later.
#[test]
fn a_block_that_comes_while_records_join_keeps_its_place() {
    let full = full_node();
    let held = full.engine.records();
    let samples = samples(&full);
    let (point, _) = samples[samples.len() - 2];
    let from = held.chain_index(&point).unwrap().unwrap();
    let later = full.sink();
    let place = held.chain_index(&later).unwrap().unwrap();
    assert!(place > from + 5);
    let top = held.chain_at(from + 3).unwrap().unwrap();
    let offer = Offer::of(&full, &point);
    let mut first = offer.clone();
    let below = |hash: &Hash32| is_dag_ancestor(held, hash, &top).unwrap();
    first.above.retain(|block| below(&block.hash()));
    let mut node = new_node();
    first.take(&mut node).unwrap();
    let mut records = records(&full, &point);
    // The log names the block below its first as well.
    let early = |record: &StoredRecord| record.head.daa_score + 10 < FORK;
    let deep = find_unknown(&node, &records, early).unwrap();
    records[deep].splice(..32, *later.as_bytes());
    node.engine
        .history_import()
        .import_history(&records)
        .unwrap();
    let mut steps = 0..1_000;
    let joins = HistoryProgress::Working(Stage::Join);
    assert!(steps.any(|_| node.engine.history_import().history_step(1).unwrap() == joins));
    offer.take_above(&mut node).unwrap();
    node.settle();
    assert_eq!(finish(&mut node.engine), HistoryProgress::Complete);
    let index = node.engine.records().chain_index(&later).unwrap();
    assert_eq!(index, Some(place));
}

/// A record whose leaves are others is found when all are replayed: everything that came is thrown away, and a true
/// history can be brought in after it.
#[test]
fn a_history_with_other_leaves_is_thrown_away() {
    let (full, mut node, point) = nodes();
    let good = records(&full, &point);
    let before = node.engine.records().overlay.store().dump();
    // The last bytes of a record without payments are the commitment of its last coinbase note and a zero count.
    let minted = |record: &Vec<u8>| record.len() > 110 && record.ends_with(&[0, 0]);
    let index = good.iter().rposition(minted).unwrap();
    let mut bad = good.clone();
    let at = bad[index].len() - 2 - 32;
    bad[index][at] ^= 1;
    node.engine.history_import().import_history(&bad).unwrap();
    assert_eq!(finish(&mut node.engine), wanted(point));
    assert_eq!(node.engine.records().overlay.store().dump(), before);

    node.engine
        .history_import()
        .import_history(&good[..5])
        .unwrap();
    node.engine.history_import().drop_history().unwrap();
    assert_eq!(finish(&mut node.engine), wanted(point));
    assert_eq!(node.engine.records().overlay.store().dump(), before);
    node.engine.history_import().import_history(&good).unwrap();
    assert_eq!(finish(&mut node.engine), HistoryProgress::Complete);
    assert_complete(&full, &mut node);
}
