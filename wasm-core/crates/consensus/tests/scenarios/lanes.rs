//! The live lanes and the sequencing commitment, held to a book that keeps all lanes in one list.

use std::collections::BTreeMap;

use serde_json::json;
use svc_chain::profile::Profile;
use svc_chain::seq_commit;
use svc_chain::transaction::Transaction;
use svc_chance::chance::Chance;
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_consensus::engine::Engine;
use svc_consensus::records::Records;
use svc_consensus::records::lane_diff::{LaneDiff, LaneTip};
use svc_consensus::records::lanes::{find_lane, plan, write};
use svc_consensus::store::tables;
use svc_consensus::store::{Change, MemoryStore, Store};
use svc_dag::store::DagStore;

use crate::scenarios::kit::{Node, simnet_with};
use crate::scenarios::payments::Payment;

/// Tables that hold the lanes at the position.
pub const PRESENT: [u8; 3] = [tables::LANES, tables::LANE_NODES, tables::LANE_EXPIRY];

/// Finality depth of [`short_lived`]: a lane lives that long.
const F: u64 = 30;

/// A network whose lanes expire soon.
pub fn short_lived() -> Profile {
    simnet_with(&[
        ("/finalityDepth", json!(F)),
        ("/mergeDepth", json!(20)),
        ("/shieldedAnchorDepth", json!(4)),
        ("/maxShieldedAnchorAge", json!(12)),
        ("/massLimits/transient", json!(4_000_000)),
    ])
}

/// The subnetwork of a user lane by number.
pub fn subnetwork(lane: u32) -> [u8; 20] {
    let mut id = [0; 20];
    id[..4].copy_from_slice(&(lane + 1_000).to_be_bytes());
    id
}

/// A payment in a user lane.
pub fn in_lane(note: u64, lane: u32) -> Transaction {
    Transaction {
        subnetwork_id: subnetwork(lane),
        ..Payment::of(note).build()
    }
}

type Book = BTreeMap<Hash32, LaneTip>;

fn leaves_of(book: &Book) -> Vec<(Hash32, Hash32)> {
    book.iter()
        .map(|(key, lane)| (*key, seq_commit::active_leaf(&lane.tip, lane.blue_score)))
        .collect()
}

/// Specification consensus 12, line by line, for every block of the selected chain; then the tables.
pub fn assert_by_the_book(node: &Node) -> Book {
    let depth = node.engine.rules().profile.finality_depth;
    let chain = node.chain();
    let mut book = Book::new();
    for (index, block) in chain.iter().enumerate().skip(1) {
        let root = turn_page(node, (&chain[..index], block), &mut book, depth);
        assert_eq!(node.state_of(block).lanes_root, root, "lanes of {block}");
    }
    assert_eq!(node.engine.records().position().unwrap(), node.sink());
    assert_eq!(node.dump(&PRESENT), rows_of(&book));
    book
}

/// One chain block over the chain below it; returns the root of the lanes.
fn turn_page(
    node: &Node,
    (below, block): (&[Hash32], &Hash32),
    book: &mut Book,
    depth: u64,
) -> Hash32 {
    let records = node.engine.records();
    let header = |hash: &Hash32| records.header(hash).unwrap().header.clone();
    let (own, parent) = (header(block), header(below.last().unwrap()));
    let context = seq_commit::mergeset_context(parent.timestamp_ms, own.daa_score, own.blue_score);
    let mut leaves: BTreeMap<[u8; 20], Vec<Hash32>> = BTreeMap::new();
    let (mut count, mut payloads) = (0, Vec::new());
    for merged in &records.acceptance(block).unwrap().merged {
        let body = records.body(&merged.hash).unwrap();
        for txid in &merged.accepted {
            let transaction = body.iter().find(|found| found.id() == *txid).unwrap();
            let leaf = seq_commit::activity_leaf(txid, transaction.version, count);
            leaves
                .entry(transaction.subnetwork_id)
                .or_default()
                .push(leaf);
            count += 1;
        }
        let work = header(&merged.hash).blue_work;
        let payload = &body[0].payload;
        payloads.push(seq_commit::miner_payload_leaf(&merged.hash, work, payload));
    }
    book.retain(|_, lane| lane.blue_score >= own.blue_score.saturating_sub(depth));
    for (lane, leaves) in leaves {
        let key = seq_commit::lane_key(&lane);
        let from = book.get(&key).map(|lane| lane.tip);
        let from = from.unwrap_or(parent.accepted_id_merkle_root);
        let digest = seq_commit::lane_digest(&leaves);
        let lane = LaneTip {
            tip: seq_commit::lane_tip(&from, &key, &digest, &context),
            blue_score: own.blue_score,
        };
        book.insert(key, lane);
    }
    let root = seq_commit::lanes_root(&leaves_of(book));
    let old = |hash: &&Hash32| header(hash).blue_score + depth < own.blue_score;
    let shortcut = below.iter().rev().find(old).unwrap_or(&below[0]);
    let commitment = seq_commit::commitment(
        &parent.accepted_id_merkle_root,
        &seq_commit::state(
            &seq_commit::activity_root(&header(shortcut).accepted_id_merkle_root, &root),
            &seq_commit::payload_and_context_digest(&context, &seq_commit::payload_root(&payloads)),
        ),
    );
    assert_eq!(
        own.accepted_id_merkle_root, commitment,
        "commitment of {block}"
    );
    root
}

