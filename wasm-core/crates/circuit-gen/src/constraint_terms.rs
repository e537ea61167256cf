//! Terms of the quotient polynomial's numerator: a sum of (factor shared by the proof) × (product of one action's
//! columns).
//!
//! Order of the constraints of one action: gates, permutation, lookups; constraint i of C has the weight y^(C − 1 − i).

use std::collections::BTreeMap;

use svc_circuit::constraints::{Constraints, Lookup};
use svc_circuit::expression::Expression;
use svc_circuit::quotient_program::{
    ActionInput, BETA, CONSTRAINTS_PER_ACTION, GAMMA, RoundInput, THETA, action_input, round_input,
};
use svc_circuit::shape::{Column, LOOKUPS, PERMUTATION, PERMUTATION_CHUNK, PERMUTATION_PRODUCTS};
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::PallasBase;

use crate::factor::Factor;
use crate::gen_error::GenError;
use crate::graph::{Graph, Leaf, Linear, Node, NodeId};

/// The generator δ of the cosets that name the columns of the permutation, plain words.
const DELTA: [u64; 4] = [
    0x6a6ccd20dd7b9ba2,
    0xf5e4f3f13eee5636,
    0xbd455b7112a5049d,
    0x0a757d0f0006ab6c,
];

/// A factor of a term that is the same for all actions: factor · y^power · Π nodes.
#[derive(Clone, Debug)]
pub struct RoundTerm {
    /// The constant.
    pub factor: Factor,
    /// Exponent of y.
    pub power: usize,
    /// Nodes of level 0 and 1.
    pub nodes: Vec<NodeId>,
}

/// For every product of nodes of the action: what of the proof it is multiplied by.
pub type Terms = BTreeMap<Vec<NodeId>, Vec<RoundTerm>>;

/// The terms of all constraints of an action.
///
/// # Errors
/// When the constraints are not those of a circuit of the known shape.
pub fn constraint_terms(graph: &mut Graph, constraints: &Constraints) -> Result<Terms, GenError> {
    let mut all = Vec::new();
    for gate in &constraints.gates {
        all.push(expression(graph, gate)?);
    }
    permutation(graph, &mut all)?;
    if constraints.lookups.len() != LOOKUPS {
        return Err(GenError::new("another number of lookups"));
    }
    for (index, argument) in constraints.lookups.iter().enumerate() {
        lookup(graph, index, argument, &mut all)?;
    }
    if all.len() != CONSTRAINTS_PER_ACTION {
        return Err(GenError::new("another number of constraints"));
    }
    let mut terms = Terms::new();
    for (index, constraint) in all.iter().enumerate() {
        let power = CONSTRAINTS_PER_ACTION - 1 - index;
        for (id, factor) in constraint {
            let start = RoundTerm {
                factor: *factor,
                power,
                nodes: Vec::new(),
            };
            expand(graph, start, vec![], graph.factors(*id), &mut terms);
        }
    }
    Ok(terms)
}

/// Sorts the factors of one product into those of the proof and those of the action. Multiplies out the sums in which
/// both kinds are multiplied, and those that are the only factor of the action: what their parts are multiplied by is
/// added up once per proof, over all constraints with that part.
fn expand(
    graph: &Graph,
    mut round: RoundTerm,
    mut action: Vec<NodeId>,
    factors: Vec<NodeId>,
    terms: &mut Terms,
) {
    for id in factors {
        if graph.level(id) == 2 {
            action.push(id)
        } else {
            round.nodes.push(id)
        }
    }
    let alone = action.len() == 1;
    let is_sum = |id: NodeId| matches!(graph.node(id), Node::Sum(_));
    let sum = action
        .iter()
        .position(|id| is_mixed(graph, *id) || (alone && is_sum(*id)));
    let Some(position) = sum else {
        action.sort_unstable();
        round.nodes.sort_unstable();
        terms.entry(action).or_default().push(round);
        return;
    };
    if let Node::Sum(parts) = graph.node(action.remove(position)) {
        for (id, factor) in parts {
            let part = RoundTerm {
                factor: round.factor.mul(factor),
                ..round.clone()
            };
            expand(graph, part, action.clone(), graph.factors(*id), terms);
        }
    }
}

