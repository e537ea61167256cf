//! Coinbase notes, state roots, anchor log and note tree against their vectors.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::Value;
use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_shielded::anchor_log::{AnchorLog, LogEntry, LogPersonals};
use svc_shielded::coinbase_note::{self, Source};
use svc_shielded::frontier::{Frontier, MAX_LEAVES, combine, empty_root};
use svc_shielded::note::{NoteParts, commitment};
use svc_shielded::state_root::{Carried, Parts0, root0, root1};

use crate::common::{array, bytes, hash, hashes, list, load, number, personal, small, text};

/// A profile with other coinbase strings and note seed rule.
fn profile_with(strings: &Value, names_block: bool) -> Profile {
    let mut json: Value =
        serde_json::from_str(&Profile::built_in("mainnet").unwrap().canonical_json()).unwrap();
    json["personalisation"]["coinbaseRho"] = strings["rho"].clone();
    json["personalisation"]["coinbaseSeed"] = strings["seed"].clone();
    json["activations"]["coinbaseSeedByBlockHash"] =
        if names_block { 0.into() } else { Value::Null };
    Profile::from_json(&json.to_string()).unwrap()
}

#[test]
fn coinbase_notes_are_derived() {
    let vector = load("shielded-coinbase.json");
    let recipient = array(&load("shielded-keys.json")["address0"]);
    for case in list(&vector["cases"]) {
        let profile = profile_with(
            &vector["personals"][text(&case["personals"])],
            case["namesBlock"].as_bool().unwrap(),
        );
        let source = Source {
            block: hash(&vector["block"]),
            txid: hash(&vector["txid"]),
            daa_score: 5,
            index: small(&case["index"]) as u32,
        };
        let note = coinbase_note::derive(&profile, &source, &recipient, 6_000).unwrap();
        assert_eq!(
            (note.rho, note.rseed),
            (hash(&case["rho"]), array(&case["rseed"]))
        );
        assert_eq!(
            note.cmx,
            commitment(&note.parts(&recipient, 6_000).to_note().unwrap())
        );
        let other = coinbase_note::derive(&profile, &source, &recipient, 6_001).unwrap();
        assert_ne!(note.cmx, other.cmx);
    }
}

#[test]
fn the_note_seed_rule_is_judged_by_the_minting_block() {
    let vector = load("shielded-coinbase.json");
    let mut profile = profile_with(&vector["personals"]["svc"], false);
    profile.activations.coinbase_seed_by_block_hash = Some(100);
    let recipient = array(&load("shielded-keys.json")["address0"]);
    let rho = |daa_score| {
        let source = Source {
            block: hash(&vector["block"]),
            txid: hash(&vector["txid"]),
            daa_score,
            index: 0,
        };
        coinbase_note::derive(&profile, &source, &recipient, 1)
            .unwrap()
            .rho
    };
    assert_eq!(rho(99), hash(&vector["cases"][3]["rho"]));
    assert_eq!(rho(100), hash(&vector["cases"][5]["rho"]));
}

#[test]
fn minted_notes_of_the_recorded_chain() {
    let vector = load("reference/note-tree.json");
    let profile = profile_with(&vector["personals"], false);
    for minted in list(&vector["minted"]) {
        let source = Source {
            block: hash(&minted["block"]),
            txid: hash(&minted["txid"]),
            daa_score: number(&minted["daaScore"]),
            index: small(&minted["index"]) as u32,
        };
        let value = number(&minted["value"]);
        let note =
            coinbase_note::derive(&profile, &source, &array(&minted["recipient"]), value).unwrap();
        assert_eq!(note.cmx, hash(&minted["cmx"]));
    }
}

#[test]
fn a_mint_to_no_address_fails() {
    let profile = Profile::built_in("mainnet").unwrap();
    let source = Source {
        block: Hash32::ZERO,
        txid: Hash32::ZERO,
        daa_score: 0,
        index: 0,
    };
    let error = coinbase_note::derive(&profile, &source, &[0; 43], 1).unwrap_err();
    assert_eq!(error.code, Code::ShieldedBadRecipient);
}