/// The rows a set of lanes has, written at once into an empty store.
fn rows_of(book: &Book) -> Vec<(u8, Vec<u8>, Vec<u8>)> {
    let mut records = Records::new(MemoryStore::new());
    let update = plan(&records, LaneDiff::between(&Book::new(), book)).unwrap();
    assert_eq!(update.tree.root, seq_commit::lanes_root(&leaves_of(book)));
    write(&mut records, &update);
    records.overlay.commit().unwrap();
    records.overlay.store().dump()
}

fn tip_of(node: &Node, lane: u32) -> Option<LaneTip> {
    let key = seq_commit::lane_key(&subnetwork(lane));
    find_lane(node.engine.records(), &key).unwrap()
}

/// Mines empty blocks until the sink has a blue score.
fn mine_to(node: &mut Node, blue_score: u64) {
    while node.blue_score(&node.sink()) < blue_score {
        node.mine(1, &[]);
    }
}

#[test]
fn a_lane_lives_for_the_finality_depth_and_not_one_block_longer() {
    let mut node = Node::new(short_lived());
    node.mine_many(1, 3);
    node.mine(1, &[in_lane(1, 1)]);
    assert_eq!(tip_of(&node, 1), None, "accepted by the next block");
    node.mine(1, &[]);
    let born = tip_of(&node, 1).unwrap();
    assert_eq!(born.blue_score, node.blue_score(&node.sink()));
    mine_to(&mut node, born.blue_score + F);
    assert_eq!(tip_of(&node, 1), Some(born));
    assert_eq!(assert_by_the_book(&node).len(), 2);
    node.mine(1, &[]);
    assert_eq!(tip_of(&node, 1), None);
    assert_eq!(assert_by_the_book(&node).len(), 1);
}

#[test]
fn a_lane_touched_in_its_last_block_goes_on_and_one_block_later_starts_over() {
    for (age, goes_on) in [(F, true), (F + 1, false)] {
        let mut node = Node::new(short_lived());
        node.mine_many(1, 3);
        node.mine(1, &[in_lane(1, 1)]);
        node.mine(1, &[]);
        let born = tip_of(&node, 1).unwrap();
        mine_to(&mut node, born.blue_score + age - 2);
        let carrier = node.mine(1, &[in_lane(2, 1)]);
        let merging = node.mine(1, &[]);
        let lane = tip_of(&node, 1).unwrap();
        assert_eq!(lane.blue_score, born.blue_score + age);
        assert_by_the_book(&node);
        let records = node.engine.records();
        let parent = records.header(&carrier).unwrap().header.clone();
        let context =
            seq_commit::mergeset_context(parent.timestamp_ms, node.daa(&merging), lane.blue_score);
        // The coinbase of the carrier comes first.
        let leaf = seq_commit::activity_leaf(&in_lane(2, 1).id(), 2, 1);
        let key = seq_commit::lane_key(&subnetwork(1));
        let digest = seq_commit::lane_digest(&[leaf]);
        let from = if goes_on {
            born.tip
        } else {
            parent.accepted_id_merkle_root
        };
        let expected = seq_commit::lane_tip(&from, &key, &digest, &context);
        assert_eq!(lane.tip, expected, "age {age}");
    }
}

fn mine_at_random(chance: &mut Chance, node: &mut Node, miner: u32, note: &mut u64) {
    let payments: Vec<Transaction> = (0..chance.below(4))
        .map(|_| {
            *note += 1;
            in_lane(*note, chance.below(12) as u32)
        })
        .collect();
    node.mine(miner, &payments);
}

