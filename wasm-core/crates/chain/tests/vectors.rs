//! The printed vectors of the specification, read from `tests/vectors`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_chain::bits::{bits_from_target, difficulty, target_from_bits, work_from_bits};
use svc_chain::domain_hashers as domain;
use svc_chain::genesis::genesis_block;
use svc_chain::mass::{compute_mass, minimum_fee, serialized_size};
use svc_chain::merkle::merkle_root;
use svc_chain::muhash::MuHash;
use svc_chain::profile::Profile;
use svc_chain::seq_commit;
use svc_chain::subnetwork::{COINBASE, NATIVE};
use svc_chain::transaction::Transaction;
use svc_chain::uint256::{U256, blue_work_bytes};
use svc_codec::hashers::{blake2b_keyed, blake3_keyed};
use svc_codec::hex;

use crate::common::{bytes, hash, hashes, header, list, load, number, small, text, transaction};

#[test]
fn hash_domains() {
    for case in list(&load("hash-domains.json")["cases"]) {
        let name = text(&case["name"]);
        let found = match text(&case["function"]) {
            "blake2b" => blake2b_keyed(name.as_bytes()).finalize(),
            _ => blake3_keyed(name).finalize(),
        };
        assert_eq!(found, hash(&case["hash"]), "{name}");
    }
}

#[test]
fn headers() {
    let vectors = load("header.json");
    for case in list(&vectors["cases"]) {
        let header = header(&case["header"]);
        assert_eq!(header.hash(), hash(&case["hash"]));
        if case["prePowHash"].is_string() {
            assert_eq!(header.pre_pow_hash(), hash(&case["prePowHash"]));
            assert_eq!(header.nonce_free_hash(), hash(&case["nonceFreeHash"]));
        }
    }
    for case in list(&vectors["blueWorkBytes"]) {
        let work = U256::from_str_radix(text(&case["work"]), 16).unwrap();
        assert_eq!(hex::encode(&blue_work_bytes(work)), text(&case["bytes"]));
    }
}

#[test]
fn transactions() {
    for case in list(&load("transaction.json")["cases"]) {
        let transaction = transaction(&case["transaction"]);
        assert_eq!(transaction.id(), hash(&case["id"]), "{}", case["name"]);
        assert_eq!(transaction.hash(), hash(&case["hash"]), "{}", case["name"]);
    }
}

#[test]
fn merkle_roots() {
    for case in list(&load("merkle.json")["cases"]) {
        assert_eq!(merkle_root(&hashes(&case["leaves"])), hash(&case["root"]));
    }
}

#[test]
fn muhash_products() {
    for case in list(&load("muhash.json")["cases"]) {
        let mut set = MuHash::new();
        for element in case["elements"].as_array().unwrap() {
            set.add(&bytes(element));
        }
        assert_eq!(set.finalize(), hash(&case["hash"]));
    }
}

#[test]
fn compact_bits() {
    let vectors = load("bits.json");
    for case in list(&vectors["work"]) {
        assert_eq!(
            work_from_bits(small(&case["bits"])),
            U256::from_dec_str(text(&case["work"])).unwrap()
        );
    }
    for case in list(&vectors["targets"]) {
        let target = target_from_bits(small(&case["bits"]));
        assert_eq!(
            target,
            U256::from_str_radix(text(&case["target"]), 16).unwrap(),
            "{case}"
        );
        assert_eq!(
            bits_from_target(target),
            small::<u32>(&case["back"]),
            "{case}"
        );
    }
    assert!((difficulty(0x1e21_bc1c) - 248_663.322_191_886_9).abs() < 1e-6);
}

#[test]
fn sequencing_pieces() {
    let vectors = load("seq-commit.json");
    for case in list(&vectors["laneKeys"]) {
        let key = seq_commit::lane_key(&bytes(&case["subnetworkId"]).try_into().unwrap());
        assert_eq!(key, hash(&case["key"]));
    }
    let case = &vectors["activityLeaf"];
    let leaf = seq_commit::activity_leaf(
        &hash(&case["txid"]),
        small(&case["version"]),
        small(&case["index"]),
    );
    assert_eq!(leaf, hash(&case["leaf"]));
    let case = &vectors["laneTip"];
    let key = seq_commit::lane_key(&bytes(&case["subnetworkId"]).try_into().unwrap());
    let tip = seq_commit::lane_tip(
        &hash(&case["parent"]),
        &key,
        &hash(&case["digest"]),
        &hash(&case["context"]),
    );
    assert_eq!(tip, hash(&case["tip"]));
    let case = &vectors["payloadDigest"];
    assert_eq!(
        domain::payload_digest()
            .update(&bytes(&case["payload"]))
            .finalize(),
        hash(&case["digest"])
    );
    let case = &vectors["minerPayloadLeaf"];
    let work = U256::from_str_radix(text(&case["blueWork"]), 16).unwrap();
    let leaf =
        seq_commit::miner_payload_leaf(&hash(&case["block"]), work, &bytes(&case["payload"]));
    assert_eq!(leaf, hash(&case["leaf"]));
    assert_eq!(
        seq_commit::lanes_root(&[]),
        hash(&vectors["emptyLanesRoot"])
    );
}

