//! The pruning proof that the reference's node sent: it must hold under its profile, our builder must make the same one
//! from its headers, and each damage must be refused for its own reason. What a smaller `m` leaves of it is a file too.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::rc::Rc;

use flate2::read::GzDecoder;
use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::profile::Profile;
use svc_chain::uint256::U256;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::parameters::Parameters;
use svc_consensus::proof::build::{ProofSource, build_proof};
use svc_consensus::proof::compare::{Claim, is_better};
use svc_consensus::proof::validate::{Checked, ProofCheck, ProofView, validate_proof};
use svc_consensus::proof::{Proof, ProofHeader};
use svc_dag::records::HeaderRecord;

use crate::wire;

/// Payload number of the pruning points.
const PRUNING_POINTS: u64 = 47;
/// `m` of the part that is stored beside the recording.
const SMALL_M: u64 = 3;

fn rules(directory: &Path, change: impl FnOnce(&mut Profile)) -> Parameters {
    let text = std::fs::read_to_string(directory.join("profile.json")).unwrap();
    let mut profile = Profile::from_json(&text).unwrap();
    change(&mut profile);
    Parameters::new(profile)
}

/// The raw form of what the smaller `m` leaves.
fn stored_part() -> Vec<u8> {
    let file = File::open(wire::recording().join("proof.bin.gz")).unwrap();
    let mut bytes = Vec::new();
    GzDecoder::new(file).read_to_end(&mut bytes).unwrap();
    bytes
}

/// The headers of a proof as a store that keeps nothing else.
struct Kept(HashMap<Hash32, (Rc<HeaderRecord>, Option<Vec<u8>>)>);

impl Kept {
    fn new(rules: &Parameters, proof: &Proof) -> Self {
        let mut kept = HashMap::new();
        for entry in proof.levels.iter().flatten() {
            let (hash, header) = (entry.hash(), entry.header().clone());
            kept.entry(hash).or_insert_with(|| {
                let level = if hash == rules.genesis_hash {
                    rules.profile.max_block_level
                } else {
                    rules.judge_work(&header, entry.witness()).unwrap().level
                };
                let record = HeaderRecord {
                    header,
                    hash,
                    level,
                };
                (Rc::new(record), entry.witness().map(<[u8]>::to_vec))
            });
        }
        Self(kept)
    }
}

impl ProofSource for Kept {
    fn kept_header(&self, block: &Hash32) -> Result<Option<Rc<HeaderRecord>>, SvcError> {
        Ok(self.0.get(block).map(|(record, _)| record.clone()))
    }

    fn kept_witness(&self, block: &Hash32) -> Result<Option<Vec<u8>>, SvcError> {
        Ok(self.0.get(block).and_then(|(_, witness)| witness.clone()))
    }
}

fn refusal(rules: &Parameters, proof: Proof) -> (&'static str, Option<String>) {
    let error = validate_proof(rules, proof).map(|_| ()).unwrap_err();
    let level = error.data.iter().find(|(key, _)| *key == "level");
    (error.code.as_str(), level.map(|(_, value)| value.clone()))
}

fn changed(header: &ProofHeader, change: impl FnOnce(&mut Header)) -> Rc<ProofHeader> {
    let mut copy = header.header().clone();
    change(&mut copy);
    Rc::new(ProofHeader::new(copy, None))
}

fn check_accepted(directory: &Path, rules: &Parameters, proof: &Proof) -> ProofView {
    let lengths: Vec<usize> = proof.levels.iter().map(Vec::len).collect();
    assert_eq!(lengths[..8], [7_053, 65, 32, 16, 13, 5, 4, 1]);
    assert_eq!((lengths.len(), lengths[8..].iter().sum()), (251, 243));
    let view = validate_proof(rules, proof.clone()).unwrap();
    let [message] = &wire::payloads(directory, PRUNING_POINTS)[..] else {
        panic!("one list of pruning points expected");
    };
    let points = wire::fields(message).into_iter();
    let points: Vec<ProofHeader> = points
        .map(|(_, point)| wire::proof_header(point.bytes()))
        .collect();
    assert_eq!(points.len(), 17);
    assert_eq!(points[0].hash(), rules.genesis_hash);
    assert_eq!(points[16].hash(), view.pruning_point);
    assert_eq!(points[16].header().blue_work, view.blue_work);
    let scores: Vec<u64> = view
        .levels
        .iter()
        .map(|level| level.blocks[&level.tip].blue_score)
        .collect();
    assert_eq!(scores[..8], [7_052, 64, 31, 15, 12, 4, 3, 0]);
    view
}

