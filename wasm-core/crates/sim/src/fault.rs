//! Error type of the simulation.

use core::fmt;

use svc_codec::error::SvcError;

/// A disagreement, a broken rule or a failure, in words, with what is needed to find it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(pub String);

/// The result of a step of the simulation.
pub type Outcome<T> = Result<T, Fault>;

impl From<SvcError> for Fault {
    fn from(error: SvcError) -> Self {
        Self(error.to_string())
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

/// A fault with this text, unless `condition` holds.
pub fn ensure(condition: bool, text: impl FnOnce() -> String) -> Outcome<()> {
    if condition {
        Ok(())
    } else {
        Err(Fault(text()))
    }
}
