//! A node in memory, a way to mine on it, and payments whose proofs are answered for by the test.

use std::rc::Rc;
use std::sync::OnceLock;

use serde_json::Value;
use svc_chain::block::Block;
use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::header::raw::HashedHeader;
use svc_chain::profile::Profile;
use svc_chain::transaction::Transaction;
use svc_codec::hash32::Hash32;
use svc_codec::limits::HEADERS_PER_CALL;
use svc_consensus::engine::Engine;
use svc_consensus::import::importing::Importing;
use svc_consensus::pipeline::event::Event;
use svc_consensus::pipeline::headers::headers_tip;
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::pipeline::template::BuiltTemplate;
use svc_consensus::questions;
use svc_consensus::records::chain_state::ChainState;
use svc_consensus::rules::acceptance::Job;
use svc_consensus::rules::coinbase::MinerData;
use svc_consensus::rules::held_transaction::HeldTransaction;
use svc_consensus::store::{MemoryStore, Store};
use svc_dag::store::DagStore;
use svc_shielded::bundle::BundleFormat;
use svc_shielded::keys;
use svc_shielded::secret::Secret32;

use crate::scenarios::payments::proof_holds;

/// Subsidy of every block of these short chains, sompi (specification consensus 10.3).
pub const SUBSIDY: u64 = 6_000_000_000;
/// Development fee of one block, 50 permille.
pub const CUT: u64 = 300_000_000;
/// What a miner keeps of one block.
pub const REWARD: u64 = SUBSIDY - CUT;

/// Payments as an engine takes them for a template.
pub fn held(payments: &[Transaction]) -> Vec<Rc<HeldTransaction>> {
    let held = payments.iter().cloned().map(HeldTransaction::from);
    held.map(Rc::new).collect()
}

/// The built-in simnet with changed fields, each named by its JSON pointer.
pub fn simnet_with(changes: &[(&str, Value)]) -> Profile {
    let text = Profile::built_in("simnet").unwrap().canonical_json();
    let mut json: Value = serde_json::from_str(&text).unwrap();
    for (pointer, value) in changes {
        *json.pointer_mut(pointer).unwrap() = value.clone();
    }
    Profile::from_json(&json.to_string()).unwrap()
}

/// The built-in simnet: every rule from genesis on.
pub fn simnet() -> Profile {
    simnet_with(&[])
}

/// The payout script of a miner by number.
pub fn script_of(miner: u32) -> Vec<u8> {
    static VIEWING_KEY: OnceLock<[u8; 96]> = OnceLock::new();
    let fvk = VIEWING_KEY.get_or_init(|| keys::full_viewing_key(&Secret32::new([42; 32])).unwrap());
    keys::address_at(fvk, miner).unwrap().to_vec()
}

/// A node: an engine with the host's part, which answers verdicts and keeps the events.
pub struct Node<S: Store = MemoryStore> {
    /// The engine.
    pub engine: Engine<S>,
    /// Everything it published.
    pub events: Vec<Event>,
    /// Chain blocks judged per call of `resolve`.
    pub budget: usize,
    /// Number of calls of `resolve`.
    pub resolves: usize,
}

impl Node<MemoryStore> {
    /// A node with an empty store.
    pub fn new(profile: Profile) -> Self {
        Self::open(MemoryStore::new(), profile)
    }

    /// Another node that starts with a copy of this one's store.
    pub fn copy(&self) -> Self {
        let store = self.engine.records().overlay.store().clone();
        Self::open(store, self.engine.rules().profile.clone())
    }

    /// Content of the named tables.
    pub fn dump(&self, tables: &[u8]) -> Vec<(u8, Vec<u8>, Vec<u8>)> {
        let mut rows = self.engine.records().overlay.store().dump();
        rows.retain(|(table, _, _)| tables.contains(table));
        rows
    }
}

