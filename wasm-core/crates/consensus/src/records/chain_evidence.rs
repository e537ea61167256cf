//! Record of a chain block for evidence: the link of a run, the tree root, nodes of the anchor log (ADR 47).

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::records::{Records, stored};
use crate::store::{Store, tables};

/// Version of the stored form.
const FORM: u8 = 1;

/// The record of one chain block. It is a function of the block, so a reorganisation has nothing to undo, and it stays when
/// the block is pruned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainEvidence {
    /// State of the block's sequencing commitment: hashed behind that of its selected parent it gives the block's own.
    pub sequencing: Hash32,
    /// Root of the note tree after the block.
    pub tree_root: Hash32,
    /// Nodes that the block's entry completes in the anchor log, the entry the lowest; none before the security fork.
    pub log_nodes: Vec<Hash32>,
}

impl ChainEvidence {
    /// Stored form, version 1.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::with_capacity(65 + 32 * self.log_nodes.len());
        writer.u8(FORM).hash(&self.sequencing).hash(&self.tree_root);
        for node in &self.log_nodes {
            writer.hash(node);
        }
        writer.into_vec()
    }

    /// Reads the stored form. Errors: `store/corrupt`, `codec/*`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        crate::corrupt_unless(reader.u8()? == FORM, "chain evidence version")?;
        let (sequencing, tree_root) = (reader.hash()?, reader.hash()?);
        let mut log_nodes = Vec::new();
        while reader.remaining() > 0 {
            log_nodes.push(reader.hash()?);
        }
        Ok(Self {
            sequencing,
            tree_root,
            log_nodes,
        })
    }
}

impl<S: Store> Records<S> {
    /// The record of a chain block; `None` of genesis, of blocks pruned by a build that kept none, or not judged
    /// here.
    pub fn chain_evidence(&self, block: &Hash32) -> Result<Option<ChainEvidence>, SvcError> {
        let found = self.overlay.get(tables::CHAIN_EVIDENCE, block.as_bytes())?;
        let read = found.map(|bytes| ChainEvidence::decode(&bytes)).transpose();
        stored("chain evidence", read)
    }

    /// Writes the record of a chain block.
    pub fn put_chain_evidence(&mut self, block: &Hash32, evidence: &ChainEvidence) {
        self.overlay
            .put(tables::CHAIN_EVIDENCE, block.as_bytes(), evidence.encode());
    }
}
