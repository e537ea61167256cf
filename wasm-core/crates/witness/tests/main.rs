//! Tests of the witness columns against upstream's synthesis, as one program.

mod action;
mod common;
mod elliptic;
mod layout;
mod merkle;
mod poseidon;
mod range_check;