impl<S: Store> Node<S> {
    /// The calls of its engine's import.
    pub fn importing(&mut self) -> Importing<'_, S> {
        self.engine.importing()
    }

    /// A node over a store.
    pub fn open(store: S, profile: Profile) -> Self {
        Self {
            engine: Engine::open(store, profile).unwrap(),
            events: Vec::new(),
            budget: 1_000,
            resolves: 0,
        }
    }

    /// A template for a miner, with the candidates' verdicts noted first.
    pub fn template(&mut self, miner: u32, payments: &[Transaction]) -> BuiltTemplate {
        let now = self.next_time();
        for payment in payments {
            self.note_proof(payment);
        }
        let data = MinerData {
            script_version: 0,
            script: script_of(miner),
            extra: Vec::new(),
        };
        self.engine
            .build_template(data, held(payments), now)
            .unwrap()
    }

    /// A block on virtual whose payments all fit.
    pub fn build(&mut self, miner: u32, payments: &[Transaction]) -> Block {
        let built = self.template(miner, payments);
        assert!(built.rejected.is_empty(), "{:?}", built.rejected);
        built.block
    }

    /// A block on virtual with these payments, whether they could be applied or not.
    pub fn build_carrying(&mut self, miner: u32, payments: &[Transaction]) -> Block {
        let mut block = self.build(miner, &[]);
        block.transactions.extend_from_slice(payments);
        seal(block)
    }

    /// Notes the verdict on a payment for both bundle forms.
    pub fn note_proof(&mut self, payment: &Transaction) {
        for format in [BundleFormat::Plain, BundleFormat::NamedAnchor] {
            self.engine
                .note_verdict(payment.id(), format, proof_holds(payment))
                .unwrap();
        }
    }

    /// Takes a block in at its own time; answers jobs, does not resolve.
    pub fn insert(&mut self, block: &Block) -> Inserted {
        let inserted = self
            .engine
            .insert_block(block.clone(), block.header.timestamp_ms)
            .unwrap();
        if let Inserted::Accepted { jobs, .. } = &inserted {
            self.answer(jobs);
        }
        inserted
    }

    /// Takes in a block that must be sound, and resolves.
    pub fn add(&mut self, block: &Block) -> Hash32 {
        let inserted = self.insert(block);
        assert!(
            matches!(inserted, Inserted::Accepted { .. }),
            "{} {inserted:?}",
            block.hash()
        );
        self.settle();
        block.hash()
    }

    /// Takes headers in, all of them at the time of the latest.
    pub fn insert_headers(&mut self, blocks: &[Block]) -> Vec<Inserted> {
        let now = blocks
            .iter()
            .map(|block| block.header.timestamp_ms)
            .max()
            .unwrap_or(0);
        let header = |block: &Block| HashedHeader::new(block.header.clone(), None);
        let mut outcomes = Vec::new();
        for part in blocks.chunks(HEADERS_PER_CALL) {
            let headers: Vec<HashedHeader> = part.iter().map(header).collect();
            outcomes.extend(self.engine.insert_headers(&headers, now).unwrap());
        }
        outcomes
    }

    /// Takes in headers that must be sound.
    pub fn add_headers(&mut self, blocks: &[Block]) {
        for (block, inserted) in blocks.iter().zip(self.insert_headers(blocks)) {
            let accepted = matches!(inserted, Inserted::Accepted { .. });
            assert!(accepted, "{} {inserted:?}", block.hash());
        }
    }

    /// The best header.
    pub fn headers_tip(&self) -> Hash32 {
        headers_tip(self.engine.records()).unwrap()
    }

    /// The code of the refusal of a block.
    pub fn refusal(&mut self, block: &Block) -> &'static str {
        match self.insert(block) {
            Inserted::Rejected(error) => error.code.as_str(),
            other => panic!("expected a refusal, got {other:?}"),
        }
    }

    /// Builds and adds a block on virtual.
    pub fn mine(&mut self, miner: u32, payments: &[Transaction]) -> Hash32 {
        let block = self.build(miner, payments);
        let hash = self.add(&block);
        assert_eq!(self.sink(), hash, "{:?}", self.status(&hash));
        hash
    }

    /// Mines a number of empty blocks.
    pub fn mine_many(&mut self, miner: u32, count: usize) -> Vec<Hash32> {
        (0..count).map(|_| self.mine(miner, &[])).collect()
    }

    /// Resolves to the end, answering jobs.
    pub fn settle(&mut self) {
        for _ in 0..100_000 {
            self.resolves += 1;
            let resolved = self.engine.resolve(self.budget).unwrap();
            self.events.extend(resolved.events);
            self.answer(&resolved.jobs);
            if resolved.done && resolved.jobs.is_empty() {
                return;
            }
        }
        panic!("resolve does not come to an end");
    }

    fn answer(&mut self, jobs: &[Job]) {
        for job in jobs {
            let payment = self.engine.records().body(&job.block).unwrap()[job.index].clone();
            assert_eq!(payment.id(), job.txid);
            self.engine
                .note_verdict(job.txid, job.format, proof_holds(&payment))
                .unwrap();
        }
    }

    /// A second after the sink.
    pub fn next_time(&self) -> u64 {
        let sink = self.sink();
        self.engine
            .records()
            .header(&sink)
            .unwrap()
            .header
            .timestamp_ms
            + 1_000
    }

    /// The selected tip.
    pub fn sink(&self) -> Hash32 {
        self.engine.records().virtual_record().unwrap().sink
    }

    /// The selected chain, genesis first.
    pub fn chain(&self) -> Vec<Hash32> {
        let at = |index| self.engine.records().chain_at(index).unwrap();
        (0..).map_while(at).collect()
    }

    /// Inserts the blocks of another node's selected chain from this index on.
    pub fn insert_chain(&mut self, other: &Self, first: usize) {
        for hash in other.chain().iter().skip(first) {
            let block = other.engine.records().block(hash).unwrap().unwrap();
            self.insert(&block);
        }
    }

    /// The state after a chain block.
    pub fn state_of(&self, block: &Hash32) -> ChainState {
        self.engine
            .records()
            .chain_state(block)
            .unwrap()
            .as_ref()
            .clone()
    }

    /// DAA score of a block.
    pub fn daa(&self, block: &Hash32) -> u64 {
        self.engine
            .records()
            .header(block)
            .unwrap()
            .header
            .daa_score
    }

    /// Blue score of a block.
    pub fn blue_score(&self, block: &Hash32) -> u64 {
        self.engine
            .records()
            .header(block)
            .unwrap()
            .header
            .blue_score
    }

    /// BlockFacts.
    pub fn block_facts(&self, block: &Hash32) -> Value {
        questions::block_facts(self.engine.records(), block)
            .unwrap()
            .unwrap()
    }

    /// ChainFacts.
    pub fn chain_facts(&self, block: &Hash32) -> Value {
        questions::chain_facts(self.engine.records(), block)
            .unwrap()
            .unwrap()
    }

    /// Values of the coinbase outputs of a block with the payee, in order.
    pub fn minted(&self, block: &Hash32) -> Vec<(u64, Vec<u8>)> {
        let body = self.engine.records().body(block).unwrap();
        let outputs = body[0].outputs.iter();
        outputs
            .map(|output| (output.value, output.script.clone()))
            .collect()
    }

    /// The stage of a block with the reason of a refusal.
    pub fn status(&self, block: &Hash32) -> (String, String) {
        let status = self.engine.records().known_status(block).unwrap();
        (status.stage.name().to_owned(), status.reason.clone())
    }

    /// The coins issued so far are in the pool, in the accrual slot or carried as development fee: the
    /// DAA score counts the merged blocks that earned one (specification consensus 10.6).
    pub fn assert_supply(&self) {
        for block in self.chain() {
            let state = self.state_of(&block);
            let pool = state.cumulative_coinbase - state.cumulative_fees;
            let carried = u128::from(state.dev_accrued) + u128::from(state.slot.amount);
            let issued = u128::from(SUBSIDY) * u128::from(self.daa(&block));
            assert_eq!(pool + carried, issued, "supply at {block}");
        }
    }
}

