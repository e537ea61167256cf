//! Lane import: the live lanes at the pruning point, bound by the sequencing commitment of its header (specification
//! consensus 12).

use std::collections::BTreeMap;

use svc_chain::seq_commit;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::IMPORT_PAGE_ROWS;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_dag::store::DagStore;

use crate::import::{Import, Phase, out_of_order};
use crate::records::Records;
use crate::records::chain::Chain;
use crate::records::lane_diff::{LaneChange, LaneDiff, LaneTip};
use crate::records::lanes;
use crate::store::Store;

/// Version of the raw form.
const FORM: u8 = 1;

/// The claim of the lanes: what ties them to the header's sequencing commitment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanesClaim {
    /// Digest over payloads and context of the pruning point (specification consensus 12, step 9).
    pub payload_digest: Hash32,
    /// Root of the tree over the lanes.
    pub root: Hash32,
    /// Number of lanes.
    pub count: u64,
}

impl LanesClaim {
    /// The raw form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u8(FORM).hash(&self.payload_digest).hash(&self.root);
        writer.u64(self.count);
        writer.into_vec()
    }

    /// Reads the raw form. Errors: `codec/version`, other `codec/*`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        let form = reader.u8()?;
        if form != FORM {
            let error = SvcError::new(Code::CodecVersion).with("expected", FORM);
            return Err(error.with("found", form));
        }
        let claim = Self {
            payload_digest: reader.hash()?,
            root: reader.hash()?,
            count: reader.u64()?,
        };
        reader.finish()?;
        Ok(claim)
    }
}

/// Lanes as they come.
pub(super) struct LaneImport {
    pub(super) claim: LanesClaim,
    seen: u64,
    last: Option<Hash32>,
}

impl LaneImport {
    pub(super) fn is_done(&self) -> bool {
        self.seen == self.claim.count
    }
}

fn wrong(found: impl std::fmt::Display, expected: impl std::fmt::Display) -> SvcError {
    let error = SvcError::new(Code::ImportWrongLanes).with("found", found);
    error.with("expected", expected)
}

impl Import {
    /// Takes the claim in: it must make the commitment in the header of the pruning point. Every chain block touches
    /// the lane of the coinbase, so there is one lane at least, and with the last the root is compared.
    pub(super) fn lanes<S: Store>(
        &mut self,
        records: &Records<S>,
        claim: LanesClaim,
    ) -> Result<(), SvcError> {
        if !matches!(self.phase, Phase::Open) || self.lanes.is_some() {
            return Err(out_of_order("lanes"));
        }
        if claim.count == 0 {
            return Err(wrong(0, "at least 1"));
        }
        let commitment_of = |block: &Hash32| -> Result<Hash32, SvcError> {
            Ok(records.header(block)?.header.accepted_id_merkle_root)
        };
        let parent = records.ghostdag(&self.point)?.selected_parent;
        let activity = seq_commit::activity_root(&commitment_of(&self.shortcut)?, &claim.root);
        let found = seq_commit::commitment(
            &commitment_of(&parent)?,
            &seq_commit::state(&activity, &claim.payload_digest),
        );
        let expected = commitment_of(&self.point)?;
        if found != expected {
            return Err(wrong(found, expected));
        }
        self.lanes = Some(LaneImport {
            claim,
            seen: 0,
            last: None,
        });
        Ok(())
    }

    /// Takes lanes in, ascending by key. With the last of them the root must be the claimed one.
    pub(super) fn lane_page<S: Store>(
        &mut self,
        chain: &mut Chain<S>,
        page: &[(Hash32, LaneTip)],
    ) -> Result<(), SvcError> {
        let Chain { rules, records } = chain;
        let point = records.header(&self.point)?.header.blue_score;
        let Some(import) = self.lanes.as_mut().filter(|lanes| !lanes.is_done()) else {
            return Err(out_of_order("lanes"));
        };
        let seen = import.seen + page.len() as u64;
        if page.is_empty() || page.len() > IMPORT_PAGE_ROWS || seen > import.claim.count {
            return Err(wrong(seen, import.claim.count));
        }
        let oldest = point.saturating_sub(rules.profile.finality_depth);
        let mut changes = BTreeMap::new();
        for (key, lane) in page {
            let lives = (oldest..=point).contains(&lane.blue_score);
            if !lives || import.last.is_some_and(|last| last >= *key) {
                return Err(wrong(key, "ascending keys of live lanes"));
            }
            import.last = Some(*key);
            let after = Some(*lane);
            changes.insert(
                *key,
                LaneChange {
                    before: None,
                    after,
                },
            );
        }
        let update = lanes::plan(records, LaneDiff(changes))?;
        import.seen = seen;
        if import.is_done() && update.tree.root != import.claim.root {
            return Err(wrong(update.tree.root, import.claim.root));
        }
        lanes::write(records, &update);
        Ok(())
    }
}
