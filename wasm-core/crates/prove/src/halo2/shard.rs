//! Shard: one worker of the distributed prover, which keeps the keys and the columns of its actions, and does tasks.

pub mod action_input;
pub mod action_state;
pub mod answers;
pub mod task;
pub mod task_size;
pub mod witness;
pub mod witness_inputs;

use std::collections::BTreeMap;
use std::sync::Arc;

use svc_circuit::shape::{FIXED_QUERIES, PERMUTATION_COLUMNS, QUOTIENT_PIECES};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_kernels::curve::{Point, Vesta};

use crate::halo2::arguments::inner_product::{RoundTerms, commit_share};
use crate::halo2::arguments::lookup::FoldedTable;
use crate::halo2::arguments::opening::{CommonPolynomial, Folded};
use crate::halo2::arguments::permutation::PermutationRound;
use crate::halo2::arguments::prepared::Prepared;
use crate::halo2::arguments::round_share::RoundShare;
use crate::halo2::polynomials::of_action::Polynomials;
use crate::halo2::polynomials::polynomial::Powers;
use crate::halo2::polynomials::quotient::{CONSTRAINTS_PER_ACTION, Challenges, QuotientRound};
use crate::halo2::polynomials::row_expression::Columns;
use crate::halo2::shard::action_input::ActionInput;
use crate::halo2::shard::action_state::{ActionState, EvaluationPoints, ProductRound};
use crate::halo2::shard::task::{Task, decode};
use crate::halo2::shard::task_size::answer_size;
use crate::halo2::shard::witness::Witness;
use crate::halo2::wire::points::{
    write_affine, write_column, write_points, write_polynomial, write_scalar,
};
use crate::halo2::wire::randomness::Draws;
use crate::halo2::wire::share::{Share, range};
use crate::halo2::wire::wiped::Wiped;
use crate::halo2::{Column, Fp, Polynomial};

/// A worker of the distributed prover. It proves one bundle at a time.
#[derive(Debug)]
pub struct Shard {
    keys: Arc<Prepared>,
    session: Option<Session>,
}

/// One proof.
#[derive(Debug)]
struct Session {
    draws: Draws,
    actions: BTreeMap<usize, ActionState>,
    /// Of actions that other workers made.
    borrowed: BTreeMap<usize, Polynomials>,
    theta: Option<Fp>,
    tables: Vec<FoldedTable>,
    products: Option<ProductRound>,
    round: Option<(usize, Fp, QuotientRound)>,
    sums: [Option<Column>; QUOTIENT_PIECES],
    argument: Option<RoundShare>,
}

impl Shard {
    /// A worker with the given keys.
    pub fn new(keys: Arc<Prepared>) -> Self {
        Self {
            keys,
            session: None,
        }
    }

    /// Does the tasks of one message in order and gives their answers. After an error the proof is forgotten.
    ///
    /// Errors: those of [`decode`], of [`Witness::of`], `prove/failed` for a witness that satisfies no proof,
    /// `internal/unexpected` for tasks out of order.
    pub fn run(&mut self, message: &[u8]) -> Result<Wiped, SvcError> {
        let answer = self.run_all(message);
        if answer.is_err() {
            self.session = None;
        }
        answer
    }

    /// Drops the proof at hand, for a host that gives it up. A next proof does the same by beginning.
    pub fn forget(&mut self) {
        self.session = None;
    }

    fn run_all(&mut self, message: &[u8]) -> Result<Wiped, SvcError> {
        let tasks = decode(message)?;
        let mut writer = Writer::with_capacity(tasks.iter().map(answer_size).sum());
        for task in tasks {
            match task {
                Task::Begin { seed, actions } => {
                    self.session = Some(Session::new(Draws::new(seed, actions)))
                }
                Task::End => self.session = None,
                task => {
                    let session = self.session.as_mut().ok_or_else(out_of_order)?;
                    session.run(&self.keys, task, &mut writer)?;
                }
            }
        }
        Ok(Wiped::new(writer.into_vec()))
    }
}

