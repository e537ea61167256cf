//! Verification of the imported GHOSTDAG data: where later blocks are judged by them they are computed again, and the
//! windows of the pruning point and of the blocks beside it must be whole. Deeper blocks are bound by their hashes
//! alone.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_IMPORT_BODIES;
use svc_dag::ghostdag::ghostdag;
use svc_dag::reachability::{is_chain_ancestor, is_dag_ancestor};
use svc_dag::records::{GhostdagData, HeaderRecord};
use svc_dag::store::DagStore;
use svc_dag::windows::daa_data;

use crate::import::points::{has_all_scores, number_of, wrong};
use crate::import::{Import, Phase, about, incomplete, out_of_order, wrong_header};
use crate::parameters::Parameters;
use crate::records::chain::Chain;
use crate::store::Store;

impl Import {
    /// Judges at most `budget` headers more. Returns whether all are: then bodies are due.
    pub(super) fn judge<S: Store>(
        &mut self,
        chain: &mut Chain<S>,
        budget: usize,
    ) -> Result<bool, SvcError> {
        let Phase::Judge(order, mut next) = std::mem::replace(&mut self.phase, Phase::Collect)
        else {
            return Err(out_of_order("judge"));
        };
        for _ in 0..budget.max(1) {
            let Some(hash) = order.get(next) else { break };
            self.judge_one(chain, hash)?;
            next += 1;
        }
        if next < order.len() {
            self.phase = Phase::Judge(order, next);
            return Ok(false);
        }
        if !self.bodied.contains(&self.point) {
            let error = about(Code::ImportIncomplete, &self.point);
            return Err(error.with("table", "header").with("key", self.point));
        }
        self.shortcut = self.find_shortcut(chain)?;
        self.phase = Phase::Bodies(self.bodied.iter().copied().collect());
        Ok(true)
    }

    fn judge_one<S: Store>(&mut self, chain: &mut Chain<S>, hash: &Hash32) -> Result<(), SvcError> {
        let Some(entry) = self.entries.get(hash) else {
            return Err(wrong_header(hash, "not collected"));
        };
        let header = &entry.record.header;
        let is_point = *hash == self.point;
        if *hash == chain.rules.genesis_hash {
            return Ok(());
        }
        if !is_point && is_dag_ancestor(&chain.records, hash, &self.point)? {
            let point = chain.records.header(&self.point)?;
            let k = u64::from(chain.rules.profile.ghostdag_k);
            let is_near = header.blue_score.saturating_add(k) >= point.header.blue_score;
            return match (&entry.ghostdag, is_near) {
                (Some(data), true) => check_near(chain, &entry.record, data),
                _ => Ok(()),
            };
        }
        if !is_point && is_dag_ancestor(&chain.records, &self.point, hash)? {
            return Err(wrong_header(hash, "above the pruning point"));
        }
        let Some(data) = &entry.ghostdag else {
            return Err(wrong_header(hash, "not below the pruning point"));
        };
        if self.bodied.len() >= MAX_IMPORT_BODIES {
            let error = SvcError::new(Code::ImportTooManyHeaders);
            return Err(error
                .with("count", self.bodied.len() + 1)
                .with("max", MAX_IMPORT_BODIES));
        }
        let found =
            check_beside(chain, &entry.record, data).map_err(|error| incomplete(hash, error))?;
        chain.records.put_ghostdag(hash, found);
        self.bodied.push(*hash);
        Ok(())
    }

    /// The highest chain block more than the finality depth below the pruning point, genesis while the chain is
    /// shorter (specification consensus 12, step 8). Chain blocks name their selected parent first.
    fn find_shortcut<S: Store>(&self, chain: &Chain<S>) -> Result<Hash32, SvcError> {
        let Chain { rules, records } = chain;
        let point = records.header(&self.point)?;
        let depth = rules.profile.finality_depth.saturating_add(1);
        let Some(limit) = point.header.blue_score.checked_sub(depth) else {
            return Ok(rules.genesis_hash);
        };
        let mut current = point;
        while current.header.blue_score > limit {
            let parent = current.header.direct_parents().first().copied();
            let parent = parent.unwrap_or(rules.genesis_hash);
            if !records.has_reachability(&parent)? {
                let error = about(Code::ImportIncomplete, &parent);
                return Err(error.with("table", "segment").with("key", current.hash));
            }
            let above = std::mem::replace(&mut current, records.header(&parent)?);
            self.check_sample(rules, &above, &current)?;
        }
        if is_chain_ancestor(records, &current.hash, &self.point)? {
            Ok(current.hash)
        } else {
            Err(wrong_header(&current.hash, "not on the selected chain"))
        }
    }

