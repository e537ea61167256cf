//! Tests of the proof of work, as one program.

mod recorded;
