//! Pruning proof validation (specification consensus 7.10).
//!
//! Levels are judged from the highest down, since each must reach below a block that the level above tells. Work is
//! judged before the level of a header, which is known by its work alone.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use svc_chain::bits::{level_work, work_from_bits};
use svc_chain::uint256::U256;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_PROOF_HEADERS, PROOF_CLAIM_FACTOR};
use svc_dag::level_dag::{LevelDag, LevelRules, LevelScores};
use svc_dag::parents_builder::parents_at;
use svc_dag::store::DagStore;
use svc_pow::judge_work::AcceptedWork;

use crate::parameters::Parameters;
use crate::proof::repeated_work::{MergeMined, RepeatedWork};
use crate::proof::{Proof, ProofHeader};

/// The summary of a valid proof.
#[derive(Clone, Debug)]
pub struct ProofView {
    /// The block below which the proof stands for the chain.
    pub pruning_point: Hash32,
    /// Blue work its header claims, of the whole graph. Checked against `shown_work` where work is judged at all.
    pub blue_work: U256,
    /// Work between genesis and the pruning point as the headers show it, see `shown_work`.
    pub shown_work: U256,
    /// Whether it is genesis, below which there is nothing.
    pub is_genesis: bool,
    /// Scores of every level, level 0 first.
    pub levels: Vec<LevelScores>,
    /// The blue score from which on a level is long enough.
    pub full_score: u64,
    /// Levels that the headers reach by their work.
    pub block_levels: HashMap<Hash32, u8>,
    /// Headers whose own work does not suffice: their witnesses were needed.
    pub by_witness: HashSet<Hash32>,
    /// Work that the levels show twice.
    pub repeated: RepeatedWork,
}

/// The state of a validation.
pub enum Checked {
    /// There are headers left.
    More(Box<ProofCheck>),
    /// The proof holds.
    Done(Box<ProofView>),
}

/// The level that is being judged.
struct Current {
    level: u8,
    next: usize,
    dag: LevelDag,
}

/// A validation that can be interrupted between two headers. The costly part of a header is its proof of work, which
/// is computed once.
pub struct ProofCheck {
    proof: Proof,
    pruning_point: Rc<ProofHeader>,
    pruning_point_level: u8,
    judged: HashMap<Hash32, (Rc<ProofHeader>, AcceptedWork)>,
    /// Finished levels, the highest first.
    finished: Vec<LevelScores>,
    /// What the level must hold so that the level above is rooted in it.
    required: Option<Hash32>,
    current: Current,
}

/// Judges a whole proof at once.
///
/// # Errors
/// As [`ProofCheck::new`] and [`ProofCheck::step`].
pub fn validate_proof(rules: &Parameters, proof: Proof) -> Result<ProofView, SvcError> {
    let mut check = Box::new(ProofCheck::new(rules, proof)?);
    loop {
        match check.step(rules, usize::MAX)? {
            Checked::More(next) => check = next,
            Checked::Done(view) => return Ok(*view),
        }
    }
}

fn level_rules(rules: &Parameters, level: u8) -> LevelRules {
    LevelRules {
        level,
        max_level: rules.profile.max_block_level,
        k: rules.profile.ghostdag_k,
        genesis: rules.genesis_hash,
    }
}

/// A graph without blocks for a level of a network.
pub(crate) fn empty_level(rules: &Parameters, level: u8) -> LevelDag {
    LevelDag::new(level_rules(rules, level))
}

/// The blue score from which on a level need not begin at genesis.
pub(crate) fn full_score(rules: &Parameters) -> u64 {
    rules.profile.pruning_proof_m.saturating_mul(2)
}

/// The work of one block at a level: what its bits ask for, or what the level takes on average if that is more.
fn block_work(rules: &Parameters, level: u8, bits: u32) -> U256 {
    work_from_bits(bits).max(level_work(level, rules.profile.max_block_level))
}

/// Work between genesis and the tips of judged levels, level 0 first: that of the lowest level which begins at genesis.
/// Each of its blocks took as many hashes on average as it counts for. The levels below are full without genesis, so a
/// lucky block cannot make that level stand for more work than was done. Genesis itself was mined by nobody, and a solution counts
/// once.
fn shown_work(rules: &Parameters, levels: &[LevelScores], repeated: &RepeatedWork) -> U256 {
    let whole = (0_u8..=u8::MAX)
        .zip(levels)
        .find(|(_, level)| level.blocks.contains_key(&rules.genesis_hash));
    let Some((number, level)) = whole else {
        return U256::zero();
    };
    let total = level.blocks.get(&level.tip).map(|tip| tip.blue_work);
    let genesis = block_work(rules, number, rules.profile.genesis.bits);
    let twice = repeated.above(usize::from(number), level, U256::zero());
    let once = total.unwrap_or_default().saturating_sub(twice);
    once.saturating_sub(genesis)
}

