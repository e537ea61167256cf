//! Pruning proof builder (specification consensus 7.10).

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_PROOF_HEADERS;
use svc_dag::parents_builder::parents_at;
use svc_dag::records::HeaderRecord;
use svc_dag::store::DagStore;

use crate::parameters::Parameters;
use crate::proof::stored_proof;
use crate::proof::validate::{empty_level, full_score};
use crate::proof::{Proof, ProofHeader};
use crate::records::Records;
use crate::store::Store;

/// Source of the headers that a proof is built from. Those below an older pruning point may be gone, except the ones
/// of its own proof.
pub trait ProofSource {
    /// A header with its level; `None` when it is not kept.
    ///
    /// # Errors
    /// `store/*`.
    fn kept_header(&self, block: &Hash32) -> Result<Option<Rc<HeaderRecord>>, SvcError>;

    /// The witness of a block whose work it proves.
    ///
    /// # Errors
    /// `store/*`.
    fn kept_witness(&self, block: &Hash32) -> Result<Option<Vec<u8>>, SvcError>;

    /// The first block that the proof of the last pruning point has at a level, if that proof is known. What is kept
    /// below the last pruning point goes down to it, perhaps on another way than over greatest parents.
    ///
    /// # Errors
    /// `store/*`.
    fn last_root(&self, _level: u8) -> Result<Option<Hash32>, SvcError> {
        Ok(None)
    }
}

impl<S: Store> ProofSource for Records<S> {
    fn kept_header(&self, block: &Hash32) -> Result<Option<Rc<HeaderRecord>>, SvcError> {
        if self.has_header(block)? {
            self.header(block).map(Some)
        } else {
            Ok(None)
        }
    }

    fn kept_witness(&self, block: &Hash32) -> Result<Option<Vec<u8>>, SvcError> {
        self.witness(block)
    }

    fn last_root(&self, level: u8) -> Result<Option<Hash32>, SvcError> {
        Ok(stored_proof::level(self, level)?.first().copied())
    }
}

/// Makes the proof. Its cost is that of reading the proof's headers some two times.
///
/// # Errors
/// `chain/unknown-block` for a pruning point that is not kept; `proof/too-short`, `proof/missing-depth-block` when too
/// little is kept below it; `proof/too-many-headers`, `store/*`.
pub fn build_proof(
    rules: &Parameters,
    source: &impl ProofSource,
    pruning_point: &Hash32,
) -> Result<Proof, SvcError> {
    let mut making = ProofMaking::begin(source, pruning_point)?;
    while !making.step(rules, source)? {}
    Ok(making.finish())
}

/// A proof in the making, level by level from the highest down.
pub struct ProofMaking {
    point: Rc<HeaderRecord>,
    shared: HashMap<Hash32, Rc<ProofHeader>>,
    /// Headers that the proof may still take.
    left: usize,
    /// The highest level first.
    levels: Vec<Vec<Rc<ProofHeader>>>,
    required: Option<Rc<HeaderRecord>>,
}

impl ProofMaking {
    /// Begins the proof of a pruning point.
    ///
    /// # Errors
    /// `chain/unknown-block` for a pruning point that is not kept, `store/*`.
    pub fn begin(source: &impl ProofSource, pruning_point: &Hash32) -> Result<Self, SvcError> {
        let point = source
            .kept_header(pruning_point)?
            .ok_or_else(|| SvcError::new(Code::ChainUnknownBlock).with("hash", pruning_point))?;
        Ok(Self {
            point,
            shared: HashMap::new(),
            left: MAX_PROOF_HEADERS,
            levels: Vec::new(),
            required: None,
        })
    }

    /// Makes the next level; whether it was the last one. What is kept must not change between two steps, but for
    /// blocks above the pruning point.
    ///
    /// # Errors
    /// As [`build_proof`].
    pub fn step(
        &mut self,
        rules: &Parameters,
        source: &impl ProofSource,
    ) -> Result<bool, SvcError> {
        let made = u8::try_from(self.levels.len()).unwrap_or(u8::MAX);
        if let Some(level) = rules.profile.max_block_level.checked_sub(made)
            && self.levels.len() <= usize::from(rules.profile.max_block_level)
        {
            let required = self.required.take();
            let mut builder = Builder {
                rules,
                source,
                making: self,
            };
            let made = builder.level(level, required)?;
            let entries = builder.entries(&made.headers)?;
            self.left = self.left.saturating_sub(made.headers.len());
            self.levels.push(entries);
            self.required = Some(made.at_depth);
        }
        Ok(self.levels.len() > usize::from(rules.profile.max_block_level))
    }

