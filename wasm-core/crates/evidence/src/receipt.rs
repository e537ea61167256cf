//! Receipt: a file that shows who was paid how much by which block, whatever became of the block (docs/light-client.md).
//!
//! It holds a note with its path, the membership of the block in the log of a state, and the opening of that state at a header. The
//! header carries its own work. A receipt is as strong as that work, and as strong as the chain for who has proved a tip and is shown
//! that the header is a member of it.

use svc_chain::header::Header;
use svc_chain::header::raw::{ReadHeader, read_header, write_header};
use svc_chain::transaction::Transaction;
use svc_codec::cbor::{CborReader, CborWriter};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_personal;
use svc_codec::limits::{MAX_CHALLENGE_LEN, MAX_RECEIPT_LEN};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_shielded::signing::challenge_answer::ANSWER_LEN;

use crate::membership::Membership;
use crate::note::NoteOpening;
use crate::opening::{Nullifiers, Opening};
use crate::wire::not_canonical;

/// The version of the file.
const VERSION: u64 = 1;
/// Keys of the map, in order.
const KEY_VERSION: u64 = 0;
const KEY_NETWORK: u64 = 1;
const KEY_NOTE: u64 = 2;
const KEY_OPENING: u64 = 3;
const KEY_MEMBERSHIP: u64 = 4;
const KEY_BLOCK: u64 = 5;
const KEY_DISCLOSURE: u64 = 6;
const KEY_CHALLENGE: u64 = 7;
const KEY_ANSWER: u64 = 8;
const ENTRIES_MAX: usize = 9;
/// Items of a disclosure without and with the value of the spent note.
const DISCLOSED: usize = 3;
const DISCLOSED_WITH_SPENT: usize = 5;
/// Domain of what an answer signs.
const ANSWER_PERSONAL: &[u8; 16] = b"svcReceiptAnswer";

/// A receipt as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// Hash of the network's genesis.
    pub network: Hash32,
    /// The note, in the tree after the block that it is shown by.
    pub note: NoteOpening,
    /// The header that commits to a state, and the opening of the state.
    pub opening: (ReadHeader, Opening),
    /// The block in the log of that state. None where the note is shown by the block whose state is opened.
    pub membership: Option<Membership>,
    /// The header of the block that the note is shown by, for its time.
    pub block: Option<Header>,
    /// What only the payer can show.
    pub disclosure: Option<Disclosure>,
    /// For whom the receipt was made.
    pub challenge: Option<Challenge>,
}

/// The payment itself, and what opens one of its actions (specification shielded 18).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disclosure {
    /// Id of the payment.
    pub txid: Hash32,
    /// The payment.
    pub transaction: Transaction,
    /// Index of the action that made the note.
    pub index: u32,
    /// Value of the note that the action spent, in sompi, and the randomness of its value commitment.
    pub spent: Option<(u64, [u8; 32])>,
}

/// A text of the asker. Without an answer it is a claim: who holds a receipt can write another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// The text.
    pub text: String,
    /// The payee's answer ([`svc_shielded::signing::challenge_answer`]).
    pub answer: Option<[u8; ANSWER_LEN]>,
}

impl Receipt {
    /// What the payee's answer signs: the network, the note and the text.
    pub fn answer_digest(network: &Hash32, note: &NoteOpening, text: &str) -> Hash32 {
        let parts = &note.parts;
        blake2b_personal(ANSWER_PERSONAL)
            .update(network.as_bytes())
            .update(&parts.recipient)
            .update(&parts.value.to_le_bytes())
            .update(parts.rho.as_bytes())
            .update(&parts.rseed)
            .update(text.as_bytes())
            .finalize()
    }

