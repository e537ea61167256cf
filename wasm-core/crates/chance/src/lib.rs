//! Seeded pseudo-random numbers for tests, the simulator and the fuzz targets. They are no randomness: whoever has
//! seen one number knows the next, so nothing of the product may use it.

pub mod chance;
