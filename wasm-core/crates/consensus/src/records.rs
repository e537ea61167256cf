//! Typed, cached access to the store: every record the engine reads or writes goes through here, decoded once and
//! kept in bounded caches. A missing record that must exist is `store/missing`, an abort; it never reads as
//! "unknown".

pub mod acceptance_record;
pub mod anchor_entry;
pub mod anchors;
pub mod block_status;
pub mod body;
pub mod chain;
pub mod chain_evidence;
pub mod chain_index;
pub mod chain_state;
mod guard;
pub mod held_history;
pub mod lane_diff;
pub mod lanes;
pub mod log_row;
pub mod meta;
pub(crate) mod negative_cache;
pub mod record_cache;
pub(crate) mod record_fields;
pub(crate) mod witnesses;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use svc_chain::block::Block;
use svc_chain::header::Header;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{RECORD_CACHE_LARGE, RECORD_CACHE_SMALL};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_dag::records::{DepthRecord, GhostdagData, HeaderRecord, ReachabilityNode};
use svc_dag::store::DagStore;

use crate::records::acceptance_record::AcceptanceRecord;
use crate::records::block_status::{BlockStatus, Stage};
use crate::records::body::Body;
use crate::records::chain_state::ChainState;
use crate::records::meta::{Counters, VirtualRecord};
use crate::records::negative_cache::NegativeCache;
use crate::records::record_cache::{Kind, RecordCache};
use crate::records::record_fields::whole;
use crate::store::Store;
use crate::store::overlay::Overlay;
use crate::store::tables;

/// Depths of one block together with its pruning sample.
#[derive(Clone, Copy, Debug)]
pub struct Depths {
    /// Merge depth root and finality point.
    pub depth: DepthRecord,
    /// The newest pruning sample in the block's selected chain, seen from it.
    pub pruning_sample: Hash32,
}

/// The store with decoded, cached records.
pub struct Records<S> {
    /// Bytes below, with pending writes.
    pub overlay: Overlay<S>,
    headers: RecordCache<HeaderRecord>,
    ghostdag: RecordCache<GhostdagData>,
    reachability: RecordCache<ReachabilityNode>,
    excluded: RecordCache<Vec<Hash32>>,
    depths: RecordCache<Depths>,
    statuses: RecordCache<BlockStatus>,
    chain_states: RecordCache<ChainState>,
    pub(crate) bodies: RecordCache<Body>,
    children: RecordCache<Vec<Hash32>>,
    acceptances: RecordCache<AcceptanceRecord>,
    /// Headers refused before.
    pub(crate) refused: NegativeCache,
    /// Values of the META table, or that there is none: it is small and read all the time.
    meta: RefCell<BTreeMap<Vec<u8>, Option<Vec<u8>>>>,
    /// Whether the store failed: nothing in memory can be trusted then, and the host reopens from disk.
    has_failed: bool,
}

/// A stored value that does not decode is our failure, never a verdict on a block: `store/corrupt`.
pub(crate) fn stored<T>(table: &'static str, decoded: Result<T, SvcError>) -> Result<T, SvcError> {
    decoded.map_err(|error| {
        if crate::failure::is_fatal(&error) {
            return error;
        }
        let corrupt = SvcError::new(Code::StoreCorrupt).with("table", table);
        corrupt.with("reason", error)
    })
}

pub(crate) fn missing(record: &str, block: &Hash32) -> SvcError {
    SvcError::new(Code::StoreMissing)
        .with("table", record)
        .with("key", block)
}

impl<S: Store> Records<S> {
    /// Typed access over `store`.
    pub fn new(store: S) -> Self {
        Self {
            overlay: Overlay::new(store),
            has_failed: false,
            headers: RecordCache::new(RECORD_CACHE_SMALL),
            ghostdag: RecordCache::new(RECORD_CACHE_SMALL),
            reachability: RecordCache::new(RECORD_CACHE_SMALL),
            excluded: RecordCache::new(RECORD_CACHE_SMALL),
            depths: RecordCache::new(RECORD_CACHE_SMALL),
            statuses: RecordCache::new(RECORD_CACHE_SMALL),
            chain_states: RecordCache::new(RECORD_CACHE_LARGE),
            bodies: RecordCache::new(RECORD_CACHE_LARGE),
            children: RecordCache::new(RECORD_CACHE_SMALL),
            acceptances: RecordCache::new(RECORD_CACHE_LARGE),
            refused: NegativeCache::new(),
            meta: RefCell::default(),
        }
    }

