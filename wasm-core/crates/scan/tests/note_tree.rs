//! The note tree against the witnesses of `incrementalmerkletree`, which upstream wallets use.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use incrementalmerkletree::frontier::CommitmentTree;
use incrementalmerkletree::witness::IncrementalWitness;
use orchard::tree::MerkleHashOrchard;
use proptest::prelude::*;
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_plain;
use svc_codec::writer::Writer;
use svc_scan::note_tree::NoteTree;
use svc_shielded::field::node;
use svc_shielded::frontier::{Frontier, combine, empty_root};

type Oracle = CommitmentTree<MerkleHashOrchard, 32>;
type Witness = IncrementalWitness<MerkleHashOrchard, 32>;

/// Distinct canonical leaves.
fn leaves(count: u64) -> Vec<Hash32> {
    let leaf = |index: u64| {
        let mut hash = blake2b_plain().update(&index.to_le_bytes()).finalize();
        hash.0[31] &= 0x3f;
        hash
    };
    (0..count).map(leaf).collect()
}

fn frontier_of(leaves: &[Hash32]) -> Frontier {
    let mut frontier = Frontier::empty();
    frontier.append_all(leaves).unwrap();
    frontier
}

fn state_bytes(frontier: &Frontier) -> Vec<u8> {
    let mut writer = Writer::new();
    frontier.encode(&mut writer);
    writer.into_vec()
}

/// Where a path leads, computed from its definition.
fn walk(leaf: &Hash32, position: u64, path: &[Hash32; 32]) -> Hash32 {
    path.iter()
        .enumerate()
        .fold(*leaf, |node, (level, sibling)| {
            match position >> level & 1 {
                0 => combine(level as u8, &node, sibling).unwrap(),
                _ => combine(level as u8, sibling, &node).unwrap(),
            }
        })
}

#[test]
fn every_path_at_the_newest_size_is_the_oracles() {
    let leaves = leaves(18);
    for base in [0, 1, 2, 3, 7, 8, 13] {
        let mut tree = NoteTree::from_bytes(&state_bytes(&frontier_of(&leaves[..base]))).unwrap();
        let mut oracle = Oracle::empty();
        let mut witnesses: Vec<Witness> = Vec::new();
        for (index, leaf) in leaves.iter().enumerate() {
            let oracle_leaf = node(leaf).unwrap();
            witnesses
                .iter_mut()
                .for_each(|witness| witness.append(oracle_leaf).unwrap());
            oracle.append(oracle_leaf).unwrap();
            witnesses.push(Witness::from_tree(oracle.clone()).unwrap());
            if index >= base {
                tree.append(&[*leaf]).unwrap();
            }
            if index + 1 < base.max(1) {
                continue;
            }
            let size = index as u64 + 1;
            assert_eq!(
                tree.root(size).unwrap().0,
                oracle.root().to_bytes(),
                "base {base}, size {size}"
            );
            for (position, witness) in witnesses.iter().enumerate().skip(base.saturating_sub(1)) {
                let path = tree.path(position as u64, size).unwrap();
                let expected = witness.path().unwrap();
                let expected: Vec<Hash32> = expected
                    .path_elems()
                    .iter()
                    .map(|hash| Hash32(hash.to_bytes()))
                    .collect();
                assert_eq!(
                    path.to_vec(),
                    expected,
                    "base {base}, position {position}, size {size}"
                );
            }
        }
    }
}

#[test]
fn paths_at_every_earlier_size_lead_to_the_root_of_that_size() {
    let leaves = leaves(36);
    for base in [0_u64, 1, 5, 32] {
        let mut tree = NoteTree::new(frontier_of(&leaves[..base as usize])).unwrap();
        tree.append(&leaves[base as usize..]).unwrap();
        for size in base.max(1)..=36 {
            let root = frontier_of(&leaves[..size as usize]).root();
            assert_eq!(tree.root(size).unwrap(), root, "base {base}, size {size}");
            for position in (base.saturating_sub(1)..size).step_by(3).chain([size - 1]) {
                let path = tree.path(position, size).unwrap();
                assert_eq!(
                    walk(&leaves[position as usize], position, &path),
                    root,
                    "{position} of {size}"
                );
            }
        }
    }
}

#[test]
fn the_empty_tree_has_the_empty_root() {
    let tree = NoteTree::from_bytes(&state_bytes(&Frontier::empty())).unwrap();
    assert_eq!(tree.root(0).unwrap(), empty_root(32));
    assert_eq!((tree.size(), tree.base_size()), (0, 0));
}

#[test]
fn positions_outside_are_refused() {
    let leaves = leaves(20);
    let mut tree = NoteTree::new(frontier_of(&leaves[..9])).unwrap();
    tree.append(&leaves[9..]).unwrap();
    let code = |result: Result<_, svc_codec::error::SvcError>| {
        result.map(|_: Hash32| ()).unwrap_err().code
    };
    for size in [0, 8, 21, u64::MAX] {
        assert_eq!(
            code(tree.root(size)),
            Code::ShieldedBadPosition,
            "size {size}"
        );
        assert_eq!(
            tree.clone().truncate(size).unwrap_err().code,
            Code::ShieldedBadPosition
        );
    }
    for (position, size) in [(7, 20), (20, 20), (15, 15), (8, 8), (u64::MAX, 20)] {
        assert_eq!(
            tree.path(position, size).unwrap_err().code,
            Code::ShieldedBadPosition,
            "{position} of {size}"
        );
    }
    tree.path(8, 20).unwrap();
    let before = tree.clone();
    assert_eq!(
        tree.append(&[leaves[0], Hash32([0xff; 32])])
            .unwrap_err()
            .code,
        Code::CodecNotCanonical
    );
    assert_eq!(tree, before);
}

