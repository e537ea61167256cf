//! Limits of an import's memory and storage, and clean-up after an import that ends early.

use std::cell::Cell;
use std::rc::Rc;

use svc_chain::header::parents::Parents;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_EXPANDED_PARENTS;
use svc_consensus::export::Export;
use svc_consensus::import::trusted::TrustedPage;
use svc_consensus::proof::ProofHeader;
use svc_consensus::proof::build::ProofMaking;
use svc_consensus::questions::pages;
use svc_consensus::store::{Batch, KeyRange, MemoryStore, Pair, Store};
use svc_dag::reachability_delete::PrunableStore;
use svc_dag::store::DagStore;

use crate::scenarios::importing::{FINALITY, Offer, full_node, new_node, profile, samples};
use crate::scenarios::kit::Node;

/// A full node with an offer of its third sample, which has two points and some of a third below it.
fn made() -> (Node, Offer, Hash32) {
    let full = full_node();
    let (point, _) = samples(&full)[2];
    let offer = Offer::of(&full, &point);
    (full, offer, point)
}

fn header_of(node: &Node, hash: &Hash32) -> ProofHeader {
    let header = node.engine.records().header(hash).unwrap().header.clone();
    ProofHeader::new(header, None)
}

/// Headers of half a megabyte are as few as others are: bytes are counted as well.
#[test]
fn trusted_headers_are_bounded_by_their_bytes() {
    let (_, offer, _) = made();
    let mut node = new_node();
    offer.take_headers(&mut node).unwrap();
    let mut header = offer.pages[0].window[0].header.header().clone();
    let parents: Vec<Hash32> = (0..MAX_EXPANDED_PARENTS as u64)
        .map(|number| {
            let mut hash = Hash32([9; 32]);
            hash.0[..8].copy_from_slice(&number.to_le_bytes());
            hash
        })
        .collect();
    header.parents = Parents::from_levels(&[parents]).unwrap();
    let fat = ProofHeader::new(header, None);
    fat.hash();
    let page = TrustedPage {
        window: Vec::new(),
        segment: vec![fat; 100],
    };
    // About 50 MB each.
    let refused = (0..40).find_map(|_| node.importing().import_trusted(page.clone()).err());
    let error = refused.expect("2 GB of headers were taken");
    assert_eq!(error.code.as_str(), "import/too-many-headers");
}

/// A witness of a header whose own work suffices says nothing, and may be anything.
#[test]
fn witnesses_that_no_work_needs_are_not_kept() {
    let (_, mut offer, _) = made();
    for level in &mut offer.proof.levels {
        for entry in level {
            let junk = Some(vec![7; 1_000]);
            *entry = Rc::new(ProofHeader::new(entry.header().clone(), junk));
        }
    }
    let mut node = new_node();
    offer.take(&mut node).unwrap();
    let headers = offer.proof.levels.iter().flatten();
    for header in headers {
        let witness = node.engine.records().witness(&header.hash()).unwrap();
        assert!(witness.is_none());
    }
}

/// Samples have finality scores one after the other, so a point more or less is found in the list itself.
#[test]
fn points_left_out_or_put_in_are_refused() {
    let (full, offer, point) = made();
    let code = |offer: &Offer| {
        let mut node = new_node();
        let outcome = offer.take_headers(&mut node);
        outcome.map_err(|error| error.code.as_str())
    };
    assert_eq!(code(&offer), Ok(()));
    let chain = full.chain();
    let between: Vec<&Hash32> = chain
        .iter()
        .take_while(|block| **block != point)
        .filter(|block| full.blue_score(block) > FINALITY)
        .collect();
    assert!(between.len() > 5);
    for block in between {
        let score = full.blue_score(block);
        let mut more = offer.clone();
        let mut place = more.points.iter();
        let place = place.position(|known| known.header().blue_score >= score);
        if more.points[place.unwrap()].hash() == *block {
            continue;
        }
        more.points.insert(place.unwrap(), header_of(&full, block));
        assert_eq!(code(&more), Err("import/wrong-points"), "score {score}");
    }
    for index in 1..offer.points.len() - 1 {
        let mut less = offer.clone();
        less.points.remove(index);
        assert_eq!(code(&less), Err("import/wrong-points"), "without {index}");
    }
}

