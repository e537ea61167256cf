//! Evidence of a chain for somebody who does not hold it: headers with work, state that a coinbase commits to, membership in the
//! anchor log (docs/light-client.md, ADR 61).
//!
//! Each piece is bytes of somebody who is not believed. A check is a pure function of those bytes, of the network and of
//! what was proved before, and either gives a value that only a check can make or an error that names one fault. Nothing
//! here needs a proof system, a store or a clock.

pub mod header;
pub mod log_page;
pub mod membership;
pub mod note;
pub mod opening;
pub mod parent_path;
pub mod payload;
pub mod proved_receipt;
pub mod receipt;
pub mod run;
pub mod tip;
mod wire;
