//! Imports of which one thing is wrong: each is refused for its own reason, and nothing is served.

use std::sync::OnceLock;

use svc_chain::muhash::MuHash;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_TRUSTED_PAGE;
use svc_consensus::engine::Engine;
use svc_consensus::import::trusted::{TrustedHeader, TrustedPage};
use svc_consensus::questions;
use svc_consensus::records::chain_state::MinerSlot;
use svc_consensus::rules::coinbase::MinerData;
use svc_consensus::store::MemoryStore;
use svc_dag::reachability::is_dag_ancestor;
use svc_shielded::frontier::Frontier;

use crate::scenarios::importing::{FORK, Offer, full_node, new_node, samples};
use crate::scenarios::kit::{CUT, Node, script_of, with_payload};

/// The store of a full node, and offers of a pruning point before the fork and of one behind it.
pub struct Made {
    store: MemoryStore,
    pub points: [Hash32; 2],
}

pub fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let node = full_node();
        let samples = samples(&node);
        let find = |behind: bool| {
            let fits = |point: &Hash32| (node.daa(point) >= FORK + 25) == behind;
            let mut points = samples
                .iter()
                .filter(|(point, beside)| *beside > 1 && fits(point));
            points.next().unwrap().0
        };
        Made {
            points: [find(false), find(true)],
            store: node.engine.records().overlay.store().clone(),
        }
    })
}

pub fn node() -> Node {
    let profile = new_node().engine.rules().profile.clone();
    Node::open(made().store.clone(), profile)
}

/// Offers with no more blocks above than bind the state.
pub fn offers() -> [Offer; 2] {
    let node = node();
    let records = node.engine.records();
    made().points.map(|point| {
        let mut offer = Offer::of(&node, &point);
        let index = records.chain_index(&point).unwrap().unwrap();
        let top = records.chain_at(index + 5).unwrap().unwrap();
        let below = |block: &Hash32| is_dag_ancestor(records, block, &top).unwrap();
        offer.above.retain(|block| below(&block.hash()));
        offer
    })
}

/// Nothing that depends on the state is answered.
fn assert_serves_nothing(engine: &mut Engine<MemoryStore>) {
    let code = |error: SvcError| error.code.as_str();
    let resolved = engine.resolve(10).map(|_| ()).unwrap_err();
    let tip = questions::tip(engine.chain()).unwrap_err();
    let miner = MinerData {
        script_version: 0,
        script: script_of(1),
        extra: Vec::new(),
    };
    let built = engine.build_template(miner, Vec::new(), 0);
    let built = built.map(|_| ()).unwrap_err();
    assert_eq!([resolved, tip, built].map(code), ["engine/not-imported"; 3]);
}

fn refused(offer: &Offer, change: impl FnOnce(&mut Offer)) -> SvcError {
    let mut changed = offer.clone();
    change(&mut changed);
    let mut node = new_node();
    let error = changed.take(&mut node).unwrap_err();
    assert_serves_nothing(&mut node.engine);
    let store = node.engine.records().overlay.store().clone();
    let mut reopened = Engine::open(store, node.engine.rules().profile.clone()).unwrap();
    assert_serves_nothing(&mut reopened);
    error
}

fn code(offer: &Offer, change: impl FnOnce(&mut Offer)) -> &'static str {
    refused(offer, change).code.as_str()
}

fn reason(error: &SvcError) -> &str {
    let found = error.data.iter().find(|(key, _)| *key == "reason");
    found.map_or("", |(_, reason)| reason)
}

