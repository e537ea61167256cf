//! Opening of a sequencing state down to the selected parent that its block accepted (specification consensus 12, 18.2).
//!
//! The state of a chain block is a hash over time and scores of its acceptance and over the coinbase payloads of all blocks
//! that it merged, the selected parent's first. So the state itself names the selected parent, and who judged the block judged that
//! name. Without the opening a list of states would begin at whatever root the header below claims for itself.

use svc_chain::header::Header;
use svc_chain::seq_commit;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_MERKLE_BRANCH;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::wire::{put_hashes, read_hashes};

/// The parts of a sequencing state that the header of the selected parent does not have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParentPath {
    /// Shortcut and lanes, hashed together.
    pub activity_root: Hash32,
    /// DAA score of the block less that of its selected parent.
    pub daa_step: u32,
    /// Blue score of the block less that of its selected parent.
    pub blue_step: u32,
    /// Digest of the coinbase payload of the selected parent.
    pub payload_digest: Hash32,
    /// Siblings of the selected parent's leaf among the payloads of all merged blocks, the lowest first.
    pub siblings: Vec<Hash32>,
}

impl ParentPath {
    /// Shortest raw form.
    pub const MIN_LEN: usize = 32 + 4 + 4 + 32 + 2;

    /// The sequencing state of a block whose selected parent has this hash and this header. Another header, another path or another place
    /// than the first gives another state, as far as the hash has no collisions: leaves and nodes have domains of their own.
    pub fn state_above(&self, parent: &Hash32, header: &Header) -> Hash32 {
        let context = seq_commit::mergeset_context(
            header.timestamp_ms,
            header.daa_score.wrapping_add(u64::from(self.daa_step)),
            header.blue_score.wrapping_add(u64::from(self.blue_step)),
        );
        let digest = &self.payload_digest;
        let leaf = seq_commit::miner_payload_leaf_over(parent, header.blue_work, digest);
        let payloads = seq_commit::payload_root_over_first(leaf, &self.siblings);
        let rest = seq_commit::payload_and_context_digest(&context, &payloads);
        seq_commit::state(&self.activity_root, &rest)
    }

    /// Writes the raw form.
    pub fn encode(&self, writer: &mut Writer) {
        writer.hash(&self.activity_root);
        writer.u32(self.daa_step).u32(self.blue_step);
        writer.hash(&self.payload_digest);
        put_hashes(writer, &self.siblings);
    }

    /// Reads the raw form. Errors: `codec/*`, among them `codec/count-too-large` above [`MAX_MERKLE_BRANCH`] siblings.
    pub fn decode(reader: &mut Reader<'_>) -> Result<Self, SvcError> {
        Ok(Self {
            activity_root: reader.hash()?,
            daa_step: reader.u32()?,
            blue_step: reader.u32()?,
            payload_digest: reader.hash()?,
            siblings: read_hashes(reader, MAX_MERKLE_BRANCH)?,
        })
    }
}
