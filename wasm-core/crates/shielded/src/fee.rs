//! Fee formulas of payments (specification shielded 13.2). All amounts are sompi.

use crate::bundle::{BundleFormat, wire_len};

/// Sompi for each byte of size: the node asks 100,000 per 1,000 grams and a byte weighs two.
const SOMPI_PER_BYTE: u64 = 200;
/// What a node adds to the payload for the envelope.
const ENVELOPE_BYTES: u64 = 94;
/// What a wallet adds to the payload: the envelope and room for the anchor block of the security fork.
const WALLET_OVERHEAD_BYTES: u64 = 128;
/// Bundles are padded to this number of actions.
const MIN_ACTIONS: usize = 2;

/// The fee a wallet pays for `actions` = max(spends, outputs), change included. It does not grow with the
/// 32 bytes of the security fork and still exceeds the node's minimum then.
pub fn wallet_fee(actions: usize) -> u64 {
    let payload = wire_len(actions.max(MIN_ACTIONS), BundleFormat::Plain) as u64;
    SOMPI_PER_BYTE.saturating_mul(payload.saturating_add(WALLET_OVERHEAD_BYTES))
}

/// The least fee for which a node relays a payment with a payload of `payload_len` bytes.
pub fn node_minimum(payload_len: usize) -> u64 {
    SOMPI_PER_BYTE.saturating_mul((payload_len as u64).saturating_add(ENVELOPE_BYTES))
}
