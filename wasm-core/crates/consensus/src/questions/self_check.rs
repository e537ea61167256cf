//! Integrity check of a store: whether its records agree with each other, as far as that shows without judging blocks
//! again. That is what remains to be checked where blocks were pruned. It goes in pages that the caller asks for one
//! after the other.

use svc_chain::lane_tree::{LaneNode, Subtree};
use svc_chain::muhash::MuHash;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{CHECK_BODIES_PAGE, STORED_KEYS_PAGE};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_dag::store::DagStore;

use crate::questions::checked_rows::{block_of, each, page, require};
use crate::questions::comparable_record::stored_record;
use crate::questions::evidence_check::{
    check_chain_evidence, check_evidence_beside, check_evidence_row, check_opening,
};
use crate::questions::log_check::{check_log_place, check_log_rows};
use crate::records::block_status::Stage;
use crate::records::chain::Chain;
use crate::records::lane_diff::{LaneChange, LaneDiff, LaneTip};
use crate::records::lanes::{find_lane, plan};
use crate::records::meta::PruningRecord;
use crate::records::{Records, stored};
use crate::store::Store;
use crate::store::tables;

/// The parts of the check, in the order of their numbers.
pub const PARTS: [&str; 11] = [
    "headers",
    "bodies",
    "chain",
    "reachability",
    "nullifiers",
    "lanes",
    "anchors",
    "tips",
    "evidence",
    "openings",
    "log",
];

/// Checks the next page of a part; an empty `cursor` begins it. Returns the cursor of the next page, `None` at the end.
/// Errors: `verify/contradiction` naming the record, `store/*` for one that does not decode, `engine/bad-call` for an
/// unknown part or a cursor of another.
pub fn self_check<S: Store>(
    chain: &Chain<S>,
    part: u8,
    cursor: &[u8],
    limit: usize,
) -> Result<Option<Vec<u8>>, SvcError> {
    let limit = limit.clamp(1, STORED_KEYS_PAGE);
    let records = &chain.records;
    let rows = |table, limit| page(records, table, cursor, limit);
    let name = PARTS.get(usize::from(part)).copied().unwrap_or_default();
    match name {
        "headers" => each(records, rows(tables::HEADERS, limit)?, check_header),
        "bodies" => each(
            records,
            rows(tables::STATUS, CHECK_BODIES_PAGE)?,
            check_body,
        ),
        "chain" => selected_chain(records, cursor, limit),
        "reachability" => each(records, rows(tables::REACHABILITY, limit)?, check_node),
        "nullifiers" => nullifiers(records, cursor, limit),
        "lanes" => lanes(records, cursor, limit),
        "anchors" => each(
            records,
            rows(tables::ANCHOR_PRODUCERS, limit)?,
            check_anchor,
        ),
        "tips" => tips(records).map(|()| None),
        "evidence" => evidence(chain, cursor, limit.min(CHECK_BODIES_PAGE)),
        "openings" => each(
            records,
            rows(tables::OPENINGS, CHECK_BODIES_PAGE)?,
            |_, key, value| check_opening(chain, key, value),
        ),
        "log" => log(chain, cursor, limit),
        _ => Err(SvcError::new(Code::EngineBadCall).with("reason", "part of the self-check")),
    }
}

/// The anchor log below the store's beginning in its order, and its rows by block.
fn log<S: Store>(
    chain: &Chain<S>,
    cursor: &[u8],
    limit: usize,
) -> Result<Option<Vec<u8>>, SvcError> {
    let all = [tables::LOG_ROWS, tables::LOG_PLACES];
    in_turn(&all, cursor, |table, after| {
        if table == tables::LOG_ROWS {
            return check_log_rows(chain, after, limit);
        }
        let rows = page(&chain.records, table, after, limit)?;
        each(&chain.records, rows, |records, key, _| {
            check_log_place(records, key)
        })
    })
}