#[test]
fn subtrees_that_are_appended_whole_make_the_tree_of_their_leaves() {
    let leaves = leaves(45);
    for (base, height) in [(0, 0), (0, 2), (0, 4), (3, 2), (4, 2), (9, 3), (16, 4)] {
        let mut tree = NoteTree::new(frontier_of(&leaves[..base])).unwrap();
        tree.append(&leaves[base..]).unwrap();
        let count = 1 << height;
        let mut again = NoteTree::new(frontier_of(&leaves[..base])).unwrap();
        let begin = base.next_multiple_of(count);
        again.append(&leaves[base..begin]).unwrap();
        for first in (begin..=leaves.len() - count).step_by(count) {
            let nodes = tree.subtree(first as u64, height).unwrap();
            assert_eq!(nodes[..count], leaves[first..first + count]);
            again.append_subtree(&nodes).unwrap();
        }
        again.append(&leaves[again.size() as usize..]).unwrap();
        assert_eq!(again, tree, "base {base}, height {height}");
    }
}

#[test]
fn subtrees_elsewhere_and_of_another_form_are_refused() {
    let leaves = leaves(20);
    let mut tree = NoteTree::new(frontier_of(&leaves[..7])).unwrap();
    tree.append(&leaves[7..]).unwrap();
    for (first, height) in [
        (4, 2),
        (0, 2),
        (7, 1),
        (20, 2),
        (16, 3),
        (0, 17),
        (u64::MAX, 0),
    ] {
        let refused = tree.subtree(first, height).unwrap_err();
        assert_eq!(refused.code, Code::ShieldedBadPosition, "{first}, {height}");
    }
    let nodes = tree.subtree(8, 2).unwrap();
    let before = tree.clone();
    for count in [0, 1, 2, 4, 5, 6] {
        // 20 is a multiple of 1 and 4: one node and seven are subtrees.
        let result = tree.clone().append_subtree(&nodes[..count]);
        assert_eq!(result.is_ok(), count == 1, "{count} nodes");
    }
    let mut spoilt = nodes.clone();
    spoilt[6] = Hash32([0xff; 32]);
    let refused = tree.append_subtree(&spoilt).unwrap_err();
    assert_eq!(refused.code, Code::CodecNotCanonical);
    assert_eq!(tree, before);
    tree.append(&leaves[..1]).unwrap();
    let refused = tree.append_subtree(&nodes).unwrap_err();
    assert_eq!(refused.code, Code::ShieldedBadPosition);
}

#[test]
fn a_stored_tree_with_any_byte_changed_is_refused() {
    let leaves = leaves(11);
    let mut tree = NoteTree::new(frontier_of(&leaves[..3])).unwrap();
    tree.append(&leaves[3..]).unwrap();
    let stored = tree.to_bytes();
    assert_eq!(NoteTree::from_bytes(&stored).unwrap(), tree);
    for position in 0..stored.len() {
        let mut spoilt = stored.clone();
        spoilt[position] ^= 1;
        assert!(NoteTree::from_bytes(&spoilt).is_err(), "byte {position}");
        assert!(
            NoteTree::from_bytes(&stored[..position]).is_err(),
            "cut at {position}"
        );
    }
    let mut newer = stored;
    newer[8] = 2;
    assert_eq!(
        NoteTree::from_bytes(&newer).unwrap_err().code,
        Code::CodecVersion
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// However leaves arrive and reorganisations cut, the tree is that of its leaves.
    #[test]
    fn history_does_not_matter(base in 0_usize..20, steps in proptest::collection::vec((0_usize..9, 0_usize..9), 1..8)) {
        let all = leaves(200);
        let mut tree = NoteTree::new(frontier_of(&all[..base])).unwrap();
        let mut expected = all[..base].to_vec();
        let mut fresh = all[base..].iter();
        for (added, removed) in steps {
            let new: Vec<Hash32> = fresh.by_ref().take(added).copied().collect();
            tree.append(&new).unwrap();
            expected.extend(new);
            let size = expected.len().saturating_sub(removed).max(base);
            tree.truncate(size as u64).unwrap();
            expected.truncate(size);
        }
        prop_assert_eq!(tree.size(), expected.len() as u64);
        prop_assert_eq!(tree.root(tree.size()).unwrap(), frontier_of(&expected).root());
        let mut direct = NoteTree::new(frontier_of(&all[..base])).unwrap();
        direct.append(&expected[base..]).unwrap();
        prop_assert_eq!(&direct, &tree);
        prop_assert_eq!(NoteTree::from_bytes(&tree.to_bytes()).unwrap(), tree);
    }

    #[test]
    fn any_bytes_are_a_tree_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = NoteTree::from_bytes(&bytes);
    }
}
