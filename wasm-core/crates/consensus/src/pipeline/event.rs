//! Event types of the engine, published after a commit. Listeners never write back into the engine.

use serde_json::{Value, json};
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::store::DagStore;

use crate::pipeline::chain_move::ChainPage;
use crate::records::Records;
use crate::store::Store;

/// One event.
#[derive(Clone, Debug)]
pub enum Event {
    /// A block with a sound body entered the DAG.
    BlockAdded {
        /// The block.
        hash: Hash32,
        /// Its direct parents.
        parents: Vec<Hash32>,
    },
    /// The selected chain changed, or a page of a long change is done.
    VirtualChanged(Box<VirtualChanged>),
    /// A tip has more work than the sink, but not the finality point on its chain: it is not followed (specification
    /// consensus 7.8). Told once for a branch, again after a restart.
    FinalityViolation {
        /// The tip.
        tip: Hash32,
        /// Its blue score.
        blue_score: u64,
    },
    /// A block has another witness of form 0 than the one it was taken with here, of another level perhaps: nodes that
    /// took that one expect other parents of its children. Told once for a block, again after a restart.
    LevelConflict {
        /// The block.
        block: Hash32,
        /// Its level here.
        level: u8,
        /// Its level by the other witness.
        other: u8,
        /// The refused child that takes it for one of the other level; `None` when the witness itself came.
        child: Option<Hash32>,
    },
    /// All that may go below the pruning point is gone.
    Pruned {
        /// The pruning point.
        point: Hash32,
        /// DAA score from which on the chain's scan records are held.
        history_from_daa_score: u64,
    },
}

/// A change of the selected chain with what it applied and dropped. A long change is told in pages; each is a change
/// of its own, and `sink` is where the chain ends after it.
#[derive(Clone, Debug)]
pub struct VirtualChanged {
    /// Blocks that left the chain, newest first.
    pub removed: Vec<Hash32>,
    /// Facts of the blocks that joined, oldest first.
    pub added: Vec<Value>,
    /// New sink.
    pub sink: Hash32,
    /// Its blue score.
    pub sink_blue_score: u64,
    /// Its DAA score.
    pub daa_score: u64,
    /// Block tips.
    pub tips: Vec<Hash32>,
    /// Whether the change ends with this page.
    pub last: bool,
}

impl VirtualChanged {
    /// Gathers the facts of a page that was just done.
    pub fn gather<S: Store>(records: &Records<S>, page: &ChainPage) -> Result<Self, SvcError> {
        let sink = records.virtual_record()?.sink;
        let header = records.header(&sink)?;
        let added = page
            .added
            .iter()
            .map(|block| added_facts(records, block))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            removed: page.removed.clone(),
            added,
            sink,
            sink_blue_score: header.header.blue_score,
            daa_score: header.header.daa_score,
            tips: records.tips()?,
            last: page.last,
        })
    }
}

fn added_facts<S: Store>(records: &Records<S>, block: &Hash32) -> Result<Value, SvcError> {
    let record = records.acceptance(block)?;
    let header = records.header(block)?;
    let index = records.chain_index(block)?.unwrap_or_default();
    let applied: Vec<String> = record
        .applied
        .iter()
        .map(|carried| carried.txid.to_string())
        .collect();
    let dropped: Vec<Value> = record
        .dropped
        .iter()
        .map(
            |dropped| json!({ "txid": dropped.carried.txid.to_string(), "reason": dropped.reason }),
        )
        .collect();
    Ok(json!({
        "hash": block.to_string(),
        "index": index.to_string(),
        "blueScore": header.header.blue_score.to_string(),
        "daaScore": header.header.daa_score.to_string(),
        "applied": applied,
        "dropped": dropped,
    }))
}

/// Hashes as hex text.
pub fn hex_list(hashes: &[Hash32]) -> Vec<String> {
    hashes.iter().map(Hash32::to_string).collect()
}

impl Event {
    /// The form of docs/formats.md 3.
    pub fn to_json(&self) -> Value {
        match self {
            Self::BlockAdded { hash, parents } => {
                json!({ "type": "blockAdded", "hash": hash.to_string(), "parents": hex_list(parents) })
            }
            Self::VirtualChanged(change) => json!({
                "type": "virtualChanged",
                "removed": hex_list(&change.removed),
                "added": change.added,
                "sink": change.sink.to_string(),
                "sinkBlueScore": change.sink_blue_score.to_string(),
                "daaScore": change.daa_score.to_string(),
                "tips": hex_list(&change.tips),
                "last": change.last,
            }),
            Self::FinalityViolation { tip, blue_score } => json!({
                "type": "finalityViolation",
                "tip": tip.to_string(),
                "blueScore": blue_score.to_string(),
            }),
            Self::LevelConflict {
                block,
                level,
                other,
                child,
            } => json!({
                "type": "levelConflict",
                "block": block.to_string(),
                "level": level,
                "other": other,
                "child": child.as_ref().map(Hash32::to_string),
            }),
            Self::Pruned {
                point,
                history_from_daa_score,
            } => json!({
                "type": "pruned",
                "point": point.to_string(),
                "historyFromDaaScore": history_from_daa_score.to_string(),
            }),
        }
    }
}
