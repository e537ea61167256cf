//! Work, not claims, decides whether a store begins at a pruning point (decision record 28).

use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::OnceLock;

use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::json;
use svc_chain::bits::target_from_bits;
use svc_chain::block::Block;
use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::profile::Profile;
use svc_chain::uint256::U256;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::OWN_WORK_DIVISOR;
use svc_consensus::export::Export;
use svc_consensus::import::contest::TipWorks;
use svc_consensus::parameters::Parameters;
use svc_consensus::proof::validate::{ProofView, validate_proof};
use svc_consensus::proof::{Proof, ProofHeader};
use svc_consensus::store::MemoryStore;
use svc_pow::heavy_hash::{PowState, block_level, check_pow};

use crate::scenarios::importing::{Offer, samples};
use crate::scenarios::kit::{Node, simnet_with};
use crate::scenarios::merge_kit::with_nonce;

/// The easiest bits there are: two hashes a header.
const EASIEST: u32 = 0x207f_ffff;
const M: u64 = 12;
const BLOCKS: usize = 700;

fn code(error: &SvcError) -> &'static str {
    error.code.as_str()
}

/// A header with the easiest bits that names one parent per level, of exactly this level, and how many hashes it took.
fn cheap_header(
    rules: &Parameters,
    (number, level): (u64, u8),
    parents: &[Hash32],
    blue_work: U256,
) -> (Header, u64) {
    let genesis = &rules.genesis.header;
    let levels: Vec<Vec<Hash32>> = parents.iter().map(|parent| vec![*parent]).collect();
    let header = Header {
        parents: Parents::from_levels(&levels).unwrap(),
        timestamp_ms: genesis.timestamp_ms + number * 1_000,
        bits: EASIEST,
        daa_score: number,
        blue_score: number,
        blue_work,
        pruning_point: rules.genesis_hash,
        ..genesis.clone()
    };
    let state = PowState::new(&header);
    for nonce in header.nonce.. {
        let value = state.pow(nonce);
        let enough = value <= target_from_bits(EASIEST);
        if enough && block_level(rules.profile.max_block_level, value) == level {
            let hashes = nonce - header.nonce + 1;
            return (Header { nonce, ..header }, hashes);
        }
    }
    panic!("no end of nonces")
}

/// A chain of the cheapest headers on genesis as a proof, the last claiming `blue_work`, and what it took. All are of level
/// 0, so that the last of them is the tip of level 0 alone.
fn cheap_proof(rules: &Parameters, count: u64, blue_work: U256) -> (Proof, u64) {
    let entry = |header: Header| Rc::new(ProofHeader::new(header, None));
    let genesis = entry(rules.genesis.header.clone());
    let mut chain = vec![genesis.clone()];
    let (mut parent, mut total) = (rules.genesis_hash, 0);
    for number in 1..=count {
        let claimed = blue_work - U256::from(count - number);
        let (header, hashes) = cheap_header(rules, (number, 0), &[parent], claimed);
        parent = header.hash();
        total += hashes;
        chain.push(entry(header));
    }
    let above = usize::from(rules.profile.max_block_level);
    let mut levels = vec![chain];
    levels.extend(std::iter::repeat_n(vec![genesis], above));
    (Proof { levels }, total)
}

/// Depths as short as they get on a network whose work is judged.
fn profile(minimum_work: U256) -> Profile {
    simnet_with(&[
        ("/skipProofOfWork", json!(false)),
        ("/minimumWork", json!(minimum_work.to_string())),
        ("/ghostdagK", json!(3)),
        ("/mergesetSizeLimit", json!(9)),
        ("/mergeDepth", json!(12)),
        ("/finalityDepth", json!(40)),
        ("/pruningDepth", json!(180)),
        ("/pruningProofM", json!(M)),
        ("/shieldedAnchorDepth", json!(4)),
        ("/maxShieldedAnchorAge", json!(20)),
    ])
}

