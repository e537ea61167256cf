//! State of one action at a shard, from its witness to the opening.

use svc_circuit::shape::{
    ADVICE_COLUMNS, ADVICE_QUERIES, BLINDING_FACTORS, LOOKUPS, PERMUTATION_PRODUCTS, UNUSABLE_ROWS,
};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_kernels::curve::{Point, Vesta};
use svc_kernels::fft::Domain;

use crate::halo2::arguments::lookup::FoldedTable;

use crate::halo2::arguments::lookup::Permuted;
use crate::halo2::arguments::opening::{ActionPolynomial, Blinded};
use crate::halo2::arguments::permutation::PermutationRound;
use crate::halo2::arguments::prepared::Prepared;
use crate::halo2::polynomials::of_action::Polynomials;
use crate::halo2::polynomials::polynomial::Powers;
use crate::halo2::polynomials::row_expression::Columns;
use crate::halo2::shard::witness::Witness;
use crate::halo2::wire::randomness::{Drawn, Draws};
use crate::halo2::wire::share::Share;
use crate::halo2::{Column, Fp, Polynomial};

/// One action of a proof. Everything in it is overwritten when it is dropped.
#[derive(Debug)]
pub struct ActionState {
    share: Share,
    advice_blinds: Drawn,
    /// Of each lookup what [`Draws::permuted`] gives: after the rows the blinds of inputs and table.
    permuted_draws: Vec<Drawn>,
    /// Of each product its last rows and then its blind.
    permutation_draws: Vec<Drawn>,
    /// The same of the lookups' products.
    lookup_draws: Vec<Drawn>,
    stage: Stage,
}

/// The columns: by rows until the products are made, as polynomials from then on.
#[derive(Debug)]
enum Stage {
    Rows {
        witness: Witness,
        permuted: Vec<Permuted>,
    },
    Polynomials(Box<Polynomials>),
}

/// A proof's challenges for the products, with what follows from them for all actions.
#[derive(Debug)]
pub struct ProductRound {
    /// Folds inputs.
    pub beta: Fp,
    /// Folds tables.
    pub gamma: Fp,
    /// The permutation's factors.
    pub permutation: PermutationRound,
}

impl ActionState {
    /// Takes the witness of a share's action over.
    pub fn new(share: Share, witness: Witness, draws: &Draws) -> Self {
        Self {
            share,
            advice_blinds: draws.witness_blinds(share.action),
            permuted_draws: Vec::new(),
            permutation_draws: Vec::new(),
            lookup_draws: Vec::new(),
            stage: Stage::Rows {
                witness,
                permuted: Vec::new(),
            },
        }
    }

    /// The instance commitment if this is part 0, then those of the witness columns of this share.
    pub fn commit_witness(&self, keys: &Prepared) -> Result<Vec<Point<Vesta>>, SvcError> {
        let (witness, _) = self.rows()?;
        let mut points = Vec::new();
        if self.share.part == 0 {
            // Upstream commits to public columns with a blind of one.
            points.push(keys.commit_rows(&witness.instance, &Fp::ONE));
        }
        points.extend(self.commit(keys, witness.advice.iter().zip(self.advice_blinds.iter())));
        Ok(points)
    }

    /// Sorts the lookups and gives this share of: inputs and table of each lookup.
    ///
    /// Errors: those of [`FoldedTable::permute`]; `internal/unexpected` out of order.
    pub fn permute(
        &mut self,
        keys: &Prepared,
        tables: &[FoldedTable],
        theta: &Fp,
        draws: &Draws,
    ) -> Result<Vec<Point<Vesta>>, SvcError> {
        let Stage::Rows { witness, permuted } = &mut self.stage else {
            return Err(out_of_order());
        };
        let columns = columns(keys, witness);
        permuted.clear();
        self.permuted_draws.clear();
        for (index, (lookup, table)) in keys.lookups.iter().zip(tables).enumerate() {
            let draws = draws.permuted(self.share.action, index);
            permuted.push(table.permute(lookup, &columns, theta, &draws)?);
            self.permuted_draws.push(draws);
        }
        let (_, permuted) = self.rows()?;
        let columns = permuted
            .iter()
            .flat_map(|lookup| [&lookup.sorted, &lookup.table]);
        let blinds = self
            .permuted_draws
            .iter()
            .flat_map(|draws| &draws[2 * UNUSABLE_ROWS..]);
        Ok(self.commit(keys, columns.zip(blinds)))
    }

