//! The anchor log below a node's own beginning: taken in page by page, checked against the log that was imported, and served.

use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_consensus::engine::Engine;
use svc_consensus::imported_log::{LogProgress, LogRecord};
use svc_consensus::questions::{evidence, log_page};
use svc_consensus::records::log_row::LogRow;
use svc_consensus::records::meta;
use svc_consensus::store::{Change, MemoryStore, Store, tables};
use svc_evidence::log_page::LogPage;

use crate::scenarios::importing::{Offer, full_node, new_node, samples};
use crate::scenarios::kit::Node;
use crate::scenarios::self_check::check;

/// A full node, and one that started from a pruning point of it.
fn nodes() -> (Node, Node, Hash32) {
    let full = full_node();
    let (point, _) = *samples(&full).last().unwrap();
    let mut node = new_node();
    Offer::of(&full, &point).take(&mut node).unwrap();
    (full, node, point)
}

fn wanted(engine: &Engine<MemoryStore>) -> Option<(Hash32, u64, u64)> {
    match engine.log().unwrap() {
        LogProgress::Complete => None,
        LogProgress::Wanted { base, count, first } => Some((base, count, first)),
    }
}

/// The page that a node wants, by another one.
fn page_of(source: &Node, node: &Node) -> Vec<u8> {
    let (base, count, first) = wanted(&node.engine).unwrap();
    log_page::log_page(source.engine.chain(), &base, count, first)
        .unwrap()
        .expect("a page")
}

fn fill(source: &Node, node: &mut Node) -> usize {
    let mut pages = 0;
    while wanted(&node.engine).is_some() {
        let page = page_of(source, node);
        node.engine.import_log(&page).unwrap();
        pages += 1;
    }
    pages
}

fn rows(node: &Node) -> usize {
    node.dump(&[tables::LOG_ROWS, tables::LOG_PLACES]).len()
}

/// All blocks in the log of a chain block have the path that the full node shows.
fn assert_same_paths(full: &Node, node: &Node) {
    let chain = full.chain();
    let at = chain[chain.len() - 2];
    let count = full.state_of(&at).anchor_log.count() as usize;
    let first = chain.len() - 1 - count;
    for block in &chain[first..chain.len() - 1] {
        let expected = evidence::membership(full.engine.chain(), block, &at).unwrap();
        assert_eq!(
            evidence::membership(node.engine.chain(), block, &at).unwrap(),
            expected
        );
    }
    let before = evidence::membership(full.engine.chain(), &chain[first - 1], &at);
    assert_eq!(before.unwrap_err().code, Code::EvidenceNotMember);
}

#[test]
fn a_node_that_began_at_a_point_shows_every_path_when_it_has_the_log() {
    let (full, mut node, point) = nodes();
    let (base, count, first) = wanted(&node.engine).unwrap();
    let after = full.state_of(&point).anchor_log.count();
    assert_eq!((base, count, first), (point, after, 0));
    let chain = full.chain();
    let early =
        chain[chain.len() - 1 - full.state_of(&full.sink()).anchor_log.count() as usize + 1];
    let at = chain[chain.len() - 2];
    let lacking = evidence::membership(node.engine.chain(), &early, &at);
    assert_eq!(lacking.unwrap_err().code, Code::ChainUnknownBlock);
    assert_eq!(fill(&full, &mut node), count.count_ones() as usize);
    assert_eq!(rows(&node) as u64, 2 * count);
    assert_same_paths(&full, &node);
    let late = node.engine.import_log(&[]).unwrap_err();
    assert_eq!(late.code, Code::HistoryOutOfOrder);
    // It stays when the node prunes, and others are served from it.
    while !node.engine.prune(20).unwrap().done {}
    assert_same_paths(&full, &node);
    let mut third = new_node();
    Offer::of(&full, &point).take(&mut third).unwrap();
    fill(&node, &mut third);
    assert_same_paths(&full, &third);
    let dumped = |node: &Node| node.dump(&[tables::LOG_ROWS, tables::LOG_PLACES]);
    assert_eq!(dumped(&third), dumped(&node));
}

#[test]
fn what_a_liar_changes_in_a_page_is_refused_and_nothing_of_it_is_kept() {
    let (full, mut node, _) = nodes();
    let true_page = page_of(&full, &node);
    let before = (wanted(&node.engine), rows(&node));
    let told = LogPage::decode(&true_page).unwrap();
    assert!(told.entries.len() > 2 && told.path.is_empty());
    let lies: [fn(&mut LogPage); 9] = [
        |page| page.parent = Hash32([1; 32]),
        |page| page.entries[1].block = Hash32([1; 32]),
        |page| page.entries[1].tree_root = Hash32([1; 32]),
        |page| page.entries[1].blue_score += 1,
        |page| page.entries.swap(0, 1),
        |page| page.path.push(Hash32([1; 32])),
        |page| page.entries.clear(),
        |page| {
            page.entries.pop();
        },
        |page| page.entries.push(page.entries[0].clone()),
    ];
    for lie in lies {
        let mut page = told.clone();
        lie(&mut page);
        let error = node.engine.import_log(&page.encode()).unwrap_err();
        assert_eq!(error.code, Code::HistoryWrongRecord);
    }
    for first in [1, 7, u64::MAX] {
        let mut page = told.clone();
        page.first = first;
        let error = node.engine.import_log(&page.encode()).unwrap_err();
        assert_eq!(error.code, Code::HistoryWrongRecord);
    }
    for at in 0..true_page.len() {
        let mut page = true_page.clone();
        page[at] ^= 1;
        assert!(node.engine.import_log(&page).is_err(), "byte {at}");
        assert!(node.engine.import_log(&true_page[..at]).is_err());
    }
    assert_eq!((wanted(&node.engine), rows(&node)), before);
    fill(&full, &mut node);
    assert_same_paths(&full, &node);
}

