//! Consensus engine, the only writer of a store. Each call ends in a durable commit, except in group mode, where
//! [`Engine::flush`] commits; events are handed out only after the commit they belong to.

use std::rc::Rc;

use svc_chain::block::HashedBlock;
use svc_chain::header::Header;
use svc_chain::header::raw::HashedHeader;
use svc_chain::merge_commitment::MergeForm;
use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{GROUP_COMMIT_CHANGES, HEADERS_PER_CALL};
use svc_shielded::bundle::BundleFormat;

use crate::failure::is_fatal;
use crate::history::history_import::HistoryImport;
use crate::history::{HistoryProgress, progress};
use crate::import::Import;
use crate::import::importing::Importing;
use crate::imported_log::{self, LogProgress};
use crate::parameters::Parameters;
use crate::pipeline::event::Event;
use crate::pipeline::inserted::Inserted;
use crate::pipeline::level_conflicts::LevelConflicts;
use crate::pipeline::resolve::{self, Progress};
use crate::pipeline::sink_search::SinkSearch;
use crate::pipeline::template::{BuiltTemplate, TemplateRequest, build_template};
use crate::pipeline::tx_check::{TxCheck, check_transaction};
use crate::pipeline::virtual_view::VirtualView;
use crate::pipeline::waiting_verdicts::WaitingVerdicts;
use crate::pipeline::{genesis_state, headers, ingest};
use crate::prune::pruner::Pruner;
use crate::records::Records;
use crate::records::block_status::{BlockStatus, Verdict};
use crate::records::chain::Chain;
use crate::rules::acceptance::{Job, unknown_verdicts};
use crate::rules::coinbase::MinerData;
use crate::rules::header_rules::Incoming;
use crate::rules::held_transaction::HeldTransaction;
use crate::rules::verified_proofs::VerifiedProofs;
use crate::store::Store;
use crate::timings::Stopwatch;

/// Result of [`Engine::resolve`].
#[derive(Debug)]
pub struct Resolved {
    /// Whether virtual is at the best tip.
    pub done: bool,
    /// Proofs whose verdicts are needed: before the next call can go on, or once done for tips that virtual cannot
    /// merge yet.
    pub jobs: Vec<Job>,
    /// Facts whose commit is durable.
    pub events: Vec<Event>,
}

/// Result of [`Engine::prune`].
#[derive(Debug)]
pub struct PruneProgress {
    /// Whether nothing is left to do below the pruning point.
    pub done: bool,
    /// Blocks of which something was deleted.
    pub blocks: usize,
    /// Facts whose commit is durable.
    pub events: Vec<Event>,
}

/// The consensus engine over a store.
pub struct Engine<S> {
    chain: Chain<S>,
    group: bool,
    events: Vec<Event>,
    verified: VerifiedProofs,
    /// Where a transaction without verdict is carried.
    waiting: WaitingVerdicts,
    search: SinkSearch,
    conflicts: LevelConflicts,
    view: Option<Rc<VirtualView>>,
    /// A trusted import under way.
    import: Option<Box<Import>>,
    pruner: Pruner,
}

impl<S: Store> Engine<S> {
    /// Opens a store, writing genesis if it is empty. Errors: `profile/…`, `store/…`.
    pub fn open(store: S, profile: Profile) -> Result<Self, SvcError> {
        let mut chain = Chain::new(store, profile);
        genesis_state::open(&mut chain)?;
        Ok(Self {
            chain,
            group: false,
            events: Vec::new(),
            verified: VerifiedProofs::default(),
            waiting: WaitingVerdicts::new(),
            search: SinkSearch::default(),
            conflicts: LevelConflicts::default(),
            view: None,
            import: None,
            pruner: Pruner::default(),
        })
    }

    /// Rules and records together, for queries.
    pub fn chain(&self) -> &Chain<S> {
        &self.chain
    }

    /// Consensus parameters of the network.
    pub fn rules(&self) -> &Parameters {
        &self.chain.rules
    }

    /// Typed access to the store, for queries.
    pub fn records(&self) -> &Records<S> {
        &self.chain.records
    }

    /// Tells `stopwatch` from now on what time is spent on.
    pub fn set_stopwatch(&mut self, stopwatch: Rc<dyn Stopwatch>) {
        self.chain.records.overlay.set_stopwatch(stopwatch);
    }