/// A node that mined a chain, with its blocks.
fn miner() -> (Node, &'static [Block]) {
    static MINED: OnceLock<(MemoryStore, Vec<Block>)> = OnceLock::new();
    let (store, blocks) = MINED.get_or_init(|| {
        let mut node = Node::new(profile(U256::zero()));
        let mut blocks = Vec::new();
        for number in 0..BLOCKS {
            let block = with_nonce(node.build(number as u32 % 3, &[]), true);
            node.add(&block);
            blocks.push(block);
        }
        (node.engine.records().overlay.store().clone(), blocks)
    });
    (Node::open(store.clone(), profile(U256::zero())), blocks)
}

fn offer_of(at: usize) -> (Node, Offer) {
    let (node, blocks) = miner();
    let points = samples(&node);
    let point = points[points.len() - 1 - at].0;
    let offer = Offer::among(&node, &point, blocks);
    (node, offer)
}

fn judged(node: &Node, offer: &Offer) -> ProofView {
    validate_proof(node.engine.rules(), offer.proof.clone()).unwrap()
}

#[test]
fn the_cheap_proof_is_refused_by_what_it_shows() {
    let rules = Parameters::new(Profile::built_in("mainnet").unwrap());
    let (proof, hashes) = cheap_proof(&rules, 2_700, U256::one() << 190);
    let error = validate_proof(&rules, proof).unwrap_err();
    assert_eq!(code(&error), "proof/claimed-work");
    println!("2700 headers, {hashes} hashes: {error}");
    // With claims that are true it is a proof, of little.
    let (proof, _) = cheap_proof(&rules, 2_700, U256::from(10_000));
    let view = validate_proof(&rules, proof).unwrap();
    assert_eq!(view.shown_work, U256::from(2 * 2_699));
}

/// The proofs that a lying peer of `tests/network/sync/firstSync.test.ts` sends: 2,700 easy headers that claim 2^190, and the same
/// claiming no more than is believed. `SVC_WRITE_FIXTURES=1` writes them anew.
#[test]
fn the_stored_cheap_proofs_are_what_this_code_makes() {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests");
    let profile = fs::read_to_string(tests.join("profiles/worked.json")).unwrap();
    let rules = Parameters::new(Profile::from_json(&profile).unwrap());
    let believed = U256::from(4 * 2 * 2_699);
    for (name, blue_work) in [("absurd", U256::one() << 190), ("believed", believed)] {
        let (proof, _) = cheap_proof(&rules, 2_700, blue_work);
        let bytes = proof.to_bytes();
        let path = tests.join(format!("fixtures/cheapProof/{name}.bin.gz"));
        if std::env::var_os("SVC_WRITE_FIXTURES").is_some() {
            let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::best());
            packed.write_all(&bytes).unwrap();
            fs::write(&path, packed.finish().unwrap()).unwrap();
        }
        let mut stored = Vec::new();
        let file = fs::File::open(&path).unwrap();
        GzDecoder::new(file).read_to_end(&mut stored).unwrap();
        assert_eq!(stored, bytes, "{name}");
        let is_believed = validate_proof(&rules, proof).is_ok();
        assert_eq!(is_believed, name == "believed");
    }
}

/// Where no work is judged, levels are chance and show nothing.
#[test]
fn claims_are_not_judged_where_no_work_is() {
    let rules = Parameters::new(simnet_with(&[]));
    let (proof, _) = cheap_proof(&rules, 50, U256::one() << 190);
    let view = validate_proof(&rules, proof).unwrap();
    assert_eq!(view.blue_work, U256::one() << 190);
}

#[test]
fn an_honest_proof_shows_about_what_it_claims() {
    let (node, blocks) = miner();
    let (mut least, mut most) = (f64::MAX, 0_f64);
    let points = samples(&node);
    for (point, _) in &points[3..] {
        let view = judged(&node, &Offer::among(&node, point, blocks));
        let ratio = view.shown_work.low_u64() as f64 / view.blue_work.low_u64() as f64;
        (least, most) = (least.min(ratio), most.max(ratio));
    }
    println!("work shown to work claimed, m {M}: {least:.2} to {most:.2}");
    assert!(least > 0.3 && most < 3.0);
}