    /// Headers of the level that was made last.
    pub fn last_len(&self) -> usize {
        self.levels.last().map_or(0, Vec::len)
    }

    /// The proof, once all levels are made.
    pub fn finish(mut self) -> Proof {
        self.levels.reverse();
        Proof {
            levels: self.levels,
        }
    }
}

/// The headers of a level.
struct Level {
    headers: Vec<Rc<HeaderRecord>>,
    /// The block that the level below must hold.
    at_depth: Rc<HeaderRecord>,
}

/// A block down a chain of greatest parents.
struct Climb {
    root: Rc<HeaderRecord>,
    steps: u64,
    /// Whether it has no kept parent.
    ended: bool,
}

/// What a root came to.
enum Attempt {
    Enough(Level),
    /// Nothing below it is kept that could help, or further down there may be more.
    TooLittle(SvcError),
}

struct Builder<'a, P> {
    rules: &'a Parameters,
    source: &'a P,
    making: &'a mut ProofMaking,
}

impl<P: ProofSource> Builder<'_, P> {
    /// The future of a root up to the tip of the level: long enough, and holding what the level above needs. The root
    /// is looked for down the chain of greatest parents, further with each failure.
    fn level(&self, level: u8, required: Option<Rc<HeaderRecord>>) -> Result<Level, SvcError> {
        let m = self.rules.profile.pruning_proof_m;
        let tip = self.tip(level)?;
        // A tenth more than needed: blocks of that chain may be red at the level.
        let mut steps = m.saturating_mul(2).saturating_add(m.div_ceil(10));
        loop {
            let climb = self.climb(level, &tip, steps, required.as_deref())?;
            let refusal = match self.attempt(level, &climb.root, &tip, required.as_deref())? {
                Attempt::Enough(made) => return Ok(made),
                Attempt::TooLittle(refusal) => refusal,
            };
            if climb.ended {
                return self.last_resort(level, &tip, required.as_deref(), refusal);
            }
            steps = climb
                .steps
                .saturating_add(climb.steps / 4)
                .saturating_add(16);
        }
    }

    /// The last resort of a store where greatest parents come to an end early.
    fn last_resort(
        &self,
        level: u8,
        tip: &Rc<HeaderRecord>,
        required: Option<&HeaderRecord>,
        refusal: SvcError,
    ) -> Result<Level, SvcError> {
        let Some(root) = self.source.last_root(level)? else {
            return Err(refusal);
        };
        let root = self.known(&root)?;
        match self.attempt(level, &root, tip, required)? {
            Attempt::Enough(made) => Ok(made),
            Attempt::TooLittle(_) => Err(refusal),
        }
    }

    fn attempt(
        &self,
        level: u8,
        root: &Rc<HeaderRecord>,
        tip: &Rc<HeaderRecord>,
        required: Option<&HeaderRecord>,
    ) -> Result<Attempt, SvcError> {
        let m = self.rules.profile.pruning_proof_m;
        let headers = self.diamond(root, tip, level)?;
        let holds = |block: &HeaderRecord| headers.iter().any(|record| record.hash == block.hash);
        if let Some(missing) = required.filter(|block| !holds(block)) {
            let error = SvcError::new(Code::ProofMissingDepthBlock).with("level", level);
            return Ok(Attempt::TooLittle(error.with("hash", missing.hash)));
        }
        let mut dag = empty_level(self.rules, level);
        for record in &headers {
            dag.add(record.hash, &record.header)?;
        }
        let score = dag.ghostdag(&tip.hash)?.blue_score;
        let min = full_score(self.rules);
        if score < min && root.hash != self.rules.genesis_hash {
            let error = SvcError::new(Code::ProofTooShort)
                .with("level", level)
                .with("blueScore", score)
                .with("min", min);
            return Ok(Attempt::TooLittle(error));
        }
        let at_depth = self.known(&dag.block_at_depth(m)?)?;
        Ok(Attempt::Enough(Level { headers, at_depth }))
    }

    fn known(&self, block: &Hash32) -> Result<Rc<HeaderRecord>, SvcError> {
        self.source.kept_header(block)?.ok_or_else(|| {
            SvcError::new(Code::StoreMissing)
                .with("table", "headers")
                .with("key", block)
        })
    }

    /// The pruning point, or its greatest parent at a level above its own.
    fn tip(&self, level: u8) -> Result<Rc<HeaderRecord>, SvcError> {
        if self.making.point.level >= level {
            return Ok(self.making.point.clone());
        }
        let parent = self.greatest_parent(&self.making.point, level)?;
        parent.ok_or_else(|| {
            let error = SvcError::new(Code::ProofTooShort).with("level", level);
            error
                .with("blueScore", 0)
                .with("min", full_score(self.rules))
        })
    }

    fn kept_parents(
        &self,
        record: &HeaderRecord,
        level: u8,
    ) -> Result<Vec<Rc<HeaderRecord>>, SvcError> {
        let mut kept = Vec::new();
        for parent in parents_at(&record.header, level, &self.rules.genesis_hash) {
            kept.extend(self.source.kept_header(parent)?);
        }
        Ok(kept)
    }

    fn greatest_parent(
        &self,
        record: &HeaderRecord,
        level: u8,
    ) -> Result<Option<Rc<HeaderRecord>>, SvcError> {
        let parents = self.kept_parents(record, level)?;
        Ok(parents
            .into_iter()
            .max_by_key(|parent| (parent.header.blue_work, parent.hash)))
    }

    /// Goes down at least `steps`, and until no block that is needed can be a descendant's sibling: to the blue work
    /// of the required block.
    fn climb(
        &self,
        level: u8,
        tip: &Rc<HeaderRecord>,
        least: u64,
        required: Option<&HeaderRecord>,
    ) -> Result<Climb, SvcError> {
        let mut climb = Climb {
            root: tip.clone(),
            steps: 0,
            ended: false,
        };
        let above = |root: &HeaderRecord| {
            required.is_some_and(|block| root.header.blue_work > block.header.blue_work)
        };
        while climb.steps < least || above(&climb.root) {
            match self.greatest_parent(&climb.root, level)? {
                Some(parent) => climb.root = parent,
                None => {
                    climb.ended = true;
                    break;
                }
            }
            climb.steps += 1;
        }
        Ok(climb)
    }

    /// The blocks between a root and a tip, both included, ascending by blue work and hash.
    fn diamond(
        &self,
        root: &Rc<HeaderRecord>,
        tip: &Rc<HeaderRecord>,
        level: u8,
    ) -> Result<Vec<Rc<HeaderRecord>>, SvcError> {
        let mut seen: HashSet<Hash32> = HashSet::from([root.hash, tip.hash]);
        let mut past = vec![root.clone()];
        let mut waiting: Vec<Rc<HeaderRecord>> = Vec::new();
        if tip.hash != root.hash {
            waiting.push(tip.clone());
        }
        while let Some(record) = waiting.pop() {
            for parent in self.kept_parents(&record, level)? {
                // Everything above the root has more blue work.
                if parent.header.blue_work > root.header.blue_work && seen.insert(parent.hash) {
                    waiting.push(parent);
                }
            }
            past.push(record);
            if past.len() > self.making.left {
                let count = MAX_PROOF_HEADERS.saturating_add(1);
                let error = SvcError::new(Code::ProofTooManyHeaders).with("count", count);
                return Err(error.with("max", MAX_PROOF_HEADERS));
            }
        }
        past.sort_by_key(|record| (record.header.blue_work, record.hash));
        let mut between: HashSet<Hash32> = HashSet::from([root.hash]);
        past.retain(|record| {
            let parents = parents_at(&record.header, level, &self.rules.genesis_hash);
            let descends = parents.iter().any(|parent| between.contains(parent));
            if descends {
                between.insert(record.hash);
            }
            descends || record.hash == root.hash
        });
        Ok(past)
    }

    fn entries(&mut self, records: &[Rc<HeaderRecord>]) -> Result<Vec<Rc<ProofHeader>>, SvcError> {
        let mut entries = Vec::with_capacity(records.len());
        for record in records {
            let entry = match self.making.shared.get(&record.hash) {
                Some(entry) => entry.clone(),
                None => {
                    let witness = self.source.kept_witness(&record.hash)?;
                    let entry = Rc::new(ProofHeader::new(record.header.clone(), witness));
                    self.making.shared.insert(record.hash, entry.clone());
                    entry
                }
            };
            entries.push(entry);
        }
        Ok(entries)
    }
}
