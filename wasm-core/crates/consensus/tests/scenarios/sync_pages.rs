//! Sync queries: pages of the past of a block, and blocks by hash.

use std::collections::BTreeSet;

use svc_chain::block::{Block, WitnessedBlock};
use svc_chain::header::Header;
use svc_chain::header::raw::read_headers;
use svc_chance::chance::Chance;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{HEADERS_PER_CALL, SYNC_BLOCKS_PER_CALL, SYNC_PAGE_BLOCKS};
use svc_codec::reader::Reader;
use svc_consensus::questions::past_pages::{bodies_missing, hashes_between, headers_between};
use svc_consensus::questions::sync_questions::{blocks_of, headers_of};
use svc_consensus::records::meta;
use svc_consensus::store::tables;
use svc_dag::reachability::{is_chain_ancestor, is_dag_ancestor};
use svc_dag::store::DagStore;

use crate::scenarios::importing::{FORK, Offer, full_node, new_node, samples};
use crate::scenarios::kit::Node;
use crate::scenarios::pruning::pair;
use crate::scenarios::random_dags::mine_dag_of;

/// A graph of blocks that merge few others, so that pages can be short.
fn mine_narrow(chance: &mut Chance) -> Vec<Block> {
    mine_dag_of(chance, &new_node, (150, FORK))
}

/// Blocks that have a place in the graph and GHOSTDAG data, in any order.
fn held(node: &Node) -> Vec<Hash32> {
    let records = node.engine.records();
    let keys = node.dump(&[tables::GHOSTDAG]).into_iter();
    let hashes = keys.map(|(_, key, _)| Hash32(key.try_into().unwrap()));
    hashes
        .filter(|hash| records.has_reachability(hash).unwrap())
        .collect()
}

/// Blocks from the pruning point up.
fn above(node: &Node) -> Vec<Hash32> {
    let records = node.engine.records();
    let point = records.pruning_point().unwrap();
    let is_above = |hash: &Hash32| is_dag_ancestor(records, &point, hash).unwrap();
    held(node).into_iter().filter(is_above).collect()
}

/// Blocks that are held of the past of a block, with it, found by parents alone; with `floor`, which is in that past,
/// without what is below it.
fn past(node: &Node, block: &Hash32, floor: Option<&Hash32>) -> BTreeSet<Hash32> {
    let records = node.engine.records();
    let is_wanted = |hash: &Hash32| {
        let is_below =
            |floor: &Hash32| hash != floor && is_dag_ancestor(records, hash, floor).unwrap();
        records.has_reachability(hash).unwrap() && !floor.is_some_and(is_below)
    };
    let mut seen = BTreeSet::from([*block]);
    let mut waiting = vec![*block];
    while let Some(next) = waiting.pop() {
        for parent in records.header(&next).unwrap().header.direct_parents() {
            if is_wanted(parent) && seen.insert(*parent) {
                waiting.push(*parent);
            }
        }
    }
    seen
}

fn page(node: &Node, low: &Hash32, high: &Hash32, limit: usize) -> Result<Vec<Hash32>, SvcError> {
    hashes_between(node.engine.chain(), low, high, limit)
}

/// All pages, of which each but the last has something and none more than its limit.
fn all_pages(node: &Node, (low, high): (&Hash32, &Hash32), limit: usize) -> Vec<Hash32> {
    let records = node.engine.records();
    let least = node.engine.rules().profile.mergeset_size_limit as usize + 1;
    let (mut all, mut low) = (Vec::new(), *low);
    loop {
        let hashes = page(node, &low, high, limit).unwrap();
        let Some(last) = hashes.last() else {
            return all;
        };
        assert!(hashes.len() <= limit.max(least));
        assert!(is_chain_ancestor(records, last, high).unwrap());
        low = *last;
        all.extend(hashes);
    }
}

