//! Reading a recorded chain: JSON lines, gzip, field names of the protobuf messages.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::MultiGzDecoder;
use serde_json::Value;
use svc_chain::block::Block;
use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::profile::Profile;
use svc_chain::transaction::{Transaction, TxOutput};
use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;
use svc_codec::hex;

/// A folder with a recording.
pub struct Corpus {
    directory: PathBuf,
}

impl Corpus {
    pub fn open(directory: PathBuf) -> Self {
        Self { directory }
    }

    pub fn profile(&self) -> Profile {
        Profile::from_json(&std::fs::read_to_string(self.directory.join("profile.json")).unwrap())
            .unwrap()
    }

    fn lines(&self, name: &str) -> impl Iterator<Item = Value> + use<> {
        let file = File::open(self.directory.join(name)).unwrap();
        let lines = BufReader::new(MultiGzDecoder::new(file)).lines();
        lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap())
    }

    pub fn blocks(&self) -> impl Iterator<Item = Value> + use<> {
        self.lines("blocks.jsonl.gz")
    }

    /// Witnesses of merge-mined blocks by the merkle root of the block.
    pub fn witnesses(&self) -> HashMap<Hash32, Vec<u8>> {
        const FILE: &str = "aux-submits.jsonl.gz";
        if !self.directory.join(FILE).exists() {
            return HashMap::new();
        }
        self.lines(FILE)
            .map(|row| {
                let header = &row["header"];
                let witness = hex::decode(&text(&header["auxPow"])).unwrap();
                (hash(&header["hashMerkleRoot"]), witness)
            })
            .collect()
    }

    pub fn chain(&self) -> impl Iterator<Item = Value> + use<> {
        self.lines("chain.jsonl.gz")
    }

    pub fn states(&self) -> impl Iterator<Item = Value> + use<> {
        self.lines("states.jsonl.gz")
    }
}

pub fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("text expected: {value}"))
        .to_owned()
}

pub fn texts(value: &Value) -> Vec<String> {
    value
        .as_array()
        .unwrap_or_else(|| panic!("list expected: {value}"))
        .iter()
        .map(text)
        .collect()
}

fn hash(value: &Value) -> Hash32 {
    text(value).parse().unwrap()
}

fn number(value: &Value) -> u64 {
    value
        .as_u64()
        .unwrap_or_else(|| text(value).parse().unwrap())
}

pub fn block(recorded: &Value) -> Block {
    Block {
        header: header(&recorded["header"]),
        transactions: recorded["transactions"]
            .as_array()
            .unwrap()
            .iter()
            .map(transaction)
            .collect(),
    }
}

fn header(recorded: &Value) -> Header {
    let levels: Vec<Vec<Hash32>> = recorded["parents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|level| {
            level["parentHashes"]
                .as_array()
                .unwrap()
                .iter()
                .map(hash)
                .collect()
        })
        .collect();
    Header {
        version: number(&recorded["version"]) as u16,
        parents: Parents::from_levels(&levels).unwrap(),
        hash_merkle_root: hash(&recorded["hashMerkleRoot"]),
        accepted_id_merkle_root: hash(&recorded["acceptedIdMerkleRoot"]),
        utxo_commitment: hash(&recorded["utxoCommitment"]),
        timestamp_ms: number(&recorded["timestamp"]),
        bits: number(&recorded["bits"]) as u32,
        nonce: number(&recorded["nonce"]),
        daa_score: number(&recorded["daaScore"]),
        blue_work: U256::from_str_radix(&text(&recorded["blueWork"]), 16).unwrap(),
        blue_score: number(&recorded["blueScore"]),
        pruning_point: hash(&recorded["pruningPoint"]),
    }
}

fn transaction(recorded: &Value) -> Transaction {
    let output = |output: &Value| TxOutput {
        value: number(&output["amount"]),
        script_version: number(&output["scriptPublicKey"]["version"]) as u16,
        script: hex::decode(&text(&output["scriptPublicKey"]["scriptPublicKey"])).unwrap(),
        covenant: None,
    };
    Transaction {
        version: number(&recorded["version"]) as u16,
        inputs: Vec::new(),
        outputs: recorded["outputs"]
            .as_array()
            .unwrap()
            .iter()
            .map(output)
            .collect(),
        lock_time: number(&recorded["lockTime"]),
        subnetwork_id: hex::decode(&text(&recorded["subnetworkId"]))
            .unwrap()
            .try_into()
            .unwrap(),
        gas: number(&recorded["gas"]),
        payload: hex::decode(&text(&recorded["payload"])).unwrap(),
        storage_mass: number(&recorded["storageMass"]),
    }
}

/// Compares the coinbase notes and the actions of a page of one record with a recorded chain row.
pub fn check_commitments(page: &[u8], row: &Value) {
    const CONTAINER: usize = 4 + 1 + 1 + 2 + 8 + 4 + 4;
    let mut at = CONTAINER + 32 + 8 * 4 + 32;
    let mut take = |length: usize| {
        at += length;
        &page[at - length..at]
    };
    let count = |bytes: &[u8]| usize::from(u16::from_le_bytes(bytes.try_into().unwrap()));
    let outputs = row["coinbaseOutputs"].as_array().unwrap();
    assert_eq!(count(take(2)), outputs.len());
    for output in outputs {
        assert_eq!(hex::encode(take(43)), text(&output["scriptPublicKey"]));
        assert_eq!(
            u64::from_le_bytes(take(8).try_into().unwrap()),
            number(&output["value"])
        );
        assert_eq!(base64(take(32)), text(&output["commitment"]));
    }
    let transactions = texts(&row["acceptedActions"]);
    assert_eq!(count(take(2)), transactions.len());
    for compact in transactions {
        take(32);
        let actions = count(take(2));
        let mut found = String::new();
        for _ in 0..actions {
            found.push_str(&hex::encode(&take(788)[..148]));
        }
        assert_eq!(found, compact);
    }
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0u32, |word, index| {
            word << 8 | u32::from(*chunk.get(index).unwrap_or(&0))
        });
        for index in 0..=chunk.len() {
            encoded.push(char::from(
                ALPHABET[(word >> (18 - 6 * index)) as usize & 63],
            ));
        }
    }
    while !encoded.len().is_multiple_of(4) {
        encoded.push('=');
    }
    encoded
}
