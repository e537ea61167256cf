//! Imports with a lie that no hash tells at once: each must be refused, or do no harm.

use svc_chain::block::Block;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_PAGE_RECORDS;
use svc_consensus::export::Export;
use svc_consensus::history::HistoryProgress;
use svc_consensus::import::trusted::TrustedHeader;
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::proof::ProofHeader;
use svc_consensus::questions::pages;
use svc_dag::reachability::is_dag_ancestor;
use svc_shielded::frontier::{Frontier, empty_root};

use crate::scenarios::history::find_unknown;
use crate::scenarios::importing::{FORK, Offer, full_node, new_node, samples};
use crate::scenarios::kit::{Node, with_payload};

/// A full node with an offer of a pruning point before the fork, or of one behind it.
fn made(behind: bool) -> (Node, Offer, Hash32) {
    let full = full_node();
    let fits = |point: &Hash32| (full.daa(point) >= FORK + 25) == behind;
    let samples = samples(&full);
    let (point, _) = *samples
        .iter()
        .find(|(point, beside)| *beside > 1 && fits(point))
        .unwrap();
    let offer = Offer::of(&full, &point);
    (full, offer, point)
}

/// The count of lanes is a claim of its own: with none the root was never compared, and the first chain block found
/// lanes that are not those of the state.
#[test]
fn lanes_that_do_not_come_are_missed() {
    let (_, mut offer, _) = made(true);
    offer.lanes.0.count = 0;
    offer.lanes.1.clear();
    let mut node = new_node();
    let error = offer.take(&mut node).unwrap_err();
    assert_eq!(error.code.as_str(), "import/wrong-lanes");
}

/// An uncommitted leaf more leaves the root as it is, and puts every later leaf in another place.
#[test]
fn a_note_tree_with_uncommitted_leaves_is_refused() {
    for behind in [false, true] {
        let (_, mut offer, _) = made(behind);
        let root = offer.state.frontier.root();
        let (size, leaf) = (
            offer.state.frontier.size(),
            offer.state.frontier.leaf().unwrap(),
        );
        let mut ommers = offer.state.frontier.ommers();
        // A place behind an even one: its left sibling is the true last leaf.
        if (size - 1) % 2 == 0 {
            ommers.insert(0, leaf);
            let padded = Frontier::from_parts(size + 1, Some(empty_root(0)), &ommers);
            offer.state.frontier = padded.unwrap();
        } else {
            offer.state.frontier.append(&empty_root(0)).unwrap();
        }
        assert_eq!(offer.state.frontier.root(), root);
        let mut node = new_node();
        let error = offer.take(&mut node).unwrap_err();
        assert_eq!(error.code.as_str(), "import/wrong-state");
    }
}

/// A record with the id of a block that is still to come must not take that block's own record away.
#[test]
fn a_dropped_history_takes_no_record_of_the_chain() {
    let full = full_node();
    let samples = samples(&full);
    let (point, _) = samples[samples.len() - 2];
    let offer = Offer::of(&full, &point);
    let held = full.engine.records();
    let from = held.chain_index(&point).unwrap().unwrap();
    let records = Export::history(held, from, MAX_PAGE_RECORDS).unwrap();
    let later = full.sink();
    let mut node = new_node();
    let mut first = offer.clone();
    let top = held.chain_at(from + 3).unwrap().unwrap();
    first
        .above
        .retain(|block| is_dag_ancestor(held, &block.hash(), &top).unwrap());
    first.take(&mut node).unwrap();
    let deep = find_unknown(&node, &records, |_| true).unwrap();
    let mut forged = records[..=deep].to_vec();
    forged[deep].splice(..32, *later.as_bytes());
    node.engine
        .history_import()
        .import_history(&forged)
        .unwrap();
    offer.take_above(&mut node).unwrap();
    node.settle();
    assert_eq!(node.sink(), full.sink());
    let served = |node: &Node| pages::record_of(node.engine.records(), &later).unwrap();
    assert_eq!(served(&node), served(&full));
    node.engine.history_import().drop_history().unwrap();
    while let HistoryProgress::Working(_) = node.engine.history_import().history_step(5).unwrap() {}
    assert_eq!(served(&node), served(&full));
}

/// The record of the base comes first and is proved last: until then nothing bound it.
#[test]
fn the_record_of_the_base_is_not_served_before_history_is_proved() {
    let (full, offer, point) = made(true);
    let records = full.engine.records();
    let from = records.chain_index(&point).unwrap().unwrap();
    let mut record = Export::history(records, from, 1).unwrap().remove(0);
    // The id of its coinbase, which only the commitments of the notes depend on.
    record[64] ^= 1;
    let mut node = new_node();
    offer.take(&mut node).unwrap();
    node.engine
        .history_import()
        .import_history(&[record])
        .unwrap();
    let records = node.engine.records();
    let page = pages::record_of(records, &point).map_err(|error| error.code.as_str());
    assert_eq!(page, Err("chain/pruned"));
    let index = records.chain_index(&point).unwrap().unwrap();
    assert!(Export::history(records, index, 1).unwrap().is_empty());
}

