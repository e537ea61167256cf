//! A whole initial sync as the reference's nodes did it: what the serving node sent is imported, and every block after
//! it must be accepted. Imports between nodes of ours are tested in `scenarios`.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use svc_chain::block::Block;
use svc_chain::header::raw::HashedHeader;
use svc_chain::muhash::MuHash;
use svc_chain::profile::Profile;
use svc_codec::hash32::Hash32;
use svc_codec::limits::HEADERS_PER_CALL;
use svc_codec::reader::Reader;
use svc_consensus::engine::Engine;
use svc_consensus::import::lanes::LanesClaim;
use svc_consensus::import::state_claim::StateClaim;
use svc_consensus::import::trusted::{TrustedHeader, TrustedPage};
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::proof::ProofHeader;
use svc_consensus::questions::past_pages::hashes_between;
use svc_consensus::questions::sync_questions::{block_locator, chain_locator};
use svc_consensus::records::chain_state::MinerSlot;
use svc_consensus::records::lane_diff::LaneTip;
use svc_consensus::store::MemoryStore;
use svc_dag::store::DagStore;
use svc_shielded::anchor_log::AnchorLog;
use svc_shielded::frontier::Frontier;

use crate::wire::{self, fields, payloads};

/// Payload numbers.
const IBD_BLOCK: u64 = 13;
const BLOCK_LOCATOR: u64 = 5;
const BLOCK_HEADERS: u64 = 41;
const PRUNING_POINTS: u64 = 47;
const TRUSTED_BLOCK: u64 = 51;
const TRUSTED_DATA: u64 = 52;
const CHAIN_LOCATOR: u64 = 54;
const BLOCK_BODY: u64 = 57;
const LANES: u64 = 60;
const LANE_CHUNK: u64 = 61;
const SHIELDED_STATE: u64 = 65;

fn one(directory: &Path, number: u64) -> Vec<u8> {
    let mut found = payloads(directory, number);
    assert_eq!(found.len(), 1, "payloads {number}");
    found.remove(0)
}

fn headers(message: &[u8]) -> Vec<ProofHeader> {
    let rows = fields(message).into_iter();
    rows.map(|(_, value)| wire::proof_header(value.bytes()))
        .collect()
}

/// Window entries carry header and GHOSTDAG data, the pairs after them GHOSTDAG data of blocks that are in the window.
fn trusted(message: &[u8]) -> Vec<TrustedHeader> {
    let mut window: Vec<TrustedHeader> = Vec::new();
    for (field, value) in fields(message) {
        let parts = fields(value.bytes());
        let data = wire::ghostdag(parts[1].1.bytes());
        if field == 1 {
            let header = wire::proof_header(parts[0].1.bytes());
            window.push(TrustedHeader {
                header,
                ghostdag: data,
            });
        } else {
            let hash = wire::hash(parts[0].1.bytes());
            let known = window.iter().find(|trusted| trusted.header.hash() == hash);
            assert_eq!(known.unwrap().ghostdag, data);
        }
    }
    window
}

fn lanes(directory: &Path) -> (LanesClaim, Vec<(Hash32, LaneTip)>) {
    let message = one(directory, LANES);
    let rows = fields(&message);
    let mut triple = Reader::new(rows[0].1.bytes());
    let claim = LanesClaim {
        root: triple.hash().unwrap(),
        payload_digest: triple.hash().unwrap(),
        count: rows[1].1.number(),
    };
    let chunk = one(directory, LANE_CHUNK);
    let lane = |entry: &[u8]| {
        let parts = fields(entry);
        let mut pair = Reader::new(parts[0].1.bytes());
        let key = pair.hash().unwrap();
        let tip = pair.hash().unwrap();
        let blue_score = parts[1].1.number();
        (key, LaneTip { tip, blue_score })
    };
    let rows = fields(&chunk).into_iter();
    (claim, rows.map(|(_, value)| lane(value.bytes())).collect())
}

