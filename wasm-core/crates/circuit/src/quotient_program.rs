//! Compiled evaluation of the quotient polynomial's numerator: four straight-line programs.
//!
//! * `scalars`: from the challenges to the constants of a proof (powers of y and the like), on one row;
//! * `selectors`: from the columns that all actions of all proofs share (fixed, permutation, Lagrange) to products of
//!   them, which can be kept;
//! * `round`: from those columns and products to the factors that the terms of an action are multiplied by;
//! * `action`: from the columns of one action and those factors to the action's share of the numerator, times a weight.
//!
//! The same programs run over the rows of a coset (the prover) and at a single point (the verifier).

use svc_kernels::field::stored::{Pair, Single};
use svc_kernels::lanes::modulus::PallasBase;
use svc_kernels::program::Program;
use svc_kernels::program::run::{Frame, Scratch};

use crate::shape::{
    ADVICE_QUERIES, FIXED_COLUMNS, GATES, LOOKUP_EVALUATIONS, LOOKUPS, PERMUTATION_COLUMNS,
    PERMUTATION_EVALUATIONS, PERMUTATION_PRODUCTS, SCALARS_PER_ACTION,
};

/// Challenges in the order of the inputs of `scalars`.
pub const CHALLENGES: usize = 4;
/// Place of θ among the challenges.
pub const THETA: usize = 0;
/// Place of β.
pub const BETA: usize = 1;
/// Place of γ.
pub const GAMMA: usize = 2;
/// Place of y.
pub const Y: usize = 3;
/// Constraints of one action that are folded by powers of y: gates, permutation, lookups.
pub const CONSTRAINTS_PER_ACTION: usize = GATES + (1 + 2 * PERMUTATION_PRODUCTS) + 5 * LOOKUPS;
/// Inputs of `round`.
pub const ROUND_INPUTS: usize = FIXED_COLUMNS + PERMUTATION_COLUMNS + 4;
/// Inputs of `action` before the outputs of `round`: in the order of the scalars of a proof.
pub const ACTION_INPUTS: usize = SCALARS_PER_ACTION;

/// A column that all actions share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundInput {
    /// A fixed column.
    Fixed(usize),
    /// A column of the permutation.
    Permutation(usize),
    /// The point itself.
    Point,
    /// l₀: one on row 0.
    First,
    /// l_last: one on the row after the usable ones.
    Last,
    /// l_blind: one on the blinding rows.
    Blind,
}

/// A column of an action at a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionInput {
    /// The instance column.
    Instance,
    /// A witness column.
    Advice {
        /// Index of the column.
        column: usize,
        /// Rows further down.
        rotation: i32,
    },
    /// A permutation product at rotation 0 or 1.
    PermutationProduct {
        /// Which product.
        set: usize,
        /// Rows further down.
        rotation: i32,
    },
    /// A permutation product (not the last) at the last usable row's rotation.
    PermutationEnd {
        /// Which product.
        set: usize,
    },
    /// A lookup product at rotation 0 or 1.
    LookupProduct {
        /// Which lookup.
        lookup: usize,
        /// Rows further down.
        rotation: i32,
    },
    /// A permuted lookup input at rotation 0 or −1.
    LookupInput {
        /// Which lookup.
        lookup: usize,
        /// Rows further down.
        rotation: i32,
    },
    /// A permuted lookup table.
    LookupTable {
        /// Which lookup.
        lookup: usize,
    },
}

/// The place of a shared column among the inputs of `round`; none if there is no such column.
pub fn round_input(input: RoundInput) -> Option<usize> {
    let after = FIXED_COLUMNS + PERMUTATION_COLUMNS;
    match input {
        RoundInput::Fixed(column) => (column < FIXED_COLUMNS).then_some(column),
        RoundInput::Permutation(column) => {
            (column < PERMUTATION_COLUMNS).then_some(FIXED_COLUMNS + column)
        }
        RoundInput::Point => Some(after),
        RoundInput::First => Some(after + 1),
        RoundInput::Last => Some(after + 2),
        RoundInput::Blind => Some(after + 3),
    }
}

/// The place of an action's column at a rotation among the inputs of `action`, which are in the order of the proof's
/// scalars of one action: instance, advice queries, permutation products, lookups; none if it is not opened there.
pub fn action_input(input: ActionInput) -> Option<usize> {
    (0..ACTION_INPUTS).find(|index| action_query(*index) == Some(input))
}

/// What place `index` of the inputs of `action` holds; none from [`ACTION_INPUTS`] on.
pub fn action_query(index: usize) -> Option<ActionInput> {
    let Some(index) = index.checked_sub(1) else {
        return Some(ActionInput::Instance);
    };
    if let Some(query) = ADVICE_QUERIES.get(index) {
        return Some(ActionInput::Advice {
            column: query.column,
            rotation: query.rotation,
        });
    }
    let index = index - ADVICE_QUERIES.len();
    if index < PERMUTATION_EVALUATIONS {
        let set = index / 3;
        return Some(match index % 3 {
            2 => ActionInput::PermutationEnd { set },
            rotation => ActionInput::PermutationProduct {
                set,
                rotation: rotation as i32,
            },
        });
    }
    let index = index - PERMUTATION_EVALUATIONS;
    let lookup = index / LOOKUP_EVALUATIONS;
    if lookup >= LOOKUPS {
        return None;
    }
    Some(match index % LOOKUP_EVALUATIONS {
        0 => ActionInput::LookupProduct {
            lookup,
            rotation: 0,
        },
        1 => ActionInput::LookupProduct {
            lookup,
            rotation: 1,
        },
        2 => ActionInput::LookupInput {
            lookup,
            rotation: 0,
        },
        3 => ActionInput::LookupInput {
            lookup,
            rotation: -1,
        },
        _ => ActionInput::LookupTable { lookup },
    })
}