/// A child that was the best when it bound the state, and is not when the import ends, binds nothing.
#[test]
fn a_child_that_was_left_behind_binds_no_state() {
    let (_, offer, point) = made(true);
    let mut node = new_node();
    offer.take_graph(&mut node).unwrap();
    let mut lie = offer.clone();
    lie.state.cumulative_coinbase += 1_000_000;
    // What root the lie has is told by the refusal.
    let root = {
        let mut other = new_node();
        let error = lie.take(&mut other).unwrap_err();
        let found = error.data.iter().find(|(key, _)| *key == "found");
        found.unwrap().1.parse::<Hash32>().unwrap()
    };
    lie.child = with_payload(&offer.child, |payload| payload.state_root = root);
    assert_eq!(lie.child.header.direct_parents()[0], point);
    let now = lie.child.header.timestamp_ms;
    let inserted = node.engine.insert_block(lie.child.clone(), now).unwrap();
    assert!(matches!(inserted, Inserted::Accepted { .. }));
    node.importing().import_binding(&lie.child).unwrap();
    // The chain of the network comes, with far more work.
    offer.take_above(&mut node).unwrap();
    assert_eq!(
        node.importing().binding_child().unwrap(),
        offer.child.hash()
    );
    let engine = &mut node.engine;
    let mut take = || {
        engine.importing().import_lanes(lie.lanes.0)?;
        engine.importing().import_lane_page(&lie.lanes.1)?;
        engine.importing().import_state(lie.state.clone())?;
        engine.importing().import_nullifiers(&lie.nullifiers)?;
        engine.importing().finish_import()
    };
    let error = take().unwrap_err();
    assert_eq!(error.code.as_str(), "import/wrong-child");
}

/// Brings in lanes, state and nullifiers of an offer, below whichever child bound its root.
fn take_claims(offer: &Offer, node: &mut Node) -> Result<(), SvcError> {
    let engine = &mut node.engine;
    engine.importing().import_lanes(offer.lanes.0)?;
    engine.importing().import_lane_page(&offer.lanes.1)?;
    engine.importing().import_state(offer.state.clone())?;
    engine.importing().import_nullifiers(&offer.nullifiers)
}

/// The child of the pruning point with another coinbase, which a peer shows before the chain of the network.
fn bind_by(child: &Block, node: &mut Node) {
    let now = child.header.timestamp_ms;
    let inserted = node.engine.insert_block(child.clone(), now).unwrap();
    assert!(matches!(inserted, Inserted::Accepted { .. }));
    node.importing().import_binding(child).unwrap();
}

/// The state came while another child was the best. The child that takes its place has to bind the very same root.
#[test]
fn a_second_child_binds_the_root_that_the_state_was_taken_by_and_no_other() {
    let (_, offer, _) = made(true);
    let mut lie = offer.clone();
    lie.state.cumulative_coinbase += 1_000_000;
    // What root the lie has is told by the refusal.
    let error = lie.take(&mut new_node()).unwrap_err();
    let found = error.data.iter().find(|(key, _)| *key == "found");
    let root = found.unwrap().1.parse::<Hash32>().unwrap();
    let lying = with_payload(&offer.child, |payload| payload.state_root = root);
    let honest = with_payload(&offer.child, |payload| payload.extra.push(1));
    for (claimed, first, is_true) in [(&lie, &lying, false), (&offer, &honest, true)] {
        let mut node = new_node();
        offer.take_graph(&mut node).unwrap();
        bind_by(first, &mut node);
        take_claims(claimed, &mut node).unwrap();
        // The chain of the network comes, with far more work.
        offer.take_above(&mut node).unwrap();
        let early = node.importing().finish_import().unwrap_err();
        assert_eq!(early.code.as_str(), "import/wrong-child");
        let bound = node.importing().import_binding(&offer.child);
        let finished = node.importing().finish_import();
        if is_true {
            bound.unwrap();
            finished.unwrap();
            continue;
        }
        let error = bound.unwrap_err();
        let reason = error.data.iter().find(|(key, _)| *key == "reason");
        assert_eq!(
            (error.code.as_str(), reason.unwrap().1.as_str()),
            ("import/wrong-state", "another root")
        );
        // The refusal changed nothing: what bound the lie is left behind as before.
        let error = finished.unwrap_err();
        assert_eq!(error.code.as_str(), "import/wrong-child");
    }
}

/// Applies a change to the trusted header of a block.
fn change_header(offer: &mut Offer, hash: &Hash32, change: impl FnOnce(&mut TrustedHeader)) {
    let mut headers = offer.pages.iter_mut().flat_map(|page| &mut page.window);
    let mut found = headers.find(|trusted| trusted.header.hash() == *hash);
    change(found.as_mut().unwrap());
}

