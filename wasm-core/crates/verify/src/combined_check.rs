//! Batch verification of proofs: many proofs as one equation, checked by one multi-scalar multiplication.
//!
//! Each proof's equation is multiplied by its own weight and all are added. If every equation holds, so does the
//! sum. If one does not, the sum is the identity only when the weights satisfy a linear equation over the scalar
//! field with a coefficient that is not zero; the weights are drawn after the proofs are fixed, each among 2¹²⁸
//! values, so whatever the others are, at most one value in 2¹²⁸ of that proof's weight does. Wider weights would
//! not lower the cost of anything here and would not make forging harder than breaking the curve (2¹²⁶) already is.

use blake2b_simd::{Params, State};
use svc_circuit::shape::{FIXED_COLUMNS, INSTANCE_ROWS, LOG_ROWS, PERMUTATION_COLUMNS, ROWS};
use svc_kernels::curve::{Affine, Point, Vesta};
use svc_kernels::field::element::Products;
use svc_kernels::field::stored::{Pair, Single};
use svc_kernels::lanes::modulus::{Modulus, PallasBase};
use svc_kernels::lanes::two::Two;
use svc_kernels::msm::fixed_bases::FixedBases;
use svc_kernels::msm::variable_msm;

use crate::domain_values::Value;
use crate::proof_terms::ProofTerms;

/// Bases that never change: G, W, U, the key's commitments, the first Lagrange bases.
pub const FIXED_BASES: usize = ROWS + 2 + FIXED_COLUMNS + PERMUTATION_COLUMNS + INSTANCE_ROWS;

/// log₂ of the entries that the last rounds span; the first rounds span the rest.
const LOW_ROUNDS: usize = 6;
const WEIGHT_PERSONALIZATION: &[u8; 16] = b"svc_batch_weight";

/// Weights for equations: the caller's seed and everything that is checked go in, so that even somebody who knew the
/// seed beforehand could not aim at them.
#[derive(Debug)]
pub struct Weights {
    state: State,
    drawn: u64,
}

impl Weights {
    /// Weights for equations of which `digests` bind every number.
    pub fn new<'a>(seed: &[u8; 32], digests: impl Iterator<Item = &'a [u8; 32]>) -> Self {
        let mut state = Params::new()
            .hash_length(16)
            .personal(WEIGHT_PERSONALIZATION)
            .to_state();
        state.update(seed);
        for digest in digests {
            state.update(digest);
        }
        Self { state, drawn: 0 }
    }

    /// The next 128-bit weight; never zero, so that one equation alone is checked exactly.
    pub fn draw<M: Modulus>(&mut self) -> Single<M> {
        let hash = self
            .state
            .clone()
            .update(&self.drawn.to_le_bytes())
            .finalize();
        self.drawn += 1;
        let mut words = [0u64; 4];
        for (word, bytes) in words.iter_mut().zip(hash.as_bytes().as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        if words == [0; 4] {
            words[0] = 1;
        }
        Single::from_words(&words)
    }
}

/// Whether the weighted sum of all equations is the identity.
pub fn holds(bases: &FixedBases<Vesta>, weighted: &[(&ProofTerms, Value)]) -> bool {
    let fixed = fixed_scalars(weighted);
    let count = weighted.iter().map(|(terms, _)| terms.points.len()).sum();
    let mut scalars: Vec<[u64; 4]> = Vec::with_capacity(count);
    let mut points: Vec<Affine<Vesta>> = Vec::with_capacity(count);
    for (terms, weight) in weighted {
        scalars.extend(
            terms
                .scalars
                .iter()
                .map(|scalar| scalar.mul(weight).to_words()),
        );
        points.extend_from_slice(&terms.points);
    }
    let sum: Point<Vesta> = bases.msm(&fixed).add(&variable_msm::msm(&scalars, &points));
    sum.is_identity()
}

