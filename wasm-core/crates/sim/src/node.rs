//! Simulated node: an engine with the part its host plays. It answers for proofs, keeps blocks that came before their
//! parents, and starts again over its store after a failure.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use svc_chain::block::Block;
use svc_chain::header::raw::HashedHeader;
use svc_chain::profile::Profile;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::HEADERS_PER_CALL;
use svc_consensus::engine::Engine;
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::rules::acceptance::Job;
use svc_consensus::rules::coinbase::MinerData;
use svc_consensus::store::MemoryStore;
use svc_shielded::bundle::BundleFormat;

use crate::fault_store::FaultStore;
use crate::payment::proof_holds;

/// A block on its way through the network.
#[derive(Debug)]
pub struct Sent {
    /// The block.
    pub block: Block,
    /// Its id.
    pub hash: Hash32,
    /// Merge-mining witness.
    pub witness: Option<Vec<u8>>,
}

/// The result of a block at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The block.
    pub hash: Hash32,
    /// `None` when it was taken into the DAG, else the code of the refusal.
    pub refusal: Option<&'static str>,
}

/// Calls of `resolve` after which a node counts as stuck.
const MOST_STEPS: usize = 20_000;

/// A node.
pub struct Node {
    engine: Engine<FaultStore>,
    store: FaultStore,
    profile: Profile,
    /// Blocks to take in, in this order.
    queue: VecDeque<Rc<Sent>>,
    /// Blocks that wait for a parent.
    orphans: BTreeMap<Hash32, Vec<Rc<Sent>>>,
    /// Taken in since the last commit of a group, and whether it was accepted. A refusal may leave a header behind,
    /// so refused blocks count too.
    unflushed: Vec<(Rc<Sent>, bool)>,
    /// Accepted and committed.
    acknowledged: Vec<Hash32>,
    /// Blocks per commit; 1 commits every step.
    group: usize,
    /// Chain blocks judged per call of `resolve`.
    pub budget: usize,
    /// Whether headers of queued blocks go in ahead of the blocks.
    pub headers_first: bool,
    /// Blocks deleted per call of `prune`, one call after each settling; `None` keeps everything.
    pub prune_budget: Option<usize>,
    /// Blocks of which something was deleted.
    pub pruned: usize,
}

impl Node {
    /// A node over a store. `group` above 1 lets so many blocks share a commit.
    ///
    /// # Errors
    /// What opening the engine finds wrong.
    pub fn open(memory: MemoryStore, profile: Profile, group: usize) -> Result<Self, SvcError> {
        let store = FaultStore::new(memory);
        let mut engine = Engine::open(store.clone(), profile.clone())?;
        engine.set_group_commit(group > 1)?;
        Ok(Self {
            engine,
            store,
            profile,
            queue: VecDeque::new(),
            orphans: BTreeMap::new(),
            unflushed: Vec::new(),
            acknowledged: Vec::new(),
            group,
            budget: 64,
            headers_first: false,
            prune_budget: None,
            pruned: 0,
        })
    }

    /// The engine.
    pub fn engine(&self) -> &Engine<FaultStore> {
        &self.engine
    }

    /// The store below it.
    pub fn store(&self) -> &FaultStore {
        &self.store
    }

    /// Another node with a copy of what this one has committed.
    ///
    /// # Errors
    /// What opening the engine finds wrong.
    pub fn fork(&self) -> Result<Self, SvcError> {
        Self::open(self.store.memory().clone(), self.profile.clone(), 1)
    }

    /// Drops the engine and opens another over the same store, which works again. What was accepted and not
    /// committed is queued once more.
    ///
    /// # Errors
    /// What opening the engine finds wrong.
    pub fn restart(&mut self) -> Result<(), SvcError> {
        self.store.repair();
        self.engine = Engine::open(self.store.clone(), self.profile.clone())?;
        self.engine.set_group_commit(self.group > 1)?;
        for (sent, _) in self.unflushed.drain(..).rev() {
            self.queue.push_front(sent);
        }
        Ok(())
    }

    /// Puts a block at the end of the queue.
    pub fn push(&mut self, sent: Rc<Sent>) {
        self.queue.push_back(sent);
    }

    /// Takes in everything queued and what it frees, and moves virtual to the best tip. After an error of the
    /// store the same call goes on where it was, once the node was restarted.
    ///
    /// # Errors
    /// The store's, and an error of the simulation for a node that comes to no end.
    pub fn work(&mut self, now_ms: u64, taken: &mut Vec<Taken>) -> Result<(), SvcError> {
        if self.headers_first {
            self.send_headers_ahead(now_ms)?;
        }
        while let Some(sent) = self.queue.front().cloned() {
            let incoming = svc_chain::block::WitnessedBlock {
                block: sent.block.clone(),
                witness: sent.witness.clone(),
            };
            let refusal = match self.engine.insert_block(incoming, now_ms)? {
                Inserted::Accepted { jobs, .. } => {
                    self.answer(&jobs)?;
                    self.keep_until_flush(&sent, true)?;
                    None
                }
                Inserted::MissingParents(parents) => {
                    self.queue.pop_front();
                    self.wait(parents, sent);
                    continue;
                }
                Inserted::Rejected(error) => {
                    self.keep_until_flush(&sent, false)?;
                    Some(error.code.as_str())
                }
            };
            self.queue.pop_front();
            taken.push(Taken {
                hash: sent.hash,
                refusal,
            });
            for freed in self.orphans.remove(&sent.hash).unwrap_or_default() {
                self.queue.push_back(freed);
            }
        }
        self.settle()
    }

