//! The proof of the pruning point as it is stored: for each level the hashes of its headers, in the order of the proof.

use std::collections::HashSet;

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::meta;
use crate::proof::Proof;
use crate::state::{State, stored};
use crate::store::Store;
use crate::tables;

/// The headers of a level; none while no proof was made.
pub fn level<S: Store>(state: &State<S>, level: u8) -> Result<Vec<Hash32>, SvcError> {
    let bytes = state.overlay.get(tables::PROOF, &[level])?;
    stored("proof", meta::decode_hashes(&bytes.unwrap_or_default()))
}

/// The headers of all levels up to `max_level`.
pub fn hashes<S: Store>(state: &State<S>, max_level: u8) -> Result<HashSet<Hash32>, SvcError> {
    let mut all = HashSet::new();
    for number in 0..=max_level {
        all.extend(level(state, number)?);
    }
    Ok(all)
}

/// Replaces the proof.
pub fn write<S: Store>(state: &mut State<S>, proof: &Proof) {
    for (level, headers) in (0..=u8::MAX).zip(&proof.levels) {
        let hashes: Vec<Hash32> = headers.iter().map(|header| header.hash()).collect();
        let bytes = meta::encode_hashes(&hashes);
        state.overlay.put(tables::PROOF, &[level], bytes);
    }
}
