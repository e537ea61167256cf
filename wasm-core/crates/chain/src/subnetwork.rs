//! Subnetwork ids (specification consensus 9.3).

/// Ordinary transactions: 20 zero bytes.
pub const NATIVE: [u8; 20] = [0; 20];

/// Coinbase transactions: 1, then 19 zero bytes.
pub const COINBASE: [u8; 20] = {
    let mut id = [0; 20];
    id[0] = 1;
    id
};
