//! Tests of the decoders with mutated inputs, and of their runner, as one program.

mod decoders;
mod runner;
