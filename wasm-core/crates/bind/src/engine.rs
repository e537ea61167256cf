//! JavaScript binding of the consensus engine: bytes for bulk data, JSON text for facts.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;
use svc_chain::profile::Profile;
use svc_codec::error::SvcError;
use svc_consensus::engine::Engine as Core;
use svc_consensus::outcome_json::{inserted_json, pruned_json, resolved_json};
use svc_consensus::pipeline::{headers, ingest};
use svc_consensus::records::chain::Chain;
use svc_consensus::rules::coinbase::MinerData;
use svc_consensus::rules::held_transaction::HeldTransaction;
use svc_shielded::bundle::BundleFormat;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::questions::{answer, hash_arg};
use crate::stopwatch::HostStopwatch;
use crate::store::HostStore;
use crate::sync_questions::answer_network;
use crate::thrown::{bad_call, thrown};

/// The engine over a host store; the only writer.
#[wasm_bindgen]
pub struct Engine {
    core: Core<HostStore>,
    held: Held,
}

/// Transactions by the numbers that the host knows them by, from [`Engine::hold_transaction`] until it lets them go.
#[derive(Default)]
struct Held {
    transactions: BTreeMap<u32, Rc<HeldTransaction>>,
    next: u32,
}

impl Held {
    fn add(&mut self, transaction: HeldTransaction) -> u32 {
        while self.transactions.contains_key(&self.next) {
            self.next = self.next.wrapping_add(1);
        }
        let number = self.next;
        self.transactions.insert(number, Rc::new(transaction));
        self.next = number.wrapping_add(1);
        number
    }

    fn get(&self, number: u32) -> Result<Rc<HeldTransaction>, SvcError> {
        let found = self.transactions.get(&number).cloned();
        found.ok_or_else(|| bad_call("held transaction"))
    }
}

/// A block without proof of work.
#[wasm_bindgen]
pub struct Template {
    block: Vec<u8>,
    rejected: String,
}

#[wasm_bindgen]
impl Template {
    /// The block as RawBlock, with nonce 0.
    pub fn block(&self) -> Vec<u8> {
        self.block.clone()
    }

    /// The candidates that may not be mined now, as JSON `[{txid, code, data}]`.
    pub fn rejected(&self) -> String {
        self.rejected.clone()
    }
}

fn format_arg(format: u8) -> Result<BundleFormat, SvcError> {
    match format {
        0 => Ok(BundleFormat::Plain),
        1 => Ok(BundleFormat::NamedAnchor),
        _ => Err(bad_call("bundle form")),
    }
}

#[wasm_bindgen]
impl Engine {
    /// Opens a store (formats 3.4), writing genesis when it is empty. Throws `profile/*`, `store/profile-mismatch`,
    /// `store/version`.
    #[wasm_bindgen(constructor)]
    pub fn new(store: HostStore, profile_json: &str) -> Result<Engine, JsError> {
        let profile = Profile::from_json(profile_json).map_err(thrown)?;
        Ok(Self {
            core: Core::open(store, profile).map_err(thrown)?,
            held: Held::default(),
        })
    }

    /// Takes a RawBlock in. Returns InsertOutcome (formats 3.10). `nowMs` is the host's clock, in Unix milliseconds.
    /// Throws `codec/*` and `header/bad-parents` for what is no block, `header/too-many-parents`, where no id is
    /// computed, and `engine/not-imported` before an import has come to the blocks above its pruning point.
    #[wasm_bindgen(js_name = insertBlock)]
    pub fn insert_block(&mut self, raw_block: &[u8], now_ms: u64) -> Result<String, JsError> {
        let rules = self.core.rules();
        let incoming = ingest::read_incoming(rules, raw_block).map_err(thrown)?;
        let hash = incoming.hash();
        let inserted = self.core.insert_block(incoming, now_ms).map_err(thrown)?;
        Ok(inserted_json(&hash, &inserted).to_string())
    }

    /// Takes RawHeaders in ahead of their bodies, parents first, at most 128. Returns a JSON array of one InsertOutcome
    /// for each. Publishes no block and moves nothing but `headersTip`. Behind the first refusal that took proof of
    /// work or more, headers that are not known are `rejected` with its code and data, unjudged, and nothing is
    /// remembered of them. Other refusals do not stop those behind, nor does `header/pruning-violation`. Throws as
    /// `insertBlock` does, and `codec/count-too-large` for more headers.
    #[wasm_bindgen(js_name = insertHeaders)]
    pub fn insert_headers(&mut self, raw_headers: &[u8], now_ms: u64) -> Result<String, JsError> {
        let rules = self.core.rules();
        let headers = headers::read_incoming(rules, raw_headers).map_err(thrown)?;
        let outcomes = self.core.insert_headers(&headers, now_ms).map_err(thrown)?;
        let facts: Vec<Value> = headers
            .iter()
            .zip(&outcomes)
            .map(|(header, inserted)| inserted_json(&header.hash(), inserted))
            .collect();
        Ok(Value::from(facts).to_string())
    }

    /// Records the verdict on a payment, read in bundle form `format`: 0 plain, 1 with a named anchor block. Only the
    /// verdict that it is valid is remembered beyond the blocks that wait for it. Throws `engine/bad-call` for another
    /// form.
    #[wasm_bindgen(js_name = noteVerdict)]
    pub fn note_verdict(&mut self, txid: &str, format: u8, valid: bool) -> Result<(), JsError> {
        let format = format_arg(format).map_err(thrown)?;
        self.core
            .note_verdict(hash_arg(txid)?, format, valid)
            .map_err(thrown)
    }

