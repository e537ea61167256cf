//! A transaction that waits for a block, decoded once: checks and templates read it from here as often as they like.

use std::cell::RefCell;
use std::rc::Rc;

use svc_chain::transaction::Transaction;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_shielded::bundle::{Bundle, BundleFormat};

/// A transaction with its id and, once asked for, its bundle.
pub struct HeldTransaction {
    transaction: Transaction,
    txid: Hash32,
    /// The bundle in the form that was asked for last: another carrying block may ask for the other one.
    bundle: RefCell<Option<(BundleFormat, Rc<Bundle>)>>,
}

impl HeldTransaction {
    /// Decodes a raw form that fills `raw`. Errors: those of [`Transaction::from_bytes`].
    pub fn from_bytes(raw: &[u8]) -> Result<Self, SvcError> {
        Ok(Self::from(Transaction::from_bytes(raw)?))
    }

    /// The transaction.
    pub fn transaction(&self) -> &Transaction {
        &self.transaction
    }

    /// Its id.
    pub fn txid(&self) -> &Hash32 {
        &self.txid
    }

    /// Its payload as a bundle of this form, decoded when it is first asked for. Errors: those of [`Bundle::decode`].
    pub fn bundle(&self, format: BundleFormat) -> Result<Rc<Bundle>, SvcError> {
        if let Some((known, bundle)) = &*self.bundle.borrow()
            && *known == format
        {
            return Ok(bundle.clone());
        }
        let bundle = Rc::new(Bundle::decode(&self.transaction.payload, format)?);
        *self.bundle.borrow_mut() = Some((format, bundle.clone()));
        Ok(bundle)
    }
}

impl From<Transaction> for HeldTransaction {
    fn from(transaction: Transaction) -> Self {
        let txid = transaction.id();
        Self {
            transaction,
            txid,
            bundle: RefCell::new(None),
        }
    }
}
