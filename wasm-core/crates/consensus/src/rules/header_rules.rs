//! Header validation: isolation, parent relations, GHOSTDAG and everything a header claims about its past
//! (specification consensus 8, stages 1–4).

use svc_chain::bits::target_from_bits;
use svc_chain::header::Header;
use svc_chain::header::raw::HashedHeader;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::TWINS_LOOKED_AT;
use svc_dag::records::{GhostdagData, HeaderRecord};
use svc_dag::store::DagStore;
use svc_dag::windows::{DaaData, daa_data};
use svc_dag::{depth, ghostdag, pruning_point, reachability};

use crate::failure::{Failure, passing};
use crate::parameters::Parameters;
use crate::records::block_status::Stage;
use crate::records::chain::Chain;
use crate::records::{Depths, Records};
use crate::rules::level_rules::check_levels;
use crate::rules::reach::is_out_of_reach;
use crate::store::Store;
use crate::timings::Part;

/// A header as it came in, to be judged.
#[derive(Clone, Copy)]
pub struct Incoming<'a> {
    /// Its id.
    pub hash: Hash32,
    /// The header itself.
    pub header: &'a Header,
    /// The witness it came with.
    pub witness: Option<&'a [u8]>,
}

impl<'a> Incoming<'a> {
    /// A header of a list of headers.
    pub fn of(header: &'a HashedHeader) -> Self {
        Self {
            hash: header.hash(),
            header: header.header(),
            witness: header.witness(),
        }
    }
}

/// A header that passed, with everything computed on the way.
pub struct CheckedHeader {
    /// Header, hash and level.
    pub record: HeaderRecord,
    /// GHOSTDAG data of the block.
    pub ghostdag: GhostdagData,
    /// DAA score and the mergeset blocks outside the window.
    pub daa: DaaData,
    /// Depth records and pruning sample.
    pub depths: Depths,
    /// Whether only the witness proves the work.
    pub by_witness: bool,
    /// Past median time, Unix milliseconds.
    pub past_median_ms: u64,
}

fn mismatch(code: Code, got: impl std::fmt::Display, expected: impl std::fmt::Display) -> SvcError {
    SvcError::new(code)
        .with("found", got)
        .with("expected", expected)
}

/// Runs all header checks on a header, its id and the witness it came with. `now_ms` is the host's clock in Unix
/// milliseconds. A refusal that took proof of work to find, and that is one for ever, is remembered.
pub fn check_header<S: Store>(
    chain: &Chain<S>,
    incoming: Incoming<'_>,
    now_ms: u64,
) -> Result<CheckedHeader, Failure> {
    check_isolation(&chain.rules, incoming.header, now_ms)?;
    let checked = check_from_work_on(chain, incoming);
    if let Err(Failure::Passing(error)) = &checked {
        let point = chain.records.pruning_point()?;
        let refused = &chain.records.refused;
        refused.note(
            &incoming.hash,
            incoming.witness.is_some(),
            &point,
            error.code,
        );
    }
    checked
}

/// Whether the header itself gives no reason to refuse it, so that its refusal cost proof of work or more.
pub fn is_worth_work(rules: &Parameters, header: &Header, now_ms: u64) -> bool {
    check_isolation(rules, header, now_ms).is_ok()
}

/// All checks but those of the header alone.
fn check_from_work_on<S: Store>(
    chain: &Chain<S>,
    incoming: Incoming<'_>,
) -> Result<CheckedHeader, Failure> {
    let Chain { rules, records } = chain;
    let Incoming {
        hash,
        header,
        witness,
    } = incoming;
    let work = records
        .overlay
        .timed(Part::Work, || rules.judge_work(header, witness))
        .map_err(passing)?;
    check_relations(records, header)?;
    let data = ghostdag::ghostdag(records, rules.profile.ghostdag_k, header.direct_parents())?;
    let daa = daa_data(records, &rules.profile, &rules.genesis_hash, &data)?;
    check_claims_of_window(chain, header, &data, &daa)?;
    let (depths, past_median_ms) = check_context(chain, header, &data, &daa)?;
    let record = HeaderRecord {
        header: header.clone(),
        hash,
        level: work.level,
    };
    Ok(CheckedHeader {
        record,
        ghostdag: data,
        daa,
        depths,
        by_witness: work.by_witness(),
        past_median_ms,
    })
}

