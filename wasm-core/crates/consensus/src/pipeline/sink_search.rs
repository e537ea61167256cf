//! Sink search, which finds virtual's selected parent (specification consensus 8.2): the best tip that keeps the
//! finality point and whose chain is valid. It goes in small steps and is resumed by the next call. Its memory
//! is only a cache: the position and the verdicts on blocks are in the store, and a restarted engine finds the same
//! sink.

use std::collections::BTreeSet;

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::FINALITY_REPORTS;
use svc_dag::reachability::{is_chain_ancestor, is_dag_ancestor, next_chain_ancestor};
use svc_dag::sortable_block::SortableBlock;
use svc_dag::store::DagStore;

use crate::budget::Budget;
use crate::pipeline::event::Event;
use crate::pipeline::virtual_parents::{finality_point, keeps_finality};
use crate::records::Records;
use crate::records::block_status::{BlockStatus, Stage};
use crate::records::chain::Chain;
use crate::rules::acceptance::Job;
use crate::rules::chain_block_rules::{
    Judgement, apply_position, judge_chain_block, revert_position,
};
use crate::store::Store;

/// How far a step of the search came.
pub enum Search {
    /// This is the sink, and the position is there.
    Found(Hash32),
    /// Take another step.
    Next,
    /// These verdicts are needed before the next step.
    NeedVerdicts(Vec<Job>),
}

/// A candidate under examination.
#[derive(Clone, Copy)]
struct Walk {
    candidate: Hash32,
    phase: Phase,
}

/// A candidate on trial, with the finality point that it keeps, and that whatever takes its place has to keep.
struct Trial {
    candidate: Hash32,
    finality_point: Hash32,
}

#[derive(Clone, Copy)]
enum Phase {
    /// Looking for a refused block on its chain: this one is next, everything above it is pending.
    Clear(Hash32),
    /// Moving the position to it, down to the common block and up again.
    Move,
    /// This block of its chain is refused; those above it are marked one after the other.
    Refuse(Hash32),
}

/// The search and what it remembers between calls.
#[derive(Default)]
pub struct SinkSearch {
    /// Candidates not tried yet; `None` when the search begins with the tips.
    candidates: Option<BTreeSet<SortableBlock>>,
    walk: Option<Walk>,
    found: Option<Hash32>,
    /// A block with no refused block on its chain.
    cleared: Option<Hash32>,
    /// Tips without the finality point, each reported with the branch below it.
    reported: Vec<Hash32>,
}

impl SinkSearch {
    /// There is a new tip: the search begins again.
    pub fn restart(&mut self) {
        self.candidates = None;
        self.walk = None;
        self.found = None;
    }

    /// The candidates that were not tried before `sink` was found; the search is over. `None` when it has yet to be
    /// found. A refused tip is not among them: it may have more work, and as a parent it would become the selected one.
    pub fn take_others(&mut self, sink: &Hash32) -> Option<Vec<Hash32>> {
        if self.found.as_ref() != Some(sink) {
            return None;
        }
        self.found = None;
        let others = self.candidates.take().unwrap_or_default();
        Some(others.iter().rev().map(|block| block.hash).collect())
    }

    /// Takes one step; `sink` is the present one.
    pub(crate) fn step<S: Store>(
        &mut self,
        chain: &mut Chain<S>,
        sink: &Hash32,
        budget: &mut Budget,
        events: &mut Vec<Event>,
    ) -> Result<Search, SvcError> {
        if let Some(found) = self.found {
            return Ok(Search::Found(found));
        }
        let finality_point = finality_point(&chain.records, sink)?;
        let Some(Walk { candidate, phase }) = self.walk else {
            budget.spend_steps(1);
            self.next_candidate(&chain.records, sink, &finality_point, events)?;
            return Ok(Search::Next);
        };
        let trial = Trial {
            candidate,
            finality_point,
        };
        match phase {
            Phase::Clear(block) => {
                budget.spend_steps(1);
                self.look_down(&mut chain.records, &trial, block)?;
            }
            Phase::Move if chain.records.position()? == candidate => {
                self.walk = None;
                self.found = Some(candidate);
                return Ok(Search::Found(candidate));
            }
            Phase::Move => {
                budget.spend_block();
                return self.move_position(chain, &trial);
            }
            Phase::Refuse(below) => {
                budget.spend_steps(1);
                let block = next_chain_ancestor(&chain.records, &candidate, &below)?;
                self.refuse(&mut chain.records, &trial, block, None)?;
            }
        }
        Ok(Search::Next)
    }

    /// Takes the best candidate, which must keep the finality point.
    fn next_candidate<S: Store>(
        &mut self,
        records: &Records<S>,
        sink: &Hash32,
        finality_point: &Hash32,
        events: &mut Vec<Event>,
    ) -> Result<(), SvcError> {
        if self.candidates.is_none() {
            let mut tips = BTreeSet::new();
            for tip in records.tips()? {
                tips.insert(SortableBlock::load(records, &tip)?);
            }
            self.candidates = Some(tips);
        }
        let best = self.candidates.as_mut().and_then(BTreeSet::pop_last);
        let Some(SortableBlock { hash, .. }) = best else {
            // The present sink is in the past of the tips, so this is not reached before it.
            self.examine(*sink);
            return Ok(());
        };
        if keeps_finality(records, finality_point, &hash)? {
            self.examine(hash);
            return Ok(());
        }
        self.report(records, &hash, sink, events)?;
        let trial = Trial {
            candidate: hash,
            finality_point: *finality_point,
        };
        self.push_parents(records, &trial)
    }