/// A validation in steps takes as many as there are headers and ends of levels, and says the same.
fn check_steps(rules: &Parameters, proof: &Proof, expected: &ProofView, budget: usize) {
    let mut check = Box::new(ProofCheck::new(rules, proof.clone()).unwrap());
    let mut steps = 0;
    let view = loop {
        steps += 1;
        match check.step(rules, budget).unwrap() {
            Checked::More(next) => check = next,
            Checked::Done(view) => break view,
        }
    };
    let parts = proof.header_count() + proof.levels.len();
    assert_eq!(steps, parts.div_ceil(budget));
    assert_eq!(view.pruning_point, expected.pruning_point);
    for (level, same) in view.levels.iter().zip(&expected.levels) {
        assert_eq!((level.tip, &level.blocks), (same.tip, &same.blocks));
    }
}

/// Damages that need no work of their own, with the level at which they show.
fn check_damages(rules: &Parameters, proof: &Proof) {
    let last = proof.levels[0].len() - 1;
    let middle = last / 2;
    let refused = |damage: &dyn Fn(&mut Proof), code: &str, level: Option<&str>| {
        let mut damaged = proof.clone();
        damage(&mut damaged);
        let (found, at) = refusal(rules, damaged);
        assert_eq!((found, at.as_deref()), (code, level));
    };
    let levels = |count: usize| move |proof: &mut Proof| proof.levels.truncate(count);
    refused(&levels(250), "proof/wrong-level-count", None);
    refused(&levels(0), "proof/wrong-level-count", None);
    refused(
        &|proof| proof.levels[5].clear(),
        "proof/empty-level",
        Some("5"),
    );
    refused(
        &|proof| proof.levels.swap(0, 1),
        "proof/header-below-level",
        Some("1"),
    );
    let drop_one = |proof: &mut Proof| drop(proof.levels[0].remove(middle));
    refused(&drop_one, "proof/unknown-parents", Some("0"));
    let easier = |proof: &mut Proof| {
        proof.levels[0][middle] = changed(&proof.levels[0][middle], |header| header.bits += 1);
    };
    refused(&easier, "proof/unknown-parents", Some("0"));
    let stagnant = |proof: &mut Proof| {
        let work = proof.levels[0][last - 1].header().blue_work;
        proof.levels[0][last] = changed(&proof.levels[0][last], |header| header.blue_work = work);
    };
    refused(&stagnant, "proof/blue-work-not-growing", Some("0"));
    let twice = |proof: &mut Proof| {
        let again = proof.levels[0][middle].clone();
        proof.levels[0].insert(middle + 1, again);
    };
    refused(&twice, "proof/duplicate", Some("0"));
    let cut_below = |proof: &mut Proof| drop(proof.levels[0].remove(0));
    refused(&cut_below, "proof/missing-depth-block", Some("0"));
    let cut_above = |proof: &mut Proof| drop(proof.levels[1].pop());
    refused(&cut_above, "proof/wrong-tip", Some("1"));
    let other_genesis = |proof: &mut Proof| {
        proof.levels[250][0] = changed(&proof.levels[250][0], |header| header.nonce += 1);
    };
    refused(&other_genesis, "header/no-parents", None);
    refused(
        &|proof| append_sibling(rules, proof),
        "proof/last-not-tip",
        Some("1"),
    );

    let mut working = rules.profile.clone();
    working.skip_proof_of_work = false;
    let found = refusal(&Parameters::new(working), proof.clone());
    assert_eq!(found.0, "header/invalid-pow");
}

