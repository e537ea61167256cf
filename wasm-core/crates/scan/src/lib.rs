//! The wallet's view of the chain: scan records in, own notes and tree leaves out.

mod diversifier_key;
pub mod facts;
pub mod note_tree;
pub mod received_note;
pub mod record;
pub mod scanner;
pub mod trial;
