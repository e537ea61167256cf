//! The engine against a chain recorded from the reference's node: every value the recording holds must
//! come out the same. The committed part is the first thousand blocks; `npm run conform` runs any other.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};
use svc_chain::block::WitnessedBlock;
use svc_chain::witness::Witness;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::checks::acceptance_check::{
    AcceptanceBlocks, AcceptanceClaim, check_acceptance,
};
use svc_consensus::checks::acceptance_proof::{AcceptanceProof, TransactionClaim};
use svc_consensus::checks::steps::{Outcome, Step};
use svc_consensus::checks::supply_check::{SupplyBlocks, check_supply};
use svc_consensus::engine::Engine;
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::questions;
use svc_consensus::questions::pages;
use svc_consensus::questions::told_proofs::{acceptance_proof, supply_proof};
use svc_consensus::questions::{evidence, payload_evidence};
use svc_consensus::store::MemoryStore;
use svc_evidence::header::{Judge, WorkFloor};
use svc_evidence::membership::Membership;
use svc_evidence::opening::{Opening, ProvedState};
use svc_evidence::payload::{PayloadOpening, prove_payload};
use svc_evidence::run::Run;
use svc_pow::judge_work::WorkNetwork;
use svc_shielded::bundle::Bundle;
use svc_shielded::sighash::{sighash, tx_context};
use svc_shielded::verify::Verifier;

use crate::corpus::{self, Corpus, text, texts};

type Memory = Engine<MemoryStore>;

/// Verifies what the engine asks for, building the key only when a payment arrives.
#[derive(Default)]
struct Proofs {
    verifier: Option<Verifier>,
}

impl Proofs {
    fn answer(&mut self, engine: &mut Memory, jobs: &[svc_consensus::rules::acceptance::Job]) {
        for job in jobs {
            let transaction = engine.records().body(&job.block).unwrap()[job.index].clone();
            let bundle = Bundle::decode(&transaction.payload, job.format).unwrap();
            let personal = *engine.rules().profile.personalisation.sighash.as_bytes();
            let digest = sighash(
                &personal,
                &engine.rules().genesis_hash,
                &bundle,
                &tx_context(&transaction),
            );
            let verifier = self.verifier.get_or_insert_with(Verifier::new);
            let valid = verifier.verify(&bundle, &digest).is_ok();
            engine.note_verdict(job.txid, job.format, valid).unwrap();
        }
    }
}

fn load(corpus: &Corpus) -> Memory {
    let mut engine = Engine::open(MemoryStore::new(), corpus.profile()).unwrap();
    let mut proofs = Proofs::default();
    let witnesses = corpus.witnesses();
    for (index, recorded) in corpus.blocks().enumerate() {
        if index == 0 {
            assert_eq!(
                text(&recorded["header"]["hash"]),
                engine.rules().genesis_hash.to_string()
            );
            continue;
        }
        let block = corpus::block(&recorded);
        let (hash, now) = (block.hash(), block.header.timestamp_ms);
        assert_eq!(
            hash.to_string(),
            text(&recorded["header"]["hash"]),
            "block {index}"
        );
        let witness = witnesses.get(&block.header.hash_merkle_root).cloned();
        let incoming = WitnessedBlock { block, witness };
        match engine.insert_block(incoming.clone(), now).unwrap() {
            Inserted::Accepted { new: true, jobs } => proofs.answer(&mut engine, &jobs),
            other => panic!("block {index} {hash}: {other:?}"),
        }
        loop {
            let resolved = engine.resolve(1_000).unwrap();
            proofs.answer(&mut engine, &resolved.jobs);
            if resolved.done {
                break;
            }
        }
        check_block(&engine, &hash, &recorded);
        let stored = engine.records().witnessed_block(&hash).unwrap();
        assert_eq!(stored, Some(incoming), "{hash}");
    }
    engine
}

fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}

