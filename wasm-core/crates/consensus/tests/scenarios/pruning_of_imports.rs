//! Pruned nodes serve their pruning point, and nodes that began at one prune in their turn.

use svc_codec::hash32::Hash32;
use svc_consensus::questions::self_check::{PARTS, self_check};
use svc_dag::store::DagStore;

use crate::scenarios::importing::Offer;
use crate::scenarios::kit::Node;
use crate::scenarios::pruning::{assert_proved, pair};
use crate::scenarios::pruning_kit::{DEPTH, FINALITY, prune_all, small_network};

/// The store agrees with itself.
fn assert_sound(node: &Node) {
    for (part, name) in (0..).zip(PARTS) {
        let mut cursor = Vec::new();
        while let Some(next) = self_check(node.engine.chain(), part, &cursor, 500)
            .unwrap_or_else(|error| panic!("{name}: {error:?}"))
        {
            cursor = next;
        }
    }
}

/// The newest chain blocks and the pruning point are the same.
fn assert_same_chain(full: &Node, other: &Node) {
    assert_eq!(full.sink(), other.sink());
    let (a, b) = (full.engine.records(), other.engine.records());
    assert_eq!(a.pruning_point().unwrap(), b.pruning_point().unwrap());
    assert_eq!(a.pruning().unwrap().index, b.pruning().unwrap().index);
    let newest: Vec<Hash32> = full
        .chain()
        .into_iter()
        .rev()
        .take(DEPTH as usize / 2)
        .collect();
    for hash in newest {
        assert_eq!(a.ghostdag(&hash).unwrap(), b.ghostdag(&hash).unwrap());
        assert_eq!(
            a.daa_excluded(&hash).unwrap(),
            b.daa_excluded(&hash).unwrap()
        );
        assert_eq!(
            full.state_of(&hash).encode(),
            other.state_of(&hash).encode()
        );
    }
}

#[test]
fn a_node_that_began_at_a_pruning_point_prunes_as_the_others_do() {
    for seed in [7, 8] {
        let (mut full, mut pruned, blocks) = pair(seed);
        assert_sound(&pruned);
        let point = pruned.engine.records().pruning_point().unwrap();
        let offer = Offer::among(&pruned, &point, &blocks);
        let mut imported = Node::new(small_network());
        offer.take(&mut imported).unwrap();
        assert_eq!(imported.sink(), full.sink());
        // Far enough that all of what was imported is below.
        for count in 0..DEPTH + 4 * FINALITY {
            let block = full.build(1, &[]);
            full.add(&block);
            for node in [&mut pruned, &mut imported] {
                node.add(&block);
                node.engine.prune(4).unwrap();
            }
            if count % FINALITY == 0 {
                assert_same_chain(&full, &pruned);
                assert_same_chain(&full, &imported);
            }
        }
        for node in [&mut pruned, &mut imported] {
            prune_all(node, 100);
            assert_same_chain(&full, node);
            assert_proved(node);
            assert_sound(node);
        }
        // And on to the next one.
        let point = imported.engine.records().pruning_point().unwrap();
        let offer = Offer::among(&imported, &point, &[]);
        let mut third = Node::new(small_network());
        offer.take_graph(&mut third).unwrap();
    }
}