#[test]
fn notes_with_bad_parts_fail() {
    let recipient = array(&load("shielded-keys.json")["address0"]);
    let parts = NoteParts {
        recipient,
        value: 1,
        rho: Hash32([0xff; 32]),
        rseed: [0; 32],
    };
    assert_eq!(parts.to_note().unwrap_err().code, Code::ShieldedBadNote);
}

#[test]
fn state_roots_of_both_forms() {
    let vector = load("shielded-state-root.json");
    for case in list(&vector["root0"]) {
        let parts = Parts0 {
            tree_root: hash(&case["treeRoot"]),
            nullifier_root: hash(&case["nullifierRoot"]),
            cumulative_coinbase: number(&case["coinbase"]),
            cumulative_fees: number(&case["fees"]),
            burn_root: hash(&case["burnRoot"]),
        };
        assert_eq!(
            root0(&personal(&case["personal"]), &parts),
            hash(&case["hash"])
        );
    }
    for case in list(&vector["root1"]) {
        let slot = &case["slot"];
        let carried = Carried {
            dev_accrued: number(&case["devAccrued"]),
            anchor_commitment: hash(&case["anchorCommitment"]),
            slot_script_version: small(&slot["version"]) as u16,
            slot_script: bytes(&slot["script"]),
            slot_amount: number(&slot["amount"]),
        };
        assert_eq!(
            root1(
                &personal(&case["personal"]),
                &hash(&case["root0"]),
                &carried
            ),
            hash(&case["hash"])
        );
    }
}

#[test]
fn state_root_of_the_empty_state() {
    let vector = load("shielded-state-root.json");
    let parts = Parts0 {
        tree_root: Frontier::empty().root(),
        nullifier_root: svc_chain::muhash::MuHash::new().finalize(),
        cumulative_coinbase: 0,
        cumulative_fees: 0,
        burn_root: Hash32::ZERO,
    };
    assert_eq!(parts.tree_root, hash(&vector["emptyTreeRoot"]));
    for name in ["reference", "svc"] {
        let case = &vector["empty"][name];
        assert_eq!(
            root0(&personal(&case["personal"]), &parts),
            hash(&case["hash"])
        );
    }
}

#[test]
fn anchor_log_commitments() {
    let vector = &load("shielded-state-root.json")["anchorLog"];
    let personals = LogPersonals {
        leaf: personal(&vector["personals"]["leaf"]),
        node: personal(&vector["personals"]["node"]),
        root: personal(&vector["personals"]["root"]),
    };
    let mut log = AnchorLog::default();
    assert_eq!(log.commitment(&personals), hash(&vector["empty"]));
    for entry in list(&vector["entries"]) {
        let after = hash(&entry["after"]);
        let entry = LogEntry {
            block: hash(&entry["block"]),
            parent: hash(&entry["parent"]),
            tree_root: hash(&entry["treeRoot"]),
            blue_score: number(&entry["blueScore"]),
        };
        log.append(&personals, &entry);
        assert_eq!(log.commitment(&personals), after);
        assert_eq!(log.peaks().len(), log.count().count_ones() as usize);
        let mut writer = Writer::new();
        log.encode(&mut writer);
        let stored = writer.into_vec();
        assert_eq!(AnchorLog::decode(&mut Reader::new(&stored)).unwrap(), log);
        assert!(AnchorLog::decode(&mut Reader::new(&stored[1..])).is_err());
    }
    let full = [0xff; 8 + 64 * 32];
    assert_eq!(
        AnchorLog::decode(&mut Reader::new(&full)).unwrap_err().code,
        Code::ShieldedBadAnchorLog
    );
}

