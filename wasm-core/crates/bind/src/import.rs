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
use svc_consensus::imported_log::LogProgress;
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

fn log_progress_json(progress: LogProgress) -> String {
    match progress {
        LogProgress::Complete => json!({ "kind": "complete" }),
        LogProgress::Wanted { base, count, first } => json!({
            "kind": "wanted",
            "base": base.to_string(),
            "count": count.to_string(),
            "first": first.to_string(),
        }),
    }
    .to_string()
}

#[wasm_bindgen]
impl Engine {
    /// Begins an import with a PruningProof (formats 1.4), in a store that holds genesis alone. Throws
    /// `import/not-empty` for another store, `proof/*`, `codec/*`, `header/bad-parents`.
    #[wasm_bindgen(js_name = beginImport)]
    pub fn begin_import(&mut self, proof: &[u8]) -> Result<(), JsError> {
        let proof = Proof::from_bytes(proof).map_err(thrown)?;
        self.core_mut()
            .importing()
            .begin_import(proof)
            .map_err(thrown)
    }

    /// Judges at most `budget` headers of the proof. Returns JSON `null`, at the end `{pruningPoint, blueWork}`. A
    /// refusal, `proof/*`, `header/*` or `import/wrong-header` for a proof of genesis, ends the import.
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

    /// Begins to compare the judged proof with the PruningProof of the chain in use, which may be one of genesis. The
    /// works are the blue work of both tips, as hexadecimal text. The imported chain is the challenger. Throws
    /// `engine/bad-call` for another text, `codec/*`, `proof/*`, `import/out-of-order`.
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

    /// Begins to compare the judged proof with the PruningProof of another peer, which is the challenger, by the work
    /// that the two proofs show (decision 28). Throws `codec/*`, `proof/*`, `import/out-of-order`.
    #[wasm_bindgen(js_name = contestRival)]
    pub fn contest_rival(&mut self, rival: &[u8]) -> Result<(), JsError> {
        let rival = Proof::from_bytes(rival).map_err(thrown)?;
        self.core_mut()
            .importing()
            .contest_rival(rival)
            .map_err(thrown)
    }

    /// Judges at most `budget` headers of the other proof. Returns JSON `null`, at the end whether the challenger wins
    /// (specification consensus 7.10). Throws `proof/*` and `header/*`, which end the comparison, and
    /// `import/out-of-order` without one.
    #[wasm_bindgen(js_name = contestStep)]
    pub fn contest_step(&mut self, budget: u32) -> Result<String, JsError> {
        let is_better = self.core_mut().importing().contest_step(budget as usize);
        Ok(Value::from(is_better.map_err(thrown)?).to_string())
    }

    /// Takes in the next of all pruning points, genesis first, as RawHeaders of at most 128. Returns true with the
    /// last, that of the proof. Throws `import/wrong-points`, `import/too-many-headers`, `header/*`, `codec/*`.
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

    /// Takes in a TrustedPage (formats 1.4) of headers. Throws `import/wrong-ghostdag`, `import/too-many-headers`,
    /// `header/*`, `codec/*`.
    #[wasm_bindgen(js_name = importTrusted)]
    pub fn import_trusted(&mut self, page: &[u8]) -> Result<(), JsError> {
        let page = TrustedPage::from_bytes(page).map_err(thrown)?;
        self.core_mut()
            .importing()
            .import_trusted(page)
            .map_err(thrown)
    }

    /// Makes a graph of the headers and judges it, at most `budget` headers a call. Returns JSON `null`, at the end the
    /// hashes of the blocks whose bodies are wanted. A refusal, `import/incomplete`, `import/wrong-ghostdag`,
    /// `import/wrong-header` or `header/*`, ends the import.
    #[wasm_bindgen(js_name = linkTrusted)]
    pub fn link_trusted(&mut self, budget: u32) -> Result<String, JsError> {
        let wanted = self.core_mut().importing().link_trusted(budget as usize);
        let wanted = wanted.map_err(thrown)?;
        let hashes = wanted.map(|wanted| wanted.iter().map(Hash32::to_string).collect());
        Ok(hashes
            .map_or(Value::Null, |hashes: Vec<String>| hashes.into())
            .to_string())
    }

