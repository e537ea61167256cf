//! Build script: passes compiler flags and target to the program as environment variables, so that it can report
//! them.

use std::env::var;

fn main() {
    // Cargo puts this character between two flags.
    let flags = var("CARGO_ENCODED_RUSTFLAGS")
        .unwrap_or_default()
        .replace('\u{1f}', " ");
    let cpu = flags
        .split_once("target-cpu=")
        .and_then(|(_, rest)| rest.split_whitespace().next())
        .unwrap_or("default");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=PEER_TARGET_CPU={cpu}");
    println!("cargo::rustc-env=PEER_FLAGS={flags}");
    for (name, from) in [
        ("PEER_OPT_LEVEL", "OPT_LEVEL"),
        ("PEER_TARGET_FEATURES", "CARGO_CFG_TARGET_FEATURE"),
    ] {
        println!("cargo::rustc-env={name}={}", var(from).unwrap_or_default());
    }
}