/// Whether in a sum something of the action is multiplied by something of the proof.
fn is_mixed(graph: &Graph, id: NodeId) -> bool {
    let Node::Sum(parts) = graph.node(id) else {
        return false;
    };
    parts.iter().any(|(part, _)| {
        let factors = graph.factors(*part);
        let action = factors.iter().any(|factor| graph.level(*factor) == 2);
        action
            && factors
                .iter()
                .any(|factor| graph.level(*factor) < 2 || is_mixed(graph, *factor))
    })
}

fn fixed(graph: &mut Graph, input: RoundInput) -> Result<Linear, GenError> {
    let index = round_input(input).ok_or_else(|| GenError::new(format!("no column {input:?}")))?;
    Ok(graph.leaf(Leaf::Round(index)))
}

fn cell(graph: &mut Graph, input: ActionInput) -> Result<Linear, GenError> {
    let index = action_input(input).ok_or_else(|| GenError::new(format!("no query {input:?}")))?;
    Ok(graph.leaf(Leaf::Action(index)))
}

fn constant(bytes: &[u8; 32]) -> Result<Factor, GenError> {
    Factor::from_bytes(bytes).ok_or_else(|| GenError::new("a constant that is not canonical"))
}

fn expression(graph: &mut Graph, from: &Expression) -> Result<Linear, GenError> {
    Ok(match from {
        Expression::Constant(bytes) => Graph::constant(constant(bytes)?),
        Expression::Fixed {
            column,
            rotation: 0,
        } => fixed(graph, RoundInput::Fixed(*column))?,
        Expression::Fixed { .. } => return Err(GenError::new("a fixed column off its row")),
        Expression::Advice { column, rotation } => cell(
            graph,
            ActionInput::Advice {
                column: *column,
                rotation: *rotation,
            },
        )?,
        Expression::Instance {
            column: 0,
            rotation: 0,
        } => cell(graph, ActionInput::Instance)?,
        Expression::Instance { .. } => return Err(GenError::new("an unknown instance query")),
        Expression::Negated(inner) => Graph::scale(&expression(graph, inner)?, &Factor::small(-1)),
        Expression::Scaled(inner, bytes) => {
            Graph::scale(&expression(graph, inner)?, &constant(bytes)?)
        }
        Expression::Sum(a, b) => Graph::add(&expression(graph, a)?, &expression(graph, b)?),
        Expression::Product(a, b) => {
            let (a, b) = (expression(graph, a)?, expression(graph, b)?);
            graph.mul(&a, &b)
        }
    })
}

/// 1 − (l_last + l_blind).
fn active_rows(graph: &mut Graph) -> Result<Linear, GenError> {
    let last = fixed(graph, RoundInput::Last)?;
    let blind = fixed(graph, RoundInput::Blind)?;
    Ok(Graph::sub(
        &Graph::constant(Factor::small(1)),
        &Graph::add(&last, &blind),
    ))
}

fn one_minus(linear: &Linear) -> Linear {
    Graph::sub(&Graph::constant(Factor::small(1)), linear)
}

/// l₀(1 − z₀), l_last(z² − z) of the last product, l₀(z_i − z_(i−1)(ω^last X)), and for every product
/// (1 − l_last − l_blind)·(z(ωX)·Π(p + βσ + γ) − z(X)·Π(p + βδ^j X + γ)).
fn permutation(graph: &mut Graph, all: &mut Vec<Linear>) -> Result<(), GenError> {
    let first = fixed(graph, RoundInput::First)?;
    let last = fixed(graph, RoundInput::Last)?;
    let active = active_rows(graph)?;
    let mut products = Vec::new();
    for set in 0..PERMUTATION_PRODUCTS {
        products.push(cell(
            graph,
            ActionInput::PermutationProduct { set, rotation: 0 },
        )?);
    }
    if let (Some(opening), Some(closing)) = (products.first(), products.last()) {
        all.push(graph.mul(&one_minus(opening), &first));
        let square = graph.mul(closing, closing);
        all.push(graph.mul(&Graph::sub(&square, closing), &last));
    }
    for (before, product) in products.iter().skip(1).enumerate() {
        let end = cell(graph, ActionInput::PermutationEnd { set: before })?;
        all.push(graph.mul(&Graph::sub(product, &end), &first));
    }
    let beta = graph.leaf(Leaf::Challenge(BETA));
    let gamma = graph.leaf(Leaf::Challenge(GAMMA));
    let point = fixed(graph, RoundInput::Point)?;
    let named = graph.mul(&beta, &point);
    let delta = Single::<PallasBase>::from_words(&DELTA);
    let mut power = Single::<PallasBase>::ONE;
    for (set, columns) in PERMUTATION.chunks(PERMUTATION_CHUNK).enumerate() {
        let mut left = cell(graph, ActionInput::PermutationProduct { set, rotation: 1 })?;
        let mut right = products[set].clone();
        for (offset, column) in columns.iter().enumerate() {
            let values = match *column {
                Column::Instance => cell(graph, ActionInput::Instance)?,
                Column::Advice(column) => cell(
                    graph,
                    ActionInput::Advice {
                        column,
                        rotation: 0,
                    },
                )?,
                Column::Fixed(column) => fixed(graph, RoundInput::Fixed(column))?,
            };
            let values = Graph::add(&values, &gamma);
            let sigma = fixed(
                graph,
                RoundInput::Permutation(set * PERMUTATION_CHUNK + offset),
            )?;
            let copied = graph.mul(&beta, &sigma);
            left = graph.mul(&left, &Graph::add(&values, &copied));
            right = graph.mul(
                &right,
                &Graph::add(&values, &Graph::scale(&named, &Factor::new(&power))),
            );
            power = power.mul(&delta);
        }
        all.push(graph.mul(&Graph::sub(&left, &right), &active));
    }
    Ok(())
}

