//! A node that starts at a pruning point of another: it must judge everything above as the other does, and believe
//! nothing that the chain above does not commit to.

use std::sync::OnceLock;

use serde_json::json;
use svc_chain::block::{Block, WitnessedBlock};
use svc_chain::profile::Profile;
use svc_chance::chance::Chance;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::engine::Engine;
use svc_consensus::export::Export;
use svc_consensus::import::lanes::LanesClaim;
use svc_consensus::import::state_claim::StateClaim;
use svc_consensus::import::trusted::TrustedPage;
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::proof::{Proof, ProofHeader};
use svc_consensus::questions;
use svc_consensus::questions::pages;
use svc_consensus::records::Records;
use svc_consensus::records::acceptance_record::AcceptanceRecord;
use svc_consensus::records::lane_diff::LaneTip;
use svc_consensus::rules::anchor_binding::AnchorBinding;
use svc_consensus::store::tables;
use svc_consensus::store::{MemoryStore, Store};
use svc_dag::reachability::is_dag_ancestor;
use svc_dag::store::DagStore;

use crate::scenarios::kit::{Node, simnet_with};
use crate::scenarios::random_dags::mine_dag_of;
use crate::scenarios::self_check::check;

/// Rounds of mining.
const ROUNDS: usize = 480;
/// DAA score of the security fork.
pub const FORK: u64 = 150;
pub const FINALITY: u64 = 40;
const PRUNING: u64 = 180;
const SEED: u64 = 17;

/// Short depths and windows that move the difficulty, so that a pruning point has something below it.
pub fn profile() -> Profile {
    simnet_with(&[
        ("/ghostdagK", json!(3)),
        ("/mergesetSizeLimit", json!(9)),
        ("/mergeDepth", json!(12)),
        ("/finalityDepth", json!(FINALITY)),
        ("/pruningDepth", json!(PRUNING)),
        ("/pruningProofM", json!(3)),
        ("/fixedDifficulty", json!(false)),
        ("/difficultyWindowSize", json!(15)),
        ("/difficultySampleRate", json!(2)),
        ("/minDifficultyWindowSize", json!(5)),
        ("/pastMedianTimeWindowSize", json!(5)),
        ("/pastMedianTimeSampleRate", json!(2)),
        ("/shieldedAnchorDepth", json!(4)),
        ("/maxShieldedAnchorAge", json!(20)),
        ("/activations/devFeeAccrual", json!(20)),
        ("/activations/multiProducerAnchors", json!(35)),
        ("/activations/securityFork", json!(FORK)),
        ("/activations/devFeeEnd", json!(330)),
    ])
}

pub fn new_node() -> Node {
    Node::new(profile())
}

/// Blocks of a wide graph with payments, parents first. The proofs of pruning points are searched in it.
fn blocks() -> &'static [Block] {
    static BLOCKS: OnceLock<Vec<Block>> = OnceLock::new();
    BLOCKS.get_or_init(|| {
        println!("seed {SEED}");
        mine_dag_of(&mut Chance::new(SEED), &new_node, (ROUNDS, FORK))
    })
}

pub fn full_node() -> Node {
    static STORE: OnceLock<MemoryStore> = OnceLock::new();
    let store = STORE.get_or_init(|| {
        let mut node = new_node();
        for block in blocks() {
            node.insert(block);
        }
        settle(&mut node);
        node.engine.records().overlay.store().clone()
    });
    Node::open(store.clone(), profile())
}

/// Resolves until the pruning point stays, which moves by one sample at a time.
fn settle(node: &mut Node) {
    let point = |node: &Node| node.engine.records().pruning_point().unwrap();
    loop {
        let before = point(node);
        node.settle();
        if point(node) == before {
            return;
        }
    }
}

