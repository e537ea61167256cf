//! Records of the store: they come back as they were, and no damaged byte panics or passes for another record.

use svc_chain::lane_tree::LaneNode;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::engine::Engine;
use svc_consensus::questions::comparable_record::{stored_keys, stored_record};
use svc_consensus::records::Records;
use svc_consensus::records::acceptance_record::AcceptanceRecord;
use svc_consensus::records::block_status::BlockStatus;
use svc_consensus::records::chain_evidence::ChainEvidence;
use svc_consensus::records::chain_state::ChainState;
use svc_consensus::records::lane_diff::{LaneDiff, LaneTip};
use svc_consensus::records::meta::{self, Counters, VirtualRecord};
use svc_consensus::store::tables;
use svc_consensus::store::{Change, MemoryStore, Store};
use svc_dag::store::DagStore;

use crate::scenarios::kit::{Node, simnet};
use crate::scenarios::payments::Payment;

type Decode = fn(&[u8]) -> Result<Vec<u8>, SvcError>;

/// A chain with applied, dropped and refused payments.
fn node() -> Node {
    let mut node = Node::new(simnet());
    node.mine_many(1, 12);
    let spends = [
        Payment::of(1).build(),
        Payment::of(1).salted(1).build(),
        Payment::of(2).broken().build(),
    ];
    for count in [2, 3] {
        let block = node.build_carrying(2, &spends[..count]);
        node.add(&block);
    }
    node.mine_many(1, 3);
    node
}

fn rows(table: u8) -> Vec<Vec<u8>> {
    let rows = node().dump(&[table]);
    assert!(rows.len() > 3);
    rows.into_iter().map(|(_, _, value)| value).collect()
}

/// Whatever decodes must be what was written: re-encoding gives the same bytes.
fn assert_sound(bytes: &[u8], decode: Decode) {
    assert_eq!(decode(bytes).as_deref(), Ok(bytes));
    let mut damaged = bytes.to_vec();
    for position in 0..bytes.len() {
        for bit in 0..8 {
            damaged[position] ^= 1 << bit;
            if let Ok(again) = decode(&damaged) {
                assert!(again == damaged, "byte {position}, bit {bit}");
            }
            damaged[position] ^= 1 << bit;
        }
    }
    for length in 0..bytes.len() {
        if let Ok(again) = decode(&bytes[..length]) {
            assert!(again == bytes[..length], "cut at {length}");
        }
    }
    let longer = [bytes, &[0]].concat();
    assert!(decode(&longer).is_err());
}

#[test]
fn statuses() {
    for row in rows(tables::STATUS) {
        assert_sound(&row, |bytes| Ok(BlockStatus::decode(bytes)?.encode()));
    }
}

#[test]
fn acceptance() {
    let (mut applied, mut dropped) = (0, 0);
    for row in rows(tables::ACCEPTANCE) {
        assert_sound(&row, |bytes| Ok(AcceptanceRecord::decode(bytes)?.encode()));
        let record = AcceptanceRecord::decode(&row).unwrap();
        applied += record.applied.len();
        dropped += record.dropped.len();
    }
    assert!(applied > 0 && dropped > 0);
}

#[test]
fn chain_states() {
    let rows = rows(tables::CHAIN_STATE);
    // Short, and with a set of nullifiers.
    let shortest = rows.iter().min_by_key(|row| row.len()).unwrap();
    let longest = rows.iter().max_by_key(|row| row.len()).unwrap();
    assert!(longest.len() > shortest.len() + 384);
    for row in [shortest, longest] {
        assert_sound(row, |bytes| Ok(ChainState::decode(bytes)?.encode()));
    }
}

#[test]
fn lanes() {
    let node = node();
    let sound = |table: u8, decode: Decode| {
        let rows = node.dump(&[table]);
        assert!(!rows.is_empty());
        for (_, _, row) in rows {
            assert_sound(&row, decode);
        }
    };
    sound(tables::LANES, |bytes| Ok(LaneTip::decode(bytes)?.encode()));
    sound(tables::LANE_NODES, |bytes| {
        Ok(LaneNode::decode(bytes)?.encode())
    });
    sound(tables::LANE_DIFFS, |bytes| {
        Ok(LaneDiff::decode(bytes)?.encode())
    });
}

#[test]
fn chain_evidence() {
    for (_, _, row) in node().dump(&[tables::CHAIN_EVIDENCE]) {
        let row: Vec<u8> = row;
        // A node of the log more or less is another row, which is sound as well.
        let read = ChainEvidence::decode(&row).unwrap();
        assert_eq!(read.encode(), row);
        let fixed = row.len() - 32 * read.log_nodes.len();
        let is_sound = |length: &usize| *length >= fixed && (length - fixed).is_multiple_of(32);
        for length in (0..row.len()).filter(|length| !is_sound(length)) {
            assert!(ChainEvidence::decode(&row[..length]).is_err(), "{length}");
        }
        let mut other = row.clone();
        other[0] += 1;
        assert!(ChainEvidence::decode(&other).is_err());
    }
}

#[test]
fn small_records() {
    let virtual_record = VirtualRecord {
        sink: Hash32([1; 32]),
        parents: vec![Hash32([1; 32]), Hash32([2; 32])],
    };
    assert_sound(&virtual_record.encode(), |bytes| {
        Ok(VirtualRecord::decode(bytes)?.encode())
    });
    let counters = Counters {
        headers: 0x0102_0304_0506_0708,
        bodies: u64::MAX,
    };
    assert_sound(&counters.encode(), |bytes| {
        Ok(Counters::decode(bytes)?.encode())
    });
    let hashes = meta::encode_hashes(&[Hash32([3; 32]), Hash32([4; 32])]);
    assert_sound(&hashes, |bytes| {
        Ok(meta::encode_hashes(&meta::decode_hashes(bytes)?))
    });
}