/// Of the finality depth below the pruning point the chain is known: its samples are the points there.
#[test]
fn another_block_in_place_of_a_sample_is_refused() {
    let (full, offer, point) = made();
    let top = full.blue_score(&point);
    let chain = full.chain();
    let mut tried = 0;
    for place in 1..offer.points.len() - 1 {
        let sample = offer.points[place].hash();
        if full.blue_score(&sample) + FINALITY < top {
            continue;
        }
        let at = chain.iter().position(|block| *block == sample).unwrap();
        let mut lie = offer.clone();
        lie.points[place] = header_of(&full, &chain[at + 1]);
        let mut node = new_node();
        let error = lie.take_graph(&mut node).unwrap_err();
        assert_eq!(error.code.as_str(), "import/wrong-points");
        tried += 1;
    }
    assert!(tried > 0, "no sample within the finality depth");
}

/// Questions about state that is not proved yet.
#[test]
fn a_store_that_is_being_filled_answers_nothing() {
    let (_, offer, _) = made();
    let mut node = new_node();
    offer.take_graph(&mut node).unwrap();
    offer.take_above(&mut node).unwrap();
    let records = node.engine.records();
    let code = |error: SvcError| error.code.as_str();
    let anchors = pages::anchors(records, 0, 10).map_err(code);
    assert_eq!(anchors, Err("engine/not-imported"));
    let history = Export::history(records, 0, 10).map_err(code);
    assert_eq!(history, Err("engine/not-imported"));
}

/// Pages of an export belong to a position, all of them.
#[test]
fn every_page_of_an_export_says_that_the_chain_moved() {
    let (mut full, _, point) = made();
    let chain = full.engine.chain();
    let mut export = Export::begin(&chain.records, &point).unwrap();
    while !export.step(chain, 50).unwrap() {}
    full.mine(1, &[]);
    let chain = full.engine.chain();
    let code = |error: SvcError| error.code.as_str();
    let answers = [
        export.proof(chain).map(|_| ()),
        export.points(&chain.records, 0).map(|_| ()),
        export.trusted(&chain.records, 0, 10).map(|_| ()),
        export.state_claim(&chain.records).map(|_| ()),
    ];
    let codes = answers.map(|answer| answer.map_err(code));
    assert_eq!(codes, [Err("export/moved"); 4]);
}

/// What a refused step wrote is taken back: nothing of it waits for the next commit.
#[test]
fn a_refused_step_leaves_nothing_pending() {
    let (_, mut offer, _) = made();
    let windows = offer.pages.iter_mut().flat_map(|page| &mut page.window);
    let last = windows.max_by_key(|trusted| trusted.ghostdag.blue_score);
    let data = &mut last.unwrap().ghostdag;
    data.reds.push(data.selected_parent);
    let mut node = new_node();
    offer.take_headers(&mut node).unwrap();
    let store = |node: &Node| node.engine.records().overlay.store().dump();
    let before = store(&node);
    let error = node.importing().link_trusted(1_000_000).unwrap_err();
    assert_eq!(error.code.as_str(), "import/wrong-ghostdag");
    assert_eq!(node.engine.records().overlay.pending_len(), 0);
    node.engine.flush().unwrap();
    assert_eq!(store(&node), before);
}

/// A disk whose reads fail on demand.
#[derive(Clone, Default)]
struct Disk {
    content: MemoryStore,
    broken: Rc<Cell<bool>>,
}

impl Disk {
    fn whole(&self) -> Result<&MemoryStore, SvcError> {
        if self.broken.get() {
            return Err(SvcError::new(Code::StoreCommitFailed).with("reason", "cable"));
        }
        Ok(&self.content)
    }
}

impl Store for Disk {
    fn get(&self, table: u8, key: &[u8]) -> Result<Option<Vec<u8>>, SvcError> {
        self.whole()?.get(table, key)
    }