    /// Makes the products, gives this share of: permutation products, lookup products, and turns all columns into
    /// polynomials.
    ///
    /// Errors: those of [`PermutationRound::products`] and [`FoldedTable::product`]; `internal/unexpected` out of
    /// order.
    pub fn multiply(
        &mut self,
        keys: &Prepared,
        tables: &[FoldedTable],
        round: &ProductRound,
        draws: &Draws,
    ) -> Result<Vec<Point<Vesta>>, SvcError> {
        let action = self.share.action;
        let (witness, permuted) = self.rows()?;
        if permuted.len() != LOOKUPS {
            return Err(out_of_order());
        }
        let sets: Vec<Drawn> = (0..PERMUTATION_PRODUCTS)
            .map(|set| draws.permutation_product(action, set))
            .collect();
        let permutation = round.permutation.products(&columns(keys, witness), &sets)?;
        let lookup_draws: Vec<Drawn> = (0..LOOKUPS)
            .map(|index| draws.lookup_product(action, index))
            .collect();
        let mut lookup = Vec::with_capacity(LOOKUPS);
        for ((permuted, table), draws) in permuted.iter().zip(tables).zip(&lookup_draws) {
            lookup.push(table.product(permuted, &round.beta, &round.gamma, draws)?);
        }
        let products = permutation.iter().chain(&lookup);
        let blinds = sets.iter().chain(&lookup_draws);
        let blinds = blinds.map(|draws| &draws[BLINDING_FACTORS]);
        let points = self.commit(keys, products.zip(blinds));
        (self.permutation_draws, self.lookup_draws) = (sets, lookup_draws);
        self.transform(&keys.domain, &permutation, &lookup);
        Ok(points)
    }

    /// All polynomials. Error: `internal/unexpected` before the products.
    pub fn polynomials(&self) -> Result<&Polynomials, SvcError> {
        match &self.stage {
            Stage::Polynomials(all) => Ok(all),
            Stage::Rows { .. } => Err(out_of_order()),
        }
    }

