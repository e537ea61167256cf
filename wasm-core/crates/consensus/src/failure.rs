//! Failure type of a validation step: why it did not succeed, and whether the engine has to remember that.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

/// Outcome of a check that failed.
#[derive(Debug)]
pub enum Failure {
    /// A rule is broken for good: the block id is marked invalid (specification consensus 8, stage 4 on).
    Lasting(SvcError),
    /// A rule is broken now, or by data that the id does not cover: nothing is remembered.
    Passing(SvcError),
    /// Blocks that must come first.
    MissingParents(Vec<Hash32>),
    /// The store or the engine itself failed: the step is abandoned, never judged.
    Fatal(SvcError),
}

impl From<SvcError> for Failure {
    /// Store and engine errors abort; everything else is a broken rule.
    fn from(error: SvcError) -> Self {
        if is_fatal(&error) {
            Self::Fatal(error)
        } else {
            Self::Lasting(error)
        }
    }
}

/// Whether an error says that we failed, not the block.
pub fn is_fatal(error: &SvcError) -> bool {
    Code::ENGINE.contains(&error.code)
}

/// Turns a lasting refusal into a passing one.
pub fn passing(error: SvcError) -> Failure {
    if is_fatal(&error) {
        Failure::Fatal(error)
    } else {
        Failure::Passing(error)
    }
}
