//! Reading a recorded peer-to-peer stream: JSON lines with protobuf bytes. Just enough protobuf for blocks and
//! trusted data (field numbers: specification network 1.1).
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;
use serde_json::Value;
use svc_chain::block::Block;
use svc_chain::header::Header;
use svc_chain::header::parents::{ParentRun, Parents};
use svc_chain::transaction::{Transaction, TxOutput};
use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_consensus::proof::{Proof, ProofHeader};
use svc_dag::ghostdag::genesis_ghostdag;
use svc_dag::records::GhostdagData;

/// Numbers from here on are the envelope's own fields; below are payloads.
const ENVELOPE: u64 = 100;
/// Payload number of the pruning proof.
const PRUNING_PROOF: u64 = 49;

/// Where the recorded initial sync lies, with the profile of its network.
pub fn recording() -> PathBuf {
    let vectors = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/vectors");
    PathBuf::from(vectors).join("reference/wire")
}

/// The value of a field: a number, or bytes.
pub enum Value64<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Value64<'a> {
    pub fn number(&self) -> u64 {
        match self {
            Self::Number(number) => *number,
            Self::Bytes(_) => panic!("a number expected"),
        }
    }

    pub fn bytes(&self) -> &'a [u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Number(_) => panic!("bytes expected"),
        }
    }
}

fn varint(bytes: &[u8], at: &mut usize) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = bytes[*at];
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return value;
        }
    }
    panic!("a number of more than 64 bits");
}

/// The fields of a message in the order they were written.
pub fn fields(bytes: &[u8]) -> Vec<(u64, Value64<'_>)> {
    let mut at = 0;
    let mut fields = Vec::new();
    while at < bytes.len() {
        let key = varint(bytes, &mut at);
        let value = match key & 7 {
            0 => Value64::Number(varint(bytes, &mut at)),
            2 => {
                let len = varint(bytes, &mut at) as usize;
                at += len;
                Value64::Bytes(&bytes[at - len..at])
            }
            other => panic!("wire type {other}"),
        };
        fields.push((key >> 3, value));
    }
    fields
}

/// The payloads of one number, in the order they were sent.
pub fn payloads(directory: &Path, number: u64) -> Vec<Vec<u8>> {
    let file = File::open(directory.join("ibd.jsonl.gz")).unwrap();
    let mut found = Vec::new();
    for line in BufReader::new(MultiGzDecoder::new(file)).lines() {
        let row: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let message = hex::decode(row["hex"].as_str().unwrap()).unwrap();
        for (field, value) in fields(&message) {
            if field == number && field < ENVELOPE {
                found.push(value.bytes().to_vec());
            }
        }
    }
    found
}

/// A Hash.
pub fn hash(message: &[u8]) -> Hash32 {
    let [(1, value)] = &fields(message)[..] else {
        panic!("a hash expected");
    };
    Hash32(value.bytes().try_into().unwrap())
}

fn parent_run(message: &[u8]) -> ParentRun {
    let (mut parents, mut cumulative_level) = (Vec::new(), 0);
    for (field, value) in fields(message) {
        match field {
            1 => parents.push(hash(value.bytes())),
            2 => cumulative_level = value.number().try_into().unwrap(),
            other => panic!("field {other} of a run of parents"),
        }
    }
    ParentRun {
        cumulative_level,
        parents,
    }
}

/// BlockHeader with its witness.
pub fn proof_header(message: &[u8]) -> ProofHeader {
    let mut header = Header {
        version: 0,
        parents: Parents::default(),
        hash_merkle_root: Hash32::ZERO,
        accepted_id_merkle_root: Hash32::ZERO,
        utxo_commitment: Hash32::ZERO,
        timestamp_ms: 0,
        bits: 0,
        nonce: 0,
        daa_score: 0,
        blue_work: U256::zero(),
        blue_score: 0,
        pruning_point: Hash32::ZERO,
    };
    let (mut runs, mut witness) = (Vec::new(), None);
    for (field, value) in fields(message) {
        match field {
            1 => header.version = value.number().try_into().unwrap(),
            3 => header.hash_merkle_root = hash(value.bytes()),
            4 => header.accepted_id_merkle_root = hash(value.bytes()),
            5 => header.utxo_commitment = hash(value.bytes()),
            6 => header.timestamp_ms = value.number(),
            7 => header.bits = value.number().try_into().unwrap(),
            8 => header.nonce = value.number(),
            9 => header.daa_score = value.number(),
            10 => header.blue_work = U256::from_big_endian(value.bytes()),
            12 => runs.push(parent_run(value.bytes())),
            13 => header.blue_score = value.number(),
            14 => header.pruning_point = hash(value.bytes()),
            15 => witness = Some(value.bytes().to_vec()).filter(|bytes| !bytes.is_empty()),
            other => panic!("field {other} of a header"),
        }
    }
    header.parents = Parents::from_runs(runs).unwrap();
    ProofHeader::new(header, witness)
}

