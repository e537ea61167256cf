//! Lookup argument: inputs and table sorted against each other, and the product that ties them to the originals.

use svc_circuit::constraints::Lookup;
use svc_circuit::shape::{BLINDING_FACTORS, ROWS, UNUSABLE_ROWS, USABLE_ROWS};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_kernels::field::inverse::batch_invert;
use svc_kernels::field::stored::Pair;

use crate::halo2::polynomials::row_expression::Columns;

use crate::halo2::polynomials::row_expression::fold_expressions;
use crate::halo2::polynomials::running_product::running_product;
use crate::halo2::{Column, Fp};

/// A residue by which values are sorted: canonical words, the highest first.
type Key = [u64; 4];

/// A lookup's table for one θ: the same for all actions of a proof.
#[derive(Clone, Debug)]
pub struct FoldedTable {
    /// The folded table by rows.
    rows: Column,
    /// Its different values in ascending order: key, a row that holds it, how many rows do.
    values: Vec<(Key, usize, usize)>,
}

/// A lookup of one action for one θ. Overwritten when dropped, like all columns.
#[derive(Clone, Debug)]
pub struct Permuted {
    /// The folded inputs.
    pub inputs: Column,
    /// The inputs, sorted.
    pub sorted: Column,
    /// The table, so ordered that each different input meets its equal where it first stands.
    pub table: Column,
}

impl FoldedTable {
    /// Folds and sorts the table of a lookup.
    pub fn new(lookup: &Lookup, columns: &Columns<'_>, theta: &Fp) -> Self {
        let rows = fold_expressions(&lookup.table, columns, theta);
        let mut values: Vec<(Key, usize, usize)> = Vec::new();
        for (key, row) in &sorted(&rows).0 {
            match values.last_mut() {
                Some((last, _, count)) if last == key => *count += 1,
                _ => values.push((*key, *row, 1)),
            }
        }
        Self { rows, values }
    }

    /// Sorts the inputs of one action and the table against each other. `draws`: last rows of the sorted inputs, then
    /// of the table.
    ///
    /// Error: `prove/failed` for an input that the table lacks.
    pub fn permute(
        &self,
        lookup: &Lookup,
        columns: &Columns<'_>,
        theta: &Fp,
        draws: &[Fp],
    ) -> Result<Permuted, SvcError> {
        let inputs = fold_expressions(&lookup.inputs, columns, theta);
        let mut ascending = Column::zero();
        let mut table = Column::zero();
        let mut left: Vec<usize> = self.values.iter().map(|(_, _, count)| *count).collect();
        let mut repeated = Vec::with_capacity(USABLE_ROWS);
        let (mut place, mut previous) = (0, None);
        for (row, (key, from)) in sorted(&inputs).0.iter().enumerate() {
            ascending.set(row, &inputs.get(*from));
            if previous == Some(key) {
                repeated.push(row);
                continue;
            }
            previous = Some(key);
            while self
                .values
                .get(place)
                .is_some_and(|(value, _, _)| value < key)
            {
                place += 1;
            }
            match self.values.get(place) {
                Some((value, from, _)) if value == key => table.set(row, &self.rows.get(*from)),
                _ => return Err(refused("a looked up value is not in its table")),
            }
            left[place] -= 1;
        }
        // What is left of the table, ascending, goes to the free rows, the last first.
        for ((_, from, _), count) in self.values.iter().zip(left) {
            let value = self.rows.get(*from);
            for _ in 0..count {
                if let Some(row) = repeated.pop() {
                    table.set(row, &value);
                }
            }
        }
        for (offset, draw) in draws.iter().take(2 * UNUSABLE_ROWS).enumerate() {
            let column = if offset < UNUSABLE_ROWS {
                &mut ascending
            } else {
                &mut table
            };
            column.set(USABLE_ROWS + offset % UNUSABLE_ROWS, draw);
        }
        Ok(Permuted {
            inputs,
            sorted: ascending,
            table,
        })
    }

    /// The product column of a lookup. `draws`: its last rows.
    ///
    /// Row r holds the product over the rows i before it of
    /// (input_i + β)(table_i + γ) / ((sorted_i + β)(permuted table_i + γ)).
    ///
    /// Error: `prove/failed` if the sorted columns are not permutations of the originals.
    pub fn product(
        &self,
        permuted: &Permuted,
        beta: &Fp,
        gamma: &Fp,
        draws: &[Fp],
    ) -> Result<Column, SvcError> {
        let (beta, gamma) = (Pair::new(beta, beta).load(), Pair::new(gamma, gamma).load());
        let mut fractions = Column::zero();
        let pairs = permuted.sorted.pairs().iter().zip(permuted.table.pairs());
        for (fraction, (sorted, table)) in fractions.pairs_mut().iter_mut().zip(pairs) {
            fraction.store(&sorted.load().add(&beta).mul(&table.load().add(&gamma)));
        }
        batch_invert(fractions.pairs_mut());
        let pairs = permuted.inputs.pairs().iter().zip(self.rows.pairs());
        for (fraction, (input, table)) in fractions.pairs_mut().iter_mut().zip(pairs) {
            let numerator = input.load().add(&beta).mul(&table.load().add(&gamma));
            let value = fraction.load().mul(&numerator);
            fraction.store(&value);
        }
        let mut product = running_product(&fractions, &Fp::ONE);
        if product.get(USABLE_ROWS) != Fp::ONE {
            return Err(refused("a lookup does not multiply to one"));
        }
        for (offset, draw) in draws.iter().take(BLINDING_FACTORS).enumerate() {
            product.set(ROWS - BLINDING_FACTORS + offset, draw);
        }
        Ok(product)
    }
}

/// Values with their rows; overwritten when dropped.
struct Keys(Vec<(Key, usize)>);

impl Drop for Keys {
    fn drop(&mut self) {
        self.0.fill(([0; 4], 0));
        core::hint::black_box(&mut self.0);
    }
}

/// The usable rows in ascending order of their values.
fn sorted(rows: &Column) -> Keys {
    let keys = (0..USABLE_ROWS).map(|row| (key(&rows.get(row)), row));
    let mut keys = Keys(keys.collect());
    keys.0.sort_unstable();
    keys
}

fn key(value: &Fp) -> Key {
    let [a, b, c, d] = value.to_words();
    [d, c, b, a]
}

fn refused(reason: &str) -> SvcError {
    SvcError::new(Code::ProveFailed).with("reason", reason)
}
