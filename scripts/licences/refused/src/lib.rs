//! Nothing: only its licence matters.
