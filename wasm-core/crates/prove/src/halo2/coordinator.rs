//! Coordinator of a distributed proof: hands out tasks step by step and adds up the answers.

pub mod payment_prover;
pub mod phase;
pub mod proof_state;
pub mod proving_keys;

use std::sync::Arc;

use svc_circuit::shape::{LOG_ROWS, QUOTIENT_PIECES, SCALARS_PER_ACTION};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::limits::{MAX_PROOF_ACTIONS, MAX_PROOF_WORKERS};
use svc_codec::reader::Reader;
use svc_kernels::curve::{Affine, Point, Vesta};
use svc_shielded::secret::Secret32;

use crate::halo2::arguments::inner_product::SWITCH_ROUND;
use crate::halo2::coordinator::phase::Phase;
use crate::halo2::coordinator::proof_state::{
    COMMON_SCALARS, CoordinatorKeys, LOOKUP_POINTS, PRODUCT_POINTS, ProofState, WITNESS_POINTS,
};
use crate::halo2::polynomials::of_action::POLYNOMIALS_BYTES;
use crate::halo2::polynomials::quotient_plan::{Loan, QuotientPlan};
use crate::halo2::shard::action_input::ActionInput;
use crate::halo2::shard::answers::{
    added, added_folded, added_sums, joined_generators, read_scalars,
};
use crate::halo2::shard::task::{Task, encode};
use crate::halo2::wire::points::read_point;
use crate::halo2::wire::randomness::Draws;
use crate::halo2::wire::share::{Share, range, shares};
use crate::halo2::wire::wiped::Wiped;
use crate::halo2::{Fp, Polynomial};

/// Cosets of actions in one message, some hundredths of a second: what a worker may be late at the end.
const UNITS_PER_MESSAGE: usize = 2;

/// The next step of a proof: messages for the workers, or the proof.
#[derive(Debug)]
pub enum Step {
    /// As many messages for each worker: first one for each, then the next for each, and so on. A worker's messages
    /// keep their order; their answers go into the next call, in the order of the messages.
    Tasks(Vec<Wiped>),
    /// The proof.
    Done(Vec<u8>),
}

/// The coordinator of one proof. Dropping it, and starting another in the shards, abandons the proof.
#[derive(Debug)]
pub struct Coordinator {
    keys: Arc<CoordinatorKeys>,
    seed: Secret32,
    inputs: Vec<Option<ActionInput>>,
    shares: Vec<Vec<Share>>,
    quotient: QuotientPlan,
    /// What the last step lent.
    lent: Vec<(Loan, Arc<Wiped>)>,
    phase: Phase,
    /// Messages of this step, and how many of them were answered.
    messages: usize,
    answered: usize,
    state: ProofState,
    random: Point<Vesta>,
    polynomial: Option<Polynomial>,
    pieces: Vec<(Polynomial, Fp)>,
    challenge: Option<[Fp; 2]>,
    generators: Vec<Affine<Vesta>>,
    proof: Vec<u8>,
}

impl Coordinator {
    /// A proof over the given actions by so many workers. The seed must be fresh: two proofs of one seed give the
    /// witness away.
    ///
    /// Error: `prove/failed` for no actions or more than [`MAX_PROOF_ACTIONS`], no workers or more than
    /// [`MAX_PROOF_WORKERS`].
    pub fn new(
        keys: Arc<CoordinatorKeys>,
        inputs: Vec<ActionInput>,
        seed: Secret32,
        workers: usize,
    ) -> Result<Self, SvcError> {
        let fits = (1..=MAX_PROOF_ACTIONS).contains(&inputs.len())
            && (1..=MAX_PROOF_WORKERS).contains(&workers);
        if !fits {
            return Err(
                SvcError::new(Code::ProveFailed).with("reason", "number of actions or workers")
            );
        }
        let draws = Draws::new(Secret32::new(*seed.expose()), inputs.len());
        let shares = shares(inputs.len(), workers);
        Ok(Self {
            quotient: QuotientPlan::new(&shares, QUOTIENT_PIECES),
            lent: Vec::new(),
            shares,
            state: ProofState::new(&keys, draws),
            keys,
            seed,
            inputs: inputs.into_iter().map(Some).collect(),
            phase: Phase::Start,
            messages: 0,
            answered: 0,
            random: Point::identity(),
            polynomial: None,
            pieces: Vec::new(),
            challenge: None,
            generators: Vec::new(),
            proof: Vec::new(),
        })
    }

