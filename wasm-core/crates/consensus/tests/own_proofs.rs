//! Pruning proofs of chains we hold as a whole: what is built must hold, be the graph between its ends and nothing
//! else, and need its witnesses. The chains are recorded ones with real work, natively and merge-mined, with one parent
//! and with many.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;

use svc_chain::block::WitnessedBlock;
use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_PROOF_HEADERS;
use svc_consensus::engine::Engine;
use svc_consensus::parameters::Parameters;
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::proof::build::build_proof;
use svc_consensus::proof::compare::{Claim, is_better};
use svc_consensus::proof::validate::validate_proof;
use svc_consensus::proof::{Proof, ProofHeader};
use svc_consensus::store::MemoryStore;
use svc_dag::reachability::is_dag_ancestor;
use svc_dag::store::DagStore;

use crate::corpus::{self, Corpus};

/// A chain taken in without judging its payments: a proof is about headers.
struct Held {
    engine: Engine<MemoryStore>,
    blocks: Vec<Hash32>,
}

fn held(name: &str) -> Held {
    let vectors = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/vectors");
    let corpus = Corpus::open(PathBuf::from(vectors).join(name));
    let mut engine = Engine::open(MemoryStore::new(), corpus.profile()).unwrap();
    let mut blocks = vec![engine.rules().genesis_hash];
    let witnesses = corpus.witnesses();
    for recorded in corpus.blocks().skip(1) {
        let block = corpus::block(&recorded);
        blocks.push(block.hash());
        let now = block.header.timestamp_ms;
        let witness = witnesses.get(&block.header.hash_merkle_root).cloned();
        let inserted = engine.insert_block(WitnessedBlock { block, witness }, now);
        assert!(matches!(inserted.unwrap(), Inserted::Accepted { .. }));
    }
    Held { engine, blocks }
}

impl Held {
    fn rules(&self, m: u64) -> Parameters {
        let mut profile = self.engine.rules().profile.clone();
        profile.pruning_proof_m = m;
        Parameters::new(profile)
    }

    /// The blocks of a level and above between two blocks, by the ancestry of the whole graph.
    fn between(&self, level: u8, root: &Hash32, tip: &Hash32) -> BTreeSet<Hash32> {
        let records = self.engine.records();
        let blocks = self.blocks.iter().copied();
        blocks
            .filter(|block| {
                records.header(block).unwrap().level >= level
                    && is_dag_ancestor(records, root, block).unwrap()
                    && is_dag_ancestor(records, block, tip).unwrap()
            })
            .collect()
    }

    fn check(&self, m: u64, pruning_point: &Hash32) -> Proof {
        let (rules, records) = (self.rules(m), self.engine.records());
        let proof = build_proof(&rules, records, pruning_point).unwrap();
        let view = validate_proof(&rules, proof.clone()).unwrap();
        assert_eq!(view.pruning_point, *pruning_point);
        for (level, headers) in (0..).zip(&proof.levels) {
            let (root, tip) = (headers[0].hash(), headers[headers.len() - 1].hash());
            let listed: BTreeSet<Hash32> = headers.iter().map(|header| header.hash()).collect();
            assert_eq!(listed.len(), headers.len());
            // Above the highest block all levels are alike.
            if level < 40 {
                let expected = self.between(level, &root, &tip);
                assert!(listed == expected, "level {level} of m {m}");
            }
            let key = |header: &ProofHeader| (header.header().blue_work, header.hash());
            assert!(headers.is_sorted_by_key(|header| key(header)));
        }
        let bytes = proof.to_bytes();
        let read = Proof::from_bytes(&bytes).unwrap();
        assert!(read == proof && read.to_bytes() == bytes);
        proof
    }
}

#[test]
fn a_wide_chain_with_red_blocks() {
    let held = held("simulated");
    let last = held.blocks.len() - 1;
    let mut sizes = BTreeSet::new();
    for (m, index) in [
        (1, last),
        (3, last),
        (5, last / 2),
        (10, last - 7),
        (1, 40),
        (40, last),
    ] {
        let proof = held.check(m, &held.blocks[index]);
        sizes.insert(proof.levels[0].len());
    }
    assert!(sizes.len() > 3, "the proofs differ in depth: {sizes:?}");
    println!("headers at level 0: {sizes:?}");
}

#[test]
fn genesis_proves_itself() {
    let held = held("simulated");
    let proof = held.check(50, &held.blocks[0]);
    assert!(proof.levels.iter().all(|level| level.len() == 1));
    assert_eq!(proof.header_count(), 251);
    let mut long = proof.clone();
    long.levels[7] = vec![long.levels[0][0].clone(); MAX_PROOF_HEADERS];
    let read = Proof::from_bytes(&long.to_bytes()).map(|_| ()).unwrap_err();
    let judged = validate_proof(&held.rules(50), long)
        .map(|_| ())
        .unwrap_err();
    for refused in [read, judged] {
        assert_eq!(refused.code.as_str(), "proof/too-many-headers");
    }
    let unknown = build_proof(&held.rules(50), held.engine.records(), &Hash32([9; 32]));
    assert_eq!(unknown.unwrap_err().code.as_str(), "chain/unknown-block");
}