fn hashes(reader: &mut Reader<'_>) -> Vec<Hash32> {
    let count = reader.u64().unwrap();
    (0..count).map(|_| reader.hash().unwrap()).collect()
}

/// The reference's positional form of the state.
fn state_claim(directory: &Path) -> (StateClaim, Hash32) {
    let message = one(directory, SHIELDED_STATE);
    let rows = fields(&message);
    let mut reader = Reader::new(rows[0].1.bytes());
    let size = reader.u64().unwrap();
    let leaf = (reader.u8().unwrap() == 1).then(|| reader.hash().unwrap());
    let frontier = Frontier::from_parts(size, leaf, &hashes(&mut reader)).unwrap();
    let (cumulative_coinbase, cumulative_fees) = (reader.u128().unwrap(), reader.u128().unwrap());
    let numerator = MuHash::from_bytes(&reader.array::<384>().unwrap()).unwrap();
    let denominator = MuHash::from_bytes(&reader.array::<384>().unwrap()).unwrap();
    assert!(numerator == MuHash::new() && denominator == MuHash::new());
    assert_eq!(reader.u64().unwrap(), 0, "burns");
    let root = reader.hash().unwrap();
    let count = reader.u64().unwrap();
    let older = (0..count).map(|_| (reader.hash().unwrap(), reader.hash().unwrap()));
    let older = older.collect();
    let claim = StateClaim {
        frontier,
        cumulative_coinbase,
        cumulative_fees,
        nullifiers: Some(numerator),
        nullifier_count: 0,
        dev_accrued: reader.u64().unwrap(),
        slot: MinerSlot::default(),
        log_before: AnchorLog::default(),
        entries: Vec::new(),
        older,
        // The recording does not say; the chain has one parent each.
        chain_index: 8_000,
    };
    (claim, root)
}

/// Headers in the order sent, each with its body.
fn blocks(directory: &Path) -> Vec<Block> {
    let pages = payloads(directory, BLOCK_HEADERS);
    let headers = pages.iter().flat_map(|page| headers(page));
    let bodies = payloads(directory, BLOCK_BODY);
    headers
        .zip(bodies)
        .map(|(header, body)| Block {
            header: header.header().clone(),
            transactions: wire::body(&body),
        })
        .collect()
}

fn staging(directory: &Path) -> Engine<MemoryStore> {
    let text = std::fs::read_to_string(directory.join("profile.json")).unwrap();
    let profile = Profile::from_json(&text).unwrap();
    Engine::open(MemoryStore::new(), profile).unwrap()
}

/// Everything up to the blocks above the pruning point.
fn import_headers(engine: &mut Engine<MemoryStore>, directory: &Path) {
    engine
        .importing()
        .begin_import(wire::recorded_proof(directory))
        .unwrap();
    let view = loop {
        if let Some(view) = engine.importing().import_proof(1_000).unwrap() {
            break view;
        }
    };
    let points = headers(&one(directory, PRUNING_POINTS));
    assert!(engine.importing().import_points(points).unwrap());
    let window = trusted(&one(directory, TRUSTED_DATA));
    assert_eq!(window.len(), 2_646);
    for page in window.chunks(1_000) {
        let page = TrustedPage {
            window: page.to_vec(),
            segment: Vec::new(),
        };
        let read = TrustedPage::from_bytes(&page.to_bytes()).unwrap();
        assert!(read == page);
        engine.importing().import_trusted(read).unwrap();
    }
    let needed = loop {
        if let Some(needed) = engine.importing().link_trusted(500).unwrap() {
            break needed;
        }
    };
    assert_eq!(needed, [view.pruning_point]);
    for message in payloads(directory, TRUSTED_BLOCK) {
        let block = wire::block(fields(&message)[0].1.bytes());
        let (jobs, left) = engine.importing().import_body(block).unwrap();
        assert!(jobs.is_empty() && left == 0);
    }
}

fn code<T: std::fmt::Debug>(outcome: Result<T, svc_codec::error::SvcError>) -> &'static str {
    outcome.unwrap_err().code.as_str()
}

