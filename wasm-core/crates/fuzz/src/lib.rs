//! Every decoder of bytes that come from outside or from the store, as a function of one byte string, and a
//! mutator that leads from good inputs to strange ones.
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
