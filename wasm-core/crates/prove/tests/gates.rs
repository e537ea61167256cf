//! A witness cell that no copy and no lookup ties, changed: only a gate can notice, and the quotient must.
//!
//! One cell each of three witness columns, or of all with `SVC_TEST_SIZE=full`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::LazyLock;

use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use svc_circuit::assets::Assets;
use svc_circuit::expression::{Cells, Expression};
use svc_circuit::quotient_program::{ACTION_INPUTS, ROUND_INPUTS};
use svc_circuit::shape::{ADVICE_COLUMNS, BLINDING_FACTORS, ROWS, USABLE_ROWS};
use svc_kernels::fft::COSETS;
use svc_prove::halo2::arguments::lookup::FoldedTable;
use svc_prove::halo2::arguments::permutation::PermutationRound;
use svc_prove::halo2::arguments::prepared::Prepared;
use svc_prove::halo2::polynomials::polynomial::evaluate;
use svc_prove::halo2::polynomials::quotient::{Challenges, QuotientRound};
use svc_prove::halo2::polynomials::row_expression::Columns;
use svc_prove::halo2::shard::action_input::ActionInput;
use svc_prove::halo2::shard::action_state::{ActionState, EvaluationPoints, ProductRound};
use svc_prove::halo2::shard::witness::Witness;
use svc_prove::halo2::wire::randomness::Draws;
use svc_prove::halo2::wire::share::Share;
use svc_prove::halo2::{Column, Fp, Polynomial};
use svc_prove::plan::read_plan;
use svc_shielded::secret::Secret32;

use crate::support::{Wallet, intended, plan};

struct Keyed {
    assets: Assets,
    keys: Prepared,
}

static KEYED: LazyLock<Keyed> = LazyLock::new(|| {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../assets/action-circuit.bin"
    );
    let assets = Assets::decode(&std::fs::read(path).unwrap()).unwrap();
    let keys = Prepared::build(&assets).unwrap();
    Keyed { assets, keys }
});

fn draws() -> Draws {
    Draws::new(Secret32::new([21; 32]), 1)
}

/// The witness of the real spend of a payment.
fn witness() -> Witness {
    let wallet = Wallet::new("simnet", 100_000);
    let request = read_plan(&plan(&wallet, &[intended(600, b"one")], 1_000).to_string()).unwrap();
    let bundle = request.build(&mut ChaCha20Rng::from_seed([5; 32])).unwrap();
    let spends = bundle
        .actions()
        .iter()
        .position(|action| action.spend().value().unwrap().inner() > 0);
    let input = ActionInput::of_bundle(&bundle)
        .unwrap()
        .remove(spends.unwrap());
    let keys = &KEYED.keys;
    Witness::of(&keys.chips, &keys.fixed, &input, &draws(), 0).unwrap()
}

/// The columns around one row.
struct Row<'a>(&'a Witness, usize);

impl Row<'_> {
    fn at(&self, rotation: i32) -> usize {
        (self.1 as i32 + rotation).rem_euclid(ROWS as i32) as usize
    }
}

impl Cells for Row<'_> {
    fn fixed(&self, column: usize, rotation: i32) -> Fp {
        KEYED.keys.fixed[column].get(self.at(rotation))
    }
    fn advice(&self, column: usize, rotation: i32) -> Fp {
        self.0.advice[column].get(self.at(rotation))
    }
    fn instance(&self, _: usize, rotation: i32) -> Fp {
        self.0.instance.get(self.at(rotation))
    }
}

fn flip(witness: &mut Witness, (column, row): (usize, usize), by: &Fp) {
    let value = witness.advice[column].get(row).add(by);
    witness.advice[column].set(row, &value);
}

/// The values of expressions on the rows that look at `row`.
fn values<'a>(
    witness: &Witness,
    row: usize,
    expressions: impl Iterator<Item = &'a Expression> + Clone,
) -> Vec<Fp> {
    let rows = row.saturating_sub(1)..(row + 2).min(USABLE_ROWS);
    rows.flat_map(|row| {
        let cells = Row(witness, row);
        expressions
            .clone()
            .map(move |expression| expression.evaluate(&cells))
            .collect::<Vec<_>>()
    })
    .collect()
}

/// A cell of the column that copies and lookups leave alone and of which a gate, written out, says it is wrong when
/// changed: the first from a row on.
fn tied_by_gates_alone(
    witness: &mut Witness,
    column: usize,
    from: usize,
) -> Option<(usize, usize)> {
    let Assets {
        constraints,
        mapping,
        ..
    } = &KEYED.assets;
    let inputs = constraints.lookups.iter().flat_map(|lookup| &lookup.inputs);
    (from..USABLE_ROWS).map(|row| (column, row)).find(|cell| {
        let row = cell.1;
        // Witness columns follow the instance column in the permutation.
        if mapping.next(column + 1, row) != Some((column + 1) * ROWS + row) {
            return false;
        }
        let before = values(witness, row, inputs.clone());
        flip(witness, *cell, &Fp::ONE);
        let is_looked_up = values(witness, row, inputs.clone()) != before;
        let is_wrong = values(witness, row, constraints.gates.iter())
            .iter()
            .any(|value| !value.is_zero());
        flip(witness, *cell, &Fp::ONE.neg());
        is_wrong && !is_looked_up
    })
}

