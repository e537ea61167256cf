//! Finds the notes of one viewing key (specification shielded 6.5 and 16).

use std::collections::HashMap;

use orchard::Note;
use orchard::keys::{FullViewingKey, IncomingViewingKey, Scope};
use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_shielded::coinbase_note::{self, CoinbaseNote, Minting, Source};
use svc_shielded::keys::{FVK_LEN, viewing_key};
use svc_shielded::memo;
use zcash_note_encryption::try_note_decryption;

use crate::facts::{BlockFacts, FoundNote, FoundTx, NoteKind, ScanFacts};
use crate::record::{Record, RecordAction, RecordOutput};
use crate::trial::{Hit, TrialKey, domain_and_output, find_notes};

/// Minted notes are recognised at these diversifier indices and no others (specification shielded 6.5).
const COINBASE_ADDRESSES: u32 = 256;
/// Bytes of the smallest record: no outputs, no transactions.
const MIN_RECORD_LEN: usize = 100;
/// Records of one page; a node serves at most 2,000.
const MAX_RECORDS: usize = 4_000;

/// Scans records for one viewing key of one network.
pub struct Scanner {
    profile: Profile,
    fvk: FullViewingKey,
    nullifier_key: [u8; 32],
    ivk: IncomingViewingKey,
    trial: [TrialKey; 1],
    coinbase_addresses: HashMap<[u8; 43], u32>,
}

/// A decrypted output: the note and its memo without padding.
type Decrypted = (Note, Vec<u8>);

impl Scanner {
    /// Prepares the keys and the 256 addresses at which minted notes are looked for. Error:
    /// `keys/bad-viewing-key`.
    pub fn new(profile: Profile, fvk: &[u8; FVK_LEN]) -> Result<Self, SvcError> {
        // ak, nk, rivk.
        let mut nullifier_key = [0; 32];
        nullifier_key.copy_from_slice(&fvk[32..64]);
        let fvk = viewing_key(fvk)?;
        let ivk = fvk.to_ivk(Scope::External);
        let trial = [TrialKey::new(&ivk)];
        let coinbase_addresses = (0..COINBASE_ADDRESSES)
            .map(|index| (ivk.address_at(index).to_raw_address_bytes(), index))
            .collect();
        Ok(Self {
            profile,
            fvk,
            nullifier_key,
            ivk,
            trial,
            coinbase_addresses,
        })
    }

    /// Scans `count` records that follow each other on the chain.
    ///
    /// Errors: `codec/*` for a body that does not hold exactly `count` records, `wallet/bad-page` for records
    /// that contradict each other, `shielded/bad-field`, and `shielded/bad-note` when the node's commitment of a
    /// minted note is not the one it must be.
    pub fn scan_records(&self, body: &[u8], count: usize) -> Result<ScanFacts, SvcError> {
        let records = read_records(body, count)?;
        let mut outputs = self.decrypt_all(&records)?.into_iter();
        let mut minted = self.derive_own(&records)?.into_iter();
        let mut facts = ScanFacts {
            blocks: Vec::with_capacity(records.len()),
            cmx: Vec::new(),
        };
        for record in &records {
            let block = self.block_facts(record, &mut outputs, &mut minted)?;
            check_continues(facts.blocks.last(), &block)?;
            facts.cmx.extend(record.leaves().flat_map(|leaf| leaf.0));
            facts.blocks.push(block);
        }
        Ok(facts)
    }

    /// Tries every action of the page in one batch; the memo is read from hits only.
    fn decrypt_all(&self, records: &[Record]) -> Result<Vec<Option<Decrypted>>, SvcError> {
        let actions: Vec<&RecordAction> = records
            .iter()
            .flat_map(|record| &record.txs)
            .flat_map(|tx| &tx.actions)
            .collect();
        let hits = find_notes(&self.trial, &actions)?;
        let with_memo = |(hit, action): (Option<Hit>, &&RecordAction)| {
            let Some(hit) = hit else {
                return Ok(None);
            };
            let (domain, output) = domain_and_output(action)?;
            let text = try_note_decryption(&domain, self.trial[0].prepared(), &output)
                .map_or_else(Vec::new, |(_, _, memo)| memo::trim(&memo).to_vec());
            Ok(Some((hit.note, text)))
        };
        hits.into_iter().zip(&actions).map(with_memo).collect()
    }

