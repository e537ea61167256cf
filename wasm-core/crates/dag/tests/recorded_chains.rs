//! Chains recorded from the reference's node: every block must come out as it went in. Committed are the first
//! thousand blocks of one and the whole of another, which has merge-mined blocks. `npm run conform` replays any other.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeSet, HashMap};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::profile::Profile;
use svc_chain::uint256::U256;
use svc_chain::witness::Witness;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_dag::records::HeaderRecord;
use svc_pow::heavy_hash::{block_level, check_pow};

use crate::support::memory_dag::{Chain, Facts};

fn lines(path: &Path) -> impl Iterator<Item = Value> + use<> {
    let file = std::fs::File::open(path).unwrap();
    let text = BufReader::new(flate2::read::GzDecoder::new(file));
    text.lines()
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
}

fn hash(value: &Value) -> Hash32 {
    value.as_str().unwrap().parse().unwrap()
}

fn hashes(value: &Value) -> Vec<Hash32> {
    value.as_array().unwrap().iter().map(hash).collect()
}

fn number(value: &Value) -> u64 {
    value.as_str().unwrap().parse().unwrap()
}

/// `RpcBlockHeader` without the proto's empty fields; `parents` has one entry a level.
fn header(value: &Value) -> Header {
    let levels: Vec<Vec<Hash32>> = value["parents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|level| hashes(&level["parentHashes"]))
        .collect();
    Header {
        version: value["version"].as_u64().unwrap() as u16,
        parents: Parents::from_levels(&levels).unwrap(),
        hash_merkle_root: hash(&value["hashMerkleRoot"]),
        accepted_id_merkle_root: hash(&value["acceptedIdMerkleRoot"]),
        utxo_commitment: hash(&value["utxoCommitment"]),
        timestamp_ms: number(&value["timestamp"]),
        bits: value["bits"].as_u64().unwrap() as u32,
        nonce: number(&value["nonce"]),
        daa_score: number(&value["daaScore"]),
        blue_work: U256::from_str_radix(value["blueWork"].as_str().unwrap(), 16).unwrap(),
        blue_score: number(&value["blueScore"]),
        pruning_point: hash(&value["pruningPoint"]),
    }
}

/// Parent headers of the merge-mined blocks by merkle root of the block.
fn witnesses(folder: &Path) -> HashMap<Hash32, Header> {
    let path = folder.join("aux-submits.jsonl.gz");
    if !path.exists() {
        return HashMap::new();
    }
    lines(&path)
        .map(|block| block["header"].clone())
        .map(|header| {
            let bytes = hex::decode(header["auxPow"].as_str().unwrap()).unwrap();
            let witness = Witness::from_bytes(&bytes).unwrap();
            (hash(&header["hashMerkleRoot"]), witness.parent)
        })
        .collect()
}

fn level(profile: &Profile, header: &Header, witnesses: &HashMap<Hash32, Header>) -> u8 {
    let (native, meets_bits) = check_pow(header);
    let merged = witnesses
        .get(&header.hash_merkle_root)
        .filter(|_| !meets_bits);
    let value = merged.map_or(native, |parent| check_pow(parent).0);
    block_level(profile.max_block_level, value)
}

fn check(chain: &Chain, header: &Header, recorded: &Value) -> Facts {
    let id = header.hash();
    let facts = chain.facts(header.direct_parents());
    assert_eq!(
        facts.data.selected_parent,
        hash(&recorded["selectedParentHash"]),
        "selected parent of {id}"
    );
    assert_eq!(
        facts.data.blues,
        hashes(&recorded["mergeSetBluesHashes"]),
        "blues of {id}"
    );
    assert_eq!(
        facts.data.reds,
        hashes(&recorded["mergeSetRedsHashes"]),
        "reds of {id}"
    );
    assert_eq!(
        facts.data.blue_score, header.blue_score,
        "blue score of {id}"
    );
    assert_eq!(facts.data.blue_work, header.blue_work, "blue work of {id}");
    assert_eq!(facts.daa.daa_score, header.daa_score, "DAA score of {id}");
    assert_eq!(facts.bits, header.bits, "bits of {id}");
    assert_eq!(
        facts.pruning_point, header.pruning_point,
        "pruning point of {id}"
    );
    assert!(header.timestamp_ms > facts.past_median_time, "time of {id}");
    assert_eq!(facts.bounded_merge, Ok(()), "merge depth of {id}");
    let set = |level: Option<&[Hash32]>| {
        level
            .unwrap_or_default()
            .iter()
            .copied()
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(
        facts.parents.levels(),
        header.parents.levels(),
        "levels of {id}"
    );
    for level in 0..facts.parents.levels() {
        assert_eq!(
            set(facts.parents.level(level)),
            set(header.parents.level(level)),
            "level {level} of {id}"
        );
    }
    facts
}

fn replay(folder: &Path) {
    let profile =
        Profile::from_json(&std::fs::read_to_string(folder.join("profile.json")).unwrap()).unwrap();
    let witnesses = witnesses(folder);
    let mut blocks = lines(&folder.join("blocks.jsonl.gz"));
    let genesis = header(&blocks.next().unwrap()["header"]);
    let mut chain = Chain::new(profile, &genesis);
    let mut spent = Duration::ZERO;
    let mut count = 1;
    for block in blocks {
        let header = header(&block["header"]);
        let id = header.hash();
        assert_eq!(id, hash(&block["header"]["hash"]));
        let level = level(&chain.profile, &header, &witnesses);
        let started = Instant::now();
        let facts = check(&chain, &header, &block["verboseData"]);
        chain.add(
            HeaderRecord {
                header,
                hash: id,
                level,
            },
            facts,
        );
        spent += started.elapsed();
        count += 1;
    }
    let rate = f64::from(count) / spent.as_secs_f64();
    println!(
        "{count} blocks, {rate:.0} blocks/s, {} merge-mined",
        witnesses.len()
    );
    assert!(count > 300);
}

#[test]
fn first_thousand_blocks() {
    replay(Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../tests/vectors/reference/p1000"
    )));
}

#[test]
fn merge_mined_blocks() {
    replay(Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../tests/vectors/reference/w"
    )));
}
