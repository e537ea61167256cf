//! Scanner for incoming viewing keys: finds what is paid to their addresses in scan records (specification shielded 16).

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_shielded::keys::incoming::{IVK_LEN, incoming_key};

use crate::diversifier_key::DiversifierKey;
use crate::incoming_facts::{IncomingBlock, IncomingFacts, IncomingNote};
use crate::page::{OutputPlace, leaf_count, read_records, try_records, with_places};
use crate::record::Record;
use crate::trial::{Hit, TrialKey, check_key_count};

/// Scans records for incoming viewing keys, for whoever must learn of payments and of nothing else: notes have no nullifiers,
/// since these keys make none, and minted notes are not looked for.
pub struct IncomingScanner {
    /// Prepared scalars, each once.
    trial: Vec<TrialKey>,
    /// For each of them the keys that have it.
    readers: Vec<Vec<Reader>>,
}

/// One viewing key.
struct Reader {
    /// Its place among the scanner's.
    key: u32,
    diversifier_key: DiversifierKey,
}

impl IncomingScanner {
    /// Prepares viewing keys, 64 bytes each. Of keys with the same ivk each finds all its notes, also where they differ in dk: a
    /// wrong dk makes wrong indices, and hides nothing from the right key.
    ///
    /// Errors: `keys/bad-viewing-key`, `codec/count-too-large` for more than [`svc_codec::limits::MAX_SCAN_KEYS`] keys.
    pub fn for_keys(keys: &[[u8; IVK_LEN]]) -> Result<Self, SvcError> {
        check_key_count(keys.len())?;
        let mut trial = Vec::new();
        let mut readers: Vec<Vec<Reader>> = Vec::new();
        let mut scalars: Vec<&[u8]> = Vec::new();
        for (key, bytes) in (0..).zip(keys) {
            let prepared = incoming_key(bytes)?;
            let (dk, scalar) = bytes.split_at(IVK_LEN / 2);
            let mut diversifier_key = [0; IVK_LEN / 2];
            diversifier_key.copy_from_slice(dk);
            let reader = Reader {
                key,
                diversifier_key: DiversifierKey::new(diversifier_key),
            };
            match scalars.iter().position(|known| *known == scalar) {
                Some(place) => readers[place].push(reader),
                None => {
                    scalars.push(scalar);
                    trial.push(TrialKey::new(&prepared));
                    readers.push(vec![reader]);
                }
            }
        }
        Ok(Self { trial, readers })
    }

    /// Scans `count` records that follow each other on the chain.
    ///
    /// Errors: as [`crate::scanner::Scanner::scan_records`]; each of them follows from the bytes alone.
    pub fn scan_records(&self, body: &[u8], count: usize) -> Result<IncomingFacts, SvcError> {
        let records = read_records(body, count)?;
        let mut hits = try_records(&self.trial, &records)?.into_iter();
        let blocks = records
            .iter()
            .map(|record| self.block_facts(record, &mut hits));
        Ok(IncomingFacts {
            blocks: blocks.collect(),
        })
    }

    fn block_facts(
        &self,
        record: &Record,
        hits: &mut impl Iterator<Item = Option<Hit>>,
    ) -> IncomingBlock {
        let notes = with_places(record, hits).flat_map(|(place, hit)| self.notes_of(place, hit));
        IncomingBlock {
            notes: notes.collect(),
            hash: record.head.hash,
            blue_score: record.head.blue_score,
            daa_score: record.head.daa_score,
            timestamp: record.head.timestamp_ms,
            first_leaf: record.head.first_leaf,
            leaves: leaf_count(record),
        }
    }

    /// The note for each of the keys that read it.
    fn notes_of(&self, place: OutputPlace, hit: Hit) -> impl Iterator<Item = IncomingNote> {
        let Hit { note, key } = hit;
        self.readers[key].iter().map(move |reader| IncomingNote {
            key: reader.key,
            txid: place.txid,
            output_index: place.output_index,
            cmx: place.cmx,
            position: place.position,
            rho: Hash32(note.fields.rho),
            rseed: note.rseed,
            value: note.fields.value,
            recipient: note.recipient,
            address_index: reader.diversifier_key.index_of(&note.recipient),
            memo: note.memo.clone(),
        })
    }
}