impl Session {
    fn new(draws: Draws) -> Self {
        Self {
            draws,
            actions: BTreeMap::new(),
            borrowed: BTreeMap::new(),
            theta: None,
            tables: Vec::new(),
            products: None,
            round: None,
            sums: [const { None }; QUOTIENT_PIECES],
            argument: None,
        }
    }

    fn run(&mut self, keys: &Prepared, task: Task, writer: &mut Writer) -> Result<(), SvcError> {
        match task {
            Task::Witness { share, input } => {
                write_points(writer, &self.witness(keys, share, &input)?)
            }
            Task::Lookups { action, theta } => {
                write_points(writer, &self.lookups(keys, action, theta)?)
            }
            Task::Products {
                action,
                beta,
                gamma,
            } => {
                write_points(writer, &self.products(keys, action, beta, gamma)?);
            }
            Task::Random { part, parts } => {
                write_points(writer, &[self.random(keys, (part, parts))])
            }
            Task::Lend { action } => {
                let state = self.actions.get(&action).ok_or_else(out_of_order)?;
                state.polynomials()?.write(writer);
            }
            Task::Borrow {
                action,
                polynomials,
            } => self.borrow(action, &polynomials)?,
            Task::Quotient { y, units } => self.quotient(keys, y, &units)?,
            Task::Sums => self.hand_out_sums(writer),
            Task::Commit { pieces } => commit_pieces(keys, pieces, writer),
            task => return self.run_late(keys, task, writer),
        }
        Ok(())
    }

    /// [`Session::run`] from the evaluations on.
    fn run_late(
        &mut self,
        keys: &Prepared,
        task: Task,
        writer: &mut Writer,
    ) -> Result<(), SvcError> {
        match task {
            Task::Evaluate { actions, x } => self.evaluate(keys, &actions, &x, writer)?,
            Task::EvaluateFixed { x, part, parts } => {
                let powers = Powers::new(&x);
                for which in
                    &common()[range(FIXED_QUERIES.len() + PERMUTATION_COLUMNS, part, parts)]
                {
                    write_scalar(writer, &powers.evaluate(common_polynomial(keys, *which)));
                }
            }
            Task::Fold {
                x1,
                actions,
                part,
                parts,
            } => self.fold(keys, &x1, &actions, (part, parts), writer)?,
            Task::Opening {
                polynomial,
                part,
                parts,
            } => self.opening(keys, &polynomial, (part, parts), writer),
            Task::Argue {
                polynomial,
                part,
                parts,
            } => self.argument = Some(RoundShare::new(&polynomial, part, parts)),
            Task::Challenge { u, inverse } => self.argument()?.challenge(&u, &inverse)?,
            Task::FoldGenerators => {
                write_affine(
                    writer,
                    &self
                        .argument()?
                        .fold_generators(&keys.tables.coefficients)?,
                );
            }
            Task::SetGenerators { generators } => self.argument()?.set_generators(generators)?,
            Task::Round { terms } => self.round(keys, terms.as_ref(), writer)?,
            _ => return Err(out_of_order()),
        }
        Ok(())
    }

    fn witness(
        &mut self,
        keys: &Prepared,
        share: Share,
        input: &ActionInput,
    ) -> Result<Vec<Point<Vesta>>, SvcError> {
        if share.action >= self.draws.actions() {
            return Err(out_of_order());
        }
        let witness = Witness::of(&keys.chips, &keys.fixed, input, &self.draws, share.action)?;
        let state = ActionState::new(share, witness, &self.draws);
        let points = state.commit_witness(keys)?;
        self.actions.insert(share.action, state);
        Ok(points)
    }

    fn lookups(
        &mut self,
        keys: &Prepared,
        action: usize,
        theta: Fp,
    ) -> Result<Vec<Point<Vesta>>, SvcError> {
        if self.theta != Some(theta) {
            let columns = Columns {
                fixed: &keys.fixed,
                advice: &[],
                instance: &Column::zero(),
            };
            self.tables = keys
                .lookups
                .iter()
                .map(|lookup| FoldedTable::new(lookup, &columns, &theta))
                .collect();
            self.theta = Some(theta);
        }
        let state = self.actions.get_mut(&action).ok_or_else(out_of_order)?;
        state.permute(keys, &self.tables, &theta, &self.draws)
    }

