//! Wallet scanner: trial-decrypts scan records for the wallet's own notes, and keeps its note commitment tree.

mod diversifier_key;
pub mod facts;
pub mod incoming_addresses;
pub mod incoming_facts;
pub mod incoming_scanner;
pub mod note_tree;
mod page;
pub mod received_note;
pub mod record;
pub mod record_sums;
pub mod scanner;
pub mod sent;
pub mod trial;
