//! What became of a block or header that came in, and what is remembered of a refusal.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::acceptance::Job;
use crate::block_status::{BlockStatus, Stage};
use crate::failure::Failure;
use crate::state::State;
use crate::store::Store;

/// What became of a block.
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
    state: &mut State<S>,
    hash: &Hash32,
    failure: Failure,
) -> Result<Inserted, SvcError> {
    match failure {
        Failure::Lasting(error) => {
            state.put_status(hash, BlockStatus::refused(Stage::Invalid, &error));
            Ok(Inserted::Rejected(error))
        }
        Failure::Passing(error) => Ok(Inserted::Rejected(error)),
        Failure::MissingParents(parents) => Ok(Inserted::MissingParents(parents)),
        Failure::Fatal(error) => Err(error),
    }
}
