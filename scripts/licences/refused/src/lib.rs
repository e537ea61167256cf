//! Test fixture of the licence check: an empty crate under a licence that has to be refused.
