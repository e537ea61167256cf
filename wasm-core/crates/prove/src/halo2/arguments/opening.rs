//! Multi-point opening argument: opens many polynomials at several points at once (upstream's `poly::multiopen`).
//!
//! Polynomials asked for at the same points form a set; each set is folded by powers of x₁ into one polynomial. A
//! polynomial's weight is x₁ to the number of polynomials of its set that come after it, so the weight follows from
//! the number of actions alone, and workers may fold what they hold in any order: their sums just add up.

use svc_circuit::shape;
use svc_codec::error::SvcError;

use crate::halo2::polynomials::polynomial::Polynomial;

use crate::halo2::polynomials::polynomial::Powers;

use crate::halo2::polynomials::polynomial::Value;

use crate::halo2::polynomials::polynomial::add_to;

use crate::halo2::polynomials::polynomial::divide;

use crate::halo2::polynomials::polynomial::linear_combination;

use crate::halo2::polynomials::polynomial::powers_of;

/// A polynomial of one action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionPolynomial {
    /// The public inputs.
    Instance,
    /// A witness column.
    Advice(usize),
    /// A product of the permutation argument.
    PermutationProduct(usize),
    /// The product of a lookup.
    LookupProduct(usize),
    /// The permuted inputs of a lookup.
    LookupInput(usize),
    /// The permuted table of a lookup.
    LookupTable(usize),
}

/// A polynomial all actions of a proof share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommonPolynomial {
    /// A fixed column.
    Fixed(usize),
    /// A column of the permutation.
    Sigma(usize),
    /// The pieces of the quotient, the i-th times xⁿⁱ.
    Quotient,
    /// The random polynomial.
    Random,
}

/// A polynomial and the factor that blinds its commitment.
pub type Blinded<'a> = (&'a Polynomial, Value);

/// The polynomials opened at one set of points.
#[derive(Clone, Debug)]
struct PointSet {
    /// The points, as rotations of x, in the order of their first use.
    rotations: Vec<i32>,
    /// What each action has in the set, in order.
    action: Vec<ActionPolynomial>,
    /// What the actions share, in order; behind all actions' polynomials.
    common: Vec<CommonPolynomial>,
}

/// Which polynomials are opened at which points.
#[derive(Clone, Debug)]
pub struct OpeningPlan {
    sets: Vec<PointSet>,
}

/// The folded polynomial of every set, or what one worker adds to them, with the blinds folded alike.
#[derive(Clone, Debug)]
pub struct Folded {
    /// One per set.
    pub polynomials: Vec<Polynomial>,
    /// One per set.
    pub blinds: Vec<Value>,
}

impl Folded {
    /// Adds another worker's share.
    pub fn add(&mut self, other: &Self) {
        for (sum, polynomial) in self.polynomials.iter_mut().zip(&other.polynomials) {
            add_to(sum, polynomial);
        }
        for (sum, blind) in self.blinds.iter_mut().zip(&other.blinds) {
            *sum = sum.add(blind);
        }
    }

    /// The values of the folded polynomials at x₃, in the proof's order.
    pub fn evaluations(&self, x3: &Value) -> Vec<Value> {
        let powers = Powers::new(x3);
        self.polynomials
            .iter()
            .map(|polynomial| powers.evaluate(polynomial))
            .collect()
    }
}

/// Either kind of polynomial, while the sets are put together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opened {
    Action(ActionPolynomial),
    Common(CommonPolynomial),
}

impl OpeningPlan {
    /// The sets of the action circuit. Points, sets and polynomials are numbered by their first use.
    pub fn new() -> Self {
        let queries: Vec<(Opened, i32)> = action_queries()
            .into_iter()
            .map(|(which, rotation)| (Opened::Action(which), rotation))
            .chain(common_queries().map(|which| (Opened::Common(which), 0)))
            .collect();
        let mut points: Vec<i32> = Vec::new();
        let mut polynomials: Vec<(Opened, Vec<usize>)> = Vec::new();
        for (which, rotation) in queries {
            let point = position_or_push(&mut points, rotation);
            match polynomials.iter_mut().find(|(known, _)| *known == which) {
                Some((_, at)) => at.push(point),
                None => polynomials.push((which, vec![point])),
            }
        }
        let mut keys: Vec<Vec<usize>> = Vec::new();
        let mut sets: Vec<PointSet> = Vec::new();
        for (which, mut at) in polynomials {
            at.sort_unstable();
            let rotations = at.iter().map(|point| points[*point]).collect();
            let index = position_or_push(&mut keys, at);
            if index == sets.len() {
                sets.push(PointSet {
                    rotations,
                    action: Vec::new(),
                    common: Vec::new(),
                });
            }
            match which {
                Opened::Action(which) => sets[index].action.push(which),
                Opened::Common(which) => sets[index].common.push(which),
            }
        }
        Self { sets }
    }

