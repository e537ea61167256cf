//! Compiler from the circuit's constraints to the straight-line programs that evaluate them.

use std::collections::{BTreeMap, HashMap};

use svc_circuit::constraints::Constraints;
use svc_circuit::quotient_program::{ACTION_INPUTS, CHALLENGES, QuotientProgram, ROUND_INPUTS};

use crate::constraint_terms::constraint_terms;
use crate::factor::Factor;
use crate::gen_error::GenError;
use crate::graph::{Graph, Leaf, Node, NodeId};
use crate::program_builder::{ProgramBuilder, Source};
use crate::round_code::RoundCode;
use crate::scalar_code::{Scalar, ScalarCode};

/// Products of the last sum that are added up at a time: bounds the values kept for it.
const CHUNK: usize = 16;

/// Products, and values with small factors, that add up to something.
type Addends = (Vec<(Source, Source)>, Vec<(i32, Source)>);

/// The compiler: all programs grow side by side.
#[derive(Default)]
struct Compiler {
    graph: Graph,
    scalars: ScalarCode,
    round: RoundCode,
    action: ProgramBuilder,
    values: HashMap<NodeId, Source>,
    negated: HashMap<NodeId, Source>,
}

/// Compiles the numerator of the quotient polynomial.
///
/// # Errors
/// When the constraints are not those of a circuit of the known shape, or the programs grow too large.
pub fn compile(constraints: &Constraints) -> Result<QuotientProgram, GenError> {
    let mut compiler = Compiler::default();
    let terms = constraint_terms(&mut compiler.graph, constraints)?;
    let mut entries = Vec::with_capacity(terms.len());
    for (action, parts) in terms {
        let factor = compiler
            .round
            .factor(&compiler.graph, &mut compiler.scalars, &parts)?;
        entries.push((action, Source::Column(ACTION_INPUTS + factor)));
    }
    let (products, mut sums) = compiler.fold(entries)?;
    for chunk in products.chunks(CHUNK) {
        sums.push((1, compiler.action.combine(chunk.to_vec(), vec![])));
    }
    let sum = compiler.action.combine(vec![], sums);
    // The weight is the scalar after all constants; how many there are is known now.
    let constants = compiler.scalars.builder.outputs();
    let weighted = compiler.action.product(sum, Source::Scalar(constants));
    compiler.action.output(weighted);
    let factors = compiler.round.builder.outputs();
    let scalars = compiler.scalars.builder.finish(CHALLENGES, 0)?;
    let selectors = compiler.round.selectors.builder;
    let kept = selectors.outputs();
    let selectors = selectors.finish(ROUND_INPUTS, 0)?;
    let round = compiler
        .round
        .builder
        .finish(ROUND_INPUTS + kept, constants)?;
    let action = compiler
        .action
        .finish(ACTION_INPUTS + factors, constants + 1)?;
    QuotientProgram::new(scalars, selectors, round, action)
        .ok_or_else(|| GenError::new("programs that do not fit together"))
}

impl Compiler {
    /// Σ factor · Π nodes over the entries, common nodes taken out: the most frequent one first.
    fn fold(&mut self, mut entries: Vec<(Vec<NodeId>, Source)>) -> Result<Addends, GenError> {
        let (mut products, mut values) = (Vec::new(), Vec::new());
        while let Some(common) = most_common(&entries) {
            let (with, without): (Vec<_>, Vec<_>) = entries
                .into_iter()
                .partition(|(nodes, _)| nodes.contains(&common));
            entries = without;
            if let [(nodes, factor)] = with.as_slice() {
                let product = self.graph.product(nodes.clone());
                products.push((self.value(product)?, *factor));
                continue;
            }
            let inner = with.into_iter().map(|(mut nodes, factor)| {
                if let Some(position) = nodes.iter().position(|id| *id == common) {
                    nodes.remove(position);
                }
                (nodes, factor)
            });
            let (inner_products, inner_values) = self.fold(inner.collect())?;
            let inner = self.action.combine(inner_products, inner_values);
            products.push((self.value(common)?, inner));
        }
        for (nodes, factor) in entries {
            match nodes.as_slice() {
                [] => values.push((1, factor)),
                [single, ..] => products.push((self.value(*single)?, factor)),
            }
        }
        Ok((products, values))
    }