fn run(directory: &Path) {
    let mut engine = staging(directory);
    import_headers(&mut engine, directory);
    let blocks = blocks(directory);
    assert_eq!(blocks.len(), 3_728);
    assert_eq!(code(engine.importing().binding_child()), "import/not-bound");
    for page in blocks.chunks(HEADERS_PER_CALL) {
        let headers = page
            .iter()
            .map(|block| HashedHeader::new(block.header.clone(), None));
        let headers: Vec<HashedHeader> = headers.collect();
        for taken in engine.insert_headers(&headers, u64::MAX).unwrap() {
            assert!(matches!(taken, Inserted::Accepted { new: true, .. }));
        }
    }
    let child = wire::block(&one(directory, IBD_BLOCK));
    assert_eq!(engine.importing().binding_child().unwrap(), child.hash());
    engine.importing().import_binding(&child).unwrap();
    for block in &blocks {
        let inserted = engine.insert_block(block.clone(), block.header.timestamp_ms);
        assert!(
            matches!(&inserted, Ok(Inserted::Accepted { new: true, .. })),
            "{} {inserted:?}",
            block.header.blue_score
        );
    }
    assert_eq!(code(engine.resolve(10)), "engine/not-imported");
    let (claim, pages) = lanes(directory);
    engine.importing().import_lanes(claim).unwrap();
    engine.importing().import_lane_page(&pages).unwrap();
    let (claim, root) = state_claim(directory);
    let claim = StateClaim::from_bytes(&claim.to_bytes()).unwrap();
    engine.importing().import_state(claim).unwrap();
    // The reference has nothing that binds anchors from before the security fork.
    assert!(engine.importing().wants_bindings().unwrap());
    engine.importing().waive_bindings().unwrap();
    engine.importing().finish_import().unwrap();
    let sink = engine.records().virtual_record().unwrap().sink;
    let state = engine.records().chain_state(&sink).unwrap();
    let daa = engine.records().header(&sink).unwrap().header.daa_score;
    assert_eq!(state.state_root(&engine.rules().profile, daa), root);
    while !engine.resolve(100).unwrap().done {}
    let locator = one(directory, CHAIN_LOCATOR);
    let expected = wire::hash(fields(&locator)[0].1.bytes());
    assert_eq!(engine.records().virtual_record().unwrap().sink, expected);
    assert!(expected.to_string().starts_with("4f09c6100c09"));
    assert_eq!(engine.records().tips().unwrap(), [expected]);
    for block in &blocks {
        let stage = engine.records().stage(&block.hash()).unwrap().unwrap();
        assert_eq!(stage.name(), "valid");
    }
    assert_serves_alike(&engine, directory);
}

/// Asked what the recording asks, a node that holds its chain answers the same.
fn assert_serves_alike(engine: &Engine<MemoryStore>, directory: &Path) {
    let chain = engine.chain();
    let sent = |number| -> Vec<Hash32> {
        let message = one(directory, number);
        let rows = fields(&message).into_iter();
        rows.map(|(_, value)| wire::hash(value.bytes())).collect()
    };
    let locator = sent(CHAIN_LOCATOR);
    assert_eq!(chain_locator(&chain.records, None, None).unwrap(), locator);
    let few = sent(BLOCK_LOCATOR);
    assert_eq!(
        block_locator(&chain.records, &few[0], few.len()).unwrap(),
        few
    );
    let mut low = *locator.last().unwrap();
    for page in payloads(directory, BLOCK_HEADERS) {
        let expected: Vec<Hash32> = headers(&page).iter().map(ProofHeader::hash).collect();
        // Pages were of a limit and the chain block behind it.
        let found = hashes_between(chain, &low, &locator[0], 1_025).unwrap();
        assert_eq!(found, expected);
        low = found[found.len() - 1];
    }
    assert_eq!(low, locator[0]);
}

#[test]
fn the_recorded_sync() {
    run(&wire::recording());
}
