//! Sequencing state of a chain block with its opening down to the selected parent (specification consensus 12, 18.2).

use svc_chain::header::Header;
use svc_chain::seq_commit;
use svc_codec::hash32::Hash32;
use svc_dag::records::HeaderRecord;
use svc_evidence::parent_path::ParentPath;
use svc_evidence::run::can_step_from;

/// The parts of a sequencing state that come from the block.
pub struct SequencingParts<'a> {
    /// DAA score of the block.
    pub daa_score: u64,
    /// Blue score of the block.
    pub blue_score: u64,
    /// Commitment of the shortcut block.
    pub shortcut: &'a Hash32,
    /// Root of the lanes after the block.
    pub lanes_root: &'a Hash32,
    /// Leaves of the merged blocks' payloads, that of the selected parent first.
    pub leaves: &'a [Hash32],
    /// Coinbase payload of the selected parent.
    pub first_payload: &'a [u8],
}

/// The state and its opening.
pub struct OpenedSequencing {
    /// The state, hashed behind the selected parent's commitment into the block's own.
    pub state: Hash32,
    /// The opening.
    pub path: ParentPath,
}

impl OpenedSequencing {
    /// Hashes the parts over the header of the selected parent.
    pub fn over(parent: &Header, parts: &SequencingParts<'_>) -> Self {
        let SequencingParts {
            daa_score,
            blue_score,
            leaves,
            ..
        } = *parts;
        let context = seq_commit::mergeset_context(parent.timestamp_ms, daa_score, blue_score);
        let activity_root = seq_commit::activity_root(parts.shortcut, parts.lanes_root);
        let payload_root = seq_commit::payload_root(leaves);
        let rest = seq_commit::payload_and_context_digest(&context, &payload_root);
        let path = ParentPath {
            activity_root,
            daa_step: step(parent.daa_score, daa_score),
            blue_step: step(parent.blue_score, blue_score),
            payload_digest: seq_commit::payload_digest(parts.first_payload),
            siblings: seq_commit::payload_branch_of_first(leaves),
        };
        Self {
            state: seq_commit::state(&activity_root, &rest),
            path,
        }
    }

    /// The opening, where a run may need it: a run skips blocks above those of a block level alone.
    pub fn kept_path(self, parent: &HeaderRecord) -> Option<ParentPath> {
        can_step_from(parent.level).then_some(self.path)
    }
}

/// Scores go up by at most the size of a mergeset.
fn step(below: u64, above: u64) -> u32 {
    u32::try_from(above.saturating_sub(below)).unwrap_or(u32::MAX)
}
