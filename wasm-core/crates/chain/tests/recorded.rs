//! Blocks that a node of the parent design mined and accepted: hashes, ids and raw forms.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_chain::block::Block;
use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::emission::subsidy;
use svc_chain::genesis::genesis_block;
use svc_chain::profile::Profile;
use svc_codec::hash32::Hash32;

use crate::common::{bytes, hash, hashes, list, load};

#[test]
fn recorded_blocks_hash_as_recorded() {
    let vectors = load("recorded-blocks.json");
    let profile = Profile::from_json(&vectors["profile"].to_string()).unwrap();
    for case in list(&vectors["blocks"]) {
        let raw = bytes(&case["raw"]);
        let block = Block::from_bytes(&raw).unwrap();
        assert_eq!(block.to_bytes(), raw);
        assert_eq!(block.hash(), hash(&case["hash"]));
        assert_eq!(block.merkle_root(), block.header.hash_merkle_root);
        let ids: Vec<Hash32> = block
            .transactions
            .iter()
            .map(|transaction| transaction.id())
            .collect();
        assert_eq!(ids, hashes(&case["txids"]));
        let tx_hashes: Vec<Hash32> = block
            .transactions
            .iter()
            .map(|transaction| transaction.hash())
            .collect();
        assert_eq!(tx_hashes, hashes(&case["txHashes"]));
        let payload = CoinbasePayload::decode(&block.transactions[0].payload).unwrap();
        assert_eq!(payload.blue_score, block.header.blue_score);
        assert_eq!(payload.encode().unwrap(), block.transactions[0].payload);
        if block.header.daa_score > 0 {
            assert_eq!(payload.subsidy, subsidy(&profile, block.header.daa_score));
        }
    }
}

#[test]
fn the_profile_of_a_recorded_chain_gives_its_genesis() {
    let vectors = load("recorded-blocks.json");
    let profile = Profile::from_json(&vectors["profile"].to_string()).unwrap();
    let first = bytes(&list(&vectors["blocks"])[0]["raw"]);
    assert_eq!(genesis_block(&profile).to_bytes(), first);
    assert!(!profile.only_version2 && !profile.output_bound_k4 && !profile.enforce_lock_time);
    assert_eq!(profile.activations.commitment_ban, None);
}
