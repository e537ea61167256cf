//! GHOSTDAG: colors the mergeset of a block blue or red, and computes the scores that follow (specification consensus
//! 7.1).

use std::cmp::Ordering;
use std::collections::HashSet;
use std::rc::Rc;

use svc_chain::header::Header;
use svc_chain::uint256::U256;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_MERGESET_WALK;

use crate::reachability::is_dag_ancestor;
use crate::records::GhostdagData;
use crate::sortable_block::{SortableBlock, sort_ascending};
use crate::store::DagStore;

/// GHOSTDAG data of genesis: nothing in its past.
pub fn genesis_ghostdag() -> GhostdagData {
    GhostdagData {
        blue_score: 0,
        blue_work: U256::zero(),
        selected_parent: Hash32::ORIGIN,
        blues: Vec::new(),
        reds: Vec::new(),
        anticone_sizes: Vec::new(),
    }
}

/// The order of two accepted blocks: blue work, then hash.
///
/// # Errors
/// `store/*`.
pub fn compare(store: &impl DagStore, a: &Hash32, b: &Hash32) -> Result<Ordering, SvcError> {
    Ok(SortableBlock::load(store, a)?.cmp(&SortableBlock::load(store, b)?))
}

/// Colors the mergeset of a block with these parents. `k` bounds the blue anticone of a blue block.
///
/// # Errors
/// `header/no-parents`, `header/mergeset-too-big` above [`MAX_MERGESET_WALK`],
/// `header/blue-work-too-large`, `store/*`.
pub fn ghostdag(
    store: &impl DagStore,
    k: u16,
    parents: &[Hash32],
) -> Result<GhostdagData, SvcError> {
    let selected_parent = selected_parent(store, parents)?;
    let mut data = GhostdagData {
        selected_parent,
        blues: vec![selected_parent],
        anticone_sizes: vec![(selected_parent, 0)],
        ..genesis_ghostdag()
    };
    for candidate in mergeset_without(store, &selected_parent, parents)? {
        match color(store, k, &data, &candidate)? {
            Some(anticone) => add_blue(&mut data, candidate, &anticone),
            None => data.reds.push(candidate),
        }
    }
    let (parent_score, parent_work) = if selected_parent == Hash32::ORIGIN {
        (0, U256::zero())
    } else {
        let parent = store.ghostdag(&selected_parent)?;
        (parent.blue_score, parent.blue_work)
    };
    data.blue_score = parent_score.saturating_add(data.blues.len() as u64);
    data.blue_work = blue_work(store, parent_work, &data.blues)?;
    Ok(data)
}

fn selected_parent(store: &impl DagStore, parents: &[Hash32]) -> Result<Hash32, SvcError> {
    let mut greatest: Option<SortableBlock> = None;
    for parent in parents {
        let block = SortableBlock::load(store, parent)?;
        if greatest.is_none_or(|before| before < block) {
            greatest = Some(block);
        }
    }
    greatest
        .map(|block| block.hash)
        .ok_or_else(|| SvcError::new(Code::HeaderNoParents))
}

/// Blocks in the past of the new block that are not in the past of its selected parent, ascending.
fn mergeset_without(
    store: &impl DagStore,
    selected_parent: &Hash32,
    parents: &[Hash32],
) -> Result<Vec<Hash32>, SvcError> {
    if parents.len() <= 1 {
        return Ok(Vec::new());
    }
    let mut seen: HashSet<Hash32> = HashSet::from([*selected_parent]);
    let mut waiting: Vec<Hash32> = parents.to_vec();
    let mut mergeset = Vec::new();
    while let Some(block) = waiting.pop() {
        if !seen.insert(block) || is_dag_ancestor(store, &block, selected_parent)? {
            continue;
        }
        mergeset.push(block);
        if mergeset.len() > MAX_MERGESET_WALK {
            let error = SvcError::new(Code::HeaderMergesetTooBig);
            return Err(error
                .with("count", mergeset.len())
                .with("max", MAX_MERGESET_WALK));
        }
        let parents = store.graph_parents(&block)?.into_iter();
        waiting.extend(parents.filter(|parent| !seen.contains(parent)));
    }
    sort_ascending(store, mergeset)
}

/// The blue blocks in the anticone of a candidate with the sizes of their own blue anticones, if
/// the candidate can be blue.
fn color(
    store: &impl DagStore,
    k: u16,
    data: &GhostdagData,
    candidate: &Hash32,
) -> Result<Option<Vec<(Hash32, u16)>>, SvcError> {
    if data.blues.len() > usize::from(k) {
        return Ok(None);
    }
    let mut anticone: Vec<(Hash32, u16)> = Vec::new();
    let mut chain_block: Option<Rc<GhostdagData>> = None;
    loop {
        let at = chain_block.as_deref().unwrap_or(data);
        for peer in &at.blues {
            if is_dag_ancestor(store, peer, candidate)? {
                continue;
            }
            let size = blue_anticone_size(store, data, peer)?;
            anticone.push((*peer, size));
            if anticone.len() > usize::from(k) || size >= k {
                return Ok(None);
            }
        }
        // All blues further down are in the past of this chain block. The virtual root is in
        // everybody's past, so the walk ends.
        let next = at.selected_parent;
        if is_dag_ancestor(store, &next, candidate)? {
            return Ok(Some(anticone));
        }
        chain_block = Some(store.ghostdag(&next)?);
    }
}

/// Size of the blue anticone of a blue block as the new block sees it: the latest record down the
/// selected chain.
fn blue_anticone_size(
    store: &impl DagStore,
    data: &GhostdagData,
    block: &Hash32,
) -> Result<u16, SvcError> {
    let mut chain_block: Option<Rc<GhostdagData>> = None;
    loop {
        let at = chain_block.as_deref().unwrap_or(data);
        if let Some((_, size)) = at.anticone_sizes.iter().find(|(hash, _)| hash == block) {
            return Ok(*size);
        }
        let next = at.selected_parent;
        if next == Hash32::ORIGIN {
            let error = SvcError::new(Code::StoreCorrupt).with("table", "ghostdag");
            return Err(error.with("reason", format!("blue block {block} has no anticone size")));
        }
        chain_block = Some(store.ghostdag(&next)?);
    }
}

fn add_blue(data: &mut GhostdagData, block: Hash32, anticone: &[(Hash32, u16)]) {
    data.blues.push(block);
    // Coloring refused more than k and k is a u16.
    data.anticone_sizes
        .push((block, u16::try_from(anticone.len()).unwrap_or(u16::MAX)));
    for (peer, size) in anticone {
        let grown = size.saturating_add(1);
        match data
            .anticone_sizes
            .iter_mut()
            .find(|(hash, _)| hash == peer)
        {
            Some((_, known)) => *known = grown,
            None => data.anticone_sizes.push((*peer, grown)),
        }
    }
}

fn blue_work(store: &impl DagStore, parent_work: U256, blues: &[Hash32]) -> Result<U256, SvcError> {
    let mut work = parent_work;
    for blue in blues.iter().filter(|blue| **blue != Hash32::ORIGIN) {
        work = work
            .checked_add(store.graph_work(blue)?)
            .ok_or_else(|| SvcError::new(Code::HeaderBlueWorkTooLarge))?;
    }
    Header::check_blue_work(work)
}
