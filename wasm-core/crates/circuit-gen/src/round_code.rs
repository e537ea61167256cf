//! Code generation for the columns that all actions share: the programs that compute the factors of an action's
//! terms, first what does not depend on the challenges, then the rest.

use std::collections::{BTreeMap, HashMap};

use svc_circuit::quotient_program::{CHALLENGES, ROUND_INPUTS, Y};

use crate::constraint_terms::RoundTerm;
use crate::factor::Factor;
use crate::gen_error::GenError;
use crate::graph::{Graph, Leaf, Node, NodeId, ONE};
use crate::program_builder::{ProgramBuilder, Source};
use crate::scalar_code::{Scalar, ScalarCode};

/// Products of fewer columns are not worth the memory of keeping them.
const KEPT_FACTORS: usize = 3;

/// The programs so far; the outputs of the second are the factors.
#[derive(Debug, Default)]
pub struct RoundCode {
    /// The program.
    pub builder: ProgramBuilder,
    /// The program for the products of selectors, which are the same in every proof.
    pub selectors: Selectors,
    values: HashMap<NodeId, Source>,
    products: HashMap<Vec<NodeId>, Source>,
    outputs: HashMap<NodeId, usize>,
}

/// The products of columns that do not depend on the challenges.
#[derive(Debug, Default)]
pub struct Selectors {
    /// The program.
    pub builder: ProgramBuilder,
    values: HashMap<NodeId, Source>,
    products: HashMap<Vec<NodeId>, Source>,
    outputs: HashMap<Vec<NodeId>, usize>,
}

impl RoundCode {
    /// The output that is the sum of terms.
    ///
    /// # Errors
    /// When a sum of challenges is multiplied: no constraint has one.
    pub fn factor(
        &mut self,
        graph: &Graph,
        scalars: &mut ScalarCode,
        parts: &[RoundTerm],
    ) -> Result<usize, GenError> {
        let mut collected: BTreeMap<Vec<NodeId>, Scalar> = BTreeMap::new();
        for part in parts {
            let (mut powers, nodes) = split(graph, &part.nodes)?;
            powers[Y] += part.power;
            add(collected.entry(nodes).or_default(), powers, &part.factor);
        }
        let source = self.weighted(graph, scalars, collected)?;
        Ok(self.builder.output(source))
    }

    /// The output that is the value of a node of level 1.
    ///
    /// # Errors
    /// As for [`RoundCode::factor`].
    pub fn node(
        &mut self,
        graph: &Graph,
        scalars: &mut ScalarCode,
        id: NodeId,
    ) -> Result<usize, GenError> {
        if let Some(output) = self.outputs.get(&id) {
            return Ok(*output);
        }
        let source = self.value(graph, scalars, id)?;
        let output = self.builder.output(source);
        self.outputs.insert(id, output);
        Ok(output)
    }

    /// Σ scalar · Π nodes.
    fn weighted(
        &mut self,
        graph: &Graph,
        scalars: &mut ScalarCode,
        collected: BTreeMap<Vec<NodeId>, Scalar>,
    ) -> Result<Source, GenError> {
        let mut products = Vec::new();
        let mut values = Vec::new();
        for (nodes, scalar) in collected {
            let plain = match scalar.first_key_value() {
                None => continue,
                Some((powers, factor)) => {
                    (scalar.len() == 1 && *powers == [0; CHALLENGES]).then_some(*factor)
                }
            };
            match (plain, nodes.is_empty()) {
                (_, true) => values.push((1, Source::Scalar(scalars.number(&scalar)))),
                (Some(factor), false) => {
                    let product = self.product(graph, scalars, nodes)?;
                    match factor.as_small() {
                        Some(small) => values.push((small, product)),
                        None => products.push((product, self.builder.literal(&factor))),
                    }
                }
                (None, false) => {
                    let product = self.product(graph, scalars, nodes)?;
                    products.push((product, Source::Scalar(scalars.number(&scalar))));
                }
            }
        }
        if products.is_empty() && values.is_empty() {
            values.push((1, self.builder.literal(&Factor::small(0))));
        }
        Ok(self.builder.combine(products, values))
    }

    fn value(
        &mut self,
        graph: &Graph,
        scalars: &mut ScalarCode,
        id: NodeId,
    ) -> Result<Source, GenError> {
        if let Some(source) = self.values.get(&id) {
            return Ok(*source);
        }
        let source = match graph.node(id) {
            Node::One => self.builder.literal(&Factor::small(1)),
            Node::Leaf(Leaf::Round(column)) => Source::Column(*column),
            Node::Leaf(Leaf::Challenge(challenge)) => {
                Source::Scalar(scalars.number(&challenge_scalar(*challenge)))
            }
            Node::Leaf(Leaf::Action(_)) => {
                return Err(GenError::new("an action's column in the shared part"));
            }
            Node::Product(factors) => self.product(graph, scalars, factors.clone())?,
            Node::Sum(parts) => {
                let mut collected: BTreeMap<Vec<NodeId>, Scalar> = BTreeMap::new();
                for (part, factor) in parts {
                    let (powers, nodes) = split(graph, &graph.factors(*part))?;
                    add(collected.entry(nodes).or_default(), powers, factor);
                }
                self.weighted(graph, scalars, collected)?
            }
        };
        self.values.insert(id, source);
        Ok(source)
    }

