//! Engine calls of a trusted import, which fills a staging store. Each is bounded, and what it accepts is one commit.
//! A call that refuses what a peer sent leaves the import as it was, unless something of it was written before: then
//! the import is over, and the store is good for nothing.

use std::collections::HashMap;
use std::rc::Rc;

use svc_chain::block::{Block, HashedBlock};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::records::HeaderRecord;
use svc_shielded::bundle::BundleFormat;

use crate::failure::is_fatal;
use crate::import::lanes::LanesClaim;
use crate::import::state_claim::StateClaim;
use crate::import::trusted::TrustedPage;
use crate::import::{Entry, Import, Phase, out_of_order, wrong_header};
use crate::pipeline::sink_search::SinkSearch;
use crate::pipeline::virtual_view::VirtualView;
use crate::pipeline::waiting_verdicts::WaitingVerdicts;
use crate::proof::validate::{Checked, ProofCheck, ProofView};
use crate::proof::{Proof, ProofHeader};
use crate::records::chain::Chain;
use crate::records::lane_diff::LaneTip;
use crate::records::meta::{self, PruningRecord};
use crate::rules::acceptance::Job;
use crate::rules::verified_proofs::VerifiedProofs;
use crate::store::{Store, tables};

/// An engine during a trusted import.
pub struct Importing<'a, S> {
    pub(crate) chain: &'a mut Chain<S>,
    /// The import under way.
    pub(crate) import: &'a mut Option<Box<Import>>,
    pub(crate) verified: &'a VerifiedProofs,
    pub(crate) waiting: &'a mut WaitingVerdicts,
    pub(crate) search: &'a mut SinkSearch,
    pub(crate) view: &'a mut Option<Rc<VirtualView>>,
}

