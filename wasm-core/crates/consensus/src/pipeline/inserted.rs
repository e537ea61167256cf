//! Result of inserting a block or header, and the record of a refusal.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::failure::Failure;
use crate::records::Records;
use crate::records::block_status::{BlockStatus, Stage};
use crate::rules::acceptance::Job;
use crate::store::Store;

/// The result of an insertion.
#[derive(Debug)]
pub enum Inserted {
    /// Header and body are accepted.
    Accepted {
        /// Whether the body was not known before.
        new: bool,
        /// Transactions to verify before the block can be judged.
        jobs: Vec<Job>,
    },
    /// These parents must come first.
    MissingParents(Vec<Hash32>),
    /// A rule is broken.
    Rejected(SvcError),
}

/// Remembers a lasting refusal and says what became of the block.
pub(crate) fn refused<S: Store>(
    records: &mut Records<S>,
    hash: &Hash32,
    failure: Failure,
) -> Result<Inserted, SvcError> {
    match failure {
        Failure::Lasting(error) => {
            records.put_status(hash, BlockStatus::refused(Stage::Invalid, &error));
            Ok(Inserted::Rejected(error))
        }
        Failure::Passing(error) => Ok(Inserted::Rejected(error)),
        Failure::MissingParents(parents) => Ok(Inserted::MissingParents(parents)),
        Failure::Fatal(error) => Err(error),
    }
}