    /// Π nodes. The selector products are all but one of f, f − 1, f − 2, …: in that order they share what stands
    /// before the gap, and what stands after it.
    fn product(
        &mut self,
        graph: &Graph,
        scalars: &mut ScalarCode,
        mut nodes: Vec<NodeId>,
    ) -> Result<Source, GenError> {
        nodes.sort_by_key(|id| order(graph, *id));
        if nodes.len() >= KEPT_FACTORS && !nodes.iter().any(|id| has_challenge(graph, *id)) {
            let output = self.selectors.output(graph, nodes);
            return Ok(Source::Column(ROUND_INPUTS + output));
        }
        if let [single] = nodes.as_slice() {
            return self.value(graph, scalars, *single);
        }
        if let Some(source) = self.products.get(&nodes) {
            return Ok(*source);
        }
        let after = nodes.split_off(cut(graph, &nodes));
        let first = self.product(graph, scalars, nodes.clone())?;
        let second = self.product(graph, scalars, after.clone())?;
        let source = self.builder.product(first, second);
        nodes.extend(after);
        self.products.insert(nodes, source);
        Ok(source)
    }
}

impl Selectors {
    /// The output that is a product of nodes, given in order.
    fn output(&mut self, graph: &Graph, nodes: Vec<NodeId>) -> usize {
        if let Some(output) = self.outputs.get(&nodes) {
            return *output;
        }
        let source = self.product(graph, nodes.clone());
        let output = self.builder.output(source);
        self.outputs.insert(nodes, output);
        output
    }

    fn product(&mut self, graph: &Graph, mut nodes: Vec<NodeId>) -> Source {
        if let [single] = nodes.as_slice() {
            return self.value(graph, *single);
        }
        if let Some(source) = self.products.get(&nodes) {
            return *source;
        }
        let after = nodes.split_off(cut(graph, &nodes));
        let first = self.product(graph, nodes.clone());
        let second = self.product(graph, after.clone());
        let source = self.builder.product(first, second);
        nodes.extend(after);
        self.products.insert(nodes, source);
        source
    }

    /// The value of a node without challenges.
    fn value(&mut self, graph: &Graph, id: NodeId) -> Source {
        if let Some(source) = self.values.get(&id) {
            return *source;
        }
        let source = match graph.node(id) {
            Node::Leaf(Leaf::Round(column)) => Source::Column(*column),
            Node::One | Node::Leaf(_) => self.builder.literal(&Factor::small(1)),
            Node::Product(factors) => self.product(graph, factors.clone()),
            Node::Sum(parts) => {
                let (mut products, mut values) = (Vec::new(), Vec::new());
                for (part, factor) in parts {
                    let small = if *part == ONE {
                        None
                    } else {
                        factor.as_small()
                    };
                    match small {
                        _ if *part == ONE => values.push((1, self.builder.literal(factor))),
                        Some(small) => values.push((small, self.value(graph, *part))),
                        None => {
                            let value = self.value(graph, *part);
                            products.push((value, self.builder.literal(factor)));
                        }
                    }
                }
                self.builder.combine(products, values)
            }
        };
        self.values.insert(id, source);
        source
    }
}

/// Where a product of ordered nodes is cut in two, so that products share their halves.
fn cut(graph: &Graph, nodes: &[NodeId]) -> usize {
    let steps = nodes
        .windows(2)
        .map(|pair| (order(graph, pair[0]), order(graph, pair[1])));
    let gap = steps
        .clone()
        .position(|(a, b)| a.0 != b.0)
        .or_else(|| steps.clone().position(|(a, b)| b.1 != a.1 + 1));
    let starts_at_leaf = matches!(nodes.first().map(|id| graph.node(*id)), Some(Node::Leaf(_)));
    match gap {
        Some(position) => position + 1,
        None if starts_at_leaf => nodes.len() - 1,
        None => 1,
    }
}

/// Whether a challenge occurs in a node.
fn has_challenge(graph: &Graph, id: NodeId) -> bool {
    match graph.node(id) {
        Node::Leaf(Leaf::Challenge(_)) => true,
        Node::One | Node::Leaf(_) => false,
        Node::Sum(parts) => parts.iter().any(|(part, _)| has_challenge(graph, *part)),
        Node::Product(factors) => factors.iter().any(|id| has_challenge(graph, *id)),
    }
}

/// Exponents of the challenges in a product, and its other factors.
fn split(graph: &Graph, nodes: &[NodeId]) -> Result<([usize; CHALLENGES], Vec<NodeId>), GenError> {
    let mut powers = [0; CHALLENGES];
    let mut others = Vec::new();
    for id in nodes {
        match graph.node(*id) {
            Node::One => {}
            Node::Leaf(Leaf::Challenge(challenge)) => powers[*challenge] += 1,
            _ if graph.level(*id) == 0 => {
                return Err(GenError::new("a sum of challenges as a factor"));
            }
            _ => others.push(*id),
        }
    }
    others.sort_unstable();
    Ok((powers, others))
}

fn add(scalar: &mut Scalar, powers: [usize; CHALLENGES], factor: &Factor) {
    let sum = scalar
        .get(&powers)
        .map_or(*factor, |known| known.add(factor));
    if sum.is_zero() {
        scalar.remove(&powers);
    } else {
        scalar.insert(powers, sum);
    }
}

/// A challenge itself as a constant.
fn challenge_scalar(challenge: usize) -> Scalar {
    let mut powers = [0; CHALLENGES];
    powers[challenge] = 1;
    Scalar::from([(powers, Factor::small(1))])
}

/// Sorts f, f − 1, f − 2, … by the column f, then by what is subtracted.
fn order(graph: &Graph, id: NodeId) -> (NodeId, i32) {
    if let Node::Sum(parts) = graph.node(id)
        && let [(ONE, constant), (leaf, one)] = parts.as_slice()
        && let (Some(constant), Some(1)) = (constant.as_small(), one.as_small())
    {
        return (*leaf, -constant);
    }
    (id, 0)
}
