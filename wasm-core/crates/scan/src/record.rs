//! Decoder of scan records of kind P: everything a wallet needs of one chain block (formats 2).

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;

/// Bytes of one output: recipient 43, value 8, commitment 32.
const OUTPUT_LEN: usize = 83;
/// Bytes of one action: nullifier 32, commitment 32, ephemeral key 32, note ciphertext 580, sender's
/// ciphertext 80, value commitment 32.
const ACTION_LEN: usize = 788;
/// Bytes of the smallest transaction: txid and action count.
const MIN_TX_LEN: usize = 34;

/// A note minted by the block's coinbase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordOutput {
    /// Raw address of the owner.
    pub recipient: [u8; 43],
    /// Sompi.
    pub value: u64,
    /// Commitment of the note.
    pub cmx: Hash32,
}

/// The part of an action that scanning needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordAction {
    /// Nullifier of the spent note.
    pub nullifier: Hash32,
    /// Commitment of the created note.
    pub cmx: Hash32,
    /// Ephemeral key.
    pub epk: [u8; 32],
    /// Note ciphertext.
    pub enc: [u8; 580],
    /// Sender's copy of the note secrets, encrypted.
    pub out: [u8; 80],
    /// Value commitment.
    pub cv_net: [u8; 32],
}

/// A transaction that the block applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordTx {
    /// Its id.
    pub txid: Hash32,
    /// Its actions in order.
    pub actions: Vec<RecordAction>,
}

/// One chain block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Block hash.
    pub hash: Hash32,
    /// Blue score.
    pub blue_score: u64,
    /// DAA score.
    pub daa_score: u64,
    /// Block time, Unix milliseconds.
    pub timestamp_ms: u64,
    /// Leaves in the tree before the block.
    pub first_leaf: u64,
    /// Id of the coinbase.
    pub coinbase_txid: Hash32,
    /// Minted notes in output order.
    pub outputs: Vec<RecordOutput>,
    /// Applied transactions in accepted order.
    pub txs: Vec<RecordTx>,
}

impl Record {
    /// Reads one record. Errors: `codec/unexpected-end`.
    pub fn decode(reader: &mut Reader<'_>) -> Result<Self, SvcError> {
        Ok(Self {
            hash: reader.hash()?,
            blue_score: reader.u64()?,
            daa_score: reader.u64()?,
            timestamp_ms: reader.u64()?,
            first_leaf: reader.u64()?,
            coinbase_txid: reader.hash()?,
            outputs: read_outputs(reader)?,
            txs: read_txs(reader)?,
        })
    }

    /// Leaves the block appends: minted notes first, then one per action (specification shielded 7).
    pub fn leaves(&self) -> impl Iterator<Item = Hash32> + '_ {
        let minted = self.outputs.iter().map(|output| output.cmx);
        let created = self
            .txs
            .iter()
            .flat_map(|tx| tx.actions.iter().map(|action| action.cmx));
        minted.chain(created)
    }
}

fn read_outputs(reader: &mut Reader<'_>) -> Result<Vec<RecordOutput>, SvcError> {
    let count = reader.count_u16(usize::from(u16::MAX), OUTPUT_LEN)?;
    (0..count)
        .map(|_| {
            Ok(RecordOutput {
                recipient: reader.array()?,
                value: reader.u64()?,
                cmx: reader.hash()?,
            })
        })
        .collect()
}

fn read_txs(reader: &mut Reader<'_>) -> Result<Vec<RecordTx>, SvcError> {
    let count = reader.count_u16(usize::from(u16::MAX), MIN_TX_LEN)?;
    (0..count)
        .map(|_| {
            Ok(RecordTx {
                txid: reader.hash()?,
                actions: read_actions(reader)?,
            })
        })
        .collect()
}

fn read_actions(reader: &mut Reader<'_>) -> Result<Vec<RecordAction>, SvcError> {
    let count = reader.count_u16(usize::from(u16::MAX), ACTION_LEN)?;
    (0..count)
        .map(|_| {
            Ok(RecordAction {
                nullifier: reader.hash()?,
                cmx: reader.hash()?,
                epk: reader.array()?,
                enc: reader.array()?,
                out: reader.array()?,
                cv_net: reader.array()?,
            })
        })
        .collect()
}