    /// The points of each set: x times ω to the rotation.
    pub fn points(&self, x: &Value, omega: &Value) -> Vec<Vec<Value>> {
        let inverse = omega.invert();
        let rotate = |rotation: &i32| {
            let base = if *rotation < 0 { &inverse } else { omega };
            x.mul(&base.pow(&[u64::from(rotation.unsigned_abs()), 0, 0, 0]))
        };
        self.sets
            .iter()
            .map(|set| set.rotations.iter().map(rotate).collect())
            .collect()
    }

    /// What some of a proof's actions add to the folded polynomials.
    ///
    /// `mine` are indices among all `actions` of the proof; `get` fetches a polynomial of one of them, its errors are
    /// passed on.
    pub fn fold_actions<'a>(
        &self,
        x1: &Value,
        actions: usize,
        mine: &[usize],
        get: impl Fn(usize, ActionPolynomial) -> Result<Blinded<'a>, SvcError>,
    ) -> Result<Folded, SvcError> {
        self.fold(|set| {
            let weights = powers_of(x1, set.common.len() + actions * set.action.len());
            let mut terms = Vec::with_capacity(mine.len() * set.action.len());
            for index in mine.iter().filter(|index| **index < actions) {
                let behind = set.common.len() + (actions - 1 - index) * set.action.len();
                for (place, which) in set.action.iter().enumerate() {
                    let (polynomial, blind) = get(*index, *which)?;
                    let blind = if *which == ActionPolynomial::Instance {
                        Value::ONE
                    } else {
                        blind
                    };
                    terms.push((
                        polynomial,
                        blind,
                        weights[behind + set.action.len() - 1 - place],
                    ));
                }
            }
            Ok(terms)
        })
    }

    /// What some of the common polynomials add to the folded polynomials: those for which `get` gives one.
    pub fn fold_common<'a>(
        &self,
        x1: &Value,
        get: impl Fn(CommonPolynomial) -> Option<Blinded<'a>>,
    ) -> Result<Folded, SvcError> {
        self.fold(|set| {
            let weights = powers_of(x1, set.common.len());
            let terms =
                set.common
                    .iter()
                    .zip(weights.into_iter().rev())
                    .filter_map(|(which, weight)| {
                        let (polynomial, blind) = get(*which)?;
                        let public = matches!(
                            which,
                            CommonPolynomial::Fixed(_) | CommonPolynomial::Sigma(_)
                        );
                        Some((polynomial, if public { Value::ONE } else { blind }, weight))
                    });
            Ok(terms.collect())
        })
    }

    /// Folds terms of each set: polynomial, blind, weight. Upstream blinds public polynomials with one, not zero.
    fn fold<'a>(
        &self,
        terms: impl Fn(&PointSet) -> Result<Vec<(&'a Polynomial, Value, Value)>, SvcError>,
    ) -> Result<Folded, SvcError> {
        let mut folded = Folded {
            polynomials: Vec::new(),
            blinds: Vec::new(),
        };
        for set in &self.sets {
            let terms = terms(set)?;
            let blind = terms.iter().fold(Value::ZERO, |sum, (_, blind, weight)| {
                sum.add(&blind.mul(weight))
            });
            let terms: Vec<(&Polynomial, Value)> = terms
                .into_iter()
                .map(|(polynomial, _, weight)| (polynomial, weight))
                .collect();
            folded.polynomials.push(linear_combination(&terms));
            folded.blinds.push(blind);
        }
        Ok(folded)
    }
}

impl Default for OpeningPlan {
    fn default() -> Self {
        Self::new()
    }
}