    /// The value of a node of the action.
    fn value(&mut self, id: NodeId) -> Result<Source, GenError> {
        if let Some(source) = self.values.get(&id) {
            return Ok(*source);
        }
        let source = match self.graph.node(id).clone() {
            Node::One => self.action.literal(&Factor::small(1)),
            Node::Leaf(Leaf::Action(input)) => Source::Column(input),
            Node::Leaf(_) => self.shared(id)?,
            Node::Product(factors) => self.product(&factors)?,
            Node::Sum(parts) => self.sum(&parts)?,
        };
        self.values.insert(id, source);
        Ok(source)
    }

    /// A value that does not depend on the action.
    fn shared(&mut self, id: NodeId) -> Result<Source, GenError> {
        if self.graph.level(id) == 0 {
            let mut powers = [0; CHALLENGES];
            let Node::Leaf(Leaf::Challenge(challenge)) = self.graph.node(id) else {
                return Err(GenError::new(
                    "a sum of challenges beside an action's column",
                ));
            };
            powers[*challenge] = 1;
            return Ok(Source::Scalar(
                self.scalars
                    .number(&Scalar::from([(powers, Factor::small(1))])),
            ));
        }
        let output = self.round.node(&self.graph, &mut self.scalars, id)?;
        Ok(Source::Column(ACTION_INPUTS + output))
    }

    /// A product of at least two nodes; powers by squaring.
    fn product(&mut self, factors: &[NodeId]) -> Result<Source, GenError> {
        let mut counts: BTreeMap<NodeId, usize> = BTreeMap::new();
        for id in factors {
            *counts.entry(*id).or_default() += 1;
        }
        let mut product: Option<Source> = None;
        for (id, count) in counts {
            let base = self.value(id)?;
            let mut power = base;
            for bit in (0..count.ilog2()).rev() {
                power = self.action.product(power, power);
                if (count >> bit) & 1 == 1 {
                    power = self.action.product(power, base);
                }
            }
            product = Some(match product {
                Some(known) => self.action.product(known, power),
                None => power,
            });
        }
        product.ok_or_else(|| GenError::new("an empty product"))
    }

    fn sum(&mut self, parts: &[(NodeId, Factor)]) -> Result<Source, GenError> {
        let (own, shared): (Vec<_>, Vec<_>) =
            parts.iter().partition(|(id, _)| self.graph.level(*id) == 2);
        let (mut products, mut values) = (Vec::new(), Vec::new());
        if shared.iter().any(|(id, _)| self.graph.level(*id) == 1) {
            let id = match shared.as_slice() {
                [(id, factor)] if *factor == Factor::small(1) => *id,
                _ => self.graph.sum(shared),
            };
            values.push((1, self.shared(id)?));
        } else {
            for (id, factor) in shared {
                let constant = id == crate::graph::ONE;
                let value = if constant {
                    self.action.literal(&factor)
                } else {
                    self.shared(id)?
                };
                values.push((if constant { 1 } else { small(&factor)? }, value));
            }
        }
        for (id, factor) in own {
            let factors = self.graph.factors(id);
            match (factor.as_small(), factors.split_last()) {
                (Some(sign @ (1 | -1)), Some((last, rest)))
                    if !rest.is_empty() && !self.values.contains_key(&id) =>
                {
                    let rest = self.graph.product(rest.to_vec());
                    let first = if sign == 1 {
                        self.value(rest)?
                    } else {
                        self.negation(rest)?
                    };
                    products.push((first, self.value(*last)?));
                }
                (Some(small), _) => values.push((small, self.value(id)?)),
                (None, _) => products.push((self.value(id)?, self.action.literal(&factor))),
            }
        }
        Ok(self.action.combine(products, values))
    }

    fn negation(&mut self, id: NodeId) -> Result<Source, GenError> {
        if let Some(source) = self.negated.get(&id) {
            return Ok(*source);
        }
        let value = self.value(id)?;
        let source = self.action.combine(vec![], vec![(-1, value)]);
        self.negated.insert(id, source);
        Ok(source)
    }
}

fn small(factor: &Factor) -> Result<i32, GenError> {
    factor
        .as_small()
        .ok_or_else(|| GenError::new("a challenge with a large factor"))
}

/// The node in most products of two or more; the lowest number among equals. None if there is no such product.
fn most_common(entries: &[(Vec<NodeId>, Source)]) -> Option<NodeId> {
    let mut counts: BTreeMap<NodeId, usize> = BTreeMap::new();
    for (nodes, _) in entries.iter().filter(|(nodes, _)| nodes.len() > 1) {
        let mut seen = nodes.clone();
        seen.dedup();
        for id in seen {
            *counts.entry(id).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .max_by_key(|(id, count)| (*count, core::cmp::Reverse(*id)))
        .map(|(id, _)| id)
}
