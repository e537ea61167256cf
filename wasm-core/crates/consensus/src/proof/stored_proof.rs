//! Stored form of the pruning proof: for each level the hashes of its headers, in the order of the proof.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::store::DagStore;

use crate::proof::{Proof, ProofHeader};
use crate::records::meta;
use crate::records::{Records, stored};
use crate::store::{Store, tables};

/// The headers of a level; none while no proof was made.
pub fn level<S: Store>(records: &Records<S>, level: u8) -> Result<Vec<Hash32>, SvcError> {
    let bytes = records.overlay.get(tables::PROOF, &[level])?;
    stored("proof", meta::decode_hashes(&bytes.unwrap_or_default()))
}

/// The headers of all levels up to `max_level`.
pub fn hashes<S: Store>(records: &Records<S>, max_level: u8) -> Result<HashSet<Hash32>, SvcError> {
    let mut all = HashSet::new();
    for number in 0..=max_level {
        all.extend(level(records, number)?);
    }
    Ok(all)
}

/// The stored proof as a value; `None` while none was made.
pub fn read<S: Store>(records: &Records<S>, max_level: u8) -> Result<Option<Proof>, SvcError> {
    let mut shared: HashMap<Hash32, Rc<ProofHeader>> = HashMap::new();
    let mut levels = Vec::new();
    for number in 0..=max_level {
        let mut headers = Vec::new();
        for hash in level(records, number)? {
            let header = match shared.get(&hash) {
                Some(header) => header.clone(),
                None => {
                    let header = records.header(&hash)?.header.clone();
                    Rc::new(ProofHeader::new(header, records.witness(&hash)?))
                }
            };
            shared.insert(hash, header.clone());
            headers.push(header);
        }
        levels.push(headers);
    }
    let is_whole = levels.iter().all(|level| !level.is_empty());
    Ok(is_whole.then_some(Proof { levels }))
}

/// Replaces the proof.
pub fn write<S: Store>(records: &mut Records<S>, proof: &Proof) {
    for (level, headers) in (0..=u8::MAX).zip(&proof.levels) {
        let hashes: Vec<Hash32> = headers.iter().map(|header| header.hash()).collect();
        let bytes = meta::encode_hashes(&hashes);
        records.overlay.put(tables::PROOF, &[level], bytes);
    }
}
