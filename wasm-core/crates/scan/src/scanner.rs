//! Scanner: finds the notes of viewing keys in scan records (specification shielded 6.5 and 16).

use std::collections::{HashMap, HashSet};

use orchard::keys::{IncomingViewingKey, Scope};
use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::scan_record::MintedNote;
use svc_shielded::coinbase_note::{self, CoinbaseNote, Minting, Source};
use svc_shielded::keys::address::{self, ADDRESS_LEN};
use svc_shielded::keys::{FVK_LEN, viewing_key};
use svc_tree::note_fields::NoteFields;
use svc_tree::nullifier::own_leaves;

use crate::diversifier_key::DiversifierKey;
use crate::facts::{BlockFacts, FoundNote, FoundOutput, FoundTx, NoteKind, ScanFacts};
use crate::page::{OutputPlace, leaf_count, read_records, try_records, with_places};
use crate::record::{Record, RecordAction, leaves};
use crate::record_sums::RecordSums;
use crate::sent::{SenderKey, SentOutput};
use crate::trial::{Hit, TrialKey, check_key_count};

/// Minted notes are recognised at these diversifier indices and no others (specification shielded 6.5).
const COINBASE_ADDRESSES: u32 = 256;

/// Scans records for the full viewing keys of one network. What an action costs apart from the keys, its ephemeral key's
/// decompression and tables, is paid once for all of them.
pub struct Scanner {
    profile: Profile,
    accounts: Vec<Account>,
    trial: Vec<TrialKey>,
}

/// Own addresses among those that records mint to.
type Owners = HashMap<[u8; ADDRESS_LEN], Owner>;

/// One viewing key.
struct Account {
    nullifier_key: [u8; 32],
    diversifier_key: DiversifierKey,
    ivk: IncomingViewingKey,
    sender: SenderKey,
}

/// Whose address it is, and its diversifier index.
#[derive(Clone, Copy)]
struct Owner {
    key: usize,
    index: u32,
}

/// A decrypted output.
struct Decrypted {
    hit: Hit,
    nullifier: Hash32,
}

impl Scanner {
    /// A scanner for one viewing key. Error: `keys/bad-viewing-key`.
    pub fn new(profile: Profile, fvk: &[u8; FVK_LEN]) -> Result<Self, SvcError> {
        Self::for_keys(profile, core::slice::from_ref(fvk))
    }

    /// Prepares viewing keys. Of a key that is there twice the first finds everything.
    ///
    /// Errors: `keys/bad-viewing-key`, `codec/count-too-large` for more than [`svc_codec::limits::MAX_SCAN_KEYS`] keys.
    pub fn for_keys(profile: Profile, fvks: &[[u8; FVK_LEN]]) -> Result<Self, SvcError> {
        check_key_count(fvks.len())?;
        let accounts = fvks.iter().map(Account::new);
        let accounts = accounts.collect::<Result<Vec<_>, _>>()?;
        let trial = accounts.iter().map(|account| TrialKey::new(&account.ivk));
        Ok(Self {
            profile,
            trial: trial.collect(),
            accounts,
        })
    }

    /// Scans `count` records that follow each other on the chain.
    ///
    /// Errors: `codec/*` for a body that does not hold exactly `count` records, `wallet/bad-page` for records
    /// that contradict each other, `shielded/bad-field`. Each of them follows from the bytes alone, whoever scans: a
    /// refusal that only an owner makes would tell the node who the owner is. A minted output of one of the keys under a
    /// commitment that is not its own is therefore no error. It is not credited, and counted in `refused`.
    pub fn scan_records(&self, body: &[u8], count: usize) -> Result<ScanFacts, SvcError> {
        let records = read_records(body, count)?;
        let mut outputs = self.decrypt_all(&records)?.into_iter();
        let owners = self.owners(&records);
        let mut minted = self.derive_own(&records, &owners)?.into_iter();
        let mut facts = ScanFacts {
            blocks: Vec::with_capacity(records.len()),
            cmx: Vec::new(),
        };
        for record in &records {
            let mut block = self.block_facts(record, &owners, &mut outputs, &mut minted);
            block.sent = self.sent(record, &block.notes)?;
            facts.cmx.extend(leaves(record).flat_map(|leaf| leaf.0));
            facts.blocks.push(block);
        }
        Ok(facts)
    }