    fn products(
        &mut self,
        keys: &Prepared,
        action: usize,
        beta: Fp,
        gamma: Fp,
    ) -> Result<Vec<Point<Vesta>>, SvcError> {
        let round = match self.products.take() {
            Some(round) if round.beta == beta && round.gamma == gamma => round,
            _ => {
                let permutation =
                    PermutationRound::new(&keys.sigma, &keys.domain.omega(), &beta, &gamma);
                ProductRound {
                    beta,
                    gamma,
                    permutation,
                }
            }
        };
        let state = self.actions.get_mut(&action).ok_or_else(out_of_order)?;
        let points = state.multiply(keys, &self.tables, &round, &self.draws);
        self.products = Some(round);
        points
    }

    fn random(&self, keys: &Prepared, share: (usize, usize)) -> Point<Vesta> {
        let polynomial = Polynomial::from_values(&self.draws.random_polynomial());
        let blind = (share.0 == 0).then(|| self.draws.random_blind());
        commit_share(
            &keys.tables.coefficients,
            &polynomial,
            blind.as_ref(),
            share,
        )
    }

    fn borrow(&mut self, action: usize, bytes: &[u8]) -> Result<(), SvcError> {
        let mut reader = Reader::new(bytes);
        let polynomials = Polynomials::read(&mut reader)?;
        reader.finish()?;
        self.borrowed.insert(action, polynomials);
        Ok(())
    }

    /// Adds each unit to the sum of its coset. With m constraints per action and n actions, action a weighs
    /// y^(m (n − 1 − a)), so that the sums of all workers add up to all constraints folded by y.
    fn quotient(
        &mut self,
        keys: &Prepared,
        y: Fp,
        units: &[(usize, usize)],
    ) -> Result<(), SvcError> {
        let (Some(theta), Some(products)) = (self.theta, &self.products) else {
            return Err(out_of_order());
        };
        let challenges = Challenges {
            theta,
            beta: products.beta,
            gamma: products.gamma,
            y,
        };
        let action_weight = y.pow(&[CONSTRAINTS_PER_ACTION as u64, 0, 0, 0]);
        for (coset, action) in units {
            let polynomials = match self.actions.get(action) {
                Some(state) => state.polynomials()?,
                None => self.borrowed.get(action).ok_or_else(out_of_order)?,
            };
            let behind = self
                .draws
                .actions()
                .checked_sub(1 + action)
                .ok_or_else(out_of_order)?;
            let weight = action_weight.pow(&[behind as u64, 0, 0, 0]);
            let round = match self.round.take() {
                Some((known, at, round)) if known == *coset && at == y => round,
                Some((_, at, round)) if at == y => {
                    round.moved(&keys.quotient, &keys.domain, *coset)?
                }
                _ => QuotientRound::new(&keys.quotient, &keys.domain, &challenges, *coset)?,
            };
            let sum = self.sums.get_mut(*coset).ok_or_else(out_of_order)?;
            let sum = sum.get_or_insert_with(Column::zero);
            round.accumulate(
                &keys.quotient,
                &keys.domain,
                &polynomials.constrained(),
                &weight,
                sum,
            )?;
            self.round = Some((*coset, y, round));
        }
        Ok(())
    }

    fn hand_out_sums(&mut self, writer: &mut Writer) {
        self.round = None;
        self.borrowed.clear();
        let mask = self.sums.iter().enumerate().fold(0, |mask, (coset, sum)| {
            mask | u8::from(sum.is_some()) << coset
        });
        writer.u8(mask);
        for sum in self.sums.iter_mut().filter_map(Option::take) {
            write_column(writer, &sum);
        }
    }