    /// The calls of a trusted import.
    pub fn importing(&mut self) -> Importing<'_, S> {
        Importing {
            chain: &mut self.chain,
            import: &mut self.import,
            verified: &self.verified,
            waiting: &mut self.waiting,
            search: &mut self.search,
            view: &mut self.view,
        }
    }

    /// Progress of the history import. Errors: `store/*`.
    pub fn history(&self) -> Result<HistoryProgress, SvcError> {
        self.chain.records.require_state()?;
        progress(&self.chain)
    }

    /// The calls of the history import.
    pub fn history_import(&mut self) -> HistoryImport<'_, S> {
        HistoryImport {
            chain: &mut self.chain,
        }
    }

    /// What is lacking of the anchor log. Errors: `engine/not-imported`, `store/*`.
    pub fn log(&self) -> Result<LogProgress, SvcError> {
        self.chain.records.require_state()?;
        imported_log::progress(&self.chain.records)
    }

    /// Takes in a page of the anchor log, as [`imported_log::take`] does.
    pub fn import_log(&mut self, page: &[u8]) -> Result<LogProgress, SvcError> {
        imported_log::take(&mut self.chain, page)
    }

    /// Several accepted steps may share a commit while on; switching it off commits.
    pub fn set_group_commit(&mut self, on: bool) -> Result<(), SvcError> {
        self.group = on;
        if on { Ok(()) } else { self.flush() }
    }

    /// Commits what is pending.
    pub fn flush(&mut self) -> Result<(), SvcError> {
        self.chain.records.flush()
    }

    fn commit_step(&mut self) -> Result<(), SvcError> {
        if self.group { Ok(()) } else { self.flush() }
    }

    /// Bounds what one commit of a group holds.
    fn commit_when_much(&mut self) -> Result<(), SvcError> {
        if self.group && self.chain.records.overlay.pending_len() >= GROUP_COMMIT_CHANGES {
            self.flush()?;
        }
        Ok(())
    }

    /// Errors: `engine/not-imported` while the lowest blocks of the store are being imported.
    fn require_graph(&self) -> Result<(), SvcError> {
        if self.chain.records.pruning_point()? == self.chain.rules.genesis_hash {
            return self.chain.records.require_state();
        }
        Ok(())
    }

    fn is_verified(&self, txid: &Hash32, format: BundleFormat) -> bool {
        self.verified.contains(txid, format)
    }

    /// Takes a block in, with a witness if it has one. `now_ms` is the host's clock. Errors are the store's, and
    /// `engine/not-imported` before an import has come to the blocks above its pruning point.
    pub fn insert_block(
        &mut self,
        incoming: impl Into<HashedBlock>,
        now_ms: u64,
    ) -> Result<Inserted, SvcError> {
        self.chain.records.guard()?;
        self.require_graph()?;
        let incoming = incoming.into();
        let header = &incoming.incoming().block.header;
        let (hash, parents) = (incoming.hash(), header.direct_parents().to_vec());
        self.compare_witness(Incoming {
            hash,
            header,
            witness: incoming.incoming().witness.as_deref(),
        })?;
        let verified = &self.verified;
        let lookup = |txid: &Hash32, format: BundleFormat| verified.contains(txid, format);
        let outcome = ingest::insert(&mut self.chain, incoming, now_ms, &lookup);
        let inserted = self.chain.records.note_fatal(outcome)?;
        if let Inserted::Accepted { new, jobs } = &inserted {
            if *new {
                self.events.push(Event::BlockAdded { hash, parents });
                self.search.restart();
            }
            self.waiting.add(jobs);
        }
        self.tell_refused(&hash, &inserted)?;
        self.commit_step()?;
        Ok(inserted)
    }

    /// Tells of a second witness that a block came with.
    fn compare_witness(&mut self, incoming: Incoming<'_>) -> Result<(), SvcError> {
        let found = self.conflicts.second_witness(&self.chain, incoming);
        let event = self.chain.records.note_fatal(found)?;
        self.events.extend(event);
        Ok(())
    }

    /// Tells of what a refusal says of the level of a parent.
    fn tell_refused(&mut self, hash: &Hash32, inserted: &Inserted) -> Result<(), SvcError> {
        if let Inserted::Rejected(error) = inserted {
            let found = self
                .conflicts
                .refused_child(&self.chain.records, hash, error);
            let event = self.chain.records.note_fatal(found)?;
            self.events.extend(event);
        }
        Ok(())
    }

    /// Takes headers in ahead of their bodies, parents first, in one commit; answers one outcome per header. In group
    /// mode too, and with it goes what the group has pending: the rows of a full call are worth a commit, those of several
    /// would keep the next call waiting.
    ///
    /// # Errors
    /// `codec/count-too-large` above [`HEADERS_PER_CALL`], `engine/not-imported` before an import has come to the blocks
    /// above its pruning point; others are the store's.
    pub fn insert_headers(
        &mut self,
        headers: &[HashedHeader],
        now_ms: u64,
    ) -> Result<Vec<Inserted>, SvcError> {
        self.chain.records.guard()?;
        self.require_graph()?;
        if headers.len() > HEADERS_PER_CALL {
            let error = SvcError::new(Code::CodecCountTooLarge).with("count", headers.len());
            return Err(error.with("max", HEADERS_PER_CALL));
        }
        for header in headers {
            self.compare_witness(Incoming::of(header))?;
        }
        let outcome = headers::insert_headers(&mut self.chain, headers, now_ms);
        let inserted = self.chain.records.note_fatal(outcome)?;
        for (header, outcome) in headers.iter().zip(&inserted) {
            self.tell_refused(&header.hash(), outcome)?;
        }
        self.flush()?;
        Ok(inserted)
    }

    /// Records the verdict on a transaction under a bundle form. Only successes are remembered beyond the
    /// blocks that wait for it (specification consensus 8.2).
    pub fn note_verdict(
        &mut self,
        txid: Hash32,
        format: BundleFormat,
        valid: bool,
    ) -> Result<(), SvcError> {
        self.chain.records.guard()?;
        if valid {
            self.verified.insert(txid, format);
        }
        let verdict = if valid {
            Verdict::Valid
        } else {
            Verdict::Invalid
        };
        for (block, index) in self.waiting.take(txid, format.number()) {
            let status = self.chain.records.status(&block);
            // It may have been pruned meanwhile.
            let Some(status) = self.chain.records.note_fatal(status)? else {
                continue;
            };
            let mut verdicts = status.verdicts.clone();
            if let Some(slot) = index
                .checked_sub(1)
                .and_then(|index| verdicts.get_mut(index))
            {
                *slot = verdict;
            }
            self.chain.records.put_status(
                &block,
                BlockStatus {
                    verdicts,
                    ..status.as_ref().clone()
                },
            );
        }
        self.commit_step()
    }

    /// Moves virtual towards the best tip, with work for at most `max_blocks` chain blocks. In group mode a step
    /// commits only when much is pending.
    pub fn resolve(&mut self, max_blocks: usize) -> Result<Resolved, SvcError> {
        self.chain.records.guard()?;
        self.chain.records.require_state()?;
        // The position may move, and with it the nullifier set that the view is judged against.
        self.view = None;
        let outcome = resolve::resolve(
            &mut self.chain,
            &mut self.search,
            max_blocks,
            &mut self.events,
        );
        let (done, jobs) = match self.chain.records.note_fatal(outcome)? {
            Progress::More => (false, Vec::new()),
            Progress::NeedVerdicts(jobs) => (false, jobs),
            Progress::Done(jobs) => (true, jobs),
        };
        self.waiting.add(&jobs);
        let events = self.commit_and_take_events()?;
        Ok(Resolved { done, jobs, events })
    }

    /// Deletes what lies below the pruning point, at most about `budget` blocks, and prepares for it. One commit; in
    /// group mode as [`Engine::resolve`]. Errors: the store's; `proof/…` when the pruning point cannot be proved.
    pub fn prune(&mut self, budget: usize) -> Result<PruneProgress, SvcError> {
        self.chain.records.guard()?;
        let outcome = self.pruner.step(&mut self.chain, budget, &mut self.events);
        let pruned = match outcome {
            Err(error) if !is_fatal(&error) => return Err(error),
            outcome => self.chain.records.note_fatal(outcome)?,
        };
        Ok(PruneProgress {
            done: pruned.done,
            blocks: pruned.blocks,
            events: self.commit_and_take_events()?,
        })
    }

    /// Ends a step; its events, if its commit is durable.
    fn commit_and_take_events(&mut self) -> Result<Vec<Event>, SvcError> {
        self.commit_when_much()?;
        self.commit_step()?;
        let durable = self.chain.records.overlay.pending_len() == 0;
        Ok(if durable {
            std::mem::take(&mut self.events)
        } else {
            Vec::new()
        })
    }

    fn view(&mut self) -> Result<Rc<VirtualView>, SvcError> {
        self.chain.records.guard()?;
        self.chain.records.require_state()?;
        if let Some(view) = &self.view {
            return Ok(view.clone());
        }
        let view = VirtualView::compute(&self.chain)?;
        self.view = Some(view.clone());
        Ok(view)
    }

    /// Judges a transaction against virtual, its proof aside.
    pub fn check_transaction(
        &mut self,
        transaction: &HeldTransaction,
    ) -> Result<TxCheck, SvcError> {
        let view = self.view()?;
        let verified = |txid: &Hash32, format: BundleFormat| self.is_verified(txid, format);
        check_transaction(&self.chain, &view, transaction, &verified)
    }

    /// Builds a block on virtual.
    pub fn build_template(
        &mut self,
        miner: MinerData,
        candidates: Vec<Rc<HeldTransaction>>,
        now_ms: u64,
    ) -> Result<BuiltTemplate, SvcError> {
        let view = self.view()?;
        let is_verified = |txid: &Hash32, format: BundleFormat| self.is_verified(txid, format);
        let request = TemplateRequest {
            miner,
            candidates,
            now_ms,
            is_verified: &is_verified,
        };
        build_template(&self.chain, &view, request)
    }

    /// Tag and digest that a parent-network coinbase must carry to do work for a header; every field but the
    /// nonce must be final. `None` while merged mining is not active at its score.
    pub fn merge_commitment(&self, header: &Header) -> Option<Vec<u8>> {
        let profile = &self.chain.rules.profile;
        let form = MergeForm::at(profile, header.daa_score)?;
        Some(form.commitment(profile, &self.chain.rules.genesis_hash, header))
    }

    /// Verdicts a stored block still needs; for hosts that start over after a restart.
    pub fn pending_jobs(&mut self, block: &Hash32) -> Result<Vec<Job>, SvcError> {
        self.chain.records.guard()?;
        if self.chain.records.status(block)?.is_none() {
            return Ok(Vec::new());
        }
        let jobs = unknown_verdicts(&self.chain, block)?;
        self.waiting.add(&jobs);
        Ok(jobs)
    }
}
