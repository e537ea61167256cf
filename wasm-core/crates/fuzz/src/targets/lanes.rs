//! Fuzz targets of the live lanes' records, and of chain states as stores of layout 1 have them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use svc_chain::lane_tree::{LaneNode, NodePlace, Subtree};
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_consensus::parameters::Parameters;
use svc_consensus::pipeline::genesis_state;
use svc_consensus::records::Records;
use svc_consensus::records::chain::Chain;
use svc_consensus::records::chain_state::ChainState;
use svc_consensus::records::lane_diff::{LaneChange, LaneDiff, LaneTip};
use svc_consensus::records::{lanes, meta};
use svc_consensus::store::{MemoryStore, tables};

use crate::payment_chain::{self, SIMNET, records};
use crate::target::{NONE, Outcome, Target, strict};
use crate::targets::stored::{BLOCK, assert_of_store, holding, of_store};

/// The targets of this area.
pub(crate) const TARGETS: &[Target] = &[
    Target::new("lanes/tip", || records(tables::LANES), tip),
    // A key with a long common beginning costs a row per bit.
    Target::new("lanes/node", nodes, node).room(1 << 18, 16),
    Target::new("lanes/expiry", expiry_rows, expiry),
    Target::new("lanes/diff", diffs, diff),
    Target::new("lanes/layout-1", form_1_states, layout_1).room(1 << 18, 64),
];

/// A lane that lives.
const TIP: LaneTip = LaneTip {
    tip: Hash32([5; 32]),
    blue_score: 12,
};

fn tip(bytes: &[u8]) -> Outcome {
    strict(bytes, LaneTip::decode(bytes), LaneTip::encode);
    let found = lanes::find_lane(&holding(tables::LANES, BLOCK.as_bytes(), bytes), &BLOCK);
    of_store(bytes, found, |lane| {
        lane.map_or_else(Vec::new, |lane| lane.encode())
    })
}

/// Stored nodes, and some with other sides: the second shares its first bits with the key of the test.
fn nodes() -> Vec<Vec<u8>> {
    let mut near = BLOCK;
    near.0[5] ^= 1;
    let leaf = Hash32([6; 32]);
    let sides = [
        (Subtree::Empty, Subtree::Branch(Hash32([3; 32]))),
        (Subtree::Lane { key: near, leaf }, Subtree::Empty),
        (Subtree::Branch(leaf), Subtree::Branch(BLOCK)),
    ];
    let mut nodes = records(tables::LANE_NODES);
    nodes.extend(sides.map(|(left, right)| LaneNode { left, right }.encode()));
    nodes
}

/// As the top node: a lane begins and is taken back, or the tree is found to be damaged.
fn node(bytes: &[u8]) -> Outcome {
    let mut records = holding(tables::LANE_NODES, &NodePlace::TOP.to_bytes(), bytes);
    let begun = LaneChange {
        before: None,
        after: Some(TIP),
    };
    match lanes::plan(&records, LaneDiff(BTreeMap::from([(BLOCK, begun)]))) {
        Err(error) => assert_of_store(&error),
        Ok(update) => {
            lanes::write(&mut records, &update);
            let undone = lanes::plan(&records, update.diff.reversed());
            let is_back = undone.is_ok_and(|undone| undone.tree.root == update.tree.before);
            assert!(
                is_back || !is_placed(bytes),
                "a change that cannot be taken back"
            );
        }
    }
    strict(bytes, LaneNode::decode(bytes), LaneNode::encode)
}

/// Whether lanes are on the sides of their keys. Where they are not, the root is not the one in the chain records, which
/// the engine compares before it believes a tree.
fn is_placed(bytes: &[u8]) -> bool {
    let on_side = |side: &Subtree, bit: u8| match side {
        Subtree::Lane { key, .. } => key.0[0] >> 7 == bit,
        Subtree::Empty | Subtree::Branch(_) => true,
    };
    LaneNode::decode(bytes).is_ok_and(|node| on_side(&node.left, 0) && on_side(&node.right, 1))
}

fn expiry_row(blue_score: u64, key: &Hash32) -> Vec<u8> {
    [blue_score.to_be_bytes().as_slice(), key.as_bytes()].concat()
}

fn expiry_rows() -> Vec<Vec<u8>> {
    vec![
        expiry_row(0, &Hash32::ZERO),
        expiry_row(TIP.blue_score, &BLOCK),
    ]
}