/// Stage 1 up to the proof of work, which costs a matrix: what can be told from the header alone.
fn check_isolation(rules: &Parameters, header: &Header, now_ms: u64) -> Result<(), Failure> {
    let parents = header.direct_parents();
    if parents.is_empty() {
        return Err(passing(SvcError::new(Code::HeaderNoParents)));
    }
    check_parent_count(rules, header).map_err(passing)?;
    if parents.contains(&Hash32::ORIGIN) {
        return Err(passing(SvcError::new(Code::HeaderOriginParent)));
    }
    let limit = now_ms.saturating_add(rules.profile.timestamp_deviation_tolerance_ms);
    if header.timestamp_ms > limit {
        let error = SvcError::new(Code::HeaderTimeTooFarAhead);
        return Err(passing(
            error
                .with("timestamp", header.timestamp_ms)
                .with("max", limit),
        ));
    }
    check_bits_are_possible(rules, header.bits)
}

/// Whether a header names no more direct parents than a block may. Asked before its id is computed: the id covers the
/// parents of every level, written out, and a header of 2 kB may name 64 of them on 255 levels.
///
/// # Errors
/// `header/too-many-parents`.
pub fn check_parent_count(rules: &Parameters, header: &Header) -> Result<(), SvcError> {
    let count = header.direct_parents().len();
    let max = rules.profile.max_block_parents as usize;
    if count <= max {
        return Ok(());
    }
    let error = SvcError::new(Code::HeaderTooManyParents).with("count", count);
    Err(error.with("max", max))
}

/// Bits that no window gives: a target of 0, or one beyond the easiest. Nothing tighter holds without the window, a
/// retarget has no bound.
fn check_bits_are_possible(rules: &Parameters, bits: u32) -> Result<(), Failure> {
    let easiest = rules.profile.max_difficulty_target_bits;
    let target = target_from_bits(bits);
    if target.is_zero() || target > target_from_bits(easiest) {
        return Err(passing(mismatch(
            Code::HeaderWrongBits,
            bits,
            format!("a target from 1 to that of {easiest}"),
        )));
    }
    Ok(())
}

/// Stage 2 and the beginning of 3: parents are known, none is invalid, none is an ancestor of another, and one of them
/// is the pruning point or in its future.
fn check_relations<S: Store>(records: &Records<S>, header: &Header) -> Result<(), Failure> {
    let parents = header.direct_parents();
    let mut missing = Vec::new();
    for parent in parents {
        match records.stage(parent)? {
            None => missing.push(*parent),
            Some(Stage::Invalid) => {
                return Err(passing(
                    SvcError::new(Code::HeaderInvalidParent).with("parent", parent),
                ));
            }
            Some(_) => {}
        }
    }
    if !missing.is_empty() {
        return Err(Failure::MissingParents(missing));
    }
    let point = records.pruning_point()?;
    let violation = || {
        let error = SvcError::new(Code::HeaderPruningViolation);
        passing(error.with("pruningPoint", point))
    };
    // A parent that is gone from the graph is below the pruning point, or beside it and merged by nobody above. It cannot
    // be merged any more either: it is in the past of the other parents, or deeper than the merge depth.
    for parent in parents {
        if is_out_of_reach(records, parent)? {
            return Err(violation());
        }
    }
    check_antichain(records, parents)?;
    for parent in parents {
        if reachability::is_dag_ancestor(records, &point, parent)? {
            return Ok(());
        }
    }
    Err(violation())
}

fn check_antichain<S: Store>(records: &Records<S>, parents: &[Hash32]) -> Result<(), Failure> {
    for (index, a) in parents.iter().enumerate() {
        for b in parents.iter().skip(index + 1) {
            if reachability::is_dag_ancestor(records, a, b)?
                || reachability::is_dag_ancestor(records, b, a)?
            {
                let error = SvcError::new(Code::HeaderRelatedParents)
                    .with("ancestor", a)
                    .with("descendant", b);
                return Err(passing(error));
            }
        }
    }
    Ok(())
}

/// Stage 3: the claims that a cheap flood would get wrong first.
fn check_claims_of_window<S: Store>(
    chain: &Chain<S>,
    header: &Header,
    data: &GhostdagData,
    daa: &DaaData,
) -> Result<(), Failure> {
    if header.daa_score != daa.daa_score {
        return Err(passing(mismatch(
            Code::HeaderWrongDaaScore,
            header.daa_score,
            daa.daa_score,
        )));
    }
    let bits = match bits_of_twin(chain, data)? {
        Some(bits) => bits,
        None => {
            chain
                .rules
                .windows
                .difficulty_bits(&chain.records, &chain.rules.profile, data, daa)?
        }
    };
    if header.bits != bits {
        return Err(passing(mismatch(Code::HeaderWrongBits, header.bits, bits)));
    }
    Ok(())
}

