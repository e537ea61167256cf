//! Parents of Merkle nodes with an empty right sibling: in a tree that grows from the left, most levels of the right
//! edge are of this kind.
//!
//! The right half of such a message is the same every time. Its chunks are a constant sum of points, so the hash has
//! half as many points to add.

use std::sync::LazyLock;

use svc_codec::hash32::Hash32;
use svc_kernels::curve::{Affine, Pallas};
use svc_kernels::hash::sinsemilla::{CHUNK_BITS, Messages};

use crate::edge::empty_root;
use crate::merkle::{LEVELS, NODE_BITS, NODE_CHUNKS};
use crate::message::Message;
use crate::tables::{LOW, NODE_STARTS};

/// Bits of the right child in the chunk that both children share.
const SHARED_BITS: usize = CHUNK_BITS - NODE_BITS % CHUNK_BITS;
/// Chunks that depend on the left child.
const LEFT_CHUNKS: usize = (NODE_BITS + SHARED_BITS) / CHUNK_BITS;
/// Chunks of the right child alone; the first of all chunks is the level.
const TAIL: usize = NODE_CHUNKS - 1 - LEFT_CHUNKS;

/// Per level, what a hash starts with when the right child is empty: the usual start and the sum of the tail.
static STARTS: LazyLock<[Affine<Pallas>; LEVELS]> = LazyLock::new(|| {
    core::array::from_fn(|level| {
        let mut message = Message::default();
        message.push(Hash32::ZERO.as_bytes(), NODE_BITS);
        message.push(empty_root(level as u8).as_bytes(), NODE_BITS);
        let mut chunks = Vec::with_capacity(NODE_CHUNKS - 1);
        message.chunks(&mut chunks);
        let sum = Messages {
            generators: [&*LOW, &*LOW],
            length: TAIL,
            tail: 0,
            chunks: &chunks[LEFT_CHUNKS..],
            starts: &[&NODE_STARTS[level]],
            blinding: None,
        };
        sum.hash().first().copied().unwrap_or(Affine::IDENTITY)
    })
});

/// The parent of a node of `level` (taken modulo 32) and the empty subtree to its right.
pub fn combine_with_empty(level: u8, node: &Hash32) -> Hash32 {
    let level = usize::from(level) % LEVELS;
    let mut message = Message::default();
    message.push(node.as_bytes(), NODE_BITS);
    let shared = empty_root(level as u8).0[0] & ((1 << SHARED_BITS) - 1);
    message.push(&[shared], SHARED_BITS);
    let mut chunks = Vec::with_capacity(LEFT_CHUNKS);
    message.chunks(&mut chunks);
    let messages = Messages {
        generators: [&*LOW, &*LOW],
        length: LEFT_CHUNKS,
        tail: TAIL,
        chunks: &chunks,
        starts: &[&STARTS[level]],
        blinding: None,
    };
    messages
        .hash()
        .first()
        .map(|point| Hash32(point.x.to_bytes()))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::merkle::combine;

    #[test]
    fn the_same_as_with_both_children() {
        for level in 0..LEVELS as u8 {
            let mut node = Hash32([level.wrapping_mul(57); 32]);
            for round in 0..4_u8 {
                node.0[31] = 0x3f >> round;
                node.0[usize::from(round)] ^= 0xa5;
                let expected = combine(level, &node, &empty_root(level));
                assert_eq!(combine_with_empty(level, &node), expected, "{level}");
            }
            let empty = empty_root(level);
            assert_eq!(combine_with_empty(level, &empty), empty_root(level + 1));
        }
    }

    #[test]
    fn only_the_first_chunk_is_left_out() {
        assert_eq!((SHARED_BITS, LEFT_CHUNKS, TAIL), (5, 26, 25));
    }
}