#[test]
fn sequencing_of_a_recorded_first_block() {
    let vectors = load("seq-commit.json");
    let case = &vectors["firstBlock"];
    let blue_score = number(&case["blueScore"]);
    let context = seq_commit::mergeset_context(
        number(&case["parentTimestampMs"]),
        number(&case["daaScore"]),
        blue_score,
    );
    assert_eq!(context, hash(&case["context"]));
    let version = small(&case["genesisCoinbaseVersion"]);
    let leaf = seq_commit::activity_leaf(&hash(&case["genesisCoinbaseId"]), version, 0);
    assert_eq!(leaf, hash(&case["activityLeaf"]));
    let key = seq_commit::lane_key(&COINBASE);
    let parent = svc_codec::hash32::Hash32::ZERO;
    let tip = seq_commit::lane_tip(&parent, &key, &seq_commit::lane_digest(&[leaf]), &context);
    assert_eq!(tip, hash(&case["tip"]));
    let leaf = seq_commit::active_leaf(&tip, blue_score);
    assert_eq!(leaf, hash(&case["activeLeaf"]));
    let lanes = seq_commit::lanes_root(&[(key, leaf)]);
    assert_eq!(lanes, hash(&case["lanesRoot"]));
    let digest = seq_commit::payload_and_context_digest(&context, &hash(&case["payloadRoot"]));
    assert_eq!(digest, hash(&case["payloadAndContextDigest"]));
    let activity = seq_commit::activity_root(&parent, &lanes);
    assert_eq!(activity, hash(&case["activityRoot"]));
    let state = seq_commit::state(&activity, &digest);
    assert_eq!(state, hash(&case["state"]));
    assert_eq!(
        seq_commit::commitment(&parent, &state),
        hash(&case["commitment"])
    );
}

#[test]
fn sequencing_of_the_first_block_over_mainnet_genesis() {
    let genesis = genesis_block(&Profile::built_in("mainnet").unwrap());
    let coinbase = &genesis.transactions[0];
    let zero = svc_codec::hash32::Hash32::ZERO;
    let context = seq_commit::mergeset_context(genesis.header.timestamp_ms, 0, 1);
    let leaf = seq_commit::activity_leaf(&coinbase.id(), coinbase.version, 0);
    let key = seq_commit::lane_key(&COINBASE);
    let tip = seq_commit::lane_tip(&zero, &key, &seq_commit::lane_digest(&[leaf]), &context);
    let lanes = seq_commit::lanes_root(&[(key, seq_commit::active_leaf(&tip, 1))]);
    let payload = seq_commit::miner_payload_leaf(
        &genesis.hash(),
        genesis.header.blue_work,
        &coinbase.payload,
    );
    let digest =
        seq_commit::payload_and_context_digest(&context, &seq_commit::payload_root(&[payload]));
    let state = seq_commit::state(&seq_commit::activity_root(&zero, &lanes), &digest);
    let expected = hash(&load("seq-commit.json")["firstBlockOverMainnetGenesis"]);
    assert_eq!(seq_commit::commitment(&zero, &state), expected);
}

#[test]
fn genesis_of_the_built_in_networks() {
    let vectors = load("genesis.json");
    let cases = list(&vectors["cases"]);
    assert_eq!(cases.len(), Profile::built_in_names().count());
    for case in cases {
        let genesis = genesis_block(&Profile::built_in(text(&case["network"])).unwrap());
        assert_eq!(genesis.merkle_root(), hash(&case["hashMerkleRoot"]));
        assert_eq!(
            genesis.header.hash_merkle_root,
            hash(&case["hashMerkleRoot"])
        );
        assert_eq!(genesis.hash(), hash(&case["hash"]));
    }
}

#[test]
fn relay_minimum_of_payments() {
    let limits = Profile::built_in("mainnet").unwrap().mass_limits;
    for case in list(&load("mass.json")["cases"]) {
        let payload_len: usize = small(&case["payload"]);
        let actions = small(&case["actions"]);
        let payment = payment(vec![0; payload_len]);
        assert_eq!(serialized_size(&payment), 94 + payload_len as u64);
        assert_eq!(
            compute_mass(&payment, actions),
            94 + payload_len as u64 + 1000 * u64::from(actions)
        );
        assert_eq!(
            minimum_fee(&payment, actions, &limits),
            number(&case["nodeMinimum"])
        );
    }
}

fn payment(payload: Vec<u8>) -> Transaction {
    Transaction {
        version: 2,
        inputs: Vec::new(),
        outputs: Vec::new(),
        lock_time: 0,
        subnetwork_id: NATIVE,
        gas: 0,
        payload,
        storage_mass: 0,
    }
}