/// Recomputes the merkle root after a change of the transactions.
pub fn seal(mut block: Block) -> Block {
    block.header.hash_merkle_root = block.merkle_root();
    block
}

/// A block with a changed coinbase payload.
pub fn with_payload(block: &Block, change: impl FnOnce(&mut CoinbasePayload)) -> Block {
    let mut block = block.clone();
    let coinbase = &mut block.transactions[0];
    let mut payload = CoinbasePayload::decode(&coinbase.payload).unwrap();
    change(&mut payload);
    coinbase.payload = payload.encode().unwrap();
    seal(block)
}

/// Ids listed under `applied` or `dropped` of ChainFacts.
pub fn listed(facts: &Value, key: &str) -> Vec<Hash32> {
    let rows = facts[key].as_array().unwrap();
    rows.iter()
        .map(|row| row["txid"].as_str().unwrap().parse().unwrap())
        .collect()
}

/// The development fee's payout script.
pub fn dev_script(profile: &Profile) -> Vec<u8> {
    profile.dev_fee_recipient().unwrap().to_vec()
}

/// The seed that `SVC_SEED` names, for one more run of a test with chance in it; the full size names one that is new.
pub fn named_seed() -> Option<u64> {
    let seed = std::env::var("SVC_SEED").ok()?;
    Some(seed.parse().unwrap())
}