/// A row of which the key is the input, with the lane that it names.
fn expiry(bytes: &[u8]) -> Outcome {
    let mut records = holding(tables::LANE_EXPIRY, bytes, &[]);
    if let Some((score, rest)) = bytes.split_first_chunk() {
        let lane = LaneTip {
            blue_score: u64::from_be_bytes(*score),
            ..TIP
        };
        let key = &rest[..rest.len().min(32)];
        records.overlay.put(tables::LANES, key, lane.encode());
    }
    let idle = lanes::idle_lanes(&records, u64::MAX);
    if idle.as_ref().is_ok_and(BTreeMap::is_empty) {
        // Beyond the range that is asked for.
        return NONE;
    }
    of_store(bytes, idle, |idle| {
        let rows = idle.iter();
        rows.flat_map(|(key, lane)| expiry_row(lane.blue_score, key))
            .collect()
    })
}

/// Stored changes, and one of each kind.
fn diffs() -> Vec<Vec<u8>> {
    let later = LaneTip {
        blue_score: TIP.blue_score + 1,
        ..TIP
    };
    let kinds = [
        (None, Some(TIP)),
        (Some(TIP), Some(later)),
        (Some(later), None),
    ];
    let changes = kinds.into_iter().zip(1_u8..).map(|((before, after), key)| {
        let change = LaneChange { before, after };
        (Hash32([key; 32]), change)
    });
    let mut diffs = records(tables::LANE_DIFFS);
    diffs.push(LaneDiff(changes.collect()).encode());
    diffs.push(LaneDiff::default().encode());
    diffs
}

fn diff(bytes: &[u8]) -> Outcome {
    strict(bytes, LaneDiff::decode(bytes), |diff| {
        assert!(
            diff.reversed().reversed() == *diff,
            "taken back twice it is another"
        );
        diff.encode()
    });
    let records = holding(tables::LANE_DIFFS, BLOCK.as_bytes(), bytes);
    of_store(bytes, lanes::lane_diff(&records, &BLOCK), LaneDiff::encode)
}

/// States of chain blocks with no lane, one and three.
pub(crate) fn form_1_states() -> Vec<Vec<u8>> {
    LazyLock::force(&VIRTUAL);
    let Some(Ok(state)) = records(tables::CHAIN_STATE)
        .pop()
        .map(|row| ChainState::decode(&row))
    else {
        return Vec::new();
    };
    let with = |lanes: u8| {
        let lanes = (0..lanes).map(|key| (Hash32([key; 32]), TIP)).collect();
        form_1(&state, &lanes)
    };
    [0, 1, 3].map(with).to_vec()
}

/// A chain state as layout 1 has it: the lanes in place of their root, which comes before the last hash.
pub(crate) fn form_1(state: &ChainState, lanes: &BTreeMap<Hash32, LaneTip>) -> Vec<u8> {
    let form_2 = state.encode();
    let root = form_2.len() - 64;
    let mut writer = Writer::new();
    writer.u8(1).bytes(&form_2[1..root]).u16(lanes.len() as u16);
    for (key, lane) in lanes {
        writer.hash(key).hash(&lane.tip).u64(lane.blue_score);
    }
    writer.bytes(&form_2[root + 32..]);
    writer.into_vec()
}

/// The virtual block of the fixture. Every store has one; what this one names as the sink has no place on the chain of the target.
static VIRTUAL: LazyLock<Option<Vec<u8>>> =
    LazyLock::new(|| payment_chain::meta(meta::VIRTUAL).pop());

/// The state of the position in a store of layout 1, which is opened.
fn layout_1(bytes: &[u8]) -> Outcome {
    let Some(rules) = SIMNET.clone().map(Parameters::new) else {
        return NONE;
    };
    let mut records = holding(tables::CHAIN_STATE, BLOCK.as_bytes(), bytes);
    records.put_meta(meta::VERSION, 1_u32.to_le_bytes().to_vec());
    let digest = rules.profile.digest().as_bytes().to_vec();
    records.put_meta(meta::PROFILE_DIGEST, digest);
    records.put_position(&BLOCK);
    if let Some(row) = VIRTUAL.clone() {
        records.put_meta(meta::VIRTUAL, row);
    }
    let mut chain = Chain { rules, records };
    let opened = genesis_state::open(&mut chain);
    of_store(bytes, opened, |()| {
        chain.records = Records::new(chain.records.overlay.store().clone());
        written_in_form_1(&mut chain).unwrap_or_default()
    })
}

/// The state from the tables of a store that was brought up to date.
fn written_in_form_1(chain: &mut Chain<MemoryStore>) -> Result<Vec<u8>, SvcError> {
    genesis_state::open(chain)?;
    let records = &chain.records;
    let mut lanes = BTreeMap::new();
    for (table, key, value) in records.overlay.store().dump() {
        if table == tables::LANES {
            lanes.insert(Reader::new(&key).hash()?, LaneTip::decode(&value)?);
        }
    }
    Ok(form_1(records.chain_state(&BLOCK)?.as_ref(), &lanes))
}
