//! Chance that can be repeated: for tests, the simulator and the fuzz targets. It is no randomness: whoever has seen one
//! number knows the next, so nothing of the product may use it.

pub mod chance;
