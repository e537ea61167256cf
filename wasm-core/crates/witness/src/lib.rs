//! The witness columns of the pinned Orchard action circuit, from an action's private inputs.
//!
//! A chip is a plain function that fills the next regions of a [`sheet::Sheet`]; a cell that the circuit ties to an
//! earlier one is written with the same value again. Columns are numbered as the circuit configures them.

pub mod action;
pub mod add;
pub mod bits;
pub mod canonicity;
pub mod chips;
pub mod commit_ivk;
pub mod double_add;
pub mod fixed_mul;
pub mod fixed_mul_base;
pub mod fixed_mul_short;
pub mod gate;
pub mod inputs;
pub mod merkle;
pub mod note_commit;
pub mod point;
pub mod poseidon;
pub mod range_check;
pub mod running_sum;
pub mod sheet;
pub mod sinsemilla;
pub mod sum_chain;
pub mod tables;
pub mod values;
pub mod variable_mul;
pub mod y_canonicity;
