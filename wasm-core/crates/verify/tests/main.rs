//! Tests of the verifier against stored bundles and upstream, as one program.

mod mutations;
mod support;
mod verification;