#[test]
fn a_claim_above_what_the_levels_show_is_refused() {
    let (node, offer) = offer_of(1);
    let view = judged(&node, &offer);
    let claiming = |blue_work: U256| {
        let mut proof = offer.proof.clone();
        let last = proof.levels[0].len() - 1;
        let mut header = proof.levels[0][last].header().clone();
        header.blue_work = blue_work;
        // Of a level that the point's true header has not: the other lists stay as they are.
        while block_level(250, check_pow(&header).0) > 0 || !check_pow(&header).1 {
            header.nonce += 1;
        }
        proof.levels[0][last] = Rc::new(ProofHeader::new(header, None));
        validate_proof(node.engine.rules(), proof)
    };
    // Genesis counts in claims and was mined by nobody: two hashes.
    let limit = (view.shown_work + U256::from(2)) * U256::from(4);
    assert_eq!(claiming(limit).unwrap().blue_work, limit);
    let error = claiming(limit + U256::one()).unwrap_err();
    assert_eq!(code(&error), "proof/claimed-work");
}

#[test]
fn a_store_does_not_begin_with_less_work_than_the_profile_asks_for() {
    let (node, offer) = offer_of(1);
    let above = offer.above.last().unwrap().header.blue_work - judged(&node, &offer).blue_work;
    let shown = judged(&node, &offer).shown_work + above;
    let mut enough = Node::new(profile(shown));
    offer.take(&mut enough).unwrap();
    assert_eq!(enough.sink(), node.sink());
    let mut short = Node::new(profile(shown + U256::one()));
    offer.take_graph(&mut short).unwrap();
    // Told as soon as the headers are there, and once more at the end, whoever forgot to ask.
    let early = short.engine.importing().require_import_work().unwrap_err();
    assert_eq!(code(&early), "import/too-little-work");
    offer.take_above(&mut short).unwrap();
    let error = offer.take_state(&mut short).unwrap_err();
    assert_eq!(code(&error), "import/too-little-work");
    assert_eq!(error.data[1].1, (shown + U256::one()).to_string());
}

/// What a node shows whose pruning point is genesis.
fn proof_of_genesis(node: &Node) -> Proof {
    let chain = node.engine.chain();
    let mut export = Export::begin(&chain.records, &chain.rules.genesis_hash).unwrap();
    while !export.step(chain, 50).unwrap() {}
    export.proof(chain).unwrap()
}

/// A node whose own chain never left genesis has judged every block of it: a proof must show as much.
#[test]
fn a_young_chain_is_not_given_up_for_a_cheap_proof() {
    let (node, blocks) = miner();
    let own = offer_of(1).1;
    let (rules, young) = (node.engine.rules(), proof_of_genesis(&node));
    let works = TipWorks {
        own: blocks[BLOCKS - 1].header.blue_work,
        their: U256::one() << 190,
    };
    let contest = |proof: Proof, their: U256| {
        let mut staged = Node::new(profile(U256::zero()));
        staged.engine.importing().begin_import(proof).unwrap();
        while staged
            .engine
            .importing()
            .import_proof(500)
            .unwrap()
            .is_none()
        {}
        let works = TipWorks { their, ..works };
        staged
            .engine
            .importing()
            .contest_proof(young.clone(), works)
            .unwrap();
        staged
            .engine
            .importing()
            .contest_step(usize::MAX)
            .unwrap()
            .unwrap()
    };
    // The largest claim that so short a chain can make, and half a chain of our own.
    let (cheap, _) = cheap_proof(rules, 40, U256::from(300));
    assert!(!contest(cheap, U256::from(300)));
    assert!(contest(own.proof.clone(), works.own + U256::one()));
}