/// Evidence of the chain in its order, of judged blocks beside it, and that there is no other.
fn evidence<S: Store>(
    chain: &Chain<S>,
    cursor: &[u8],
    limit: usize,
) -> Result<Option<Vec<u8>>, SvcError> {
    let all = [
        tables::CHAIN_BY_INDEX,
        tables::ACCEPTANCE,
        tables::CHAIN_EVIDENCE,
    ];
    in_turn(&all, cursor, |table, after| {
        if table == tables::CHAIN_BY_INDEX {
            return check_chain_evidence(chain, after, limit);
        }
        let rows = page(&chain.records, table, after, limit)?;
        each(&chain.records, rows, |_, key, _| match table {
            tables::ACCEPTANCE => check_evidence_beside(chain, key),
            _ => check_evidence_row(chain, key),
        })
    })
}

/// A header is the one of its key.
fn check_header<S: Store>(records: &Records<S>, key: &[u8], _: &[u8]) -> Result<(), SvcError> {
    let block = block_of("headers", key)?;
    let found = records.header(&block)?.header.hash();
    let reason = "the header is another block's";
    require(found == block, "headers", key, reason)
}

/// A body is there when the status says so, and is the one that the header names.
fn check_body<S: Store>(records: &Records<S>, key: &[u8], _: &[u8]) -> Result<(), SvcError> {
    let hash = block_of("status", key)?;
    let Some(block) = records.block(&hash)? else {
        return Ok(());
    };
    let fits = block.merkle_root() == block.header.hash_merkle_root;
    require(
        fits,
        "bodies",
        key,
        "the body is not the one that the header names",
    )
}

/// Goes through several tables one after the other. The cursor is a table and the last key in it.
fn in_turn(
    all: &[u8],
    cursor: &[u8],
    page: impl FnOnce(u8, &[u8]) -> Result<Option<Vec<u8>>, SvcError>,
) -> Result<Option<Vec<u8>>, SvcError> {
    let beginning = all.first().map(|first| (first, [].as_slice()));
    let Some((table, after)) = cursor.split_first().or(beginning) else {
        return Ok(None);
    };
    if let Some(last) = page(*table, after)? {
        return Ok(Some([[*table].as_slice(), &last].concat()));
    }
    let next = all.iter().position(|known| known == table);
    let next = next.and_then(|place| all.get(place + 1));
    Ok(next.map(|next| vec![*next]))
}

/// The selected chain by number, then by block: it ends in the sink, and there is no other row.
fn selected_chain<S: Store>(
    records: &Records<S>,
    cursor: &[u8],
    limit: usize,
) -> Result<Option<Vec<u8>>, SvcError> {
    if cursor.is_empty() {
        check_ends(records)?;
    }
    let all = [tables::CHAIN_BY_INDEX, tables::CHAIN_BY_HASH];
    in_turn(&all, cursor, |table, after| {
        let rows = page(records, table, after, limit)?;
        match table {
            tables::CHAIN_BY_INDEX => each(records, rows, check_chain),
            _ => each(records, rows, check_place),
        }
    })
}

/// The sink is at its index, and the block from which on scan records are held is on the chain.
fn check_ends<S: Store>(records: &Records<S>) -> Result<(), SvcError> {
    let sink = records.virtual_record()?.sink;
    check_place(records, sink.as_bytes(), &[])?;
    let pruning = records.pruning()?;
    if pruning.flags & PruningRecord::STATE_MISSING != 0 {
        // An import has not come to its chain.
        return Ok(());
    }
    check_place(records, pruning.history_base.as_bytes(), &[])
}

/// What a block says to be its index is the block's.
fn check_place<S: Store>(records: &Records<S>, key: &[u8], _: &[u8]) -> Result<(), SvcError> {
    let block = block_of("chain_by_hash", key)?;
    let index = records.chain_index(&block)?;
    let held = index.map(|index| records.chain_at(index)).transpose()?;
    let reason = "the index of the block is another's";
    require(held.flatten() == Some(block), "chain_by_hash", key, reason)
}