/// A claim may differ from what the levels show by chance and by genesis, which claims count. Where work is not judged
/// the levels show nothing.
fn check_claim(rules: &Parameters, view: &ProofView) -> Result<(), SvcError> {
    let genesis = work_from_bits(rules.profile.genesis.bits);
    let limit = view
        .shown_work
        .saturating_add(genesis)
        .saturating_mul(U256::from(PROOF_CLAIM_FACTOR));
    if rules.profile.skip_proof_of_work || view.blue_work <= limit {
        return Ok(());
    }
    Err(SvcError::new(Code::ProofClaimedWork)
        .with("claimed", format!("{:x}", view.blue_work))
        .with("shown", format!("{:x}", view.shown_work)))
}

fn of_header(code: Code, level: u8, hash: Hash32) -> SvcError {
    SvcError::new(code).with("level", level).with("hash", hash)
}

fn empty(level: usize) -> SvcError {
    SvcError::new(Code::ProofEmptyLevel).with("level", level)
}

/// Counts of levels and headers.
fn check_shape(rules: &Parameters, proof: &Proof) -> Result<Rc<ProofHeader>, SvcError> {
    let count = proof.header_count();
    if count > MAX_PROOF_HEADERS {
        let error = SvcError::new(Code::ProofTooManyHeaders);
        return Err(error.with("count", count).with("max", MAX_PROOF_HEADERS));
    }
    let expected = usize::from(rules.profile.max_block_level) + 1;
    if proof.levels.len() != expected {
        return Err(SvcError::new(Code::ProofWrongLevelCount)
            .with("expected", expected)
            .with("found", proof.levels.len()));
    }
    if let Some(level) = proof.levels.iter().position(Vec::is_empty) {
        return Err(empty(level));
    }
    let last = proof.levels.first().and_then(|headers| headers.last());
    last.cloned().ok_or_else(|| empty(0))
}

impl ProofCheck {
    /// Takes a proof in; the pruning point is the last header of level 0.
    ///
    /// # Errors
    /// `proof/too-many-headers`, `proof/wrong-level-count`, `proof/empty-level`; of the pruning point
    /// `header/invalid-pow` and `header/no-parents`.
    pub fn new(rules: &Parameters, proof: Proof) -> Result<Self, SvcError> {
        let pruning_point = check_shape(rules, &proof)?;
        let level = rules.profile.max_block_level;
        let mut check = Self {
            proof,
            pruning_point: pruning_point.clone(),
            pruning_point_level: 0,
            judged: HashMap::new(),
            finished: Vec::new(),
            required: None,
            current: Current {
                level,
                next: 0,
                dag: empty_level(rules, level),
            },
        };
        check.pruning_point_level = check.level_of(rules, &pruning_point)?;
        Ok(check)
    }

    /// Judges at most `budget` headers more, and at least one.
    ///
    /// # Errors
    /// What is wrong with the proof, per header in this order: `header/invalid-pow`, `header/no-parents` for another
    /// genesis, `proof/header-below-level`, `proof/unknown-parents`, `proof/blue-work-not-growing`,
    /// `proof/duplicate`; per level: `proof/missing-depth-block`, `proof/wrong-tip`, `proof/last-not-tip`,
    /// `proof/too-short`; of the whole `proof/claimed-work`. Also `header/mergeset-too-big` and
    /// `header/blue-work-too-large`.
    pub fn step(mut self, rules: &Parameters, budget: usize) -> Result<Checked, SvcError> {
        for _ in 0..budget.max(1) {
            let level = usize::from(self.current.level);
            let entry = self.proof.levels.get(level);
            match entry.and_then(|headers| headers.get(self.current.next)) {
                Some(header) => {
                    let header = header.clone();
                    self.add(rules, &header)?;
                    self.current.next += 1;
                }
                None => {
                    let scores = self.finish_level(rules)?;
                    self.finished.push(scores);
                    if level == 0 {
                        let view = self.into_view(rules);
                        check_claim(rules, &view)?;
                        return Ok(Checked::Done(Box::new(view)));
                    }
                }
            }
        }
        Ok(Checked::More(Box::new(self)))
    }

    /// The level a header reaches by its work. Genesis has none and reaches every level; another header without
    /// parents can be in no graph.
    fn level_of(&mut self, rules: &Parameters, entry: &Rc<ProofHeader>) -> Result<u8, SvcError> {
        let hash = entry.hash();
        if let Some((known, work)) = self.judged.get(&hash)
            && known.witness() == entry.witness()
        {
            return Ok(work.level);
        }
        let header = entry.header();
        let work = if hash == rules.genesis_hash {
            AcceptedWork {
                level: rules.profile.max_block_level,
                solved_by: None,
            }
        } else if header.direct_parents().is_empty() {
            return Err(SvcError::new(Code::HeaderNoParents));
        } else {
            rules.judge_work(header, entry.witness())?
        };
        self.judged.insert(hash, (entry.clone(), work));
        Ok(work.level)
    }

