//! Block bodies of an import: those of the pruning point and of the blocks beside it, since blocks above merge them.

use svc_chain::block::HashedBlock;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::store::DagStore;

use crate::failure::Failure;
use crate::import::{Import, Phase, about, out_of_order};
use crate::pipeline::ingest::{CheckedBlock, VerdictLookup, commit_body, past_median_for};
use crate::records::Records;
use crate::records::chain::Chain;
use crate::records::meta::{self, PruningRecord};
use crate::rules::acceptance::{Job, unknown_verdicts};
use crate::rules::body_rules::check_body;
use crate::store::Store;

impl Import {
    /// Takes one of the bodies in. Returns the verdicts it needs and how many bodies are missing yet.
    pub(super) fn body<S: Store>(
        &mut self,
        chain: &mut Chain<S>,
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
        let median = past_median_for(chain, &hash, &incoming.block)?;
        let checked = check_body(chain, &incoming.block, median, false);
        let txids = checked.map_err(|failure| match failure {
            Failure::Lasting(error) | Failure::Passing(error) | Failure::Fatal(error) => error,
            Failure::MissingParents(_) => about(Code::ImportUnexpectedBody, &hash),
        })?;
        let checked = CheckedBlock {
            hash,
            block: incoming.block,
            txids,
        };
        commit_body(chain, checked, is_verified)?;
        missing.remove(&hash);
        let left = missing.len();
        if left == 0 {
            self.open(&mut chain.records)?;
        }
        Ok((unknown_verdicts(chain, &hash)?, left))
    }

    /// Makes the pruning point the lowest block of the store: blocks above it may come.
    fn open<S: Store>(&mut self, records: &mut Records<S>) -> Result<(), SvcError> {
        let mut tips: Vec<Hash32> = Vec::new();
        for block in &self.bodied {
            let record = records.header(block)?;
            let parents = record.header.direct_parents();
            for parent in parents.iter().filter(|parent| self.bodied.contains(parent)) {
                records.add_child(parent, block)?;
            }
            tips.retain(|tip| !parents.contains(tip));
            tips.push(*block);
        }
        records.put_meta(meta::TIPS, meta::encode_hashes(&tips));
        records.put_pruning(&PruningRecord {
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