/// The pages are the difference of the pasts, each block once and behind its parents. When `low` is not on the chain of
/// `high`, pages behind the first know nothing of it and may hold blocks of its past.
fn assert_difference(node: &Node, (low, high): (&Hash32, &Hash32), limit: usize) {
    let records = node.engine.records();
    let pages = all_pages(node, (low, high), limit);
    let first = page(node, low, high, limit).unwrap().len();
    let point = records.pruning_point().unwrap();
    let floor = is_dag_ancestor(records, &point, low)
        .unwrap()
        .then_some(&point);
    let floor = floor.filter(|point| is_dag_ancestor(records, point, high).unwrap());
    let mut known = past(node, low, floor);
    let of_high = past(node, high, floor);
    let expected: BTreeSet<Hash32> = of_high.difference(&known).copied().collect();
    let mut found: BTreeSet<Hash32> = pages.iter().copied().collect();
    assert_eq!(found.len(), pages.len(), "{low} {high}");
    if !is_chain_ancestor(records, low, high).unwrap() {
        let again = pages[first..].iter().filter(|hash| known.contains(hash));
        let again: BTreeSet<Hash32> = again.copied().collect();
        found.retain(|hash| !again.contains(hash));
    }
    assert!(found == expected, "{low} {high}");
    for hash in &pages {
        let record = records.header(hash).unwrap();
        let mut parents = record.header.direct_parents().iter();
        let is_known = |parent: &Hash32| known.contains(parent) || !expected.contains(parent);
        assert!(parents.all(is_known), "{hash}");
        known.insert(*hash);
    }
}

fn from_headers(raw: &[u8]) -> Vec<Hash32> {
    let mut reader = Reader::new(raw);
    let count = reader.u32().unwrap();
    let mut headers = Vec::new();
    for _ in 0..count {
        assert_eq!(reader.u8().unwrap(), 1, "no witness here");
        headers.push(Header::decode(&mut reader).unwrap().hash());
    }
    reader.finish().unwrap();
    headers
}

/// Any two blocks, on chains or beside them; a headers page holds the same blocks.
fn assert_pages(node: &Node, blocks: &[Hash32], chance: &mut Chance) {
    let chain = node.engine.chain();
    for _ in 0..60 {
        let low = blocks[chance.index(blocks.len())];
        let high = blocks[chance.index(blocks.len())];
        let limit = chance.index(60);
        assert_difference(node, (&low, &high), limit);
        let hashes = page(node, &low, &high, limit).unwrap();
        let headers = headers_between(chain, &low, &high, limit).unwrap();
        assert_eq!(from_headers(&headers), hashes);
        if hashes.len() <= HEADERS_PER_CALL {
            assert_eq!(read_headers(&headers).unwrap().len(), hashes.len());
        }
    }
    let sink = node.sink();
    let point = chain.records.pruning_point().unwrap();
    assert_difference(node, (&point, &sink), SYNC_PAGE_BLOCKS);
    assert_difference(node, (&point, &sink), 0);
    assert!(page(node, &sink, &sink, 10).unwrap().is_empty());
    assert!(page(node, &sink, &point, 10).unwrap().is_empty());
}

#[test]
fn pages_are_the_difference_of_two_pasts() {
    for seed in [3, 4, 5] {
        let mut chance = Chance::new(seed);
        let mut node = new_node();
        for block in mine_narrow(&mut chance) {
            node.insert(&block);
        }
        node.settle();
        let blocks = held(&node);
        let beside = blocks
            .iter()
            .filter(|hash| node.engine.records().chain_index(hash).unwrap().is_none());
        assert!(beside.count() > 20, "seed {seed}");
        assert_pages(&node, &blocks, &mut chance);
    }
}

#[test]
fn headers_without_bodies_have_pages_as_well() {
    let blocks = mine_narrow(&mut Chance::new(6));
    let mut ahead = new_node();
    for block in &blocks[..40] {
        ahead.insert(block);
    }
    ahead.settle();
    ahead.add_headers(&blocks[40..]);
    let held = held(&ahead);
    assert_eq!(held.len(), blocks.len() + 1);
    assert_pages(&ahead, &held, &mut Chance::new(7));
}

/// Every pair of held blocks gives pages or says that they are pruned.
fn assert_answers(node: &Node, chance: &mut Chance) {
    let blocks = held(node);
    for _ in 0..200 {
        let low = blocks[chance.index(blocks.len())];
        let high = blocks[chance.index(blocks.len())];
        if let Err(error) = page(node, &low, &high, chance.index(60)) {
            assert_eq!(error.code.as_str(), "chain/pruned", "{low} {high}");
        }
    }
}

#[test]
fn a_pruned_node_has_the_pages_above_its_pruning_point() {
    for seed in [7, 8] {
        let (full, pruned, _) = pair(seed);
        let mut chance = Chance::new(seed);
        assert_pages(&full, &above(&full), &mut chance);
        assert_pages(&pruned, &above(&pruned), &mut chance);
        assert_answers(&pruned, &mut chance);
        let genesis = pruned.engine.rules().genesis_hash;
        let error = page(&pruned, &genesis, &pruned.sink(), 50).unwrap_err();
        assert_eq!(error.code.as_str(), "chain/pruned");
        // The full node still has everything from genesis on.
        assert_difference(&full, (&genesis, &full.sink()), 50);
    }
}