/// Mergesets below those that coloring reads make the windows: with another one in them the node would refuse the
/// blocks of the network for their difficulty.
#[test]
fn a_mergeset_of_the_window_that_headers_contradict_is_refused() {
    let (full, offer, point) = made(true);
    let records = full.engine.records();
    let k = u64::from(full.engine.rules().profile.ghostdag_k);
    let top = full.blue_score(&point);
    let window: Vec<TrustedHeader> = offer
        .pages
        .iter()
        .flat_map(|page| page.window.iter().cloned())
        .collect();
    let deep = window.iter().filter(|trusted| {
        let data = &trusted.ghostdag;
        data.blue_score + k < top && data.blue_score + 14 > top && data.mergeset_size() > 1
    });
    let (mut tried, mut taken, mut harmed) = (0, 0, Vec::new());
    for trusted in deep {
        let hash = trusted.header.hash();
        for other in &window {
            let fake = other.header.hash();
            let data = &trusted.ghostdag;
            let near = data.blue_score.abs_diff(other.ghostdag.blue_score) < 12;
            let below = is_dag_ancestor(records, &fake, &data.selected_parent).unwrap();
            if !near || !below {
                continue;
            }
            tried += 1;
            let mut lie = offer.clone();
            change_header(&mut lie, &hash, |trusted| {
                let data = &mut trusted.ghostdag;
                let place = data.reds.last_mut().or(data.blues.last_mut());
                *place.unwrap() = fake;
            });
            let mut node = new_node();
            if lie.take_graph(&mut node).is_err() {
                continue;
            }
            taken += 1;
            for block in &offer.above {
                let now = block.header.timestamp_ms;
                let inserted = node.engine.insert_block(block.clone(), now).unwrap();
                if let Inserted::Rejected(error) = inserted {
                    harmed.push((hash, fake, block.header.blue_score - top, error));
                    break;
                }
            }
        }
    }
    println!("tried {tried}, taken {taken}, harmed {}", harmed.len());
    for (hash, fake, above, error) in harmed.iter().take(5) {
        println!("{hash} with {fake}: {above} above the point {error}");
    }
    assert!(tried > 0);
    assert_eq!(taken, 0);
}

/// A refusal in the middle of the graph leaves a store that no second import may begin in.
#[test]
fn a_refused_graph_is_not_begun_upon() {
    let (_, offer, _) = made(true);
    let mut lie = offer.clone();
    let window = lie.pages.iter().flat_map(|page| &page.window);
    let last = window
        .max_by_key(|trusted| trusted.ghostdag.blue_score)
        .unwrap();
    let hash = last.header.hash();
    change_header(&mut lie, &hash, |trusted| {
        let first = trusted.ghostdag.selected_parent;
        trusted.ghostdag.reds.push(first);
    });
    let mut node = new_node();
    let engine = &mut node.engine;
    engine.importing().begin_import(lie.proof.clone()).unwrap();
    while engine.importing().import_proof(1_000).unwrap().is_none() {}
    engine
        .importing()
        .import_points(lie.points.clone())
        .unwrap();
    for page in &lie.pages {
        engine.importing().import_trusted(page.clone()).unwrap();
    }
    let error = engine.importing().link_trusted(1_000_000).unwrap_err();
    println!("{error}");
    let again = offer.take_graph(&mut node).map_err(|error| {
        println!("{error}");
        error.code.as_str()
    });
    assert_eq!(again, Err("import/not-empty"));
}

/// An import by a host that looks at the chain before it goes on to the state.
fn take_looking(offer: &Offer, node: &mut Node) -> Result<(), SvcError> {
    offer.take_graph(node)?;
    offer.take_above(node)?;
    while !node.importing().import_chain(7)? {}
    offer.take_state(node)
}

/// The newest entries of the list but the last are named by nothing but headers above the point.
#[test]
fn pruning_points_that_the_chain_does_not_name_are_refused() {
    let full = full_node();
    let point = full.engine.records().pruning_point().unwrap();
    let offer = Offer::of(&full, &point);
    take_looking(&offer, &mut new_node()).unwrap();
    let mut found = Vec::new();
    for back in 2..offer.points.len() {
        let mut lie = offer.clone();
        let at = lie.points.len() - back;
        let mut header = lie.points[at].header().clone();
        header.nonce ^= 1;
        lie.points[at] = ProofHeader::new(header, None);
        let error = take_looking(&lie, &mut new_node()).unwrap_err();
        found.push(error.code.as_str());
        assert_eq!(lie.take(&mut new_node()).unwrap_err().code, error.code);
    }
    assert!(found.contains(&"header/wrong-pruning-point"), "{found:?}");
}

/// A chain that has not come to the point yet says nothing about those before it.
#[test]
fn a_chain_that_is_too_short_to_name_the_points_is_refused() {
    let full = full_node();
    let samples = samples(&full);
    let offer = Offer::of(&full, &samples[samples.len() - 1].0);
    let error = take_looking(&offer, &mut new_node()).unwrap_err();
    assert_eq!(error.code.as_str(), "import/wrong-points");
}
