//! Permutation argument: cells that must be equal are tied by three products.

use svc_circuit::mapping::delta;
use svc_circuit::shape::{
    BLINDING_FACTORS, Column as Place, PERMUTATION, PERMUTATION_CHUNK, ROWS, USABLE_ROWS,
};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_kernels::fft::column::PAIRS;
use svc_kernels::field::inverse::batch_invert;
use svc_kernels::field::stored::Pair;

use crate::halo2::polynomials::row_expression::Columns;
use crate::halo2::polynomials::running_product::running_product;
use crate::halo2::wire::randomness::Drawn;
use crate::halo2::{Column, Fp};

/// The factors that do not depend on the action, for one β and γ.
#[derive(Clone, Debug)]
pub struct PermutationRound {
    /// Per column j: β·σ_j + γ.
    targets: Vec<Column>,
    /// Per column j: β·δ^j·ω^row + γ.
    names: Vec<Column>,
}

impl PermutationRound {
    /// From the columns σ, which hold the name of each cell's successor.
    pub fn new(sigma: &[Column], omega: &Fp, beta: &Fp, gamma: &Fp) -> Self {
        let (twice_beta, twice_gamma) =
            (Pair::new(beta, beta).load(), Pair::new(gamma, gamma).load());
        let targets = sigma.iter().map(|column| {
            let mut out = Column::zero();
            for (pair, sigma) in out.pairs_mut().iter_mut().zip(column.pairs()) {
                pair.store(&sigma.load().mul(&twice_beta).add(&twice_gamma).tighten());
            }
            out
        });
        let targets = targets.collect();
        let (step, delta) = (Pair::new(omega, omega).load(), delta());
        let half = omega.pow(&[PAIRS as u64, 0, 0, 0]);
        let mut first = *beta;
        let names = sigma.iter().map(|_| {
            let mut out = Column::zero();
            let mut name = Pair::new(&first, &first.mul(&half)).load();
            for pair in out.pairs_mut() {
                pair.store(&name.add(&twice_gamma).tighten());
                name = name.mul(&step);
            }
            first = first.mul(&delta);
            out
        });
        let names = names.collect();
        Self { targets, names }
    }

    /// The products of one action. `draws`: the last rows of each.
    ///
    /// Row r of the first holds the product over the rows i before it, and over the columns j of its set, of
    /// (value_j + β·δ^j·ωⁱ + γ) / (value_j + β·σ_j + γ); each next begins with what the one before ends with.
    ///
    /// Error: `prove/failed` if cells that must be equal are not.
    pub fn products(
        &self,
        columns: &Columns<'_>,
        draws: &[Drawn],
    ) -> Result<Vec<Column>, SvcError> {
        let mut products = Vec::with_capacity(draws.len());
        let mut first = Fp::ONE;
        let sets = PERMUTATION.chunks(PERMUTATION_CHUNK);
        let factors = self
            .targets
            .chunks(PERMUTATION_CHUNK)
            .zip(self.names.chunks(PERMUTATION_CHUNK));
        for ((set, (targets, names)), draws) in sets.zip(factors).zip(draws) {
            let mut fractions = multiplied(set, targets, columns);
            batch_invert(fractions.pairs_mut());
            let numerators = multiplied(set, names, columns);
            for (fraction, numerator) in fractions.pairs_mut().iter_mut().zip(numerators.pairs()) {
                let value = fraction.load().mul(&numerator.load());
                fraction.store(&value);
            }
            let mut product = running_product(&fractions, &first);
            first = product.get(USABLE_ROWS);
            for (offset, draw) in draws.iter().take(BLINDING_FACTORS).enumerate() {
                product.set(ROWS - BLINDING_FACTORS + offset, draw);
            }
            products.push(product);
        }
        if first == Fp::ONE {
            Ok(products)
        } else {
            Err(refused())
        }
    }
}

/// Row by row, the product over the columns of a set of (value + addend).
fn multiplied(set: &[Place], addends: &[Column], columns: &Columns<'_>) -> Column {
    let mut out = Column::zero();
    for (index, (place, addends)) in set.iter().zip(addends).enumerate() {
        let values = match place {
            Place::Instance => columns.instance,
            Place::Advice(column) => &columns.advice[*column],
            Place::Fixed(column) => &columns.fixed[*column],
        };
        let pairs = values.pairs().iter().zip(addends.pairs());
        for (pair, (value, addend)) in out.pairs_mut().iter_mut().zip(pairs) {
            let sum = value.load().add(&addend.load());
            let product = if index == 0 {
                sum.tighten()
            } else {
                pair.load().mul(&sum)
            };
            pair.store(&product);
        }
    }
    out
}

fn refused() -> SvcError {
    SvcError::new(Code::ProveFailed).with("reason", "cells that must be equal differ")
}
