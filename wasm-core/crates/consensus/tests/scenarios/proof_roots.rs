//! Where a level of a pruning proof begins above genesis, the header it begins with names a pruning point of the list: a
//! proof made by hand for a list of another chain shows no work for this one.

use std::rc::Rc;

use serde_json::json;
use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::uint256::U256;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::parameters::Parameters;
use svc_consensus::proof::{Proof, ProofHeader};
use svc_pow::heavy_hash::{PowState, block_level};

use crate::scenarios::importing::FINALITY;
use crate::scenarios::kit::{Node, simnet_with};

/// Headers above genesis, the last of which is the pruning point.
const HEADERS: u64 = 12;
/// The number of the one that level 0 begins with: high enough that it need not begin at genesis, and below the middle
/// of level 1.
const ROOT: u64 = 3;

fn node() -> Node {
    Node::new(simnet_with(&[
        ("/pruningProofM", json!(3)),
        ("/mergesetSizeLimit", json!(9)),
        ("/finalityDepth", json!(FINALITY)),
        ("/mergeDepth", json!(12)),
        ("/shieldedAnchorDepth", json!(4)),
        ("/maxShieldedAnchorAge", json!(20)),
        // Every sixteenth nonce has level 1.
        ("/maxBlockLevel", json!(254)),
    ]))
}

/// A header of level 1 on top of another one.
fn header_of(rules: &Parameters, number: u64, parent: Hash32, pruning_point: Hash32) -> Header {
    let genesis = &rules.genesis.header;
    let mut header = Header {
        parents: Parents::from_levels(&[vec![parent], vec![parent]]).unwrap(),
        timestamp_ms: genesis.timestamp_ms + number * 1_000,
        daa_score: number,
        // The last of them is the first sample above genesis.
        blue_score: FINALITY - HEADERS + number,
        blue_work: U256::from(2 * number),
        pruning_point,
        ..genesis.clone()
    };
    let state = PowState::new(&header);
    let mut nonces = 0..;
    let of_level_1 =
        |nonce: &u64| block_level(rules.profile.max_block_level, state.pow(*nonce)) == 1;
    header.nonce = nonces.find(of_level_1).unwrap();
    header
}

/// A proof whose header of that number names a pruning point of its own, and the list that goes with it.
fn proof_with(node: &Node, number: u64, named: Hash32) -> (Proof, Vec<ProofHeader>) {
    let rules = node.engine.rules();
    let entry = |header: Header| Rc::new(ProofHeader::new(header, None));
    let genesis = entry(rules.genesis.header.clone());
    let mut chain = vec![genesis.clone()];
    let mut parent = rules.genesis_hash;
    for at in 1..=HEADERS {
        let named = if at == number {
            named
        } else {
            rules.genesis_hash
        };
        let header = header_of(rules, at, parent, named);
        parent = header.hash();
        chain.push(entry(header));
    }
    let points = [&genesis, &chain[HEADERS as usize]];
    let points = points.map(|point| ProofHeader::new(point.header().clone(), None));
    let mut levels = vec![chain[ROOT as usize..].to_vec(), chain];
    let above = usize::from(rules.profile.max_block_level) - 1;
    levels.extend(std::iter::repeat_n(vec![genesis], above));
    (Proof { levels }, points.to_vec())
}

/// Whether the list is taken and whole.
fn taken((proof, points): (Proof, Vec<ProofHeader>)) -> Result<bool, SvcError> {
    let mut node = node();
    node.importing().begin_import(proof)?;
    while node.importing().import_proof(100)?.is_none() {}
    node.importing().import_points(points)
}

#[test]
fn a_root_of_the_proof_that_names_another_point_is_refused() {
    let node = node();
    let genesis = node.engine.rules().genesis_hash;
    assert!(taken(proof_with(&node, ROOT, genesis)).unwrap());
    let stranger = Hash32([9; 32]);
    let error = taken(proof_with(&node, ROOT, stranger)).unwrap_err();
    let reason = error.data.iter().find(|(key, _)| *key == "reason");
    assert_eq!(
        (error.code.as_str(), reason.unwrap().1.as_str()),
        ("import/wrong-points", "a root of the proof names another")
    );
    // The others are judged by nothing but their work here.
    assert!(taken(proof_with(&node, ROOT + 1, stranger)).unwrap());
}
