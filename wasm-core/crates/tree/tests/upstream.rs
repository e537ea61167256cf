//! Nodes and note commitments in batches against the `orchard` crate, over random and extreme inputs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use incrementalmerkletree::{Hashable, Level};
use orchard::Note;
use orchard::keys::{FullViewingKey, Scope, SpendingKey};
use orchard::note::{ExtractedNoteCommitment, NoteVersion, RandomSeed, Rho};
use orchard::tree::MerkleHashOrchard;
use orchard::value::NoteValue;
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_plain;
use svc_tree::edge::{Edge, append, empty_root, root};
use svc_tree::merkle::{combine, combine_level};
use svc_tree::note_commitment::commit;
use svc_tree::note_fields::{NoteFields, diversified_base};
use svc_tree::nullifier::{OwnLeaf, own_leaves};

/// Rounds of the full size (`SVC_TEST_SIZE=full`); the reduced one takes a tenth.
fn rounds(full: usize) -> usize {
    if std::env::var("SVC_TEST_SIZE").is_ok_and(|size| size == "full") {
        full
    } else {
        full / 10
    }
}

fn random(tag: &str, index: u64) -> [u8; 32] {
    blake2b_plain()
        .update(tag.as_bytes())
        .update(&index.to_le_bytes())
        .finalize()
        .0
}

fn node(index: u64) -> Hash32 {
    let mut bytes = random("node", index);
    bytes[31] &= 0x3f;
    match index % 19 {
        0 => Hash32::ZERO,
        // The largest canonical value.
        1 => Hash32([
            0, 0, 0, 0, 0xed, 0x30, 0x2d, 0x99, 0x1b, 0xf9, 0x4c, 0x09, 0xfc, 0x98, 0x46, 0x22, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40,
        ]),
        2 => empty_root(0),
        _ => Hash32(bytes),
    }
}

fn theirs(level: u8, left: &Hash32, right: &Hash32) -> Hash32 {
    let read = |hash: &Hash32| MerkleHashOrchard::from_bytes(hash.as_bytes()).unwrap();
    Hash32(MerkleHashOrchard::combine(Level::from(level), &read(left), &read(right)).to_bytes())
}

#[test]
fn nodes_are_those_of_upstream() {
    let mut next = 0;
    for (count, level) in [
        (1, 0),
        (2, 31),
        (3, 7),
        (rounds(700), 1),
        (rounds(3_000), 16),
    ] {
        let pairs: Vec<[Hash32; 2]> = (0..count as u64)
            .map(|_| {
                next += 2;
                [node(next), node(next + 1)]
            })
            .collect();
        let nodes = combine_level(level, &pairs);
        assert_eq!(nodes.len(), pairs.len());
        for (ours, [left, right]) in nodes.iter().zip(&pairs) {
            assert_eq!(*ours, theirs(level, left, right));
        }
    }
    assert!(combine_level(3, &[]).is_empty());
}

#[test]
fn empty_subtrees_are_those_of_upstream() {
    for level in 0..=32 {
        assert_eq!(
            empty_root(level).0,
            MerkleHashOrchard::empty_root(Level::from(level)).to_bytes()
        );
    }
    assert_eq!(empty_root(33), empty_root(32));
}

