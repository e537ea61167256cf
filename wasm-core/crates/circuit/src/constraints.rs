//! Constraint system of the circuit, after selectors have been combined.

use crate::expression::Expression;

/// One lookup argument: on every row the inputs are a row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// What is looked up.
    pub inputs: Vec<Expression>,
    /// Where, as many expressions as there are inputs.
    pub table: Vec<Expression>,
}

/// Everything a witness must satisfy except the copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraints {
    /// Polynomials that are zero on every row, in upstream's order.
    pub gates: Vec<Expression>,
    /// The lookups, in upstream's order.
    pub lookups: Vec<Lookup>,
}