/// The same page again and again takes no room: it is wanted once.
#[test]
fn a_flood_of_pages_fills_nothing_beyond_the_count() {
    let (full, mut node, _) = nodes();
    let page = page_of(&full, &node);
    node.engine.import_log(&page).unwrap();
    let held = rows(&node);
    for _ in 0..100 {
        let error = node.engine.import_log(&page).unwrap_err();
        assert_eq!(error.code, Code::HistoryWrongRecord);
    }
    assert_eq!(rows(&node), held);
}

#[test]
fn a_store_that_was_opened_again_goes_on_where_it_was() {
    let (full, mut node, _) = nodes();
    let profile = node.engine.rules().profile.clone();
    while let Some((_, count, first)) = wanted(&node.engine) {
        let page = page_of(&full, &node);
        // What no commit has taken is wanted again.
        let store = node.engine.records().overlay.store().clone();
        node.engine.import_log(&page).unwrap();
        assert!(wanted(&node.engine).is_none_or(|(.., next)| next > first && next < count));
        let mut killed = Node::open(store, profile.clone());
        assert_eq!(page_of(&full, &killed), page);
        killed.engine.import_log(&page).unwrap();
        assert_eq!(wanted(&killed.engine), wanted(&node.engine));
        let taken = node.engine.records().overlay.store().clone();
        node = Node::open(taken, profile.clone());
    }
    assert_same_paths(&full, &node);
}

#[test]
fn another_log_than_the_own_has_no_pages() {
    let (full, node, point) = nodes();
    let count = full.state_of(&point).anchor_log.count();
    let page = |base: &Hash32, count: u64, first: u64| {
        log_page::log_page(full.engine.chain(), base, count, first).unwrap()
    };
    assert!(page(&point, count, 0).is_some());
    assert!(page(&Hash32([5; 32]), count, 0).is_none());
    for wrong in [0, count - 1, count + 1, u64::MAX] {
        assert!(page(&point, wrong, 0).is_none(), "{wrong}");
    }
    for first in [count, u64::MAX] {
        assert!(page(&point, count, first).is_none(), "{first}");
    }
    let odd = LogPage::decode(&page(&point, count, 1).unwrap()).unwrap();
    assert_eq!(odd.entries.len(), 1);
    // A node that lacks it has none to give.
    let served = log_page::log_page(node.engine.chain(), &point, count, 0);
    assert!(served.unwrap().is_none());
}

#[test]
fn rows_and_progress_come_back_as_they_were_and_damaged_ones_do_not() {
    let (full, mut node, _) = nodes();
    let page = page_of(&full, &node);
    node.engine.import_log(&page).unwrap();
    let rows = node.dump(&[tables::LOG_ROWS]);
    assert!(!rows.is_empty());
    for (_, _, row) in rows {
        let row: Vec<u8> = row;
        assert_eq!(LogRow::decode(&row).unwrap().encode(), row);
        for length in (0..row.len()).filter(|length| length % 32 != 9 || *length < 105) {
            assert!(LogRow::decode(&row[..length]).is_err(), "{length}");
        }
        let mut other = row.clone();
        other[0] += 1;
        assert!(LogRow::decode(&other).is_err());
    }
    let record = node.engine.records().find_meta(meta::LOG).unwrap().unwrap();
    assert_eq!(LogRecord::decode(&record).unwrap().encode(), record);
    for length in 0..record.len() {
        assert!(LogRecord::decode(&record[..length]).is_err(), "{length}");
    }
}

#[test]
fn a_changed_row_of_an_imported_log_is_named() {
    let (full, mut node, _) = nodes();
    check(&node, 100).unwrap();
    fill(&full, &mut node);
    check(&node, 100).unwrap();
    let profile = node.engine.rules().profile.clone();
    let rows = node.dump(&[tables::LOG_ROWS, tables::LOG_PLACES]);
    let step = rows.len() / 12;
    for (table, key, value) in rows.into_iter().step_by(step) {
        let mut other = value.clone();
        *other.last_mut().unwrap() ^= 1;
        let mut store = node.engine.records().overlay.store().clone();
        let value = Some(other);
        store.commit(vec![Change { table, key, value }]).unwrap();
        let error = check(&Node::open(store, profile.clone()), 100).unwrap_err();
        assert_eq!(error.code, Code::VerifyContradiction, "table {table}");
    }
}
