//! Rules for the parents that a header names at every block level (specification consensus 7.7), and what is done
//! where witnesses of form 0 leave the level of a direct parent open (decision record 27).

use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::merge_commitment::MergeForm;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::parents_builder::{build_parents, build_parents_by};
use svc_dag::records::HeaderRecord;
use svc_dag::store::DagStore;

use crate::failure::{Failure, passing};
use crate::records::chain::Chain;
use crate::store::Store;

/// Whether a header names the parents by level that follow from its direct ones. A header that would be right if a
/// parent had come with another witness of form 0 is refused for now only: other nodes may have that witness.
///
/// # Errors
/// `header/wrong-indirect-parents`, lasting; `header/level-conflict`, passing; `store/*`.
pub(crate) fn check_levels<S: Store>(chain: &Chain<S>, header: &Header) -> Result<(), Failure> {
    let expected = build_parents(
        &chain.records,
        &chain.rules.profile,
        &chain.rules.genesis_hash,
        &chain.records.pruning_point()?,
        header.direct_parents(),
    )?;
    let Some(level) = first_difference(&expected, &header.parents) else {
        return Ok(());
    };
    match open_level(chain, header)? {
        Some((parent, own, claimed)) => {
            let error = SvcError::new(Code::HeaderLevelConflict).with("parent", parent);
            Err(passing(error.with("level", own).with("claimed", claimed)))
        }
        None => {
            let error = SvcError::new(Code::HeaderWrongIndirectParents);
            Err(error.with("level", level).into())
        }
    }
}

/// A direct parent with its level here and the one the header takes it for, when other witnesses of form 0 would make
/// the header right; `None` when none would.
fn open_level<S: Store>(
    chain: &Chain<S>,
    header: &Header,
) -> Result<Option<(Hash32, u8, u8)>, SvcError> {
    let Chain { rules, records } = chain;
    let mut open = Vec::new();
    for parent in header.direct_parents() {
        let record = records.header(parent)?;
        if has_open_level(chain, &record)? {
            let claimed = level_named(header, parent, rules.profile.max_block_level);
            open.push((*parent, record.level, claimed));
        }
    }
    let Some(changed) = open.iter().find(|(_, own, claimed)| own != claimed) else {
        return Ok(None);
    };
    let level_of = |record: &HeaderRecord| {
        let found = open.iter().find(|(parent, ..)| *parent == record.hash);
        found.map_or(record.level, |(_, _, claimed)| *claimed)
    };
    let point = records.pruning_point()?;
    let network = (&rules.profile, &rules.genesis_hash, &point);
    let named = build_parents_by(records, network, header.direct_parents(), level_of)?;
    Ok(first_difference(&named, &header.parents)
        .is_none()
        .then_some(*changed))
}

/// Whether another witness could give a block another level: only a witness of form 0 proves its work.
pub(crate) fn has_open_level<S: Store>(
    chain: &Chain<S>,
    record: &HeaderRecord,
) -> Result<bool, SvcError> {
    let form = MergeForm::at(&chain.rules.profile, record.header.daa_score);
    Ok(form == Some(MergeForm::Id) && chain.records.witness(&record.hash)?.is_some())
}

/// The highest level up to which a header names a direct parent at all levels.
fn level_named(header: &Header, parent: &Hash32, max: u8) -> u8 {
    let named = |level: &u8| {
        let parents = header.parents.level(usize::from(*level));
        parents.is_some_and(|parents| parents.contains(parent))
    };
    (1..=max).take_while(named).last().unwrap_or(0)
}

/// The first level at which two differ; levels are compared as sets.
fn first_difference(a: &Parents, b: &Parents) -> Option<usize> {
    let (ours, theirs) = (a.levels(), b.levels());
    let shared = ours.min(theirs);
    (0..shared)
        .find(|level| !same_set(a.level(*level), b.level(*level)))
        .or((ours != theirs).then_some(shared))
}

fn same_set(a: Option<&[Hash32]>, b: Option<&[Hash32]>) -> bool {
    let sorted = |hashes: Option<&[Hash32]>| {
        let mut hashes = hashes.unwrap_or_default().to_vec();
        hashes.sort_unstable();
        hashes
    };
    sorted(a) == sorted(b)
}
