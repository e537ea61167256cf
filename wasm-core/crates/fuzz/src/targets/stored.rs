//! Fuzz targets of the store's records, each as the engine reads it.

use std::rc::Rc;

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::parameters::Parameters;
use svc_consensus::pipeline::{chain_move, genesis_state};
use svc_consensus::records::block_status::BlockStatus;
use svc_consensus::records::body::Body;
use svc_consensus::records::chain::Chain;
use svc_consensus::records::chain_state::ChainState;
use svc_consensus::records::meta::{self, Counters, PruningRecord, VirtualRecord};
use svc_consensus::records::{Depths, Records};
use svc_consensus::store::{MemoryStore, tables};
use svc_dag::records::{GhostdagData, ReachabilityNode};
use svc_dag::store::DagStore;

use crate::payment_chain::{SIMNET, meta as meta_value, records};
use crate::target::{NONE, Outcome, Target, refused, strict};
use crate::targets::lanes;

/// The targets of this area.
pub(crate) const TARGETS: &[Target] = &[
    Target::new("stored/header", || records(tables::HEADERS), header),
    Target::new("stored/body", || records(tables::BODIES), body),
    Target::new("stored/status", || records(tables::STATUS), status),
    Target::new("stored/ghostdag", || records(tables::GHOSTDAG), ghostdag),
    Target::new(
        "stored/reachability",
        || records(tables::REACHABILITY),
        reachability,
    ),
    Target::new("stored/children", || records(tables::CHILDREN), children),
    Target::new("stored/daa-excluded", excluded_lists, daa_excluded),
    Target::new("stored/depths", || records(tables::DEPTHS), depths),
    Target::new(
        "stored/chain-by-index",
        || records(tables::CHAIN_BY_INDEX),
        chain_by_index,
    ),
    Target::new(
        "stored/chain-by-hash",
        || records(tables::CHAIN_BY_HASH),
        chain_by_hash,
    ),
    Target::new(
        "stored/acceptance",
        || records(tables::ACCEPTANCE),
        acceptance,
    ),
    Target::new(
        "stored/chain-evidence",
        || records(tables::CHAIN_EVIDENCE),
        chain_evidence,
    ),
    Target::new("stored/chain-state", chain_states, chain_state),
    Target::new(
        "stored/nullifier-diff",
        || records(tables::NULLIFIER_DIFFS),
        nullifier_diff,
    ),
    Target::new("stored/witness", witnesses, witness),
    Target::new(
        "stored/virtual",
        || meta_value(meta::VIRTUAL),
        virtual_record,
    ),
    Target::new("stored/position", || meta_value(meta::POSITION), position),
    // In the form of the position; a store at rest has none.
    Target::new("stored/moving", || meta_value(meta::POSITION), moving),
    Target::new("stored/tips", || meta_value(meta::TIPS), tips),
    Target::new(
        "stored/reindex-root",
        || meta_value(meta::REINDEX_ROOT),
        reindex_root,
    ),
    Target::new("stored/version", || meta_value(meta::VERSION), version).room(1 << 16, 16),
    Target::new("stored/counters", || meta_value(meta::COUNTERS), counters),
    Target::new("stored/pruning", || meta_value(meta::PRUNING), pruning),
];

/// The block whose records are read.
pub(crate) const BLOCK: Hash32 = Hash32([7; 32]);

/// A store with one record.
pub(crate) fn holding(table: u8, key: &[u8], value: &[u8]) -> Records<MemoryStore> {
    let mut records = Records::new(MemoryStore::new());
    records.overlay.put(table, key, value.to_vec());
    records
}

/// What one record is after it was written with `put`.
fn rewritten(table: u8, key: &[u8], put: impl FnOnce(&mut Records<MemoryStore>)) -> Vec<u8> {
    let mut records = Records::new(MemoryStore::new());
    put(&mut records);
    let value = records.overlay.get(table, key).ok().flatten();
    value.unwrap_or_default()
}

/// A record of the test block: read as the engine reads it, written as it writes it.
fn of_block<T: Clone>(
    table: u8,
    bytes: &[u8],
    read: impl FnOnce(&Records<MemoryStore>) -> Result<Rc<T>, SvcError>,
    put: impl FnOnce(&mut Records<MemoryStore>, T),
) -> Outcome {
    let decoded = read(&holding(table, BLOCK.as_bytes(), bytes));
    of_store(bytes, decoded, |record| {
        let record = record.as_ref().clone();
        rewritten(table, BLOCK.as_bytes(), |records| put(records, record))
    })
}