/// Chain blocks that begin a finality score, with the number of blocks beside each.
pub fn samples(node: &Node) -> Vec<(Hash32, usize)> {
    let score = |block: &Hash32| node.blue_score(block) / FINALITY;
    let blocks = node.chain();
    let pairs = blocks
        .windows(2)
        .filter(|pair| score(&pair[0]) < score(&pair[1]));
    let chain = node.engine.chain();
    pairs
        .map(|pair| {
            let mut export = Export::begin(&chain.records, &pair[1]).unwrap();
            while !export.step(chain, 7).unwrap() {}
            (pair[1], export.bodies().len() - 1)
        })
        .collect()
}

/// Everything a node sends of a pruning point, and the blocks above.
#[derive(Clone)]
pub struct Offer {
    pub proof: Proof,
    pub points: Vec<ProofHeader>,
    pub pages: Vec<TrustedPage>,
    pub bodies: Vec<WitnessedBlock>,
    pub above: Vec<Block>,
    pub child: Block,
    pub lanes: (LanesClaim, Vec<(Hash32, LaneTip)>),
    pub state: StateClaim,
    pub nullifiers: Vec<Hash32>,
    pub bindings: Vec<(Hash32, AnchorBinding)>,
}

impl Offer {
    pub fn of(node: &Node, point: &Hash32) -> Self {
        Self::among(node, point, blocks())
    }

    /// The same with these blocks, of which those above the pruning point are handed over.
    pub fn among(node: &Node, point: &Hash32, blocks: &[Block]) -> Self {
        let chain = node.engine.chain();
        let mut export = Export::begin(&chain.records, point).unwrap();
        while !export.step(chain, 50).unwrap() {}
        let mut pages = Vec::new();
        for from in (0..).step_by(20) {
            let page = export.trusted(&chain.records, from, 20).unwrap();
            if page.count() == 0 {
                break;
            }
            pages.push(TrustedPage::from_bytes(&page.to_bytes()).unwrap());
        }
        let block = |hash: &Hash32| chain.records.witnessed_block(hash).unwrap().unwrap();
        let above = blocks.iter().filter(|block| {
            let hash = block.hash();
            let is_held = chain.records.has_reachability(&hash).unwrap();
            is_held && hash != *point && is_dag_ancestor(&chain.records, point, &hash).unwrap()
        });
        let index = chain.records.chain_index(point).unwrap().unwrap();
        let child = chain.records.chain_at(index + 1).unwrap().unwrap();
        let claim = export.state_claim(&chain.records).unwrap();
        Self {
            proof: export.proof(chain).unwrap(),
            points: export.points(&chain.records, 0).unwrap(),
            pages,
            bodies: export.bodies().iter().map(block).collect(),
            above: above.cloned().collect(),
            child: block(&child).block,
            lanes: (
                export.lanes_claim(&chain.records).unwrap(),
                export.lane_page(&chain.records, None).unwrap(),
            ),
            state: StateClaim::from_bytes(&claim.to_bytes()).unwrap(),
            nullifiers: export.nullifier_page(&chain.records, None).unwrap(),
            bindings: bindings_of(&export, &chain.records),
        }
    }

    /// Headers up to the pruning point, before they become a graph.
    pub fn take_headers<S: Store>(&self, node: &mut Node<S>) -> Result<(), SvcError> {
        let engine = &mut node.engine;
        engine.importing().begin_import(self.proof.clone())?;
        while engine.importing().import_proof(40)?.is_none() {}
        for point in &self.points {
            engine.importing().import_points(vec![point.clone()])?;
        }
        for page in &self.pages {
            engine.importing().import_trusted(page.clone())?;
        }
        Ok(())
    }

    /// Headers and bodies up to the pruning point.
    pub fn take_graph(&self, node: &mut Node) -> Result<(), SvcError> {
        self.take_headers(node)?;
        let engine = &mut node.engine;
        while engine.importing().link_trusted(30)?.is_none() {}
        for body in &self.bodies {
            engine.importing().import_body(body.clone())?;
        }
        Ok(())
    }

