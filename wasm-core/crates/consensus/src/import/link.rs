//! Linking of imported headers into a graph at and below the pruning point. Only a few of all headers are imported,
//! so a block is linked below the greatest of its parents, of whatever level, that is known. So every ancestor that
//! is known is found to be in its past.

use std::collections::HashSet;

use svc_chain::header::Header;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{
    MAX_MERGESET_WALK, MAX_TRUSTED_HEADERS, MAX_TRUSTED_LEN, MAX_TRUSTED_PAGE,
};
use svc_dag::pruning_point::pruning_sample_from_pov;
use svc_dag::reachability::{self, hint_virtual_selected_parent, is_dag_ancestor};
use svc_dag::reachability_delete::PrunableStore;
use svc_dag::records::{GhostdagData, HeaderRecord};
use svc_dag::store::DagStore;
use svc_dag::windows::daa_data;

use crate::import::points::depths_below;
use crate::import::trusted::{TrustedHeader, TrustedPage};
use crate::import::{Entry, Import, Phase, about, out_of_order, wrong_header};
use crate::parameters::Parameters;
use crate::proof::ProofHeader;
use crate::records::Records;
use crate::records::block_status::{BlockStatus, Stage};
use crate::records::chain::Chain;
use crate::records::meta;
use crate::store::Store;

impl Import {
    /// Takes a page of trusted headers in; their work is judged.
    pub(super) fn trusted(
        &mut self,
        rules: &Parameters,
        page: TrustedPage,
    ) -> Result<(), SvcError> {
        if !matches!(self.phase, Phase::Collect) {
            return Err(out_of_order("trusted"));
        }
        let (count, total) = (page.count(), self.entries.len() + page.count());
        if count > MAX_TRUSTED_PAGE || total > MAX_TRUSTED_HEADERS {
            let error = SvcError::new(Code::ImportTooManyHeaders);
            return Err(error.with("count", total).with("max", MAX_TRUSTED_HEADERS));
        }
        // Also of what comes twice: an honest exporter sends nothing twice.
        let weight = self.weight.saturating_add(page.weight());
        if weight > MAX_TRUSTED_LEN {
            let error = SvcError::new(Code::ImportTooManyHeaders).with("count", weight);
            return Err(error.with("max", MAX_TRUSTED_LEN));
        }
        self.weight = weight;
        for trusted in page.window {
            check_claims(rules, &trusted)?;
            let TrustedHeader { header, ghostdag } = trusted;
            self.enter(rules, &header, Some(ghostdag))?;
        }
        for header in page.segment {
            self.enter(rules, &header, None)?;
        }
        Ok(())
    }

    fn enter(
        &mut self,
        rules: &Parameters,
        header: &ProofHeader,
        ghostdag: Option<GhostdagData>,
    ) -> Result<(), SvcError> {
        let hash = header.hash();
        if hash == rules.genesis_hash {
            return Ok(());
        }
        if let Some(known) = self.entries.get_mut(&hash) {
            known.ghostdag = ghostdag.or(known.ghostdag.take());
            return Ok(());
        }
        if header.header().direct_parents().is_empty() {
            return Err(SvcError::new(Code::HeaderNoParents));
        }
        let (record, by_witness) = self.record_of(rules, header)?;
        let witness = header.witness().filter(|_| by_witness);
        let entry = Entry {
            record,
            witness: witness.map(<[u8]>::to_vec),
            ghostdag,
        };
        self.entries.insert(hash, entry);
        Ok(())
    }

    /// Links at most `budget` headers more, parents before children. Returns whether all are.
    pub(super) fn link<S: Store>(
        &mut self,
        chain: &mut Chain<S>,
        budget: usize,
    ) -> Result<bool, SvcError> {
        if matches!(self.phase, Phase::Collect) {
            self.phase = Phase::Link(self.in_order(), 0);
        }
        let Phase::Link(order, next) = &self.phase else {
            return Err(out_of_order("link"));
        };
        let (mut next, mut spent) = (*next, 0);
        while spent < budget.max(1)
            && let Some(hash) = order.get(next)
        {
            spent += 1 + self.link_one(chain, hash)?;
            next += 1;
        }
        let done = next >= order.len();
        let Phase::Link(order, _) = std::mem::replace(&mut self.phase, Phase::Collect) else {
            return Err(out_of_order("link"));
        };
        self.phase = if done {
            Phase::Judge(order, 0)
        } else {
            Phase::Link(order, next)
        };
        Ok(done)
    }

