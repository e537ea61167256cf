//! Block bodies of an import: those of the pruning point and of the blocks beside it, since blocks above merge them.

use svc_chain::block::HashedBlock;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::store::DagStore;

use crate::failure::Failure;
use crate::import::{Import, Phase, about, out_of_order};
use crate::parameters::Parameters;
use crate::pipeline::ingest::{VerdictLookup, commit_body, past_median_for};
use crate::records::Records;
use crate::records::meta::{self, PruningRecord};
use crate::rules::acceptance::{Job, unknown_verdicts};
use crate::rules::body_rules::check_body;
use crate::store::Store;

impl Import {
    /// Takes one of the bodies in. Returns the verdicts it needs and how many bodies are missing yet.
    pub(super) fn body<S: Store>(
        &mut self,
        rules: &Parameters,
        state: &mut Records<S>,
        incoming: HashedBlock,
        is_verified: VerdictLookup<'_>,
    ) -> Result<(Vec<Job>, usize), SvcError> {
        let Phase::Bodies(missing) = &mut self.phase else {
            return Err(out_of_order("body"));
        };
        let (hash, incoming) = incoming.into_parts();
        if !missing.contains(&hash) {
            return Err(about(Code::ImportUnexpectedBody, &hash));
        }
        let median = past_median_for(rules, state, (&hash, &incoming.block))?;
        let checked = check_body(rules, state, &incoming.block, (median, false));
        let txids = checked.map_err(|failure| match failure {
            Failure::Lasting(error) | Failure::Passing(error) | Failure::Fatal(error) => error,
            Failure::MissingParents(_) => about(Code::ImportUnexpectedBody, &hash),
        })?;
        commit_body(rules, state, (&hash, incoming.block, txids), is_verified)?;
        missing.remove(&hash);
        let left = missing.len();
        if left == 0 {
            self.open(state)?;
        }
        Ok((unknown_verdicts(rules, state, &hash)?, left))
    }

    /// Makes the pruning point the lowest block of the store: blocks above it may come.
    fn open<S: Store>(&mut self, state: &mut Records<S>) -> Result<(), SvcError> {
        let mut tips: Vec<Hash32> = Vec::new();
        for block in &self.bodied {
            let record = state.header(block)?;
            let parents = record.header.direct_parents();
            for parent in parents.iter().filter(|parent| self.bodied.contains(parent)) {
                state.add_child(parent, block)?;
            }
            tips.retain(|tip| !parents.contains(tip));
            tips.push(*block);
        }
        state.put_meta(meta::TIPS, meta::encode_hashes(&tips));
        state.put_pruning(&PruningRecord {
            point: self.point,
            index: self.past_points.len() as u64,
            swept: self.point,
            history_base: self.point,
            flags: PruningRecord::STATE_MISSING,
        });
        self.entries.clear();
        self.phase = Phase::Open;
        Ok(())
    }
}
