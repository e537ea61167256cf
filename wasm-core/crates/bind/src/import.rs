//! JavaScript binding of the trusted import (an engine that starts from a pruning point) and of the history import
//! afterwards: one call for each step of the core. Bytes are the raw forms of the core; answers are JSON text.

use serde_json::{Value, json};
use svc_chain::block::WitnessedBlock;
use svc_chain::header::raw::read_headers;
use svc_chain::uint256::{BLUE_WORK_LEN, U256};
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{ANCHOR_BINDING_ROWS, IMPORT_PAGE_ROWS, MAX_PAGE_RECORDS};
use svc_codec::reader::Reader;
use svc_consensus::history::HistoryProgress;
use svc_consensus::import::contest::TipWorks;
use svc_consensus::import::lanes::LanesClaim;
use svc_consensus::import::state_claim::StateClaim;
use svc_consensus::import::trusted::TrustedPage;
use svc_consensus::outcome_json::job_json;
use svc_consensus::proof::{Proof, ProofHeader};
use svc_consensus::records::lane_diff::LaneTip;
use svc_consensus::rules::anchor_binding::AnchorBinding;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::engine::Engine;
use crate::questions::hashes_arg;
use crate::thrown::{bad_call, thrown};

/// Lanes one after the other: key, tip, blue score u64.
fn read_lanes(bytes: &[u8]) -> Result<Vec<(Hash32, LaneTip)>, SvcError> {
    let mut reader = Reader::new(bytes);
    let mut lanes = Vec::new();
    while reader.remaining() > 0 && lanes.len() <= IMPORT_PAGE_ROWS {
        let key = reader.hash()?;
        let tip = reader.hash()?;
        let blue_score = reader.u64()?;
        lanes.push((key, LaneTip { tip, blue_score }));
    }
    Ok(lanes)
}

/// `block, u32 length, binding` one after the other.
fn read_bindings(bytes: &[u8]) -> Result<Vec<(Hash32, AnchorBinding)>, SvcError> {
    let mut reader = Reader::new(bytes);
    let mut bindings = Vec::new();
    while reader.remaining() > 0 && bindings.len() <= ANCHOR_BINDING_ROWS {
        let block = reader.hash()?;
        let length = reader.u32()? as usize;
        let binding = AnchorBinding::from_bytes(reader.take(length)?)?;
        bindings.push((block, binding));
    }
    Ok(bindings)
}

/// `u32 length, record` one after the other.
fn read_records(bytes: &[u8]) -> Result<Vec<Vec<u8>>, SvcError> {
    let mut reader = Reader::new(bytes);
    let mut records = Vec::new();
    while reader.remaining() > 0 && records.len() <= MAX_PAGE_RECORDS {
        let length = reader.u32()? as usize;
        records.push(reader.take(length)?.to_vec());
    }
    Ok(records)
}

/// Reads blue work given as hex. Throws `engine/bad-call`.
fn work_arg(text: &str) -> Result<U256, JsError> {
    let is_hex =
        text.len() <= 2 * BLUE_WORK_LEN && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let work = (is_hex && !text.is_empty()).then(|| U256::from_str_radix(text, 16).ok());
    work.flatten()
        .ok_or_else(|| thrown(bad_call("blue work as hexadecimal text was expected")))
}

fn progress_json(progress: HistoryProgress) -> String {
    match progress {
        HistoryProgress::Complete => json!({ "kind": "complete" }),
        HistoryProgress::Working(_) => json!({ "kind": "working" }),
        HistoryProgress::Wanted {
            base,
            below,
            lowest,
        } => json!({
            "kind": "wanted",
            "base": base.to_string(),
            "below": below.to_string(),
            "lowest": lowest.map(|hash| hash.to_string()),
        }),
    }
    .to_string()
}

#[wasm_bindgen]
impl Engine {
    /// Begins an import with the raw form of a proof.
    #[wasm_bindgen(js_name = beginImport)]
    pub fn begin_import(&mut self, proof: &[u8]) -> Result<(), JsError> {
        let proof = Proof::from_bytes(proof).map_err(thrown)?;
        self.core_mut()
            .importing()
            .begin_import(proof)
            .map_err(thrown)
    }

    /// Judges headers of the proof. Returns `null`, or at the end `{"pruningPoint","blueWork"}`.
    #[wasm_bindgen(js_name = importProof)]
    pub fn import_proof(&mut self, budget: u32) -> Result<String, JsError> {
        let view = self.core_mut().importing().import_proof(budget as usize);
        let fact = view.map_err(thrown)?.map(|view| {
            json!({
                "pruningPoint": view.pruning_point.to_string(),
                "blueWork": format!("{:x}", view.blue_work),
            })
        });
        Ok(Value::from(fact).to_string())
    }

