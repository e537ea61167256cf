//! Import of the pruning point list: all pruning points up to the new one (specification consensus 7.10), the chain
//! of samples by which headers above it name theirs.

use std::rc::Rc;

use svc_chain::header::Header;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_PRUNING_POINTS, MAX_TRUSTED_PAGE};
use svc_dag::records::{DepthRecord, HeaderRecord};

use crate::import::link::keep_header;
use crate::import::{Import, Phase, out_of_order};
use crate::parameters::Parameters;
use crate::proof::ProofHeader;
use crate::records::Depths;
use crate::records::chain::Chain;
use crate::store::Store;

/// Depths at and below the pruning point: nothing there is looked for any more.
pub(super) fn depths_below(pruning_sample: Hash32) -> Depths {
    let depth = DepthRecord {
        merge_depth_root: Hash32::ORIGIN,
        finality_point: Hash32::ORIGIN,
    };
    Depths {
        depth,
        pruning_sample,
    }
}

pub(super) fn wrong(index: usize, reason: &'static str) -> SvcError {
    let error = SvcError::new(Code::ImportWrongPoints).with("index", index);
    error.with("reason", reason)
}

impl Import {
    /// Takes the next pruning points in, genesis first. Returns whether the present one has come, which ends the list.
    pub(super) fn points<S: Store>(
        &mut self,
        chain: &mut Chain<S>,
        headers: Vec<ProofHeader>,
    ) -> Result<bool, SvcError> {
        let Chain { rules, records } = chain;
        if !matches!(self.phase, Phase::Points) {
            return Err(out_of_order("points"));
        }
        let from = self.past_points.len();
        if headers.len() > MAX_TRUSTED_PAGE || from + headers.len() > MAX_PRUNING_POINTS {
            let error = SvcError::new(Code::ImportTooManyHeaders);
            return Err(error
                .with("count", from + headers.len())
                .with("max", MAX_PRUNING_POINTS));
        }
        let mut points = self.past_points.clone();
        let mut judged: Vec<(Rc<HeaderRecord>, Option<&[u8]>)> = Vec::with_capacity(headers.len());
        for entry in &headers {
            let (index, hash) = (points.len(), entry.hash());
            check_point(rules, &hash, entry.header(), &points)?;
            if points.last().is_some_and(|(_, last)| *last == self.point) {
                return Err(wrong(index, "it follows the pruning point of the proof"));
            }
            points.push((entry.header().blue_score, hash));
            let (record, by_witness) = self.record_of(rules, entry)?;
            judged.push((record, entry.witness().filter(|_| by_witness)));
        }
        let done = points.last().is_some_and(|(_, last)| *last == self.point);
        if done {
            self.check_roots(rules, &points)?;
        }
        for (offset, (record, witness)) in judged.into_iter().enumerate() {
            let index = from + offset;
            records.put_pruning_point_at(index as u64, &record.hash);
            let sample = index.checked_sub(1).and_then(|before| points.get(before));
            if let Some((_, sample)) = sample {
                records.put_depths(&record.hash, depths_below(*sample));
                keep_header(records, &record)?;
            }
            // Whoever asks for the list later judges its work as well.
            if let Some(witness) = witness {
                records.put_witness(&record.hash, witness);
            }
        }
        if done {
            points.pop();
            self.phase = Phase::Collect;
        }
        self.past_points = points;
        Ok(done)
    }

    /// The record of a header, whose work is judged unless it was before, and whether its witness was needed for that.
    pub(super) fn record_of(
        &self,
        rules: &Parameters,
        entry: &ProofHeader,
    ) -> Result<(Rc<HeaderRecord>, bool), SvcError> {
        let hash = entry.hash();
        if let Some(known) = self.entries.get(&hash) {
            return Ok((known.record.clone(), false));
        }
        let (level, by_witness) = if hash == rules.genesis_hash {
            (rules.profile.max_block_level, false)
        } else {
            let work = rules.judge_work(entry.header(), entry.witness())?;
            (work.level, work.by_witness())
        };
        let record = HeaderRecord {
            header: entry.header().clone(),
            hash,
            level,
        };
        Ok((Rc::new(record), by_witness))
    }

    /// Every level of the proof begins with a block whose own pruning point is in the list.
    fn check_roots(&self, rules: &Parameters, points: &[(u64, Hash32)]) -> Result<(), SvcError> {
        for root in &self.roots {
            let Some(entry) = self.entries.get(root) else {
                continue;
            };
            let named = &entry.record.header.pruning_point;
            if *root != rules.genesis_hash && !contains(points, named) {
                return Err(wrong(points.len(), "a root of the proof names another"));
            }
        }
        Ok(())
    }
}

fn contains(points: &[(u64, Hash32)], block: &Hash32) -> bool {
    points.iter().any(|(_, point)| point == block)
}

/// Finality scores of neighbouring samples differ by one where no block merges a finality depth of others
/// (specification consensus 7.9).
pub(super) fn has_all_scores(rules: &Parameters) -> bool {
    rules.profile.mergeset_size_limit < rules.profile.finality_depth
}

/// The number of a sample among all pruning points.
pub(super) fn number_of(rules: &Parameters, blue_score: u64) -> u64 {
    blue_score / rules.profile.finality_depth.max(1)
}

fn check_point(
    rules: &Parameters,
    hash: &Hash32,
    header: &Header,
    points: &[(u64, Hash32)],
) -> Result<(), SvcError> {
    let index = points.len();
    let Some((before, _)) = points.last() else {
        return if *hash == rules.genesis_hash {
            Ok(())
        } else {
            Err(wrong(index, "the first is not genesis"))
        };
    };
    if header.blue_score <= *before {
        return Err(wrong(index, "its blue score does not grow"));
    }
    if has_all_scores(rules) && number_of(rules, header.blue_score) != index as u64 {
        return Err(wrong(index, "its blue score is that of another"));
    }
    if !contains(points, &header.pruning_point) {
        return Err(wrong(index, "its own pruning point is not in the list"));
    }
    Ok(())
}
