//! Stored block bodies: the transactions of a block with their ids.

use std::cell::OnceCell;
use std::ops::Deref;
use std::rc::Rc;

use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::records::Records;
use crate::records::block_status::Stage;
use crate::records::record_cache::Kind;
use crate::store::{Store, tables};

/// Version of the stored form: this byte, then per transaction its length u32 and its bytes.
const VERSION: u8 = 1;

/// The transactions of a block in its order, coinbase first, which is always there. Their ids are computed once.
#[derive(Debug)]
pub struct Body {
    /// The transactions.
    pub transactions: Vec<Transaction>,
    txids: OnceCell<Vec<Hash32>>,
}

impl Body {
    /// Transactions whose ids are not known yet.
    pub fn new(transactions: Vec<Transaction>) -> Self {
        Self {
            transactions,
            txids: OnceCell::new(),
        }
    }

    /// Transactions with their ids.
    pub fn with_txids(transactions: Vec<Transaction>, txids: Vec<Hash32>) -> Self {
        Self {
            transactions,
            txids: OnceCell::from(txids),
        }
    }

    /// One id per transaction.
    pub fn txids(&self) -> &[Hash32] {
        self.txids
            .get_or_init(|| self.transactions.iter().map(Transaction::id).collect())
    }

    /// The id of a transaction, the coinbase being 0.
    ///
    /// # Errors
    /// `store/corrupt` where there is none: a defect of ours.
    pub fn txid(&self, index: usize) -> Result<Hash32, SvcError> {
        self.txids().get(index).copied().ok_or_else(incomplete)
    }

    /// The first transaction.
    ///
    /// # Errors
    /// `store/corrupt` where there is none: such a body is neither written nor read.
    pub fn coinbase(&self) -> Result<&Transaction, SvcError> {
        self.transactions.first().ok_or_else(incomplete)
    }
}

fn incomplete() -> SvcError {
    SvcError::new(Code::StoreCorrupt).with("table", "body")
}

impl Deref for Body {
    type Target = [Transaction];

    fn deref(&self) -> &[Transaction] {
        &self.transactions
    }
}

impl<S: Store> Records<S> {
    /// Transactions of a block whose body is known.
    pub fn body(&self, block: &Hash32) -> Result<Rc<Body>, SvcError> {
        self.load(
            &self.bodies,
            Kind::new(tables::BODIES, "body"),
            block,
            |bytes| {
                let mut reader = Reader::new(bytes);
                crate::corrupt_unless(reader.u8()? == VERSION, "body version")?;
                let mut transactions = Vec::new();
                while reader.remaining() > 0 {
                    let length = reader.u32()? as usize;
                    transactions.push(Transaction::from_bytes(reader.take(length)?)?);
                }
                // Answers about a block name its coinbase.
                crate::corrupt_unless(!transactions.is_empty(), "body")?;
                Ok(Body::new(transactions))
            },
        )
    }

    /// A transaction of a block, the coinbase being 0; `None` when the body is not known or is shorter.
    pub fn transaction(
        &self,
        block: &Hash32,
        index: usize,
    ) -> Result<Option<Transaction>, SvcError> {
        if !self.stage(block)?.is_some_and(Stage::has_body) {
            return Ok(None);
        }
        Ok(self.body(block)?.get(index).cloned())
    }

    /// Writes a body.
    pub fn put_body(&mut self, block: &Hash32, body: Body) {
        let mut writer = Writer::new();
        writer.u8(VERSION);
        for transaction in body.iter() {
            let bytes = transaction.to_bytes();
            writer.u32(bytes.len() as u32);
            writer.bytes(&bytes);
        }
        self.overlay
            .put(tables::BODIES, block.as_bytes(), writer.into_vec());
        self.bodies.insert(*block, Rc::new(body));
    }
}
