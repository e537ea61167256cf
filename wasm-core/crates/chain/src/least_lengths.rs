//! Tests of the minimum item lengths by which decoders bound counts: each is what the smallest item takes, no byte
//! more, or a list of smallest items would be refused, and no byte less, or more memory would be asked for than the
//! input could fill.

use svc_codec::hash32::Hash32;
use svc_codec::writer::Writer;

use crate::block;
use crate::header::Header;
use crate::header::parents::Parents;
use crate::header::raw;
use crate::transaction;
use crate::transaction::{Transaction, TxInput, TxOutput};
use crate::uint256::U256;
use crate::witness;
use crate::witness::Witness;

fn empty_transaction() -> Transaction {
    Transaction {
        version: 0,
        inputs: Vec::new(),
        outputs: Vec::new(),
        lock_time: 0,
        subnetwork_id: [0; 20],
        gas: 0,
        payload: Vec::new(),
        storage_mass: 0,
    }
}

fn with_empty_input() -> Transaction {
    let input = TxInput {
        txid: Hash32::ZERO,
        index: 0,
        script: Vec::new(),
        sequence: 0,
        compute: 0,
    };
    Transaction {
        inputs: vec![input],
        ..empty_transaction()
    }
}

fn with_empty_output() -> Transaction {
    let output = TxOutput {
        value: 0,
        script_version: 0,
        script: Vec::new(),
        covenant: None,
    };
    Transaction {
        outputs: vec![output],
        ..empty_transaction()
    }
}

fn header_without_parents() -> Header {
    Header {
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
    }
}

fn witness_len(parent: Header, coinbase: Transaction) -> usize {
    let witness = Witness {
        parent,
        coinbase,
        branch: Vec::new(),
        nesting: 0,
    };
    witness.to_bytes().len()
}

#[test]
fn of_transactions_are_what_the_smallest_take() {
    let empty = empty_transaction().to_bytes().len();
    assert_eq!(block::MIN_TRANSACTION_LEN, 4 + empty);
    let input = with_empty_input().to_bytes().len() - empty;
    assert_eq!(transaction::MIN_INPUT_LEN, input);
    let output = with_empty_output().to_bytes().len() - empty;
    assert_eq!(transaction::MIN_OUTPUT_LEN, output);
}

#[test]
fn of_headers_are_what_the_smallest_take() {
    let mut writer = Writer::new();
    raw::write_header(&mut writer, &header_without_parents(), None);
    assert_eq!(raw::MIN_RAW_HEADER_LEN, writer.into_vec().len());
}

#[test]
fn of_witnesses_are_what_the_smallest_take() {
    let parent = header_without_parents;
    let empty = witness_len(parent(), empty_transaction());
    let input = witness_len(parent(), with_empty_input()) - empty;
    assert_eq!(witness::MIN_INPUT_LEN, input);
    let output = witness_len(parent(), with_empty_output()) - empty;
    assert_eq!(witness::MIN_OUTPUT_LEN, output);
    // The only run of parents that a header can hold has one at least: 32 bytes that a run without any would not have.
    let with_run = Header {
        parents: Parents::from_levels(&[vec![Hash32::ZERO]]).unwrap(),
        ..parent()
    };
    let run = witness_len(with_run, empty_transaction()) - empty - 32;
    assert_eq!(witness::MIN_RUN_LEN, run);
}