#[test]
fn empty_roots() {
    let printed = [
        (
            1,
            "d1ab2507c809c2713c000f525e9fbdcb06c958384e51b9cc7f792dde6c97f411",
        ),
        (
            16,
            "2182163eac4061885a313568148dfae564e478066dcbe389a0ddb1ecb7f5dc34",
        ),
        (
            31,
            "87d063cd07ee4944222b7762840eb94c688bec743fa8bdf7715c8fe29f104c2a",
        ),
        (
            32,
            "ae2935f1dfd8a24aed7c70df7de3a668eb7a49b1319880dde2bbd9031ae5d82f",
        ),
    ];
    assert_eq!(empty_root(0).0[0], 2);
    for level in 0..32 {
        assert_eq!(
            empty_root(level + 1),
            combine(level, &empty_root(level), &empty_root(level)).unwrap()
        );
    }
    for (level, root) in printed {
        assert_eq!(empty_root(level).to_string(), root, "level {level}");
    }
}

/// The root by its definition: all leaves, padded, hashed level by level.
fn root_by_definition(leaves: &[Hash32]) -> Hash32 {
    let mut row = leaves.to_vec();
    for level in 0..32 {
        if row.len() % 2 == 1 {
            row.push(empty_root(level));
        }
        row = row
            .chunks(2)
            .map(|pair| combine(level, &pair[0], &pair[1]).unwrap())
            .collect();
    }
    row.first().copied().unwrap_or_else(|| empty_root(32))
}

#[test]
fn frontier_agrees_with_the_definition_and_the_recorded_chain() {
    let vector = load("reference/note-tree.json");
    let leaves = hashes(&vector["leaves"]);
    let mut recorded = list(&vector["frontiers"]).iter().peekable();
    let mut frontier = Frontier::empty();
    for size in 0..=leaves.len() {
        while let Some(state) = recorded.next_if(|state| number::<usize>(&state["size"]) == size) {
            assert_eq!(frontier.ommers(), hashes(&state["ommers"]), "size {size}");
            assert_eq!(
                frontier.leaf().unwrap_or(Hash32::ZERO),
                hash(&state["leaf"])
            );
        }
        if size <= 33 || size == leaves.len() {
            assert_eq!(
                frontier.root(),
                root_by_definition(&leaves[..size]),
                "size {size}"
            );
        }
        if let Some(leaf) = leaves.get(size) {
            frontier.append(leaf).unwrap();
        }
    }
    assert!(recorded.next().is_none());
    let mut at_once = Frontier::empty();
    at_once.append_all(&leaves).unwrap();
    assert_eq!(at_once, frontier);
}

#[test]
fn stored_frontiers_are_validated() {
    let leaf = Hash32([1; 32]);
    let bad = Hash32([0xff; 32]);
    let code =
        |size, leaf, ommers: &[Hash32]| Frontier::from_parts(size, leaf, ommers).unwrap_err().code;
    assert_eq!(code(0, Some(leaf), &[]), Code::ShieldedBadFrontier);
    assert_eq!(code(1, None, &[]), Code::ShieldedBadFrontier);
    assert_eq!(code(2, Some(leaf), &[]), Code::ShieldedBadFrontier);
    assert_eq!(
        code(3, Some(leaf), &[leaf, leaf]),
        Code::ShieldedBadFrontier
    );
    assert_eq!(
        code(MAX_LEAVES + 1, Some(leaf), &[]),
        Code::ShieldedBadFrontier
    );
    assert_eq!(code(1, Some(bad), &[]), Code::CodecNotCanonical);
    assert_eq!(code(2, Some(leaf), &[bad]), Code::CodecNotCanonical);
    let mut full = Frontier::from_parts(MAX_LEAVES, Some(leaf), &[leaf; 32]).unwrap();
    assert_eq!(full.append(&leaf).unwrap_err().code, Code::ShieldedTreeFull);
    full.root();
    let mut frontier = Frontier::from_parts(2, Some(leaf), &[leaf]).unwrap();
    assert_eq!(
        frontier.append(&bad).unwrap_err().code,
        Code::CodecNotCanonical
    );
    assert_eq!(frontier.size(), 2);
    let mut writer = Writer::new();
    frontier.encode(&mut writer);
    let stored = writer.into_vec();
    assert_eq!(
        Frontier::decode(&mut Reader::new(&stored)).unwrap(),
        frontier
    );
    for cut in 0..stored.len() {
        assert!(
            Frontier::decode(&mut Reader::new(&stored[..cut])).is_err(),
            "cut at {cut}"
        );
    }
}