const BLOCK: Hash32 = Hash32([9; 32]);

/// What a state says of one record.
fn reading<T>(
    table: u8,
    key: &[u8],
    value: Vec<u8>,
    read: impl FnOnce(&Records<MemoryStore>) -> Result<T, SvcError>,
) -> Result<T, Code> {
    let mut records = Records::new(MemoryStore::new());
    records.overlay.put(table, key, value);
    read(&records).map_err(|error| error.code)
}

#[test]
fn short_records_with_bytes_behind_them_are_damaged() {
    let longer = |length: usize| vec![9; length + 1];
    let corrupt = Err(Code::StoreCorrupt);
    let of_block = BLOCK.as_bytes();
    let depth = reading(tables::DEPTHS, of_block, longer(96), |records| {
        records.depth(&BLOCK).map(|_| ())
    });
    assert_eq!(depth, corrupt);
    let at = reading(tables::CHAIN_BY_INDEX, &[0; 8], longer(32), |records| {
        records.chain_at(0).map(|_| ())
    });
    assert_eq!(at, corrupt);
    let index = reading(tables::CHAIN_BY_HASH, of_block, longer(8), |records| {
        records.chain_index(&BLOCK).map(|_| ())
    });
    assert_eq!(index, corrupt);
    let position = reading(tables::META, meta::POSITION, longer(32), |records| {
        records.position().map(|_| ())
    });
    assert_eq!(position, corrupt);
    let goal = reading(tables::META, meta::MOVING, longer(32), |records| {
        svc_consensus::pipeline::chain_move::goal(records).map(|_| ())
    });
    assert_eq!(goal, corrupt);
    let root = reading(tables::META, meta::REINDEX_ROOT, longer(32), |records| {
        records.reindex_root().map(|_| ())
    });
    assert_eq!(root, corrupt);
}

#[test]
fn a_body_without_a_coinbase_is_damaged() {
    let body = reading(tables::BODIES, BLOCK.as_bytes(), vec![1], |records| {
        records.body(&BLOCK).map(|_| ())
    });
    assert_eq!(body, Err(Code::StoreCorrupt));
}

#[test]
fn a_state_with_more_fees_than_coins_is_damaged() {
    let row = rows(tables::CHAIN_STATE).pop().unwrap();
    let mut state = ChainState::decode(&row).unwrap();
    state.cumulative_fees = state.cumulative_coinbase + 1;
    let error = ChainState::decode(&state.encode()).unwrap_err();
    assert_eq!(error.code, Code::StoreCorrupt);
}

#[test]
fn a_virtual_block_without_its_sink_is_damaged() {
    for parents in [Vec::new(), vec![Hash32([2; 32]), Hash32([1; 32])]] {
        let record = VirtualRecord {
            sink: Hash32([1; 32]),
            parents,
        };
        let error = VirtualRecord::decode(&record.encode()).unwrap_err();
        assert_eq!(error.code, Code::StoreCorrupt);
    }
}

#[test]
fn a_damaged_version_record_is_the_stores_failure() {
    for value in [Vec::new(), vec![1, 0, 0], vec![1, 0, 0, 0, 0]] {
        let mut store = MemoryStore::new();
        let change = Change {
            table: tables::META,
            key: meta::VERSION.to_vec(),
            value: Some(value),
        };
        store.commit(vec![change]).unwrap();
        let code = Engine::open(store, simnet()).err().map(|error| error.code);
        assert_eq!(code, Some(Code::StoreCorrupt));
    }
}

#[test]
fn keys_are_paged_in_order_and_not_of_large_values() {
    let node = node();
    let records = node.engine.records();
    let mut found = Vec::new();
    let mut after = Vec::new();
    loop {
        let page = stored_keys(records, tables::HEADERS, &after, 4).unwrap();
        let keys: Vec<_> = page.chunks(33).collect();
        assert!(keys.len() <= 4 && keys.iter().all(|key| key[0] == 32));
        let Some(last) = keys.last() else { break };
        after = last[1..].to_vec();
        found.extend(keys.iter().map(|key| key[1..].to_vec()));
    }
    let rows = node.dump(&[tables::HEADERS]);
    let expected: Vec<_> = rows.into_iter().map(|(_, key, _)| key).collect();
    assert_eq!(found, expected);
    let refusal = stored_keys(records, tables::BODIES, &[], 4).unwrap_err();
    assert_eq!(refusal.code, Code::EngineBadCall);
    let refusal = stored_record(records, tables::CHILDREN, &[1, 2]).unwrap_err();
    assert_eq!(refusal.code, Code::EngineBadCall);
}

#[test]
fn a_reachability_record_whose_interval_lies_wrong_is_corrupt() {
    let node = node();
    let chain = node.chain();
    let [parent, child] = [&chain[2], &chain[3]];
    let mut damaged = node.copy();
    let records = node.engine.records();
    assert!(stored_record(records, tables::REACHABILITY, parent.as_bytes()).is_ok());
    let mut inside = (*records.reachability(child).unwrap()).clone();
    inside.end = records.reachability(parent).unwrap().end;
    let mut store = damaged.engine.records().overlay.store().clone();
    let value = Some(inside.encode());
    let key = child.as_bytes().to_vec();
    let table = tables::REACHABILITY;
    store.commit(vec![Change { table, key, value }]).unwrap();
    damaged = Node::open(store, simnet());
    let found = stored_record(damaged.engine.records(), table, parent.as_bytes());
    assert_eq!(found.unwrap_err().code, Code::StoreCorrupt);
}