/// Coefficients of the fixed bases.
fn fixed_scalars(weighted: &[(&ProofTerms, Value)]) -> Vec<[u64; 4]> {
    let mut scalars: Vec<[u64; 4]> = Vec::with_capacity(FIXED_BASES);
    for pair in collapsed_bases(weighted) {
        scalars.extend([pair.get(0).to_words(), pair.get(1).to_words()]);
    }
    let sum = |get: &dyn Fn(&ProofTerms) -> Value| -> Value {
        weighted.iter().fold(Value::ZERO, |sum, (terms, weight)| {
            sum.add(&get(terms).mul(weight))
        })
    };
    let constant = sum(&|terms| terms.constant);
    if let Some(first) = scalars.first_mut() {
        *first = Value::from_words(first).add(&constant).to_words();
    }
    scalars.push(sum(&|terms| terms.w).to_words());
    scalars.push(sum(&|terms| terms.u).to_words());
    scalars.extend((0..FIXED_COLUMNS).map(|index| sum(&|terms| terms.fixed[index]).to_words()));
    scalars
        .extend((0..PERMUTATION_COLUMNS).map(|index| sum(&|terms| terms.sigma[index]).to_words()));
    scalars.extend((0..INSTANCE_ROWS).map(|index| sum(&|terms| terms.lagrange[index]).to_words()));
    scalars
}

/// Coefficients of G: Σ weight · (−c) · sᵢ, where sᵢ is the product of the round challenges u₁₀₋ⱼ over the bits j
/// that are set in i.
///
/// sᵢ is a product of a factor of the high bits and one of the low bits, so the whole is a product of two small
/// matrices, each entry one sum of products that is reduced only every few terms. The weight goes into the start
/// value of the high factors and costs nothing.
fn collapsed_bases(weighted: &[(&ProofTerms, Value)]) -> Vec<Pair<PallasBase>> {
    let (mut high, mut low) = (Vec::new(), Vec::new());
    for (terms, weight) in weighted {
        let (first, last) = terms.rounds.split_at(LOG_ROWS - LOW_ROUNDS);
        let doubled = |value: Value| Pair::new(&value, &value);
        high.push(
            spanned(terms.collapsed.mul(weight), first)
                .map(doubled)
                .collect::<Vec<_>>(),
        );
        let values: Vec<Value> = spanned(Value::ONE, last).collect();
        low.push(
            values
                .chunks_exact(2)
                .map(|two| Pair::new(&two[0], &two[1]))
                .collect::<Vec<_>>(),
        );
    }
    let mut out = Vec::with_capacity(ROWS / 2);
    for row in 0..1 << (LOG_ROWS - LOW_ROUNDS) {
        for place in 0..1 << (LOW_ROUNDS - 1) {
            out.push(dot(&high, row, &low, place));
        }
    }
    out
}

/// Σ over the proofs of `high[row] · low[place]`.
#[inline]
fn dot(
    high: &[Vec<Pair<PallasBase>>],
    row: usize,
    low: &[Vec<Pair<PallasBase>>],
    place: usize,
) -> Pair<PallasBase> {
    let mut sum = Pair::ZERO;
    let chunk = Products::<PallasBase, Two>::MAX_TIGHT;
    for (high, low) in high.chunks(chunk).zip(low.chunks(chunk)) {
        let mut products = Products::<PallasBase, Two>::zero();
        for (a, b) in high.iter().zip(low) {
            products.add(&a[row].load(), &b[place].load());
        }
        let next = sum.load().add(&products.reduce()).tighten();
        sum.store(&next);
    }
    sum
}

/// `start` times the product of the challenges of every subset; the last challenge belongs to the lowest bit.
fn spanned(start: Value, rounds: &[Value]) -> impl Iterator<Item = Value> {
    let mut values = Vec::with_capacity(1 << rounds.len());
    values.push(start);
    for round in rounds.iter().rev() {
        for index in 0..values.len() {
            values.push(values[index].mul(round));
        }
    }
    values.into_iter()
}
