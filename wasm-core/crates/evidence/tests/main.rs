//! Tests of evidence, one error for each thing that does not hold, as one program.

mod common;
mod evidence;
mod log_page;
mod mined_lies;
mod note;
mod one_solution;
mod payload;
mod receipt;
