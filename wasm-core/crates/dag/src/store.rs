//! Storage interface of the DAG algorithms: the records that they read and write.

use std::rc::Rc;

use svc_chain::bits::work_from_bits;
use svc_chain::uint256::U256;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::records::{DepthRecord, GhostdagData, HeaderRecord, ReachabilityNode};

/// Typed records of accepted blocks. Every getter fails with `store/missing` for a record that is
/// not there: that is a failure of ours and aborts the step, it never means "unknown block".
pub trait DagStore {
    /// Header, hash and level of a block.
    ///
    /// # Errors
    /// `store/*`.
    fn header(&self, block: &Hash32) -> Result<Rc<HeaderRecord>, SvcError>;

    /// Whether the header of a block is stored.
    ///
    /// # Errors
    /// `store/read-failed`.
    fn has_header(&self, block: &Hash32) -> Result<bool, SvcError>;

    /// The parents that make this graph: the direct ones, unless the graph is that of a higher level or pruned ones are
    /// left out.
    ///
    /// # Errors
    /// `store/*`.
    fn graph_parents(&self, block: &Hash32) -> Result<Vec<Hash32>, SvcError> {
        Ok(self.header(block)?.header.direct_parents().to_vec())
    }

    /// What a blue block adds to blue work in this graph: the work its bits ask for, unless the graph is that of
    /// a higher level.
    ///
    /// # Errors
    /// `store/*`.
    fn graph_work(&self, block: &Hash32) -> Result<U256, SvcError> {
        Ok(work_from_bits(self.header(block)?.header.bits))
    }

    /// GHOSTDAG data of a block.
    ///
    /// # Errors
    /// `store/*`.
    fn ghostdag(&self, block: &Hash32) -> Result<Rc<GhostdagData>, SvcError>;

    /// Mergeset blocks outside the DAA window of a block (specification consensus 7.3).
    ///
    /// # Errors
    /// `store/*`.
    fn daa_excluded(&self, block: &Hash32) -> Result<Rc<Vec<Hash32>>, SvcError>;

    /// Merge depth root and finality point of a block.
    ///
    /// # Errors
    /// `store/*`.
    fn depth(&self, block: &Hash32) -> Result<DepthRecord, SvcError>;

    /// The recorded pruning sample seen from a block.
    ///
    /// # Errors
    /// `store/*`.
    fn pruning_sample(&self, block: &Hash32) -> Result<Hash32, SvcError>;

    /// Node of the reachability tree.
    ///
    /// # Errors
    /// `store/*`.
    fn reachability(&self, block: &Hash32) -> Result<Rc<ReachabilityNode>, SvcError>;

    /// Whether a block is in the reachability tree; a pruned block is not.
    ///
    /// # Errors
    /// `store/read-failed`.
    fn has_reachability(&self, block: &Hash32) -> Result<bool, SvcError>;

    /// Adds or replaces a node of the reachability tree.
    fn set_reachability(&mut self, block: Hash32, node: ReachabilityNode);

    /// The block below which intervals are no longer redistributed as a whole.
    ///
    /// # Errors
    /// `store/*`.
    fn reindex_root(&self) -> Result<Hash32, SvcError>;

    /// Replaces the reindex root.
    fn set_reindex_root(&mut self, block: Hash32);
}
