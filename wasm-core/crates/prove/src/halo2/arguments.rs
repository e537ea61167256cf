//! Halo 2 arguments that a proof consists of: lookup, permutation, multi-point opening, inner product.

pub mod inner_product;
pub mod lookup;
pub mod opening;
pub mod permutation;
pub mod prepared;
pub mod proving_tables;
pub mod round_share;