#[test]
fn a_state_that_the_child_does_not_commit_to() {
    for offer in offers() {
        let wrong = |change: &dyn Fn(&mut Offer)| {
            let error = refused(&offer, change);
            assert_eq!(
                (error.code.as_str(), reason(&error)),
                ("import/wrong-state", "another root")
            );
        };
        wrong(&|offer| {
            let frontier = &offer.state.frontier;
            let mut ommers = frontier.ommers();
            ommers[0] = Hash32([1; 32]);
            let made = Frontier::from_parts(frontier.size(), frontier.leaf(), &ommers);
            offer.state.frontier = made.unwrap();
        });
        wrong(&|offer| offer.state.cumulative_coinbase += 1);
        wrong(&|offer| offer.state.cumulative_fees += 1);
        wrong(&|offer| {
            let product = offer.state.nullifiers.get_or_insert_with(MuHash::new);
            product.add(&[7; 32]);
        });
        let plain = |change: &dyn Fn(&mut Offer)| {
            let error = refused(&offer, change);
            assert_eq!(error.code.as_str(), "import/wrong-state");
            reason(&error).to_owned()
        };
        let fees = plain(&|offer| offer.state.cumulative_fees = u128::MAX);
        assert_eq!(fees, "fees above coins");
        assert_eq!(
            plain(&|offer| offer.state.nullifier_count = 0),
            "a product of no nullifiers"
        );
        assert_eq!(plain(&|offer| offer.state.chain_index = 0), "chain index");
        assert_eq!(
            plain(&|offer| offer.state.chain_index = u64::MAX),
            "chain index"
        );
        let many = code(&offer, |offer| offer.state.nullifier_count = u64::MAX);
        assert_eq!(many, "import/too-many-nullifiers");
    }
}

#[test]
fn what_only_a_root_behind_the_fork_covers() {
    let [before, behind] = offers();
    let wrong = |change: &dyn Fn(&mut Offer)| {
        let error = refused(&behind, change);
        assert_eq!(
            (error.code.as_str(), reason(&error)),
            ("import/wrong-state", "another root")
        );
    };
    wrong(&|offer| offer.state.dev_accrued += 1);
    wrong(&|offer| offer.state.slot.amount += 1);
    wrong(&|offer| offer.state.slot.script_version += 1);
    wrong(&|offer| offer.state.entries[3].tree_root = Hash32([1; 32]));
    let entry = |change: &dyn Fn(&mut Offer)| {
        let error = refused(&behind, change);
        assert_eq!(error.code.as_str(), "import/wrong-entry");
        reason(&error).to_owned()
    };
    let order = entry(&|offer| offer.state.entries.swap(2, 3));
    assert_eq!(order, "its parent is not the one before it");
    let equal =
        entry(&|offer| offer.state.entries[3].blue_score = offer.state.entries[2].blue_score);
    assert_eq!(equal, "its blue score does not grow");
    let last = entry(&|offer| {
        offer.state.entries.pop();
    });
    assert_eq!(last, "the last is not the pruning point");
    let first = entry(&|offer| {
        offer.state.entries.remove(0);
    });
    assert_eq!(first, "older ones are left out");
    assert_eq!(
        entry(&|offer| offer.state.entries[0].blue_score = 0),
        "too old to be spent against"
    );
    let many = entry(&|offer| offer.state.older = vec![Default::default(); 22]);
    assert_eq!(many, "more than may be spent against");

    let entries = behind.state.entries.clone();
    let early = refused(&before, |offer| offer.state.entries = entries);
    assert_eq!(reason(&early), "no log before the fork");
    let slot = MinerSlot {
        amount: 1,
        ..MinerSlot::default()
    };
    let early = refused(&before, |offer| offer.state.slot = slot);
    assert_eq!(reason(&early), "a slot before the fork");
}

#[test]
fn nullifiers_of_another_set() {
    for offer in offers() {
        assert!(offer.nullifiers.len() > 3);
        let other = code(&offer, |offer| offer.nullifiers[2] = Hash32([1; 32]));
        let fewer = code(&offer, |offer| offer.nullifiers.truncate(2));
        let twice = code(&offer, |offer| offer.nullifiers[1] = offer.nullifiers[0]);
        assert_eq!([other, fewer, twice], ["import/wrong-nullifiers"; 3]);
        let more = code(&offer, |offer| offer.nullifiers.push(Hash32([1; 32])));
        assert_eq!(more, "import/too-many-nullifiers");
        // Any order makes the same set.
        let mut turned = offer.clone();
        turned.nullifiers.reverse();
        turned.take(&mut new_node()).unwrap();
    }
}