    fn in_order(&self) -> Vec<Hash32> {
        let mut order: Vec<_> = self
            .entries
            .values()
            .map(|entry| (entry.record.header.blue_work, entry.record.hash))
            .collect();
        order.sort_unstable();
        order.into_iter().map(|(_, hash)| hash).collect()
    }

    /// Returns how many blocks it merged.
    fn link_one<S: Store>(&self, chain: &mut Chain<S>, hash: &Hash32) -> Result<usize, SvcError> {
        let Some(entry) = self.entries.get(hash) else {
            return Err(wrong_header(hash, "not collected"));
        };
        let header = &entry.record.header;
        if *hash == chain.rules.genesis_hash {
            return Ok(0);
        }
        let parents = known_parents(chain, header)?;
        let parent = greatest(&chain.records, &parents)?.unwrap_or(chain.rules.genesis_hash);
        if let Some(data) = &entry.ghostdag
            && chain.records.has_reachability(&data.selected_parent)?
            && data.selected_parent != parent
        {
            return Err(wrong_header(hash, "another selected parent"));
        }
        let mergeset = mergeset(chain, &parent, parents)?;
        keep_header(&mut chain.records, &entry.record)?;
        if let Some(witness) = &entry.witness {
            chain.records.put_witness(hash, witness);
        }
        reachability::add_block(&mut chain.records, *hash, parent, &mergeset)?;
        // Its GHOSTDAG data, if it has any, name other blocks: what stands in the graph is written down for deletion.
        if !mergeset.is_empty() {
            chain.records.set_inherited_merges(hash, mergeset.clone());
        }
        hint_virtual_selected_parent(&mut chain.records, *hash)?;
        if let Some(data) = &entry.ghostdag {
            self.write_scores(chain, &entry.record, data, &mergeset)?;
        }
        Ok(mergeset.len())
    }

    /// GHOSTDAG data and what follows from them. At the lower end of the window it is not known which merged blocks
    /// are outside the DAA window, and nothing asks. Where all of them are known, they must be what the headers merge:
    /// windows are made of them.
    fn write_scores<S: Store>(
        &self,
        chain: &mut Chain<S>,
        record: &HeaderRecord,
        data: &GhostdagData,
        mergeset: &[Hash32],
    ) -> Result<(), SvcError> {
        let HeaderRecord { header, hash, .. } = record;
        let Chain { rules, records } = chain;
        records.put_ghostdag(hash, data.clone());
        records.put_status(hash, BlockStatus::new(Stage::HeaderOnly));
        let (profile, genesis) = (&rules.profile, &rules.genesis_hash);
        match daa_data(records, profile, genesis, data) {
            Ok(_) if !is_merged(data, mergeset) => {
                return Err(about(Code::ImportWrongGhostdag, hash));
            }
            Ok(daa) if daa.daa_score == header.daa_score => {
                records.put_daa_excluded(hash, daa.excluded);
            }
            Ok(daa) => {
                let error = SvcError::new(Code::HeaderWrongDaaScore);
                return Err(error
                    .with("found", header.daa_score)
                    .with("expected", daa.daa_score));
            }
            Err(error) if error.code == Code::StoreMissing => {}
            Err(error) => return Err(error),
        }
        if *hash == self.point || self.is_past_point(hash, header.blue_score) {
            return Ok(());
        }
        let sample = match pruning_sample_from_pov(records, profile, genesis, data) {
            Ok(sample) => sample,
            Err(error) if error.code == Code::StoreMissing => {
                self.last_point_below(header.blue_score)
            }
            Err(error) => return Err(error),
        };
        records.put_depths(hash, depths_below(sample));
        Ok(())
    }

    /// Blue scores of pruning points grow, so one is found by its own.
    fn is_past_point(&self, hash: &Hash32, blue_score: u64) -> bool {
        let found = self
            .past_points
            .binary_search_by_key(&blue_score, |(score, _)| *score);
        let found = found.ok().and_then(|at| self.past_points.get(at));
        found.is_some_and(|(_, point)| point == hash)
    }

