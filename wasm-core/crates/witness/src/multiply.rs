//! Scalar multiplication chips.

pub mod double_add;
pub mod fixed_mul;
pub mod fixed_mul_base;
pub mod fixed_mul_short;
pub mod sum_chain;
pub mod variable_mul;