fn transaction(message: &[u8]) -> Transaction {
    let mut made = Transaction {
        version: 0,
        inputs: Vec::new(),
        outputs: Vec::new(),
        lock_time: 0,
        subnetwork_id: [0; 20],
        gas: 0,
        payload: Vec::new(),
        storage_mass: 0,
    };
    for (field, value) in fields(message) {
        match field {
            1 => made.version = value.number().try_into().unwrap(),
            3 => made.outputs.push(output(value.bytes())),
            4 => made.lock_time = value.number(),
            5 => {
                for (_, bytes) in fields(value.bytes()) {
                    made.subnetwork_id = bytes.bytes().try_into().unwrap();
                }
            }
            6 => made.gas = value.number(),
            8 => made.payload = value.bytes().to_vec(),
            9 => made.storage_mass = value.number(),
            other => panic!("field {other} of a transaction"),
        }
    }
    made
}

fn output(message: &[u8]) -> TxOutput {
    let mut made = TxOutput {
        value: 0,
        script_version: 0,
        script: Vec::new(),
        covenant: None,
    };
    for (field, value) in fields(message) {
        match field {
            1 => made.value = value.number(),
            2 => {
                for (field, part) in fields(value.bytes()) {
                    match field {
                        1 => made.script = part.bytes().to_vec(),
                        _ => made.script_version = part.number().try_into().unwrap(),
                    }
                }
            }
            other => panic!("field {other} of an output"),
        }
    }
    made
}

/// BlockBodyMessage: its transactions.
pub fn body(message: &[u8]) -> Vec<Transaction> {
    let rows = fields(message).into_iter();
    let rows = rows.filter(|(field, _)| *field == 1);
    rows.map(|(_, value)| transaction(value.bytes())).collect()
}

/// BlockMessage: header and transactions.
pub fn block(message: &[u8]) -> Block {
    let rows = fields(message);
    let header = rows.iter().find(|(field, _)| *field == 1).unwrap();
    let transactions = rows.iter().filter(|(field, _)| *field == 2);
    Block {
        header: proof_header(header.1.bytes()).header().clone(),
        transactions: transactions
            .map(|(_, value)| transaction(value.bytes()))
            .collect(),
    }
}

/// GhostdagData.
pub fn ghostdag(message: &[u8]) -> GhostdagData {
    let mut made = genesis_ghostdag();
    for (field, value) in fields(message) {
        match field {
            1 => made.blue_score = value.number(),
            2 => made.blue_work = U256::from_big_endian(value.bytes()),
            3 => made.selected_parent = hash(value.bytes()),
            4 => made.blues.push(hash(value.bytes())),
            5 => made.reds.push(hash(value.bytes())),
            6 => {
                let (mut blue, mut size) = (Hash32::ZERO, 0);
                for (field, part) in fields(value.bytes()) {
                    match field {
                        1 => blue = hash(part.bytes()),
                        _ => size = part.number().try_into().unwrap(),
                    }
                }
                made.anticone_sizes.push((blue, size));
            }
            other => panic!("field {other} of GHOSTDAG data"),
        }
    }
    made
}

/// The pruning proof of a recording.
pub fn recorded_proof(directory: &Path) -> Proof {
    let [message] = &payloads(directory, PRUNING_PROOF)[..] else {
        panic!("one proof expected");
    };
    let mut shared: HashMap<Hash32, Rc<ProofHeader>> = HashMap::new();
    let mut levels = Vec::new();
    for (_, level) in fields(message) {
        let headers = fields(level.bytes()).into_iter();
        let mut list = Vec::new();
        for header in headers.map(|(_, value)| proof_header(value.bytes())) {
            list.push(
                shared
                    .entry(header.hash())
                    .or_insert(Rc::new(header))
                    .clone(),
            );
        }
        levels.push(list);
    }
    Proof { levels }
}
