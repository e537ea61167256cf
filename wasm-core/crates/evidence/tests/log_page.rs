//! Pages of the anchor log: those of logs of many sizes hold, with the path to their peak, and nothing else does.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_evidence::log_page::{LogPage, PageEntry};
use svc_evidence::membership::{LogPlace, Membership};
use svc_shielded::anchor_log::{AnchorLog, LogEntry, LogPersonals};

const PERSONALS: LogPersonals = LogPersonals {
    leaf: [1; 16],
    node: [2; 16],
    root: [3; 16],
};

fn hash(number: u64) -> Hash32 {
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    Hash32(bytes)
}

fn entry(place: u64) -> LogEntry {
    LogEntry {
        block: hash(place + 1),
        parent: hash(place),
        tree_root: hash(place | 1 << 40),
        blue_score: 3 * place,
    }
}

/// A log, and its nodes by height and place.
fn log(count: u64) -> (AnchorLog, BTreeMap<(u32, u64), Hash32>) {
    let mut log = AnchorLog::default();
    let mut nodes = BTreeMap::new();
    for place in 0..count {
        for (height, node) in (0..).zip(log.append(&PERSONALS, &entry(place))) {
            nodes.insert((height, place >> height), node);
        }
    }
    (log, nodes)
}

fn page(first: u64, count: u64, nodes: &BTreeMap<(u32, u64), Hash32>) -> LogPage {
    let height = LogPage::max_height(first, count).unwrap();
    page_of_height(first, count, height, nodes)
}

fn page_of_height(
    first: u64,
    count: u64,
    height: u32,
    nodes: &BTreeMap<(u32, u64), Hash32>,
) -> LogPage {
    let place = LogPlace::of(first, count).unwrap();
    let siblings = Membership::siblings(first >> height, place.height - height);
    LogPage {
        first,
        parent: entry(first).parent,
        entries: (first..first + (1 << height))
            .map(entry)
            .map(|entry| PageEntry {
                block: entry.block,
                tree_root: entry.tree_root,
                blue_score: entry.blue_score,
            })
            .collect(),
        path: siblings
            .map(|(level, position)| nodes[&(height + level, position)])
            .collect(),
    }
}

#[test]
fn pages_go_through_a_log_of_any_size() {
    for count in [1, 2, 3, 1_000, 2_047, 2_048, 2_049, 4_096, 11_111] {
        let (log, nodes) = log(count);
        let mut first = 0;
        while first < count {
            let told = page(first, count, &nodes);
            let read = LogPage::decode(&told.encode()).unwrap();
            assert_eq!(read, told);
            let entries = read.check(&PERSONALS, &log).unwrap();
            let expected: Vec<LogEntry> = (first..).take(entries.len()).map(entry).collect();
            assert_eq!(entries, expected);
            first += entries.len() as u64;
        }
        assert_eq!(first, count);
        assert_eq!(LogPage::max_height(count, count), None);
    }
}

/// Who serves may stop early where entries cost much to read: the next page begins where this one ends.
#[test]
fn smaller_pages_hold_as_well() {
    let count = 11_111;
    let (log, nodes) = log(count);
    let (mut first, mut pages) = (0, 0_u32);
    while first < count {
        let height = LogPage::max_height(first, count).unwrap().min(pages % 12);
        let told = page_of_height(first, count, height, &nodes);
        let entries = told.check(&PERSONALS, &log).unwrap();
        assert_eq!(entries.len(), 1 << height);
        let mut other = told.clone();
        other.entries.truncate((1 << height) - 1);
        assert!(other.check(&PERSONALS, &log).is_err());
        first += entries.len() as u64;
        pages += 1;
    }
    assert_eq!(first, count);
}

#[test]
fn a_page_of_another_place_or_log_or_with_a_changed_path_is_refused() {
    let count = 11_111;
    let (log, nodes) = log(count);
    let told = page(4_096, count, &nodes);
    assert_eq!((told.entries.len(), told.path.len()), (2_048, 2));
    let refused = |page: LogPage, log: &AnchorLog| {
        let error = page.check(&PERSONALS, log).unwrap_err();
        assert_eq!(error.code, Code::EvidenceNotMember);
    };
    for level in 0..2 {
        let mut page = told.clone();
        page.path[level] = hash(9);
        refused(page, &log);
    }
    for first in [0, 1, 2_048, 6_144, count, u64::MAX] {
        let mut page = told.clone();
        page.first = first;
        refused(page, &log);
    }
    let mut page = told.clone();
    page.path.pop();
    refused(page, &log);
    let (shorter, _) = self::log(4_096);
    refused(told, &shorter);
    refused(
        LogPage {
            first: 0,
            parent: Hash32::ZERO,
            entries: Vec::new(),
            path: Vec::new(),
        },
        &AnchorLog::default(),
    );
}

#[test]
fn more_than_a_page_is_not_read() {
    let count = 4_096;
    let (_, nodes) = log(count);
    let mut told = page(0, count, &nodes);
    told.entries.extend(told.entries.clone());
    let error = LogPage::decode(&told.encode()).unwrap_err();
    assert_eq!(error.code, Code::CodecCountTooLarge);
    let bytes = page(2_048, count, &nodes).encode();
    for end in (0..bytes.len()).step_by(97) {
        assert!(LogPage::decode(&bytes[..end]).is_err());
    }
}