    /// Moves virtual towards the best tip by one step, with work for about `maxBlocks` chain blocks. Returns
    /// ResolveOutcome (formats 3.10); to be called until that is `done`. Throws `engine/not-imported`.
    pub fn resolve(&mut self, max_blocks: u32) -> Result<String, JsError> {
        let resolved = self.core.resolve(max_blocks as usize).map_err(thrown)?;
        Ok(resolved_json(&resolved).to_string())
    }

    /// Deletes what lies below the pruning point in one step and one commit, worth deleting about `budget` blocks.
    /// Returns PruneOutcome (formats 3.10); to be called while nobody waits, until that is `done`. Throws `proof/*`
    /// once for a pruning point that cannot be proved; then it is `done` until the point moves.
    pub fn prune(&mut self, budget: u32) -> Result<String, JsError> {
        let progress = self.core.prune(budget as usize).map_err(thrown)?;
        Ok(pruned_json(&progress).to_string())
    }

    /// Lets accepted steps share a commit from now on, or no more: off commits what is pending. While on, a commit
    /// waits for `flush`, for headers, or for a `resolve` or `prune` with 4,096 changes pending, and events wait with
    /// it.
    #[wasm_bindgen(js_name = setGroupCommit)]
    pub fn set_group_commit(&mut self, on: bool) -> Result<(), JsError> {
        self.core.set_group_commit(on).map_err(thrown)
    }

    /// Tells `stopwatch` (formats 3.5) from now on what time is spent on.
    #[wasm_bindgen(js_name = setStopwatch)]
    pub fn set_stopwatch(&mut self, stopwatch: HostStopwatch) {
        self.core.set_stopwatch(Rc::new(stopwatch));
    }

    /// Commits what is pending.
    pub fn flush(&mut self) -> Result<(), JsError> {
        self.core.flush().map_err(thrown)
    }

    /// Decodes a RawTransaction and keeps it for `checkTransaction` and `buildTemplate` until it is released. Returns its
    /// number. The host bounds what is held, and holds nothing twice (decision 38). Throws `codec/*`.
    #[wasm_bindgen(js_name = holdTransaction)]
    pub fn hold_transaction(&mut self, raw_tx: &[u8]) -> Result<u32, JsError> {
        let transaction = HeldTransaction::from_bytes(raw_tx).map_err(thrown)?;
        Ok(self.held.add(transaction))
    }

    /// Forgets a transaction that is held.
    #[wasm_bindgen(js_name = releaseTransaction)]
    pub fn release_transaction(&mut self, held: u32) {
        self.held.transactions.remove(&held);
    }

    /// Judges a transaction that is held, its proof aside, as virtual would carry it and the block over it would apply it.
    /// Returns TxCheck (formats 3.10). Throws `engine/bad-call` for a number that stands for none, `tx/*`, `shielded/*`,
    /// `engine/not-imported`, and `template/not-ready` while the chain is still being judged.
    #[wasm_bindgen(js_name = checkTransaction)]
    pub fn check_transaction(&mut self, held: u32) -> Result<String, JsError> {
        let transaction = self.held.get(held).map_err(thrown)?;
        let check = self.core.check_transaction(&transaction).map_err(thrown)?;
        Ok(check.to_json().to_string())
    }

    /// Builds a block on virtual that pays `payScript`, a raw address. `candidates` are numbers of transactions that are
    /// held, in order of preference, each judged as by `checkTransaction` and in need of a valid verdict. Throws
    /// `engine/bad-call` for a number that stands for none, `coinbase/*` for a script or data that no coinbase may have,
    /// `tx/missing-verdict` while a merged payment waits for one, `engine/not-imported`, and `template/not-ready` while
    /// the chain is still being judged.
    #[wasm_bindgen(js_name = buildTemplate)]
    pub fn build_template(
        &mut self,
        pay_script: &[u8],
        extra_data: &[u8],
        candidates: &[u32],
        now_ms: u64,
    ) -> Result<Template, JsError> {
        let candidates: Result<Vec<_>, SvcError> =
            candidates.iter().map(|held| self.held.get(*held)).collect();
        let miner = MinerData {
            script_version: 0,
            script: pay_script.to_vec(),
            extra: extra_data.to_vec(),
        };
        let built = self
            .core
            .build_template(miner, candidates.map_err(thrown)?, now_ms)
            .map_err(thrown)?;
        let rejected: Vec<Value> = built
            .rejected
            .iter()
            .map(|(txid, error)| {
                let mut fact: Value = serde_json::from_str(&error.to_json()).unwrap_or_default();
                fact["txid"] = txid.to_string().into();
                fact
            })
            .collect();
        Ok(Template {
            block: built.block.to_bytes(),
            rejected: Value::from(rejected).to_string(),
        })
    }
}

answer!(Engine);
answer_network!(Engine);

impl Engine {
    fn chain(&self) -> &Chain<HostStore> {
        self.core.chain()
    }

    /// The engine itself, for the calls of an import.
    pub(crate) fn core_mut(&mut self) -> &mut Core<HostStore> {
        &mut self.core
    }
}