    /// The file. Error: `codec/count-too-large` above [`MAX_RECEIPT_LEN`] bytes or [`MAX_CHALLENGE_LEN`] bytes of a challenge.
    pub fn encode(&self) -> Result<Vec<u8>, SvcError> {
        let (header, opening) = &self.opening;
        let challenge = self.challenge.as_ref();
        let answer = challenge.and_then(|challenge| challenge.answer.as_ref());
        let optional = [
            self.membership.is_some(),
            self.block.is_some(),
            self.disclosure.is_some(),
            challenge.is_some(),
            answer.is_some(),
        ];
        let mut writer = CborWriter::new();
        writer.map(4 + optional.iter().filter(|is_there| **is_there).count());
        writer.number(KEY_VERSION).number(VERSION);
        writer.number(KEY_NETWORK).bytes(self.network.as_bytes());
        writer.number(KEY_NOTE).bytes(&self.note.encode());
        writer.number(KEY_OPENING).bytes(&opening.encode(header));
        if let Some(membership) = &self.membership {
            writer.number(KEY_MEMBERSHIP).bytes(&membership.encode());
        }
        if let Some(block) = &self.block {
            writer.number(KEY_BLOCK).bytes(&encode_block(block));
        }
        if let Some(disclosure) = &self.disclosure {
            writer.number(KEY_DISCLOSURE);
            disclosure.encode(&mut writer);
        }
        if let Some(challenge) = challenge {
            check_len(challenge.text.len(), MAX_CHALLENGE_LEN)?;
            writer.number(KEY_CHALLENGE).text(&challenge.text);
        }
        if let Some(answer) = answer {
            writer.number(KEY_ANSWER).bytes(answer);
        }
        let bytes = writer.into_vec();
        check_len(bytes.len(), MAX_RECEIPT_LEN)?;
        Ok(bytes)
    }

    /// Reads the file, which fills `bytes`. Nothing of it is believed yet.
    ///
    /// # Errors
    /// `codec/*`, among them `codec/bad-cbor` for an unknown, missing or misplaced key and `codec/version`;
    /// `header/bad-parents`, `shielded/bad-anchor-log`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        check_len(bytes.len(), MAX_RECEIPT_LEN)?;
        let mut reader = CborReader::new(bytes);
        let mut keys = Keys::read(&mut reader)?;
        keys.must(&mut reader, KEY_VERSION)?;
        let version = reader.number(u64::MAX)?;
        if version != VERSION {
            let error = SvcError::new(Code::CodecVersion).with("expected", VERSION);
            return Err(error.with("found", version));
        }
        keys.must(&mut reader, KEY_NETWORK)?;
        let network = Hash32(reader.array()?);
        keys.must(&mut reader, KEY_NOTE)?;
        let note = NoteOpening::decode(reader.bytes(MAX_RECEIPT_LEN)?)?;
        keys.must(&mut reader, KEY_OPENING)?;
        let opening = read_opening(reader.bytes(MAX_RECEIPT_LEN)?)?;
        let membership = keys
            .may(&mut reader, KEY_MEMBERSHIP)?
            .then(|| Membership::decode(reader.bytes(MAX_RECEIPT_LEN)?))
            .transpose()?;
        let block = keys
            .may(&mut reader, KEY_BLOCK)?
            .then(|| read_block(reader.bytes(MAX_RECEIPT_LEN)?))
            .transpose()?;
        let disclosure = keys
            .may(&mut reader, KEY_DISCLOSURE)?
            .then(|| Disclosure::read(&mut reader))
            .transpose()?;
        let challenge = read_challenge(&mut keys, &mut reader)?;
        keys.end(&reader)?;
        reader.finish()?;
        Ok(Self {
            network,
            note,
            opening,
            membership,
            block,
            disclosure,
            challenge,
        })
    }
}

impl Disclosure {
    fn encode(&self, writer: &mut CborWriter) {
        let items = self.spent.map_or(DISCLOSED, |_| DISCLOSED_WITH_SPENT);
        writer.list(items).bytes(self.txid.as_bytes());
        writer.bytes(&self.transaction.to_bytes());
        writer.number(u64::from(self.index));
        if let Some((value, rcv)) = &self.spent {
            writer.number(*value).bytes(rcv);
        }
    }