    /// A chain block that begins a finality score is a pruning point (specification consensus 7.9).
    fn check_sample(
        &self,
        rules: &Parameters,
        block: &HeaderRecord,
        parent: &HeaderRecord,
    ) -> Result<(), SvcError> {
        let number = number_of(rules, block.header.blue_score);
        let is_sample = number > number_of(rules, parent.header.blue_score);
        if !has_all_scores(rules) || !is_sample || block.hash == self.point {
            return Ok(());
        }
        let at = usize::try_from(number).unwrap_or(usize::MAX);
        match self.past_points.get(at) {
            Some((_, point)) if *point == block.hash => Ok(()),
            _ => Err(wrong(at, "another block is the sample")),
        }
    }
}

/// The same data whatever order the anticone sizes are listed in.
fn is_same(a: &GhostdagData, b: &GhostdagData) -> bool {
    let sorted = |data: &GhostdagData| {
        let mut sizes = data.anticone_sizes.clone();
        sizes.sort_unstable();
        sizes
    };
    let rest = |data: &GhostdagData| GhostdagData {
        anticone_sizes: Vec::new(),
        ..data.clone()
    };
    rest(a) == rest(b) && sorted(a) == sorted(b)
}

/// Coloring above looks `k` blocks deep; what can be computed again must be the same.
fn check_near<S: Store>(
    chain: &Chain<S>,
    record: &HeaderRecord,
    data: &GhostdagData,
) -> Result<(), SvcError> {
    let header = &record.header;
    match ghostdag(
        &chain.records,
        chain.rules.profile.ghostdag_k,
        header.direct_parents(),
    ) {
        Ok(found) if is_same(&found, data) => Ok(()),
        Err(error) if error.code == Code::StoreMissing => Ok(()),
        Err(error) => Err(error),
        Ok(_) => Err(about(Code::ImportWrongGhostdag, &record.hash)),
    }
}

/// All that a header claims of its past but its parents by level, as for any block. So its windows are whole, and those of
/// any block above too: a child's are its parent's with the parent's own mergeset, and look no deeper.
fn check_beside<S: Store>(
    chain: &Chain<S>,
    record: &HeaderRecord,
    data: &GhostdagData,
) -> Result<GhostdagData, SvcError> {
    let header = &record.header;
    let Chain { rules, records } = chain;
    let found = ghostdag(records, rules.profile.ghostdag_k, header.direct_parents())?;
    if !is_same(&found, data) {
        return Err(about(Code::ImportWrongGhostdag, &record.hash));
    }
    let mismatch = |code, found: String, expected: String| {
        let error = SvcError::new(code).with("found", found);
        Err(error.with("expected", expected))
    };
    let version = rules.block_version(header.daa_score);
    if header.version != version {
        let found = header.version.to_string();
        return mismatch(Code::HeaderWrongVersion, found, version.to_string());
    }
    let daa = daa_data(records, &rules.profile, &rules.genesis_hash, &found)?;
    if daa.daa_score != header.daa_score {
        let (found, expected) = (header.daa_score.to_string(), daa.daa_score.to_string());
        return mismatch(Code::HeaderWrongDaaScore, found, expected);
    }
    let profile = &rules.profile;
    let bits = rules
        .windows
        .difficulty_bits(records, profile, &found, &daa)?;
    if bits != header.bits {
        let found = header.bits.to_string();
        return mismatch(Code::HeaderWrongBits, found, bits.to_string());
    }
    let median = rules
        .windows
        .past_median_time(records, profile, &found, &daa)?;
    if header.timestamp_ms <= median {
        let error = SvcError::new(Code::HeaderTimeTooOld);
        return Err(error
            .with("timestamp", header.timestamp_ms)
            .with("min", median.saturating_add(1)));
    }
    Ok(found)
}