fn check_block(engine: &Memory, hash: &Hash32, recorded: &Value) {
    let facts = questions::block_facts(engine.records(), hash)
        .unwrap()
        .unwrap();
    let verbose = &recorded["verboseData"];
    assert_ne!(
        facts["status"],
        "disqualified",
        "{hash}: {:?}",
        engine.records().status(hash)
    );
    assert_eq!(
        text(&facts["selectedParent"]),
        text(&verbose["selectedParentHash"]),
        "{hash}"
    );
    assert_eq!(
        texts(&facts["blues"]),
        texts(&verbose["mergeSetBluesHashes"]),
        "{hash}"
    );
    assert_eq!(
        sorted(texts(&facts["reds"])),
        sorted(texts(&verbose["mergeSetRedsHashes"])),
        "{hash}"
    );
    assert_eq!(
        text(&facts["blueScore"]),
        text(&recorded["header"]["blueScore"]),
        "{hash}"
    );
    assert_eq!(
        text(&facts["blueWork"]),
        text(&recorded["header"]["blueWork"]),
        "{hash}"
    );
    assert_eq!(
        text(&facts["daaScore"]),
        text(&recorded["header"]["daaScore"]),
        "{hash}"
    );
    assert_eq!(
        texts(&facts["txids"]),
        texts(&verbose["transactionIds"]),
        "{hash}"
    );
}

/// Chain membership, applied sets, coinbase notes and tree states at the end of the recording.
fn check_chain(engine: &Memory, corpus: &Corpus) -> usize {
    let chain: BTreeMap<String, Value> = corpus
        .chain()
        .map(|row| (text(&row["hash"]), row))
        .collect();
    let mut chain_blocks = 0;
    for recorded in corpus.blocks() {
        let hash: Hash32 = text(&recorded["header"]["hash"]).parse().unwrap();
        let facts = questions::block_facts(engine.records(), &hash)
            .unwrap()
            .unwrap();
        let Some(row) = chain.get(&hash.to_string()) else {
            continue;
        };
        assert_eq!(facts["isChainBlock"], true, "{hash}");
        chain_blocks += 1;
        let facts = questions::chain_facts(engine.records(), &hash)
            .unwrap()
            .unwrap();
        let applied: Vec<String> = facts["applied"]
            .as_array()
            .unwrap()
            .iter()
            .map(|carried| text(&carried["txid"]))
            .collect();
        assert_eq!(applied, texts(&row["acceptedTxids"]), "{hash}");
        assert_eq!(
            text(&facts["coinbaseTxid"]),
            text(&row["coinbaseTxid"]),
            "{hash}"
        );
        corpus::check_commitments(&pages::record_of(engine.records(), &hash).unwrap(), row);
    }
    chain_blocks
}

fn check_states(engine: &Memory, corpus: &Corpus) -> usize {
    let mut checked = 0;
    for recorded in corpus.states() {
        let Some(hash) = recorded["blockHash"].as_str() else {
            continue;
        };
        let hash: Hash32 = hash.parse().unwrap();
        let Ok(facts) = questions::shielded_facts(engine.chain(), &hash) else {
            continue;
        };
        for key in [
            "size",
            "leaf",
            "cumulativeCoinbase",
            "cumulativeFees",
            "poolValue",
            "noteCount",
        ] {
            if let Some(expected) = recorded[key].as_str() {
                assert_eq!(text(&facts[key]), expected, "{hash} {key}");
            }
        }
        if recorded["ommers"].is_array() {
            assert_eq!(
                texts(&facts["ommers"]),
                texts(&recorded["ommers"]),
                "{hash}"
            );
        }
        checked += 1;
    }
    checked
}

/// What the engine tells of every chain block passes the checks that visitors make, payments that were accepted a second time
/// and dropped among them.
fn check_told(engine: &Memory) -> (usize, usize) {
    let (mut applied, mut dropped) = (0, 0);
    let chain = (0..).map_while(|index| engine.records().chain_at(index).unwrap());
    for hash in chain {
        check_told_supply(engine, &hash);
        if hash == engine.rules().genesis_hash {
            continue;
        }
        let proof = acceptance_proof(engine.chain(), &hash).unwrap();
        let coinbase = engine.records().body(&hash).unwrap().txid(0).unwrap();
        check_told_transaction(engine, &proof, (coinbase, hash), true);
        for payment in &proof.applied {
            check_told_transaction(engine, &proof, (payment.txid, payment.block), true);
            applied += 1;
        }
        let is_applied = |txid: &Hash32| proof.applied.iter().any(|payment| payment.txid == *txid);
        for payment in proof.dropped.iter().filter(|one| !is_applied(&one.txid)) {
            check_told_transaction(engine, &proof, (payment.txid, payment.block), false);
            dropped += 1;
        }
    }
    (applied, dropped)
}

