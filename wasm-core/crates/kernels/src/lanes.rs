//! SIMD lanes: how many values a register holds, one or two, and the limbs that they are made of.

pub(crate) mod carry;
pub mod lane;
pub mod modulus;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[path = "lanes/two_simd128.rs"]
pub mod two;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[path = "lanes/two_portable.rs"]
pub mod two;
