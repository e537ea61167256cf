//! One header, two witnesses: where they are bound no network can be split by them; where form 0 is live a refusal that
//! another witness explains is none for ever, and is told of (decision record 27).

use svc_chain::block::Block;
use svc_chain::witness::Witness;
use svc_codec::hash32::Hash32;
use svc_consensus::pipeline::event::Event;
use svc_consensus::pipeline::inserted::Inserted;
use svc_pow::heavy_hash::{block_level, check_pow};

use crate::scenarios::kit::{Node, seal};
use crate::scenarios::merge_kit::{
    add, before_the_fork, bytes, commitment, fault, form0, form1, level, mined, node, offer,
    parent_with, stored, with_nonce,
};

/// Another witness for the same commitment, of another level.
fn another(first: &Witness) -> Witness {
    let level_of = |witness: &Witness| block_level(250, check_pow(&witness.parent).0);
    let mut second = first.clone();
    while level_of(&second) == level_of(first) {
        second.parent.nonce += 1;
        second = mined(second, true);
    }
    second
}

/// Two nodes of a network that took one header with different witnesses, and the header.
fn split() -> (Node, Node, Hash32) {
    let (mut one, mut two) = (before_the_fork(), before_the_fork());
    let template = one.build(1, &[]);
    let (block, first) = form0(&one, template);
    let second = another(&first);
    let hash = add(&mut one, &block, Some(&first));
    add(&mut two, &block, Some(&second));
    assert_ne!(level(&one, &hash), level(&two, &hash));
    (one, two, hash)
}