    fn evaluate(
        &self,
        keys: &Prepared,
        actions: &[usize],
        x: &Fp,
        writer: &mut Writer,
    ) -> Result<(), SvcError> {
        let points = EvaluationPoints::new(&keys.domain, x);
        for action in actions {
            let state = self.actions.get(action).ok_or_else(out_of_order)?;
            for value in state.evaluate(&points)?.iter().flatten() {
                write_scalar(writer, value);
            }
        }
        Ok(())
    }

    fn fold(
        &self,
        keys: &Prepared,
        x1: &Fp,
        actions: &[usize],
        share: (usize, usize),
        writer: &mut Writer,
    ) -> Result<(), SvcError> {
        let get = |action: usize, which| {
            self.actions
                .get(&action)
                .ok_or_else(out_of_order)?
                .opened(which)
        };
        let mut folded = keys
            .plan
            .fold_actions(x1, self.draws.actions(), actions, get)?;
        let all = common();
        let mine = &all[range(all.len(), share.0, share.1)];
        let get = |which: CommonPolynomial| {
            mine.contains(&which)
                .then(|| (common_polynomial(keys, which), Fp::ONE))
        };
        folded.add(&keys.plan.fold_common(x1, get)?);
        let Folded {
            polynomials,
            blinds,
        } = &folded;
        polynomials
            .iter()
            .for_each(|polynomial| write_polynomial(writer, polynomial));
        blinds.iter().for_each(|blind| write_scalar(writer, blind));
        Ok(())
    }

    fn opening(
        &self,
        keys: &Prepared,
        polynomial: &Polynomial,
        share: (usize, usize),
        writer: &mut Writer,
    ) {
        let mask = Polynomial::from_values(&self.draws.mask());
        let blinds = (share.0 == 0).then(|| [self.draws.opening_blind(), self.draws.mask_blind()]);
        let [first, second] =
            blinds.map_or([None, None], |[first, second]| [Some(first), Some(second)]);
        let bases = &keys.tables.coefficients;
        let points = [
            commit_share(bases, polynomial, first.as_ref(), share),
            commit_share(bases, &mask, second.as_ref(), share),
        ];
        write_points(writer, &points);
    }

    fn round(
        &mut self,
        keys: &Prepared,
        terms: Option<&RoundTerms>,
        writer: &mut Writer,
    ) -> Result<(), SvcError> {
        let points = self.argument()?.commit(&keys.tables.coefficients, terms)?;
        write_points(writer, &points);
        Ok(())
    }

    fn argument(&mut self) -> Result<&mut RoundShare, SvcError> {
        self.argument.as_mut().ok_or_else(out_of_order)
    }
}

fn commit_pieces(keys: &Prepared, pieces: Vec<(Polynomial, Fp)>, writer: &mut Writer) {
    let commit = |(polynomial, blind): (Polynomial, Fp)| {
        commit_share(&keys.tables.coefficients, &polynomial, Some(&blind), (0, 1))
    };
    write_points(writer, &pieces.into_iter().map(commit).collect::<Vec<_>>());
}

/// The polynomials of the keys that are opened, in the proof's order.
fn common() -> Vec<CommonPolynomial> {
    let fixed = FIXED_QUERIES
        .iter()
        .map(|column| CommonPolynomial::Fixed(*column));
    fixed
        .chain((0..PERMUTATION_COLUMNS).map(CommonPolynomial::Sigma))
        .collect()
}

fn common_polynomial(keys: &Prepared, which: CommonPolynomial) -> &Polynomial {
    match which {
        CommonPolynomial::Fixed(column) => &keys.fixed_polynomials[column],
        CommonPolynomial::Sigma(column) => &keys.sigma_polynomials[column],
        // Those two are the coordinator's; the list above does not hold them.
        CommonPolynomial::Quotient | CommonPolynomial::Random => &keys.fixed_polynomials[0],
    }
}

fn out_of_order() -> SvcError {
    SvcError::new(Code::InternalUnexpected).with("message", "a step of a proof out of order")
}
