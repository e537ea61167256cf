//! A node that alters a payment and makes a header for it, on a real engine: the header commits to what its author likes, and stands in
//! no log (docs/design/light-client.md, "Ciphertexts").

use serde_json::{Value, json};
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_consensus::questions::{evidence, payload_evidence};
use svc_evidence::payload::{PayloadOpening, prove_payload};

use crate::scenarios::kit::{Node, simnet};
use crate::scenarios::payments::Payment;

/// Blocks below the payment, and above it.
const BELOW: usize = 12;
const ABOVE: usize = 20;
/// A byte of the bundle that lies in the first ciphertext.
const CIPHERTEXT_AT: usize = 300;

const VECTOR: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../tests/vectors/payload-lie.json"
);

/// A payment under a header: as a node shows it whole, and as a page has it.
fn told(block: &Hash32, opening: &PayloadOpening) -> Value {
    json!({
        "block": block,
        "shown": hex::encode(&opening.encode()),
        "record": hex::encode(&prove_payload(block, opening).unwrap().as_recorded()),
    })
}

/// The payment, and one with another ciphertext under a header that nobody mined.
fn true_and_false(shown: &[u8]) -> [PayloadOpening; 2] {
    let honest = PayloadOpening::decode(shown).unwrap();
    let mut lie = honest.clone();
    lie.transaction.payload[CIPHERTEXT_AT] ^= 1;
    lie.header.0.accepted_id_merkle_root = lie.commitment();
    [honest, lie]
}

/// Two verifiers judge it in TypeScript, and a wallet. `SVC_WRITE_VECTORS` writes it.
#[test]
fn the_vector_is_of_this_lie() {
    let mut node = Node::new(simnet());
    node.mine_many(0, BELOW);
    let payment = Payment::of(1).build();
    node.note_proof(&payment);
    node.mine(1, &[payment]);
    node.mine_many(0, ABOVE);
    let chain = node.chain();
    let served = node.engine.chain();
    let shown = |block: &Hash32| payload_evidence::payload(served, block, 0).ok();
    let [(block, shown)] = chain
        .iter()
        .filter_map(|block| Some((*block, shown(block)?)))
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    let [honest, lie] = true_and_false(&shown);
    let beside = lie.header.0.hash();
    assert!(!chain.contains(&beside));
    // The state that is opened lies a few blocks above the payment.
    let [at, base] = [chain[chain.len() - 10], chain[chain.len() - 9]];
    let profile: Value =
        serde_json::from_str(&node.engine.rules().profile.canonical_json()).unwrap();
    let vector = json!({
        "origin": "made by this project: a chain of crates/consensus/tests/scenarios/payload_lies.rs with one payment",
        "profile": profile,
        "blueScore": honest.header.0.blue_score.to_string(),
        "honest": told(&block, &honest),
        "lie": told(&beside, &lie),
        "tip": {
            "block": at,
            "opening": hex::encode(&evidence::opening(served, &at, false).unwrap()),
            "run": hex::encode(&evidence::run(served, &base, &node.sink()).unwrap()),
        },
        "membership": hex::encode(&evidence::membership(served, &block, &at).unwrap()),
    });
    let text = serde_json::to_string_pretty(&vector).unwrap() + "\n";
    if std::env::var_os("SVC_WRITE_VECTORS").is_some() {
        std::fs::write(VECTOR, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(VECTOR).unwrap() == text,
        "the vector is another"
    );
}