    fn read(reader: &mut CborReader<'_>) -> Result<Self, SvcError> {
        let items = reader.list(DISCLOSED_WITH_SPENT)?;
        if items != DISCLOSED && items != DISCLOSED_WITH_SPENT {
            return Err(reader.unexpected("disclosure"));
        }
        let txid = Hash32(reader.array()?);
        let transaction = Transaction::from_bytes(reader.bytes(MAX_RECEIPT_LEN)?)?;
        let index = reader.number(u64::from(u32::MAX))? as u32;
        let has_spent = items == DISCLOSED_WITH_SPENT;
        let spent = has_spent.then(|| Ok((reader.number(u64::MAX)?, reader.array()?)));
        Ok(Self {
            txid,
            transaction,
            index,
            spent: spent.transpose()?,
        })
    }
}

/// The keys of the map, asked for in their order.
struct Keys {
    left: usize,
    next: Option<u64>,
}

impl Keys {
    fn read(reader: &mut CborReader<'_>) -> Result<Self, SvcError> {
        let mut keys = Self {
            left: reader.map(ENTRIES_MAX)?,
            next: None,
        };
        keys.step(reader)?;
        Ok(keys)
    }

    /// Whether the next entry has this key; its value follows then.
    fn may(&mut self, reader: &mut CborReader<'_>, key: u64) -> Result<bool, SvcError> {
        self.step(reader)?;
        if self.next != Some(key) {
            return Ok(false);
        }
        self.next = None;
        Ok(true)
    }

    fn must(&mut self, reader: &mut CborReader<'_>, key: u64) -> Result<(), SvcError> {
        if self.may(reader, key)? {
            return Ok(());
        }
        Err(reader.unexpected("key"))
    }

    fn end(&mut self, reader: &CborReader<'_>) -> Result<(), SvcError> {
        if self.next.is_none() && self.left == 0 {
            return Ok(());
        }
        Err(reader.unexpected("key"))
    }

    /// Reads the key of the next entry, unless it is known.
    fn step(&mut self, reader: &mut CborReader<'_>) -> Result<(), SvcError> {
        if self.next.is_none() && self.left > 0 {
            self.left -= 1;
            self.next = Some(reader.number(u64::MAX)?);
        }
        Ok(())
    }
}

/// A receipt shows the digest of the nullifiers: the product says no more here and takes twelve times the room.
fn read_opening(bytes: &[u8]) -> Result<(ReadHeader, Opening), SvcError> {
    let read = Opening::decode(bytes)?;
    if matches!(read.1.nullifiers, Nullifiers::Product(_)) {
        return Err(not_canonical("nullifier product"));
    }
    Ok(read)
}

fn encode_block(block: &Header) -> Vec<u8> {
    let mut writer = Writer::with_capacity(512);
    write_header(&mut writer, block, None);
    writer.into_vec()
}

/// The block is named by its id, so its witness says nothing.
fn read_block(bytes: &[u8]) -> Result<Header, SvcError> {
    let mut reader = Reader::new(bytes);
    let (header, witness) = read_header(&mut reader)?;
    reader.finish()?;
    if witness.is_some() {
        return Err(not_canonical("needless witness"));
    }
    Ok(header)
}

fn read_challenge(
    keys: &mut Keys,
    reader: &mut CborReader<'_>,
) -> Result<Option<Challenge>, SvcError> {
    if !keys.may(reader, KEY_CHALLENGE)? {
        return Ok(None);
    }
    let text = reader.text(MAX_CHALLENGE_LEN)?.to_owned();
    let has_answer = keys.may(reader, KEY_ANSWER)?;
    let answer = has_answer.then(|| reader.array()).transpose()?;
    Ok(Some(Challenge { text, answer }))
}

fn check_len(len: usize, max: usize) -> Result<(), SvcError> {
    if len <= max {
        return Ok(());
    }
    let error = SvcError::new(Code::CodecCountTooLarge).with("count", len);
    Err(error.with("max", max))
}