/// A proof that has no block in common with genesis' own at any level that is long enough: level 1 begins at genesis and is
/// too short, level 0 is long and begins above.
fn proof_past_genesis(rules: &Parameters, blue_work: U256) -> Proof {
    let entry = |header: Header| Rc::new(ProofHeader::new(header, None));
    let genesis = entry(rules.genesis.header.clone());
    let (high, count, root) = (2 * M - 1, 5 * M, 5);
    let mut levels = [Vec::new(), vec![genesis.clone()]];
    let mut parents = [rules.genesis_hash; 2];
    for number in 1..=count {
        let claimed = blue_work - U256::from(count - number);
        let level = u8::from(number <= high);
        let (header, _) = cheap_header(rules, (number, level), &parents, claimed);
        let entry = entry(header);
        parents[0] = entry.hash();
        if level == 1 {
            parents[1] = entry.hash();
            levels[1].push(entry.clone());
        }
        if number >= root {
            levels[0].push(entry);
        }
    }
    let above = usize::from(rules.profile.max_block_level) - 1;
    let mut levels = levels.to_vec();
    levels.extend(std::iter::repeat_n(vec![genesis], above));
    Proof { levels }
}

/// Half of what a young chain has judged block by block must be shown, wherever the levels of the proof begin.
#[test]
fn a_young_chain_is_not_given_up_for_a_proof_without_a_block_in_common() {
    let (node, _) = miner();
    let (rules, young) = (node.engine.rules(), proof_of_genesis(&node));
    let claimed = U256::from(1_000);
    let proof = proof_past_genesis(rules, claimed);
    let shown = validate_proof(rules, proof.clone()).unwrap().shown_work;
    // Each of the blocks of level 1 took 128 hashes; the last of them is not in its own past.
    assert_eq!(shown, U256::from(128 * (2 * M - 2)));
    let contest = |own: U256| {
        let mut staged = Node::new(profile(U256::zero()));
        staged
            .engine
            .importing()
            .begin_import(proof.clone())
            .unwrap();
        while staged
            .engine
            .importing()
            .import_proof(500)
            .unwrap()
            .is_none()
        {}
        let works = TipWorks {
            own,
            their: claimed,
        };
        staged
            .engine
            .importing()
            .contest_proof(young.clone(), works)
            .unwrap();
        staged
            .engine
            .importing()
            .contest_step(usize::MAX)
            .unwrap()
            .unwrap()
    };
    let most = shown * U256::from(OWN_WORK_DIVISOR) + U256::from(OWN_WORK_DIVISOR - 1);
    assert!(contest(most));
    assert!(!contest(most + U256::one()));
}

#[test]
fn of_two_proofs_the_one_with_more_work_wins_whichever_came_first() {
    let (node, lighter) = offer_of(4);
    let heavier = offer_of(0).1;
    let (cheap, _) = cheap_proof(node.engine.rules(), 60, U256::from(400));
    let outdone = |import: &Proof, rival: &Proof| {
        let mut staged = Node::new(profile(U256::zero()));
        staged
            .engine
            .importing()
            .begin_import(import.clone())
            .unwrap();
        while staged
            .engine
            .importing()
            .import_proof(500)
            .unwrap()
            .is_none()
        {}
        staged
            .engine
            .importing()
            .contest_rival(rival.clone())
            .unwrap();
        loop {
            if let Some(outdone) = staged.engine.importing().contest_step(100).unwrap() {
                return outdone;
            }
        }
    };
    for (one, other, is_outdone) in [
        (&lighter.proof, &heavier.proof, true),
        (&heavier.proof, &lighter.proof, false),
        (&heavier.proof, &heavier.proof, false),
        (&cheap, &lighter.proof, true),
        (&lighter.proof, &cheap, false),
    ] {
        assert_eq!(outdone(one, other), is_outdone);
    }
}