#[test]
fn an_imported_node_has_the_pages_above_its_pruning_point() {
    let full = full_node();
    let mut chance = Chance::new(11);
    for (point, _) in samples(&full).iter().take(2) {
        let offer = Offer::of(&full, point);
        let mut node = new_node();
        offer.take_graph(&mut node).unwrap();
        offer.take_above(&mut node).unwrap();
        // Before the state has come there is no selected chain.
        assert_pages_from(&node, point, &mut chance);
        offer.take_state(&mut node).unwrap();
        node.settle();
        assert_pages_from(
            &node,
            &node.engine.records().pruning_point().unwrap(),
            &mut chance,
        );
        assert_answers(&node, &mut chance);
    }
}

fn assert_pages_from(node: &Node, point: &Hash32, chance: &mut Chance) {
    let records = node.engine.records();
    assert_eq!(records.pruning_point().unwrap(), *point);
    let blocks = above(node);
    assert!(blocks.len() > 100);
    for _ in 0..30 {
        let low = blocks[chance.index(blocks.len())];
        let high = blocks[chance.index(blocks.len())];
        assert_difference(node, (&low, &high), chance.index(60));
    }
    assert_difference(node, (point, &node.headers_tip()), 40);
}

fn search(
    node: &Node,
    after: Option<&Hash32>,
    high: &Hash32,
    limit: usize,
) -> (Vec<Hash32>, usize) {
    let chain = node.engine.chain();
    let (mut missing, mut pages) = (Vec::new(), 0);
    let mut after = after.copied();
    loop {
        let found = bodies_missing(chain, after.as_ref(), high, limit).unwrap();
        assert_eq!(
            found.to_bytes(),
            [
                found.reached.as_bytes().as_slice(),
                &meta::encode_hashes(&found.hashes)
            ]
            .concat()
        );
        missing.extend(found.hashes);
        pages += 1;
        if found.reached == *high {
            return (missing, pages);
        }
        assert_ne!(Some(found.reached), after, "a page that leads nowhere");
        after = Some(found.reached);
    }
}

#[test]
fn missing_bodies_are_found_in_order_and_only_they() {
    let mut chance = Chance::new(9);
    let blocks = mine_narrow(&mut chance);
    let mut node = new_node();
    node.add_headers(&blocks);
    let mut inserted = BTreeSet::from([node.engine.rules().genesis_hash]);
    for rounds in 0..3 {
        let high = node.headers_tip();
        let (missing, pages) = search(&node, None, &high, 40);
        let expected: BTreeSet<Hash32> = past(&node, &high, None)
            .difference(&inserted)
            .copied()
            .collect();
        assert_eq!(missing.iter().copied().collect::<BTreeSet<_>>(), expected);
        assert_eq!(missing.len(), expected.len());
        assert!(pages > 1, "{pages} in round {rounds}");
        let point = node.engine.records().pruning_point().unwrap();
        assert_eq!(search(&node, Some(&point), &high, 40).0, missing);
        // Bodies are taken in this order without one that misses a parent.
        for hash in missing.iter().take(40) {
            let block = blocks.iter().find(|block| block.hash() == *hash).unwrap();
            node.add(block);
            inserted.insert(*hash);
        }
    }
}

#[test]
fn bodies_are_searched_for_while_an_import_has_no_state() {
    let full = full_node();
    let (point, _) = samples(&full)[0];
    let offer = Offer::of(&full, &point);
    let mut node = new_node();
    offer.take_graph(&mut node).unwrap();
    node.insert_headers(&offer.above);
    let high = node.headers_tip();
    let (missing, _) = search(&node, None, &high, 30);
    let records = node.engine.records();
    let expected: BTreeSet<Hash32> = past(&node, &high, None)
        .into_iter()
        .filter(|hash| {
            let is_above = records.has_reachability(hash).unwrap()
                && is_dag_ancestor(records, &point, hash).unwrap();
            is_above && *hash != point
        })
        .collect();
    let found: BTreeSet<Hash32> = missing.iter().copied().collect();
    assert!(found.is_superset(&expected), "all above the pruning point");
    for hash in &missing {
        let block = offer.above.iter().find(|block| block.hash() == *hash);
        node.insert(block.unwrap());
    }
    offer.take_state(&mut node).unwrap();
    node.settle();
    assert_eq!(search(&node, None, &high, 30).0, vec![]);
    assert_eq!(search(&node, Some(&point), &high, 30).0, []);
}