/// What was read from the store and how it is written. Whatever is refused is a failure of the store.
pub(crate) fn of_store<T>(
    bytes: &[u8],
    decoded: Result<T, SvcError>,
    encode: impl FnOnce(&T) -> Vec<u8>,
) -> Outcome {
    if let Err(error) = &decoded {
        assert_of_store(error);
    }
    strict(bytes, decoded, encode)
}

/// Damage of the store is never the fault of a block.
pub(crate) fn assert_of_store(error: &SvcError) {
    let code = error.code.as_str();
    assert!(
        code.starts_with("store/"),
        "not the store's failure: {error}"
    );
}

fn header(bytes: &[u8]) -> Outcome {
    of_block(
        tables::HEADERS,
        bytes,
        |records| records.header(&BLOCK),
        |records, record| records.put_header(record),
    )
}

fn body(bytes: &[u8]) -> Outcome {
    let read = holding(tables::BODIES, BLOCK.as_bytes(), bytes).body(&BLOCK);
    of_store(bytes, read, |body| {
        // Every body has a coinbase, and questions about the block rely on that.
        assert!(!body.is_empty(), "a body without transactions");
        assert!(body.txids().len() == body.len(), "not an id for each");
        let transactions = body.transactions.clone();
        rewritten(tables::BODIES, BLOCK.as_bytes(), |records| {
            records.put_body(&BLOCK, Body::new(transactions));
        })
    })
}

fn status(bytes: &[u8]) -> Outcome {
    strict(bytes, BlockStatus::decode(bytes), BlockStatus::encode);
    of_block(
        tables::STATUS,
        bytes,
        |records| records.known_status(&BLOCK),
        |records, status| records.put_status(&BLOCK, status),
    )
}

fn ghostdag(bytes: &[u8]) -> Outcome {
    strict(bytes, GhostdagData::decode(bytes), GhostdagData::encode);
    of_block(
        tables::GHOSTDAG,
        bytes,
        |records| records.ghostdag(&BLOCK),
        |records, data| {
            data.mergeset_size();
            records.put_ghostdag(&BLOCK, data);
        },
    )
}

fn reachability(bytes: &[u8]) -> Outcome {
    strict(
        bytes,
        ReachabilityNode::decode(bytes),
        ReachabilityNode::encode,
    );
    of_block(
        tables::REACHABILITY,
        bytes,
        |records| records.reachability(&BLOCK),
        |records, node| records.set_reachability(BLOCK, node),
    )
}

fn children(bytes: &[u8]) -> Outcome {
    let read = holding(tables::CHILDREN, BLOCK.as_bytes(), bytes).children(&BLOCK);
    of_store(bytes, read, |children| meta::encode_hashes(children))
}

fn excluded_lists() -> Vec<Vec<u8>> {
    vec![Vec::new(), meta::encode_hashes(&[BLOCK, Hash32::ZERO])]
}

fn daa_excluded(bytes: &[u8]) -> Outcome {
    of_block(
        tables::DAA_EXCLUDED,
        bytes,
        |records| records.daa_excluded(&BLOCK),
        |records, blocks| records.put_daa_excluded(&BLOCK, blocks),
    )
}

fn depths(bytes: &[u8]) -> Outcome {
    let records = holding(tables::DEPTHS, BLOCK.as_bytes(), bytes);
    let read = records.depth(&BLOCK).and_then(|depth| {
        let pruning_sample = records.pruning_sample(&BLOCK)?;
        Ok(Depths {
            depth,
            pruning_sample,
        })
    });
    of_store(bytes, read, |depths| {
        rewritten(tables::DEPTHS, BLOCK.as_bytes(), |records| {
            records.put_depths(&BLOCK, *depths);
        })
    })
}

fn chain_by_index(bytes: &[u8]) -> Outcome {
    let records = holding(tables::CHAIN_BY_INDEX, &9_u64.to_be_bytes(), bytes);
    of_store(bytes, records.chain_at(9), |found| {
        found.map_or_else(Vec::new, |hash| hash.as_bytes().to_vec())
    })
}

fn chain_by_hash(bytes: &[u8]) -> Outcome {
    let records = holding(tables::CHAIN_BY_HASH, BLOCK.as_bytes(), bytes);
    of_store(bytes, records.chain_index(&BLOCK), |found| {
        found.map_or_else(Vec::new, |index| index.to_le_bytes().to_vec())
    })
}

fn acceptance(bytes: &[u8]) -> Outcome {
    let records = holding(tables::ACCEPTANCE, BLOCK.as_bytes(), bytes);
    of_store(bytes, records.acceptance(&BLOCK), |record| record.encode())
}

fn chain_evidence(bytes: &[u8]) -> Outcome {
    let records = holding(tables::CHAIN_EVIDENCE, BLOCK.as_bytes(), bytes);
    let read = records
        .chain_evidence(&BLOCK)
        .map(Option::unwrap_or_default);
    of_store(bytes, read, |evidence| evidence.encode())
}

