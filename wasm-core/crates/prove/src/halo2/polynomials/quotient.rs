//! Quotient polynomial evaluation on the cosets: all constraints of an action, folded by y, over Xⁿ − 1.

use core::fmt;
use std::sync::OnceLock;

use svc_circuit::assets::Assets;
use svc_circuit::quotient_program::{
    ACTION_INPUTS, ActionInput, QuotientProgram, ROUND_INPUTS, RoundInput, action_query,
    round_input,
};
use svc_circuit::shape::{BLINDING_FACTORS, LOOKUPS, ROWS, USABLE_ROWS};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_kernels::fft::column::PAIRS;
use svc_kernels::fft::{COSETS, Domain};
use svc_kernels::field::stored::Pair;
use svc_kernels::lanes::modulus::PallasBase;
use svc_kernels::program::Program;
use svc_kernels::program::run::{Frame, Scratch};

use crate::halo2::{Column, Fp, Polynomial};

pub use svc_circuit::quotient_program::CONSTRAINTS_PER_ACTION;

type Cell = Pair<PallasBase>;

/// Pairs of rows a program works on at a time: its registers stay in the second-level cache.
const BLOCK: usize = 32;
/// Rows a query may lie above: the last usable row of a permutation product, seen from row 0.
const ABOVE: usize = ROWS - USABLE_ROWS;
/// Rows a query may lie below.
const BELOW: usize = 1;

/// The challenges the constraints depend on.
#[derive(Clone, Copy, Debug)]
pub struct Challenges {
    /// Folds the expressions of a lookup.
    pub theta: Fp,
    /// Factor of the names of cells; added to lookup inputs.
    pub beta: Fp,
    /// Added to cells; added to lookup tables.
    pub gamma: Fp,
    /// Folds the constraints.
    pub y: Fp,
}

/// The polynomials of one action.
#[derive(Clone, Copy, Debug)]
pub struct ActionPolynomials<'a> {
    /// The public inputs.
    pub instance: &'a Polynomial,
    /// The witness columns.
    pub advice: &'a [Polynomial],
    /// The permutation products.
    pub permutation: &'a [Polynomial],
    /// The permuted inputs of the lookups.
    pub lookup_inputs: &'a [Polynomial],
    /// The permuted tables.
    pub lookup_tables: &'a [Polynomial],
    /// The lookup products.
    pub lookup_products: &'a [Polynomial],
}

/// Key material of the quotient: the compiled constraints and the shared columns (3.5 MB, and 7 MB more for every
/// coset that was asked for).
pub struct QuotientKey {
    program: QuotientProgram,
    /// In the order of the inputs of the program for the selectors.
    polynomials: Vec<Polynomial>,
    /// The inputs of the round program; empty where it does not read one.
    cosets: [OnceLock<Option<Vec<Vec<Cell>>>>; COSETS],
}

impl QuotientKey {
    /// From the fixed columns and the columns of the permutation as polynomials. Error: `internal/unexpected` when
    /// there are not as many as the circuit has.
    pub fn build(
        assets: &Assets,
        domain: &Domain,
        fixed: &[Polynomial],
        permutation: &[Polynomial],
    ) -> Result<Self, SvcError> {
        Self::new(assets.program.clone(), domain, fixed, permutation)
    }

    /// [`QuotientKey::build`] from a program.
    pub fn new(
        program: QuotientProgram,
        domain: &Domain,
        fixed: &[Polynomial],
        permutation: &[Polynomial],
    ) -> Result<Self, SvcError> {
        let ones = |rows: core::ops::Range<usize>| {
            let mut column = Column::zero();
            rows.for_each(|row| column.set(row, &Fp::ONE));
            domain.rows_to_coefficients(&column)
        };
        let mut polynomials = [fixed, permutation].concat();
        if Some(polynomials.len()) != round_input(RoundInput::Point) {
            return Err(misfit());
        }
        polynomials.push(Polynomial::from_values(&[Fp::ZERO, Fp::ONE]));
        polynomials.push(ones(0..1));
        polynomials.push(ones(USABLE_ROWS..USABLE_ROWS + 1));
        polynomials.push(ones(ROWS - BLINDING_FACTORS..ROWS));
        Ok(Self {
            program,
            polynomials,
            cosets: [const { OnceLock::new() }; COSETS],
        })
    }

    /// What the round program reads on a coset; made the first time it is asked for.
    fn columns(&self, domain: &Domain, coset: usize) -> Result<&[Vec<Cell>], SvcError> {
        self.cosets[coset]
            .get_or_init(|| self.make_columns(domain, coset).ok())
            .as_deref()
            .ok_or_else(misfit)
    }

