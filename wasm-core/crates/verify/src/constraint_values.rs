//! Verifier's evaluation of the constraint system: gates and lookup expressions at the point x.
//!
//! The expressions repeat each other a lot: most of what one gate computes, its selector above all, others compute
//! too. Each distinct subexpression becomes one step of a list, computed once for two actions at a time.

use std::collections::HashMap;

use svc_circuit::constraints::Constraints;
use svc_circuit::expression::Expression;
use svc_circuit::shape::{ADVICE_QUERIES, LOOKUPS};
use svc_kernels::field::stored::Pair;
use svc_kernels::lanes::modulus::PallasBase;

use crate::challenges::Challenges;
use crate::domain_values::Value;
use crate::evaluations::Evaluations;

type ValuePair = Pair<PallasBase>;

/// One distinct subexpression; operands are earlier steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    Constant([u8; 32]),
    Fixed(usize),
    /// Index of the query.
    Advice(usize),
    Instance,
    Negated(usize),
    Sum(usize, usize),
    Difference(usize, usize),
    Product(usize, usize),
}

/// The inputs and the table of a lookup as steps.
#[derive(Clone, Debug)]
struct LookupSteps {
    inputs: Vec<usize>,
    table: Vec<usize>,
}

/// The constraints of the circuit as steps.
#[derive(Clone, Debug)]
pub struct ConstraintValues {
    steps: Vec<Step>,
    /// What constants are, by step; anything for other steps.
    constants: Vec<ValuePair>,
    gates: Vec<usize>,
    lookups: [LookupSteps; LOOKUPS],
}

/// Values for one action.
#[derive(Clone, Copy, Debug)]
pub struct ActionConstraints {
    /// Σ yⁿ⁻¹⁻ⁱ·gate i over the n gates.
    pub gates: Value,
    /// Input and table of each lookup, joined by powers of θ.
    pub lookups: [(Value, Value); LOOKUPS],
}

/// Collects distinct steps.
#[derive(Default)]
struct Collector {
    steps: Vec<Step>,
    known: HashMap<Step, usize>,
}

impl Collector {
    fn step(&mut self, step: Step) -> usize {
        let next = self.steps.len();
        let place = *self.known.entry(step).or_insert(next);
        if place == next {
            self.steps.push(step);
        }
        place
    }

    /// The step that computes an expression; none if it asks for a value that no proof holds.
    fn expression(&mut self, expression: &Expression) -> Option<usize> {
        let step = match expression {
            Expression::Constant(bytes) => Step::Constant(*bytes),
            Expression::Fixed {
                column,
                rotation: 0,
            } => Step::Fixed(*column),
            Expression::Advice { column, rotation } => {
                let query = |query: &svc_circuit::shape::Query| {
                    query.column == *column && query.rotation == *rotation
                };
                Step::Advice(ADVICE_QUERIES.iter().position(query)?)
            }
            Expression::Instance {
                column: 0,
                rotation: 0,
            } => Step::Instance,
            Expression::Fixed { .. } | Expression::Instance { .. } => return None,
            Expression::Negated(inner) => Step::Negated(self.expression(inner)?),
            Expression::Sum(a, b) => self.sum(a, b)?,
            Expression::Product(a, b) => {
                let (a, b) = (self.expression(a)?, self.expression(b)?);
                Step::Product(a.min(b), a.max(b))
            }
            Expression::Scaled(inner, factor) => {
                let (a, b) = (self.expression(inner)?, self.step(Step::Constant(*factor)));
                Step::Product(a.min(b), a.max(b))
            }
        };
        Some(self.step(step))
    }

    fn sum(&mut self, a: &Expression, b: &Expression) -> Option<Step> {
        Some(match (a, b) {
            (a, Expression::Negated(b)) => {
                Step::Difference(self.expression(a)?, self.expression(b)?)
            }
            (Expression::Negated(a), b) => {
                Step::Difference(self.expression(b)?, self.expression(a)?)
            }
            (a, b) => {
                let (a, b) = (self.expression(a)?, self.expression(b)?);
                Step::Sum(a.min(b), a.max(b))
            }
        })
    }
}