fn hand_over(from: &Node, to: &mut Node) {
    to.insert_chain(from, 1);
    to.settle();
}

/// Two branches overtake each other again and again, with lanes touched and expiring on both.
fn run(seed: u64) {
    println!("seed {seed}");
    let mut chance = Chance::new(seed);
    let mut note = 0;
    let mut left = Node::new(short_lived());
    for _ in 0..20 {
        mine_at_random(&mut chance, &mut left, 1, &mut note);
    }
    let mut right = left.copy();
    let mut observer = left.copy();
    observer.budget = 3;
    let mut switches = 0;
    // The branches stay shorter than the finality depth, beyond which nobody follows.
    for round in 0..8 {
        let (behind, ahead) = if round % 2 == 0 {
            (&mut right, &left)
        } else {
            (&mut left, &right)
        };
        let length = ahead.chain().len() + 1 + chance.below(3) as usize;
        while behind.chain().len() < length {
            mine_at_random(&mut chance, behind, 2 + round, &mut note);
        }
        let before = observer.sink();
        hand_over(behind, &mut observer);
        assert_eq!(observer.sink(), behind.sink());
        switches += usize::from(!observer.chain().contains(&before));
        assert_by_the_book(&observer);
        assert_eq!(
            observer.dump(&PRESENT),
            behind.dump(&PRESENT),
            "seed {seed}"
        );
    }
    assert!(switches >= 6, "seed {seed}: {switches}");
    // A chain that goes on over all of it, merging the other branch.
    for _ in 0..40 {
        mine_at_random(&mut chance, &mut observer, 1, &mut note);
    }
    assert_by_the_book(&observer);
    let mut fresh = Node::new(short_lived());
    hand_over_all(&observer, &mut fresh);
    assert_eq!(observer.dump(&PRESENT), fresh.dump(&PRESENT), "seed {seed}");
    let diffs = observer.dump(&[tables::LANE_DIFFS, tables::CHAIN_STATE]);
    for row in fresh.dump(&[tables::LANE_DIFFS, tables::CHAIN_STATE]) {
        assert!(
            diffs.contains(&row),
            "seed {seed}: a row depends on history"
        );
    }
}

/// Hands over every block, parents first.
pub fn hand_over_all(from: &Node, to: &mut Node) {
    let rows = from.dump(&[tables::BODIES]).into_iter();
    let mut blocks: Vec<_> = rows
        .map(|(_, key, _)| Hash32(key.try_into().unwrap()))
        .filter(|hash| *hash != from.engine.rules().genesis_hash)
        .map(|hash| from.engine.records().block(&hash).unwrap().unwrap())
        .collect();
    blocks.sort_by_key(|block| block.header.blue_work);
    for block in &blocks {
        to.insert(block);
    }
    to.settle();
}

#[test]
fn branches_that_overtake_each_other_keep_lanes_by_the_book() {
    for seed in 1..=4 {
        run(seed);
    }
}

#[test]
fn lanes_that_do_not_fit_the_state_stop_the_engine_and_judge_nobody() {
    let mut node = Node::new(short_lived());
    node.mine_many(1, 3);
    node.mine(1, &[in_lane(1, 1), in_lane(2, 2)]);
    node.mine_many(1, 2);
    let block = node.build(1, &[]);
    let rows = node.dump(&[tables::LANES, tables::LANE_NODES]);
    let keys = rows.into_iter().map(|(table, key, _)| (table, key));
    let damages = [None, Some(vec![1, 0, 0]), Some(vec![7])];
    let mut stopped = 0;
    for (table, key) in keys {
        for value in &damages {
            let mut store = node.engine.records().overlay.store().clone();
            let (key, value) = (key.clone(), value.clone());
            let change = Change { table, key, value };
            store.commit(vec![change]).unwrap();
            let mut damaged = Engine::open(store, short_lived()).unwrap();
            let outcome = damaged
                .insert_block(block.clone(), block.header.timestamp_ms)
                .and_then(|_| damaged.resolve(100));
            match outcome {
                Err(error) => {
                    assert_eq!(error.code, Code::StoreCorrupt);
                    stopped += 1;
                }
                // A row beside the way of this block.
                Ok(_) => assert_eq!(
                    damaged.records().virtual_record().unwrap().sink,
                    block.hash()
                ),
            }
        }
    }
    assert!(stopped >= 3, "{stopped}");
}
