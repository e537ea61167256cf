//! The WebAssembly binding (formats 3). Two builds come from it: `core` without the circuit, `prover` with it.
//!
//! Byte strings are `Uint8Array`, 64-bit numbers `bigint`, structured facts JSON text. Every failure is an
//! `Error` whose message is the JSON of an `SvcError`.

#[cfg(feature = "core")]
pub mod checks;
#[cfg(feature = "core")]
pub mod device;
#[cfg(feature = "core")]
pub mod engine;
#[cfg(feature = "core")]
pub mod evidence;
#[cfg(feature = "core")]
pub mod exporter;
#[cfg(feature = "core")]
pub mod import;
#[cfg(feature = "core")]
pub mod note_tree;
#[cfg(feature = "core")]
pub mod notes;
pub mod profile;
#[cfg(feature = "prover")]
pub mod prover;
#[cfg(feature = "prover")]
pub mod proving_keys;
#[cfg(feature = "core")]
pub mod questions;
#[cfg(feature = "core")]
pub mod reader;
#[cfg(feature = "core")]
pub mod scanner;
#[cfg(feature = "core")]
pub mod stopwatch;
#[cfg(feature = "core")]
pub mod store;
#[cfg(feature = "core")]
pub mod sync_questions;
pub mod thrown;
#[cfg(feature = "core")]
pub mod wallet;

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of this interface: 5. The TypeScript facade refuses a build of another one.
#[wasm_bindgen(js_name = abiVersion)]
pub fn abi_version() -> u32 {
    5
}

/// Runs when the module is instantiated. Maps by id get their randomness, which the standard library lacks here; where the
/// host has none they do without, and whatever needs secrets fails by itself (`keys/random-unavailable`). From then on a
/// panic is an `engine/panic` error with its message. The instance is unusable after one; its host drops it.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen(start)]
pub fn start() {
    #[cfg(feature = "core")]
    if let Ok(seed) = svc_shielded::random::system_bytes() {
        svc_codec::id_map::seed_id_maps(*seed.expose());
    }
    std::panic::set_hook(Box::new(|panic| {
        wasm_bindgen::throw_str(&thrown::panic_json(&panic.to_string()))
    }));
}