    /// Begins to compare the judged proof with that of the chain in use (raw form); blue work of both tips as
    /// hexadecimal text.
    #[wasm_bindgen(js_name = contestProof)]
    pub fn contest_proof(
        &mut self,
        own_proof: &[u8],
        own_work: &str,
        their_work: &str,
    ) -> Result<(), JsError> {
        let works = TipWorks {
            own: work_arg(own_work)?,
            their: work_arg(their_work)?,
        };
        let own = Proof::from_bytes(own_proof).map_err(thrown)?;
        self.core_mut()
            .importing()
            .contest_proof(own, works)
            .map_err(thrown)
    }

    /// Begins to compare the proof of another peer (raw form) with the judged one.
    #[wasm_bindgen(js_name = contestRival)]
    pub fn contest_rival(&mut self, rival: &[u8]) -> Result<(), JsError> {
        let rival = Proof::from_bytes(rival).map_err(thrown)?;
        self.core_mut()
            .importing()
            .contest_rival(rival)
            .map_err(thrown)
    }

    /// Judges headers of the other proof. Returns `null`, or at the end whether the challenger is better (specification
    /// consensus 7.10): the imported one against that of the chain in use, that of another peer against the imported one.
    #[wasm_bindgen(js_name = contestStep)]
    pub fn contest_step(&mut self, budget: u32) -> Result<String, JsError> {
        let is_better = self.core_mut().importing().contest_step(budget as usize);
        Ok(Value::from(is_better.map_err(thrown)?).to_string())
    }

    /// Takes pruning points in (RawHeaders). Returns whether the last has come.
    #[wasm_bindgen(js_name = importPoints)]
    pub fn import_points(&mut self, raw_headers: &[u8]) -> Result<bool, JsError> {
        let headers = read_headers(raw_headers).map_err(thrown)?;
        let points = headers.iter().map(|point| {
            let witness = point.witness().map(<[u8]>::to_vec);
            ProofHeader::new(point.header().clone(), witness)
        });
        self.core_mut()
            .importing()
            .import_points(points.collect())
            .map_err(thrown)
    }

    /// Takes a page of trusted headers in.
    #[wasm_bindgen(js_name = importTrusted)]
    pub fn import_trusted(&mut self, page: &[u8]) -> Result<(), JsError> {
        let page = TrustedPage::from_bytes(page).map_err(thrown)?;
        self.core_mut()
            .importing()
            .import_trusted(page)
            .map_err(thrown)
    }

    /// Makes a graph of the headers. Returns `null`, or at the end the blocks whose bodies are wanted.
    #[wasm_bindgen(js_name = linkTrusted)]
    pub fn link_trusted(&mut self, budget: u32) -> Result<String, JsError> {
        let wanted = self.core_mut().importing().link_trusted(budget as usize);
        let wanted = wanted.map_err(thrown)?;
        let hashes = wanted.map(|wanted| wanted.iter().map(Hash32::to_string).collect());
        Ok(hashes
            .map_or(Value::Null, |hashes: Vec<String>| hashes.into())
            .to_string())
    }

    /// Takes a wanted body in (RawBlock). Returns `{"needVerdicts","missing"}`.
    #[wasm_bindgen(js_name = importBody)]
    pub fn import_body(&mut self, raw_block: &[u8]) -> Result<String, JsError> {
        let block = WitnessedBlock::from_bytes(raw_block).map_err(thrown)?;
        let (jobs, missing) = self
            .core_mut()
            .importing()
            .import_body(block)
            .map_err(thrown)?;
        let jobs: Vec<Value> = jobs.iter().map(job_json).collect();
        Ok(json!({ "needVerdicts": jobs, "missing": missing }).to_string())
    }

    /// The block whose body binds the state.
    #[wasm_bindgen(js_name = bindingChild)]
    pub fn binding_child(&mut self) -> Result<String, JsError> {
        let child = self
            .core_mut()
            .importing()
            .binding_child()
            .map_err(thrown)?;
        Ok(child.to_string())
    }

    /// Takes that block in (RawBlock).
    #[wasm_bindgen(js_name = importBinding)]
    pub fn import_binding(&mut self, raw_block: &[u8]) -> Result<(), JsError> {
        let block = WitnessedBlock::from_bytes(raw_block).map_err(thrown)?;
        self.core_mut()
            .importing()
            .import_binding(&block.block)
            .map_err(thrown)
    }

