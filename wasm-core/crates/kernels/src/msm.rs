//! Multi-scalar multiplication: sums of many points, each times a scalar of its own.

pub mod bucket_sums;
pub mod digits;
pub mod fixed_bases;
pub mod point_sums;
pub mod shared_scalars;
pub mod variable_msm;
pub mod weighted_sums;
