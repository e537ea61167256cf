//! Verifier's evaluation of the permutation and lookup arguments: their constraints at the point x.

use svc_circuit::shape::{
    BLINDING_FACTORS, LOOKUPS, PERMUTATION, PERMUTATION_CHUNK, PERMUTATION_PRODUCTS,
};

use crate::challenges::Challenges;
use crate::domain_values::{DomainValues, LAGRANGE_POINTS, Value};
use crate::evaluations::{Evaluations, LookupValues};

/// Constraints of the permutation and the lookups, per action.
pub const ARGUMENT_CONSTRAINTS: usize =
    2 + (PERMUTATION_PRODUCTS - 1) + PERMUTATION_PRODUCTS + 5 * LOOKUPS;

/// Lagrange polynomials at x.
#[derive(Clone, Copy, Debug)]
pub struct RowValues {
    /// Of the first row.
    pub first: Value,
    /// Of the last row of the products.
    pub last: Value,
    /// One less those of the last and the blinding rows: where constraints hold.
    pub active: Value,
}

impl RowValues {
    /// From xⁿ − 1 and the inverses of x − ωⁱ for i from −6 to 0: Lᵢ(x) = ωⁱ (xⁿ − 1) / (n (x − ωⁱ)).
    pub fn new(
        domain: &DomainValues,
        vanishing: &Value,
        inverses: &[Value; LAGRANGE_POINTS],
    ) -> Self {
        let factor = vanishing.mul(&domain.rows_inverse);
        let lagrange =
            |index: usize| -> Value { factor.mul(&domain.ends[index]).mul(&inverses[index]) };
        let last = lagrange(0);
        let blind = (1..=BLINDING_FACTORS).fold(last, |sum, index| sum.add(&lagrange(index)));
        Self {
            first: lagrange(LAGRANGE_POINTS - 1),
            last,
            active: Value::ONE.sub(&blind),
        }
    }
}

/// The values that all actions of a proof share.
#[derive(Debug)]
pub struct ArgumentContext<'a> {
    /// Constants of the domain.
    pub domain: &'a DomainValues,
    /// Challenges of the proof.
    pub challenges: &'a Challenges,
    /// Scalars of the proof.
    pub evaluations: &'a Evaluations,
    /// Lagrange polynomials at x.
    pub rows: RowValues,
}

/// Inputs and tables of an action's lookups at x, each joined by powers of θ.
pub type JoinedLookups = [(Value, Value); LOOKUPS];

impl ArgumentContext<'_> {
    /// Folds the constraints of one action into `sum`: `sum`·yⁿ + Σ yⁿ⁻¹⁻ⁱ·constraint i.
    pub fn fold(&self, sum: Value, action: usize, lookups: &JoinedLookups) -> Value {
        let mut sum = sum;
        self.permutation(action, &mut |value| {
            sum = sum.mul(&self.challenges.y).add(&value)
        });
        for (values, joined) in self.evaluations.actions[action].lookups.iter().zip(lookups) {
            self.lookup(values, joined, &mut |value| {
                sum = sum.mul(&self.challenges.y).add(&value)
            });
        }
        sum
    }

    fn permutation(&self, action: usize, out: &mut impl FnMut(Value)) {
        let products = &self.evaluations.actions[action].permutation;
        // z at x; ωx follows it, then ω⁻⁶x but for the last product.
        let (first, last) = (&products[0], &products[3 * (PERMUTATION_PRODUCTS - 1)]);
        out(self.rows.first.mul(&Value::ONE.sub(first)));
        out(last.square().sub(last).mul(&self.rows.last));
        for product in 1..PERMUTATION_PRODUCTS {
            let step = products[3 * product].sub(&products[3 * product - 1]);
            out(step.mul(&self.rows.first));
        }
        for product in 0..PERMUTATION_PRODUCTS {
            let (now, next) = (&products[3 * product], &products[3 * product + 1]);
            out(self.permutation_step(action, product, now, next));
        }
    }

    /// (z(ωx) ∏(p + βσ + γ) − z(x) ∏(p + δⁱβx + γ)) on the active rows, over the columns of one product.
    fn permutation_step(&self, action: usize, product: usize, now: &Value, next: &Value) -> Value {
        let Challenges { beta, gamma, x, .. } = self.challenges;
        let beta_x = beta.mul(x);
        let (mut left, mut right) = (*next, *now);
        let start = product * PERMUTATION_CHUNK;
        for (offset, column) in PERMUTATION[start..]
            .iter()
            .take(PERMUTATION_CHUNK)
            .enumerate()
        {
            let index = start + offset;
            let shifted = self.evaluations.permuted_column(action, *column).add(gamma);
            let sigma = beta.mul(&self.evaluations.sigma[index]);
            let identity = beta_x.mul(&self.domain.deltas[index]);
            left = left.mul(&shifted.add(&sigma));
            right = right.mul(&shifted.add(&identity));
        }
        left.sub(&right).mul(&self.rows.active)
    }

    fn lookup(&self, values: &LookupValues, joined: &(Value, Value), out: &mut impl FnMut(Value)) {
        let Challenges { beta, gamma, .. } = self.challenges;
        let LookupValues {
            product,
            product_next,
            input,
            input_previous,
            table,
        } = values;
        out(self.rows.first.mul(&Value::ONE.sub(product)));
        out(self.rows.last.mul(&product.square().sub(product)));
        let left = product_next.mul(&input.add(beta)).mul(&table.add(gamma));
        let right = product.mul(&joined.0.add(beta)).mul(&joined.1.add(gamma));
        out(left.sub(&right).mul(&self.rows.active));
        let apart = input.sub(table);
        out(self.rows.first.mul(&apart));
        out(apart.mul(&input.sub(input_previous)).mul(&self.rows.active));
    }
}