/// q′: the quotients of the folded polynomials by the zeros at their points, folded by powers of x₂.
pub fn quotient_polynomial(folded: &[Polynomial], points: &[Vec<Value>], x2: &Value) -> Polynomial {
    let mut quotients: Vec<Polynomial> = folded.to_vec();
    for (quotient, points) in quotients.iter_mut().zip(points) {
        for point in points {
            *quotient = divide(quotient, point);
        }
    }
    let weights = powers_of(x2, quotients.len());
    let terms: Vec<(&Polynomial, Value)> =
        quotients.iter().zip(weights.into_iter().rev()).collect();
    linear_combination(&terms)
}

/// The one polynomial that is opened at x₃ in the end, and its blind: q′ and the folded ones by powers of x₄.
pub fn fold_final(quotient: Blinded<'_>, folded: &Folded, x4: &Value) -> (Polynomial, Value) {
    let weights: Vec<Value> = powers_of(x4, 1 + folded.polynomials.len())
        .into_iter()
        .rev()
        .collect();
    let blinds = core::iter::once(&quotient.1).chain(&folded.blinds);
    let blind = blinds
        .zip(&weights)
        .fold(Value::ZERO, |sum, (blind, weight)| {
            sum.add(&blind.mul(weight))
        });
    let terms: Vec<(&Polynomial, Value)> = core::iter::once(quotient.0)
        .chain(&folded.polynomials)
        .zip(weights)
        .collect();
    (linear_combination(&terms), blind)
}

/// The openings of one action, in the proof's order.
fn action_queries() -> Vec<(ActionPolynomial, i32)> {
    let mut queries = vec![(ActionPolynomial::Instance, 0)];
    for query in &shape::ADVICE_QUERIES {
        queries.push((ActionPolynomial::Advice(query.column), query.rotation));
    }
    for product in 0..shape::PERMUTATION_PRODUCTS {
        queries.push((ActionPolynomial::PermutationProduct(product), 0));
        queries.push((ActionPolynomial::PermutationProduct(product), 1));
    }
    // Where a product ends the next begins: all but the last, the last of them first.
    for product in (0..shape::PERMUTATION_PRODUCTS - 1).rev() {
        queries.push((
            ActionPolynomial::PermutationProduct(product),
            -(shape::UNUSABLE_ROWS as i32),
        ));
    }
    for lookup in 0..shape::LOOKUPS {
        queries.push((ActionPolynomial::LookupProduct(lookup), 0));
        queries.push((ActionPolynomial::LookupInput(lookup), 0));
        queries.push((ActionPolynomial::LookupTable(lookup), 0));
        queries.push((ActionPolynomial::LookupInput(lookup), -1));
        queries.push((ActionPolynomial::LookupProduct(lookup), 1));
    }
    queries
}

/// The openings behind those of the actions, all at x.
fn common_queries() -> impl Iterator<Item = CommonPolynomial> {
    let fixed = shape::FIXED_QUERIES
        .iter()
        .map(|column| CommonPolynomial::Fixed(*column));
    let sigmas = (0..shape::PERMUTATION_COLUMNS).map(CommonPolynomial::Sigma);
    fixed
        .chain(sigmas)
        .chain([CommonPolynomial::Quotient, CommonPolynomial::Random])
}

fn position_or_push<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter()
        .position(|known| *known == item)
        .unwrap_or_else(|| {
            list.push(item);
            list.len() - 1
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_by_first_use() {
        let plan = OpeningPlan::new();
        let rotations: Vec<&[i32]> = plan
            .sets
            .iter()
            .map(|set| set.rotations.as_slice())
            .collect();
        assert_eq!(
            rotations,
            [&[0][..], &[0, 1], &[0, 1, -1], &[0, 1, -6], &[0, -1]]
        );
        let per_action: usize = plan.sets.iter().map(|set| set.action.len()).sum();
        assert_eq!(per_action, 1 + shape::POINTS_PER_ACTION);
        let common: Vec<usize> = plan.sets.iter().map(|set| set.common.len()).collect();
        assert_eq!(
            common,
            [
                shape::FIXED_COLUMNS + shape::PERMUTATION_COLUMNS + 2,
                0,
                0,
                0,
                0
            ]
        );
        assert_eq!(plan.sets.len(), shape::POINT_SETS);
    }
}