#[test]
fn note_commitments_and_nullifiers_are_those_of_upstream() {
    let mut expected = Vec::new();
    let mut fields = Vec::new();
    let mut nullifiers = Vec::new();
    let key =
        |index: u64| FullViewingKey::from(&SpendingKey::from_bytes(random("key", index)).unwrap());
    let keys: Vec<_> = (0..4).map(key).collect();
    for index in 0..rounds(1_500) as u64 {
        let address = keys[index as usize % 4].address_at(index / 8, Scope::External);
        let value = match index % 5 {
            0 => 0,
            1 => u64::MAX,
            _ => index * 0x0123_4567_89ab,
        };
        let mut rho = random("rho", index);
        rho[31] &= 0x3f;
        let rseed = random("rseed", index);
        let upstream_rho = Rho::from_bytes(&rho).unwrap();
        let seed = RandomSeed::from_bytes(rseed, &upstream_rho).unwrap();
        let note = Note::from_parts(
            address,
            NoteValue::from_raw(value),
            upstream_rho,
            seed,
            NoteVersion::V2,
        )
        .unwrap();
        expected.push(Hash32(
            ExtractedNoteCommitment::from(note.commitment()).to_bytes(),
        ));
        nullifiers.push(Hash32(note.nullifier(&keys[0]).to_bytes()));
        let raw = address.to_raw_address_bytes();
        let g_d = diversified_base(raw[..11].try_into().unwrap());
        fields.push(NoteFields::new(
            g_d,
            raw[11..].try_into().unwrap(),
            value,
            rho,
            &rseed,
        ));
    }
    assert_eq!(commit(&fields), expected);
    assert_eq!(commit(&fields[..1]), expected[..1]);
    assert_eq!(commit(&fields[1..4]), expected[1..4]);
    assert!(commit(&[]).is_empty());
    let nullifier_key: [u8; 32] = keys[0].to_bytes()[32..64].try_into().unwrap();
    let expected: Vec<OwnLeaf> = expected
        .into_iter()
        .zip(nullifiers)
        .map(|(cmx, nullifier)| OwnLeaf { cmx, nullifier })
        .collect();
    assert_eq!(own_leaves(&nullifier_key, &fields).unwrap(), expected);
    assert_eq!(
        own_leaves(&nullifier_key, &fields[..1]).unwrap(),
        expected[..1]
    );
    assert!(own_leaves(&nullifier_key, &[]).unwrap().is_empty());
    assert!(own_leaves(&[0xff; 32], &fields).is_none());
}

/// One leaf after the other, as the definition has it.
fn push(edge: Option<Edge>, leaf: Hash32) -> Edge {
    let Some(mut edge) = edge else {
        return Edge {
            size: 1,
            leaf,
            ommers: Vec::new(),
        };
    };
    let completed = (edge.size - 1).trailing_ones() as usize;
    let mut carry = edge.leaf;
    for (level, ommer) in edge.ommers.drain(..completed).enumerate() {
        carry = combine(level as u8, &ommer, &carry);
    }
    edge.ommers.insert(0, carry);
    Edge {
        size: edge.size + 1,
        leaf,
        ommers: edge.ommers,
    }
}

#[test]
fn blocks_of_leaves_give_the_edge_of_their_leaves() {
    let leaves: Vec<Hash32> = (0..70).map(node).collect();
    let mut single: Vec<Option<Edge>> = vec![None];
    for leaf in &leaves {
        single.push(Some(push(single.last().cloned().flatten(), *leaf)));
    }
    for start in [0, 1, 2, 3, 4, 7, 8, 31, 32, 33] {
        for end in (start..70).step_by(3).chain([70]) {
            assert_eq!(
                append(single[start].as_ref(), &leaves[start..end]),
                single[end],
                "{start} to {end}"
            );
        }
    }
}

#[test]
fn roots_and_edges_near_the_end_are_those_of_the_definition() {
    let mut oracle =
        incrementalmerkletree::frontier::CommitmentTree::<MerkleHashOrchard, 32>::empty();
    let mut edge = None;
    assert_eq!(root(None).0, oracle.root().to_bytes());
    for index in 0..21 {
        oracle
            .append(MerkleHashOrchard::from_bytes(node(index).as_bytes()).unwrap())
            .unwrap();
        edge = append(edge.as_ref(), &[node(index)]);
        assert_eq!(root(edge.as_ref()).0, oracle.root().to_bytes(), "{index}");
    }
    // The last leaf of a full tree has 32 left siblings, and the root uses nothing empty.
    let ommers: Vec<Hash32> = (0..31).map(node).collect();
    let almost = Edge {
        size: (1 << 32) - 1,
        leaf: node(99),
        ommers: ommers.clone(),
    };
    let full = append(Some(&almost), &[node(98)]).unwrap();
    assert_eq!(
        (full.size, full.leaf, full.ommers.len()),
        (1 << 32, node(98), 32)
    );
    assert_eq!(full.ommers[0], node(99));
    assert_eq!(full.ommers[1..], ommers);
    let expected = full
        .ommers
        .iter()
        .enumerate()
        .fold(full.leaf, |n, (level, left)| theirs(level as u8, left, &n));
    assert_eq!(root(Some(&full)), expected);
}
