//! Merkle hash of the note commitment tree: MerkleCRH of Orchard, a Sinsemilla hash of level, left and right
//! (specification shielded 7).

use svc_codec::hash32::Hash32;
use svc_kernels::hash::sinsemilla::Messages;

use crate::message::Message;
use crate::tables::{LOW, NODE_STARTS};

/// Levels that have parents: the leaves are level 0, the root is level 32.
pub const LEVELS: usize = 32;
/// Chunks of a node's message: 10 bits of level, 255 of each child.
pub const NODE_CHUNKS: usize = 52;
/// Bits of a child in its parent's message.
pub const NODE_BITS: usize = 255;

/// The parents of pairs of nodes of one level, in order. All additions share their inversions, so a pair costs the
/// less the more there are.
///
/// Nodes are canonical encodings of field elements; `level` is taken modulo 32.
pub fn combine_level(level: u8, pairs: &[[Hash32; 2]]) -> Vec<Hash32> {
    let start = &NODE_STARTS[usize::from(level) % LEVELS];
    let mut chunks = Vec::with_capacity(pairs.len() * (NODE_CHUNKS - 1));
    for [left, right] in pairs {
        let mut message = Message::default();
        message.push(left.as_bytes(), NODE_BITS);
        message.push(right.as_bytes(), NODE_BITS);
        message.chunks(&mut chunks);
    }
    let messages = Messages {
        generators: [&*LOW, &*LOW],
        length: NODE_CHUNKS - 1,
        tail: 0,
        chunks: &chunks,
        starts: &vec![start; pairs.len()],
        blinding: None,
    };
    messages
        .hash()
        .iter()
        .map(|point| Hash32(point.x.to_bytes()))
        .collect()
}

/// The parent of two nodes of `level`.
pub fn combine(level: u8, left: &Hash32, right: &Hash32) -> Hash32 {
    combine_level(level, &[[*left, *right]])
        .first()
        .copied()
        .unwrap_or_default()
}
