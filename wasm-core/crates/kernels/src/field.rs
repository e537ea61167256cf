//! Finite field arithmetic of the two prime fields of the Pasta cycle.

pub mod element;
pub mod fused;
pub mod inverse;
pub mod sqrt;
pub mod stored;