/// The selected chain: index and block name each other, a block follows its selected parent, the scan record is there, and
/// a block that has its body was judged valid.
fn check_chain<S: Store>(records: &Records<S>, key: &[u8], value: &[u8]) -> Result<(), SvcError> {
    let mut reader = Reader::new(key);
    let index = u64::from_be_bytes(stored("chain index", reader.array())?);
    let block = block_of("chain_by_index", value)?;
    let back = records.chain_index(&block)?;
    require(
        back == Some(index),
        "chain_by_hash",
        value,
        "the block has another index",
    )?;
    let stage = records.stage(&block)?;
    let is_judged = !stage.is_some_and(Stage::has_body) || stage == Some(Stage::Valid);
    let reason = "a block of the chain is not said to be valid";
    require(is_judged, "status", value, reason)?;
    let sink = records.virtual_record()?.sink;
    let last = records.chain_index(&sink)?;
    require(
        last >= Some(index),
        "chain_by_index",
        key,
        "an index above the sink",
    )?;
    let base = records.chain_index(&records.pruning()?.history_base)?;
    if base.is_some_and(|base| index > base) {
        let record = records
            .overlay
            .get(tables::SCAN_RECORDS, block.as_bytes())?;
        let reason = "no scan record of a chain block";
        require(record.is_some(), "scan_records", value, reason)?;
    }
    let Some(before) = index.checked_sub(1) else {
        return Ok(());
    };
    let Some(before) = records.chain_at(before)? else {
        // The first block of a chain whose beginning is not here.
        let lowest = page(records, tables::CHAIN_BY_INDEX, &[], 1)?;
        let is_lowest = lowest.first().is_some_and(|(lowest, _)| lowest == key);
        return require(is_lowest, "chain_by_index", key, "no block below it");
    };
    let found = records
        .overlay
        .get(tables::GHOSTDAG, block.as_bytes())?
        .is_some();
    let fits = !found || records.ghostdag(&block)?.selected_parent == before;
    let reason = "the block does not follow its selected parent";
    require(fits, "chain_by_index", key, reason)
}

/// Intervals lie in each other as they must, and a node is its parent's child.
fn check_node<S: Store>(records: &Records<S>, key: &[u8], _: &[u8]) -> Result<(), SvcError> {
    let block = block_of("reachability", key)?;
    stored_record(records, tables::REACHABILITY, key)?;
    let node = records.reachability(&block)?;
    for child in &node.children {
        let fits = records.reachability(child)?.parent == block;
        require(
            fits,
            "reachability",
            child.as_bytes(),
            "the parent is another block",
        )?;
    }
    if block == Hash32::ORIGIN {
        return Ok(());
    }
    let is_child = records
        .reachability(&node.parent)?
        .children
        .contains(&block);
    require(
        is_child,
        "reachability",
        key,
        "the parent does not have this child",
    )
}

/// The set of nullifiers is the one of the state at the position. The cursor holds the product so far, how many there
/// were, and the last of them.
fn nullifiers<S: Store>(
    records: &Records<S>,
    cursor: &[u8],
    limit: usize,
) -> Result<Option<Vec<u8>>, SvcError> {
    let (mut set, mut count, after) = read_product(cursor)?;
    let found = page(records, tables::NULLIFIERS, &after, limit)?;
    for (key, _) in &found {
        set.add(key);
        count += 1;
    }
    if let Some((last, _)) = found.last() {
        let mut writer = Writer::new();
        writer.bytes(&set.to_bytes());
        writer.u64(count);
        writer.bytes(last);
        return Ok(Some(writer.into_vec()));
    }
    let position = records.position()?;
    let expected = records.chain_state(&position)?;
    let product = expected.nullifiers.clone().unwrap_or_default();
    let fits = product == set && expected.nullifier_count == count;
    let reason = "the nullifiers are not those of the state at the position";
    require(fits, "nullifiers", position.as_bytes(), reason)?;
    Ok(None)
}

fn read_product(cursor: &[u8]) -> Result<(MuHash, u64, Vec<u8>), SvcError> {
    if cursor.is_empty() {
        return Ok((MuHash::new(), 0, Vec::new()));
    }
    let bad = |_| SvcError::new(Code::EngineBadCall).with("reason", "cursor of the nullifiers");
    let mut reader = Reader::new(cursor);
    let mut read = || -> Result<(MuHash, u64, Vec<u8>), SvcError> {
        let set = MuHash::from_bytes(&reader.array::<384>()?)?;
        let count = reader.u64()?;
        Ok((set, count, reader.take(reader.remaining())?.to_vec()))
    };
    read().map_err(bad)
}