    /// Takes the workers' answers to the last step, none at the start, and says what is next.
    ///
    /// Errors: `codec/*` for answers that are not of the right form, `prove/failed`, `internal/unexpected` for calls
    /// out of order. After an error the proof cannot go on.
    pub fn next(&mut self, answers: &[Wiped]) -> Result<Step, SvcError> {
        let step = self.step(answers);
        if step.is_err() {
            self.phase = Phase::Failed;
            self.inputs.clear();
            self.pieces.clear();
            self.lent.clear();
            self.polynomial = None;
        }
        step
    }

    fn step(&mut self, answers: &[Wiped]) -> Result<Step, SvcError> {
        if answers.len() != self.messages || matches!(self.phase, Phase::Done | Phase::Failed) {
            return Err(out_of_order());
        }
        let mut readers: Vec<Reader<'_>> =
            answers.iter().map(|answer| Reader::new(answer)).collect();
        self.phase = self.absorb(&mut readers)?;
        for reader in readers {
            reader.finish()?;
        }
        if self.phase == Phase::Done {
            return Ok(Step::Done(core::mem::take(&mut self.proof)));
        }
        let workers = self.shares.len();
        let mut messages = Vec::with_capacity(self.rounds() * workers);
        for round in 0..self.rounds() {
            for worker in 0..workers {
                messages.push(encode(&self.tasks(worker, round)?));
            }
        }
        self.lent.clear();
        (self.messages, self.answered) = (messages.len(), 0);
        Ok(Step::Tasks(messages))
    }

    /// Tells that one more message of this step was answered.
    pub fn answered(&mut self) {
        self.answered = self.messages.min(self.answered + 1);
    }

    /// The phase's name and how much of the whole proof is done, 0 to 1.
    pub fn progress(&self) -> (&'static str, f64) {
        let part = self.answered as f64 / self.messages.max(1) as f64;
        self.phase.progress(part)
    }

    /// Whether any worker may take the messages of this step that are not a worker's first: when all workers have all
    /// polynomials, and the sums do not say who made them.
    pub fn is_movable(&self) -> bool {
        self.phase == Phase::Quotient && self.quotient.is_movable
    }

    /// The messages of each worker in this step.
    fn rounds(&self) -> usize {
        match self.phase {
            Phase::Witness | Phase::Lookups | Phase::Products => {
                self.shares.iter().map(Vec::len).max().unwrap_or(0)
            }
            Phase::Quotient => self.quotient.longest().div_ceil(UNITS_PER_MESSAGE),
            _ => 1,
        }
    }

    /// Actions whose polynomials this worker evaluates and folds.
    fn whole(&self, worker: usize) -> Vec<usize> {
        self.shares[worker]
            .iter()
            .filter(|share| share.part == 0)
            .map(|share| share.action)
            .collect()
    }

    /// The tasks of one of a worker's messages in the step that begins.
    fn tasks(&mut self, worker: usize, round: usize) -> Result<Vec<Task>, SvcError> {
        let (part, parts) = (worker, self.shares.len());
        let share = self.shares[worker].get(round).copied();
        let challenges = &self.state.challenges;
        let mut tasks = Vec::new();
        match self.phase {
            Phase::Witness => return self.witness_tasks(worker, round),
            Phase::Lookups => tasks.extend(share.map(|share| Task::Lookups {
                action: share.action,
                theta: challenges.theta,
            })),
            Phase::Products => {
                let (beta, gamma) = (challenges.beta, challenges.gamma);
                tasks.extend(share.map(|share| Task::Products {
                    action: share.action,
                    beta,
                    gamma,
                }));
                if round == 0 {
                    tasks.push(Task::Random { part, parts });
                }
                let loan = share.and_then(|share| self.quotient.given(worker, share.action));
                tasks.extend(loan.map(|loan| Task::Lend {
                    action: loan.action,
                }));
            }
            Phase::Quotient => {
                if round == 0 {
                    tasks = self.borrowings(worker);
                }
                let units = &self.quotient.units[worker];
                let units = units[range(units.len(), round, self.rounds())].to_vec();
                tasks.push(Task::Quotient {
                    y: challenges.y,
                    units,
                });
            }
            Phase::Sums => tasks.push(Task::Sums),
            _ => return self.late_tasks(worker),
        }
        Ok(tasks)
    }

