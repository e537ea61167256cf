//! Receipts of the simulated chain: each minted note has one that holds, and the vectors that others read are of this chain.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use serde_json::{Value, json};
use svc_chain::block::WitnessedBlock;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_codec::reader::Reader;
use svc_codec::scan_record::ScanRecord;
use svc_consensus::engine::Engine;
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::questions::{evidence, pages};
use svc_consensus::store::MemoryStore;
use svc_evidence::header::{Judge, WorkFloor};
use svc_evidence::membership::Membership;
use svc_evidence::note::NoteOpening;
use svc_evidence::opening::Opening;
use svc_evidence::receipt::{Challenge, Receipt};
use svc_evidence::run::Run;
use svc_pow::judge_work::WorkNetwork;
use svc_scan::note_tree::NoteTree;
use svc_shielded::coinbase_note::{Source, derive};
use svc_shielded::frontier::Frontier;
use svc_shielded::keys::full_viewing_key;
use svc_shielded::note::NoteParts;
use svc_shielded::secret::Secret32;
use svc_shielded::signing::challenge_answer::answer;

use crate::corpus::{self, Corpus};

const SIMULATED: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../tests/vectors/simulated"
);
const VECTORS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../tests/vectors/receipt.json"
);
/// Seed of the one wallet that all simulated miners are paid to.
const WALLET: [u8; 32] = [42; 32];
const CHALLENGE: &str = "receipt of the vectors, for whoever reads them";
/// Bytes of the container around the records of a page, in front of them and behind.
const PAGE_HEAD: usize = 24;
const PAGE_END: usize = 4;

/// A note, its place, and how many leaves the tree has after its block.
struct Minted {
    parts: NoteParts,
    position: u64,
    leaves: u64,
    block: Hash32,
}

struct Simulated {
    engine: Engine<MemoryStore>,
    chain: Vec<Hash32>,
    tree: NoteTree,
    minted: Vec<Minted>,
}

impl Simulated {
    fn load() -> Self {
        let corpus = Corpus::open(PathBuf::from(SIMULATED));
        let mut engine = Engine::open(MemoryStore::new(), corpus.profile()).unwrap();
        let witnesses = corpus.witnesses();
        for recorded in corpus.blocks().skip(1) {
            let block = corpus::block(&recorded);
            let now = block.header.timestamp_ms;
            let witness = witnesses.get(&block.header.hash_merkle_root).cloned();
            let inserted = engine.insert_block(WitnessedBlock { block, witness }, now);
            assert!(matches!(inserted.unwrap(), Inserted::Accepted { .. }));
        }
        while !engine.resolve(1_000).unwrap().done {}
        let chain: Vec<Hash32> = (0..)
            .map_while(|index| engine.records().chain_at(index).unwrap())
            .collect();
        let mut simulated = Self {
            engine,
            chain,
            tree: NoteTree::new(Frontier::empty()).unwrap(),
            minted: Vec::new(),
        };
        for block in simulated.chain.clone().iter().skip(1) {
            simulated.scan(block);
        }
        simulated
    }

    /// Takes the notes of a block, whose payments are none.
    fn scan(&mut self, block: &Hash32) {
        let page = pages::record_of(self.engine.records(), block).unwrap();
        let mut reader = Reader::new(&page[PAGE_HEAD..page.len() - PAGE_END]);
        let record = ScanRecord::read(&mut reader, |_| ()).unwrap();
        assert!(record.payments.is_empty());
        assert_eq!(record.head.first_leaf, self.tree.size());
        let profile = self.engine.rules().profile.clone();
        let leaves: Vec<Hash32> = record.minted.iter().map(|note| note.cmx).collect();
        self.tree.append(&leaves).unwrap();
        for (index, note) in record.minted.iter().enumerate() {
            let source = Source {
                block: *block,
                txid: record.head.coinbase_txid,
                daa_score: record.head.daa_score,
                index: index as u32,
            };
            let derived = derive(&profile, &source, &note.recipient, note.value).unwrap();
            assert_eq!(derived.cmx, note.cmx);
            self.minted.push(Minted {
                parts: derived.parts(&note.recipient, note.value),
                position: record.head.first_leaf + index as u64,
                leaves: self.tree.size(),
                block: *block,
            });
        }
    }

