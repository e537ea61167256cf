//! Consistency checks of the simulation: nodes that know the same blocks must agree, and each node must agree with
//! itself.

use serde_json::{Value, json};
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_plain;
use svc_codec::reader::Reader;
use svc_consensus::pipeline::headers::headers_tip;
use svc_consensus::questions;
use svc_consensus::records::block_status::Stage;
use svc_consensus::rules::reach::is_out_of_reach;
use svc_consensus::store::{KeyRange, tables};
use svc_dag::reachability::is_dag_ancestor;
use svc_dag::sortable_block::SortableBlock;
use svc_dag::store::DagStore;

use crate::fault::{Fault, Outcome, ensure};
use crate::node::Node;

/// Tables that hold the present state of the selected chain.
pub const PRESENT: [u8; 6] = [
    tables::CHAIN_BY_INDEX,
    tables::CHAIN_BY_HASH,
    tables::NULLIFIERS,
    tables::LANES,
    tables::LANE_NODES,
    tables::LANE_EXPIRY,
];
/// Rows read at once.
const PAGE: usize = 4_096;

/// Calls `visit` with every row of a table, in key order.
///
/// # Errors
/// The store's and the visitor's.
pub fn each_row(
    node: &Node,
    table: u8,
    mut visit: impl FnMut(&[u8], &[u8]) -> Outcome<()>,
) -> Outcome<()> {
    let last = [0xff; 80];
    let mut from = Vec::new();
    loop {
        let range = KeyRange {
            table,
            from: &from,
            to: &last,
            reverse: false,
            limit: PAGE,
        };
        let rows = node.engine().records().overlay.range(range)?;
        for (key, value) in &rows {
            visit(key, value)?;
        }
        let Some((key, _)) = rows.last().filter(|_| rows.len() == PAGE) else {
            return Ok(());
        };
        from = key.clone();
        from.push(0);
    }
}

/// A digest of a whole table.
///
/// # Errors
/// The store's.
pub fn table_digest(node: &Node, table: u8) -> Outcome<Hash32> {
    let mut hasher = blake2b_plain();
    each_row(node, table, |key, value| {
        for part in [key, value] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Ok(())
    })?;
    Ok(hasher.finalize())
}

/// Everything that must be equal, named.
fn summary(node: &Node) -> Outcome<Vec<(String, String)>> {
    let chain = node.engine().chain();
    let mut tip = questions::tip(chain)?;
    let mut tips: Vec<String> = texts(&tip["tips"]);
    tips.sort();
    tip["tips"] = json!(tips);
    // What is held differs between nodes that prune and those that do not; `check_headers_tip` is for the rest.
    for own in [
        "blockCount",
        "headerCount",
        "headersTip",
        "headersBlueScore",
        "headersBlueWork",
    ] {
        tip[own] = Value::Null;
    }
    let sink = node.sink()?;
    let mut lines = vec![
        ("tip".to_owned(), tip.to_string()),
        (
            "state".to_owned(),
            questions::shielded_facts(chain, &sink)?.to_string(),
        ),
    ];
    for table in PRESENT {
        lines.push((
            format!("table {table}"),
            table_digest(node, table)?.to_string(),
        ));
    }
    Ok(lines)
}

fn texts(list: &Value) -> Vec<String> {
    let items = list.as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().map(Value::to_string).collect()
}

/// Tables keyed by block that depend on nothing but the blocks known.
const BY_BLOCK: [u8; 5] = [
    tables::HEADERS,
    tables::BODIES,
    tables::GHOSTDAG,
    tables::DAA_EXCLUDED,
    tables::DEPTHS,
];

/// Compares everything stored about blocks, those beside the chain included, with what the first node holds, which
/// deletes nothing: each row is one of its rows, and from the pruning point on none is missing, but for headers without
/// bodies.
///
/// # Errors
/// The first table that differs.
pub fn check_stores(nodes: &[Node]) -> Outcome<()> {
    let Some((first, others)) = nodes.split_first() else {
        return Ok(());
    };
    let records = first.engine().records();
    let point = records.pruning_point()?;
    for (who, node) in (1..).zip(others) {
        let keeps_all = node.prune_budget.is_none();
        for table in BY_BLOCK {
            let differs = || format!("node {who}: table {table} differs from node 0's");
            each_row(node, table, |key, value| {
                let expected = records.overlay.get(table, key)?;
                let is_known = expected.is_some() || !lacks_body(node, key)?;
                ensure(!is_known || expected.as_deref() == Some(value), differs)
            })?;
            each_row(first, table, |key, _| {
                if lacks_body(first, key)? {
                    return Ok(());
                }
                let block = Reader::new(key).hash()?;
                let stays = keeps_all || is_dag_ancestor(records, &point, &block)?;
                let found = node.engine().records().overlay.get(table, key)?;
                ensure(!stays || found.is_some(), differs)
            })?;
        }
    }
    Ok(())
}

