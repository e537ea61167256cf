//! What a node tells of a chain block, checked from bytes alone, and liars about it: each lie has the step that names it.

use serde_json::json;
use svc_chain::block::Block;
use svc_codec::hash32::Hash32;
use svc_consensus::checks::acceptance_check::{
    AcceptanceBlocks, AcceptanceClaim, check_acceptance,
};
use svc_consensus::checks::acceptance_proof::{AcceptanceProof, TransactionClaim};
use svc_consensus::checks::steps::{Outcome, Step};
use svc_consensus::checks::supply_check::{SupplyBlocks, SupplyProof, check_supply};
use svc_consensus::questions::told_proofs::{acceptance_proof, supply_proof};

use crate::scenarios::kit::{CUT, Node, REWARD, simnet, simnet_with};
use crate::scenarios::payments::Payment;

/// A chain with a payment that was applied, one that was dropped, and blocks above.
struct Told {
    node: Node,
    proof: AcceptanceProof,
    applied: TransactionClaim,
    dropped: TransactionClaim,
}

fn told(mut node: Node, is_plain: bool) -> Told {
    node.mine_many(1, 3);
    let of = |salt: u64| {
        let payment = Payment::of(7).salted(salt);
        let payment = if is_plain { payment.plain() } else { payment };
        payment.fee(1_000).build()
    };
    let spends = [of(0), of(1)];
    let blocks: Vec<Block> = spends
        .iter()
        .zip(2..)
        .map(|(spend, miner)| node.build_carrying(miner, std::slice::from_ref(spend)))
        .collect();
    for block in &blocks {
        node.add(block);
    }
    let merging = node.mine(9, &[]);
    node.mine_many(1, 2);
    let facts = node.chain_facts(&merging);
    let claim = |list: &str, is_applied: bool| TransactionClaim {
        txid: facts[list][0]["txid"].as_str().unwrap().parse().unwrap(),
        carrier: facts[list][0]["block"].as_str().unwrap().parse().unwrap(),
        is_applied,
    };
    Told {
        proof: acceptance_proof(node.engine.chain(), &merging).unwrap(),
        applied: claim("applied", true),
        dropped: claim("dropped", false),
        node,
    }
}

/// With the security fork.
fn forked() -> Told {
    told(Node::new(simnet()), false)
}

/// Before the security fork.
fn plain() -> Told {
    told(
        Node::new(simnet_with(&[("/activations/securityFork", json!(null))])),
        true,
    )
}

fn bytes_of(node: &Node, hash: &Hash32) -> Vec<u8> {
    let found = node.engine.records().witnessed_block(hash).unwrap();
    found.unwrap().to_bytes()
}

impl Told {
    fn check(&self, transaction: &TransactionClaim, proof: &AcceptanceProof) -> Vec<Step> {
        let bytes = |hash: &Hash32| bytes_of(&self.node, hash);
        let child = proof.child.as_ref().map(bytes);
        let claim = AcceptanceClaim { transaction, proof };
        check_acceptance(
            self.node.engine.rules(),
            &claim,
            &AcceptanceBlocks {
                carrier: &bytes(&transaction.carrier),
                accepting: &bytes(&proof.block),
                parent: &bytes(&proof.selected_parent),
                child: child.as_deref(),
            },
        )
    }

    /// The steps that differ when the applied payment is asked for with an altered proof.
    fn lies(&self, alter: impl FnOnce(&mut AcceptanceProof)) -> Vec<&'static str> {
        let mut proof = self.proof.clone();
        alter(&mut proof);
        assert_ne!(proof, self.proof, "the lie changes something");
        differing(&self.check(&self.applied, &proof))
    }
}

fn differing(steps: &[Step]) -> Vec<&'static str> {
    let differ = steps.iter().filter(|step| step.outcome == Outcome::Differs);
    differ.map(|step| step.step).collect()
}

fn step<'a>(steps: &'a [Step], name: &str) -> &'a Step {
    let mut found = steps.iter().filter(|step| step.step == name);
    found
        .next()
        .unwrap_or_else(|| panic!("no step {name}: {steps:?}"))
}

fn not_provable(steps: &[Step]) -> Vec<&'static str> {
    let open = steps
        .iter()
        .filter(|step| step.outcome == Outcome::NotProvable);
    let mut names: Vec<&'static str> = open.map(|step| step.step).collect();
    names.dedup();
    names
}