/// The challenges of a proof, the same for all here.
struct Round {
    challenges: Challenges,
    tables: Vec<FoldedTable>,
    products: ProductRound,
    quotients: Vec<QuotientRound>,
}

impl Round {
    fn new() -> Self {
        let keys = &KEYED.keys;
        let [theta, beta, gamma, y] = [31, 32, 33, 34].map(|seed| Fp::from_u64(seed).invert());
        let challenges = Challenges {
            theta,
            beta,
            gamma,
            y,
        };
        let columns = Columns {
            fixed: &keys.fixed,
            advice: &[],
            instance: &Column::zero(),
        };
        let omega = keys.domain.omega();
        Self {
            challenges,
            tables: keys
                .lookups
                .iter()
                .map(|lookup| FoldedTable::new(lookup, &columns, &theta))
                .collect(),
            products: ProductRound {
                beta,
                gamma,
                permutation: PermutationRound::new(&keys.sigma, &omega, &beta, &gamma),
            },
            quotients: (0..COSETS)
                .map(|coset| {
                    QuotientRound::new(&keys.quotient, &keys.domain, &challenges, coset).unwrap()
                })
                .collect(),
        }
    }

    /// Whether what the prover takes for the quotient of all constraints by Xⁿ − 1 is that, at a point.
    fn divides(&self, witness: Witness) -> bool {
        let keys = &KEYED.keys;
        let (share, draws) = (
            Share {
                action: 0,
                part: 0,
                parts: 1,
            },
            draws(),
        );
        let mut state = ActionState::new(share, witness, &draws);
        let Challenges {
            theta,
            beta,
            gamma,
            y,
        } = self.challenges;
        state.permute(keys, &self.tables, &theta, &draws).unwrap();
        state
            .multiply(keys, &self.tables, &self.products, &draws)
            .unwrap();
        let mut cosets: [Column; COSETS] = core::array::from_fn(|_| Column::zero());
        for (round, sum) in self.quotients.iter().zip(&mut cosets) {
            let action = state.polynomials().unwrap().constrained();
            round
                .accumulate(&keys.quotient, &keys.domain, &action, &Fp::ONE, sum)
                .unwrap();
        }
        let x = Fp::from_u64(1_000_003).invert();
        let x_to_rows = x.pow(&[ROWS as u64, 0, 0, 0]);
        let pieces = keys.domain.cosets_to_coefficients(cosets);
        let quotient = pieces.iter().rev().fold(Fp::ZERO, |sum, piece| {
            sum.mul(&x_to_rows).add(&evaluate(piece, &x))
        });
        let action: Vec<Fp> = state
            .evaluate(&EvaluationPoints::new(&keys.domain, &x))
            .unwrap()
            .concat();
        let action: [Fp; ACTION_INPUTS] = action.try_into().unwrap();
        let numerator = KEYED
            .assets
            .program
            .at_point(&[theta, beta, gamma, y], &shared(&x), &[action])
            .unwrap();
        quotient.mul(&x_to_rows.sub(&Fp::ONE)) == numerator
    }
}

/// The values at a point of what all actions share.
fn shared(x: &Fp) -> [Fp; ROUND_INPUTS] {
    let keys = &KEYED.keys;
    let ones = |rows: core::ops::Range<usize>| {
        let mut column = Column::zero();
        rows.for_each(|row| column.set(row, &Fp::ONE));
        evaluate(&keys.domain.rows_to_coefficients(&column), x)
    };
    let at = |polynomials: &[Polynomial]| -> Vec<Fp> {
        polynomials
            .iter()
            .map(|polynomial| evaluate(polynomial, x))
            .collect()
    };
    let mut values = at(&keys.fixed_polynomials);
    values.extend(at(&keys.sigma_polynomials));
    values.push(*x);
    values.push(ones(0..1));
    values.push(ones(USABLE_ROWS..USABLE_ROWS + 1));
    values.push(ones(ROWS - BLINDING_FACTORS..ROWS));
    values.try_into().unwrap()
}

#[test]
fn a_cell_that_only_gates_tie_is_noticed_by_the_quotient() {
    let round = Round::new();
    assert!(round.divides(witness()), "the witness as it is");
    let full = std::env::var("SVC_TEST_SIZE").is_ok_and(|size| size == "full");
    let (step, least) = if full { (1, 8) } else { (4, 3) };
    let mut tried = 0;
    for column in (0..ADVICE_COLUMNS).step_by(step) {
        let mut changed = witness();
        // Somewhere else in every column, so that many regions have their turn.
        let Some(cell) = tied_by_gates_alone(&mut changed, column, 97 * column)
            .or_else(|| tied_by_gates_alone(&mut changed, column, 0))
        else {
            continue;
        };
        println!("witness column {}, row {}", cell.0, cell.1);
        flip(&mut changed, cell, &Fp::ONE);
        assert!(!round.divides(changed), "column {}, row {}", cell.0, cell.1);
        tried += 1;
    }
    assert!(tried >= least, "{tried} columns have such a cell");
}