/// Whether only the header of a block was taken. That depends on the order of arrival: a block with a wrong body leaves
/// its header where its parents were known.
fn lacks_body(node: &Node, key: &[u8]) -> Outcome<bool> {
    let block = Reader::new(key).hash()?;
    Ok(node.engine().records().stage(&block)? == Some(Stage::HeaderOnly))
}

/// Compares nodes that know the same blocks, and each with itself.
///
/// # Errors
/// The first difference.
pub fn check(nodes: &[Node]) -> Outcome<()> {
    let mut first: Option<Vec<(String, String)>> = None;
    for (who, node) in nodes.iter().enumerate() {
        ensure(node.waiting() == 0, || {
            format!("node {who}: {} blocks wait for parents", node.waiting())
        })?;
        check_chain_index(node).map_err(|fault| Fault(format!("node {who}: {fault}")))?;
        check_headers_tip(&nodes[0], node)
            .map_err(|fault| Fault(format!("node {who}: {fault}")))?;
        let found = summary(node)?;
        let expected = first.get_or_insert_with(|| found.clone());
        for (mine, other) in found.iter().zip(expected.iter()) {
            ensure(mine == other, || {
                format!("node {who}, {}: {}\nnode 0: {}", mine.0, mine.1, other.1)
            })?;
        }
    }
    Ok(())
}

/// The best header is that of the first node, but for one without a body, which not every node has to know; it is never
/// lighter than the sink.
fn check_headers_tip(first: &Node, node: &Node) -> Outcome<()> {
    let records = node.engine().records();
    let (tip, sink) = (headers_tip(records)?, node.sink()?);
    ensure(
        SortableBlock::load(records, &tip)? >= SortableBlock::load(records, &sink)?,
        || format!("the best header {tip} is lighter than the sink {sink}"),
    )?;
    let other = headers_tip(first.engine().records())?;
    let may_differ = lacks_body(node, tip.as_bytes())? || lacks_body(first, other.as_bytes())?;
    ensure(tip == other || may_differ, || {
        format!("the best header is {tip}, node 0's {other}")
    })
}

/// The index lists the selected chain, each block is judged valid and found again under its anchor.
fn check_chain_index(node: &Node) -> Outcome<()> {
    let records = node.engine().records();
    let mut current = node.sink()?;
    let genesis = node.engine().rules().genesis_hash;
    let (position, point) = (records.position()?, records.pruning_point()?);
    ensure(position == current, || {
        format!("position {position} is not the sink {current}")
    })?;
    let top = records.chain_index(&current)?.unwrap_or_default();
    ensure(records.chain_at(top + 1)?.is_none(), || {
        format!("the chain index goes on above {top}")
    })?;
    for index in (0..=top).rev() {
        let found = records.chain_at(index)?;
        ensure(
            found == Some(current) && records.chain_index(&current)? == Some(index),
            || format!("chain index {index} holds {found:?}, the chain {current}"),
        )?;
        if current == genesis {
            return ensure(index == 0, || format!("genesis at index {index}"));
        }
        // The rest was looked at when it was new, and may be gone.
        if top - index > DEEPEST_LOOK || current == point {
            return Ok(());
        }
        let stage = records.stage(&current)?;
        ensure(stage == Some(Stage::Valid), || {
            format!("chain block {current} is {stage:?}")
        })?;
        check_anchor(node, &current)?;
        current = records.ghostdag(&current)?.selected_parent;
    }
    Ok(())
}

/// A chain block is found under its tree root, once there is a note in the tree.
fn check_anchor(node: &Node, block: &Hash32) -> Outcome<()> {
    let records = node.engine().records();
    let after = records.chain_state(block)?;
    let producer = [after.tree_root.as_bytes().as_slice(), block.as_bytes()].concat();
    let known = records.overlay.get(tables::ANCHOR_PRODUCERS, &producer)?;
    ensure(known.is_some() || after.frontier.size() == 0, || {
        format!("{block} is not among the producers of its anchor")
    })
}

/// Chain blocks looked at at each quiet point.
const DEEPEST_LOOK: u64 = 600;

/// Chain blocks between an earlier sink and the selected chain of now.
///
/// # Errors
/// The store's.
pub fn rolled_back(node: &Node, earlier: &Hash32) -> Outcome<usize> {
    let records = node.engine().records();
    let (mut current, mut depth) = (*earlier, 0);
    while records.chain_index(&current)?.is_none() {
        current = records.ghostdag(&current)?.selected_parent;
        depth += 1;
    }
    Ok(depth)
}

/// Opens a node again after a failure and looks for everything it had acknowledged.
///
/// # Errors
/// What is lost or broken.
pub fn reopen(who: usize, node: &mut Node) -> Outcome<()> {
    node.restart()?;
    for hash in node.acknowledged() {
        let stage = node.engine().records().stage(hash)?;
        let is_held = stage.is_some_and(Stage::has_body);
        let is_gone = || is_out_of_reach(node.engine().records(), hash);
        ensure(is_held || is_gone()?, || {
            format!("node {who}: acknowledged block {hash} is {stage:?} after a kill")
        })?;
    }
    Ok(())
}
