//! Wire formats between coordinator and shards: encodings, randomness, secret buffers, and the division of actions.

pub mod points;
pub mod randomness;
pub mod share;
pub mod wiped;
