//! The lanes tree kept node by node, against the root over all lanes at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::cell::Cell;
use std::collections::BTreeMap;

use svc_chain::lane_tree::{
    LaneNode, LeafChange, LeafChanges, NodePlace, Subtree, TreeUpdate, update as update_tree,
};
use svc_chain::seq_commit::lanes_root;
use svc_chance::chance::Chance;
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;

fn hash(chance: &mut Chance) -> Hash32 {
    let mut bytes = [0; 32];
    for chunk in bytes.chunks_mut(8) {
        chunk.copy_from_slice(&chance.bits().to_le_bytes());
    }
    Hash32(bytes)
}

/// Keys, many of which share a long beginning.
fn keys(chance: &mut Chance, count: usize) -> Vec<Hash32> {
    let mut keys = vec![hash(chance)];
    while keys.len() < count {
        let mut key = hash(chance);
        if chance.below(2) == 0 {
            key = keys[chance.index(keys.len())];
            let bit = chance.index(256);
            key.0[bit / 8] ^= 0x80 >> (bit % 8);
        }
        keys.push(key);
    }
    keys
}

type Lanes = BTreeMap<Hash32, Hash32>;
/// New leaf per lane, `None` for a lane that goes.
type Wishes = BTreeMap<Hash32, Option<Hash32>>;

/// A tree in memory with the lanes it should have.
#[derive(Clone, Default)]
struct Tree {
    nodes: BTreeMap<Vec<u8>, LaneNode>,
    lanes: Lanes,
}

impl Tree {
    fn changes(&self, wishes: &Wishes) -> LeafChanges {
        let change = |(key, after): (&Hash32, &Option<Hash32>)| {
            let (before, after) = (self.lanes.get(key).copied(), *after);
            (*key, LeafChange { before, after })
        };
        wishes.iter().map(change).collect()
    }

    fn plan(&self, changes: &LeafChanges) -> TreeUpdate {
        update_tree(
            |place| Ok(self.nodes.get(&place.to_bytes()).copied()),
            changes,
        )
        .unwrap()
    }

    fn apply(&mut self, changes: &Wishes) {
        let update = self.plan(&self.changes(changes));
        assert_eq!(update.before, whole_root(&self.lanes));
        for (key, leaf) in changes {
            match leaf {
                Some(leaf) => self.lanes.insert(*key, *leaf),
                None => self.lanes.remove(key),
            };
        }
        assert_eq!(update.root, whole_root(&self.lanes));
        for (place, node) in update.nodes {
            match node {
                Some(node) => self.nodes.insert(place.to_bytes(), node),
                None => self.nodes.remove(&place.to_bytes()),
            };
        }
    }

    /// What takes changes back.
    fn undo(&self, changes: &Wishes) -> Wishes {
        let before = changes
            .keys()
            .map(|key| (*key, self.lanes.get(key).copied()));
        before.collect()
    }

    fn of(lanes: Lanes) -> Self {
        let mut tree = Self::default();
        tree.apply(
            &lanes
                .into_iter()
                .map(|(key, leaf)| (key, Some(leaf)))
                .collect(),
        );
        tree
    }
}

fn whole_root(lanes: &Lanes) -> Hash32 {
    lanes_root(
        &lanes
            .iter()
            .map(|(key, leaf)| (*key, *leaf))
            .collect::<Vec<_>>(),
    )
}

/// Touches, expires and reorganises at random; returns how many steps went back.
fn run(seed: u64) -> usize {
    println!("seed {seed}");
    let mut chance = Chance::new(seed);
    let keys = keys(&mut chance, 40);
    let mut tree = Tree::default();
    let mut undos: Vec<Wishes> = Vec::new();
    let mut reverted = 0;
    for step in 0..200 {
        if chance.below(8) == 0 {
            for _ in 0..=chance.below(12) {
                let Some(undo) = undos.pop() else { break };
                tree.apply(&undo);
                reverted += 1;
            }
        }
        // Now and then most lanes go, so that the tree is empty or has one lane.
        let goes = if chance.below(10) == 0 { 9 } else { 3 };
        let mut changes = Wishes::new();
        for _ in 0..chance.below(if goes == 9 { 80 } else { 12 }) {
            let key = keys[chance.index(keys.len())];
            let leaf = (chance.below(10) >= goes).then(|| hash(&mut chance));
            changes.insert(key, leaf);
        }
        undos.push(tree.undo(&changes));
        tree.apply(&changes);
        // The stored nodes tell nothing of how the lanes came to be.
        if step % 8 == 0 {
            assert_eq!(
                tree.nodes,
                Tree::of(tree.lanes.clone()).nodes,
                "seed {seed}"
            );
        }
    }
    while let Some(undo) = undos.pop() {
        tree.apply(&undo);
    }
    assert!(
        tree.lanes.is_empty() && tree.nodes.is_empty(),
        "seed {seed}"
    );
    reverted
}

