//! Verification equation of one proof: a linear equation between curve points.
//!
//! A proof holds when a sum of multiples of points is the identity. The points are those of the proof, the
//! commitments of the verifying key and the parameters; the multiples follow from challenges and evaluations. Here
//! they are computed; nothing is multiplied yet, so that many proofs can be joined first.

use svc_circuit::shape::{
    ADVICE_COLUMNS, ADVICE_QUERIES, FIXED_COLUMNS, FIXED_QUERIES, INSTANCE_ROWS, LOG_ROWS,
    PERMUTATION_COLUMNS, PERMUTATION_PRODUCTS, QUOTIENT_PIECES,
};
use svc_kernels::curve::{Affine, Vesta};
use svc_kernels::field::inverse::batch_invert;
use svc_kernels::field::stored::Pair;
use svc_kernels::lanes::modulus::PallasBase;

use crate::challenges::Challenges;
use crate::domain_values::{DomainValues, LAGRANGE_POINTS, Value};
use crate::evaluations::Evaluations;
use crate::point_sets::{JoinedSets, OpeningInverses, PointSet, PointSets};
use crate::proof_elements::PointPlaces;

/// Coefficients of one proof's equation.
#[derive(Clone, Debug)]
pub struct ProofTerms {
    /// The points of the proof.
    pub points: Vec<Affine<Vesta>>,
    /// Their coefficients.
    pub scalars: Vec<Value>,
    /// Coefficients of the fixed columns' commitments.
    pub fixed: [Value; FIXED_COLUMNS],
    /// Coefficients of the permutation's commitments.
    pub sigma: [Value; PERMUTATION_COLUMNS],
    /// Coefficients of the first Lagrange bases, through which public inputs are committed to.
    pub lagrange: [Value; INSTANCE_ROWS],
    /// Coefficient of the first base G₀.
    pub constant: Value,
    /// Coefficient of the blinding base W.
    pub w: Value,
    /// Coefficient of the base U.
    pub u: Value,
    /// −c: the coefficient of G′₀, which is the sum of the bases by products of the round challenges.
    pub collapsed: Value,
    /// The round challenges.
    pub rounds: [Value; LOG_ROWS],
    /// A digest of proof and public inputs.
    pub digest: [u8; 32],
}

/// The inputs of a proof's terms.
#[derive(Debug)]
pub struct TermInputs<'a> {
    /// Constants of the opening.
    pub sets: &'a PointSets,
    /// Public inputs, per action.
    pub instances: &'a [[Value; INSTANCE_ROWS]],
    /// Challenges of the proof.
    pub challenges: &'a Challenges,
    /// Scalars of the proof.
    pub evaluations: &'a Evaluations,
    /// Inverses that belong to the challenges.
    pub inverses: &'a Inverses,
    /// What the quotient must be at x.
    pub quotient: Value,
}

impl ProofTerms {
    /// The equation of a proof. `points` are all its points.
    pub fn new(inputs: &TermInputs<'_>, points: Vec<Affine<Vesta>>) -> Self {
        let challenges = inputs.challenges;
        let mut terms = Self {
            scalars: vec![Value::ZERO; points.len()],
            points,
            fixed: [Value::ZERO; FIXED_COLUMNS],
            sigma: [Value::ZERO; PERMUTATION_COLUMNS],
            lagrange: [Value::ZERO; INSTANCE_ROWS],
            constant: Value::ZERO,
            w: Value::ZERO,
            u: Value::ZERO,
            collapsed: inputs.evaluations.c.neg(),
            rounds: challenges.rounds,
            digest: challenges.digest,
        };
        let places = PointPlaces {
            actions: inputs.instances.len(),
        };
        let mut joined = JoinedSets::new(&challenges.x1, &challenges.x4);
        terms.join_common(inputs, &places, &mut joined);
        for action in (0..places.actions).rev() {
            terms.join_action(inputs, &places, action, &mut joined);
        }
        terms.open(inputs, &places, &joined);
        terms
    }

    /// Polynomials that all actions share, last first: random, quotient, permutation, fixed columns.
    fn join_common(
        &mut self,
        inputs: &TermInputs<'_>,
        places: &PointPlaces,
        joined: &mut JoinedSets,
    ) {
        let evaluations = inputs.evaluations;
        self.scalars[places.random()] = joined.join(PointSet::Here, &[evaluations.random]);
        // The quotient is Σ xⁿⁱ · piece i.
        let mut coefficient = joined.join(PointSet::Here, &[inputs.quotient]);
        for piece in 0..QUOTIENT_PIECES {
            self.scalars[places.quotient() + piece] = coefficient;
            coefficient = coefficient.mul(&inputs.inverses.x_to_rows);
        }
        for (scalar, value) in self.sigma.iter_mut().zip(&evaluations.sigma).rev() {
            *scalar = joined.join(PointSet::Here, &[*value]);
        }
        for (column, value) in FIXED_QUERIES.iter().zip(&evaluations.fixed).rev() {
            self.fixed[*column] = joined.join(PointSet::Here, &[*value]);
        }
    }