#[test]
fn a_child_that_does_not_bind() {
    for offer in offers() {
        let lie = |offer: &mut Offer| {
            let forged = with_payload(&offer.child, |payload| payload.state_root = Hash32([1; 32]));
            offer.child.transactions = forged.transactions;
        };
        // The forged coinbase behind the header of the real child.
        assert_eq!(code(&offer, lie), "body/bad-merkle-root");
        let sealed = |offer: &mut Offer| {
            let lie = Hash32([1; 32]);
            offer.child = with_payload(&offer.child, |payload| payload.state_root = lie);
        };
        assert_eq!(code(&offer, sealed), "import/wrong-child");
        let parent = offer.child.header.direct_parents()[0];
        let other = |offer: &mut Offer| {
            let mut others = offer.above.iter().filter(|block| {
                block.header.direct_parents()[0] == parent && block.hash() != offer.child.hash()
            });
            let other = others.next().or(offer.above.last()).cloned();
            offer.child = other.unwrap();
        };
        assert_eq!(code(&offer, other), "import/wrong-child");
        assert_eq!(
            code(&offer, |offer| offer.above.clear()),
            "import/not-bound"
        );
        let empty = |offer: &mut Offer| offer.child.transactions.clear();
        assert_eq!(code(&offer, empty), "body/bad-merkle-root");
    }
}

/// Applies a change to the trusted header of a block.
fn change_header(offer: &mut Offer, hash: &Hash32, change: impl FnOnce(&mut TrustedHeader)) {
    let mut headers = offer.pages.iter_mut().flat_map(|page| &mut page.window);
    change(
        headers
            .find(|trusted| trusted.header.hash() == *hash)
            .unwrap(),
    );
}

fn drop_header(offer: &mut Offer, hash: &Hash32) {
    for page in &mut offer.pages {
        page.window.retain(|trusted| trusted.header.hash() != *hash);
        page.segment.retain(|header| header.hash() != *hash);
    }
}

#[test]
fn a_window_with_a_hole_or_a_lie() {
    for (offer, point) in offers().iter().zip(made().points) {
        let parent = offer.child.header.direct_parents()[0];
        assert_eq!(parent, point);
        let below = node().engine.records().block(&point).unwrap().unwrap();
        let below = below.header.direct_parents()[0];
        assert_eq!(
            code(offer, |offer| drop_header(offer, &below)),
            "import/incomplete"
        );
        assert_eq!(
            code(offer, |offer| drop_header(offer, &point)),
            "import/wrong-header"
        );
        let score = |offer: &mut Offer| {
            change_header(offer, &point, |trusted| trusted.ghostdag.blue_score += 1);
        };
        assert_eq!(code(offer, score), "import/wrong-ghostdag");
        for block in [point, below] {
            let size = |offer: &mut Offer| {
                change_header(offer, &block, |trusted| {
                    trusted.ghostdag.anticone_sizes[0].1 += 1;
                });
            };
            assert_eq!(code(offer, size), "import/wrong-ghostdag");
        }
        let above = offer.above.last().unwrap().header.clone();
        let header = |offer: &mut Offer| {
            let header = svc_consensus::proof::ProofHeader::new(above, None);
            offer.pages[0].segment.push(header);
        };
        assert_eq!(code(offer, header), "import/wrong-header");
        let list = |change: &dyn Fn(&mut Offer)| code(offer, change);
        assert_eq!(
            list(&|offer| drop(offer.points.remove(0))),
            "import/wrong-points"
        );
        assert_eq!(
            list(&|offer| offer.points.swap(0, 1)),
            "import/wrong-points"
        );
        assert_eq!(
            list(&|offer| drop(offer.points.pop())),
            "import/out-of-order"
        );
    }
}

/// The offer without the GHOSTDAG data of a block, which comes as one below the window would.
fn drop_data(offer: &mut Offer, hash: &Hash32) {
    let mut windows = offer.pages.iter().flat_map(|page| &page.window);
    let trusted = windows.find(|trusted| trusted.header.hash() == *hash);
    let header = trusted.unwrap().header.clone();
    drop_header(offer, hash);
    offer.pages[0].segment.push(header);
}

