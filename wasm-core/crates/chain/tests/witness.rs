//! Merge-mining witnesses and commitments: the specification's vectors, and every bound on both sides.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_chain::genesis::genesis_block;
use svc_chain::merge_commitment::{MergeForm, bound, commitment_in, find_commitment, nonce_for};
use svc_chain::merkle::{branch_of_first, fold_first, merkle_root};
use svc_chain::profile::Profile;
use svc_chain::transaction::TxInput;
use svc_chain::witness::Witness;
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_WITNESS_BRANCH, MAX_WITNESS_LEN, MAX_WITNESS_NESTING};

use crate::common::{self, hash, list, load, number, text};

/// Bytes of a parent header without parents, its own witness aside.
const HEADER_LEN: usize = 32 + 2 + 4 + 3 * 32 + 8 + 4 + 8 + 8 + 24 + 8 + 32;

/// A witness with nothing to show for it.
fn witness() -> Witness {
    let block = genesis_block(&Profile::built_in("simnet").unwrap());
    Witness {
        parent: block.header,
        coinbase: block.transactions[0].clone(),
        branch: Vec::new(),
        nesting: 0,
    }
}

fn code(bytes: &[u8]) -> Code {
    Witness::from_bytes(bytes).unwrap_err().code
}

/// Puts a witness in the place of the tag that says "none" at the end of the parent header.
fn nest(outer: &Witness, inner: &[u8]) -> Vec<u8> {
    let bytes = outer.to_bytes();
    assert_eq!(bytes[HEADER_LEN], 0);
    [&bytes[..HEADER_LEN], &[1], inner, &bytes[HEADER_LEN + 1..]].concat()
}

#[test]
fn the_digest_of_form_one_and_the_nonce_it_binds() {
    let vectors = load("merge-mining.json");
    let own = Profile::built_in("mainnet").unwrap();
    let recorded = load("recorded-blocks.json");
    let recorded = Profile::from_json(&recorded["profile"].to_string()).unwrap();
    for case in list(&vectors["bound"]) {
        let profile = match text(&case["brand"]) {
            "own" => &own,
            _ => &recorded,
        };
        let (brand, _) = profile.network_name.split_once('-').unwrap();
        let aux_bind = format!("{brand}{}", text(&case["after"]));
        let digest = bound(
            &aux_bind,
            &hash(&case["genesis"]),
            &hash(&case["nonceFreeHash"]),
        );
        assert_eq!(digest, hash(&case["bound"]));
        if text(&case["brand"]) == "own" {
            assert_eq!(own.personalisation.aux_bind, aux_bind);
        }
    }
    for case in list(&vectors["nonce"]) {
        assert_eq!(nonce_for(&hash(&case["parentId"])), number(&case["nonce"]));
    }
}

#[test]
fn one_well_formed_commitment_is_found() {
    for case in list(&load("merge-mining.json")["payloads"]) {
        let found = find_commitment(text(&case["payload"]).as_bytes(), b"TAG0");
        let expected = case["found"].as_str().map(|text| text.parse().unwrap());
        assert_eq!(found, expected, "{}", text(&case["what"]));
    }
    assert_eq!(find_commitment(b"anything", b""), None);
}

#[test]
fn the_form_follows_both_heights() {
    let mut profile = Profile::built_in("simnet").unwrap();
    let mut form = |merged_mining, bound_merge_mining| {
        profile.activations.merged_mining = merged_mining;
        profile.activations.bound_merge_mining = bound_merge_mining;
        [9, 10, 19, 20].map(|daa| MergeForm::at(&profile, daa))
    };
    let (id, with) = (Some(MergeForm::Id), Some(MergeForm::Bound));
    assert_eq!(form(Some(10), Some(20)), [None, id, id, with]);
    assert_eq!(form(Some(10), None), [None, id, id, id]);
    assert_eq!(form(Some(20), Some(10)), [None, None, None, with]);
    assert_eq!(form(None, Some(0)), [None; 4]);
}

#[test]
fn a_commitment_is_what_the_scanner_finds() {
    let profile = Profile::built_in("simnet").unwrap();
    let header = genesis_block(&profile).header;
    for form in [MergeForm::Id, MergeForm::Bound] {
        let payload = form.commitment(&profile, &Hash32([7; 32]), &header);
        let digest = form.digest(&profile, &Hash32([7; 32]), &header);
        assert_eq!(
            find_commitment(&payload, form.tag(&profile)),
            Some(digest),
            "{form:?}"
        );
        assert!(commitment_in(&profile, &payload));
    }
}

#[test]
fn a_branch_leads_from_the_first_leaf_to_the_root() {
    let leaves: Vec<Hash32> = (1..=9).map(|byte| Hash32([byte; 32])).collect();
    for count in 1..=leaves.len() {
        let branch = branch_of_first(&leaves[..count]);
        assert_eq!(
            fold_first(leaves[0], &branch),
            merkle_root(&leaves[..count])
        );
    }
    assert_eq!(branch_of_first(&leaves[..1]), []);
    let mut shown = witness();
    assert!(shown.branch_holds(), "genesis has one transaction");
    shown.branch.push(Hash32::ZERO);
    assert!(!shown.branch_holds());
}

