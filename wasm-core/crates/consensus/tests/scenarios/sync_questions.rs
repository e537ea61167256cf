//! Sync queries by which nodes find their last common block.

use svc_chance::chance::Chance;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_LOCATOR_HASHES, PRUNING_POINTS_PER_CALL};
use svc_consensus::questions::past_pages::{bodies_missing, hashes_between, headers_between};
use svc_consensus::questions::sync_questions::{
    ancestry, block_locator, block_stage, chain_locator, headers_of, pruning_points,
};
use svc_consensus::questions::{block_facts, tip};
use svc_consensus::store::tables;
use svc_dag::store::DagStore;

use crate::scenarios::importing::{Offer, full_node, new_node as new_import_node, samples};
use crate::scenarios::kit::Node;
use crate::scenarios::pruning::pair;
use crate::scenarios::random_dags::{mine_dag, new_node};

fn mined(seed: u64) -> Node {
    let mut node = new_node();
    for block in mine_dag(&mut Chance::new(seed)) {
        node.insert(&block);
    }
    node.settle();
    node
}

fn imported() -> (Node, Node) {
    let full = full_node();
    let (point, _) = samples(&full)[1];
    let mut node = new_import_node();
    Offer::of(&full, &point).take(&mut node).unwrap();
    (full, node)
}

