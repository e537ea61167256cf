//! Tests of note commitments and Merkle nodes, as one program.

mod upstream;