/// The bits of an accepted block with exactly this past, which has the same window: over an old block a window costs
/// thousands of reads, and whoever claims the easiest bits finds a nonce at once. Only what was judged here counts: in
/// an imported store that is the future of the pruning point.
fn bits_of_twin<S: Store>(chain: &Chain<S>, data: &GhostdagData) -> Result<Option<u32>, SvcError> {
    let Chain { rules, records } = chain;
    let parent = data.selected_parent;
    if rules.profile.fixed_difficulty || parent == rules.genesis_hash {
        return Ok(None);
    }
    let point = records.pruning_point()?;
    let node = records.reachability(&parent)?;
    for child in node.children.iter().take(TWINS_LOOKED_AT) {
        let was_judged = *child != point && reachability::is_dag_ancestor(records, &point, child)?;
        if was_judged && *records.ghostdag(child)? == *data {
            return Ok(Some(records.header(child)?.header.bits));
        }
    }
    Ok(None)
}

/// Stage 4: scores, median time, mergeset, depths and indirect parents. Returns the past median time as well.
fn check_context<S: Store>(
    chain: &Chain<S>,
    header: &Header,
    data: &GhostdagData,
    daa: &DaaData,
) -> Result<(Depths, u64), Failure> {
    let rules = &chain.rules;
    let version = rules.block_version(header.daa_score);
    if header.version != version {
        return Err(mismatch(Code::HeaderWrongVersion, header.version, version).into());
    }
    if header.blue_score != data.blue_score {
        return Err(mismatch(
            Code::HeaderWrongBlueScore,
            header.blue_score,
            data.blue_score,
        )
        .into());
    }
    if header.blue_work != data.blue_work {
        return Err(mismatch(
            Code::HeaderWrongBlueWork,
            format!("{:x}", header.blue_work),
            format!("{:x}", data.blue_work),
        )
        .into());
    }
    let median = rules
        .windows
        .past_median_time(&chain.records, &rules.profile, data, daa)?;
    if header.timestamp_ms <= median {
        let error = SvcError::new(Code::HeaderTimeTooOld);
        return Err(error
            .with("timestamp", header.timestamp_ms)
            .with("min", median.saturating_add(1))
            .into());
    }
    let limit = rules.profile.mergeset_size_limit as usize;
    if data.mergeset_size() > limit {
        let error = SvcError::new(Code::HeaderMergesetTooBig);
        let count = data.mergeset_size();
        return Err(error.with("count", count).with("max", limit).into());
    }
    let depths = depths_of(chain, data)?;
    depth::check_bounded_merge(&chain.records, data, &depths.depth)?;
    check_levels(chain, header)?;
    Ok((depths, median))
}

/// Depth records and pruning sample of a block with this GHOSTDAG data.
pub fn depths_of<S: Store>(chain: &Chain<S>, data: &GhostdagData) -> Result<Depths, SvcError> {
    let Chain { rules, records } = chain;
    let (profile, genesis) = (&rules.profile, &rules.genesis_hash);
    let pruning_point = records.pruning_point()?;
    let depth = depth::depth_record(records, profile, genesis, &pruning_point, data)?;
    let pruning_sample = pruning_point::pruning_sample_from_pov(records, profile, genesis, data)?;
    Ok(Depths {
        depth,
        pruning_sample,
    })
}

/// Writes an accepted header and makes it reachable.
pub fn commit_header<S: Store>(
    records: &mut Records<S>,
    checked: CheckedHeader,
) -> Result<(), SvcError> {
    let hash = checked.record.hash;
    let parents = checked.record.header.direct_parents().to_vec();
    let selected_parent = checked.ghostdag.selected_parent;
    let mergeset = checked
        .ghostdag
        .ascending_mergeset_without_selected_parent(records)?;
    records.put_header(checked.record);
    records.put_ghostdag(&hash, checked.ghostdag);
    records.put_daa_excluded(&hash, checked.daa.excluded);
    records.put_depths(&hash, checked.depths);
    reachability::add_block(records, hash, selected_parent, &mergeset)?;
    for parent in &parents {
        records.add_child(parent, &hash)?;
    }
    Ok(())
}