    /// Polynomials of one action, last first: lookups, permutation products, witness columns, instance.
    fn join_action(
        &mut self,
        inputs: &TermInputs<'_>,
        places: &PointPlaces,
        action: usize,
        joined: &mut JoinedSets,
    ) {
        let values = &inputs.evaluations.actions[action];
        for (lookup, value) in values.lookups.iter().enumerate().rev() {
            let input = places.lookup_input(action, lookup);
            self.scalars[input + 1] = joined.join(PointSet::Here, &[value.table]);
            self.scalars[input] =
                joined.join(PointSet::Previous, &[value.input, value.input_previous]);
            self.scalars[places.lookup_product(action, lookup)] =
                joined.join(PointSet::Next, &[value.product, value.product_next]);
        }
        for (product, value) in values.permutation.chunks(3).enumerate().rev() {
            let set = if product + 1 < PERMUTATION_PRODUCTS {
                PointSet::Last
            } else {
                PointSet::Next
            };
            self.scalars[places.permutation_product(action, product)] = joined.join(set, value);
        }
        for column in (0..ADVICE_COLUMNS).rev() {
            let here = values.advice_column(column, 0);
            let next = values.advice_column(column, 1);
            let previous = values.advice_column(column, -1);
            self.scalars[places.advice(action, column)] = if opened_before(column) {
                joined.join(PointSet::Around, &[here, next, previous])
            } else {
                joined.join(PointSet::Next, &[here, next])
            };
        }
        // The commitment to the public inputs is their sum over the Lagrange bases and W once: its blinding factor
        // is one.
        let coefficient = joined.join(PointSet::Here, &[values.instance]);
        self.w = self.w.add(&coefficient);
        for (scalar, value) in self.lagrange.iter_mut().zip(&inputs.instances[action]) {
            *scalar = scalar.add(&coefficient.mul(value));
        }
    }

    /// The opening of everything at x₃: q′, the mask, the rounds.
    fn open(&mut self, inputs: &TermInputs<'_>, places: &PointPlaces, joined: &JoinedSets) {
        let TermInputs {
            challenges,
            evaluations,
            inverses,
            ..
        } = inputs;
        let claimed = &evaluations.point_sets;
        let value = inputs
            .sets
            .quotient_value(joined, claimed, &challenges.x2, &inverses.opening);
        // Joined like the commitments: q′ first, then the sets.
        let value = claimed
            .iter()
            .fold(value, |sum, set| sum.mul(&challenges.x4).add(set));
        self.constant = value.neg();
        self.scalars[places.opening()] = joined.quotient_factor(&challenges.x4);
        self.scalars[places.mask()] = challenges.xi;
        for round in 0..LOG_ROWS {
            self.scalars[places.round(round)] = inverses.rounds[round];
            self.scalars[places.round(round) + 1] = challenges.rounds[round];
        }
        // b = ∏ (1 + u·x₃^(2^i)), the last round with i = 0.
        let mut power = challenges.x3;
        let mut b = Value::ONE;
        for round in challenges.rounds.iter().rev() {
            b = b.mul(&Value::ONE.add(&round.mul(&power)));
            power = power.square();
        }
        self.u = self.collapsed.mul(&b).mul(&challenges.z);
        self.w = self.w.sub(&evaluations.f);
    }
}

/// Whether a witness column is opened at ω⁻¹x besides x and ωx.
fn opened_before(column: usize) -> bool {
    ADVICE_QUERIES
        .iter()
        .any(|query| query.column == column && query.rotation == -1)
}

/// Everything of a proof that must be inverted, and xⁿ.
#[derive(Clone, Debug)]
pub struct Inverses {
    /// x²⁰⁴⁸.
    pub x_to_rows: Value,
    /// 1/(xⁿ − 1).
    pub vanishing: Value,
    /// 1/(x − ωⁱ) for i from −6 to 0.
    pub ends: [Value; LAGRANGE_POINTS],
    /// Those of the opening.
    pub opening: OpeningInverses,
    /// Those of the round challenges.
    pub rounds: [Value; LOG_ROWS],
}

impl Inverses {
    /// All with one inversion. None if x or x₃ is one of the few values for which there is no proof: no prover can
    /// aim at them.
    pub fn new(domain: &DomainValues, sets: &PointSets, challenges: &Challenges) -> Option<Self> {
        let x = &challenges.x;
        let x_to_rows = (0..LOG_ROWS).fold(*x, |power, _| power.square());
        let mut values = vec![*x, x_to_rows.sub(&Value::ONE)];
        values.extend(domain.ends.iter().map(|end| x.sub(end)));
        values.extend(sets.distances(x, &challenges.x3));
        if values.iter().any(Value::is_zero) {
            return None;
        }
        values.extend(challenges.rounds);
        let mut pairs: Vec<Pair<PallasBase>> = values
            .chunks(2)
            .map(|pair| Pair::new(&pair[0], pair.get(1).unwrap_or(&Value::ONE)))
            .collect();
        batch_invert(&mut pairs);
        let mut inverses = pairs.iter().flat_map(|pair| [pair.get(0), pair.get(1)]);
        let mut next = || inverses.next().unwrap_or(Value::ZERO);
        let (x, vanishing) = (next(), next());
        let ends = core::array::from_fn(|_| next());
        let distances = core::array::from_fn(|_| next());
        let rounds = core::array::from_fn(|_| next());
        Some(Self {
            x_to_rows,
            vanishing,
            ends,
            opening: OpeningInverses { x, distances },
            rounds,
        })
    }
}