    /// The own outputs of a record's coinbase with their indices.
    fn own_outputs<'a>(
        &'a self,
        record: &'a Record,
    ) -> impl Iterator<Item = (u32, &'a RecordOutput)> {
        let outputs = (0..).zip(&record.outputs);
        outputs.filter(|(_, output)| self.coinbase_addresses.contains_key(&output.recipient))
    }

    /// Derives all own minted notes of the page together, in order.
    fn derive_own(&self, records: &[Record]) -> Result<Vec<(CoinbaseNote, Hash32)>, SvcError> {
        let minting = |record: &Record, index: u32, output: &RecordOutput| Minting {
            source: Source {
                block: record.hash,
                txid: record.coinbase_txid,
                daa_score: record.daa_score,
                index,
            },
            recipient: output.recipient,
            value: output.value,
        };
        let mintings: Vec<Minting> = records
            .iter()
            .flat_map(|record| {
                self.own_outputs(record)
                    .map(move |(index, output)| minting(record, index, output))
            })
            .collect();
        coinbase_note::derive_own(&self.profile, &self.nullifier_key, &mintings)
    }

    fn block_facts(
        &self,
        record: &Record,
        outputs: &mut impl Iterator<Item = Option<Decrypted>>,
        minted: &mut impl Iterator<Item = (CoinbaseNote, Hash32)>,
    ) -> Result<BlockFacts, SvcError> {
        let mut notes = self.minted_notes(record, minted)?;
        let mut position = record
            .first_leaf
            .saturating_add(record.outputs.len() as u64);
        for tx in &record.txs {
            for (index, action) in tx.actions.iter().enumerate() {
                if let Some((note, memo)) = outputs.next().flatten() {
                    notes.push(FoundNote {
                        kind: NoteKind::Received,
                        txid: tx.txid,
                        output_index: index as u32,
                        memo,
                        ..self.found(&note, position, action.cmx)
                    });
                }
                position = position.saturating_add(1);
            }
        }
        let txs = record.txs.iter().map(|tx| FoundTx {
            txid: tx.txid,
            nullifiers: tx.actions.iter().map(|action| action.nullifier).collect(),
        });
        Ok(BlockFacts {
            hash: record.hash,
            index: None,
            blue_score: record.blue_score,
            daa_score: record.daa_score,
            timestamp: record.timestamp_ms,
            first_leaf: record.first_leaf,
            leaves: position.saturating_sub(record.first_leaf),
            notes,
            txs: txs.collect(),
        })
    }

    fn minted_notes(
        &self,
        record: &Record,
        minted: &mut impl Iterator<Item = (CoinbaseNote, Hash32)>,
    ) -> Result<Vec<FoundNote>, SvcError> {
        let mut notes = Vec::new();
        for ((index, output), (derived, nullifier)) in self.own_outputs(record).zip(minted) {
            if derived.cmx != output.cmx {
                return Err(SvcError::new(Code::ShieldedBadNote)
                    .with("reason", "another commitment was served"));
            }
            notes.push(FoundNote {
                kind: NoteKind::Coinbase,
                position: record.first_leaf.saturating_add(u64::from(index)),
                value: output.value,
                recipient: output.recipient,
                address_index: self.coinbase_addresses.get(&output.recipient).copied(),
                rho: derived.rho,
                rseed: derived.rseed,
                cmx: output.cmx,
                nullifier,
                txid: record.coinbase_txid,
                output_index: index,
                memo: Vec::new(),
            });
        }
        Ok(notes)
    }

    /// The facts that follow from the note itself.
    fn found(&self, note: &Note, position: u64, cmx: Hash32) -> FoundNote {
        let address_index = self.ivk.diversifier_index(&note.recipient());
        FoundNote {
            kind: NoteKind::Received,
            position,
            value: note.value().inner(),
            recipient: note.recipient().to_raw_address_bytes(),
            address_index: address_index.and_then(|index| u32::try_from(index).ok()),
            rho: Hash32(note.rho().to_bytes()),
            rseed: *note.rseed().as_bytes(),
            cmx,
            nullifier: Hash32(note.nullifier(&self.fvk).to_bytes()),
            txid: Hash32::ZERO,
            output_index: 0,
            memo: Vec::new(),
        }
    }
}

fn read_records(body: &[u8], count: usize) -> Result<Vec<Record>, SvcError> {
    if count > MAX_RECORDS || count.saturating_mul(MIN_RECORD_LEN) > body.len() {
        return Err(SvcError::new(Code::CodecCountTooLarge)
            .with("count", count)
            .with("max", MAX_RECORDS));
    }
    let mut reader = Reader::new(body);
    let records = (0..count)
        .map(|_| Record::decode(&mut reader))
        .collect::<Result<Vec<_>, _>>()?;
    reader.finish()?;
    Ok(records)
}

/// Each block must begin where the one before ended, and come after it.
fn check_continues(previous: Option<&BlockFacts>, block: &BlockFacts) -> Result<(), SvcError> {
    let Some(previous) = previous else {
        return Ok(());
    };
    let follows = previous.first_leaf.checked_add(previous.leaves) == Some(block.first_leaf)
        && previous.blue_score < block.blue_score;
    if follows {
        return Ok(());
    }
    Err(SvcError::new(Code::WalletBadPage)
        .with("reason", format!("block {} does not follow", block.hash)))
}