    /// Blocks above that a node with this past can take. Others merge what no chain block has.
    pub fn take_above(&self, node: &mut Node) -> Result<usize, SvcError> {
        let mut taken = 0;
        for block in &self.above {
            let now = block.header.timestamp_ms;
            match node.engine.insert_block(block.clone(), now)? {
                Inserted::Accepted { .. } => taken += 1,
                Inserted::MissingParents(_) => {}
                Inserted::Rejected(error) => panic!("{} {error}", block.hash()),
            }
        }
        Ok(taken)
    }

    pub fn take_state(&self, node: &mut Node) -> Result<(), SvcError> {
        let engine = &mut node.engine;
        engine.importing().import_binding(&self.child)?;
        engine.importing().import_lanes(self.lanes.0)?;
        for lane in &self.lanes.1 {
            engine.importing().import_lane_page(&[*lane])?;
        }
        engine.importing().import_state(self.state.clone())?;
        for page in self.nullifiers.chunks(3) {
            engine.importing().import_nullifiers(page)?;
        }
        if engine.importing().wants_bindings()? {
            self.bind_anchors(engine)?;
        }
        engine.importing().finish_import()
    }

    /// Binds the anchors from before the fork.
    pub fn bind_anchors<S: Store>(&self, engine: &mut Engine<S>) -> Result<(), SvcError> {
        let mut pages = self.bindings.chunks(7);
        pages.try_for_each(|page| engine.importing().import_bindings(page))
    }

    pub fn take(&self, node: &mut Node) -> Result<usize, SvcError> {
        self.take_graph(node)?;
        let taken = self.take_above(node)?;
        self.take_state(node)?;
        settle(node);
        Ok(taken)
    }
}

/// All that binds anchors from before the fork, in the form in which it is sent.
fn bindings_of<S: Store>(export: &Export, records: &Records<S>) -> Vec<(Hash32, AnchorBinding)> {
    let mut all = Vec::new();
    loop {
        let page = export.bindings(records, all.len(), 5).unwrap();
        if page.is_empty() {
            return all;
        }
        all.extend(page.into_iter().map(|(block, binding)| {
            let bytes = binding.to_bytes();
            (block, AnchorBinding::from_bytes(&bytes).unwrap())
        }));
    }
}

/// Tables that are functions of the position.
const AT_POSITION: [u8; 4] = [
    tables::NULLIFIERS,
    tables::LANES,
    tables::LANE_NODES,
    tables::LANE_EXPIRY,
];
/// Tables whose rows are functions of a block.
const OF_BLOCK: [u8; 7] = [
    tables::HEADERS,
    tables::GHOSTDAG,
    tables::DAA_EXCLUDED,
    tables::CHAIN_STATE,
    tables::NULLIFIER_DIFFS,
    tables::LANE_DIFFS,
    tables::SCAN_RECORDS,
];

/// Acceptance data. An anchor below what was imported is not known, where the full node knows that it is too old: the
/// spend is dropped by both.
fn accepted(node: &Node, block: &Hash32) -> Option<AcceptanceRecord> {
    let overlay = &node.engine.records().overlay;
    let bytes = overlay.get(tables::ACCEPTANCE, block.as_bytes()).unwrap()?;
    let mut record = AcceptanceRecord::decode(&bytes).unwrap();
    for dropped in &mut record.dropped {
        if dropped.reason == "tx/anchor-too-old" {
            dropped.reason = "tx/anchor-not-final".to_owned();
        }
    }
    Some(record)
}

