//! Making the proof of a pruning point (specification consensus 7.10).

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_PROOF_HEADERS;
use svc_dag::parents_builder::parents_at;
use svc_dag::records::HeaderRecord;
use svc_dag::store::DagStore;

use crate::chain_rules::ChainRules;
use crate::proof::validate::{empty_level, full_score};
use crate::proof::{Proof, ProofHeader};
use crate::state::State;
use crate::store::Store;

/// Where headers come from. Those below an older pruning point may be gone, except the ones of its own proof.
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
}

impl<S: Store> ProofSource for State<S> {
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
}

/// Makes the proof. Its cost is that of reading the proof's headers some two times.
///
/// # Errors
/// `chain/unknown-block` for a pruning point that is not kept; `proof/too-short`, `proof/missing-depth-block` when too
/// little is kept below it; `proof/too-many-headers`, `store/*`.
pub fn build_proof(
    rules: &ChainRules,
    source: &impl ProofSource,
    pruning_point: &Hash32,
) -> Result<Proof, SvcError> {
    let point = source
        .kept_header(pruning_point)?
        .ok_or_else(|| SvcError::new(Code::ChainUnknownBlock).with("hash", pruning_point))?;
    let mut builder = Builder {
        rules,
        source,
        point,
        shared: HashMap::new(),
        left: MAX_PROOF_HEADERS,
    };
    let mut levels = Vec::new();
    let mut required = None;
    for level in (0..=rules.profile.max_block_level).rev() {
        let made = builder.level(level, required)?;
        builder.left = builder.left.saturating_sub(made.headers.len());
        levels.push(builder.entries(&made.headers)?);
        required = Some(made.at_depth);
    }
    levels.reverse();
    Ok(Proof { levels })
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

struct Builder<'a, P> {
    rules: &'a ChainRules,
    source: &'a P,
    point: Rc<HeaderRecord>,
    shared: HashMap<Hash32, Rc<ProofHeader>>,
    /// Headers that the proof may still take.
    left: usize,
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
            let climb = self.climb(&tip, level, (steps, required.as_deref()))?;
            let headers = self.diamond(&climb.root, &tip, level)?;
            let holds =
                |block: &Rc<HeaderRecord>| headers.iter().any(|record| record.hash == block.hash);
            if let Some(missing) = required.as_ref().filter(|block| !holds(block)) {
                if climb.ended {
                    let error = SvcError::new(Code::ProofMissingDepthBlock).with("level", level);
                    return Err(error.with("hash", missing.hash));
                }
            } else {
                let mut dag = empty_level(self.rules, level);
                for record in &headers {
                    dag.add(record.hash, &record.header)?;
                }
                let score = dag.ghostdag(&tip.hash)?.blue_score;
                let (min, genesis) = (full_score(self.rules), self.rules.genesis_hash);
                if score >= min || climb.root.hash == genesis {
                    let at_depth = dag.block_at_depth(m)?;
                    let at_depth = self.known(&at_depth)?;
                    return Ok(Level { headers, at_depth });
                }
                if climb.ended {
                    let error = SvcError::new(Code::ProofTooShort).with("level", level);
                    return Err(error.with("blueScore", score).with("min", min));
                }
            }
            steps = climb
                .steps
                .saturating_add(climb.steps / 4)
                .saturating_add(16);
        }
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
        if self.point.level >= level {
            return Ok(self.point.clone());
        }
        let parent = self.greatest_parent(&self.point, level)?;
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
        tip: &Rc<HeaderRecord>,
        level: u8,
        (least, required): (u64, Option<&HeaderRecord>),
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
            if past.len() > self.left {
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
            let entry = match self.shared.get(&record.hash) {
                Some(entry) => entry.clone(),
                None => {
                    let witness = self.source.kept_witness(&record.hash)?;
                    let entry = Rc::new(ProofHeader::new(record.header.clone(), witness));
                    self.shared.insert(record.hash, entry.clone());
                    entry
                }
            };
            entries.push(entry);
        }
        Ok(entries)
    }
}