/// Blocks with a row of status, reachability or chain, or with a header.
fn named(node: &Node) -> Vec<Hash32> {
    let tables = [
        tables::HEADERS,
        tables::STATUS,
        tables::CHAIN_BY_HASH,
        tables::REACHABILITY,
    ];
    let keys = node.dump(&tables).into_iter().map(|(_, key, _)| key);
    let mut hashes: Vec<Hash32> = keys.map(|key| Hash32(key.try_into().unwrap())).collect();
    hashes.extend([Hash32::ZERO, Hash32::ORIGIN, Hash32([7; 32])]);
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// Whatever is asked about, there is an answer or one of two refusals.
fn assert_answers(node: &Node) {
    let chain = node.engine.chain();
    let fine = |error: Option<SvcError>| {
        if let Some(error) = error {
            let known = ["chain/unknown-block", "chain/pruned"];
            assert!(known.contains(&error.code.as_str()), "{error}");
        }
    };
    let sink = node.sink();
    for hash in named(node) {
        fine(block_locator(&chain.records, &hash, 9).err());
        chain_locator(&chain.records, Some(&hash), None).unwrap();
        chain_locator(&chain.records, None, Some(&hash)).unwrap();
        for (low, high) in [(&hash, &sink), (&sink, &hash)] {
            fine(ancestry(&chain.records, low, high).err());
            fine(hashes_between(chain, low, high, 30).err());
            fine(headers_between(chain, low, high, 30).err());
            fine(bodies_missing(chain, Some(low), high, 30).err());
        }
        fine(bodies_missing(chain, None, &hash, 30).err());
        let stage = block_stage(&chain.records, &hash).unwrap();
        match block_facts(&chain.records, &hash) {
            Ok(Some(facts)) => assert_eq!(Some(facts["status"].as_str().unwrap()), stage),
            Ok(None) => assert_eq!(stage, None),
            Err(error) => {
                assert_eq!(error.code.as_str(), "chain/pruned");
                assert_eq!(stage, Some("pruned"));
            }
        }
    }
}

#[test]
fn every_hash_has_an_answer() {
    assert_answers(&mined(3));
    let (full, pruned, _) = pair(7);
    assert_answers(&full);
    assert_answers(&pruned);
    let (_, imported) = imported();
    assert_answers(&imported);
    let stage = |node: &Node, hash: &Hash32| block_stage(node.engine.records(), hash).unwrap();
    assert_eq!(stage(&pruned, &full.chain()[1]), Some("pruned"));
    assert_eq!(stage(&full, &full.chain()[1]), Some("valid"));
    assert_eq!(stage(&pruned, &pruned.sink()), Some("valid"));
    for strange in [Hash32::ZERO, Hash32::ORIGIN, Hash32([7; 32])] {
        assert_eq!(stage(&pruned, &strange), None);
        let error = ancestry(pruned.engine.records(), &strange, &pruned.sink()).unwrap_err();
        assert_eq!(error.code.as_str(), "chain/unknown-block");
    }
    // Only its header came, with the list of pruning points.
    let past_point = imported
        .engine
        .records()
        .pruning_point_at(1)
        .unwrap()
        .unwrap();
    assert_eq!(stage(&imported, &past_point), None);
    let header = headers_of(imported.engine.records(), &[past_point]).unwrap();
    assert!(header.len() > 200);
}

#[test]
fn every_hash_has_an_answer_while_an_import_runs() {
    let full = full_node();
    let (point, _) = samples(&full)[0];
    let offer = Offer::of(&full, &point);
    let mut node = new_import_node();
    assert_answers(&node);
    offer.take_headers(&mut node).unwrap();
    assert_answers(&node);
    while node.importing().link_trusted(30).unwrap().is_none() {
        assert_answers(&node);
    }
    for body in &offer.bodies {
        node.importing().import_body(body.clone()).unwrap();
    }
    assert_answers(&node);
    node.insert_headers(&offer.above);
    assert_answers(&node);
    let high = node.headers_tip();
    let records = node.engine.records();
    let locator = block_locator(records, &high, 64).unwrap();
    assert_eq!((locator[0], locator.last().unwrap()), (high, &point));
    assert!(chain_locator(records, None, None).unwrap().is_empty());
}

#[test]
fn a_chain_locator_doubles_its_steps() {
    let (full, pruned, _) = pair(7);
    for node in [&full, &pruned, &mined(4)] {
        let records = node.engine.records();
        let point = records.pruning_point().unwrap();
        let index = |hash: &Hash32| records.chain_index(hash).unwrap().unwrap();
        let found = chain_locator(records, None, None).unwrap();
        assert_eq!((found[0], *found.last().unwrap()), (node.sink(), point));
        let mut below = index(&node.sink());
        for (number, hash) in found.iter().enumerate().skip(1) {
            let step = 1 << (number - 1);
            below = below.saturating_sub(step).max(index(&point));
            assert_eq!(index(hash), below);
        }
        // Between any two blocks of the chain.
        let low = records.chain_at(below + 7).unwrap().unwrap();
        let high = records.chain_at(below + 12).unwrap().unwrap();
        let at = |index| records.chain_at(index).unwrap().unwrap();
        let between = chain_locator(records, Some(&low), Some(&high)).unwrap();
        assert_eq!(
            between,
            [high, at(below + 11), at(below + 9), low],
            "by 1, 2 and what is left"
        );
        assert_eq!(
            chain_locator(records, Some(&low), Some(&low)).unwrap(),
            [low]
        );
        let pair = chain_locator(records, Some(&at(below + 11)), Some(&high));
        assert_eq!(pair.unwrap(), [high, at(below + 11)]);
        let none = chain_locator(records, Some(&high), Some(&low)).unwrap();
        assert!(none.is_empty());
    }
    let node = mined(4);
    let records = node.engine.records();
    let mut hashes = named(&node).into_iter();
    let beside = hashes.find(|hash| records.chain_index(hash).unwrap().is_none());
    let beside = beside.unwrap();
    assert!(
        chain_locator(records, Some(&beside), None)
            .unwrap()
            .is_empty()
    );
    assert!(
        chain_locator(records, None, Some(&beside))
            .unwrap()
            .is_empty()
    );
}

/// A block locator by walking the whole chain.
fn walked(node: &Node, high: &Hash32, limit: usize) -> Vec<Hash32> {
    let records = node.engine.records();
    let point = records.pruning_point().unwrap();
    let lowest = node.blue_score(&point);
    let (mut found, mut step) = (vec![*high], 1);
    let mut current = *high;
    while found.len() < limit && current != point {
        let wanted = node.blue_score(&current).saturating_sub(step).max(lowest);
        while node.blue_score(&current) > wanted {
            current = records.ghostdag(&current).unwrap().selected_parent;
        }
        found.push(current);
        step *= 2;
    }
    found
}

fn assert_locators(node: &Node) -> usize {
    let records = node.engine.records();
    let point = records.pruning_point().unwrap();
    let mut beside = 0;
    for hash in named(node) {
        let above = records.has_reachability(&hash).unwrap()
            && matches!(ancestry(records, &point, &hash), Ok("same" | "chain"));
        match block_locator(records, &hash, 64) {
            Ok(found) => {
                assert!(above);
                assert_eq!(found, walked(node, &hash, 64));
                for limit in 2..6 {
                    let few = block_locator(records, &hash, limit).unwrap();
                    assert_eq!(few, found[..limit.min(found.len())]);
                }
                let least = block_locator(records, &hash, 0).unwrap();
                assert_eq!(least, [hash]);
                beside += usize::from(records.chain_index(&hash).unwrap().is_none());
            }
            Err(_) => assert!(!above),
        }
    }
    beside
}

#[test]
fn a_block_locator_doubles_its_steps_on_any_chain() {
    assert!(assert_locators(&mined(5)) > 20);
    let (full, pruned, _) = pair(8);
    assert!(assert_locators(&full) > 20);
    assert!(assert_locators(&pruned) > 20);
    let (_, imported) = imported();
    assert_locators(&imported);
    let blocks = mine_dag(&mut Chance::new(6));
    let mut ahead = new_node();
    ahead.add_headers(&blocks);
    assert!(assert_locators(&ahead) > 100);
}

#[test]
fn locators_are_short() {
    let (full, ..) = pair(7);
    let records = full.engine.records();
    let found = block_locator(records, &full.sink(), usize::MAX).unwrap();
    assert!(found.len() <= MAX_LOCATOR_HASHES);
    assert!(found.len() < 12, "{}", found.len());
}

#[test]
fn the_last_pruning_points_come_newest_first() {
    let (full, pruned, _) = pair(7);
    let (_, imported) = imported();
    for node in [&full, &pruned, &imported] {
        let records = node.engine.records();
        let index = records.pruning().unwrap().index;
        let all = pruning_points(records, usize::MAX).unwrap();
        assert_eq!(
            all.len() as u64,
            (index + 1).min(PRUNING_POINTS_PER_CALL as u64)
        );
        for (back, point) in (0..).zip(&all) {
            assert_eq!(
                records.pruning_point_at(index - back).unwrap(),
                Some(*point)
            );
        }
        assert_eq!(all[0], records.pruning_point().unwrap());
        assert_eq!(pruning_points(records, 2).unwrap(), all[..2]);
        assert!(pruning_points(records, 0).unwrap().is_empty());
    }
}

#[test]
fn ancestry_tells_the_chain_from_the_past() {
    let node = mined(3);
    let (records, sink) = (node.engine.records(), node.sink());
    let mut seen = std::collections::BTreeMap::new();
    for hash in named(&node) {
        let Ok(found) = ancestry(records, &hash, &sink) else {
            continue;
        };
        let on_chain = records.chain_index(&hash).unwrap().is_some();
        assert_eq!(on_chain, matches!(found, "same" | "chain"));
        assert_eq!(found == "same", hash == sink);
        if hash != sink {
            assert_eq!(ancestry(records, &sink, &hash).unwrap(), "none");
        }
        *seen.entry(found).or_insert(0) += 1;
    }
    let kinds: Vec<&str> = seen.keys().copied().collect();
    assert_eq!(kinds, ["chain", "none", "past", "same"], "{seen:?}");
}

#[test]
fn the_tip_tells_the_work_of_sink_and_headers() {
    let blocks = mine_dag(&mut Chance::new(6));
    let mut node = new_node();
    node.add_headers(&blocks);
    for block in &blocks[..30] {
        node.insert(block);
    }
    node.settle();
    let facts = tip(node.engine.chain()).unwrap();
    let work = |hash: &Hash32| node.block_facts(hash)["blueWork"].clone();
    assert_eq!(facts["sinkBlueWork"], work(&node.sink()));
    assert_eq!(facts["headersBlueWork"], work(&node.headers_tip()));
    assert_ne!(facts["sinkBlueWork"], facts["headersBlueWork"]);
}