/// Everything above the pruning point must be the same, byte for byte.
fn assert_same_above(full: &Node, imported: &mut Node, offer: &Offer) {
    assert_eq!(full.sink(), imported.sink());
    assert_eq!(full.dump(&AT_POSITION), imported.dump(&AT_POSITION));
    for block in &offer.above {
        let hash = block.hash();
        let Some(stage) = imported.engine.records().stage(&hash).unwrap() else {
            continue;
        };
        let expected = full.engine.records().stage(&hash).unwrap().unwrap();
        assert_eq!(stage, expected, "{hash}");
        for table in OF_BLOCK {
            let row = |node: &Node| {
                let overlay = &node.engine.records().overlay;
                overlay.get(table, hash.as_bytes()).unwrap()
            };
            assert_eq!(row(full), row(imported), "table {table} of {hash}");
        }
        assert_eq!(accepted(full, &hash), accepted(imported, &hash), "{hash}");
    }
    check(imported, 500).unwrap();
    let counted = imported.engine.records().counters().unwrap().headers;
    assert_eq!(counted, imported.dump(&[tables::HEADERS]).len() as u64);
    let mut twin = full.copy();
    assert_eq!(twin.build(3, &[]), imported.build(3, &[]));
}

#[test]
fn an_imported_node_judges_as_the_full_one() {
    let full = full_node();
    let samples = samples(&full);
    println!("samples and blocks beside: {samples:?}");
    assert!(samples.iter().filter(|(_, beside)| *beside > 0).count() > 1);
    let mut sides = [0, 0];
    for (point, _) in &samples[..samples.len() - 1] {
        let offer = Offer::of(&full, point);
        let mut node = new_node();
        let taken = offer.take(&mut node).unwrap();
        let spent = offer.nullifiers.len();
        println!(
            "daa {} took {taken} of {} above, {spent} nullifiers",
            full.daa(point),
            offer.above.len()
        );
        assert!(taken * 10 > offer.above.len() * 9);
        assert_same_above(&full, &mut node, &offer);
        sides[usize::from(full.daa(point) >= FORK)] += spent.min(1);
    }
    assert!(
        sides[0] > 0 && sides[1] > 0,
        "spends on both sides of the fork"
    );
}

/// What an imported node holds is enough to serve the pruning point on, and later ones of its own.
#[test]
fn an_imported_node_serves_the_next() {
    let full = full_node();
    let samples = samples(&full);
    let (point, _) = samples[0];
    let first = Offer::of(&full, &point);
    let mut imported = new_node();
    first.take(&mut imported).unwrap();
    // Below its pruning point it serves nothing: that has moved on.
    let now = imported.engine.records().pruning_point().unwrap();
    let lowest = imported.blue_score(&now);
    let served = samples[..samples.len() - 1].iter();
    for (point, _) in served.filter(|(point, _)| full.blue_score(point) >= lowest) {
        let offer = Offer::of(&imported, point);
        assert_eq!(
            offer.state.to_bytes(),
            Offer::of(&full, point).state.to_bytes()
        );
        let mut next = new_node();
        offer.take(&mut next).unwrap();
        assert_same_above(&full, &mut next, &offer);
    }
}

fn prune(node: &mut Node) {
    while !node.engine.prune(5).unwrap().done {}
}

/// Nodes that pruned serve what they kept, and nodes that began at a pruning point prune on.
#[test]
fn pruned_nodes_serve_and_imported_ones_prune() {
    let full = full_node();
    let point = full.engine.records().pruning_point().unwrap();
    assert!(full.daa(&point) > FORK, "daa {}", full.daa(&point));
    let mut pruned = full.copy();
    prune(&mut pruned);
    let samples = samples(&full);
    let mut early = new_node();
    Offer::of(&full, &samples[0].0).take(&mut early).unwrap();
    assert_same_above(&full, &mut early, &Offer::of(&full, &point));
    prune(&mut early);
    let expected = Offer::of(&full, &point);
    for server in [&mut pruned, &mut early] {
        assert_eq!(server.engine.records().pruning_point().unwrap(), point);
        assert_same_above(&full, server, &expected);
        let offer = Offer::of(server, &point);
        assert_eq!(offer.state.to_bytes(), expected.state.to_bytes());
        assert!(offer.proof == expected.proof && offer.lanes == expected.lanes);
        let mut node = new_node();
        offer.take(&mut node).unwrap();
        prune(&mut node);
        assert_same_above(&full, &mut node, &offer);
    }
}