    fn make_columns(&self, domain: &Domain, coset: usize) -> Result<Vec<Vec<Cell>>, SvcError> {
        let program = self.program.selectors();
        let mut columns: Vec<Vec<Cell>> =
            vec![vec![Pair::ZERO; PAIRS]; ROUND_INPUTS + program.outputs()];
        let (shared, products) = columns.split_at_mut(ROUND_INPUTS);
        for (polynomial, column) in self.polynomials.iter().zip(&mut *shared) {
            domain.coefficients_to_coset_pairs(polynomial, coset, column);
        }
        let shared: Vec<&[Cell]> = shared.iter().map(Vec::as_slice).collect();
        let mut products: Vec<&mut [Cell]> = products.iter_mut().map(Vec::as_mut_slice).collect();
        let mut scratch = Scratch::new(program, BLOCK);
        for start in (0..PAIRS).step_by(BLOCK) {
            let inputs = blocks(&shared, start);
            let mut outputs = blocks_mut(&mut products, start);
            run(program, &inputs, &[], &mut outputs, &mut scratch)?;
        }
        for (column, read) in columns.iter_mut().zip(self.program.round().columns_read()) {
            if !read {
                *column = Vec::new();
            }
        }
        Ok(columns)
    }
}

/// The cells of a block of every column; zeros for a column without cells.
fn blocks<'a, C: AsRef<[Cell]>>(columns: &'a [C], start: usize) -> Vec<&'a [Cell]> {
    const NOTHING: [Cell; BLOCK] = [Pair::ZERO; BLOCK];
    let block = |column: &'a C| {
        column
            .as_ref()
            .get(start..start + BLOCK)
            .unwrap_or(&NOTHING)
    };
    columns.iter().map(block).collect()
}

fn blocks_mut<'a>(columns: &'a mut [&mut [Cell]], start: usize) -> Vec<&'a mut [Cell]> {
    columns
        .iter_mut()
        .map(|column| &mut column[start..start + BLOCK])
        .collect()
}

impl fmt::Debug for QuotientKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("QuotientKey(..)")
    }
}

/// The part of the quotient that all actions of one proof share on one coset: the factors of the terms of an action.
/// About 15 MB, nothing of it secret.
pub struct QuotientRound {
    coset: usize,
    constants: Vec<Cell>,
    factors: Vec<Vec<Cell>>,
}

impl fmt::Debug for QuotientRound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "QuotientRound(coset {})", self.coset)
    }
}

impl QuotientRound {
    /// Computes the factors. Error: `internal/unexpected` for a coset that is not one of the eight.
    pub fn new(
        key: &QuotientKey,
        domain: &Domain,
        challenges: &Challenges,
        coset: usize,
    ) -> Result<Self, SvcError> {
        let Challenges {
            theta,
            beta,
            gamma,
            y,
        } = *challenges;
        let constants = key
            .program
            .constants(&[theta, beta, gamma, y])
            .ok_or_else(misfit)?;
        let outputs = key.program.round().outputs();
        let round = Self {
            coset,
            constants,
            factors: vec![vec![Pair::ZERO; PAIRS]; outputs],
        };
        round.moved(key, domain, coset)
    }

    /// The same challenges on another coset, in the memory of this one. Errors: those of [`QuotientRound::new`].
    pub fn moved(
        mut self,
        key: &QuotientKey,
        domain: &Domain,
        coset: usize,
    ) -> Result<Self, SvcError> {
        if coset >= COSETS {
            return Err(misfit());
        }
        self.coset = coset;
        let program = key.program.round();
        let columns = key.columns(domain, coset)?;
        let mut scratch = Scratch::new(program, BLOCK);
        for start in (0..PAIRS).step_by(BLOCK) {
            let inputs = blocks(columns, start);
            let mut outputs: Vec<&mut [Cell]> = self
                .factors
                .iter_mut()
                .map(|column| &mut column[start..start + BLOCK])
                .collect();
            run(
                program,
                &inputs,
                &self.constants,
                &mut outputs,
                &mut scratch,
            )?;
        }
        Ok(self)
    }

    /// Adds `weight` · (all constraints of the action folded by y) / (Xⁿ − 1) on this coset to `sum`. With the weight
    /// y^([`CONSTRAINTS_PER_ACTION`] · (actions after this one)) the sum over all actions is the whole quotient.
    /// Error: `internal/unexpected` when the action has not the polynomials of the circuit.
    pub fn accumulate(
        &self,
        key: &QuotientKey,
        domain: &Domain,
        action: &ActionPolynomials<'_>,
        weight: &Fp,
        sum: &mut Column,
    ) -> Result<(), SvcError> {
        let program = key.program.action();
        let mut queries = Queries::new(domain, self.coset, action)?;
        let weight = weight.mul(&domain.vanishing_inverse(self.coset));
        let mut scalars = self.constants.clone();
        scalars.push(Pair::new(&weight, &weight));
        let mut scratch = Scratch::new(program, BLOCK);
        let mut share = [Pair::ZERO; BLOCK];
        let mut inputs: Vec<&[Cell]> = Vec::with_capacity(ACTION_INPUTS + self.factors.len());
        let mut result = Ok(());
        for start in (0..PAIRS).step_by(BLOCK) {
            inputs.clear();
            inputs.extend(queries.block(start));
            inputs.extend(
                self.factors
                    .iter()
                    .map(|column| &column[start..start + BLOCK]),
            );
            result = result.and(run(
                program,
                &inputs,
                &scalars,
                &mut [&mut share],
                &mut scratch,
            ));
            for (cell, more) in sum.pairs_mut()[start..start + BLOCK].iter_mut().zip(&share) {
                let total = cell.load().add(&more.load()).tighten();
                cell.store(&total);
            }
        }
        drop(inputs);
        scratch.clear();
        queries.clear();
        result
    }
}

