//! Field, curve, transform and hash kernels over both Pasta curves, several values at a time.
//!
//! Products are inlined in WebAssembly, where the lanes are SIMD and calls cost copies, and called elsewhere, where
//! their portable form is long and compilation time counts more.

pub mod curve;
pub mod fft;
pub mod field;
pub mod hash;
pub mod lanes;
pub mod msm;
pub mod program;