    fn add(&mut self, rules: &Parameters, entry: &Rc<ProofHeader>) -> Result<(), SvcError> {
        let found = self.level_of(rules, entry)?;
        let (hash, header) = (entry.hash(), entry.header());
        let Current { level, next, dag } = &mut self.current;
        if found < *level {
            let error = SvcError::new(Code::ProofHeaderBelowLevel).with("level", level);
            return Err(error.with("hash", hash).with("found", found));
        }
        let parents = dag.known_parents(header);
        if parents.is_empty() && *next > 0 {
            return Err(of_header(Code::ProofUnknownParents, *level, hash));
        }
        for parent in parents {
            if dag.claimed_blue_work(&parent)? >= header.blue_work {
                let error = SvcError::new(Code::ProofBlueWorkNotGrowing).with("level", level);
                return Err(error.with("hash", hash).with("parent", parent));
            }
        }
        if dag.contains(&hash) {
            return Err(of_header(Code::ProofDuplicate, *level, hash));
        }
        dag.add(hash, header)
    }

    /// Judges a level as a whole and goes on to the one below.
    fn finish_level(&mut self, rules: &Parameters) -> Result<LevelScores, SvcError> {
        let level = self.current.level;
        let below = level.saturating_sub(1);
        let next = Current {
            level: below,
            next: 0,
            dag: empty_level(rules, below),
        };
        let dag = std::mem::replace(&mut self.current, next).dag;
        if let Some(required) = self.required
            && !dag.contains(&required)
        {
            return Err(of_header(Code::ProofMissingDepthBlock, level, required));
        }
        let tip = dag.tip()?;
        self.check_ends(rules, level, &tip)?;
        let score = dag.ghostdag(&tip)?.blue_score;
        let min = full_score(rules);
        if score < min && !dag.contains(&rules.genesis_hash) {
            let error = SvcError::new(Code::ProofTooShort).with("level", level);
            return Err(error.with("blueScore", score).with("min", min));
        }
        self.required = Some(dag.block_at_depth(rules.profile.pruning_proof_m)?);
        dag.into_scores()
    }

    /// The greatest header of a level is the pruning point or its parent at the level, and comes last.
    fn check_ends(&self, rules: &Parameters, level: u8, tip: &Hash32) -> Result<(), SvcError> {
        let point = self.pruning_point.hash();
        let fits = if level <= self.pruning_point_level {
            *tip == point
        } else {
            let header = self.pruning_point.header();
            parents_at(header, level, &rules.genesis_hash).contains(tip)
        };
        if !fits {
            let error = SvcError::new(Code::ProofWrongTip).with("level", level);
            return Err(error.with("pruningPoint", point).with("found", tip));
        }
        let headers = self.proof.levels.get(usize::from(level));
        let last = headers.and_then(|headers| headers.last());
        match last.map(|last| last.hash()).filter(|last| last != tip) {
            Some(last) => Err(SvcError::new(Code::ProofLastNotTip)
                .with("level", level)
                .with("expected", tip)
                .with("found", last)),
            None => Ok(()),
        }
    }

    fn into_view(self, rules: &Parameters) -> ProofView {
        let mut levels = self.finished;
        levels.reverse();
        let pruning_point = self.pruning_point.hash();
        let works = self.judged.iter().map(|(hash, (_, work))| (*hash, *work));
        let by_witness = works.clone().filter(|(_, work)| work.by_witness());
        let by_witness = by_witness.map(|(hash, _)| hash).collect();
        let merged = self.judged.iter().filter_map(|(hash, (entry, work))| {
            Some(MergeMined {
                block: *hash,
                bits: entry.header().bits,
                by: work.solved_by?,
            })
        });
        let is_native = |hash: &Hash32| {
            let found = self.judged.get(hash);
            found.is_some_and(|(_, work)| !work.by_witness())
        };
        let work = |level, bits| block_work(rules, level, bits);
        let repeated = RepeatedWork::find(merged.collect(), &levels, is_native, work);
        ProofView {
            pruning_point,
            blue_work: self.pruning_point.header().blue_work,
            shown_work: shown_work(rules, &levels, &repeated),
            is_genesis: pruning_point == rules.genesis_hash,
            levels,
            full_score: full_score(rules),
            block_levels: works.map(|(hash, work)| (hash, work.level)).collect(),
            by_witness,
            repeated,
        }
    }
}