    pub(crate) fn load<T>(
        &self,
        cache: &RecordCache<T>,
        kind: Kind,
        block: &Hash32,
        decode: impl Fn(&[u8]) -> Result<T, SvcError>,
    ) -> Result<Rc<T>, SvcError> {
        if let Some(record) = cache.get(block) {
            return Ok(record);
        }
        let bytes = self
            .overlay
            .get(kind.table, block.as_bytes())?
            .ok_or_else(|| missing(kind.name, block))?;
        let record = Rc::new(stored(kind.name, decode(&bytes))?);
        cache.insert(*block, record.clone());
        Ok(record)
    }

    /// Deletes the record of a block in a table, and what is remembered of it.
    pub(crate) fn forget(&mut self, table: u8, block: &Hash32) {
        self.overlay.delete(table, block.as_bytes());
        match table {
            tables::HEADERS => self.headers.remove(block),
            tables::GHOSTDAG => self.ghostdag.remove(block),
            tables::REACHABILITY => self.reachability.remove(block),
            tables::DAA_EXCLUDED => self.excluded.remove(block),
            tables::DEPTHS => self.depths.remove(block),
            tables::STATUS => self.statuses.remove(block),
            tables::CHAIN_STATE => self.chain_states.remove(block),
            tables::BODIES => self.bodies.remove(block),
            tables::CHILDREN => self.children.remove(block),
            tables::ACCEPTANCE => self.acceptances.remove(block),
            _ => {}
        }
    }

    /// Status of a block; `None` when it was never seen.
    pub fn status(&self, block: &Hash32) -> Result<Option<Rc<BlockStatus>>, SvcError> {
        if let Some(record) = self.statuses.get(block) {
            return Ok(Some(record));
        }
        let Some(bytes) = self.overlay.get(tables::STATUS, block.as_bytes())? else {
            return Ok(None);
        };
        let record = Rc::new(stored("status", BlockStatus::decode(&bytes))?);
        self.statuses.insert(*block, record.clone());
        Ok(Some(record))
    }

    /// Status of a block that must be known.
    pub fn known_status(&self, block: &Hash32) -> Result<Rc<BlockStatus>, SvcError> {
        self.status(block)?.ok_or_else(|| missing("status", block))
    }

    /// Stage of a block; `None` when it was never seen.
    pub fn stage(&self, block: &Hash32) -> Result<Option<Stage>, SvcError> {
        Ok(self.status(block)?.map(|status| status.stage))
    }

    /// Writes a status.
    pub fn put_status(&mut self, block: &Hash32, status: BlockStatus) {
        self.overlay
            .put(tables::STATUS, block.as_bytes(), status.encode());
        self.statuses.insert(*block, Rc::new(status));
    }

    /// Writes a header with its level.
    pub fn put_header(&mut self, record: HeaderRecord) {
        let mut writer = Writer::new();
        writer.u8(record.level);
        record.header.encode(&mut writer);
        self.overlay
            .put(tables::HEADERS, record.hash.as_bytes(), writer.into_vec());
        self.headers.insert(record.hash, Rc::new(record));
    }

    /// Writes GHOSTDAG data.
    pub fn put_ghostdag(&mut self, block: &Hash32, data: GhostdagData) {
        self.overlay
            .put(tables::GHOSTDAG, block.as_bytes(), data.encode());
        self.ghostdag.insert(*block, Rc::new(data));
    }

    /// Writes the mergeset blocks outside the DAA window.
    pub fn put_daa_excluded(&mut self, block: &Hash32, excluded: Vec<Hash32>) {
        self.overlay.put(
            tables::DAA_EXCLUDED,
            block.as_bytes(),
            meta::encode_hashes(&excluded),
        );
        self.excluded.insert(*block, Rc::new(excluded));
    }

    /// Writes depths and pruning sample.
    pub fn put_depths(&mut self, block: &Hash32, depths: Depths) {
        let hashes = [
            depths.depth.merge_depth_root,
            depths.depth.finality_point,
            depths.pruning_sample,
        ];
        self.overlay.put(
            tables::DEPTHS,
            block.as_bytes(),
            meta::encode_hashes(&hashes),
        );
        self.depths.insert(*block, Rc::new(depths));
    }