/// The expressions folded by θ.
fn compressed(graph: &mut Graph, expressions: &[Expression]) -> Result<Linear, GenError> {
    let theta = graph.leaf(Leaf::Challenge(THETA));
    let mut sum = Linear::new();
    for part in expressions {
        // Term by term, so that θ meets every product by itself.
        let mut folded = Linear::new();
        for (id, factor) in &sum {
            let term = graph.mul(&Linear::from([(*id, *factor)]), &theta);
            folded = Graph::add(&folded, &term);
        }
        sum = Graph::add(&folded, &expression(graph, part)?);
    }
    Ok(sum)
}

/// The five constraints of a lookup with input A, table S, their permutations A′, S′ and product z:
/// l₀(1 − z), l_last(z² − z), active·(z(ωX)(A′ + β)(S′ + γ) − z(A + β)(S + γ)), l₀(A′ − S′),
/// active·(A′ − S′)(A′ − A′(ω⁻¹X)).
fn lookup(
    graph: &mut Graph,
    index: usize,
    argument: &Lookup,
    all: &mut Vec<Linear>,
) -> Result<(), GenError> {
    let first = fixed(graph, RoundInput::First)?;
    let last = fixed(graph, RoundInput::Last)?;
    let active = active_rows(graph)?;
    let beta = graph.leaf(Leaf::Challenge(BETA));
    let gamma = graph.leaf(Leaf::Challenge(GAMMA));
    let product = cell(
        graph,
        ActionInput::LookupProduct {
            lookup: index,
            rotation: 0,
        },
    )?;
    let next = cell(
        graph,
        ActionInput::LookupProduct {
            lookup: index,
            rotation: 1,
        },
    )?;
    let input = cell(
        graph,
        ActionInput::LookupInput {
            lookup: index,
            rotation: 0,
        },
    )?;
    let before = cell(
        graph,
        ActionInput::LookupInput {
            lookup: index,
            rotation: -1,
        },
    )?;
    let table = cell(graph, ActionInput::LookupTable { lookup: index })?;

    all.push(graph.mul(&one_minus(&product), &first));
    let square = graph.mul(&product, &product);
    all.push(graph.mul(&Graph::sub(&square, &product), &last));

    let left = graph.mul(&next, &Graph::add(&input, &beta));
    let left = graph.mul(&left, &Graph::add(&table, &gamma));
    let wanted = Graph::add(&compressed(graph, &argument.inputs)?, &beta);
    let offered = Graph::add(&compressed(graph, &argument.table)?, &gamma);
    let right = graph.mul(&product, &wanted);
    let right = graph.mul(&right, &offered);
    all.push(graph.mul(&Graph::sub(&left, &right), &active));

    let difference = Graph::sub(&input, &table);
    all.push(graph.mul(&difference, &first));
    let step = graph.mul(&difference, &Graph::sub(&input, &before));
    all.push(graph.mul(&step, &active));
    Ok(())
}
