//! JavaScript binding of the pruning point export, which serves nodes that start there. It is made from a reader,
//! whose store must not change meanwhile.

use svc_chain::header::raw::HashedHeader;

use svc_chain::header::raw::write_headers;
use svc_codec::limits::HEADERS_PER_CALL;
use svc_codec::writer::Writer;
use svc_consensus::export::Export;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::questions::{hash_arg, optional_hash_arg};
use crate::reader::Reader;
use crate::thrown::thrown;

/// An export of one pruning point. Its pages are whole once a step said so.
#[wasm_bindgen]
pub struct Exporter {
    export: Export,
}

#[wasm_bindgen]
impl Exporter {
    /// Begins an export of a block of the selected chain. Throws `chain/unknown-block` for another,
    /// `engine/not-imported`.
    #[wasm_bindgen(constructor)]
    pub fn new(reader: &Reader, point: &str) -> Result<Exporter, JsError> {
        let export = Export::begin(&reader.chain().records, &hash_arg(point)?).map_err(thrown)?;
        Ok(Self { export })
    }

    /// Prepares the export by about `budget` blocks' worth. Returns true when all is prepared; pages are not whole
    /// before that.
    pub fn step(&mut self, reader: &Reader, budget: u32) -> Result<bool, JsError> {
        self.export
            .step(reader.chain(), budget as usize)
            .map_err(thrown)
    }

    /// The proof of the pruning point, as PruningProof (formats 1.4). Throws `proof/*` where too little is held for
    /// one.
    pub fn proof(&self, reader: &Reader) -> Result<Vec<u8>, JsError> {
        let proof = self.export.proof(reader.chain());
        Ok(proof.map_err(thrown)?.to_bytes())
    }

    /// The pruning points from number `from` on, genesis being 0, up to the exported one: RawHeaders of at most 128,
    /// none behind the last.
    pub fn points(&self, reader: &Reader, from: u32) -> Result<Vec<u8>, JsError> {
        let points = self.export.points(&reader.chain().records, from as usize);
        let points = points.map_err(thrown)?;
        let page: Vec<HashedHeader> = points
            .iter()
            .take(HEADERS_PER_CALL)
            .map(|point| {
                let witness = point.witness().map(<[u8]>::to_vec);
                HashedHeader::new(point.header().clone(), witness)
            })
            .collect();
        Ok(write_headers(&page))
    }

    /// The trusted headers from number `from` on, as TrustedPage (formats 1.4) of at most `limit` and 1,024; without
    /// headers behind the last.
    pub fn trusted(&self, reader: &Reader, from: u32, limit: u32) -> Result<Vec<u8>, JsError> {
        let page = self
            .export
            .trusted(&reader.chain().records, from as usize, limit as usize);
        Ok(page.map_err(thrown)?.to_bytes())
    }

    /// The hashes of the blocks whose bodies are sent, the pruning point first, 32 bytes each.
    pub fn bodies(&self) -> Vec<u8> {
        svc_consensus::records::meta::encode_hashes(&self.export.bodies())
    }

    /// The claim of the lanes, as LanesClaim (formats 1.4).
    #[wasm_bindgen(js_name = lanesClaim)]
    pub fn lanes_claim(&self, reader: &Reader) -> Result<Vec<u8>, JsError> {
        let claim = self.export.lanes_claim(&reader.chain().records);
        Ok(claim.map_err(thrown)?.to_bytes())
    }

    /// The lanes behind a key, ascending, as LanePage (formats 1.4) of at most 4,096: key, tip, blue score u64,
    /// repeated. Empty text begins.
    #[wasm_bindgen(js_name = lanePage)]
    pub fn lane_page(&self, reader: &Reader, after: &str) -> Result<Vec<u8>, JsError> {
        let after = optional_hash_arg(after)?;
        let page = self
            .export
            .lane_page(&reader.chain().records, after.as_ref());
        let mut writer = Writer::new();
        for (key, lane) in page.map_err(thrown)? {
            writer.hash(&key).hash(&lane.tip).u64(lane.blue_score);
        }
        Ok(writer.into_vec())
    }

    /// The claim of the state, as StateClaim (formats 1.4).
    #[wasm_bindgen(js_name = stateClaim)]
    pub fn state_claim(&self, reader: &Reader) -> Result<Vec<u8>, JsError> {
        let claim = self.export.state_claim(&reader.chain().records);
        Ok(claim.map_err(thrown)?.to_bytes())
    }

    /// The bindings that prove the anchors from before the security fork, from number `from` on, as AnchorBindings
    /// (formats 1.3) of at most `limit` and 256: block, u32 length, binding, repeated; none behind the last. Throws
    /// `chain/unknown-block` for one that is not held.
    pub fn bindings(&self, reader: &Reader, from: u32, limit: u32) -> Result<Vec<u8>, JsError> {
        let page = self
            .export
            .bindings(&reader.chain().records, from as usize, limit as usize);
        let mut writer = Writer::new();
        for (block, binding) in page.map_err(thrown)? {
            let bytes = binding.to_bytes();
            writer.hash(&block).count_u32(bytes.len()).bytes(&bytes);
        }
        Ok(writer.into_vec())
    }

    /// The nullifiers behind one, ascending, as NullifierPage of at most 4,096, 32 bytes each. Empty text begins.
    #[wasm_bindgen(js_name = nullifierPage)]
    pub fn nullifier_page(&self, reader: &Reader, after: &str) -> Result<Vec<u8>, JsError> {
        let after = optional_hash_arg(after)?;
        let page = self
            .export
            .nullifier_page(&reader.chain().records, after.as_ref());
        let page = page.map_err(thrown)?;
        Ok(svc_consensus::records::meta::encode_hashes(&page))
    }
}

/// The scan records from an index of the selected chain downwards, as HistoryRecords (formats 1.4) of at most `limit`,
/// 2,000 and 4 MiB: `u32 length, record`, repeated. Throws `engine/not-imported`; belongs to no export.
#[wasm_bindgen(js_name = historyPage)]
pub fn history_page(reader: &Reader, from: u64, limit: u32) -> Result<Vec<u8>, JsError> {
    let records = Export::history(&reader.chain().records, from, limit as usize);
    let mut writer = Writer::new();
    for record in records.map_err(thrown)? {
        writer.count_u32(record.len()).bytes(&record);
    }
    Ok(writer.into_vec())
}
