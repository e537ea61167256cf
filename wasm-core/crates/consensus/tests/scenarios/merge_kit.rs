//! Merge-mined blocks for scenarios: parents' blocks, both forms of commitments, and work enough or not.

use serde_json::{Value, json};
use svc_chain::block::{Block, WitnessedBlock};
use svc_chain::genesis::genesis_block;
use svc_chain::header::Header;
use svc_chain::merge_commitment::{MergeForm, nonce_for};
use svc_chain::merkle::{branch_of_first, merkle_root};
use svc_chain::transaction::Transaction;
use svc_chain::witness::Witness;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::pipeline::inserted::Inserted;
use svc_dag::store::DagStore;
use svc_pow::heavy_hash::{PowState, block_level, check_pow};

use crate::scenarios::kit::{Node, simnet, simnet_with};

/// Every second nonce has work enough.
pub fn node(changes: &[(&str, Value)]) -> Node {
    let mut all = vec![("/skipProofOfWork", json!(false))];
    all.extend_from_slice(changes);
    Node::new(simnet_with(&all))
}

/// Form 0 for ever.
pub fn before_the_fork() -> Node {
    form0_from(0)
}

/// Gives the header a nonce with or without work.
pub fn with_nonce(mut block: Block, enough: bool) -> Block {
    while check_pow(&block.header).1 != enough {
        block.header.nonce += 1;
    }
    block
}

pub fn commitment(node: &Node, block: &Block) -> Vec<u8> {
    node.engine.merge_commitment(&block.header).unwrap()
}

/// A block of the parent network whose coinbase carries `payload`, not mined yet.
pub fn parent_with(payload: Vec<u8>) -> Witness {
    let genesis = genesis_block(&simnet());
    let coinbase = Transaction {
        payload,
        ..genesis.transactions[0].clone()
    };
    let leaves = [coinbase.hash(), Hash32([2; 32]), Hash32([3; 32])];
    let parent = Header {
        version: 1,
        hash_merkle_root: merkle_root(&leaves),
        timestamp_ms: 77,
        bits: 0x1b00_ffff,
        ..genesis.header
    };
    Witness {
        parent,
        coinbase,
        branch: branch_of_first(&leaves),
        nesting: 0,
    }
}

/// Mines the parent so that its value is at most, or above, the target of simnet's bits.
pub fn mined(mut witness: Witness, enough: bool) -> Witness {
    let state = PowState::new(&witness.parent);
    let target = svc_chain::bits::target_from_bits(0x207f_ffff);
    while (state.pow(witness.parent.nonce) <= target) != enough {
        witness.parent.nonce += 1;
    }
    witness
}

/// A block without native work, and the witness of form 0 that makes up for it.
pub fn form0(node: &Node, block: Block) -> (Block, Witness) {
    let block = with_nonce(block, false);
    let witness = mined(parent_with(commitment(node, &block)), true);
    (block, witness)
}

/// As [`form0`] for form 1: parents are mined until the nonce they give has no native work.
pub fn form1(node: &Node, block: Block) -> (Block, Witness) {
    let commitment = commitment(node, &block);
    bind(block, parent_with(commitment))
}

/// Whether a block needs a witness of form 1.
pub fn is_bound(node: &Node, block: &Block) -> bool {
    let profile = &node.engine.rules().profile;
    MergeForm::at(profile, block.header.daa_score) == Some(MergeForm::Bound)
}

/// A block without native work and its witness, in the form of its score.
pub fn merge_mined(node: &Node, block: Block) -> (Block, Witness) {
    if is_bound(node, &block) {
        form1(node, block)
    } else {
        form0(node, block)
    }
}

/// As [`merge_mined`], with a parent of a level that the block's own value does not reach.
pub fn above_level_0(node: &Node, block: Block) -> (Block, Witness) {
    let (mut block, mut witness) = merge_mined(node, block);
    while block_level(250, check_pow(&witness.parent).0) == 0 {
        witness.parent.nonce += 1;
        (block, witness) = if is_bound(node, &block) {
            bind(block, witness)
        } else {
            (block, mined(witness, true))
        };
    }
    (block, witness)
}

pub fn bind(mut block: Block, mut witness: Witness) -> (Block, Witness) {
    loop {
        witness = mined(witness, true);
        block.header.nonce = nonce_for(&witness.parent.hash());
        if !check_pow(&block.header).1 {
            return (block, witness);
        }
        witness.parent.nonce += 1;
    }
}

pub fn offer(node: &mut Node, block: &Block, witness: Option<Vec<u8>>) -> Inserted {
    let now = block.header.timestamp_ms;
    let block = block.clone();
    let inserted = node
        .engine
        .insert_block(WitnessedBlock { block, witness }, now)
        .unwrap();
    node.settle();
    inserted
}

/// Offers a block that must be taken in.
pub fn add(node: &mut Node, block: &Block, witness: Option<&Witness>) -> Hash32 {
    let inserted = offer(node, block, witness.map(Witness::to_bytes));
    assert!(
        matches!(inserted, Inserted::Accepted { .. }),
        "{inserted:?}"
    );
    let hash = block.hash();
    assert_eq!(node.status(&hash).0, "valid");
    hash
}

/// Why the witness of a refused block does not help.
pub fn fault(node: &mut Node, block: &Block, witness: Option<Vec<u8>>) -> String {
    let error: SvcError = match offer(node, block, witness) {
        Inserted::Rejected(error) => error,
        other => panic!("expected a refusal, got {other:?}"),
    };
    assert_eq!(error.code.as_str(), "header/invalid-pow");
    assert_eq!(node.engine.records().stage(&block.hash()).unwrap(), None);
    let keys: Vec<&str> = error.data.iter().map(|(key, _)| *key).collect();
    assert_eq!(keys, ["value", "target", "witness"]);
    assert!(error.data[0].1 > error.data[1].1, "{error}");
    error.data[2].1.clone()
}

pub fn bytes(witness: &Witness) -> Option<Vec<u8>> {
    Some(witness.to_bytes())
}

pub fn level(node: &Node, block: &Hash32) -> u8 {
    node.engine.records().header(block).unwrap().level
}

pub fn stored(node: &Node, block: &Hash32) -> Option<Vec<u8>> {
    let found = node.engine.records().witnessed_block(block).unwrap();
    found.unwrap().witness
}

/// Extends the selected chain natively.
pub fn mine_native(node: &mut Node, count: usize) {
    for _ in 0..count {
        let block = node.build(1, &[]);
        add(node, &with_nonce(block, true), None);
    }
}

/// Form 0 from this DAA score on.
pub fn form0_from(height: u64) -> Node {
    node(&[
        ("/activations/mergedMining", json!(height)),
        ("/activations/securityFork", json!(null)),
        ("/activations/boundMergeMining", json!(null)),
        ("/activations/commitmentBan", json!(null)),
    ])
}