    /// Takes in the RawBlock of a body that is wanted. Returns JSON `{needVerdicts, missing}` with a list of Jobs
    /// (formats 3.10) and the number of bodies still wanted; at 0, blocks above the pruning point may come. Throws
    /// `import/unexpected-body` and the codes of what is judged.
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

    /// The hash of the block whose body binds the state: the child of the pruning point on the chain of the heaviest
    /// header. Throws `import/not-bound` while there is none.
    #[wasm_bindgen(js_name = bindingChild)]
    pub fn binding_child(&mut self) -> Result<String, JsError> {
        let child = self
            .core_mut()
            .importing()
            .binding_child()
            .map_err(thrown)?;
        Ok(child.to_string())
    }

    /// Takes in the RawBlock that `bindingChild` named. Throws `import/wrong-child` for another, `import/wrong-state`
    /// for one that commits to another state than was claimed, `body/*`, `coinbase/*`, `codec/*`.
    #[wasm_bindgen(js_name = importBinding)]
    pub fn import_binding(&mut self, raw_block: &[u8]) -> Result<(), JsError> {
        let block = WitnessedBlock::from_bytes(raw_block).map_err(thrown)?;
        self.core_mut()
            .importing()
            .import_binding(&block.block)
            .map_err(thrown)
    }

    /// Takes in the claim of the lanes, a LanesClaim (formats 1.4). Throws `import/wrong-lanes`, `codec/*`.
    #[wasm_bindgen(js_name = importLanes)]
    pub fn import_lanes(&mut self, claim: &[u8]) -> Result<(), JsError> {
        let claim = LanesClaim::from_bytes(claim).map_err(thrown)?;
        self.core_mut()
            .importing()
            .import_lanes(claim)
            .map_err(thrown)
    }

    /// Takes in a LanePage (formats 1.4): key, tip, blue score u64, repeated and ascending by key. A refusal,
    /// `import/wrong-lanes`, ends the import.
    #[wasm_bindgen(js_name = importLanePage)]
    pub fn import_lane_page(&mut self, lanes: &[u8]) -> Result<(), JsError> {
        let lanes = read_lanes(lanes).map_err(thrown)?;
        self.core_mut()
            .importing()
            .import_lane_page(&lanes)
            .map_err(thrown)
    }

    /// Takes in the claim of the state, a StateClaim (formats 1.4), when it is the one that the binding block commits
    /// to. Throws `import/wrong-state`, `import/wrong-entry`, `import/too-many-nullifiers`, `codec/*`.
    #[wasm_bindgen(js_name = importState)]
    pub fn import_state(&mut self, claim: &[u8]) -> Result<(), JsError> {
        let claim = StateClaim::from_bytes(claim).map_err(thrown)?;
        self.core_mut()
            .importing()
            .import_state(claim)
            .map_err(thrown)
    }

    /// Takes in a NullifierPage: nullifiers in any order, 32 bytes each. A refusal, `import/too-many-nullifiers`, ends
    /// the import.
    #[wasm_bindgen(js_name = importNullifiers)]
    pub fn import_nullifiers(&mut self, nullifiers: &[u8]) -> Result<(), JsError> {
        let nullifiers = hashes_arg(nullifiers)?;
        self.core_mut()
            .importing()
            .import_nullifiers(&nullifiers)
            .map_err(thrown)
    }

    /// Whether anchors from before the security fork have to be bound before the end (decision 29). May be asked after
    /// `importState`.
    #[wasm_bindgen(js_name = wantsBindings)]
    pub fn wants_bindings(&mut self) -> Result<bool, JsError> {
        self.core_mut().importing().wants_bindings().map_err(thrown)
    }

