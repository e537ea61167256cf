//! Error type of the generator.

use core::fmt;

/// Why the assets could not be made, for the person who runs the generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenError(pub String);

impl GenError {
    /// From anything that can be shown.
    pub fn new(what: impl fmt::Display) -> Self {
        Self(what.to_string())
    }
}

impl fmt::Display for GenError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for GenError {}
