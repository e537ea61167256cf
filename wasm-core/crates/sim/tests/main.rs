//! Tests over simulated networks, as one program.

mod agreement;
mod corpus;
mod evidence_audit;
mod header_chain;
mod kills;
mod liar_shares;
mod notices;
