//! Tests of the circuit as data, as one program.

mod assets;
mod commitment_tables;
