//! Tests of the kernels against upstream and against plain arithmetic, as one program.

mod curve;
mod element;
mod fft;
mod field_operations;
mod fixed_bases;
mod fused;
mod ladder;
mod lazy_bounds;
mod program;
mod roots;
mod sinsemilla;
mod split_mix;
mod upstream_points;
mod variable_msm;
