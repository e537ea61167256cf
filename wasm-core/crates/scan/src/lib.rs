//! The wallet's view of the chain: scan records in, own notes and tree leaves out.

pub mod facts;
pub mod note_tree;
pub mod record;
pub mod scanner;
pub mod trial;
