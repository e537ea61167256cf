//! Notes under a tree root: paths of the wallet's own tree hold, anything else does not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_evidence::note::{NoteOpening, prove_note};
use svc_scan::note_tree::NoteTree;
use svc_shielded::frontier::Frontier;
use svc_shielded::keys::address_at;
use svc_shielded::note::{NoteParts, commitment};

/// A named change and its error.
type Change = (&'static str, Code, fn(&mut NoteOpening));

/// Two addresses of the key in the shared vectors.
fn recipients() -> [[u8; 43]; 2] {
    let keys: serde_json::Value =
        serde_json::from_str(include_str!("../../../../tests/vectors/shielded-keys.json")).unwrap();
    let text = keys["fvk"].as_str().unwrap();
    let viewing_key = hex::decode(text).unwrap().try_into().unwrap();
    [0, 1].map(|index| address_at(&viewing_key, index).unwrap())
}

fn parts(index: u8) -> NoteParts {
    let mut rho = [0; 32];
    rho[0] = index;
    NoteParts {
        recipient: recipients()[0],
        value: 1_000 + u64::from(index),
        rho: Hash32(rho),
        rseed: [index; 32],
    }
}

/// A tree of 21 notes, its root, and the opening of one of them.
fn opening(index: u8) -> (Hash32, NoteOpening) {
    let notes: Vec<Hash32> = (0..21)
        .map(|index| commitment(&parts(index).to_note().unwrap()))
        .collect();
    let mut tree = NoteTree::new(Frontier::empty()).unwrap();
    tree.append(&notes).unwrap();
    let path = tree.path(u64::from(index), 21).unwrap().to_vec();
    let opening = NoteOpening {
        parts: parts(index),
        position: u32::from(index),
        path,
    };
    (tree.root(21).unwrap(), opening)
}

#[test]
fn every_note_of_a_tree_stands_in_it() {
    for index in 0..21 {
        let (root, told) = opening(index);
        let read = NoteOpening::decode(&told.encode()).unwrap();
        assert_eq!(read, told);
        let proved = prove_note(&root, read).unwrap();
        assert_eq!(proved.parts(), &parts(index));
        assert_eq!(proved.position(), u32::from(index));
    }
}

#[test]
fn another_note_stands_in_no_tree() {
    let changes: [Change; 8] = [
        ("value", Code::EvidenceNotInTree, |one| one.parts.value += 1),
        ("recipient", Code::EvidenceNotInTree, |one| {
            one.parts.recipient = recipients()[1];
        }),
        ("no recipient", Code::ShieldedBadRecipient, |one| {
            one.parts.recipient[11..].fill(0xff);
        }),
        ("rho", Code::EvidenceNotInTree, |one| {
            one.parts.rho.0[1] ^= 1
        }),
        ("seed", Code::EvidenceNotInTree, |one| {
            one.parts.rseed[0] ^= 1
        }),
        ("place", Code::EvidenceNotInTree, |one| one.position ^= 1),
        ("no node", Code::CodecNotCanonical, |one| {
            one.path[3] = Hash32([0xff; 32]);
        }),
        ("short path", Code::EvidenceNotInTree, |one| {
            one.path.truncate(31)
        }),
    ];
    for (what, code, change) in changes {
        let (root, mut told) = opening(5);
        change(&mut told);
        let error = prove_note(&root, told).expect_err(what);
        assert_eq!(error.code, code, "{what}");
    }
    let (_, told) = opening(5);
    let error = prove_note(&Hash32::ZERO, told).unwrap_err();
    assert_eq!(error.code, Code::EvidenceNotInTree);
}
