//! A block and its raw form.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_BLOCK_LEN, MAX_BLOCK_TXS};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::header::Header;
use crate::merkle::merkle_root;
use crate::transaction::Transaction;

/// The number of the raw form without a merge-mining witness.
pub const RAW_BLOCK_FORM: u8 = 0x01;

/// Length prefix and the smallest raw transaction.
const MIN_TRANSACTION_LEN: usize = 4 + 2 + 4 + 4 + 8 + 20 + 8 + 4 + 8;

/// A header and the transactions its merkle root covers, coinbase first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The header.
    pub header: Header,
    /// The transactions in merkle order.
    pub transactions: Vec<Transaction>,
}

impl Block {
    /// The block id, which is the hash of the header.
    pub fn hash(&self) -> Hash32 {
        self.header.hash()
    }

    /// The root over the transactions that are here; a valid header names the same.
    pub fn merkle_root(&self) -> Hash32 {
        let leaves: Vec<Hash32> = self.transactions.iter().map(Transaction::hash).collect();
        merkle_root(&leaves)
    }

    /// `RawBlock`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::with_capacity(1024);
        writer.u8(RAW_BLOCK_FORM);
        self.header.encode(&mut writer);
        writer.count_u32(self.transactions.len());
        for transaction in &self.transactions {
            let bytes = transaction.to_bytes();
            writer.count_u32(bytes.len()).bytes(&bytes);
        }
        writer.into_vec()
    }

    /// Reads a `RawBlock` that fills `bytes`.
    ///
    /// # Errors
    /// `codec/version` for another form, `codec/*` for short, long or trailing input,
    /// `header/bad-parents`, and what [`Transaction::decode`] refuses.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        let form = reader.u8()?;
        if form != RAW_BLOCK_FORM {
            let error = SvcError::new(Code::CodecVersion).with("expected", RAW_BLOCK_FORM);
            return Err(error.with("found", form));
        }
        let header = Header::decode(&mut reader)?;
        let count = reader.count_u32(MAX_BLOCK_TXS, MIN_TRANSACTION_LEN)?;
        let mut transactions = Vec::with_capacity(count);
        for _ in 0..count {
            let len = reader.count_u32(MAX_BLOCK_LEN, 1)?;
            transactions.push(Transaction::from_bytes(reader.take(len)?)?);
        }
        reader.finish()?;
        Ok(Self {
            header,
            transactions,
        })
    }
}