#[test]
fn an_applied_and_a_dropped_payment_are_proven_so() {
    for told in [forked(), plain()] {
        for claim in [&told.applied, &told.dropped] {
            let steps = told.check(claim, &told.proof);
            assert_eq!(differing(&steps), [""; 0], "{steps:?}");
            for name in ["sequencing", "accepted", "treeGrowth", "minted", "outcome"] {
                assert_eq!(step(&steps, name).outcome, Outcome::Ok, "{name}");
            }
            let said = if claim.is_applied {
                "applied"
            } else {
                "dropped"
            };
            assert_eq!(step(&steps, "outcome").found.as_deref(), Some(said));
        }
    }
}

#[test]
fn what_no_header_shows_stays_named_as_the_nodes_word() {
    let told = forked();
    let steps = told.check(&told.dropped, &told.proof);
    // This network asks for no work.
    let open = ["work", "dropReason", "chain", "proof"];
    assert_eq!(not_provable(&steps), open);
}

#[test]
fn a_coinbase_is_proven_by_the_block_that_mints_it() {
    let told = plain();
    let minted = told.node.engine.records().body(&told.proof.block).unwrap();
    let claim = TransactionClaim {
        txid: minted.txid(0).unwrap(),
        carrier: told.proof.block,
        is_applied: true,
    };
    let steps = told.check(&claim, &told.proof);
    assert_eq!(differing(&steps), [""; 0], "{steps:?}");
    assert_eq!(step(&steps, "outcome").outcome, Outcome::Ok);
}

#[test]
fn at_the_tip_nothing_commits_to_the_state_yet() {
    let told = forked();
    let sink = told.node.sink();
    let proof = acceptance_proof(told.node.engine.chain(), &sink).unwrap();
    assert_eq!(proof.child, None);
    let claim = TransactionClaim {
        txid: proof.accepted[0].txid,
        carrier: proof.accepted[0].block,
        is_applied: true,
    };
    let steps = told.check(&claim, &proof);
    assert_eq!(differing(&steps), [""; 0], "{steps:?}");
    assert_eq!(step(&steps, "accepted").outcome, Outcome::Ok);
    assert_eq!(step(&steps, "outcome").outcome, Outcome::NotProvable);
}

#[test]
fn a_dropped_payment_shown_as_applied_is_seen() {
    let told = forked();
    let claim = TransactionClaim {
        is_applied: true,
        ..told.dropped.clone()
    };
    let steps = told.check(&claim, &told.proof);
    assert_eq!(differing(&steps), ["outcome"]);
    let outcome = step(&steps, "outcome");
    assert_eq!(outcome.expected.as_deref(), Some("applied"));
    assert_eq!(outcome.found.as_deref(), Some("dropped"));
}

#[test]
fn a_dropped_payment_among_the_applied_ones_is_seen() {
    let told = forked();
    let claim = TransactionClaim {
        is_applied: true,
        ..told.dropped.clone()
    };
    let mut proof = told.proof.clone();
    let mut row = proof.applied[0].clone();
    row.txid = told.dropped.txid;
    row.block = told.dropped.carrier;
    let body = told.node.engine.records().body(&row.block).unwrap();
    let carried = body.iter().find(|one| one.id() == row.txid).unwrap();
    let format = told.node.engine.rules().bundle_format(u64::MAX);
    let bundle = svc_shielded::bundle::Bundle::decode(&carried.payload, format).unwrap();
    row.commitments = bundle.commitments();
    proof.applied = vec![row];
    let steps = told.check(&claim, &proof);
    assert_eq!(differing(&steps), ["treeGrowth"]);
    assert_eq!(step(&steps, "outcome").outcome, Outcome::NotProvable);
}

#[test]
fn a_payment_that_adds_no_leaf_does_not_pass_for_an_applied_one() {
    let told = forked();
    let no_leaf = svc_shielded::frontier::empty_root(0);
    let lies = told.lies(|proof| proof.applied[0].commitments.push(no_leaf));
    assert_eq!(lies, ["treeGrowth"]);
}

#[test]
fn an_applied_payment_that_is_hidden_is_missed() {
    assert_eq!(forked().lies(|proof| proof.applied.clear()), ["treeGrowth"]);
}

#[test]
fn an_accepted_transaction_that_is_left_out_is_missed() {
    let lies = forked().lies(|proof| proof.accepted.truncate(2));
    assert_eq!(lies, ["sequencing"]);
}

#[test]
fn an_accepted_transaction_in_another_place_is_seen() {
    assert_eq!(
        forked().lies(|proof| proof.accepted.swap(1, 2)),
        ["sequencing"]
    );
}

#[test]
fn another_merged_block_is_seen() {
    let lies = forked().lies(|proof| proof.merged[1].hash = Hash32([9; 32]));
    assert_eq!(lies, ["sequencing"]);
}

#[test]
fn another_payload_of_a_merged_block_is_seen() {
    let lies = forked().lies(|proof| proof.merged[0].payload[60] ^= 1);
    assert_eq!(lies, ["sequencing"]);
}

