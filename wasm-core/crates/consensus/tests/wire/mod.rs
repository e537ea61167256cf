//! Reading a recorded peer-to-peer stream: JSON lines with protobuf bytes. Just enough protobuf for block headers
//! (field numbers: specification network 1.1).

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde_json::Value;
use svc_chain::header::Header;
use svc_chain::parents::{ParentRun, Parents};
use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_consensus::proof::ProofHeader;

/// Numbers from here on are the envelope's own fields; below are payloads.
const ENVELOPE: u64 = 100;

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

fn hash(message: &[u8]) -> Hash32 {
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
