//! Field, curve, transform and hash kernels over both Pasta curves, several values at a time.
//!
//! Products are inlined in WebAssembly, where the lanes are SIMD and calls cost copies, and called elsewhere, where
//! their portable form is long and compilation time counts more.

pub mod abscissas;
pub mod affine_batch;
pub mod bucket_sums;
pub mod column;
pub mod curve;
pub mod digits;
pub mod element;
pub mod fft;
pub mod fixed_bases;
pub mod fused;
pub mod inverse;
pub mod ladder;
pub mod lane;
mod lane_sums;
pub mod modulus;
pub mod point_pairs;
pub mod point_sums;
pub mod program;
mod program_bytes;
mod program_place;
mod program_products;
pub mod program_run;
pub mod shared_scalars;
pub mod sinsemilla;
pub mod sqrt;
pub mod stored;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[path = "two_simd128.rs"]
pub mod two;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[path = "two_portable.rs"]
pub mod two;
pub mod variable_msm;
pub mod weighted_sums;
