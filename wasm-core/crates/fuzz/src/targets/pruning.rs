//! What a peer sends to a node that starts from a pruning point.

use std::sync::LazyLock;

use svc_codec::hash32::Hash32;
use svc_consensus::chain_rules::ChainRules;
use svc_consensus::proof::Proof;
use svc_consensus::proof::build::build_proof;
use svc_consensus::proof::validate::validate_proof;
use svc_consensus::state::State;

use crate::payment_chain::{BLOCKS, SIMNET, store_after};
use crate::target::{Outcome, Target, strict};

/// The targets of this area.
pub(crate) const TARGETS: &[Target] = &[
    // A level is a graph of its own, and there are 251; an entry of four bytes names a header that is in many.
    Target::new("pruning/proof", || PROOFS.clone(), proof)
        .room(1 << 21, 256)
        .weight(5),
];

/// The recorded chain is short, so its proofs ask for short levels.
const SHORT: u64 = 2;

fn rules() -> Option<ChainRules> {
    let mut profile = SIMNET.clone()?;
    profile.pruning_proof_m = SHORT;
    Some(ChainRules::new(profile))
}

/// The proofs of genesis, of a block in the middle and of the last one.
static PROOFS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let (Some(rules), Ok(store)) = (rules(), store_after(BLOCKS.len())) else {
        return Vec::new();
    };
    let state = State::new(store);
    let mut points: Vec<Hash32> = vec![rules.genesis_hash];
    points.extend(BLOCKS.get(BLOCKS.len() / 2).map(|block| block.hash()));
    points.extend(BLOCKS.last().map(|block| block.hash()));
    let proofs = points
        .iter()
        .map(|point| build_proof(&rules, &state, point));
    proofs.flatten().map(|proof| proof.to_bytes()).collect()
});

fn proof(bytes: &[u8]) -> Outcome {
    strict(bytes, Proof::from_bytes(bytes), |proof| {
        // Whether it holds does not matter here, only that the question ends.
        if let Some(rules) = rules() {
            drop(validate_proof(&rules, proof.clone()));
        }
        proof.to_bytes()
    })
}