    /// A polynomial with its blind. Error: `internal/unexpected` before the products.
    pub fn opened(&self, which: ActionPolynomial) -> Result<Blinded<'_>, SvcError> {
        let all = self.polynomials()?;
        let found = match which {
            ActionPolynomial::Instance => Some((&all.instance, Fp::ONE)),
            ActionPolynomial::Advice(index) => pick(&all.advice, &self.advice_blinds, index),
            ActionPolynomial::PermutationProduct(index) => {
                pick_product(&all.permutation, &self.permutation_draws, index)
            }
            ActionPolynomial::LookupProduct(index) => {
                pick_product(&all.lookup, &self.lookup_draws, index)
            }
            ActionPolynomial::LookupInput(index) => {
                pick_permuted(&all.sorted, &self.permuted_draws, index, 0)
            }
            ActionPolynomial::LookupTable(index) => {
                pick_permuted(&all.tables, &self.permuted_draws, index, 1)
            }
        };
        found.ok_or_else(out_of_order)
    }

    /// The scalars of the proof that belong to this action: instance, witness columns, permutation products, lookups.
    ///
    /// Error: `internal/unexpected` before the products.
    pub fn evaluate(&self, points: &EvaluationPoints) -> Result<[Vec<Fp>; 4], SvcError> {
        let all = self.polynomials()?;
        let at = |rotation: i32, polynomial: &Polynomial| points.at(rotation).evaluate(polynomial);
        let instance = vec![at(0, &all.instance)];
        let advice = ADVICE_QUERIES
            .iter()
            .map(|query| at(query.rotation, &all.advice[query.column]))
            .collect();
        let mut permutation = Vec::new();
        for (index, product) in all.permutation.iter().enumerate() {
            permutation.push(at(0, product));
            permutation.push(at(1, product));
            if index + 1 < all.permutation.len() {
                permutation.push(at(-(UNUSABLE_ROWS as i32), product));
            }
        }
        let mut lookups = Vec::new();
        for ((product, sorted), table) in all.lookup.iter().zip(&all.sorted).zip(&all.tables) {
            lookups.extend([
                at(0, product),
                at(1, product),
                at(0, sorted),
                at(-1, sorted),
                at(0, table),
            ]);
        }
        Ok([instance, advice, permutation, lookups])
    }

    fn rows(&self) -> Result<(&Witness, &[Permuted]), SvcError> {
        match &self.stage {
            Stage::Rows { witness, permuted } => Ok((witness, permuted)),
            Stage::Polynomials(_) => Err(out_of_order()),
        }
    }

    /// Commits to those of the columns that are this share's.
    fn commit<'a>(
        &self,
        keys: &Prepared,
        columns: impl Iterator<Item = (&'a Column, &'a Fp)>,
    ) -> Vec<Point<Vesta>> {
        let mine = columns
            .enumerate()
            .filter(|(index, _)| self.share.has(*index));
        mine.map(|(_, (column, blind))| keys.commit_rows(column, blind))
            .collect()
    }

    fn transform(&mut self, domain: &Domain, permutation: &[Column], lookup: &[Column]) {
        let Stage::Rows { witness, permuted } = &mut self.stage else {
            return;
        };
        let all = |columns: &[Column]| {
            columns
                .iter()
                .map(|column| domain.rows_to_coefficients(column))
                .collect()
        };
        let polynomials = Polynomials {
            instance: domain.rows_to_coefficients(&witness.instance),
            advice: all(&witness.advice),
            sorted: permuted
                .iter()
                .map(|lookup| domain.rows_to_coefficients(&lookup.sorted))
                .collect(),
            tables: permuted
                .iter()
                .map(|lookup| domain.rows_to_coefficients(&lookup.table))
                .collect(),
            permutation: all(permutation),
            lookup: all(lookup),
        };
        // The columns by rows are dropped here, and overwritten with it.
        self.stage = Stage::Polynomials(Box::new(polynomials));
    }
}

/// The powers of the points at which polynomials are evaluated.
#[derive(Debug)]
pub struct EvaluationPoints {
    here: Powers,
    next: Powers,
    previous: Powers,
    last: Powers,
}

impl EvaluationPoints {
    /// For the challenge x.
    pub fn new(domain: &Domain, x: &Fp) -> Self {
        let powers = |rotation: i32| Powers::new(&domain.rotate(x, rotation));
        Self {
            here: powers(0),
            next: powers(1),
            previous: powers(-1),
            last: powers(-(UNUSABLE_ROWS as i32)),
        }
    }

    fn at(&self, rotation: i32) -> &Powers {
        match rotation {
            0 => &self.here,
            1 => &self.next,
            -1 => &self.previous,
            _ => &self.last,
        }
    }
}

fn columns<'a>(keys: &'a Prepared, witness: &'a Witness) -> Columns<'a> {
    debug_assert_eq!(witness.advice.len(), ADVICE_COLUMNS, "witness columns");
    Columns {
        fixed: &keys.fixed,
        advice: &witness.advice,
        instance: &witness.instance,
    }
}

fn pick<'a>(polynomials: &'a [Polynomial], blinds: &[Fp], index: usize) -> Option<Blinded<'a>> {
    polynomials.get(index).zip(blinds.get(index).copied())
}

fn pick_product<'a>(
    polynomials: &'a [Polynomial],
    draws: &[Drawn],
    index: usize,
) -> Option<Blinded<'a>> {
    let blind = draws.get(index)?.get(BLINDING_FACTORS)?;
    Some((polynomials.get(index)?, *blind))
}

/// `which`: 0 for inputs, 1 for tables.
fn pick_permuted<'a>(
    polynomials: &'a [Polynomial],
    draws: &[Drawn],
    index: usize,
    which: usize,
) -> Option<Blinded<'a>> {
    let blind = draws.get(index)?.get(2 * UNUSABLE_ROWS + which)?;
    Some((polynomials.get(index)?, *blind))
}

fn out_of_order() -> SvcError {
    SvcError::new(Code::InternalUnexpected).with("message", "a step of a proof out of order")
}