    /// What others have lent this worker.
    fn borrowings(&self, worker: usize) -> Vec<Task> {
        let mine = self
            .lent
            .iter()
            .filter(|(loan, _)| loan.to.contains(&worker));
        mine.map(|(loan, polynomials)| Task::Borrow {
            action: loan.action,
            polynomials: Arc::clone(polynomials),
        })
        .collect()
    }

    /// [`Coordinator::tasks`] from the pieces of the quotient on.
    fn late_tasks(&mut self, worker: usize) -> Result<Vec<Task>, SvcError> {
        let (part, parts) = (worker, self.shares.len());
        let challenges = &self.state.challenges;
        let mut tasks = Vec::new();
        match self.phase {
            Phase::Pieces => {
                let pieces = self
                    .pieces
                    .iter()
                    .skip(worker)
                    .step_by(parts)
                    .cloned()
                    .collect();
                tasks.push(Task::Commit { pieces });
            }
            Phase::Evaluations => {
                let x = challenges.x;
                tasks.push(Task::Evaluate {
                    actions: self.whole(worker),
                    x,
                });
                tasks.push(Task::EvaluateFixed { x, part, parts });
            }
            Phase::Fold => {
                let actions = self.whole(worker);
                tasks.push(Task::Fold {
                    x1: challenges.x1,
                    actions,
                    part,
                    parts,
                });
            }
            Phase::Opening => tasks.push(Task::Opening {
                polynomial: self.polynomial()?,
                part,
                parts,
            }),
            Phase::Argument(round) => return self.round_tasks(worker, round),
            Phase::Generators => tasks.extend([self.challenge()?, Task::FoldGenerators]),
            Phase::End => tasks.push(Task::End),
            _ => {}
        }
        Ok(tasks)
    }

    fn witness_tasks(&self, worker: usize, slot: usize) -> Result<Vec<Task>, SvcError> {
        let mut tasks = Vec::new();
        if slot == 0 {
            let seed = Secret32::new(*self.seed.expose());
            tasks.push(Task::Begin {
                seed,
                actions: self.inputs.len(),
            });
        }
        if let Some(share) = self.shares[worker].get(slot).copied() {
            let input = self.inputs[share.action]
                .as_ref()
                .ok_or_else(out_of_order)?;
            let input = ActionInput::from_bytes(input.as_bytes().to_vec())?;
            tasks.push(Task::Witness { share, input });
        }
        Ok(tasks)
    }

    fn round_tasks(&mut self, worker: usize, round: usize) -> Result<Vec<Task>, SvcError> {
        let (part, parts) = (worker, self.shares.len());
        let before = match round {
            0 => Task::Argue {
                polynomial: self.polynomial()?,
                part,
                parts,
            },
            SWITCH_ROUND => Task::SetGenerators {
                generators: self.generators.clone(),
            },
            _ => self.challenge()?,
        };
        let terms = if worker == 0 {
            Some(self.state.round_terms(round)?)
        } else {
            None
        };
        Ok(vec![before, Task::Round { terms }])
    }

