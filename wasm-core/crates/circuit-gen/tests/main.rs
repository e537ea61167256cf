//! Tests of what is generated from the upstream circuit, as one program.

mod compile;
