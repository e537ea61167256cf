//! Record of a chain block for evidence: the link of a run, the tree root, nodes of the anchor log (ADR 47, 61).

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_evidence::parent_path::ParentPath;

use crate::records::{Records, stored};
use crate::store::{Store, tables};

/// Version of the stored form.
const FORM: u8 = 2;
/// The form without openings. Its rows stay for blocks of which too little is held to make them anew.
const FORM_WITHOUT_PATH: u8 = 1;

/// The record of one chain block. It is a function of the block, so a reorganisation has nothing to undo, and it stays when
/// the block is pruned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainEvidence {
    /// State of the block's sequencing commitment: hashed behind that of its selected parent it gives the block's own.
    pub sequencing: Hash32,
    /// Opening of that state down to the selected parent, for blocks above one of
    /// [`svc_codec::limits::LEAST_STEP_LEVEL`]; none in rows of form 1.
    pub parent_path: Option<ParentPath>,
    /// Root of the note tree after the block.
    pub tree_root: Hash32,
    /// Nodes that the block's entry completes in the anchor log, the entry the lowest; none before the security fork.
    pub log_nodes: Vec<Hash32>,
}

impl ChainEvidence {
    /// Stored form, version 2.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::with_capacity(192 + 32 * self.log_nodes.len());
        writer.u8(FORM).hash(&self.sequencing).hash(&self.tree_root);
        writer.u8(u8::from(self.parent_path.is_some()));
        if let Some(path) = &self.parent_path {
            path.encode(&mut writer);
        }
        for node in &self.log_nodes {
            writer.hash(node);
        }
        writer.into_vec()
    }

    /// Reads the stored form, version 1 or 2. Errors: `store/corrupt`, `codec/*`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        let form = reader.u8()?;
        let is_known = form == FORM || form == FORM_WITHOUT_PATH;
        crate::corrupt_unless(is_known, "chain evidence version")?;
        let (sequencing, tree_root) = (reader.hash()?, reader.hash()?);
        let has_path = if form == FORM { reader.u8()? } else { 0 };
        crate::corrupt_unless(has_path <= 1, "opening of a chain evidence")?;
        let parent_path = match has_path {
            0 => None,
            _ => Some(ParentPath::decode(&mut reader)?),
        };
        let mut log_nodes = Vec::new();
        while reader.remaining() > 0 {
            log_nodes.push(reader.hash()?);
        }
        Ok(Self {
            sequencing,
            parent_path,
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