type Value = Single<PallasBase>;
type Cell = Pair<PallasBase>;

/// The programs, checked against each other.
#[derive(Clone, Debug)]
pub struct QuotientProgram {
    scalars: Program,
    selectors: Program,
    round: Program,
    action: Program,
}

impl QuotientProgram {
    /// From programs whose inputs and outputs fit together; none otherwise.
    pub fn new(
        scalars: Program,
        selectors: Program,
        round: Program,
        action: Program,
    ) -> Option<Self> {
        let fits = scalars.columns() == CHALLENGES
            && scalars.scalars() == 0
            && selectors.columns() == ROUND_INPUTS
            && selectors.scalars() == 0
            && round.columns() == ROUND_INPUTS + selectors.outputs()
            && round.scalars() == scalars.outputs()
            && action.columns() == ACTION_INPUTS + round.outputs()
            && action.scalars() == scalars.outputs() + 1
            && action.outputs() == 1;
        fits.then_some(Self {
            scalars,
            selectors,
            round,
            action,
        })
    }

    /// From the challenges to the constants of a proof.
    pub fn scalars(&self) -> &Program {
        &self.scalars
    }

    /// From the shared columns to products of them that do not depend on the challenges.
    pub fn selectors(&self) -> &Program {
        &self.selectors
    }

    /// From the shared columns, then the products, to the factors of an action's terms.
    pub fn round(&self) -> &Program {
        &self.round
    }

    /// From an action's columns, then the factors, to its share; the last scalar is its weight.
    pub fn action(&self) -> &Program {
        &self.action
    }

    /// The programs, each behind its length in four little-endian bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for program in [&self.scalars, &self.selectors, &self.round, &self.action] {
            let bytes = program.to_bytes();
            out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
            out.extend_from_slice(&bytes);
        }
        out
    }

    /// The inverse of [`QuotientProgram::to_bytes`]; none for anything else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let mut next = || {
            let (length, tail) = rest.split_first_chunk::<4>()?;
            let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
            let (program, tail) = tail.split_at_checked(length)?;
            rest = tail;
            Program::from_bytes(program)
        };
        let [scalars, selectors, round, action] = [next()?, next()?, next()?, next()?];
        if rest.is_empty() {
            Self::new(scalars, selectors, round, action)
        } else {
            None
        }
    }

    /// The constants of a proof with these challenges, the same in both lanes.
    pub fn constants(&self, challenges: &[Value; CHALLENGES]) -> Option<Vec<Cell>> {
        run_once(
            &self.scalars,
            &challenges.map(|value| Pair::new(&value, &value)),
            &[],
        )
    }

    /// Σ over the actions of y^(C·(actions − 1 − i)) · (fold of the constraints of action i), at one point.
    ///
    /// `shared` holds the values of [`ROUND_INPUTS`] at the point, every item of `actions` those of
    /// [`ACTION_INPUTS`]: the action's scalars in the order of the proof. None never happens with a sound program.
    pub fn at_point(
        &self,
        challenges: &[Value; CHALLENGES],
        shared: &[Value; ROUND_INPUTS],
        actions: &[[Value; ACTION_INPUTS]],
    ) -> Option<Value> {
        let mut constants = self.constants(challenges)?;
        let mut shared = shared.map(|value| Pair::new(&value, &value)).to_vec();
        shared.extend(run_once(&self.selectors, &shared, &[])?);
        let factors = run_once(&self.round, &shared, &constants)?;
        // Every weight is applied outside, so that two actions can share a pass.
        constants.push(Pair::new(&Single::ONE, &Single::ONE));
        let step = challenges[Y].pow(&[CONSTRAINTS_PER_ACTION as u64, 0, 0, 0]);
        let mut sum = Value::ZERO;
        for pair in actions.chunks(2) {
            let (first, last) = (pair.first()?, pair.last()?);
            let mut columns: Vec<Cell> = first
                .iter()
                .zip(last)
                .map(|(a, b)| Pair::new(a, b))
                .collect();
            columns.extend_from_slice(&factors);
            let folded = run_once(&self.action, &columns, &constants)?;
            for lane in 0..pair.len() {
                sum = sum.mul(&step).add(&folded.first()?.get(lane));
            }
        }
        Some(sum)
    }
}

/// Runs a program on one row.
fn run_once(program: &Program, columns: &[Cell], scalars: &[Cell]) -> Option<Vec<Cell>> {
    let mut outputs = vec![Pair::ZERO; program.outputs()];
    let columns: Vec<&[Cell]> = columns.iter().map(core::slice::from_ref).collect();
    let mut places: Vec<&mut [Cell]> = outputs.iter_mut().map(core::slice::from_mut).collect();
    let mut frame = Frame {
        columns: &columns,
        scalars,
        outputs: &mut places,
    };
    program
        .run(1, &mut frame, &mut Scratch::new(program, 1))
        .then_some(outputs)
}
