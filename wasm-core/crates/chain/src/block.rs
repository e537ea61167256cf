//! Block type and its serialised form.

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

/// The number of the raw form with a merge-mining witness.
pub const WITNESSED_BLOCK_FORM: u8 = 0x02;

/// Length prefix and the smallest raw transaction.
pub(crate) const MIN_TRANSACTION_LEN: usize = 4 + 2 + 4 + 4 + 8 + 20 + 8 + 4 + 8;

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

    /// `RawBlock` without a witness.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self, None)
    }

    /// Reads a `RawBlock` without a witness that fills `bytes`.
    ///
    /// # Errors
    /// `codec/version` for another form, and what [`WitnessedBlock::from_bytes`] refuses.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SvcError> {
        if bytes.first() == Some(&WITNESSED_BLOCK_FORM) {
            return Err(wrong_form(RAW_BLOCK_FORM, WITNESSED_BLOCK_FORM));
        }
        Ok(WitnessedBlock::from_bytes(bytes)?.block)
    }
}

/// A block with the witness it came with. The id does not cover the witness, and whether it proves anything
/// is judged with the header: here it is bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessedBlock {
    /// The block.
    pub block: Block,
    /// Borsh of a [`crate::witness::Witness`], never empty; `None` for a natively mined block.
    pub witness: Option<Vec<u8>>,
}

impl From<Block> for WitnessedBlock {
    fn from(block: Block) -> Self {
        Self {
            block,
            witness: None,
        }
    }
}

/// A block with its id, computed once.
#[derive(Clone, Debug)]
pub struct HashedBlock {
    hash: Hash32,
    incoming: WitnessedBlock,
}

impl HashedBlock {
    /// The block id.
    pub fn hash(&self) -> Hash32 {
        self.hash
    }

    /// The block as it came.
    pub fn incoming(&self) -> &WitnessedBlock {
        &self.incoming
    }

    /// Id and block.
    pub fn into_parts(self) -> (Hash32, WitnessedBlock) {
        (self.hash, self.incoming)
    }
}

impl From<WitnessedBlock> for HashedBlock {
    fn from(incoming: WitnessedBlock) -> Self {
        Self {
            hash: incoming.block.hash(),
            incoming,
        }
    }
}

impl From<Block> for HashedBlock {
    fn from(block: Block) -> Self {
        WitnessedBlock::from(block).into()
    }
}

impl WitnessedBlock {
    /// `RawBlock`, in the form that fits.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(&self.block, self.witness.as_deref())
    }

    /// Reads a `RawBlock` of either form that fills `bytes`.
    ///
    /// # Errors
    /// `codec/version` for an unknown form, `codec/not-canonical` for an empty witness, `codec/*` for short,
    /// long or trailing input, `header/bad-parents`, and what [`Transaction::decode`] refuses.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        let form = reader.u8()?;
        if form != RAW_BLOCK_FORM && form != WITNESSED_BLOCK_FORM {
            return Err(wrong_form(WITNESSED_BLOCK_FORM, form));
        }
        let header = Header::decode(&mut reader)?;
        let witness = (form == WITNESSED_BLOCK_FORM)
            .then(|| read_witness(&mut reader))
            .transpose()?;
        let count = reader.count_u32(MAX_BLOCK_TXS, MIN_TRANSACTION_LEN)?;
        let mut transactions = Vec::with_capacity(count);
        for _ in 0..count {
            let len = reader.count_u32(MAX_BLOCK_LEN, 1)?;
            transactions.push(Transaction::from_bytes(reader.take(len)?)?);
        }
        reader.finish()?;
        let block = Block {
            header,
            transactions,
        };
        Ok(Self { block, witness })
    }
}

fn wrong_form(expected: u8, found: u8) -> SvcError {
    let error = SvcError::new(Code::CodecVersion).with("expected", expected);
    error.with("found", found)
}

/// Longer ones than consensus takes are read too: the block may not need them (specification network 10.14).
pub(crate) fn read_witness(reader: &mut Reader<'_>) -> Result<Vec<u8>, SvcError> {
    let len = reader.count_u32(MAX_BLOCK_LEN, 1)?;
    if len == 0 {
        return Err(SvcError::new(Code::CodecNotCanonical).with("what", "empty witness"));
    }
    Ok(reader.take(len)?.to_vec())
}

fn to_bytes(block: &Block, witness: Option<&[u8]>) -> Vec<u8> {
    let mut writer = Writer::with_capacity(1024);
    let form = if witness.is_some() {
        WITNESSED_BLOCK_FORM
    } else {
        RAW_BLOCK_FORM
    };
    writer.u8(form);
    block.header.encode(&mut writer);
    if let Some(witness) = witness {
        writer.count_u32(witness.len()).bytes(witness);
    }
    writer.count_u32(block.transactions.len());
    for transaction in &block.transactions {
        let bytes = transaction.to_bytes();
        writer.count_u32(bytes.len()).bytes(&bytes);
    }
    writer.into_vec()
}