fn raw(engine: &Memory, hash: &Hash32) -> Vec<u8> {
    let found = engine.records().witnessed_block(hash).unwrap();
    found.unwrap().to_bytes()
}

fn assert_holds(steps: &[Step], has_child: bool, name: &str) {
    for step in steps {
        assert_ne!(step.outcome, Outcome::Differs, "{step:?}");
    }
    let step = steps.iter().find(|step| step.step == name).unwrap();
    assert_eq!(step.outcome == Outcome::Ok, has_child, "{step:?}");
}

fn check_told_supply(engine: &Memory, hash: &Hash32) {
    let proof = supply_proof(engine.chain(), hash).unwrap();
    let child = proof.child.map(|child| raw(engine, &child));
    let blocks = SupplyBlocks {
        block: &raw(engine, hash),
        child: child.as_deref(),
    };
    let report = check_supply(engine.rules(), &proof, &blocks);
    assert_holds(&report.steps, child.is_some(), "statePreimage");
}

fn check_told_transaction(
    engine: &Memory,
    proof: &AcceptanceProof,
    (txid, carrier): (Hash32, Hash32),
    is_applied: bool,
) {
    let transaction = TransactionClaim {
        txid,
        carrier,
        is_applied,
    };
    let child = proof.child.map(|child| raw(engine, &child));
    let blocks = AcceptanceBlocks {
        carrier: &raw(engine, &carrier),
        accepting: &raw(engine, &proof.block),
        parent: &raw(engine, &proof.selected_parent),
        child: child.as_deref(),
    };
    let claim = AcceptanceClaim {
        transaction: &transaction,
        proof,
    };
    let steps = check_acceptance(engine.rules(), &claim, &blocks);
    assert_holds(&steps, child.is_some(), "outcome");
}

/// Chain blocks that a run of this check goes over: its length is no matter of the recording.
const RUN: usize = 40;

/// Evidence of every chain block passes the checks of who holds nothing of the chain.
fn check_evidence(engine: &Memory) -> usize {
    let judge = Judge {
        network: WorkNetwork {
            profile: &engine.rules().profile,
            genesis: &engine.rules().genesis_hash,
        },
        floor: WorkFloor::of_network(&engine.rules().profile),
    };
    let chain: Vec<Hash32> = (0..)
        .map_while(|index| engine.records().chain_at(index).unwrap())
        .collect();
    let at = chain[chain.len() - 2];
    let top = opened(engine, &judge, &at).unwrap();
    let mut shown = 0;
    for (index, block) in chain.iter().enumerate().take(chain.len() - 1) {
        let Some(state) = opened(engine, &judge, block) else {
            continue;
        };
        shown += 1;
        assert_eq!(state.block(), *block);
        let to = chain[(index + RUN).min(chain.len() - 1)];
        let run = Run::decode(&evidence::run(engine.chain(), block, &to).unwrap()).unwrap();
        let run = judge.run(run).unwrap();
        assert_eq!((run.base().hash(), run.tip().hash()), (*block, to));
        if state.log().is_some_and(|log| log.count() > 0) {
            let bytes = evidence::membership(engine.chain(), block, &at).unwrap();
            let entry = judge
                .membership(&top, Membership::decode(&bytes).unwrap())
                .unwrap();
            assert_eq!(entry.entry().block, *block);
            assert_eq!(entry.entry().tree_root, state.parts().tree_root);
        }
        check_payloads(engine, block);
    }
    shown
}

