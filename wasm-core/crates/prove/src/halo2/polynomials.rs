//! Polynomial arithmetic of a proof: its polynomials and columns, and what is computed of them alone.

pub mod of_action;
pub mod polynomial;
pub mod quotient;
pub mod quotient_plan;
pub mod row_expression;
pub mod running_product;
