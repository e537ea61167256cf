//! Domain-separated hashers of specification consensus 2, inherited from the parent network.

use svc_codec::hashers::{Blake2bHasher, Blake3Hasher, blake2b_keyed, blake3_keyed};

macro_rules! domains {
    ($construct:ident -> $hasher:ty { $($name:ident = $text:literal, $what:literal;)* }) => {
        $(
            #[doc = concat!("`", $text, "`: ", $what)]
            pub fn $name() -> $hasher {
                $construct($text.as_ref())
            }
        )*
    };
}

domains! { blake2b_keyed -> Blake2bHasher {
    transaction_hash = "TransactionHash", "a whole transaction; leaf of a block's merkle tree.";
    transaction_id = "TransactionID", "id of a version-0 transaction.";
    transaction_signing_hash = "TransactionSigningHash", "signature hash of transparent inputs.";
    block_hash = "BlockHash", "a header.";
    merkle_branch_hash = "MerkleBranchHash", "inner node of a block's merkle tree.";
    muhash_element = "MuHashElement", "seed of a set element's expansion.";
    muhash_finalize = "MuHashFinalize", "digest of a set's product.";
}}

domains! { blake3_keyed -> Blake3Hasher {
    payload_digest = "PayloadDigest", "the payload inside an id.";
    transaction_rest = "TransactionRest", "everything but the payload inside an id.";
    transaction_v1_id = "TransactionV1Id", "id of a transaction of version 1 and above.";
    seq_commit_lane_key = "SeqCommitLaneKey", "key of a lane.";
    seq_commit_lane_tip = "SeqCommitLaneTip", "newest state of a lane.";
    seq_commit_activity_leaf = "SeqCommitActivityLeaf", "one accepted transaction.";
    seq_commit_mergeset_context = "SeqCommitMergesetContext", "time and scores of an acceptance.";
    seq_commit_miner_payload_leaf = "SeqCommitMinerPayloadLeaf", "coinbase payload of a merged block.";
    seq_commit_activity_root = "SeqCommitActivityRoot", "shortcut and lanes.";
    seq_commit_active_leaf = "SeqCommitActiveLeaf", "value of a lane in the lanes tree.";
    seq_commit_active_node = "SeqCommitActiveNode", "inner node of the lanes tree.";
    seq_commit_active_collapsed_node = "SeqCommitActiveCollapsedNode", "subtree with one lane.";
    seq_commitment_merkle_branch_hash = "SeqCommitmentMerkleBranchHash", "inner node of the sequencing trees.";
}}