#[test]
fn another_blue_work_of_a_merged_block_is_seen() {
    let told = forked();
    let longer = |proof: &mut AcceptanceProof| proof.merged[0].blue_work = vec![1; 40];
    assert_eq!(told.lies(longer), ["sequencing"]);
    let padded = |proof: &mut AcceptanceProof| proof.merged[0].blue_work.insert(0, 0);
    assert_eq!(told.lies(padded), ["sequencing"]);
}

#[test]
fn lanes_that_do_not_fit_are_seen() {
    let lies = forked().lies(|proof| {
        let lanes = proof.lanes.as_mut().unwrap();
        lanes.extended[0].tip = Hash32([9; 32]);
    });
    assert_eq!(lies, ["sequencing"]);
}

#[test]
fn another_tree_before_the_block_is_seen() {
    for told in [forked(), plain()] {
        let lies = told.lies(|proof| proof.frontier.leaf.0[0] ^= 1);
        assert_eq!(lies, ["treeGrowth"]);
        let lies = told.lies(|proof| proof.frontier.size += 1);
        assert_eq!(lies, ["treeGrowth"]);
    }
}

#[test]
fn more_minted_coins_are_seen() {
    let told = forked();
    let lies = told.lies(|proof| proof.after.cumulative_coinbase += 1);
    assert_eq!(lies, ["stateAfter", "minted"]);
}

#[test]
fn other_fees_are_seen() {
    let lies = forked().lies(|proof| proof.after.cumulative_fees -= 1);
    assert_eq!(lies, ["stateAfter"]);
}

#[test]
fn other_spent_notes_are_seen() {
    let lies = forked().lies(|proof| proof.before.nullifier_root = Hash32([9; 32]));
    assert_eq!(lies, ["stateBefore"]);
}

#[test]
fn a_state_of_another_block_is_seen() {
    let told = forked();
    let lies = told.lies(|proof| proof.after = proof.before.clone());
    assert!(lies.contains(&"stateAfter"), "{lies:?}");
}

#[test]
fn another_selected_parent_is_seen() {
    let told = forked();
    let genesis = told.node.chain()[0];
    let lies = told.lies(|proof| proof.selected_parent = genesis);
    assert!(lies.contains(&"parent"), "{lies:?}");
}

#[test]
fn a_block_above_that_has_another_parent_is_seen() {
    let told = forked();
    let sink = told.node.sink();
    let lies = told.lies(|proof| proof.child = Some(sink));
    assert!(lies.contains(&"child"), "{lies:?}");
}

#[test]
fn another_carrier_is_seen() {
    let told = forked();
    let claim = TransactionClaim {
        carrier: told.dropped.carrier,
        ..told.applied.clone()
    };
    let lies = differing(&told.check(&claim, &told.proof));
    assert_eq!(lies, ["carried"]);
    let claim = TransactionClaim {
        carrier: told.node.sink(),
        ..told.applied.clone()
    };
    let lies = differing(&told.check(&claim, &told.proof));
    assert_eq!(lies, ["carried", "accepted"]);
}

#[test]
fn a_proof_survives_its_json_and_nothing_else_is_read() {
    let told = forked();
    let json = serde_json::to_string(&told.proof).unwrap();
    assert_eq!(AcceptanceProof::from_json(&json).unwrap(), told.proof);
    for text in [
        "",
        "{}",
        &json[1..],
        &json.replace("\"applied\"", "\"paid\""),
    ] {
        let code = AcceptanceProof::from_json(text).unwrap_err().code;
        assert_eq!(code.as_str(), "codec/bad-json");
    }
    let long = " ".repeat(svc_codec::limits::MAX_ACCEPTANCE_PROOF_LEN + 1);
    let code = AcceptanceProof::from_json(&long).unwrap_err().code;
    assert_eq!(code.as_str(), "codec/count-too-large");
}

fn audit(node: &Node, proof: &SupplyProof) -> Vec<Step> {
    let child = proof.child.as_ref().map(|hash| bytes_of(node, hash));
    let blocks = SupplyBlocks {
        block: &bytes_of(node, &proof.block),
        child: child.as_deref(),
    };
    check_supply(node.engine.rules(), proof, &blocks).steps
}

#[test]
fn the_supply_of_every_block_is_proven() {
    for told in [forked(), plain()] {
        let chain = told.node.chain();
        for (index, block) in chain.iter().enumerate() {
            let proof = supply_proof(told.node.engine.chain(), block).unwrap();
            let steps = audit(&told.node, &proof);
            assert_eq!(differing(&steps), [""; 0], "{index}: {steps:?}");
            let has_child = index + 1 < chain.len();
            let preimage = step(&steps, "statePreimage").outcome;
            assert_eq!(preimage == Outcome::Ok, has_child);
            assert_eq!(step(&steps, "schedule").reason, None);
            let is_committed = step(&steps, "carried").outcome == Outcome::Ok;
            assert_eq!(
                is_committed,
                told.proof.lanes.is_some() && is_forked(&told.node)
            );
        }
    }
}