    fn range(&self, range: KeyRange<'_>) -> Result<Vec<Pair>, SvcError> {
        self.whole()?.range(range)
    }

    fn commit(&mut self, batch: Batch) -> Result<(), SvcError> {
        self.content.commit(batch)
    }
}

/// After a failure of the store nothing is written until the host opens it anew.
fn assert_stops(step: impl FnOnce(&Offer, &mut Node<Disk>) -> SvcError, linked: bool) {
    let (_, offer, _) = made();
    let disk = Disk::default();
    let broken = disk.broken.clone();
    let mut node = Node::open(disk, profile());
    offer.take_headers(&mut node).unwrap();
    while node.importing().link_trusted(5).unwrap().is_none() && linked {}
    node.engine.records().clear_caches();
    broken.set(true);
    assert_eq!(step(&offer, &mut node).code, Code::StoreCommitFailed);
    broken.set(false);
    let error = node.engine.flush().unwrap_err();
    assert_eq!(error.code, Code::EngineRestarted);
}

#[test]
fn a_step_that_the_store_fails_stops_the_engine() {
    assert_stops(
        |_, node| node.importing().link_trusted(1_000).unwrap_err(),
        false,
    );
    let body = |offer: &Offer, node: &mut Node<Disk>| {
        let taken = node.importing().import_body(offer.bodies[0].clone());
        taken.map(|_| ()).unwrap_err()
    };
    assert_stops(body, true);
}

/// GHOSTDAG data name blocks that did not come along. What stands in the graph has to be known, or a deleted block
/// would stay in the lists of those that it merged.
#[test]
fn what_an_imported_block_merges_is_kept_for_its_deletion() {
    let (full, offer, _) = made();
    let mut node = new_node();
    offer.take_graph(&mut node).unwrap();
    let (full, records) = (full.engine.records(), node.engine.records());
    let mut merging = 0;
    for trusted in offer.pages.iter().flat_map(|page| &page.window) {
        let hash = trusted.header.hash();
        let data = full.ghostdag(&hash).unwrap();
        let mut merged: Vec<_> = data.blues.iter().skip(1).chain(&data.reds).collect();
        if !merged
            .iter()
            .all(|one| records.has_reachability(one).unwrap())
        {
            continue;
        }
        let mut kept = records.inherited_merges(&hash).unwrap();
        merged.sort_unstable();
        kept.sort_unstable();
        assert_eq!(kept.iter().collect::<Vec<_>>(), merged, "{hash}");
        merging += usize::from(!kept.is_empty());
    }
    assert!(merging > 5, "{merging}");
}

/// Whoever makes a proof in small steps counts what each of them cost by the headers of its level.
#[test]
fn a_proof_in_the_making_tells_the_length_of_its_newest_level() {
    let full = full_node();
    let chain = full.engine.chain();
    let (point, _) = samples(&full)[1];
    let mut making = ProofMaking::begin(&chain.records, &point).unwrap();
    assert_eq!(making.last_len(), 0);
    let mut lengths = Vec::new();
    loop {
        let done = making.step(&chain.rules, &chain.records).unwrap();
        lengths.push(making.last_len());
        if done {
            break;
        }
    }
    lengths.reverse();
    let made = making.finish();
    let levels: Vec<usize> = made.levels.iter().map(Vec::len).collect();
    assert_eq!(lengths, levels);
    assert!(levels.iter().any(|length| *length > 1), "{levels:?}");
}

/// What a stranger asks for is made in small steps: looking at a block costs two windows.
#[test]
fn an_export_is_prepared_in_steps() {
    let full = full_node();
    let widest = samples(&full).into_iter().max_by_key(|(_, beside)| *beside);
    let (point, beside) = widest.unwrap();
    assert!(beside > 1);
    let chain = full.engine.chain();
    let mut export = Export::begin(&chain.records, &point).unwrap();
    let mut steps = 1;
    while !export.step(chain, usize::MAX).unwrap() {
        steps += 1;
    }
    assert!(steps > 1 + beside, "{steps} steps");
}