    /// Takes the answers of the step that ends and gives the next.
    fn absorb(&mut self, answers: &mut [Reader<'_>]) -> Result<Phase, SvcError> {
        let workers = self.shares.len();
        Ok(match self.phase {
            Phase::Start => Phase::Witness,
            Phase::Witness => {
                for (slot, answers) in answers.chunks_mut(workers).enumerate() {
                    self.absorb_witness(answers, slot)?;
                }
                self.inputs.fill_with(|| None);
                self.state.end_witness()?;
                Phase::Lookups
            }
            Phase::Lookups => {
                for (slot, answers) in answers.chunks_mut(workers).enumerate() {
                    self.absorb_points(answers, slot, WITNESS_POINTS, LOOKUP_POINTS)?;
                }
                self.state.end_lookups()?;
                Phase::Products
            }
            Phase::Products => {
                for (slot, answers) in answers.chunks_mut(workers).enumerate() {
                    self.absorb_products(answers, slot)?;
                }
                self.state.end_products(&self.random)?;
                Phase::Quotient
            }
            Phase::Quotient => Phase::Sums,
            Phase::Sums => {
                self.pieces = self.state.divide(&self.keys, added_sums(answers)?);
                Phase::Pieces
            }
            _ => self.absorb_late(answers)?,
        })
    }

    /// [`Coordinator::absorb`] from the pieces of the quotient on.
    fn absorb_late(&mut self, answers: &mut [Reader<'_>]) -> Result<Phase, SvcError> {
        Ok(match self.phase {
            Phase::Pieces => {
                self.pieces.clear();
                let workers = answers.len();
                let points =
                    (0..QUOTIENT_PIECES).map(|piece| read_point(&mut answers[piece % workers]));
                self.state
                    .end_pieces(&points.collect::<Result<Vec<_>, _>>()?)?;
                Phase::Evaluations
            }
            Phase::Evaluations => {
                self.absorb_evaluations(answers)?;
                Phase::Fold
            }
            Phase::Fold => {
                self.polynomial = Some(self.state.open(&self.keys, added_folded(answers)?)?);
                Phase::Opening
            }
            Phase::Opening => {
                let [quotient, mask] = [added(answers)?, added(answers)?];
                self.polynomial = Some(self.state.argue(&self.keys, &quotient, &mask)?);
                Phase::Argument(0)
            }
            Phase::Argument(round) => {
                let sides = [added(answers)?, added(answers)?];
                self.challenge = Some(self.state.end_round(&sides)?);
                if round + 1 == SWITCH_ROUND {
                    return Ok(Phase::Generators);
                }
                if round + 1 < LOG_ROWS {
                    return Ok(Phase::Argument(round + 1));
                }
                self.proof = self.state.finish()?;
                Phase::End
            }
            Phase::Generators => {
                self.generators = joined_generators(answers)?;
                Phase::Argument(SWITCH_ROUND)
            }
            Phase::End => Phase::Done,
            _ => return Err(out_of_order()),
        })
    }

    fn absorb_witness(&mut self, answers: &mut [Reader<'_>], slot: usize) -> Result<(), SvcError> {
        for (answer, shares) in answers.iter_mut().zip(&self.shares) {
            let Some(share) = shares.get(slot).filter(|share| share.part == 0) else {
                continue;
            };
            self.state.points[share.action][0] = read_point(answer)?;
        }
        self.absorb_points(answers, slot, 1, WITNESS_POINTS - 1)
    }

    /// Of each worker's action in this slot, its share of `count` points that begin at `first`.
    fn absorb_points(
        &mut self,
        answers: &mut [Reader<'_>],
        slot: usize,
        first: usize,
        count: usize,
    ) -> Result<(), SvcError> {
        for (answer, shares) in answers.iter_mut().zip(&self.shares) {
            let Some(share) = shares.get(slot) else {
                continue;
            };
            for index in (0..count).filter(|index| share.has(*index)) {
                self.state.points[share.action][first + index] = read_point(answer)?;
            }
        }
        Ok(())
    }

    /// The products of each worker's action in this slot, and what it lends of it.
    fn absorb_products(&mut self, answers: &mut [Reader<'_>], slot: usize) -> Result<(), SvcError> {
        let first = WITNESS_POINTS + LOOKUP_POINTS;
        self.absorb_points(answers, slot, first, PRODUCT_POINTS)?;
        if slot == 0 {
            self.random = added(answers)?;
        }
        for (worker, answer) in answers.iter_mut().enumerate() {
            let Some(share) = self.shares[worker].get(slot) else {
                continue;
            };
            if let Some(loan) = self.quotient.given(worker, share.action) {
                let polynomials = Wiped::new(answer.take(POLYNOMIALS_BYTES)?.to_vec());
                self.lent.push((loan.clone(), Arc::new(polynomials)));
            }
        }
        Ok(())
    }

    fn absorb_evaluations(&mut self, answers: &mut [Reader<'_>]) -> Result<(), SvcError> {
        let workers = answers.len();
        let mut actions = vec![Vec::new(); self.inputs.len()];
        let mut common = Vec::with_capacity(COMMON_SCALARS);
        for (worker, answer) in answers.iter_mut().enumerate() {
            for action in self.whole(worker) {
                actions[action] = read_scalars(answer, SCALARS_PER_ACTION)?;
            }
            common.extend(read_scalars(
                answer,
                range(COMMON_SCALARS, worker, workers).len(),
            )?);
        }
        self.state.end_evaluations(&actions, &common);
        Ok(())
    }

    fn challenge(&self) -> Result<Task, SvcError> {
        let [u, inverse] = self.challenge.ok_or_else(out_of_order)?;
        Ok(Task::Challenge { u, inverse })
    }

    fn polynomial(&self) -> Result<Polynomial, SvcError> {
        self.polynomial.clone().ok_or_else(out_of_order)
    }
}

fn out_of_order() -> SvcError {
    SvcError::new(Code::InternalUnexpected).with("message", "a step of a proof out of order")
}
