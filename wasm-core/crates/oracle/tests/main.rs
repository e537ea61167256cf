//! Tests of our formulas against the parent network's published crates, as one program.

mod heavy_hash;
mod parent;