/// Whatever a peer leaves out of the window: the graph is refused, or the chain above goes on as it does elsewhere. A
/// node that took too little would end in the middle of it.
#[test]
fn a_window_that_lacks_anything_is_refused_or_enough() {
    for offer in offers() {
        let window = offer.pages.iter().flat_map(|page| &page.window);
        let window: Vec<Hash32> = window.map(|trusted| trusted.header.hash()).collect();
        for drop in [drop_header, drop_data] {
            let mut refused = 0;
            for hash in &window {
                let mut changed = offer.clone();
                drop(&mut changed, hash);
                let mut node = new_node();
                if let Err(error) = changed.take_graph(&mut node) {
                    assert!(error.code.as_str().starts_with("import/"), "{error}");
                    refused += 1;
                    continue;
                }
                let taken = changed.take_above(&mut node);
                taken.unwrap_or_else(|error| panic!("without {hash}: {error}"));
                changed.take_state(&mut node).unwrap();
            }
            println!("{refused} of {} refused", window.len());
            assert!(refused > window.len() / 4, "{refused}");
        }
    }
}

#[test]
fn bodies_and_lanes_of_others() {
    for offer in offers() {
        let last = |offer: &mut Offer| drop(offer.bodies.pop());
        assert_eq!(code(&offer, last), "engine/not-imported");
        let stranger = |offer: &mut Offer| offer.bodies[0].block = offer.child.clone();
        assert_eq!(code(&offer, stranger), "import/unexpected-body");
        let cut = |offer: &mut Offer| {
            let body = &mut offer.bodies[1].block;
            *body = {
                let forged = with_payload(body, |payload| payload.extra.push(1));
                let header = body.header.clone();
                svc_chain::block::Block { header, ..forged }
            };
        };
        assert_eq!(code(&offer, cut), "body/bad-merkle-root");
        let lanes = [
            code(&offer, |offer| offer.lanes.1[0].1.tip = Hash32([1; 32])),
            code(&offer, |offer| offer.lanes.1[0].1.blue_score += 1_000),
            code(&offer, |offer| {
                offer.lanes.0.payload_digest = Hash32([1; 32])
            }),
            code(&offer, |offer| offer.lanes.0.root = Hash32([1; 32])),
            code(&offer, |offer| offer.lanes.0.count -= 1),
        ];
        assert_eq!(lanes, ["import/wrong-lanes"; 5]);
        let missing = |offer: &mut Offer| offer.lanes.1.truncate(1);
        assert_eq!(code(&offer, missing), "import/out-of-order");
    }
}

#[test]
fn an_import_needs_an_empty_store_and_its_order() {
    let [offer, _] = offers();
    let mut node = new_node();
    let code = |error: SvcError| error.code.as_str();
    let early = node.importing().finish_import().unwrap_err();
    assert_eq!(code(early), "import/out-of-order");
    node.mine(1, &[]);
    let used = node.importing().begin_import(offer.proof.clone());
    assert_eq!(code(used.unwrap_err()), "import/not-empty");
    let mut node = new_node();
    node.importing().begin_import(offer.proof.clone()).unwrap();
    let again = node.importing().begin_import(offer.proof.clone());
    assert_eq!(code(again.unwrap_err()), "import/not-empty");
    let early = node.importing().import_points(offer.points.clone());
    assert_eq!(code(early.unwrap_err()), "import/out-of-order");
    while node.importing().import_proof(1_000).unwrap().is_none() {}
    // What is refused before anything was written may be sent again.
    let wrong = node.importing().import_points(offer.points[1..].to_vec());
    assert_eq!(code(wrong.unwrap_err()), "import/wrong-points");
    let taken = node.importing().import_points(offer.points.clone());
    assert!(taken.unwrap());
}