fn is_forked(node: &Node) -> bool {
    node.engine.rules().fork_active(0)
}

#[test]
fn every_altered_number_of_a_supply_is_seen() {
    let told = forked();
    let block = told.node.chain()[5];
    let proof = supply_proof(told.node.engine.chain(), &block).unwrap();
    let lies = |alter: &dyn Fn(&mut SupplyProof)| {
        let mut told_proof = proof.clone();
        alter(&mut told_proof);
        differing(&audit(&told.node, &told_proof))
    };
    let preimage = |alter: &dyn Fn(&mut SupplyProof)| {
        let found = lies(alter);
        assert!(found.contains(&"statePreimage"), "{found:?}");
        found
    };
    let more = preimage(&|proof| proof.state.cumulative_coinbase += u128::from(REWARD));
    assert_eq!(more, ["statePreimage", "schedule"]);
    preimage(&|proof| proof.state.cumulative_fees += 1);
    preimage(&|proof| proof.state.dev_accrued += CUT);
    preimage(&|proof| proof.state.slot.amount += 1);
    preimage(&|proof| proof.state.slot.script = vec![1]);
    preimage(&|proof| proof.state.burn_root = Hash32([1; 32]));
    preimage(&|proof| proof.state.anchor_commitment = Hash32([1; 32]));
    preimage(&|proof| proof.state.nullifier_root = Hash32([1; 32]));
    assert_eq!(lies(&|proof| proof.frontier.size += 1).len(), 1);
    assert!(lies(&|proof| proof.daa_score += 1).contains(&"daaScore"));
    assert_eq!(lies(&|proof| proof.blue_score += 1), ["blueScore"]);
    let all = lies(&|proof| proof.state.cumulative_fees = u128::MAX);
    assert!(all.contains(&"pool"), "{all:?}");
}

#[test]
fn a_pool_of_invented_coins_is_held_against_the_schedule() {
    let told = plain();
    let block = told.node.chain()[3];
    let mut proof = supply_proof(told.node.engine.chain(), &block).unwrap();
    // Before the fork the carried fee is not committed, so a node can invent one: the schedule tells.
    proof.state.dev_accrued += CUT;
    assert_eq!(differing(&audit(&told.node, &proof)), ["schedule"]);
}

#[test]
fn nothing_is_told_of_genesis_or_of_a_block_beside_the_chain() {
    let told = forked();
    let chain = told.node.chain();
    let code = |hash: &Hash32| {
        let refused = acceptance_proof(told.node.engine.chain(), hash);
        refused.unwrap_err().code.as_str()
    };
    assert_eq!(code(&chain[0]), "chain/unknown-block");
    assert_eq!(code(&Hash32([9; 32])), "chain/unknown-block");
    let beside = if chain.contains(&told.dropped.carrier) {
        told.applied.carrier
    } else {
        told.dropped.carrier
    };
    assert_eq!(code(&beside), "chain/unknown-block");
}

const VECTORS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../tests/vectors/told-proofs.json"
);

/// The vectors that TypeScript reads are what this chain gives. `SVC_WRITE_VECTORS` writes them.
#[test]
fn the_vectors_are_of_this_chain() {
    let told = forked();
    let supply = supply_proof(told.node.engine.chain(), &told.proof.block).unwrap();
    let named = [
        told.applied.carrier,
        told.dropped.carrier,
        told.proof.block,
        told.proof.child.unwrap(),
    ];
    let blocks: serde_json::Map<String, serde_json::Value> = named
        .iter()
        .map(|hash| {
            let raw = svc_codec::hex::encode(&bytes_of(&told.node, hash));
            (hash.to_string(), raw.into())
        })
        .collect();
    let vectors = json!({
        "origin": "made by this project: the chain of crates/consensus/tests/scenarios/told_proofs.rs, which makes it anew and compares; its payments are well formed and hold no proof",
        "profile": "simnet",
        "applied": told.applied,
        "dropped": told.dropped,
        "acceptance": told.proof,
        "supply": supply,
        "blocks": blocks,
    });
    let text = serde_json::to_string_pretty(&vectors).unwrap() + "\n";
    if std::env::var_os("SVC_WRITE_VECTORS").is_some() {
        std::fs::write(VECTORS, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(VECTORS).unwrap() == text,
        "the vectors are others"
    );
}