    /// Tries every action of the page, and derives the nullifiers of all notes of a key together.
    fn decrypt_all(&self, records: &[Record]) -> Result<Vec<Option<Decrypted>>, SvcError> {
        let hits = try_records(&self.trial, records)?;
        let mut nullifiers = Vec::with_capacity(self.accounts.len());
        for (key, account) in self.accounts.iter().enumerate() {
            let own = hits.iter().flatten().filter(|hit| hit.key == key);
            let mut own: Vec<NoteFields> = own.map(|hit| hit.note.fields).collect();
            let leaves = own_leaves(&account.nullifier_key, &own);
            own.iter_mut().for_each(NoteFields::clear);
            let leaves = leaves.ok_or_else(|| SvcError::new(Code::KeysBadViewingKey))?;
            nullifiers.push(leaves.into_iter().map(|leaf| leaf.nullifier));
        }
        let mut with_nullifier = |hit: Hit| {
            let nullifier = nullifiers[hit.key].next()?;
            Some(Decrypted { hit, nullifier })
        };
        Ok(hits
            .into_iter()
            .map(|hit| hit.and_then(&mut with_nullifier))
            .collect())
    }

    /// The own addresses among those that the records mint to. An address is tried once, however often it is paid: its
    /// diversifier decrypts to a small number under the key that made it, which then has to give the same address.
    fn owners(&self, records: &[Record]) -> Owners {
        let minted = records.iter().flat_map(|record| &record.minted);
        let addresses: HashSet<&[u8; ADDRESS_LEN]> =
            minted.map(|output| &output.recipient).collect();
        let addresses: Vec<_> = addresses.into_iter().collect();
        let mut owners = HashMap::new();
        for (key, account) in self.accounts.iter().enumerate() {
            let diversifiers = addresses.iter().filter_map(|address| address.first_chunk());
            let indices = account.diversifier_key.indices(diversifiers);
            for (address, index) in addresses.iter().zip(indices) {
                let Some(index) = index.filter(|index| *index < COINBASE_ADDRESSES) else {
                    continue;
                };
                if account.ivk.address_at(index).to_raw_address_bytes() == **address {
                    owners.entry(**address).or_insert(Owner { key, index });
                }
            }
        }
        owners
    }

    /// Derives all own minted notes of the page, those of a key together, and gives them in order.
    fn derive_own(
        &self,
        records: &[Record],
        owners: &Owners,
    ) -> Result<Vec<(CoinbaseNote, Hash32)>, SvcError> {
        let minting = |record: &Record, index: u32, output: &MintedNote| Minting {
            source: Source {
                block: record.head.hash,
                txid: record.head.coinbase_txid,
                daa_score: record.head.daa_score,
                index,
            },
            recipient: output.recipient,
            value: output.value,
        };
        let mut mintings: Vec<Vec<Minting>> = self.accounts.iter().map(|_| Vec::new()).collect();
        let mut keys = Vec::new();
        for record in records {
            for (index, output, owner) in own_outputs(record, owners) {
                mintings[owner.key].push(minting(record, index, output));
                keys.push(owner.key);
            }
        }
        let derived = self.accounts.iter().zip(&mintings);
        let derived = derived.map(|(account, mintings)| {
            let notes = coinbase_note::derive_own(&self.profile, &account.nullifier_key, mintings)?;
            Ok(notes.into_iter())
        });
        let mut derived = derived.collect::<Result<Vec<_>, SvcError>>()?;
        let in_order = keys.into_iter().map(|key| derived[key].next());
        Ok(in_order.flatten().collect())
    }

    fn block_facts(
        &self,
        record: &Record,
        owners: &Owners,
        outputs: &mut impl Iterator<Item = Option<Decrypted>>,
        minted: &mut impl Iterator<Item = (CoinbaseNote, Hash32)>,
    ) -> BlockFacts {
        let (mut notes, refused) = minted_notes(record, owners, minted);
        notes.extend(with_places(record, outputs).map(|(place, output)| self.found(place, output)));
        let txs = record.payments.iter().map(|payment| FoundTx {
            txid: payment.txid,
            nullifiers: payment
                .actions
                .iter()
                .map(|action| action.nullifier)
                .collect(),
        });
        BlockFacts {
            hash: record.head.hash,
            index: None,
            blue_score: record.head.blue_score,
            daa_score: record.head.daa_score,
            timestamp: record.head.timestamp_ms,
            first_leaf: record.head.first_leaf,
            leaves: leaf_count(record),
            notes,
            sent: Vec::new(),
            refused,
            txs: txs.collect(),
            sums: RecordSums::of(record),
        }
    }