impl<S: Store> Importing<'_, S> {
    /// Begins an import into a store that holds genesis alone. From here to [`Importing::finish_import`] questions about
    /// state answer `engine/not-imported`.
    ///
    /// # Errors
    /// `import/not-empty`, those of [`ProofCheck::new`], `store/*`.
    pub fn begin_import(&mut self, proof: Proof) -> Result<(), SvcError> {
        self.chain.records.guard()?;
        let pruning = self.chain.records.pruning()?;
        // An import that was refused or killed leaves rows behind that count nowhere.
        let is_used = pruning.flags & PruningRecord::STATE_MISSING != 0;
        if is_used || self.chain.records.counters()?.headers != 1 {
            return Err(SvcError::new(Code::ImportNotEmpty));
        }
        let check = Box::new(ProofCheck::new(&self.chain.rules, proof.clone())?);
        self.chain.records.put_pruning(&PruningRecord {
            flags: pruning.flags | PruningRecord::STATE_MISSING,
            ..pruning
        });
        *self.import = Some(Box::new(Import {
            phase: Phase::Proof(proof, check),
            view: None,
            contest: None,
            point: Hash32::ZERO,
            entries: HashMap::new(),
            roots: Vec::new(),
            past_points: Vec::new(),
            weight: 0,
            bodied: Vec::new(),
            shortcut: Hash32::ZERO,
            bound: None,
            lanes: None,
            state: None,
            walk: None,
        }));
        *self.view = None;
        self.chain.records.flush()
    }

    /// Judges at most `budget` headers of the proof. Returns what it shows once all are judged; whether that is
    /// better than what the node has, [`Importing::contest_proof`] tells.
    ///
    /// # Errors
    /// Those of [`ProofCheck::step`], `import/wrong-header` for a proof of genesis, `import/out-of-order`, `store/*`.
    pub fn import_proof(&mut self, budget: usize) -> Result<Option<Rc<ProofView>>, SvcError> {
        let mut import = self.take_import("proof")?;
        let Phase::Proof(proof, check) = import.phase else {
            return Err(out_of_order("proof"));
        };
        let view: Rc<ProofView> = match check.step(&self.chain.rules, budget)? {
            Checked::More(check) => {
                import.phase = Phase::Proof(proof, check);
                *self.import = Some(import);
                return Ok(None);
            }
            Checked::Done(view) => Rc::from(view),
        };
        if view.is_genesis {
            return Err(wrong_header(&view.pruning_point, "genesis proves nothing"));
        }
        import.phase = Phase::Points;
        import.point = view.pruning_point;
        import.view = Some(Rc::clone(&view));
        for (level, headers) in (0_u8..=u8::MAX).zip(&proof.levels) {
            let hashes: Vec<Hash32> = headers.iter().map(|header| header.hash()).collect();
            import.roots.extend(hashes.first());
            let overlay = &mut self.chain.records.overlay;
            overlay.put(tables::PROOF, &[level], meta::encode_hashes(&hashes));
            for header in headers {
                let hash = header.hash();
                import.entries.entry(hash).or_insert_with(|| Entry {
                    record: Rc::new(HeaderRecord {
                        header: header.header().clone(),
                        hash,
                        level: view.block_levels.get(&hash).copied().unwrap_or(level),
                    }),
                    witness: header
                        .witness()
                        .filter(|_| view.by_witness.contains(&hash))
                        .map(<[u8]>::to_vec),
                    ghostdag: None,
                });
            }
        }
        *self.import = Some(import);
        self.chain.records.flush()?;
        Ok(Some(view))
    }

    /// Takes the next of all pruning points in, genesis first. Returns whether the last has come, that of the proof.
    ///
    /// # Errors
    /// `import/wrong-points`, `import/too-many-headers`, `header/invalid-pow`, `import/out-of-order`, `store/*`.
    pub fn import_points(&mut self, headers: Vec<ProofHeader>) -> Result<bool, SvcError> {
        self.import_step("points", |import, engine| {
            import.points(engine.chain, headers)
        })
    }

    /// Takes headers of the window and of the segment below it in.
    ///
    /// # Errors
    /// `import/wrong-ghostdag`, `import/too-many-headers`, `header/invalid-pow`, `header/no-parents`,
    /// `import/out-of-order`.
    pub fn import_trusted(&mut self, page: TrustedPage) -> Result<(), SvcError> {
        self.import_step("trusted", |import, engine| {
            import.trusted(&engine.chain.rules, page)
        })
    }

    /// Makes a graph of all headers and judges it, at most `budget` headers a call. Returns the blocks whose bodies
    /// are needed, once all are done; a refusal ends the import.
    ///
    /// # Errors
    /// `import/incomplete`, `import/wrong-ghostdag`, `import/wrong-header`, `header/wrong-daa-score`,
    /// `header/wrong-bits`, `header/time-too-old`, `header/mergeset-too-big`, `import/out-of-order`, `store/*`.
    pub fn link_trusted(&mut self, budget: usize) -> Result<Option<Vec<Hash32>>, SvcError> {
        self.writing_step("link", |import, chain| {
            if !matches!(import.phase, Phase::Judge(..)) {
                import.link(chain, budget)?;
            } else if import.judge(chain, budget)? {
                return Ok(Some(import.bodied.clone()));
            }
            Ok(None)
        })
    }

    /// Takes a body in that [`Importing::link_trusted`] asked for. Returns the verdicts it needs and how many are missing;
    /// after the last one blocks above the pruning point may be inserted.
    ///
    /// # Errors
    /// `import/unexpected-body`, those of the body rules, `import/out-of-order`, `store/*`.
    pub fn import_body(
        &mut self,
        block: impl Into<HashedBlock>,
    ) -> Result<(Vec<Job>, usize), SvcError> {
        let block = block.into();
        let (jobs, left) = self.import_step("body", |import, engine| {
            let verified = engine.verified;
            let lookup = |txid: &Hash32, format: BundleFormat| verified.contains(txid, format);
            import.body(engine.chain, block, &lookup)
        })?;
        self.waiting.add(&jobs);
        Ok((jobs, left))
    }

    /// The block whose body binds the state; ask for it.
    ///
    /// # Errors
    /// `import/not-bound` while no header above the pruning point is known, `import/out-of-order`, `store/*`.
    pub fn binding_child(&mut self) -> Result<Hash32, SvcError> {
        self.import_step("binding", |import, engine| {
            import.selected_child(&engine.chain.records)
        })
    }

    /// Takes the root from the body of the selected child.
    ///
    /// # Errors
    /// `import/not-bound`, `import/wrong-child`, `body/bad-merkle-root`, `body/first-not-coinbase`, `coinbase/*`,
    /// `import/out-of-order`, `store/*`.
    pub fn import_binding(&mut self, block: &Block) -> Result<(), SvcError> {
        self.import_step("binding", |import, engine| {
            import.bind(&engine.chain.records, block)
        })
    }

    /// Takes in the claim of the lanes.
    ///
    /// # Errors
    /// `import/wrong-lanes`, `import/out-of-order`, `store/*`.
    pub fn import_lanes(&mut self, claim: LanesClaim) -> Result<(), SvcError> {
        self.import_step("lanes", |import, engine| {
            import.lanes(&engine.chain.records, claim)
        })
    }

    /// Takes lanes in, ascending by key; a refusal ends the import.
    ///
    /// # Errors
    /// `import/wrong-lanes`, `import/out-of-order`, `store/*`.
    pub fn import_lane_page(&mut self, page: &[(Hash32, LaneTip)]) -> Result<(), SvcError> {
        self.writing_step("lanes", |import, chain| import.lane_page(chain, page))
    }

    /// Takes the claim of the state in, when it is the one that the selected child commits to.
    ///
    /// # Errors
    /// `import/wrong-state`, `import/wrong-entry`, `import/too-many-nullifiers`, `import/out-of-order`, `store/*`.
    pub fn import_state(&mut self, claim: StateClaim) -> Result<(), SvcError> {
        self.import_step("state", |import, engine| {
            import.state_claim(engine.chain, claim)
        })
    }

    /// Takes nullifiers in; a refusal ends the import.
    ///
    /// # Errors
    /// `import/too-many-nullifiers`, `import/out-of-order`, `store/*`.
    pub fn import_nullifiers(&mut self, page: &[Hash32]) -> Result<(), SvcError> {
        self.writing_step("nullifiers", |import, chain| {
            import.nullifiers(&mut chain.records, page)
        })
    }

    /// Ends the import: the state is what the network committed to, and is served from here on. A refusal ends the
    /// import as well, but for `import/wrong-child`: the child named there has to bind the state first.
    ///
    /// # Errors
    /// `import/too-little-work`, `import/wrong-child`, `import/unbound`, `import/wrong-nullifiers`, `import/out-of-order`, `store/*`.
    pub fn finish_import(&mut self) -> Result<(), SvcError> {
        self.import_step("finish", |import, engine| {
            import.require_work(engine.chain)?;
            import.check_child(&engine.chain.records)
        })?;
        self.finish_walk()?;
        self.writing_step("finish", |import, chain| import.finish(chain))?;
        *self.import = None;
        *self.view = None;
        self.search.restart();
        Ok(())
    }

    fn take_import(&mut self, call: &'static str) -> Result<Box<Import>, SvcError> {
        self.chain.records.guard()?;
        self.import.take().ok_or_else(|| out_of_order(call))
    }

    /// A step that writes as it goes. A refusal ends the import, and what the step wrote is taken back; after a failure
    /// of the store nothing is written any more.
    fn writing_step<T>(
        &mut self,
        call: &'static str,
        step: impl FnOnce(&mut Import, &mut Chain<S>) -> Result<T, SvcError>,
    ) -> Result<T, SvcError> {
        let mut import = self.take_import(call)?;
        // Blocks above the pruning point may wait for their commit: those stay.
        self.chain.records.flush()?;
        match step(&mut import, self.chain) {
            Ok(done) => {
                *self.import = Some(import);
                self.chain.records.flush()?;
                Ok(done)
            }
            Err(error) => {
                self.chain.records.overlay.discard();
                self.chain.records.clear_caches();
                if is_fatal(&error) {
                    return self.chain.records.note_fatal(Err(error));
                }
                Err(error)
            }
        }
    }

    /// A step that writes only when it succeeds, unless the store itself fails.
    pub(super) fn import_step<T>(
        &mut self,
        call: &'static str,
        step: impl FnOnce(&mut Import, &mut Self) -> Result<T, SvcError>,
    ) -> Result<T, SvcError> {
        let mut import = self.take_import(call)?;
        let outcome = step(&mut import, self);
        *self.import = Some(import);
        let done = match outcome {
            Err(error) if is_fatal(&error) => self.chain.records.note_fatal(Err(error)),
            other => other,
        }?;
        self.chain.records.flush()?;
        Ok(done)
    }
}
