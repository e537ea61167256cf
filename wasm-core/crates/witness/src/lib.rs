//! Witness generation for the pinned Orchard action circuit: its columns from an action's private inputs.
//!
//! A chip is a plain function that fills the next regions of a [`sheet::Sheet`]; a cell that the circuit ties to an
//! earlier one is written with the same value again. Columns are numbered as the circuit configures them.

pub mod action;
pub mod add;
pub mod bits;
pub mod canonicity;
pub mod chips;
pub mod gate;
pub mod hash;
pub mod inputs;
pub mod multiply;
pub mod point;
pub mod range_check;
pub mod running_sum;
pub mod sheet;
pub mod tables;
pub mod values;
pub mod y_canonicity;
