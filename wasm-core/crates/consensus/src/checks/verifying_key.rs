//! Fingerprint of the verifying key, for builds that hold no circuit: people compare it.

/// The digest of upstream's key text with which every transcript begins, in hex. A test of crate `circuit-gen` computes it
/// from the repaired circuit and compares it with this line and with SECURITY.md.
pub const VERIFYING_KEY_FINGERPRINT: &str =
    "71522dd31238af3da22e6d9acbec2d03e0fedf2688553cf3be0bbe598fd4f70b";
