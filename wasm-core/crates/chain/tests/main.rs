//! Tests of the formulas, the forms on the wire, and the profiles, as one program.

mod codecs;
mod common;
mod emission;
mod lane_tree;
mod profiles;
mod recorded;
mod vectors;
mod witness;