    /// Takes in the claim of the lanes.
    #[wasm_bindgen(js_name = importLanes)]
    pub fn import_lanes(&mut self, claim: &[u8]) -> Result<(), JsError> {
        let claim = LanesClaim::from_bytes(claim).map_err(thrown)?;
        self.core_mut()
            .importing()
            .import_lanes(claim)
            .map_err(thrown)
    }

    /// Takes lanes in: key, tip, blue score u64, one after the other.
    #[wasm_bindgen(js_name = importLanePage)]
    pub fn import_lane_page(&mut self, lanes: &[u8]) -> Result<(), JsError> {
        let lanes = read_lanes(lanes).map_err(thrown)?;
        self.core_mut()
            .importing()
            .import_lane_page(&lanes)
            .map_err(thrown)
    }

    /// Takes the claim of the state in.
    #[wasm_bindgen(js_name = importState)]
    pub fn import_state(&mut self, claim: &[u8]) -> Result<(), JsError> {
        let claim = StateClaim::from_bytes(claim).map_err(thrown)?;
        self.core_mut()
            .importing()
            .import_state(claim)
            .map_err(thrown)
    }

    /// Takes nullifiers in, 32 bytes each.
    #[wasm_bindgen(js_name = importNullifiers)]
    pub fn import_nullifiers(&mut self, nullifiers: &[u8]) -> Result<(), JsError> {
        let nullifiers = hashes_arg(nullifiers)?;
        self.core_mut()
            .importing()
            .import_nullifiers(&nullifiers)
            .map_err(thrown)
    }

    /// Whether anchors from before the security fork have to be bound before the end.
    #[wasm_bindgen(js_name = wantsBindings)]
    pub fn wants_bindings(&mut self) -> Result<bool, JsError> {
        self.core_mut().importing().wants_bindings().map_err(thrown)
    }

    /// Binds anchors: block, u32 length, binding, one after the other.
    #[wasm_bindgen(js_name = importBindings)]
    pub fn import_bindings(&mut self, bindings: &[u8]) -> Result<(), JsError> {
        let bindings = read_bindings(bindings).map_err(thrown)?;
        self.core_mut()
            .importing()
            .import_bindings(&bindings)
            .map_err(thrown)
    }

    /// Takes the anchors without their bindings, where no peer has them.
    #[wasm_bindgen(js_name = waiveBindings)]
    pub fn waive_bindings(&mut self) -> Result<(), JsError> {
        self.core_mut().importing().waive_bindings().map_err(thrown)
    }

    /// Throws when the headers so far show less work than the profile asks for.
    #[wasm_bindgen(js_name = requireImportWork)]
    pub fn require_import_work(&mut self) -> Result<(), JsError> {
        self.core_mut()
            .importing()
            .require_import_work()
            .map_err(thrown)
    }

    /// Looks whether the chain above the pruning point names the points of the list. Returns whether it is done.
    #[wasm_bindgen(js_name = importChain)]
    pub fn import_chain(&mut self, budget: u32) -> Result<bool, JsError> {
        self.core_mut()
            .importing()
            .import_chain(budget as usize)
            .map_err(thrown)
    }

    /// Ends the import.
    #[wasm_bindgen(js_name = finishImport)]
    pub fn finish_import(&mut self) -> Result<(), JsError> {
        self.core_mut().importing().finish_import().map_err(thrown)
    }

    /// Progress of the history import: `{"kind":"complete"}`, `{"kind":"working"}` or
    /// `{"kind":"wanted","base","below","lowest"}`.
    #[wasm_bindgen(js_name = historyProgress)]
    pub fn history_progress(&mut self) -> Result<String, JsError> {
        let progress = self.core_mut().history().map_err(thrown)?;
        Ok(progress_json(progress))
    }

    /// Takes scan records in, downwards: `u32 length, record` one after the other. Returns the progress.
    #[wasm_bindgen(js_name = importHistory)]
    pub fn import_history(&mut self, records: &[u8]) -> Result<String, JsError> {
        let records = read_records(records).map_err(thrown)?;
        let progress = self
            .core_mut()
            .history_import()
            .import_history(&records)
            .map_err(thrown)?;
        Ok(progress_json(progress))
    }

    /// Replays, joins or throws away at most `budget` records. Returns the progress.
    #[wasm_bindgen(js_name = historyStep)]
    pub fn history_step(&mut self, budget: u32) -> Result<String, JsError> {
        let progress = self
            .core_mut()
            .history_import()
            .history_step(budget as usize);
        Ok(progress_json(progress.map_err(thrown)?))
    }

    /// Throws away what came of a history that goes no further.
    #[wasm_bindgen(js_name = dropHistory)]
    pub fn drop_history(&mut self) -> Result<(), JsError> {
        self.core_mut()
            .history_import()
            .drop_history()
            .map_err(thrown)
    }
}
