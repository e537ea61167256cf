//! Fuzz targets of every decoder of bytes that come from outside or from the store, each a function of one byte
//! string, and a mutator that makes malformed inputs out of good ones.
//!
//! A target is a plain function: the tests of this crate run it with inputs that follow from a printed seed, and
//! any other driver of such functions can run it too. The crate is no part of the product.

pub mod mutator;
pub mod payment_chain;
pub mod registry;
pub mod runner;
pub mod target;
mod targets;
mod vectors;
