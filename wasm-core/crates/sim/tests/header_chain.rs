//! The engine takes what the maker of header chains makes, also where the difficulty window is full.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value, json};
use svc_chain::header::raw::read_headers;
use svc_chain::profile::Profile;
use svc_codec::limits::HEADERS_PER_CALL;
use svc_consensus::engine::Engine;
use svc_consensus::pipeline::headers::headers_tip;
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::store::MemoryStore;
use svc_dag::store::DagStore;
use svc_sim::header_chain::HeaderChain;

/// The rules of the benchmark, with a window that fills soon.
fn profile() -> Profile {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../tests/profiles/ingest.json"
    );
    let mut json: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    json["difficultyWindowSize"] = json!(30);
    json["minDifficultyWindowSize"] = json!(10);
    Profile::from_json(&json.to_string()).unwrap()
}

#[test]
fn every_header_is_taken() {
    let count = 3 * HEADERS_PER_CALL + 5;
    let mut bytes = Vec::new();
    let mut chain = HeaderChain::new(profile()).unwrap();
    chain.write(count, &mut bytes).unwrap();
    let mut engine = Engine::open(MemoryStore::new(), profile()).unwrap();
    let (mut rest, mut taken) = (bytes.as_slice(), 0);
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let (call, next) = after.split_at(u32::from_le_bytes(*length) as usize);
        let headers = read_headers(call).unwrap();
        let now = headers.last().unwrap().header().timestamp_ms;
        for inserted in engine.insert_headers(&headers, now).unwrap() {
            assert!(
                matches!(inserted, Inserted::Accepted { new: true, .. }),
                "{taken}: {inserted:?}"
            );
            taken += 1;
        }
        rest = next;
    }
    assert_eq!(taken, count);
    let tip = headers_tip(engine.records()).unwrap();
    let header = engine.records().header(&tip).unwrap();
    assert_eq!(header.header.blue_score, count as u64);
}
