//! The state after a chain block, opened from the coinbase of the block above it (specification consensus 10.2, 13.2).
//!
//! The header fixes the transactions by their merkle root, the coinbase is the first of them, its payload carries the state
//! root of the block's selected parent, and the parts hash to that root. From the security fork on the state also holds the
//! anchor log, whose last entry names the block itself.

use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::header::raw::{ReadHeader, read_header, write_header};
use svc_chain::merkle::{branch_of_first, fold_first};
use svc_chain::muhash::MuHash;
use svc_chain::profile::Profile;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_COINBASE_SCRIPT_LEN, MAX_MERKLE_BRANCH};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_shielded::anchor_log::{AnchorLog, LogEntry, LogPersonals};
use svc_shielded::state_root::{Carried, Parts0, state_root};

use crate::header::{Judge, ProvedHeader};
use crate::wire::{not_canonical, put_form, put_hashes, read_form, read_hashes};

/// Tags of the nullifier part: its digest, or the product itself.
const DIGEST: u8 = 0;
const PRODUCT: u8 = 1;

/// The nullifier set as an opening has it. A wallet that begins to multiply needs the product; else its digest does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nullifiers {
    /// The finalised accumulator.
    Digest(Hash32),
    /// The product of all nullifiers.
    Product(Box<MuHash>),
}

impl Nullifiers {
    /// The same without the product.
    #[must_use]
    pub fn as_digest(&self) -> Self {
        Self::Digest(self.digest())
    }

    fn digest(&self) -> Hash32 {
        match self {
            Self::Digest(digest) => *digest,
            Self::Product(product) => product.finalize(),
        }
    }
}

/// Fields that the state root of form 1 covers beside the parts of form 0. Genesis appends nothing to the log: its state has
/// the empty one, with zeros in the place of parent and blue score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedLog {
    /// Selected parent of the block whose state it is.
    pub parent: Hash32,
    /// Blue score of that block.
    pub blue_score: u64,
    /// The anchor log before the block.
    pub before: AnchorLog,
    /// Development fee carried, in sompi.
    pub dev_accrued: u64,
    /// Script version of the miner slot's holder.
    pub slot_script_version: u16,
    /// Script of the miner slot's holder; empty when the slot is.
    pub slot_script: Vec<u8>,
    /// Sompi held in the miner slot.
    pub slot_amount: u64,
}

/// An opening as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Coinbase of the block above the one whose state is opened.
    pub coinbase: Transaction,
    /// Merkle siblings of the coinbase, the lowest first.
    pub branch: Vec<Hash32>,
    /// Root of the note commitment tree.
    pub tree_root: Hash32,
    /// The spent nullifiers.
    pub nullifiers: Nullifiers,
    /// Sum of all minted notes in sompi.
    pub cumulative_coinbase: u128,
    /// Sum of all fees of applied transactions in sompi.
    pub cumulative_fees: u128,
    /// Present for states of blocks from the security fork on.
    pub log: Option<OpenedLog>,
}

/// The state after a chain block, as a proved header commits to it. Only [`Judge::opening`] makes one.
#[derive(Clone, Debug)]
pub struct ProvedState {
    block: Hash32,
    child: Hash32,
    opening: Opening,
    log: Option<AnchorLog>,
}

impl ProvedState {
    /// The block whose state it is.
    pub fn block(&self) -> Hash32 {
        self.block
    }

    /// The block that commits to it.
    pub fn child(&self) -> Hash32 {
        self.child
    }

    /// The parts.
    pub fn parts(&self) -> &Opening {
        &self.opening
    }

    /// The anchor log with the block's own entry; none before the security fork.
    pub fn log(&self) -> Option<&AnchorLog> {
        self.log.as_ref()
    }
}

impl Opening {
    /// The siblings of a coinbase among the transactions of its block.
    pub fn branch_in(transactions: &[Transaction]) -> Vec<Hash32> {
        let leaves: Vec<Hash32> = transactions.iter().map(Transaction::hash).collect();
        branch_of_first(&leaves)
    }

    /// Writes the raw form behind the header of the block above.
    pub fn encode(&self, (header, witness): &ReadHeader) -> Vec<u8> {
        let mut writer = Writer::with_capacity(2048);
        put_form(&mut writer);
        write_header(&mut writer, header, witness.as_deref());
        put_hashes(&mut writer, &self.branch);
        self.coinbase.encode(&mut writer);
        writer.hash(&self.tree_root);
        match &self.nullifiers {
            Nullifiers::Digest(digest) => writer.u8(DIGEST).hash(digest),
            Nullifiers::Product(product) => writer.u8(PRODUCT).bytes(&product.to_bytes()),
        };
        writer.u128(self.cumulative_coinbase);
        writer.u128(self.cumulative_fees);
        writer.u8(u8::from(self.log.is_some()));
        if let Some(log) = &self.log {
            log.encode(&mut writer);
        }
        writer.into_vec()
    }

    /// Reads the raw form, which fills `bytes`.
    ///
    /// # Errors
    /// `codec/*`, `header/bad-parents`, `shielded/bad-anchor-log`.
    pub fn decode(bytes: &[u8]) -> Result<(ReadHeader, Self), SvcError> {
        let mut reader = Reader::new(bytes);
        read_form(&mut reader)?;
        let header = read_header(&mut reader)?;
        let branch = read_hashes(&mut reader, MAX_MERKLE_BRANCH)?;
        let opening = Self {
            branch,
            coinbase: Transaction::decode(&mut reader)?,
            tree_root: reader.hash()?,
            nullifiers: read_nullifiers(&mut reader)?,
            cumulative_coinbase: reader.u128()?,
            cumulative_fees: reader.u128()?,
            log: match reader.u8()? {
                0 => None,
                1 => Some(OpenedLog::decode(&mut reader)?),
                _ => return Err(not_canonical("log tag")),
            },
        };
        reader.finish()?;
        Ok((header, opening))
    }

