//! Proof of work (specification consensus 4): matrix of a header, hash of a nonce, level.

mod cshake;
pub mod heavy_hash;
pub mod judge_work;
mod matrix;
mod xoshiro;