/// The columns of an action on a coset, with the rows that queries reach for beyond either end.
struct Queries {
    columns: Vec<Vec<Cell>>,
    /// For every input of the action program: column and where row 0 is.
    places: Vec<(usize, usize)>,
}

impl Queries {
    fn new(
        domain: &Domain,
        coset: usize,
        action: &ActionPolynomials<'_>,
    ) -> Result<Self, SvcError> {
        let groups = [
            core::slice::from_ref(action.instance),
            action.advice,
            action.permutation,
            action.lookup_inputs,
            action.lookup_tables,
            action.lookup_products,
        ];
        let mut first = [0; 6];
        let mut columns = Vec::new();
        for (start, group) in first.iter_mut().zip(groups) {
            *start = columns.len();
            columns.extend(
                group
                    .iter()
                    .map(|polynomial| padded(domain, coset, polynomial)),
            );
        }
        let lengths = groups.map(<[Polynomial]>::len);
        let mut places = Vec::with_capacity(ACTION_INPUTS);
        for query in (0..ACTION_INPUTS).map_while(action_query) {
            let (group, index, rotation) = match query {
                ActionInput::Instance => (0, 0, 0),
                ActionInput::Advice { column, rotation } => (1, column, rotation),
                ActionInput::PermutationProduct { set, rotation } => (2, set, rotation),
                ActionInput::PermutationEnd { set } => (2, set, -(ABOVE as i32)),
                ActionInput::LookupInput { lookup, rotation } => (3, lookup, rotation),
                ActionInput::LookupTable { lookup } => (4, lookup, 0),
                ActionInput::LookupProduct { lookup, rotation } => (5, lookup, rotation),
            };
            let row = ABOVE
                .checked_add_signed(rotation as isize)
                .filter(|row| *row <= ABOVE + BELOW);
            let Some(row) = row.filter(|_| index < lengths[group]) else {
                return Err(misfit());
            };
            places.push((first[group] + index, row));
        }
        debug_assert_eq!(lengths[5], LOOKUPS);
        Ok(Self { columns, places })
    }

    /// The rows from `start` on of every input.
    fn block(&self, start: usize) -> impl Iterator<Item = &[Cell]> {
        self.places
            .iter()
            .map(move |(column, row)| &self.columns[*column][row + start..][..BLOCK])
    }

    /// Overwrites the columns, which hold secrets.
    fn clear(&mut self) {
        for column in &mut self.columns {
            column.fill(Pair::ZERO);
        }
        core::hint::black_box(&mut self.columns);
    }
}

/// A polynomial's values on a coset, [`ABOVE`] rows before row 0 and [`BELOW`] after the last: around the end of the
/// pairs the next row is the first pair with its lanes exchanged.
fn padded(domain: &Domain, coset: usize, polynomial: &Polynomial) -> Vec<Cell> {
    let mut cells = vec![Pair::ZERO; ABOVE + PAIRS + BELOW];
    domain.coefficients_to_coset_pairs(polynomial, coset, &mut cells[ABOVE..ABOVE + PAIRS]);
    let exchanged = |cell: Cell| Pair::new(&cell.get(1), &cell.get(0));
    for row in 0..ABOVE {
        cells[row] = exchanged(cells[row + PAIRS]);
    }
    for row in ABOVE + PAIRS..cells.len() {
        cells[row] = exchanged(cells[row - PAIRS]);
    }
    cells
}

fn run(
    program: &Program,
    columns: &[&[Cell]],
    scalars: &[Cell],
    outputs: &mut [&mut [Cell]],
    scratch: &mut Scratch,
) -> Result<(), SvcError> {
    let mut frame = Frame {
        columns,
        scalars,
        outputs,
    };
    if program.run(BLOCK, &mut frame, scratch) {
        Ok(())
    } else {
        Err(misfit())
    }
}

fn misfit() -> SvcError {
    SvcError::new(Code::InternalUnexpected)
        .with("message", "columns that are not those of the circuit")
}