    /// The pruning point below a blue score: at the lower end of the window all blocks share it.
    fn last_point_below(&self, blue_score: u64) -> Hash32 {
        let below = self
            .past_points
            .partition_point(|(score, _)| *score < blue_score);
        let last = self.past_points.get(below.saturating_sub(1));
        last.map_or(Hash32::ZERO, |(_, point)| *point)
    }
}

/// What header and GHOSTDAG data say of each other.
fn check_claims(rules: &Parameters, trusted: &TrustedHeader) -> Result<(), SvcError> {
    let (header, data) = (trusted.header.header(), &trusted.ghostdag);
    let hash = trusted.header.hash();
    if hash == rules.genesis_hash {
        return Ok(());
    }
    let k = usize::from(rules.profile.ghostdag_k);
    let fits = data.blue_score == header.blue_score
        && data.blue_work == header.blue_work
        && header.direct_parents().contains(&data.selected_parent)
        && data.blues.first() == Some(&data.selected_parent)
        && data.blues.len() <= k + 1
        && data.anticone_sizes.len() <= (k + 1) * (k + 1)
        && data.mergeset_size() as u64 <= rules.profile.mergeset_size_limit;
    if fits {
        Ok(())
    } else {
        Err(about(Code::ImportWrongGhostdag, &hash))
    }
}

/// Stores a header; one that was not there is counted. Past pruning points come twice, and genesis is always there.
pub(super) fn keep_header<S: Store>(
    records: &mut Records<S>,
    record: &HeaderRecord,
) -> Result<(), SvcError> {
    if !records.has_header(&record.hash)? {
        let mut counters = records.counters()?;
        counters.headers += 1;
        records.put_meta(meta::COUNTERS, counters.encode());
    }
    records.put_header(record.clone());
    Ok(())
}

/// Whether all blocks but the selected parent are of a mergeset, each named once.
fn is_merged(data: &GhostdagData, mergeset: &[Hash32]) -> bool {
    let mut left: HashSet<&Hash32> = mergeset.iter().collect();
    let mut merged = data.blues.iter().skip(1).chain(&data.reds);
    merged.all(|block| left.remove(block))
}

/// The parents of all levels that are in the graph.
fn known_parents<S: Store>(chain: &Chain<S>, header: &Header) -> Result<Vec<Hash32>, SvcError> {
    let mut seen = HashSet::new();
    let mut known = Vec::new();
    let unwritten = (header.parents.levels() <= usize::from(chain.rules.profile.max_block_level))
        .then_some(&chain.rules.genesis_hash);
    let written = header.parents.runs().iter().flat_map(|run| &run.parents);
    for parent in written.chain(unwritten) {
        if seen.insert(*parent) && chain.records.has_reachability(parent)? {
            known.push(*parent);
        }
    }
    Ok(known)
}

fn greatest<S: Store>(records: &Records<S>, blocks: &[Hash32]) -> Result<Option<Hash32>, SvcError> {
    let mut greatest = None;
    for block in blocks {
        greatest = greatest.max(Some((records.header(block)?.header.blue_work, *block)));
    }
    Ok(greatest.map(|(_, hash)| hash))
}

/// Known blocks in the past of a block that are not in the past of its parent in the tree, ascending.
fn mergeset<S: Store>(
    chain: &Chain<S>,
    parent: &Hash32,
    parents: Vec<Hash32>,
) -> Result<Vec<Hash32>, SvcError> {
    let mut seen = HashSet::from([*parent]);
    let mut waiting = parents;
    let mut merged = Vec::new();
    while let Some(block) = waiting.pop() {
        if !seen.insert(block) || is_dag_ancestor(&chain.records, &block, parent)? {
            continue;
        }
        let header = &chain.records.header(&block)?.header;
        merged.push((header.blue_work, block));
        if merged.len() > MAX_MERGESET_WALK {
            let error = SvcError::new(Code::HeaderMergesetTooBig);
            return Err(error
                .with("count", merged.len())
                .with("max", MAX_MERGESET_WALK));
        }
        waiting.extend(known_parents(chain, header)?);
    }
    merged.sort_unstable();
    Ok(merged.into_iter().map(|(_, hash)| hash).collect())
}