    fn parts(&self) -> Parts0 {
        Parts0 {
            tree_root: self.tree_root,
            nullifier_root: self.nullifiers.digest(),
            cumulative_coinbase: self.cumulative_coinbase,
            cumulative_fees: self.cumulative_fees,
            // No burn has ever been possible.
            burn_root: Hash32::ZERO,
        }
    }
}

impl OpenedLog {
    fn encode(&self, writer: &mut Writer) {
        writer.hash(&self.parent).u64(self.blue_score);
        self.before.encode(writer);
        writer.u64(self.dev_accrued).u16(self.slot_script_version);
        writer.count_u16(self.slot_script.len());
        writer.bytes(&self.slot_script).u64(self.slot_amount);
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, SvcError> {
        let (parent, blue_score) = (reader.hash()?, reader.u64()?);
        let before = AnchorLog::decode(reader)?;
        let (dev_accrued, slot_script_version) = (reader.u64()?, reader.u16()?);
        let len = reader.count_u16(MAX_COINBASE_SCRIPT_LEN, 1)?;
        Ok(Self {
            parent,
            blue_score,
            before,
            dev_accrued,
            slot_script_version,
            slot_script: reader.take(len)?.to_vec(),
            slot_amount: reader.u64()?,
        })
    }

    /// The log of genesis. Errors: `codec/not-canonical`.
    fn of_genesis(&self) -> Result<AnchorLog, SvcError> {
        let is_empty = self.before.count() == 0 && self.parent == Hash32::ZERO;
        if !is_empty || self.blue_score != 0 {
            return Err(not_canonical("log of genesis"));
        }
        Ok(AnchorLog::default())
    }

    /// The log with the entry of the block.
    fn after(&self, personals: &LogPersonals, block: Hash32, tree_root: Hash32) -> AnchorLog {
        let mut log = self.before.clone();
        log.append(
            personals,
            &LogEntry {
                block,
                parent: self.parent,
                tree_root,
                blue_score: self.blue_score,
            },
        );
        log
    }

    fn carried(&self, anchor_commitment: Hash32) -> Carried {
        Carried {
            dev_accrued: self.dev_accrued,
            anchor_commitment,
            slot_script_version: self.slot_script_version,
            slot_script: self.slot_script.clone(),
            slot_amount: self.slot_amount,
        }
    }
}

impl Judge<'_> {
    /// Checks an opening under a header that was proved. The form of the root shows by itself which rules the block was
    /// under, since both have their own hash domain.
    ///
    /// # Errors
    /// `evidence/foreign-coinbase`, `evidence/no-parent`, `coinbase/*` for the payload, `coinbase/wrong-blue-score`,
    /// `evidence/other-state`, `codec/not-canonical` for a log of genesis that is not the empty one.
    pub fn opening(&self, child: &ProvedHeader, opening: Opening) -> Result<ProvedState, SvcError> {
        let header = child.header();
        let is_first =
            fold_first(opening.coinbase.hash(), &opening.branch) == header.hash_merkle_root;
        if !is_first || !opening.coinbase.is_coinbase() {
            return Err(SvcError::new(Code::EvidenceForeignCoinbase).with("hash", child.hash()));
        }
        let block = child.selected_parent()?;
        let payload = CoinbasePayload::decode(&opening.coinbase.payload)?;
        if payload.blue_score != header.blue_score {
            return Err(SvcError::new(Code::CoinbaseWrongBlueScore)
                .with("expected", header.blue_score)
                .with("found", payload.blue_score));
        }
        let profile = self.network.profile;
        let is_genesis = block == *self.network.genesis;
        let log = opening.log.as_ref().map(|log| match is_genesis {
            true => log.of_genesis(),
            false => Ok(log.after(&LogPersonals::of(profile), block, opening.tree_root)),
        });
        let log = log.transpose()?;
        let found = root_of(profile, &opening, log.as_ref());
        if found != payload.state_root {
            return Err(SvcError::new(Code::EvidenceOtherState)
                .with("expected", payload.state_root)
                .with("found", found));
        }
        Ok(ProvedState {
            block,
            child: child.hash(),
            opening,
            log,
        })
    }
}

fn root_of(profile: &Profile, opening: &Opening, log: Option<&AnchorLog>) -> Hash32 {
    let carried = opening.log.as_ref().zip(log).map(|(told, log)| {
        let commitment = log.commitment(&LogPersonals::of(profile));
        told.carried(commitment)
    });
    state_root(profile, &opening.parts(), carried.as_ref())
}

fn read_nullifiers(reader: &mut Reader<'_>) -> Result<Nullifiers, SvcError> {
    match reader.u8()? {
        DIGEST => Ok(Nullifiers::Digest(reader.hash()?)),
        PRODUCT => {
            let product = MuHash::from_bytes(&reader.array()?)?;
            Ok(Nullifiers::Product(Box::new(product)))
        }
        _ => Err(not_canonical("nullifier tag")),
    }
}
