//! Build information: how this program was compiled.

use serde_json::{Value, json};

/// Upstream's arithmetic, its features, and the compiler's flags.
pub fn about() -> Value {
    let mut features = vec!["glv", "sqrt-table"];
    if cfg!(feature = "asm") {
        features.insert(0, "asm");
    }
    json!({
        "backend": pasta_curves::BACKEND,
        "features": features,
        "opt_level": env!("PEER_OPT_LEVEL"),
        "target_cpu": env!("PEER_TARGET_CPU"),
        "target_features": env!("PEER_TARGET_FEATURES"),
        "flags": env!("PEER_FLAGS"),
    })
}