/// Every payment that a block applied is bound to its header, as far as its lanes are told.
fn check_payloads(engine: &Memory, block: &Hash32) {
    let Ok(record) = engine.records().kept_acceptance(block) else {
        return;
    };
    for (place, carried) in record.applied.iter().enumerate() {
        let bytes = match payload_evidence::payload(engine.chain(), block, place) {
            Err(error) if error.code == Code::ChainPruned => continue,
            told => told.unwrap(),
        };
        let told = PayloadOpening::decode(&bytes).unwrap();
        let proved = prove_payload(block, &told).unwrap();
        assert_eq!(proved.txid(), carried.txid);
    }
}

/// The state after a block; none where it is pruned.
fn opened(engine: &Memory, judge: &Judge<'_>, block: &Hash32) -> Option<ProvedState> {
    let bytes = match evidence::opening(engine.chain(), block, true) {
        Err(error) if error.code == Code::ChainPruned => return None,
        told => told.unwrap(),
    };
    let (header, opening) = Opening::decode(&bytes).unwrap();
    let child = judge.header(header).unwrap();
    Some(judge.opening(&child, opening).unwrap())
}

const VECTORS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../tests/vectors/evidence.json"
);

/// The vectors that others read are of the simulated chain: its tip with 12 headers above, and a state 40 blocks below.
/// `SVC_WRITE_VECTORS` writes them.
fn check_vectors(engine: &Memory) {
    let chain: Vec<Hash32> = (0..)
        .map_while(|index| engine.records().chain_at(index).unwrap())
        .collect();
    let [.., tip] = &chain[..] else {
        panic!("a chain without blocks");
    };
    let (base, block) = (chain[chain.len() - 13], chain[chain.len() - 14]);
    let (child, older) = (chain[chain.len() - 53], chain[chain.len() - 54]);
    let hex = |bytes: Result<Vec<u8>, SvcError>| svc_codec::hex::encode(&bytes.unwrap());
    let served = engine.chain();
    let vectors = json!({
        "origin": "made by this project: served of the chain in simulated/, which crates/consensus/tests/conformance.rs serves anew and compares",
        "profile": "simulated/profile.json",
        "genesis": engine.rules().genesis_hash,
        "tip": {
            "block": block,
            "tip": tip,
            "opening": hex(evidence::opening(served, &block, false)),
            "run": hex(evidence::run(served, &base, tip)),
        },
        "older": {
            "block": older,
            "membership": hex(evidence::membership(served, &child, &block)),
            "opening": hex(evidence::opening(served, &older, true)),
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

fn run(directory: PathBuf) -> Memory {
    let corpus = Corpus::open(directory);
    let started = std::time::Instant::now();
    let engine = load(&corpus);
    let seconds = started.elapsed().as_secs_f64();
    let chain_blocks = check_chain(&engine, &corpus);
    let states = check_states(&engine, &corpus);
    let (applied, dropped) = check_told(&engine);
    let shown = check_evidence(&engine);
    assert!(
        chain_blocks > 0 && states > 0,
        "the recording holds chain blocks and states"
    );
    let blocks = corpus.blocks().count();
    println!(
        "{blocks} blocks, {chain_blocks} chain blocks, evidence of {shown}, {states} states, {applied} payments applied and {dropped} dropped, {:.0} blocks/s",
        blocks as f64 / seconds
    );
    engine
}

#[test]
fn first_thousand_blocks() {
    run(PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../tests/vectors/reference/p1000"
    )));
}

fn merge_mined() -> PathBuf {
    PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../tests/vectors/reference/w"
    ))
}

#[test]
fn a_chain_with_merge_mined_blocks() {
    run(merge_mined());
}

/// Retargeting, hundreds of red blocks and mergesets of reds only, which no recording has; its places are the
/// definition's (crate `sim`).
#[test]
fn a_simulated_chain_with_a_healed_partition() {
    let engine = run(PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../tests/vectors/simulated"
    )));
    check_vectors(&engine);
}

#[test]
fn recorded_witnesses_have_one_encoding() {
    let witnesses = Corpus::open(merge_mined()).witnesses();
    assert_eq!(witnesses.len(), 172);
    for bytes in witnesses.values() {
        assert_eq!(&Witness::from_bytes(bytes).unwrap().to_bytes(), bytes);
    }
}