fn refusal(node: &mut Node, block: &Block) -> String {
    match offer(node, block, None) {
        Inserted::Rejected(error) => error.code.as_str().to_owned(),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

fn conflicts(node: &Node) -> Vec<(Hash32, u8, u8, Option<Hash32>)> {
    let of = |event: &Event| match event {
        Event::LevelConflict {
            block,
            level,
            other,
            child,
        } => Some((*block, *level, *other, *child)),
        _ => None,
    };
    node.events.iter().filter_map(of).collect()
}

/// The attack on the networks of the built-in profiles: whoever has a second solution has a second block, and both halves
/// take both.
#[test]
fn two_witnesses_for_one_header_split_no_network_where_they_are_bound() {
    let (mut one, mut two) = (node(&[]), node(&[]));
    let (mut refused, rounds) = (0, 20);
    for _ in 0..rounds {
        let template = one.build(1, &[]);
        let (block, first) = form1(&one, template);
        let mut next = first.clone();
        next.parent.nonce += 1;
        let (twin, second) = crate::scenarios::merge_kit::bind(block.clone(), next);
        assert_ne!(block.hash(), twin.hash());
        assert_eq!(fault(&mut two, &block, bytes(&second)), "nonce");
        refused += 1;
        // Each half hears of its own first, mines on it, and then of the other.
        add(&mut one, &block, Some(&first));
        add(&mut two, &twin, Some(&second));
        let children = [one.build(2, &[]), two.build(3, &[])].map(|block| with_nonce(block, true));
        add(&mut one, &children[0], None);
        add(&mut two, &children[1], None);
        for half in [&mut one, &mut two] {
            for (block, witness) in [(&block, &first), (&twin, &second)] {
                let taken = offer(half, block, bytes(witness));
                assert!(matches!(taken, Inserted::Accepted { .. }), "{taken:?}");
            }
            for child in &children {
                let taken = offer(half, child, None);
                assert!(matches!(taken, Inserted::Accepted { .. }), "{taken:?}");
            }
        }
        assert_eq!(one.sink(), two.sink());
        assert_eq!(level(&one, &block.hash()), level(&two, &block.hash()));
    }
    assert!(conflicts(&one).is_empty() && conflicts(&two).is_empty());
    println!("{rounds} headers, {refused} second witnesses refused, 0 blocks refused, one sink");
}

#[test]
fn a_child_that_another_witness_of_form_zero_explains_is_not_refused_for_ever() {
    let (mut one, mut two, block) = split();
    let child = with_nonce(one.build(2, &[]), true);
    let hash = add(&mut one, &child, None);
    // Not remembered: it is judged each time, and so are those above it.
    for _ in 0..2 {
        assert_eq!(refusal(&mut two, &child), "header/level-conflict");
        assert_eq!(two.engine.records().stage(&hash).unwrap(), None);
    }
    let above = with_nonce(one.build(2, &[]), true);
    add(&mut one, &above, None);
    let waits = offer(&mut two, &above, None);
    assert!(matches!(waits, Inserted::MissingParents(parents) if parents == [hash]));
    let (own, other) = (level(&two, &block), level(&one, &block));
    assert_eq!(conflicts(&two), [(block, own, other, Some(hash))]);
    // The half that knows it goes on by itself.
    let own_child = with_nonce(two.build(3, &[]), true);
    add(&mut two, &own_child, None);
    assert_eq!(refusal(&mut one, &own_child), "header/level-conflict");
}

#[test]
fn parents_that_no_witness_explains_are_wrong_for_ever() {
    let (_, mut two, block) = split();
    let mut child = two.build(2, &[]);
    let mut levels: Vec<Vec<Hash32>> = (0..child.header.parents.levels())
        .map(|level| child.header.parents.level(level).unwrap().to_vec())
        .collect();
    // The level above the last one that names the block: no level of it makes this.
    levels.push(vec![two.engine.rules().genesis_hash]);
    levels.push(vec![block]);
    child.header.parents = svc_chain::header::parents::Parents::from_levels(&levels).unwrap();
    let child = with_nonce(seal(child), true);
    assert_eq!(refusal(&mut two, &child), "header/wrong-indirect-parents");
    assert_eq!(refusal(&mut two, &child), "header/known-invalid");
    assert!(conflicts(&two).is_empty());
}

#[test]
fn a_block_with_native_work_has_one_level() {
    let mut node = before_the_fork();
    let parent = with_nonce(node.build(1, &[]), true);
    let parent_hash = add(&mut node, &parent, None);
    let mut child = node.build(2, &[]);
    let (own, direct) = (level(&node, &parent_hash), vec![parent_hash]);
    let claimed = usize::from(own) + 3;
    child.header.parents =
        svc_chain::header::parents::Parents::from_levels(&vec![direct; claimed]).unwrap();
    let child = with_nonce(seal(child), true);
    assert_eq!(refusal(&mut node, &child), "header/wrong-indirect-parents");
}

#[test]
fn a_second_witness_is_told_of_once_and_changes_nothing() {
    let mut node = before_the_fork();
    let template = node.build(1, &[]);
    let (block, first) = form0(&node, template);
    let second = another(&first);
    let hash = add(&mut node, &block, Some(&first));
    let own = level(&node, &hash);
    // What does not hold says nothing, nor does the same one again.
    let useless = mined(parent_with(commitment(&node, &block)), false);
    for witness in [&useless, &first] {
        offer(&mut node, &block, bytes(witness));
    }
    assert!(conflicts(&node).is_empty());
    for _ in 0..2 {
        let again = offer(&mut node, &block, bytes(&second));
        assert!(matches!(again, Inserted::Accepted { new: false, .. }));
    }
    let other = block_level(250, check_pow(&second.parent).0);
    assert_eq!(conflicts(&node), [(hash, own, other, None)]);
    // Neither before nor after it has children does a later witness count.
    assert_eq!(
        (level(&node, &hash), stored(&node, &hash)),
        (own, bytes(&first))
    );
    let child = with_nonce(node.build(2, &[]), true);
    add(&mut node, &child, None);
    offer(&mut node, &block, bytes(&second));
    assert_eq!(
        (level(&node, &hash), stored(&node, &hash)),
        (own, bytes(&first))
    );
    let next = with_nonce(node.build(2, &[]), true);
    add(&mut node, &next, None);
}
