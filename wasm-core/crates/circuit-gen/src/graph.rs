//! Expression graph in a normal form, with common subexpressions shared: equal parts are the same node.
//!
//! Every expression becomes a linear combination of nodes; a node is a leaf, a product of leaves and sums, or a sum
//! (a linear combination with its common factor and sign taken out). Nodes are numbered, equal nodes share a number.

use std::collections::{BTreeMap, HashMap};

use crate::factor::Factor;

/// The number of a node.
pub type NodeId = usize;
/// The node of the constant one.
pub const ONE: NodeId = 0;

/// An input of the expressions, those that are known earliest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Leaf {
    /// A challenge of the proof: the same on every row.
    Challenge(usize),
    /// A column that is the same for all actions of a proof.
    Round(usize),
    /// A column of one action.
    Action(usize),
}

/// One node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The constant one.
    One,
    /// A value from outside.
    Leaf(Leaf),
    /// A sum of leaves and products with factors.
    Sum(Vec<(NodeId, Factor)>),
    /// A product of leaves and sums, by number.
    Product(Vec<NodeId>),
}

/// A linear combination of nodes; no factor is zero.
pub type Linear = BTreeMap<NodeId, Factor>;

/// All nodes.
#[derive(Debug)]
pub struct Graph {
    nodes: Vec<Node>,
    levels: Vec<u8>,
    numbers: HashMap<Node, NodeId>,
}

impl Default for Graph {
    fn default() -> Self {
        Self {
            nodes: vec![Node::One],
            levels: vec![0],
            numbers: HashMap::from([(Node::One, ONE)]),
        }
    }
}

impl Graph {
    /// A node by its number.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// 0 for what depends on challenges only, 1 on columns of the proof, 2 on columns of an action.
    pub fn level(&self, id: NodeId) -> u8 {
        self.levels[id]
    }

    fn number(&mut self, node: Node) -> NodeId {
        if let Some(id) = self.numbers.get(&node) {
            return *id;
        }
        let level = match &node {
            Node::One | Node::Leaf(Leaf::Challenge(_)) => 0,
            Node::Leaf(Leaf::Round(_)) => 1,
            Node::Leaf(Leaf::Action(_)) => 2,
            Node::Sum(terms) => terms
                .iter()
                .map(|(id, _)| self.levels[*id])
                .max()
                .unwrap_or(0),
            Node::Product(factors) => factors.iter().map(|id| self.levels[*id]).max().unwrap_or(0),
        };
        let id = self.nodes.len();
        self.nodes.push(node.clone());
        self.levels.push(level);
        self.numbers.insert(node, id);
        id
    }

    /// A leaf.
    pub fn leaf(&mut self, leaf: Leaf) -> Linear {
        BTreeMap::from([(self.number(Node::Leaf(leaf)), Factor::small(1))])
    }

    /// A constant.
    pub fn constant(factor: Factor) -> Linear {
        if factor.is_zero() {
            Linear::new()
        } else {
            BTreeMap::from([(ONE, factor)])
        }
    }

    /// Sum.
    pub fn add(a: &Linear, b: &Linear) -> Linear {
        let mut sum = a.clone();
        for (id, factor) in b {
            let total = sum.get(id).map_or(*factor, |known| known.add(factor));
            if total.is_zero() {
                sum.remove(id);
            } else {
                sum.insert(*id, total);
            }
        }
        sum
    }

    /// Product with a constant.
    pub fn scale(a: &Linear, factor: &Factor) -> Linear {
        if factor.is_zero() {
            return Linear::new();
        }
        a.iter()
            .map(|(id, known)| (*id, known.mul(factor)))
            .collect()
    }

    /// Difference.
    pub fn sub(a: &Linear, b: &Linear) -> Linear {
        Self::add(a, &Self::scale(b, &Factor::small(-1)))
    }

    /// Product.
    pub fn mul(&mut self, a: &Linear, b: &Linear) -> Linear {
        let constant = |linear: &Linear| match linear.first_key_value() {
            None => Some(Factor::small(0)),
            Some((&ONE, factor)) if linear.len() == 1 => Some(*factor),
            Some(_) => None,
        };
        match (constant(a), constant(b)) {
            (Some(factor), _) => Self::scale(b, &factor),
            (_, Some(factor)) => Self::scale(a, &factor),
            _ => {
                let (first_factor, first) = self.as_node(a);
                let (second_factor, second) = self.as_node(b);
                let mut factors = self.factors(first);
                factors.extend(self.factors(second));
                let id = self.product(factors);
                BTreeMap::from([(id, first_factor.mul(&second_factor))])
            }
        }
    }

    /// The node of a product of nodes.
    pub fn product(&mut self, mut factors: Vec<NodeId>) -> NodeId {
        factors.sort_unstable();
        match factors.as_slice() {
            [] => ONE,
            [single] => *single,
            _ => self.number(Node::Product(factors)),
        }
    }

    /// The node of a sum of terms, as they are.
    pub fn sum(&mut self, terms: Vec<(NodeId, Factor)>) -> NodeId {
        self.number(Node::Sum(terms))
    }

    /// The factors of a node.
    pub fn factors(&self, id: NodeId) -> Vec<NodeId> {
        match &self.nodes[id] {
            Node::One => Vec::new(),
            Node::Product(factors) => factors.clone(),
            Node::Leaf(_) | Node::Sum(_) => vec![id],
        }
    }

    /// A combination (not a constant) as one node times a constant.
    fn as_node(&mut self, linear: &Linear) -> (Factor, NodeId) {
        if let (Some((id, factor)), 1) = (linear.first_key_value(), linear.len()) {
            return (*factor, *id);
        }
        // The sign of the first product decides, so that products are added; without one, the first leaf.
        let is_product = |id: &NodeId| matches!(self.nodes[*id], Node::Product(_));
        let leading = linear
            .iter()
            .find(|(id, _)| is_product(id))
            .or_else(|| linear.iter().find(|(id, _)| **id != ONE))
            .map_or(Factor::small(1), |(_, factor)| *factor);
        let sign = if leading.is_negative() {
            Factor::small(-1)
        } else {
            Factor::small(1)
        };
        let terms = linear
            .iter()
            .map(|(id, factor)| (*id, factor.mul(&sign)))
            .collect();
        (sign, self.number(Node::Sum(terms)))
    }
}