#[test]
fn more_work_is_better() {
    let held = held("simulated");
    let rules = held.rules(3);
    let view = |index: usize| {
        let proof = build_proof(&rules, held.engine.records(), &held.blocks[index]).unwrap();
        validate_proof(&rules, proof).unwrap()
    };
    let claim = |proof, work: u64| Claim {
        proof,
        period_work: U256::from(work),
    };
    let last = held.blocks.len() - 1;
    let (genesis, early, late) = (view(0), view(last - 30), view(last));
    assert!(is_better(claim(&late, 0), claim(&early, 0)));
    assert!(!is_better(claim(&early, 0), claim(&late, 0)));
    assert!(!is_better(claim(&late, 5), claim(&late, 5)));
    assert!(is_better(claim(&late, 6), claim(&late, 5)));
    assert!(is_better(claim(&early, 0), claim(&genesis, 0)));
    assert!(!is_better(claim(&genesis, 0), claim(&early, 0)));
    // What is claimed above the pruning point counts like what is proved below it.
    let difference = late.blue_work - early.blue_work;
    let claimed = Claim {
        proof: &early,
        period_work: difference + difference,
    };
    assert!(is_better(claimed, claim(&late, 0)));
}

/// A level that is cut above genesis, and still holds what the level above needs, must have 2 m blocks.
#[test]
fn a_cut_level_must_be_long_enough() {
    let held = held("simulated");
    let last = held.blocks[held.blocks.len() - 1];
    let proof = build_proof(&held.rules(1_000), held.engine.records(), &last).unwrap();
    let mut cuts = 0;
    for level in 1..8 {
        let (headers, above) = (&proof.levels[level], &proof.levels[level + 1]);
        for (index, needed) in above.iter().enumerate().skip(1) {
            // The m at which the level above needs this block; without red blocks a score is an index.
            let Some(m) = above.len().checked_sub(index + 2).filter(|m| *m > 0) else {
                continue;
            };
            let begin = headers.iter().position(|header| header == needed).unwrap();
            if headers.len() - 1 - begin >= 2 * m {
                continue;
            }
            let rules = held.rules(m as u64);
            assert!(validate_proof(&rules, proof.clone()).is_ok());
            let mut cut = proof.clone();
            cut.levels[level].drain(..begin);
            let refused = validate_proof(&rules, cut).map(|_| ()).unwrap_err();
            match refused.code.as_str() {
                "proof/too-short" => cuts += 1,
                // A block that is no descendant of the new root comes behind it.
                "proof/unknown-parents" => {}
                other => panic!("{other} at level {level}"),
            }
        }
    }
    assert!(cuts > 0);
    println!("{cuts} cuts");
}

#[test]
fn merge_mined_blocks_need_their_witnesses() {
    let held = held("reference/w");
    let last = held.blocks.len() - 1;
    let proof = held.check(20, &held.blocks[last]);
    let with_witness = |proof: &Proof| {
        let headers = proof.levels[0].iter();
        headers.filter(|header| header.witness().is_some()).count()
    };
    assert!(with_witness(&proof) > 10);
    let rules = held.rules(20);
    let mut bare = proof.clone();
    for header in bare.levels.iter_mut().flatten() {
        *header = Rc::new(ProofHeader::new(header.header().clone(), None));
    }
    let refused = validate_proof(&rules, bare).map(|_| ()).unwrap_err();
    assert_eq!(refused.code.as_str(), "header/invalid-pow");
    // A witness is judged with each header that carries it: one that fails at a single level is found.
    let mut once = proof.clone();
    let level = once.levels.first_mut().unwrap();
    let index = level.iter().position(|header| header.witness().is_some());
    let entry = &mut level[index.unwrap()];
    *entry = Rc::new(ProofHeader::new(
        entry.header().clone(),
        Some(vec![1, 2, 3]),
    ));
    let refused = validate_proof(&rules, once.clone())
        .map(|_| ())
        .unwrap_err();
    assert_eq!(refused.code.as_str(), "header/invalid-pow");
    let read = Proof::from_bytes(&once.to_bytes()).unwrap();
    assert!(read == once && read != proof);
}

#[test]
fn the_raw_form_has_one_encoding() {
    let held = held("reference/w");
    let bytes = held.check(2, &held.blocks[100]).to_bytes();
    let code = |bytes: &[u8]| match Proof::from_bytes(bytes) {
        Ok(_) => panic!("taken"),
        Err(error) => error.code.as_str(),
    };
    assert_eq!(code(&[]), "codec/unexpected-end");
    assert_eq!(code(&[2]), "codec/version");
    for cut in (1..bytes.len()).step_by(997) {
        assert_eq!(code(&bytes[..cut]), "codec/unexpected-end");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert_eq!(code(&longer), "codec/trailing-bytes");
    // The last level lists one header; the one before it, an index that is not in the list.
    let mut other = bytes.clone();
    let end = other.len() - 4;
    other[end..].fill(0xff);
    assert_eq!(code(&other), "codec/not-canonical");
    let mut many = bytes.clone();
    many[1..5].fill(0xff);
    assert_eq!(code(&many), "codec/count-too-large");
    // A header of the list that no level names.
    let mut fewer = Proof::from_bytes(&bytes).unwrap();
    fewer.levels[0].remove(0);
    assert!(Proof::from_bytes(&fewer.to_bytes()).unwrap() == fewer);
}