    fn depths(&self, block: &Hash32) -> Result<Rc<Depths>, SvcError> {
        let read = |reader: &mut Reader<'_>| {
            let depth = DepthRecord {
                merge_depth_root: reader.hash()?,
                finality_point: reader.hash()?,
            };
            Ok(Depths {
                depth,
                pruning_sample: reader.hash()?,
            })
        };
        self.load(
            &self.depths,
            Kind::new(tables::DEPTHS, "depths"),
            block,
            |bytes| whole(bytes, read),
        )
    }

    /// Child hashes in order of arrival.
    pub fn children(&self, block: &Hash32) -> Result<Rc<Vec<Hash32>>, SvcError> {
        if let Some(children) = self.children.get(block) {
            return Ok(children);
        }
        let bytes = self
            .overlay
            .get(tables::CHILDREN, block.as_bytes())?
            .unwrap_or_default();
        let children = Rc::new(stored("children", meta::decode_hashes(&bytes))?);
        self.children.insert(*block, children.clone());
        Ok(children)
    }

    /// Appends a child, which is new itself: it has no children.
    pub fn add_child(&mut self, parent: &Hash32, child: &Hash32) -> Result<(), SvcError> {
        let mut children = self.children(parent)?.as_ref().clone();
        children.push(*child);
        let bytes = meta::encode_hashes(&children);
        self.overlay.put(tables::CHILDREN, parent.as_bytes(), bytes);
        self.children.insert(*parent, Rc::new(children));
        self.children.insert(*child, Rc::default());
        Ok(())
    }

    /// Header and body together; `None` unless both are known.
    pub fn block(&self, hash: &Hash32) -> Result<Option<Block>, SvcError> {
        if !self.stage(hash)?.is_some_and(Stage::has_body) {
            return Ok(None);
        }
        let header: Header = self.header(hash)?.header.clone();
        Ok(Some(Block {
            header,
            transactions: self.body(hash)?.transactions.clone(),
        }))
    }

    /// State after a valid chain block.
    pub fn chain_state(&self, block: &Hash32) -> Result<Rc<ChainState>, SvcError> {
        self.load(
            &self.chain_states,
            Kind::new(tables::CHAIN_STATE, "chain state"),
            block,
            ChainState::decode,
        )
    }

    /// State after a block, or `None` if it was never judged valid on a chain.
    pub fn find_chain_state(&self, block: &Hash32) -> Result<Option<Rc<ChainState>>, SvcError> {
        if self.stage(block)? != Some(Stage::Valid) {
            return Ok(None);
        }
        self.chain_state(block).map(Some)
    }

    /// Writes the state after a chain block.
    pub fn put_chain_state(&mut self, block: &Hash32, state: ChainState) {
        self.overlay
            .put(tables::CHAIN_STATE, block.as_bytes(), state.encode());
        self.chain_states.insert(*block, Rc::new(state));
    }

    /// Acceptance data of a valid chain block.
    pub fn acceptance(&self, block: &Hash32) -> Result<Rc<AcceptanceRecord>, SvcError> {
        self.load(
            &self.acceptances,
            Kind::new(tables::ACCEPTANCE, "acceptance"),
            block,
            AcceptanceRecord::decode,
        )
    }

    /// Writes the acceptance data of a chain block.
    pub fn put_acceptance(&mut self, block: &Hash32, record: AcceptanceRecord) {
        self.overlay
            .put(tables::ACCEPTANCE, block.as_bytes(), record.encode());
        self.acceptances.insert(*block, Rc::new(record));
    }

    /// Nullifiers a chain block added.
    pub fn nullifier_diff(&self, block: &Hash32) -> Result<Vec<Hash32>, SvcError> {
        let bytes = self
            .overlay
            .get(tables::NULLIFIER_DIFFS, block.as_bytes())?
            .unwrap_or_default();
        stored("nullifier diff", meta::decode_hashes(&bytes))
    }

    /// Whether a nullifier is spent at the current position.
    pub fn is_spent(&self, nullifier: &Hash32) -> Result<bool, SvcError> {
        Ok(self
            .overlay
            .get(tables::NULLIFIERS, nullifier.as_bytes())?
            .is_some())
    }

    pub(crate) fn meta(&self, key: &[u8]) -> Result<Vec<u8>, SvcError> {
        self.find_meta(key)?.ok_or_else(|| {
            SvcError::new(Code::StoreMissing)
                .with("table", "meta")
                .with("key", String::from_utf8_lossy(key))
        })
    }

    /// A META value that may be absent.
    pub fn find_meta(&self, key: &[u8]) -> Result<Option<Vec<u8>>, SvcError> {
        if let Some(value) = self.meta.borrow().get(key) {
            return Ok(value.clone());
        }
        let found = self.overlay.get(tables::META, key)?;
        self.meta.borrow_mut().insert(key.to_vec(), found.clone());
        Ok(found)
    }

    /// Writes a META value.
    pub fn put_meta(&mut self, key: &[u8], value: Vec<u8>) {
        let known = Some(value.clone());
        self.meta.borrow_mut().insert(key.to_vec(), known);
        self.overlay.put(tables::META, key, value);
    }

    /// Removes a META value.
    pub fn delete_meta(&mut self, key: &[u8]) {
        self.meta.borrow_mut().insert(key.to_vec(), None);
        self.overlay.delete(tables::META, key);
    }

    /// The resolved virtual.
    pub fn virtual_record(&self) -> Result<VirtualRecord, SvcError> {
        stored("meta", VirtualRecord::decode(&self.meta(meta::VIRTUAL)?))
    }

    /// The block whose nullifier set and lanes are in the tables.
    pub fn position(&self) -> Result<Hash32, SvcError> {
        stored("meta", whole(&self.meta(meta::POSITION)?, Reader::hash))
    }

    /// Moves the position record.
    pub fn put_position(&mut self, block: &Hash32) {
        self.put_meta(meta::POSITION, block.as_bytes().to_vec());
    }

    /// Block tips.
    pub fn tips(&self) -> Result<Vec<Hash32>, SvcError> {
        stored("meta", meta::decode_hashes(&self.meta(meta::TIPS)?))
    }

    /// Number of headers and bodies.
    pub fn counters(&self) -> Result<Counters, SvcError> {
        stored("meta", Counters::decode(&self.meta(meta::COUNTERS)?))
    }
}