impl ConstraintValues {
    /// Takes over the constraints; none if they ask for a value that no proof holds or there are not three lookups.
    pub fn new(constraints: &Constraints) -> Option<Self> {
        let mut collector = Collector::default();
        let mut all = |expressions: &[Expression]| {
            expressions
                .iter()
                .map(|expression| collector.expression(expression))
                .collect::<Option<Vec<_>>>()
        };
        let gates = all(&constraints.gates)?;
        let mut lookups = Vec::with_capacity(LOOKUPS);
        for lookup in &constraints.lookups {
            lookups.push(LookupSteps {
                inputs: all(&lookup.inputs)?,
                table: all(&lookup.table)?,
            });
        }
        let constant = |step: &Step| match step {
            Step::Constant(bytes) => {
                Value::from_bytes(bytes).map(|value| Pair::new(&value, &value))
            }
            _ => Some(Pair::ZERO),
        };
        let constants = collector
            .steps
            .iter()
            .map(constant)
            .collect::<Option<Vec<_>>>()?;
        Some(Self {
            steps: collector.steps,
            constants,
            gates,
            lookups: lookups.try_into().ok()?,
        })
    }

    /// The values for every action of a proof.
    pub fn evaluate(
        &self,
        challenges: &Challenges,
        evaluations: &Evaluations,
    ) -> Vec<ActionConstraints> {
        let count = evaluations.actions.len();
        let mut out = Vec::with_capacity(count + 1);
        let mut values = Vec::with_capacity(self.steps.len());
        for first in (0..count).step_by(2) {
            let pair = [first, (first + 1).min(count - 1)];
            self.compute(evaluations, pair, &mut values);
            let gates = join(&self.gates, &values, &challenges.y);
            let joined: Vec<(ValuePair, ValuePair)> = self
                .lookups
                .iter()
                .map(|lookup| {
                    let side = |steps: &[usize]| join(steps, &values, &challenges.theta);
                    (side(&lookup.inputs), side(&lookup.table))
                })
                .collect();
            for lane in 0..2 {
                let lookups = core::array::from_fn(|index| {
                    (joined[index].0.get(lane), joined[index].1.get(lane))
                });
                out.push(ActionConstraints {
                    gates: gates.get(lane),
                    lookups,
                });
            }
        }
        out.truncate(count);
        out
    }

    /// Computes all steps for two actions.
    fn compute(&self, evaluations: &Evaluations, actions: [usize; 2], values: &mut Vec<ValuePair>) {
        let [first, second] = actions.map(|action| &evaluations.actions[action]);
        values.clear();
        for (step, constant) in self.steps.iter().zip(&self.constants) {
            let value = match *step {
                Step::Constant(_) => *constant,
                Step::Fixed(column) => {
                    let value = evaluations.fixed_column(column);
                    Pair::new(value, value)
                }
                Step::Advice(query) => Pair::new(&first.advice[query], &second.advice[query]),
                Step::Instance => Pair::new(&first.instance, &second.instance),
                Step::Negated(a) => Pair::from_element(&values[a].load().neg().tighten()),
                Step::Sum(a, b) => {
                    Pair::from_element(&values[a].load().add(&values[b].load()).tighten())
                }
                Step::Difference(a, b) => {
                    Pair::from_element(&values[a].load().sub(&values[b].load()).tighten())
                }
                Step::Product(a, b) => Pair::from_element(&values[a].load().mul(&values[b].load())),
            };
            values.push(value);
        }
    }
}

/// Steps joined by powers of a challenge, the last with power zero.
fn join(steps: &[usize], values: &[ValuePair], challenge: &Value) -> ValuePair {
    let factor = Pair::new(challenge, challenge).load();
    let mut sum = Pair::ZERO;
    for step in steps {
        let next = sum.load().mul(&factor).add(&values[*step].load()).tighten();
        sum.store(&next);
    }
    sum
}
