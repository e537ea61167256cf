//! Virtual resolution: moves virtual to the best tip (specification consensus 8.2), in steps small enough for a host
//! that must answer in between: the sink is searched for, the selected chain is moved to it page by page, parents are
//! chosen.

use std::collections::BTreeSet;

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::budget::Budget;
use crate::pipeline::chain_move::{goal, next_page};
use crate::pipeline::event::{Event, VirtualChanged};
use crate::pipeline::pruning_point::advance;
use crate::pipeline::sink_search::{Search, SinkSearch};
use crate::pipeline::virtual_parents::{Choice, choose_parents};
use crate::records::Records;
use crate::records::chain::Chain;
use crate::records::meta::{self, VirtualRecord};
use crate::rules::acceptance::Job;
use crate::store::Store;

/// How far a resolve step came.
#[derive(Debug)]
pub enum Progress {
    /// Virtual is at the best tip. Holds the verdicts of tips that virtual cannot merge without them.
    Done(Vec<Job>),
    /// The budget ran out; call again.
    More,
    /// These verdicts are needed before the next block can be judged.
    NeedVerdicts(Vec<Job>),
}

/// Resolves virtual, with work for at most `blocks` judged, applied or reverted chain blocks.
pub fn resolve<S: Store>(
    chain: &mut Chain<S>,
    search: &mut SinkSearch,
    blocks: usize,
    events: &mut Vec<Event>,
) -> Result<Progress, SvcError> {
    let mut budget = Budget::of_blocks(blocks);
    while !budget.is_spent() {
        let sink = chain.records.virtual_record()?.sink;
        let target = match goal(&chain.records)? {
            // A change that was begun is ended first.
            Some(goal) => goal,
            None => match search.step(chain, &sink, &mut budget, events)? {
                Search::Found(found) => found,
                Search::Next => continue,
                Search::NeedVerdicts(jobs) => return Ok(Progress::NeedVerdicts(jobs)),
            },
        };
        if target != sink {
            let page = next_page(&mut chain.records, &target)?;
            budget.spend_steps(page.removed.len() + page.added.len());
            let facts = VirtualChanged::gather(&chain.records, &page)?;
            events.push(Event::VirtualChanged(Box::new(facts)));
            if !page.last {
                continue;
            }
        }
        // Where a new tip came or the engine started over meanwhile, the search has to find this sink again.
        if let Some(others) = search.take_others(&target) {
            return update_parents(chain, target, &others);
        }
    }
    Ok(Progress::More)
}

/// Records the parents that a block built now would have, and moves the pruning point.
fn update_parents<S: Store>(
    chain: &mut Chain<S>,
    sink: Hash32,
    others: &[Hash32],
) -> Result<Progress, SvcError> {
    let Choice { parents, jobs } = choose_parents(chain, sink, others)?;
    if parents != chain.records.virtual_record()?.parents {
        chain
            .records
            .put_meta(meta::VIRTUAL, VirtualRecord { sink, parents }.encode());
    }
    advance(chain)?;
    Ok(Progress::Done(jobs))
}

/// Tips after a block with a body arrived: it replaces those of its parents that were tips.
pub fn update_tips<S: Store>(
    records: &mut Records<S>,
    block: &Hash32,
    parents: &[Hash32],
) -> Result<(), SvcError> {
    let parents: BTreeSet<&Hash32> = parents.iter().collect();
    let mut tips: Vec<Hash32> = records
        .tips()?
        .into_iter()
        .filter(|tip| !parents.contains(tip))
        .collect();
    tips.push(*block);
    records.put_meta(meta::TIPS, meta::encode_hashes(&tips));
    Ok(())
}