    /// The outputs of a record that a key's owner sent, without what it paid to itself: that is among its notes. Error:
    /// `shielded/bad-field`.
    fn sent(&self, record: &Record, notes: &[FoundNote]) -> Result<Vec<FoundOutput>, SvcError> {
        let mut found = Vec::new();
        let actions = record.payments.iter().flat_map(|payment| {
            let actions = (0..).zip(&payment.actions);
            actions.map(|(output_index, action)| (payment.txid, output_index, action))
        });
        for (txid, output_index, action) in actions {
            let Some((key, output)) = self.sender_of(action)? else {
                continue;
            };
            if notes
                .iter()
                .any(|note| note.key == key && note.cmx == action.cmx)
            {
                continue;
            }
            found.push(FoundOutput {
                key,
                txid,
                output_index,
                recipient: output.recipient,
                address: address::encode(&self.profile.hrp, &output.recipient),
                value: output.value,
                memo: output.memo,
            });
        }
        Ok(found)
    }

    /// The first key that was attached to an action, and the output. Error: `shielded/bad-field`.
    fn sender_of(&self, action: &RecordAction) -> Result<Option<(u32, SentOutput)>, SvcError> {
        for (key, account) in (0..).zip(&self.accounts) {
            if let Some(output) = account.sender.read(action)? {
                return Ok(Some((key, output)));
            }
        }
        Ok(None)
    }

    /// The facts of a decrypted output.
    fn found(&self, place: OutputPlace, Decrypted { hit, nullifier }: Decrypted) -> FoundNote {
        let Hit { note, key } = hit;
        FoundNote {
            kind: NoteKind::Received,
            key: key as u32,
            position: place.position,
            value: note.fields.value,
            recipient: note.recipient,
            address_index: self.accounts[key].diversifier_key.index_of(&note.recipient),
            rho: Hash32(note.fields.rho),
            rseed: note.rseed,
            cmx: place.cmx,
            nullifier,
            txid: place.txid,
            output_index: place.output_index,
            memo: note.memo,
        }
    }
}

impl Account {
    fn new(bytes: &[u8; FVK_LEN]) -> Result<Self, SvcError> {
        // ak, nk, rivk.
        let mut nullifier_key = [0; 32];
        nullifier_key.copy_from_slice(&bytes[32..64]);
        let ivk = viewing_key(bytes)?.to_ivk(Scope::External);
        // Its diversifier key comes first.
        let mut diversifier_key = [0; 32];
        diversifier_key.copy_from_slice(&ivk.to_bytes()[..32]);
        Ok(Self {
            nullifier_key,
            diversifier_key: DiversifierKey::new(diversifier_key),
            ivk,
            sender: SenderKey::new(bytes)?,
        })
    }
}

/// The own outputs of a record's coinbase with their indices and owners.
fn own_outputs<'a>(
    record: &'a Record,
    owners: &'a Owners,
) -> impl Iterator<Item = (u32, &'a MintedNote, Owner)> {
    (0..).zip(&record.minted).filter_map(|(index, output)| {
        let owner = owners.get(&output.recipient)?;
        Some((index, output, *owner))
    })
}

/// The own minted notes of a record, and how many more were served under a commitment that is not theirs.
fn minted_notes(
    record: &Record,
    owners: &Owners,
    minted: &mut impl Iterator<Item = (CoinbaseNote, Hash32)>,
) -> (Vec<FoundNote>, u32) {
    let mut notes = Vec::new();
    let mut refused = 0;
    for ((index, output, owner), (derived, nullifier)) in own_outputs(record, owners).zip(minted) {
        if derived.cmx != output.cmx {
            refused += 1;
            continue;
        }
        notes.push(FoundNote {
            kind: NoteKind::Coinbase,
            key: owner.key as u32,
            position: record.head.first_leaf.saturating_add(u64::from(index)),
            value: output.value,
            recipient: output.recipient,
            address_index: Some(owner.index),
            rho: derived.rho,
            rseed: derived.rseed,
            cmx: output.cmx,
            nullifier,
            txid: record.head.coinbase_txid,
            output_index: index,
            memo: Vec::new(),
        });
    }
    (notes, refused)
}
