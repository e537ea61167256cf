//! Tests of evidence, one error for each thing that does not hold, as one program.

mod common;
mod evidence;
mod log_page;
mod note;
mod payload;
mod receipt;
