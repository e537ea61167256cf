//! Hash functions over the curves (Sinsemilla).

pub mod sinsemilla;