#[test]
fn random_changes_and_their_undoing_give_the_root_over_all_lanes() {
    let reverted: usize = (1..=6).map(run).sum();
    assert!(reverted > 100);
}

#[test]
fn keys_that_differ_in_their_last_bit() {
    let mut chance = Chance::new(7);
    let (first, mut second) = (hash(&mut chance), Hash32::ZERO);
    second.0 = first.0;
    second.0[31] ^= 1;
    let both = Lanes::from([(first, hash(&mut chance)), (second, hash(&mut chance))]);
    let mut tree = Tree::of(both);
    assert_eq!(tree.nodes.len(), 256, "one on every level");
    tree.apply(&Wishes::from([(second, None)]));
    assert_eq!(tree.nodes.len(), 1);
    tree.apply(&Wishes::from([(first, None)]));
    assert_eq!(tree.nodes.len(), 0);
}

#[test]
fn a_touched_lane_costs_as_many_nodes_as_the_tree_is_high() {
    let mut chance = Chance::new(9);
    let lanes: Lanes = (0..20_000)
        .map(|_| (hash(&mut chance), hash(&mut chance)))
        .collect();
    let tree = Tree::of(lanes);
    let reads = Cell::new(0);
    let read = |place: &NodePlace| {
        reads.set(reads.get() + 1);
        Ok(tree.nodes.get(&place.to_bytes()).copied())
    };
    for key in tree.lanes.keys().take(50) {
        reads.set(0);
        let changes = tree.changes(&Wishes::from([(*key, Some(hash(&mut chance)))]));
        let update = update_tree(read, &changes).unwrap();
        assert!(
            update.nodes.len() <= 40 && reads.get() <= 40,
            "log2 of 20,000 is 14.3"
        );
    }
}

#[test]
fn stored_nodes_come_back_and_damage_does_not_pass_for_another() {
    let lane = Subtree::Lane {
        key: Hash32([1; 32]),
        leaf: Hash32([2; 32]),
    };
    let sides = [Subtree::Empty, lane, Subtree::Branch(Hash32([3; 32]))];
    for (left, right) in sides
        .iter()
        .flat_map(|left| sides.map(|right| (*left, right)))
    {
        let bytes = LaneNode { left, right }.encode();
        assert_eq!(LaneNode::decode(&bytes).unwrap(), LaneNode { left, right });
        for position in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[position] ^= 1 << bit;
                if let Ok(node) = LaneNode::decode(&damaged) {
                    assert_eq!(node.encode(), damaged);
                }
            }
            assert!(LaneNode::decode(&bytes[..position]).is_err());
        }
        assert!(LaneNode::decode(&[bytes, vec![0]].concat()).is_err());
    }
}

#[test]
fn nodes_that_do_not_fit_together_are_an_error() {
    let mut chance = Chance::new(11);
    let keys = keys(&mut chance, 40);
    let lanes = keys.iter().map(|key| (*key, hash(&mut chance))).collect();
    let tree = Tree::of(lanes);
    for gone in tree.nodes.keys().filter(|place| place.len() > 1) {
        let read = |place: &NodePlace| {
            let bytes = place.to_bytes();
            Ok(tree.nodes.get(&bytes).copied().filter(|_| bytes != *gone))
        };
        let all = tree.changes(&keys.iter().map(|key| (*key, None)).collect());
        assert_eq!(
            update_tree(read, &all).unwrap_err().code,
            Code::StoreCorrupt
        );
    }
}

#[test]
fn a_changed_node_or_another_lane_than_told_is_an_error() {
    let mut chance = Chance::new(13);
    let keys = keys(&mut chance, 40);
    let tree = Tree::of(keys.iter().map(|key| (*key, hash(&mut chance))).collect());
    let all = tree.changes(&keys.iter().map(|key| (*key, None)).collect());
    for changed in tree.nodes.keys().filter(|place| place.len() > 1) {
        let read = |place: &NodePlace| {
            let bytes = place.to_bytes();
            let node = tree.nodes.get(&bytes).copied();
            Ok(if bytes == *changed {
                node.map(|node| LaneNode {
                    left: node.right,
                    right: node.left,
                })
            } else {
                node
            })
        };
        assert_eq!(
            update_tree(read, &all).unwrap_err().code,
            Code::StoreCorrupt
        );
    }
    let read = |place: &NodePlace| Ok(tree.nodes.get(&place.to_bytes()).copied());
    let absent = hash(&mut chance);
    for key in keys.iter().chain([&absent]) {
        let truth = tree.lanes.get(key).copied();
        for before in [None, truth, Some(hash(&mut chance))] {
            let change = LeafChange {
                before,
                after: Some(hash(&mut chance)),
            };
            let update = update_tree(read, &LeafChanges::from([(*key, change)]));
            assert_eq!(update.is_ok(), before == truth);
        }
    }
}