    /// What becomes of a header says the same of its block, which is asked for it.
    fn send_headers_ahead(&mut self, now_ms: u64) -> Result<(), SvcError> {
        let header =
            |sent: &Rc<Sent>| HashedHeader::new(sent.block.header.clone(), sent.witness.clone());
        let headers: Vec<HashedHeader> = self.queue.iter().map(header).collect();
        for call in headers.chunks(HEADERS_PER_CALL) {
            self.engine.insert_headers(call, now_ms)?;
        }
        Ok(())
    }

    fn wait(&mut self, parents: Vec<Hash32>, sent: Rc<Sent>) {
        if let Some(parent) = parents.first() {
            self.orphans.entry(*parent).or_default().push(sent);
        }
    }

    fn keep_until_flush(&mut self, sent: &Rc<Sent>, accepted: bool) -> Result<(), SvcError> {
        if self.group > 1 {
            self.unflushed.push((sent.clone(), accepted));
            if self.unflushed.len() >= self.group {
                self.flush()?;
            }
        } else if accepted {
            self.acknowledged.push(sent.hash);
        }
        Ok(())
    }

    /// Commits what a group holds.
    ///
    /// # Errors
    /// The store's.
    pub fn flush(&mut self) -> Result<(), SvcError> {
        self.engine.flush()?;
        let flushed = self.unflushed.drain(..).filter(|(_, accepted)| *accepted);
        self.acknowledged.extend(flushed.map(|(sent, _)| sent.hash));
        Ok(())
    }

    /// Blocks the node may never lose again.
    pub fn acknowledged(&self) -> &[Hash32] {
        &self.acknowledged
    }

    /// Blocks that wait for parents.
    pub fn waiting(&self) -> usize {
        self.orphans.values().map(Vec::len).sum()
    }

    fn settle(&mut self) -> Result<(), SvcError> {
        for _ in 0..MOST_STEPS {
            let resolved = self.engine.resolve(self.budget)?;
            self.answer(&resolved.jobs)?;
            if resolved.done && resolved.jobs.is_empty() {
                return self.prune();
            }
        }
        Err(SvcError::new(Code::TemplateNotReady).with("reason", "resolve comes to no end"))
    }

    fn prune(&mut self) -> Result<(), SvcError> {
        if let Some(budget) = self.prune_budget {
            self.pruned += self.engine.prune(budget)?.blocks;
        }
        Ok(())
    }

    /// Deletes everything that may go.
    ///
    /// # Errors
    /// The store's.
    pub fn prune_all(&mut self) -> Result<(), SvcError> {
        let Some(budget) = self.prune_budget else {
            return Ok(());
        };
        loop {
            let progress = self.engine.prune(budget)?;
            self.pruned += progress.blocks;
            if progress.done {
                return self.flush();
            }
        }
    }

    fn answer(&mut self, jobs: &[Job]) -> Result<(), SvcError> {
        for job in jobs {
            let body = self.engine.records().body(&job.block)?;
            let holds = body.get(job.index).is_some_and(proof_holds);
            self.engine.note_verdict(job.txid, job.format, holds)?;
        }
        Ok(())
    }

    /// A block on virtual with those of the candidates that may be in it.
    ///
    /// # Errors
    /// The store's, and what makes a template impossible.
    pub fn template(
        &mut self,
        script: &[u8],
        candidates: Vec<Transaction>,
        now_ms: u64,
    ) -> Result<Block, SvcError> {
        for candidate in &candidates {
            for format in [BundleFormat::Plain, BundleFormat::NamedAnchor] {
                let (txid, holds) = (candidate.id(), proof_holds(candidate));
                self.engine.note_verdict(txid, format, holds)?;
            }
        }
        let miner = MinerData {
            script_version: 0,
            script: script.to_vec(),
            extra: Vec::new(),
        };
        let candidates = candidates
            .into_iter()
            .map(|candidate| Rc::new(candidate.into()));
        let candidates = candidates.collect();
        Ok(self.engine.build_template(miner, candidates, now_ms)?.block)
    }

    /// The selected tip.
    ///
    /// # Errors
    /// The store's.
    pub fn sink(&self) -> Result<Hash32, SvcError> {
        Ok(self.engine.records().virtual_record()?.sink)
    }
}