#[test]
fn branches_have_at_most_64_siblings() {
    let mut long = witness();
    for (count, fits) in [(MAX_WITNESS_BRANCH, true), (MAX_WITNESS_BRANCH + 1, false)] {
        long.branch = vec![Hash32([1; 32]); count];
        long.parent.hash_merkle_root = fold_first(long.coinbase.hash(), &long.branch);
        assert_eq!(long.branch_holds(), fits);
        assert_eq!(Witness::from_bytes(&long.to_bytes()).is_ok(), fits);
    }
    assert_eq!(code(&long.to_bytes()), Code::CodecCountTooLarge);
}

#[test]
fn witnesses_have_at_most_262_144_bytes() {
    let mut large = witness();
    let rest = large.to_bytes().len() - large.coinbase.payload.len();
    large.coinbase.payload = vec![0x61; MAX_WITNESS_LEN - rest];
    assert_eq!(large.to_bytes().len(), 262_144);
    assert_eq!(Witness::from_bytes(&large.to_bytes()).unwrap(), large);
    large.coinbase.payload.push(0x61);
    assert_eq!(code(&large.to_bytes()), Code::CodecCountTooLarge);
}

#[test]
fn witnesses_nest_at_most_four_deep() {
    let shown = witness();
    let mut bytes = shown.to_bytes();
    for depth in 1..=MAX_WITNESS_NESTING {
        bytes = nest(&shown, &bytes);
        let read = Witness::from_bytes(&bytes).unwrap();
        assert_eq!(usize::from(read.nesting), depth);
        assert_eq!((read.parent, read.branch), (shown.parent.clone(), vec![]));
    }
    assert_eq!(code(&nest(&shown, &bytes)), Code::CodecCountTooLarge);
    let mut wrong = shown.to_bytes();
    wrong[HEADER_LEN] = 2;
    assert_eq!(code(&wrong), Code::CodecNotCanonical);
}

/// The first leaf is taken as it is, as the reference takes it: nothing makes it a coinbase but its place.
#[test]
fn the_first_transaction_may_have_inputs() {
    for version in [0, 1] {
        let mut shown = witness();
        shown.coinbase.version = version;
        shown.coinbase.inputs = vec![
            TxInput {
                txid: Hash32([7; 32]),
                index: 3,
                script: vec![1, 2, 3],
                sequence: u64::MAX,
                compute: 200,
            };
            2
        ];
        shown.parent.hash_merkle_root = fold_first(shown.coinbase.hash(), &shown.branch);
        let bytes = shown.to_bytes();
        let read = Witness::from_bytes(&bytes).unwrap();
        assert_eq!(read, shown);
        assert!(read.branch_holds());
        // The cost of the first input stands behind its txid, index, script and sequence.
        let tag = HEADER_LEN + 1 + 2 + 4 + 32 + 4 + 4 + 3 + 8;
        assert_eq!(bytes[tag], u8::from(version > 0));
        let mut wrong = bytes.clone();
        wrong[tag] = 2;
        assert_eq!(code(&wrong), Code::CodecNotCanonical);
        let mut endless = bytes;
        endless[HEADER_LEN + 3..HEADER_LEN + 7].fill(0xff);
        assert_eq!(code(&endless), Code::CodecUnexpectedEnd);
    }
}

/// A cost of the form of another version counts as none in the hash.
#[test]
fn what_an_input_costs_counts_in_the_form_of_its_version() {
    let mut shown = witness();
    shown.coinbase.version = 1;
    shown.coinbase.inputs = vec![TxInput {
        txid: Hash32([7; 32]),
        index: 3,
        script: Vec::new(),
        sequence: 5,
        compute: 0x0707,
    }];
    let mut bytes = shown.to_bytes();
    let tag = HEADER_LEN + 1 + 2 + 4 + 32 + 4 + 4 + 8;
    bytes.splice(tag..tag + 3, [0, 9]);
    let read = Witness::from_bytes(&bytes).unwrap();
    assert_eq!(read.coinbase.inputs[0].compute, 0);
}

#[test]
fn hash_and_id_inside_are_not_believed() {
    let shown = witness();
    let mut bytes = shown.to_bytes();
    bytes[..32].fill(0xaa);
    let id = bytes.len() - 4 - 32;
    bytes[id..id + 32].fill(0xbb);
    assert_eq!(Witness::from_bytes(&bytes).unwrap(), shown);
}

#[test]
fn the_references_genesis_blocks_with_its_brand() {
    let recorded = load("recorded-blocks.json");
    let mut profile = Profile::from_json(&recorded["profile"].to_string()).unwrap();
    let (brand, _) = profile.network_name.split_once('-').unwrap();
    let brand = brand.to_owned();
    let vectors = load("reference/genesis.json");
    assert_eq!(list(&vectors["cases"]).len(), 4);
    for case in list(&vectors["cases"]) {
        profile.genesis.coinbase_text = format!("{brand}{}", text(&case["coinbaseTextAfterBrand"]));
        profile.genesis.timestamp_ms = number(&case["timestampMs"]);
        profile.genesis.bits = common::small(&case["bits"]);
        profile.genesis.nonce = number(&case["nonce"]);
        let genesis = genesis_block(&profile);
        assert_eq!(genesis.merkle_root(), hash(&case["hashMerkleRoot"]));
        assert_eq!(genesis.hash(), hash(&case["hash"]), "{}", case["network"]);
    }
}