    fn examine(&mut self, candidate: Hash32) {
        self.set_phase(candidate, Phase::Clear(candidate));
    }

    /// Looks at one block of the candidate's chain, from the top down to one that is known to be sound.
    fn look_down<S: Store>(
        &mut self,
        records: &mut Records<S>,
        trial: &Trial,
        block: Hash32,
    ) -> Result<(), SvcError> {
        let stage = records.stage(&block)?;
        if stage == Some(Stage::Disqualified) {
            return self.go_on_refused(records, trial, block);
        }
        let is_sound = match self.cleared {
            _ if stage == Some(Stage::Valid) => true,
            Some(cleared) if records.has_reachability(&cleared)? => {
                is_chain_ancestor(records, &block, &cleared)?
            }
            _ => false,
        };
        let phase = if is_sound {
            self.cleared = Some(trial.candidate);
            Phase::Move
        } else {
            Phase::Clear(records.ghostdag(&block)?.selected_parent)
        };
        self.set_phase(trial.candidate, phase);
        Ok(())
    }

    fn set_phase(&mut self, candidate: Hash32, phase: Phase) {
        self.walk = Some(Walk { candidate, phase });
    }

    /// Reverts the position by a block, or applies or judges the next one.
    fn move_position<S: Store>(
        &mut self,
        chain: &mut Chain<S>,
        trial: &Trial,
    ) -> Result<Search, SvcError> {
        let position = chain.records.position()?;
        if !is_chain_ancestor(&chain.records, &position, &trial.candidate)? {
            revert_position(&mut chain.records)?;
            return Ok(Search::Next);
        }
        let next = next_chain_ancestor(&chain.records, &trial.candidate, &position)?;
        if chain.records.stage(&next)? == Some(Stage::Valid) {
            apply_position(&mut chain.records, &next)?;
            return Ok(Search::Next);
        }
        match judge_chain_block(chain, &next)? {
            Judgement::Valid => {}
            Judgement::NeedVerdicts(jobs) => return Ok(Search::NeedVerdicts(jobs)),
            Judgement::Disqualified(reason) => {
                self.cleared = None;
                self.refuse(&mut chain.records, trial, next, Some(&reason))?;
            }
        }
        Ok(Search::Next)
    }

    /// Marks a block of the candidate's chain as not fit for the chain, for a reason of its own or for the block below
    /// it. From below upwards: whoever looks down meets a marked block, however few were marked in time.
    fn refuse<S: Store>(
        &mut self,
        records: &mut Records<S>,
        trial: &Trial,
        block: Hash32,
        reason: Option<&SvcError>,
    ) -> Result<(), SvcError> {
        let status = records.known_status(&block)?;
        let code = reason.map_or(Code::VirtualDisqualified, |error| error.code);
        let refused = BlockStatus {
            stage: Stage::Disqualified,
            reason: code.as_str().to_owned(),
            ..status.as_ref().clone()
        };
        records.put_status(&block, refused);
        self.go_on_refused(records, trial, block)
    }

    /// `block` is marked: next those above it, or, when the candidate itself is, its parents.
    fn go_on_refused<S: Store>(
        &mut self,
        records: &Records<S>,
        trial: &Trial,
        block: Hash32,
    ) -> Result<(), SvcError> {
        if block == trial.candidate {
            self.walk = None;
            return self.push_parents(records, trial);
        }
        self.set_phase(trial.candidate, Phase::Refuse(block));
        Ok(())
    }

    /// Replaces a candidate that cannot be the sink by its parents that are not in the past of another candidate.
    fn push_parents<S: Store>(
        &mut self,
        records: &Records<S>,
        trial: &Trial,
    ) -> Result<(), SvcError> {
        let candidates = self.candidates.get_or_insert_default();
        for parent in records.graph_parents(&trial.candidate)? {
            if !is_dag_ancestor(records, &trial.finality_point, &parent)? {
                continue;
            }
            let mut covered = false;
            for other in candidates.iter() {
                covered = covered || is_dag_ancestor(records, &parent, &other.hash)?;
            }
            if !covered {
                candidates.insert(SortableBlock::load(records, &parent)?);
            }
        }
        Ok(())
    }

    /// Publishes that a tip with more work than the sink lacks the finality point, once for each such branch.
    fn report<S: Store>(
        &mut self,
        records: &Records<S>,
        tip: &Hash32,
        sink: &Hash32,
        events: &mut Vec<Event>,
    ) -> Result<(), SvcError> {
        let is_heavier = SortableBlock::load(records, tip)? > SortableBlock::load(records, sink)?;
        if !is_heavier || !records.tips()?.contains(tip) {
            return Ok(());
        }
        for known in &mut self.reported {
            if records.has_reachability(known)? && is_chain_ancestor(records, known, tip)? {
                *known = *tip;
                return Ok(());
            }
        }
        if self.reported.len() >= FINALITY_REPORTS {
            self.reported.remove(0);
        }
        self.reported.push(*tip);
        events.push(Event::FinalityViolation {
            tip: *tip,
            blue_score: records.header(tip)?.header.blue_score,
        });
        Ok(())
    }
}