impl<S: Store> DagStore for Records<S> {
    fn header(&self, block: &Hash32) -> Result<Rc<HeaderRecord>, SvcError> {
        self.load(
            &self.headers,
            Kind::new(tables::HEADERS, "header"),
            block,
            |bytes| {
                let mut reader = Reader::new(bytes);
                let level = reader.u8()?;
                let header = Header::decode(&mut reader)?;
                reader.finish()?;
                Ok(HeaderRecord {
                    header,
                    hash: *block,
                    level,
                })
            },
        )
    }

    fn has_header(&self, block: &Hash32) -> Result<bool, SvcError> {
        Ok(self.headers.get(block).is_some()
            || self
                .overlay
                .get(tables::HEADERS, block.as_bytes())?
                .is_some())
    }

    /// Every pruned block is in the past of each chain that comes from above the pruning point.
    fn graph_parents(&self, block: &Hash32) -> Result<Vec<Hash32>, SvcError> {
        let record = self.header(block)?;
        let mut kept = Vec::new();
        for parent in record.header.direct_parents() {
            if self.has_reachability(parent)? {
                kept.push(*parent);
            }
        }
        Ok(kept)
    }

    fn ghostdag(&self, block: &Hash32) -> Result<Rc<GhostdagData>, SvcError> {
        self.load(
            &self.ghostdag,
            Kind::new(tables::GHOSTDAG, "ghostdag"),
            block,
            GhostdagData::decode,
        )
    }

    fn daa_excluded(&self, block: &Hash32) -> Result<Rc<Vec<Hash32>>, SvcError> {
        self.load(
            &self.excluded,
            Kind::new(tables::DAA_EXCLUDED, "daa window"),
            block,
            meta::decode_hashes,
        )
    }

    fn depth(&self, block: &Hash32) -> Result<DepthRecord, SvcError> {
        Ok(self.depths(block)?.depth)
    }

    fn pruning_sample(&self, block: &Hash32) -> Result<Hash32, SvcError> {
        Ok(self.depths(block)?.pruning_sample)
    }

    fn reachability(&self, block: &Hash32) -> Result<Rc<ReachabilityNode>, SvcError> {
        self.load(
            &self.reachability,
            Kind::new(tables::REACHABILITY, "reachability"),
            block,
            ReachabilityNode::decode,
        )
    }

    fn has_reachability(&self, block: &Hash32) -> Result<bool, SvcError> {
        Ok(self.reachability.get(block).is_some()
            || self
                .overlay
                .get(tables::REACHABILITY, block.as_bytes())?
                .is_some())
    }

    fn set_reachability(&mut self, block: Hash32, node: ReachabilityNode) {
        self.overlay
            .put(tables::REACHABILITY, block.as_bytes(), node.encode());
        self.reachability.insert(block, Rc::new(node));
    }

    fn reindex_root(&self) -> Result<Hash32, SvcError> {
        let bytes = self.meta(meta::REINDEX_ROOT)?;
        stored("meta", whole(&bytes, Reader::hash))
    }

    fn set_reindex_root(&mut self, block: Hash32) {
        self.put_meta(meta::REINDEX_ROOT, block.as_bytes().to_vec());
    }
}