/// No root from before the fork covers the fee: it may be carried while it accrues, both ends by the DAA score of the
/// pruning point (specification consensus 13.3).
/// No root covers it before the fork: it follows from the headers of the chain.
#[test]
fn a_fee_carried_before_the_fork_is_what_the_chain_has_carried() {
    let full = node();
    let points = samples(&full).into_iter().map(|(point, _)| point);
    let points: Vec<_> = points.filter(|point| full.daa(point) < FORK).collect();
    let (mut carrying, mut refused) = (0, 0);
    for point in &points {
        let mut offer = Offer::of(&full, point);
        let carried = full.state_of(point).dev_accrued;
        carrying += usize::from(carried > 0);
        let lies = [
            carried + 1,
            carried.wrapping_sub(1),
            u64::MAX,
            carried + CUT,
        ];
        for claimed in lies {
            offer.state.dev_accrued = claimed;
            let mut node = new_node();
            offer.take_graph(&mut node).unwrap();
            offer.take_above(&mut node).unwrap();
            let error = offer.take_state(&mut node).unwrap_err();
            assert_eq!(
                (error.code.as_str(), reason(&error)),
                ("import/wrong-state", "a development fee carried")
            );
            assert_serves_nothing(&mut node.engine);
            refused += 1;
        }
        offer.state.dev_accrued = carried;
        offer.take(&mut new_node()).unwrap();
    }
    println!(
        "{} points, {carrying} with a fee carried, {refused} lies refused",
        points.len()
    );
    assert!(carrying > 1);
}

/// Of a network where it does not accrue yet, or has ended.
#[test]
fn a_fee_carried_before_it_accrues_or_when_it_has_ended() {
    let [mut offer, _] = offers();
    let daa_score = node().daa(&made().points[0]);
    let take = |offer: &Offer, accrual: u64, end: u64| {
        let mut profile = new_node().engine.rules().profile.clone();
        profile.activations.dev_fee_accrual = Some(accrual);
        profile.activations.dev_fee_end = Some(end);
        let mut node = Node::new(profile);
        offer.take_graph(&mut node).unwrap();
        offer.take_above(&mut node).unwrap();
        offer.take_state(&mut node)
    };
    for (carried, accrual, end, is_taken) in [
        (1, daa_score + 1, daa_score + 2, false),
        (1, 0, daa_score, false),
        (0, daa_score + 1, daa_score + 2, true),
        (0, 0, daa_score, true),
    ] {
        offer.state.dev_accrued = carried;
        let taken = take(&offer, accrual, end);
        assert_eq!(taken.is_ok(), is_taken, "{carried} {accrual} {end}");
        let Err(error) = taken else { continue };
        assert_eq!(
            (error.code.as_str(), reason(&error)),
            ("import/wrong-state", "a development fee carried")
        );
    }
}

#[test]
fn more_headers_than_an_import_takes() {
    let [offer, _] = offers();
    let mut node = new_node();
    node.importing().begin_import(offer.proof.clone()).unwrap();
    while node.importing().import_proof(1_000).unwrap().is_none() {}
    let genesis = &offer.points[0];
    let data = |error: SvcError| (error.code.as_str(), error.data[0].1.clone());
    let refused = ("import/too-many-headers", "1025".to_owned());
    let points = vec![genesis.clone(); MAX_TRUSTED_PAGE + 1];
    let error = node.importing().import_points(points).unwrap_err();
    assert_eq!(data(error), refused);
    // Nothing of the page was taken: the list may come again.
    let taken = node.importing().import_points(offer.points.clone());
    assert!(taken.unwrap());
    let page = |count| TrustedPage {
        window: Vec::new(),
        segment: vec![genesis.clone(); count],
    };
    let error = node.importing().import_trusted(page(MAX_TRUSTED_PAGE + 1));
    let (code, count) = data(error.unwrap_err());
    assert_eq!(code, refused.0);
    assert!(count.parse::<usize>().unwrap() > MAX_TRUSTED_PAGE);
    let taken = node.importing().import_trusted(page(MAX_TRUSTED_PAGE));
    taken.unwrap();
}