    fn with_judge<T>(&self, use_it: impl FnOnce(&Judge<'_>) -> T) -> T {
        let rules = self.engine.rules();
        use_it(&Judge {
            network: WorkNetwork {
                profile: &rules.profile,
                genesis: &rules.genesis_hash,
            },
            floor: WorkFloor::of_network(&rules.profile),
        })
    }

    /// A receipt at the hardest header above the note's block; none where nothing stands above it.
    fn receipt(&self, note: &Minted) -> Option<Receipt> {
        let served = self.engine.chain();
        let run = evidence::run(served, &note.block, self.chain.last()?).unwrap();
        let hardest = self
            .with_judge(|judge| judge.hardest_header(&run))
            .unwrap()?;
        let opening = evidence::opening(served, &hardest.below, true).unwrap();
        let (header, mut opening) = Opening::decode(&opening).unwrap();
        opening.nullifiers = opening.nullifiers.as_digest();
        let membership = evidence::membership(served, &note.block, &hardest.below).unwrap();
        let path = self.tree.path(note.position, note.leaves).unwrap();
        Some(Receipt {
            network: self.engine.rules().genesis_hash,
            note: NoteOpening {
                parts: note.parts,
                position: note.position as u32,
                path: path.to_vec(),
            },
            opening: (header, opening),
            membership: Some(Membership::decode(&membership).unwrap()),
            block: Some(Run::decode(&run).unwrap().base.0),
            disclosure: None,
            challenge: None,
        })
    }
}

#[test]
fn each_minted_note_of_the_simulated_chain_has_a_receipt() {
    let simulated = Simulated::load();
    let (mut made, mut longest) = (0, 0);
    for note in &simulated.minted {
        let Some(receipt) = simulated.receipt(note) else {
            continue;
        };
        let bytes = receipt.encode().unwrap();
        let proved = simulated
            .with_judge(|judge| judge.receipt(&bytes, None))
            .unwrap();
        assert_eq!(proved.block(), note.block);
        assert_eq!(proved.note().parts(), &note.parts);
        made += 1;
        longest = longest.max(bytes.len());
    }
    assert!(made > 300, "{made} receipts");
    assert!(longest < 8 * 1_024, "{longest} bytes");
    println!("{made} receipts, the longest of {longest} bytes");
    check_vectors(&simulated);
}

/// The answer that the vectors hold: it has a random number of its own, so it is kept where it still holds.
fn kept_answer(receipt: &Receipt) -> [u8; 64] {
    let parts = &receipt.note.parts;
    let digest = Receipt::answer_digest(&receipt.network, &receipt.note, CHALLENGE);
    let told: Value = std::fs::read_to_string(VECTORS)
        .map(|text| serde_json::from_str(&text).unwrap())
        .unwrap_or_default();
    let kept = told["answer"]
        .as_str()
        .and_then(|text| hex::decode_array(text).ok());
    let holds = |answer: &[u8; 64]| {
        svc_shielded::signing::challenge_answer::check_answer(&parts.recipient, &digest, answer)
            .is_ok()
    };
    kept.filter(holds).unwrap_or_else(|| {
        let viewing_key = full_viewing_key(&Secret32::new(WALLET)).unwrap();
        answer(&viewing_key, &parts.recipient, &digest).unwrap()
    })
}

/// The vectors: a receipt of a block 60 below the tip, the same for a challenge, and a tip that anchors both. `SVC_WRITE_VECTORS`
/// writes them.
fn check_vectors(simulated: &Simulated) {
    let Simulated {
        engine,
        chain,
        minted,
        ..
    } = simulated;
    let served = engine.chain();
    let paid = chain[chain.len() - 61];
    let note = minted.iter().find(|note| note.block == paid).unwrap();
    let mut receipt = simulated.receipt(note).unwrap();
    let plain = receipt.encode().unwrap();
    let answer = kept_answer(&receipt);
    receipt.challenge = Some(Challenge {
        text: CHALLENGE.to_owned(),
        answer: Some(answer),
    });
    let header = receipt.opening.0.0.hash();
    let (state, child) = (chain[chain.len() - 3], chain[chain.len() - 2]);
    let [.., tip] = &chain[..] else {
        panic!("a chain without blocks");
    };
    let proved = simulated
        .with_judge(|judge| judge.receipt(&plain, None))
        .unwrap();
    let vectors = json!({
        "origin": "made by this project: a minted note of the chain in simulated/, which crates/consensus/tests/receipts.rs makes anew and compares",
        "profile": "simulated/profile.json",
        "seed": hex::encode(&WALLET),
        "recipient": hex::encode(&note.parts.recipient),
        "value": note.parts.value.to_string(),
        "rho": note.parts.rho,
        "rseed": hex::encode(&note.parts.rseed),
        "position": note.position,
        "block": paid,
        "blueScore": proved.blue_score().unwrap().to_string(),
        "time": proved.time().unwrap().to_string(),
        "depth": proved.depth().to_string(),
        "header": header,
        "work": format!("{:x}", proved.work()),
        "receipt": hex::encode(&plain),
        "challenge": CHALLENGE,
        "answer": hex::encode(&answer),
        "challenged": hex::encode(&receipt.encode().unwrap()),
        "tip": {
            "opening": hex::encode(&evidence::opening(served, &state, false).unwrap()),
            "run": hex::encode(&evidence::run(served, &child, tip).unwrap()),
            "membership": hex::encode(&evidence::membership(served, &header, &state).unwrap()),
        },
    });
    let text = serde_json::to_string_pretty(&vectors).unwrap() + "\n";
    if std::env::var_os("SVC_WRITE_VECTORS").is_some() {
        std::fs::write(VECTORS, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(VECTORS).unwrap() == text,
        "the vectors are others"
    );
}
