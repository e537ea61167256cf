//! Multi-point opening at the verifier: the sets of points at which a proof opens polynomials together, and the
//! joining of what belongs to one set.

use svc_circuit::shape::POINT_SETS;

use crate::domain_values::{DomainValues, Value};

/// Points a polynomial is opened at: x, ωx, ω⁻¹x, ω⁻⁶x.
pub const OPENING_POINTS: usize = 4;

/// A set of points, named by the rotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointSet {
    /// x.
    Here,
    /// x, ωx.
    Next,
    /// x, ωx, ω⁻¹x.
    Around,
    /// x, ωx, ω⁻⁶x.
    Last,
    /// x, ω⁻¹x.
    Previous,
}

/// The sets in the order in which they first occur, each as indices into x, ωx, ω⁻¹x, ω⁻⁶x.
const MEMBERS: [&[usize]; POINT_SETS] = [&[0], &[0, 1], &[0, 1, 2], &[0, 1, 3], &[0, 2]];
/// Most points of a set.
const MAX_MEMBERS: usize = 3;

/// Constants of the sets: what does not depend on x.
#[derive(Clone, Debug)]
pub struct PointSets {
    /// ω to the rotation of each point.
    rotations: [Value; OPENING_POINTS],
    /// 1/∏(rotation k − rotation j) over the other members j of the set.
    weights: [[Value; MAX_MEMBERS]; POINT_SETS],
}

/// The joined openings of one proof: powers of x₁ and joined evaluations, per set.
#[derive(Clone, Debug)]
pub struct JoinedSets {
    x1: Value,
    /// x₄ to the number of sets that follow.
    factors: [Value; POINT_SETS],
    powers: [Value; POINT_SETS],
    values: [[Value; MAX_MEMBERS]; POINT_SETS],
}

impl PointSets {
    /// Computes the constants.
    pub fn new(domain: &DomainValues) -> Self {
        let rotations = [
            Value::ONE,
            domain.omega,
            domain.omega_inverse,
            *domain.last(),
        ];
        let mut weights = [[Value::ZERO; MAX_MEMBERS]; POINT_SETS];
        for (weights, members) in weights.iter_mut().zip(&MEMBERS) {
            for (weight, own) in weights.iter_mut().zip(*members) {
                let others = members.iter().filter(|other| *other != own);
                *weight = others
                    .fold(Value::ONE, |product, other| {
                        product.mul(&rotations[*own].sub(&rotations[*other]))
                    })
                    .invert();
            }
        }
        Self { rotations, weights }
    }

    /// x₃ less each opening point.
    pub fn distances(&self, x: &Value, x3: &Value) -> [Value; OPENING_POINTS] {
        self.rotations.map(|rotation| x3.sub(&x.mul(&rotation)))
    }

    /// Σ over the sets of x₂ᵗ (u − r(x₃)) / ∏(x₃ − p), the value of q′ at x₃: u is what the proof claims for the
    /// joined polynomial, r interpolates its joined evaluations, t counts the sets that follow.
    ///
    /// With weights w of barycentric interpolation that is u ∏ 1/(x₃ − p) − Σ w e / (x₃ − p).
    pub fn quotient_value(
        &self,
        joined: &JoinedSets,
        claimed: &[Value; POINT_SETS],
        x2: &Value,
        inverses: &OpeningInverses,
    ) -> Value {
        let mut sum = Value::ZERO;
        for (set, members) in MEMBERS.iter().enumerate() {
            let mut all = claimed[set];
            let mut interpolated = Value::ZERO;
            // A set of k points has weights in x^(1 − k).
            let mut scale = Value::ONE;
            for (place, member) in members.iter().enumerate() {
                let inverse = &inverses.distances[*member];
                all = all.mul(inverse);
                let term = self.weights[set][place]
                    .mul(&joined.values[set][place])
                    .mul(inverse);
                interpolated = interpolated.add(&term);
                if place > 0 {
                    scale = scale.mul(&inverses.x);
                }
            }
            sum = sum.mul(x2).add(&all.sub(&interpolated.mul(&scale)));
        }
        sum
    }
}

/// Inverses the opening needs.
#[derive(Clone, Copy, Debug)]
pub struct OpeningInverses {
    /// 1/x.
    pub x: Value,
    /// 1/(x₃ − p) for each opening point.
    pub distances: [Value; OPENING_POINTS],
}

impl JoinedSets {
    /// Nothing joined yet.
    pub fn new(x1: &Value, x4: &Value) -> Self {
        let mut factors = [Value::ONE; POINT_SETS];
        for set in (0..POINT_SETS - 1).rev() {
            factors[set] = factors[set + 1].mul(x4);
        }
        Self {
            x1: *x1,
            factors,
            powers: [Value::ONE; POINT_SETS],
            values: [[Value::ZERO; MAX_MEMBERS]; POINT_SETS],
        }
    }

    /// Joins a polynomial with its values at the points of its set, last polynomial first. Gives the coefficient of
    /// its commitment.
    pub fn join(&mut self, set: PointSet, values: &[Value]) -> Value {
        let set = set as usize;
        let power = self.powers[set];
        for (sum, value) in self.values[set].iter_mut().zip(values) {
            *sum = sum.add(&value.mul(&power));
        }
        self.powers[set] = power.mul(&self.x1);
        power.mul(&self.factors[set])
    }

    /// x₄ to the number of sets: the coefficient of q′.
    pub fn quotient_factor(&self, x4: &Value) -> Value {
        self.factors[0].mul(x4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quotient_of_true_evaluations_is_a_polynomial() {
        let sets = PointSets::new(&DomainValues::new());
        let (x, x2, x3) = (
            Value::from_u64(77),
            Value::from_u64(5),
            Value::from_u64(1234),
        );
        // p(X) = X³ + 2X + 9 in every set, and claims that are true: (p(x₃) − r(x₃)) / ∏(x₃ − pᵢ) is the quotient of
        // p by the vanishing polynomial of the set: X² + …, X + …, 1, 1, X + …
        let p = |at: &Value| {
            at.square()
                .mul(at)
                .add(&at.add(at))
                .add(&Value::from_u64(9))
        };
        let mut joined = JoinedSets::new(&Value::ONE, &Value::from_u64(3));
        for (set, members) in MEMBERS.iter().enumerate() {
            let values: Vec<Value> = members
                .iter()
                .map(|member| p(&x.mul(&sets.rotations[*member])))
                .collect();
            let names = [
                PointSet::Here,
                PointSet::Next,
                PointSet::Around,
                PointSet::Last,
                PointSet::Previous,
            ];
            joined.join(names[set], &values);
        }
        let distances = sets.distances(&x, &x3);
        let inverses = OpeningInverses {
            x: x.invert(),
            distances: distances.map(|value| value.invert()),
        };
        let found = sets.quotient_value(&joined, &[p(&x3); POINT_SETS], &x2, &inverses);
        let at = |member: usize| x.mul(&sets.rotations[member]);
        let linear = |a: Value, b: Value| x3.add(&a).add(&b);
        let square = x3
            .square()
            .add(&x3.mul(&x))
            .add(&x.square())
            .add(&Value::from_u64(2));
        let expected = [
            square,
            linear(at(0), at(1)),
            Value::ONE,
            Value::ONE,
            linear(at(0), at(2)),
        ]
        .iter()
        .fold(Value::ZERO, |sum, value| sum.mul(&x2).add(value));
        assert!(found == expected);
    }
}
