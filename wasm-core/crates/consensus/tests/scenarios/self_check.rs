//! A store is held against itself in pages, and a contradiction is named.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_consensus::questions::self_check::{PARTS, self_check};
use svc_consensus::records::block_status::Stage;
use svc_consensus::records::meta;
use svc_consensus::store::tables;
use svc_consensus::store::{Change, Store};

use crate::scenarios::kit::{Node, simnet};
use crate::scenarios::payments::Payment;

fn node() -> Node {
    let mut node = Node::new(simnet());
    node.mine_many(1, 12);
    let spends: Vec<_> = (1..4).map(|note| Payment::of(note).build()).collect();
    let block = node.build_carrying(2, &spends);
    node.add(&block);
    node.mine_many(1, 3);
    node
}

/// Runs all parts in pages.
pub fn check<S: Store>(node: &Node<S>, page: usize) -> Result<(), SvcError> {
    for part in 0..PARTS.len() {
        let mut cursor = Vec::new();
        while let Some(next) = self_check(node.engine.chain(), part as u8, &cursor, page)? {
            assert!(next != cursor);
            cursor = next;
        }
    }
    Ok(())
}

/// The node with another row, or without it.
pub fn changed(node: &Node, table: u8, key: &[u8], value: Option<Vec<u8>>) -> Node {
    let mut store = node.engine.records().overlay.store().clone();
    let key = key.to_vec();
    store.commit(vec![Change { table, key, value }]).unwrap();
    Node::open(store, node.engine.rules().profile.clone())
}

#[test]
fn a_sound_store_agrees_with_itself() {
    let node = node();
    check(&node, 2).unwrap();
    let refusal = self_check(node.engine.chain(), PARTS.len() as u8, &[], 2).unwrap_err();
    assert_eq!(refusal.code, Code::EngineBadCall);
    for (name, cursor) in [
        ("nullifiers", vec![1]),
        ("evidence", vec![tables::CHAIN_BY_INDEX, 9]),
    ] {
        let part = PARTS.iter().position(|part| *part == name).unwrap();
        let refusal = self_check(node.engine.chain(), part as u8, &cursor, 2).unwrap_err();
        assert_eq!(refusal.code, Code::EngineBadCall, "{name}");
    }
}

#[test]
fn missing_and_foreign_rows_are_named() {
    let node = node();
    for (table, name) in [
        (tables::NULLIFIERS, "nullifiers"),
        (tables::LANE_EXPIRY, "lane_expiry"),
        (tables::LANES, "lane_nodes"),
        (tables::LANE_NODES, "lanes"),
        (tables::CHAIN_BY_HASH, "chain_by_hash"),
        (tables::SCAN_RECORDS, "scan_records"),
    ] {
        let rows = node.dump(&[table]);
        let (_, key, _) = &rows[rows.len() / 2];
        let error = check(&changed(&node, table, key, None), 2).unwrap_err();
        assert_eq!(error.code, Code::VerifyContradiction, "{name}: {error}");
        assert!(error.data.contains(&("table", name.to_owned())), "{error}");
    }
    for (table, length) in [
        (tables::NULLIFIERS, 32),
        (tables::LANE_EXPIRY, 40),
        (tables::CHAIN_BY_INDEX, 8),
    ] {
        let value = vec![
            7;
            if table == tables::CHAIN_BY_INDEX {
                32
            } else {
                0
            }
        ];
        let error = check(&changed(&node, table, &vec![7; length], Some(value)), 2).unwrap_err();
        assert_eq!(error.code, Code::VerifyContradiction, "{error}");
    }
}

#[test]
fn records_of_another_block_are_named() {
    let node = node();
    for table in [tables::HEADERS, tables::BODIES, tables::REACHABILITY] {
        let rows = node.dump(&[table]);
        let ((_, key, _), (_, _, other)) = (&rows[4], &rows[5]);
        let error = check(&changed(&node, table, key, Some(other.clone())), 2).unwrap_err();
        let codes = [Code::VerifyContradiction, Code::StoreCorrupt];
        assert!(codes.contains(&error.code), "{error}");
    }
    let chain = node.chain();
    let tips = meta::encode_hashes(&[chain[chain.len() - 2]]);
    let error = check(&changed(&node, tables::META, meta::TIPS, Some(tips)), 2).unwrap_err();
    assert_eq!(error.code, Code::VerifyContradiction);
}

/// A block joins the chain when it was judged valid; a status that says otherwise is false. Beside the chain any may be true.
#[test]
fn a_chain_block_that_is_not_valid_is_named() {
    let node = node();
    let block = node.chain()[4];
    let statuses = node.dump(&[tables::STATUS]);
    let (_, key, status) = statuses
        .iter()
        .find(|(_, key, _)| key == block.as_bytes())
        .unwrap();
    for stage in [Stage::Pending, Stage::Disqualified] {
        let mut value = status.clone();
        value[1] = stage as u8;
        let error = check(&changed(&node, tables::STATUS, key, Some(value)), 2).unwrap_err();
        assert_eq!(error.code, Code::VerifyContradiction, "{error}");
        assert!(error.data.contains(&("table", "status".to_owned())));
    }
}

/// What nothing else points at is missed as well: the end of the chain, a block beside it, all lanes at once.
#[test]
fn rows_are_missed_where_none_is_left_to_ask() {
    let node = node();
    let top = node.dump(&[tables::CHAIN_BY_INDEX]).pop().unwrap();
    let error = check(&changed(&node, top.0, &top.1, None), 2).unwrap_err();
    assert_eq!(error.code, Code::VerifyContradiction, "{error}");
    let beside = changed(&node, tables::CHAIN_BY_HASH, &[7; 32], Some(vec![3; 8]));
    let error = check(&beside, 2).unwrap_err();
    assert_eq!(error.code, Code::VerifyContradiction, "{error}");
    let mut store = node.engine.records().overlay.store().clone();
    let rows = node.dump(&[tables::LANES, tables::LANE_NODES, tables::LANE_EXPIRY]);
    assert!(!rows.is_empty());
    let gone = |(table, key, _)| Change {
        table,
        key,
        value: None,
    };
    store.commit(rows.into_iter().map(gone).collect()).unwrap();
    let error = check(&Node::open(store, simnet()), 2).unwrap_err();
    assert_eq!(error.code, Code::VerifyContradiction, "{error}");
}