/// Every lane is in the tree whose root the state at the position names, and in the order of age; the tree and the
/// ages know of no other.
fn lanes<S: Store>(
    records: &Records<S>,
    cursor: &[u8],
    limit: usize,
) -> Result<Option<Vec<u8>>, SvcError> {
    const TABLES: [u8; 3] = [tables::LANES, tables::LANE_NODES, tables::LANE_EXPIRY];
    if cursor.is_empty() {
        check_lanes_root(records)?;
    }
    in_turn(&TABLES, cursor, |table, after| {
        let rows = page(records, table, after, limit)?;
        match table {
            tables::LANES => each(records, rows, check_lane),
            tables::LANE_NODES => each(records, rows, check_lane_node),
            _ => each(records, rows, check_lane_age),
        }
    })
}

/// The tree has the root of the state at the position, also where no lane is left to ask for.
fn check_lanes_root<S: Store>(records: &Records<S>) -> Result<(), SvcError> {
    let position = records.position()?;
    let expected = records.chain_state(&position)?.lanes_root;
    let held = plan(records, LaneDiff::default());
    require(
        held.is_ok_and(|update| update.tree.before == expected),
        "lane_nodes",
        position.as_bytes(),
        "the tree is not that of the state at the position",
    )
}

fn check_lane<S: Store>(records: &Records<S>, key: &[u8], value: &[u8]) -> Result<(), SvcError> {
    let block = block_of("lanes", key)?;
    let lane = stored("lanes", LaneTip::decode(value))?;
    let same = LaneChange {
        before: Some(lane),
        after: Some(lane),
    };
    let root = records.chain_state(&records.position()?)?.lanes_root;
    let held = plan(records, LaneDiff([(block, same)].into()));
    let fits = held.is_ok_and(|update| update.tree.before == root && update.tree.root == root);
    require(
        fits,
        "lanes",
        key,
        "the lane is not in the tree of the state at the position",
    )?;
    let age = [lane.blue_score.to_be_bytes().as_slice(), key].concat();
    let has_age = records.overlay.get(tables::LANE_EXPIRY, &age)?.is_some();
    require(has_age, "lane_expiry", &age, "no row for a live lane")
}

fn check_lane_node<S: Store>(
    records: &Records<S>,
    key: &[u8],
    value: &[u8],
) -> Result<(), SvcError> {
    let node = stored("lane nodes", LaneNode::decode(value))?;
    for side in [node.left, node.right] {
        if let Subtree::Lane { key: lane, .. } = side {
            let lives = find_lane(records, &lane)?.is_some();
            require(
                lives,
                "lane_nodes",
                key,
                "the tree holds a lane that does not live",
            )?;
        }
    }
    Ok(())
}

fn check_lane_age<S: Store>(records: &Records<S>, key: &[u8], _: &[u8]) -> Result<(), SvcError> {
    let mut reader = Reader::new(key);
    let blue_score = u64::from_be_bytes(stored("lane expiry", reader.array())?);
    let lane = find_lane(records, &stored("lane expiry", reader.hash())?)?;
    let fits = lane.is_some_and(|lane| lane.blue_score == blue_score);
    require(fits, "lane_expiry", key, "no lane of this age")
}

/// A block that is said to have produced a root did, where its state is still known.
fn check_anchor<S: Store>(records: &Records<S>, key: &[u8], _: &[u8]) -> Result<(), SvcError> {
    let mut reader = Reader::new(key);
    let (root, block) = (reader.hash(), reader.hash());
    let (root, block) = (stored("anchors", root)?, stored("anchors", block)?);
    let Some(produced) = records.find_chain_state(&block)? else {
        return Ok(());
    };
    let fits = produced.tree_root == root;
    require(
        fits,
        "anchor_producers",
        key,
        "the state of the block has another root",
    )
}

/// The tips and the sink have bodies; no tip has a child with one.
fn tips<S: Store>(records: &Records<S>) -> Result<(), SvcError> {
    let sink = records.virtual_record()?.sink;
    let has_body = |block: &Hash32| -> Result<bool, SvcError> {
        Ok(records.stage(block)?.is_some_and(Stage::has_body))
    };
    require(has_body(&sink)?, "meta", b"virtual", "the sink has no body")?;
    for tip in records.tips()? {
        let key = tip.as_bytes();
        require(has_body(&tip)?, "meta", key, "a tip has no body")?;
        for child in records.children(&tip)?.iter() {
            require(!has_body(child)?, "meta", key, "a tip has a child")?;
        }
    }
    Ok(())
}