/// At m = 10 level 3, which reaches down to genesis, need not, but then is too short.
fn check_too_short(directory: &Path, proof: &Proof) {
    let short = rules(directory, |profile| profile.pruning_proof_m = 10);
    assert!(validate_proof(&short, proof.clone()).is_ok());
    let mut damaged = proof.clone();
    damaged.levels[3].remove(0);
    let expected = ("proof/too-short", Some("3".to_owned()));
    assert_eq!(refusal(&short, damaged), expected);
}

/// Puts a block of level 1 behind the tip of level 1 that has the same parents and the smaller hash.
fn append_sibling(rules: &Parameters, proof: &mut Proof) {
    let level = &mut proof.levels[1];
    let [.., before, tip] = &level[..] else {
        panic!("two headers expected");
    };
    let (before, tip) = (before.hash(), tip.clone());
    let parents = Parents::from_levels(&[vec![before], vec![before]]).unwrap();
    let found = (0..).map(|nonce| {
        changed(&tip, |header| {
            header.parents = parents.clone();
            header.nonce = nonce;
        })
    });
    let fits = |entry: &Rc<ProofHeader>| {
        let reached = rules.judge_work(entry.header(), None).unwrap().level;
        reached >= 1 && entry.hash() < tip.hash()
    };
    let sibling = found.take(100_000).find(fits).unwrap();
    level.push(sibling);
}

fn check_comparison(rules: &Parameters, proof: &Proof, view: &ProofView) {
    // The same proof for the block below: a header less, a level of the same chain.
    let mut lesser = proof.clone();
    lesser.levels[0].pop();
    let lesser = validate_proof(rules, lesser).unwrap();
    let claim = |proof, work: u64| Claim {
        proof,
        period_work: U256::from(work),
    };
    assert!(is_better(claim(view, 0), claim(&lesser, 0)));
    assert!(!is_better(claim(&lesser, 0), claim(view, 0)));
    // Equal work is not better; one unit more above the pruning point is.
    assert!(!is_better(claim(view, 7), claim(view, 7)));
    assert!(is_better(claim(view, 8), claim(view, 7)));
}

/// Our builder makes the same proof, of nothing but its headers.
fn check_rebuilt(rules: &Parameters, proof: &Proof, point: &Hash32) -> Kept {
    let kept = Kept::new(rules, proof);
    let rebuilt = build_proof(rules, &kept, point).unwrap();
    assert!(rebuilt == *proof, "another proof of the same pruning point");
    kept
}

fn run(directory: &Path) {
    let rules = rules(directory, |_| ());
    let proof = wire::recorded_proof(directory);
    let view = check_accepted(directory, &rules, &proof);
    check_steps(&rules, &proof, &view, 1_000);
    assert_eq!(Proof::from_bytes(&proof.to_bytes()).unwrap(), proof);
    let kept = check_rebuilt(&rules, &proof, &view.pruning_point);
    check_damages(&rules, &proof);
    check_too_short(directory, &proof);
    check_comparison(&rules, &proof, &view);
    let small = self::rules(directory, |profile| profile.pruning_proof_m = SMALL_M);
    let part = build_proof(&small, &kept, &view.pruning_point).unwrap();
    assert!(
        part.to_bytes() == stored_part(),
        "the stored part is another"
    );
}

#[test]
fn the_recorded_proof() {
    run(&wire::recording());
}

#[test]
fn a_part_of_the_recorded_proof() {
    let bytes = stored_part();
    let proof = Proof::from_bytes(&bytes).unwrap();
    assert_eq!(proof.to_bytes(), bytes);
    let lengths: Vec<usize> = proof.levels.iter().map(Vec::len).collect();
    println!("{:?} headers, {} bytes", &lengths[..8], bytes.len());
    let rules = rules(&wire::recording(), |profile| {
        profile.pruning_proof_m = SMALL_M;
    });
    let view = validate_proof(&rules, proof.clone()).unwrap();
    check_steps(&rules, &proof, &view, 1);
    check_rebuilt(&rules, &proof, &view.pruning_point);
    check_damages(&rules, &proof);
    check_comparison(&rules, &proof, &view);
}
