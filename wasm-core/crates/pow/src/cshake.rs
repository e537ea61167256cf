//! The two cSHAKE256 instances of the proof of work (specification consensus 2).
//!
//! Both inputs fit one block, so a hash is one permutation of a state that already holds the
//! customization and the padding.

use std::sync::OnceLock;

use keccak::{Keccak, State1600};

/// Bytes absorbed per permutation by a 256-bit SHAKE.
const RATE: usize = 136;
/// First padding byte of cSHAKE.
const PADDING: u8 = 0x04;

/// The state before an input of `input_len` bytes: customization absorbed, padding in place.
fn prepare(customization: &[u8], input_len: usize) -> State1600 {
    // bytepad(encode_string("") || encode_string(customization), 136) of NIST SP 800-185;
    // both lengths are in bits and fit one byte.
    let mut block = [0; RATE];
    let head = [1, RATE as u8, 1, 0, 1, (customization.len() * 8) as u8];
    block[..head.len()].copy_from_slice(&head);
    block[head.len()..head.len() + customization.len()].copy_from_slice(customization);
    let mut state = State1600::default();
    absorb(&mut state, &block);
    permute(&mut state);
    let mut padding = [0; RATE];
    padding[input_len] = PADDING;
    padding[RATE - 1] |= 0x80;
    absorb(&mut state, &padding);
    state
}

fn absorb(state: &mut State1600, block: &[u8; RATE]) {
    for (lane, bytes) in state.iter_mut().zip(block.as_chunks().0) {
        *lane ^= u64::from_le_bytes(*bytes);
    }
}

fn permute(state: &mut State1600) {
    thread_local! { static BACKEND: Keccak = Keccak::new(); }
    BACKEND.with(|keccak| keccak.with_f1600(|permutation| permutation(state)));
}

fn squeeze(state: &State1600) -> [u8; 32] {
    let mut output = [0; 32];
    for (bytes, lane) in output.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = lane.to_le_bytes();
    }
    output
}

/// The state of `ProofOfWorkHash` with everything but the nonce absorbed.
#[derive(Clone)]
pub(crate) struct PowHash(State1600);

impl PowHash {
    /// Input so far: pre-proof-of-work hash, timestamp, 32 zero bytes.
    pub(crate) fn new(pre_pow_hash: &[u8; 32], timestamp_ms: u64) -> Self {
        static PREPARED: OnceLock<State1600> = OnceLock::new();
        let mut state = *PREPARED.get_or_init(|| prepare(b"ProofOfWorkHash", 80));
        for (lane, bytes) in state.iter_mut().zip(pre_pow_hash.as_chunks().0) {
            *lane ^= u64::from_le_bytes(*bytes);
        }
        state[4] ^= timestamp_ms;
        Self(state)
    }

    /// The hash with this nonce, which fills lane 9.
    pub(crate) fn finalize(&self, nonce: u64) -> [u8; 32] {
        let mut state = self.0;
        state[9] ^= nonce;
        permute(&mut state);
        squeeze(&state)
    }
}

/// `HeavyHash` of 32 bytes.
pub(crate) fn heavy_hash(input: &[u8; 32]) -> [u8; 32] {
    static PREPARED: OnceLock<State1600> = OnceLock::new();
    let mut state = *PREPARED.get_or_init(|| prepare(b"HeavyHash", 32));
    for (lane, bytes) in state.iter_mut().zip(input.as_chunks().0) {
        *lane ^= u64::from_le_bytes(*bytes);
    }
    permute(&mut state);
    squeeze(&state)
}