/// Questions about what is not here have an answer of their own, and those about the rest are answered.
#[test]
fn questions_below_the_begin() {
    let full = full_node();
    let (point, _) = samples(&full)[1];
    let offer = Offer::of(&full, &point);
    let mut node = new_node();
    offer.take(&mut node).unwrap();
    let chain = node.engine.chain();
    let genesis = chain.rules.genesis_hash;
    let code = |error: SvcError| error.code.as_str();
    let pruned = [
        pages::records(&chain.records, &genesis, 5).map(|_| ()),
        pages::record_of(&chain.records, &point).map(|_| ()),
        questions::virtual_chain_from(&chain.records, &genesis, 5).map(|_| ()),
        questions::blocks_from(&chain.records, &genesis, 5).map(|_| ()),
        questions::chain_facts(&chain.records, &point).map(|_| ()),
    ];
    assert_eq!(
        pruned.map(|answer| code(answer.unwrap_err())),
        ["chain/pruned"; 5]
    );
    let tip = questions::tip(chain).unwrap();
    assert_eq!(tip["historyComplete"], false);
    assert_eq!(tip["historyFromDaaScore"], full.daa(&point).to_string());
    assert_eq!(
        tip["treeSize"],
        questions::tip(full.engine.chain()).unwrap()["treeSize"]
    );
    let ours = |node: &Node| pages::records(node.engine.records(), &point, 2_000).unwrap();
    assert_eq!(ours(&node), ours(&full));
    let from = full.blue_score(&point);
    let anchors = |node: &Node, from| pages::anchors(node.engine.records(), from, 500).unwrap();
    assert_eq!(anchors(&node, from), anchors(&full, from));
    assert_eq!(anchors(&node, 0), anchors(&full, from));
    let mut answered = 0;
    for block in blocks() {
        let hash = block.hash();
        let known = chain.records.status(&hash).unwrap().is_some();
        match questions::block_facts(&chain.records, &hash) {
            Ok(facts) => assert_eq!(facts.is_some(), known, "{hash}"),
            Err(error) => assert_eq!(error.code.as_str(), "chain/pruned"),
        }
        answered += usize::from(known);
        if let Err(error) = questions::common_chain_block(&chain.records, &hash) {
            assert!(["chain/pruned", "chain/unknown-block"].contains(&error.code.as_str()));
        }
    }
    assert!(answered > offer.above.len());
}

/// What is taken away above the pruning point is that of one position.
#[test]
fn an_export_ends_when_the_position_moves() {
    let mut node = full_node();
    let (point, _) = samples(&node)[0];
    let begin = |node: &Node| Export::begin(node.engine.records(), &point).unwrap();
    let mut begun = begin(&node);
    let step = |export: &mut Export, node: &Node| {
        let chain = node.engine.chain();
        export.step(chain, 20)
    };
    assert!(!step(&mut begun, &node).unwrap());
    let mut whole = begin(&node);
    while !step(&mut whole, &node).unwrap() {}
    let claim = |export: &Export, node: &Node| export.state_claim(node.engine.records());
    let before = claim(&whole, &node).unwrap();
    node.mine(1, &[]);
    let records = node.engine.records();
    let moved = [
        step(&mut begun, &node).map(|_| ()),
        step(&mut whole, &node).map(|_| ()),
        claim(&whole, &node).map(|_| ()),
        whole.lanes_claim(records).map(|_| ()),
        whole.lane_page(records, None).map(|_| ()),
        whole.nullifier_page(records, None).map(|_| ()),
    ];
    let codes = moved.map(|answer| answer.unwrap_err().code.as_str());
    assert_eq!(codes, ["export/moved"; 6]);
    // One made again says the same of the pruning point.
    let mut again = begin(&node);
    while !step(&mut again, &node).unwrap() {}
    assert_eq!(claim(&again, &node).unwrap().to_bytes(), before.to_bytes());
}