/// Form 2, or form 1 of layout 1.
fn chain_state(bytes: &[u8]) -> Outcome {
    let listed = ChainState::listed_lanes(bytes).ok().flatten();
    let written = |state: &ChainState| {
        assert!(
            state.cumulative_fees <= state.cumulative_coinbase,
            "more fees than coins"
        );
        if let Some(profile) = SIMNET.as_ref() {
            state.state_root(profile, 5);
        }
        match &listed {
            Some(lanes) => lanes::form_1(state, lanes),
            None => state.encode(),
        }
    };
    strict(bytes, ChainState::decode(bytes), written);
    let read = holding(tables::CHAIN_STATE, BLOCK.as_bytes(), bytes).chain_state(&BLOCK);
    of_store(bytes, read, |state| {
        if listed.is_some() {
            return written(state);
        }
        let record = state.as_ref().clone();
        rewritten(tables::CHAIN_STATE, BLOCK.as_bytes(), |records| {
            records.put_chain_state(&BLOCK, record);
        })
    })
}

fn chain_states() -> Vec<Vec<u8>> {
    [records(tables::CHAIN_STATE), lanes::form_1_states()].concat()
}

fn nullifier_diff(bytes: &[u8]) -> Outcome {
    let read = holding(tables::NULLIFIER_DIFFS, BLOCK.as_bytes(), bytes).nullifier_diff(&BLOCK);
    of_store(bytes, read, |nullifiers| meta::encode_hashes(nullifiers))
}

fn witnesses() -> Vec<Vec<u8>> {
    vec![vec![1], [&[1][..], &[9; 40]].concat()]
}

fn witness(bytes: &[u8]) -> Outcome {
    let read = holding(tables::WITNESSES, BLOCK.as_bytes(), bytes).witness(&BLOCK);
    of_store(bytes, read, |witness| {
        rewritten(tables::WITNESSES, BLOCK.as_bytes(), |records| {
            records.put_witness(&BLOCK, witness.as_deref().unwrap_or_default());
        })
    })
}

fn of_meta<T>(
    key: &[u8],
    bytes: &[u8],
    read: impl FnOnce(&Records<MemoryStore>) -> Result<T, SvcError>,
    encode: impl FnOnce(&T) -> Vec<u8>,
) -> Outcome {
    of_store(bytes, read(&holding(tables::META, key, bytes)), encode)
}

fn virtual_record(bytes: &[u8]) -> Outcome {
    if let Err(error) = VirtualRecord::decode(bytes) {
        refused(&error);
    }
    of_meta(meta::VIRTUAL, bytes, Records::virtual_record, |record| {
        assert!(
            record.parents.first() == Some(&record.sink),
            "the sink is not the first parent"
        );
        record.encode()
    })
}

fn position(bytes: &[u8]) -> Outcome {
    of_meta(meta::POSITION, bytes, Records::position, |hash| {
        hash.as_bytes().to_vec()
    })
}

fn moving(bytes: &[u8]) -> Outcome {
    of_meta(meta::MOVING, bytes, chain_move::goal, |goal| {
        goal.map_or_else(Vec::new, |hash| hash.as_bytes().to_vec())
    })
}

fn tips(bytes: &[u8]) -> Outcome {
    of_meta(meta::TIPS, bytes, Records::tips, |tips| {
        meta::encode_hashes(tips)
    })
}

fn reindex_root(bytes: &[u8]) -> Outcome {
    of_meta(meta::REINDEX_ROOT, bytes, DagStore::reindex_root, |hash| {
        hash.as_bytes().to_vec()
    })
}

fn version(bytes: &[u8]) -> Outcome {
    let Some(rules) = SIMNET.clone().map(Parameters::new) else {
        return NONE;
    };
    let mut records = holding(tables::META, meta::VERSION, bytes);
    let digest = rules.profile.digest().as_bytes().to_vec();
    records.put_meta(meta::PROFILE_DIGEST, digest);
    let opened = genesis_state::open(&mut Chain { rules, records });
    // An older layout was brought up to the present one, so the number that was read is told by the bytes alone.
    let number = bytes.try_into().map_or(0, u32::from_le_bytes);
    of_store(bytes, opened, |()| {
        number.clamp(1, meta::LAYOUT_VERSION).to_le_bytes().to_vec()
    })
}

fn counters(bytes: &[u8]) -> Outcome {
    of_meta(meta::COUNTERS, bytes, Records::counters, |counters| {
        Counters::encode(*counters)
    })
}

fn pruning(bytes: &[u8]) -> Outcome {
    of_meta(
        meta::PRUNING,
        bytes,
        Records::pruning,
        PruningRecord::encode,
    )
}
