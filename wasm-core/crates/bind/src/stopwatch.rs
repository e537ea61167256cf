//! Adapter of the host's stopwatch to the engine's [`Stopwatch`] trait, for benchmarks.

use svc_consensus::timings::{Part, Stopwatch};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The host's object, see docs/formats.md 3.5.
    pub type HostStopwatch;

    #[wasm_bindgen(method)]
    fn lap(this: &HostStopwatch, part: u8);
}

impl Stopwatch for HostStopwatch {
    fn lap(&self, part: Part) {
        HostStopwatch::lap(self, part as u8);
    }
}