    /// Binds anchors by AnchorBindings (formats 1.3) in any order: block, u32 length, binding, repeated. Throws
    /// `import/wrong-binding`, which is the sender's fault, `import/wrong-entry`, which is the fault of the claim,
    /// `import/too-many-headers` above 256 bindings, `codec/*`; the import is as before then.
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

    /// Asks whether the headers so far show the work that the profile asks for, when those above the pruning point have
    /// come. Throws `import/too-little-work` below its `minimumWork`. `finishImport` asks again.
    #[wasm_bindgen(js_name = requireImportWork)]
    pub fn require_import_work(&mut self) -> Result<(), JsError> {
        self.core_mut()
            .importing()
            .require_import_work()
            .map_err(thrown)
    }

    /// Looks whether the chain above the pruning point, with all headers there, names the points of the list, at most
    /// `budget` blocks of it. Returns true when all has been looked at. Throws `header/wrong-pruning-point` and
    /// `import/wrong-points`.
    #[wasm_bindgen(js_name = importChain)]
    pub fn import_chain(&mut self, budget: u32) -> Result<bool, JsError> {
        self.core_mut()
            .importing()
            .import_chain(budget as usize)
            .map_err(thrown)
    }

    /// Ends the import and makes the pruning point the sink. Looks by itself at what `importChain` left, at most 4,096
    /// blocks. Throws `import/too-little-work`, `import/wrong-child`, after which the child named there has to bind the
    /// state, `import/unbound` before all anchors are bound or waived, `import/wrong-nullifiers`, and as `importChain`
    /// does. The refusals `import/unbound` and `import/wrong-nullifiers` end the import.
    #[wasm_bindgen(js_name = finishImport)]
    pub fn finish_import(&mut self) -> Result<(), JsError> {
        self.core_mut().importing().finish_import().map_err(thrown)
    }

    /// The progress of the history import (formats 3.7), as JSON. Throws `engine/not-imported`.
    #[wasm_bindgen(js_name = historyProgress)]
    pub fn history_progress(&mut self) -> Result<String, JsError> {
        let progress = self.core_mut().history().map_err(thrown)?;
        Ok(progress_json(progress))
    }

    /// Takes in HistoryRecords (formats 1.4), downwards, at most 2,000: `u32 length, record`, repeated. Returns the
    /// progress (formats 3.7). Records before the first refused one stay. Throws `history/wrong-record`,
    /// `history/out-of-order` when none are wanted, `codec/*`, `engine/not-imported`.
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

    /// Replays, joins or throws away at most `budget` records. Returns the progress (formats 3.7). Throws
    /// `engine/not-imported`.
    #[wasm_bindgen(js_name = historyStep)]
    pub fn history_step(&mut self, budget: u32) -> Result<String, JsError> {
        let progress = self
            .core_mut()
            .history_import()
            .history_step(budget as usize);
        Ok(progress_json(progress.map_err(thrown)?))
    }

    /// Gives up what came of a history that goes no further; steps throw it away. Throws `history/out-of-order` when no
    /// records are wanted.
    #[wasm_bindgen(js_name = dropHistory)]
    pub fn drop_history(&mut self) -> Result<(), JsError> {
        self.core_mut()
            .history_import()
            .drop_history()
            .map_err(thrown)
    }

    /// What is lacking of the anchor log below the pruning point that the store began at (formats 3.7), as JSON. Throws
    /// `engine/not-imported`.
    #[wasm_bindgen(js_name = logProgress)]
    pub fn log_progress(&mut self) -> Result<String, JsError> {
        Ok(log_progress_json(self.core_mut().log().map_err(thrown)?))
    }

    /// Takes in the LogPage (formats 1.4) that is wanted, whole or not at all. Returns what is lacking then (formats 3.7). Throws
    /// `history/wrong-record`, `history/out-of-order` while nothing is lacking, `codec/*`, `engine/not-imported`.
    #[wasm_bindgen(js_name = importLog)]
    pub fn import_log(&mut self, page: &[u8]) -> Result<String, JsError> {
        let progress = self.core_mut().import_log(page);
        Ok(log_progress_json(progress.map_err(thrown)?))
    }
}
