//! Finds the notes of one viewing key (specification shielded 6.5 and 16).

use std::collections::HashMap;

use orchard::Note;
use orchard::keys::{FullViewingKey, IncomingViewingKey, PreparedIncomingViewingKey, Scope};
use orchard::note_encryption::OrchardDomain;
use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_shielded::coinbase_note::{self, Source};
use svc_shielded::full_output::FullOutput;
use svc_shielded::keys::{FVK_LEN, viewing_key};
use svc_shielded::memo;
use zcash_note_encryption::{batch, try_note_decryption};

use crate::facts::{BlockFacts, FoundNote, FoundTx, NoteKind, ScanFacts};
use crate::record::{Record, RecordAction};

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
    ivk: IncomingViewingKey,
    prepared: [PreparedIncomingViewingKey; 1],
    coinbase_addresses: HashMap<[u8; 43], u32>,
}

/// A decrypted output: the note and its memo without padding.
type Decrypted = (Note, Vec<u8>);

impl Scanner {
    /// Prepares the keys and the 256 addresses at which minted notes are looked for. Error:
    /// `keys/bad-viewing-key`.
    pub fn new(profile: Profile, fvk: &[u8; FVK_LEN]) -> Result<Self, SvcError> {
        let fvk = viewing_key(fvk)?;
        let ivk = fvk.to_ivk(Scope::External);
        let prepared = [PreparedIncomingViewingKey::new(&ivk)];
        let coinbase_addresses = (0..COINBASE_ADDRESSES)
            .map(|index| (ivk.address_at(index).to_raw_address_bytes(), index))
            .collect();
        Ok(Self {
            profile,
            fvk,
            ivk,
            prepared,
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
        let outputs = self.decrypt_all(&records)?;
        let mut outputs = outputs.into_iter();
        let mut facts = ScanFacts {
            blocks: Vec::with_capacity(records.len()),
            cmx: Vec::new(),
        };
        for record in &records {
            let block = self.block_facts(record, &mut outputs)?;
            check_continues(facts.blocks.last(), &block)?;
            facts.cmx.extend(record.leaves().flat_map(|leaf| leaf.0));
            facts.blocks.push(block);
        }
        Ok(facts)
    }

    /// Tries every action of the page in one batch. The compact prefix decides, so that a note whose sender
    /// spoilt the memo is still found; the memo is read from hits only.
    fn decrypt_all(&self, records: &[Record]) -> Result<Vec<Option<Decrypted>>, SvcError> {
        let actions = records
            .iter()
            .flat_map(|record| &record.txs)
            .flat_map(|tx| &tx.actions);
        let outputs = actions
            .map(domain_and_output)
            .collect::<Result<Vec<_>, _>>()?;
        let hits = batch::try_compact_note_decryption(&self.prepared, &outputs);
        let with_memo = |(hit, (domain, output)): (Option<_>, &(OrchardDomain, FullOutput))| {
            let ((note, _), _): ((Note, _), usize) = hit?;
            let text = try_note_decryption(domain, &self.prepared[0], output)
                .map_or_else(Vec::new, |(_, _, memo)| memo::trim(&memo).to_vec());
            Some((note, text))
        };
        Ok(hits.into_iter().zip(&outputs).map(with_memo).collect())
    }

    fn block_facts(
        &self,
        record: &Record,
        outputs: &mut impl Iterator<Item = Option<Decrypted>>,
    ) -> Result<BlockFacts, SvcError> {
        let mut notes = self.minted_notes(record)?;
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

    fn minted_notes(&self, record: &Record) -> Result<Vec<FoundNote>, SvcError> {
        let mut notes = Vec::new();
        for (index, output) in record.outputs.iter().enumerate() {
            if !self.coinbase_addresses.contains_key(&output.recipient) {
                continue;
            }
            let source = Source {
                block: record.hash,
                txid: record.coinbase_txid,
                daa_score: record.daa_score,
                index: index as u32,
            };
            let derived =
                coinbase_note::derive(&self.profile, &source, &output.recipient, output.value)?;
            if derived.cmx != output.cmx {
                return Err(SvcError::new(Code::ShieldedBadNote)
                    .with("reason", "another commitment was served"));
            }
            let note = derived.parts(&output.recipient, output.value).to_note()?;
            notes.push(FoundNote {
                kind: NoteKind::Coinbase,
                txid: record.coinbase_txid,
                output_index: index as u32,
                ..self.found(
                    &note,
                    record.first_leaf.saturating_add(index as u64),
                    output.cmx,
                )
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

fn domain_and_output(action: &RecordAction) -> Result<(OrchardDomain, FullOutput), SvcError> {
    let output = FullOutput::from_parts(
        action.nullifier.as_bytes(),
        action.cmx.as_bytes(),
        action.epk,
        action.enc,
    )?;
    Ok((OrchardDomain::for_compact_action(&output.compact), output))
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