#[test]
fn bodies_are_not_searched_for_where_they_are_not_wanted() {
    let (_, pruned, _) = pair(7);
    let chain = pruned.engine.chain();
    let genesis = chain.rules.genesis_hash;
    let (sink, point) = (pruned.sink(), chain.records.pruning_point().unwrap());
    assert_eq!(search(&pruned, None, &sink, 20), (vec![], 1));
    assert_eq!(search(&pruned, Some(&genesis), &sink, 20).0, []);
    assert_eq!(search(&pruned, Some(&point), &point, 20).0, []);
    for high in held(&pruned) {
        let is_above = is_chain_ancestor(&chain.records, &point, &high).unwrap();
        let found = bodies_missing(chain, None, &high, 20);
        assert_eq!(found.is_ok(), is_above);
        if let Err(error) = found {
            assert_eq!(error.code.as_str(), "chain/pruned");
        }
    }
}

fn from_blocks(raw: &[u8]) -> Vec<Block> {
    let mut reader = Reader::new(raw);
    let mut blocks = Vec::new();
    while reader.remaining() > 0 {
        let len = reader.u32().unwrap() as usize;
        let block = WitnessedBlock::from_bytes(reader.take(len).unwrap()).unwrap();
        blocks.push(block.block);
    }
    blocks
}

#[test]
fn blocks_and_headers_come_by_name_in_the_order_asked() {
    let (full, pruned, blocks) = pair(8);
    let records = full.engine.records();
    let mut hashes: Vec<Hash32> = blocks.iter().map(Block::hash).collect();
    hashes.retain(|hash| records.block(hash).unwrap().is_some());
    hashes.reverse();
    assert_eq!(from_headers(&headers_of(records, &hashes).unwrap()), hashes);
    let few = &hashes[..SYNC_BLOCKS_PER_CALL];
    let found = from_blocks(&blocks_of(records, few).unwrap());
    assert_eq!(found.iter().map(Block::hash).collect::<Vec<_>>(), few);
    assert_eq!(headers_of(records, &[]).unwrap(), [0; 4]);
    assert!(blocks_of(records, &[]).unwrap().is_empty());
    let code = |result: Result<Vec<u8>, SvcError>| result.unwrap_err().code.as_str();
    let too_many = |count: usize| vec![hashes[0]; count + 1];
    assert_eq!(
        code(blocks_of(records, &too_many(SYNC_BLOCKS_PER_CALL))),
        "codec/count-too-large"
    );
    assert_eq!(
        code(headers_of(records, &too_many(SYNC_PAGE_BLOCKS))),
        "codec/count-too-large"
    );
    let known = hashes[0];
    for strange in [Hash32::ZERO, Hash32::ORIGIN, Hash32([7; 32])] {
        for list in [[strange, known], [known, strange]] {
            assert_eq!(code(blocks_of(records, &list)), "chain/unknown-block");
            assert_eq!(code(headers_of(records, &list)), "chain/unknown-block");
        }
    }
    let gone = full.chain()[1];
    let records = pruned.engine.records();
    assert_eq!(code(blocks_of(records, &[known, gone])), "chain/pruned");
    assert_eq!(code(headers_of(records, &[known, gone])), "chain/pruned");
    // Of past pruning points the header is kept, and no body.
    let past_point = records.pruning_point_at(1).unwrap().unwrap();
    let header = headers_of(records, &[past_point]).unwrap();
    assert_eq!(from_headers(&header), [past_point]);
    assert_eq!(code(blocks_of(records, &[past_point])), "chain/pruned");
}

#[test]
fn a_block_without_its_body_is_not_served() {
    let blocks = mine_narrow(&mut Chance::new(6));
    let mut node = new_node();
    node.add_headers(&blocks);
    let hash = blocks[0].hash();
    let error = blocks_of(node.engine.records(), &[hash]).unwrap_err();
    assert_eq!(error.code.as_str(), "chain/unknown-block");
    node.add(&blocks[0]);
    let found = from_blocks(&blocks_of(node.engine.records(), &[hash]).unwrap());
    assert_eq!(found, blocks[..1]);
}
