//! The engine against a chain recorded from the reference's node: every value the recording holds must
//! come out the same. The committed part is the first thousand blocks; `npm run conform` runs any other.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod corpus;

use std::collections::BTreeMap;
use std::path::PathBuf;

use corpus::{Corpus, text, texts};
use serde_json::Value;
use svc_chain::block::WitnessedBlock;
use svc_chain::witness::Witness;
use svc_codec::hash32::Hash32;
use svc_consensus::engine::Engine;
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::questions;
use svc_consensus::questions::pages;
use svc_consensus::store::MemoryStore;
use svc_shielded::bundle::Bundle;
use svc_shielded::sighash::{sighash, tx_context};
use svc_shielded::verify::Verifier;

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

fn run(directory: PathBuf) {
    let corpus = Corpus::open(directory);
    let started = std::time::Instant::now();
    let engine = load(&corpus);
    let seconds = started.elapsed().as_secs_f64();
    let chain_blocks = check_chain(&engine, &corpus);
    let states = check_states(&engine, &corpus);
    assert!(
        chain_blocks > 0 && states > 0,
        "the recording holds chain blocks and states"
    );
    let blocks = corpus.blocks().count();
    println!(
        "{blocks} blocks, {chain_blocks} chain blocks, {states} states, {:.0} blocks/s",
        blocks as f64 / seconds
    );
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
    run(PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../tests/vectors/simulated"
    )));
}

#[test]
fn recorded_witnesses_have_one_encoding() {
    let witnesses = Corpus::open(merge_mined()).witnesses();
    assert_eq!(witnesses.len(), 172);
    for bytes in witnesses.values() {
        assert_eq!(&Witness::from_bytes(bytes).unwrap().to_bytes(), bytes);
    }
}
