//! Answers to nodes that catch up are bounded in bytes, and carry witnesses.

use svc_chain::block::{Block, WitnessedBlock};
use svc_chain::header::raw::{HashedHeader, read_headers};
use svc_chain::merkle::{branch_of_first, merkle_root};
use svc_chain::transaction::TxOutput;
use svc_chain::witness::Witness;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_WITNESS_LEN, SYNC_BLOCKS_PER_CALL, SYNC_PAGE_BYTES};
use svc_codec::reader::Reader;
use svc_consensus::questions::past_pages::headers_between;
use svc_consensus::questions::sync_questions::{blocks_of, headers_of};

use crate::scenarios::kit::Node;
use crate::scenarios::merge_kit::{
    add, before_the_fork, commitment, mined, parent_with, with_nonce,
};

/// Number of blocks whose witnesses do not fit one page.
const COUNT: usize = 40;

/// A block whose witness is nearly as large as one may be.
fn heavy(node: &mut Node) -> (Block, Witness) {
    let block = with_nonce(node.build(1, &[]), false);
    let mut witness = parent_with(commitment(node, &block));
    let output = TxOutput {
        value: 0,
        script_version: 0,
        script: vec![0; 10_000],
        covenant: None,
    };
    witness.coinbase.outputs = vec![output; 25];
    let leaves = [witness.coinbase.hash(), Hash32([2; 32]), Hash32([3; 32])];
    witness.parent.hash_merkle_root = merkle_root(&leaves);
    witness.branch = branch_of_first(&leaves);
    (block, mined(witness, true))
}

/// A chain of such blocks, as they were taken in.
fn heavy_chain() -> (Node, Vec<WitnessedBlock>) {
    let mut node = before_the_fork();
    let mut chain = Vec::new();
    for _ in 0..COUNT {
        let (block, witness) = heavy(&mut node);
        add(&mut node, &block, Some(&witness));
        let witness = Some(witness.to_bytes());
        chain.push(WitnessedBlock { block, witness });
    }
    (node, chain)
}

#[test]
fn pages_end_before_they_are_too_large() {
    let (node, blocks) = heavy_chain();
    let chain = node.engine.chain();
    let (genesis, sink) = (chain.rules.genesis_hash, node.sink());
    let hashes: Vec<Hash32> = blocks.iter().map(|block| block.block.hash()).collect();
    let expected: Vec<HashedHeader> = blocks
        .iter()
        .map(|block| HashedHeader::new(block.block.header.clone(), block.witness.clone()))
        .collect();
    for witness in blocks.iter().filter_map(|block| block.witness.as_ref()) {
        assert!(witness.len() > MAX_WITNESS_LEN - 20_000);
    }
    // Page after page between two blocks, each from the last header of the one before.
    let (mut low, mut found) = (genesis, Vec::new());
    while low != sink {
        let raw = headers_between(chain, &low, &sink, 1_000).unwrap();
        assert!(raw.len() < SYNC_PAGE_BYTES + 1_000);
        let headers = read_headers(&raw).unwrap();
        assert!(headers.len() < COUNT, "one page holds all");
        low = headers.last().unwrap().hash();
        found.extend(headers);
    }
    assert_eq!(found, expected);
    // By name the first of them come.
    let raw = headers_of(&chain.records, &hashes).unwrap();
    assert!(raw.len() < SYNC_PAGE_BYTES + 1_000);
    let headers = read_headers(&raw).unwrap();
    assert!(headers.len() > 20 && headers.len() < COUNT);
    assert_eq!(headers, expected[..headers.len()]);
    let raw = blocks_of(&chain.records, &hashes[..COUNT.min(SYNC_BLOCKS_PER_CALL)]).unwrap();
    assert!(raw.len() <= SYNC_PAGE_BYTES);
    let mut reader = Reader::new(&raw);
    let mut count = 0;
    while reader.remaining() > 0 {
        let len = reader.u32().unwrap() as usize;
        let block = WitnessedBlock::from_bytes(reader.take(len).unwrap()).unwrap();
        assert_eq!(block, blocks[count]);
        count += 1;
    }
    assert!(count > 20 && count < COUNT);
}
