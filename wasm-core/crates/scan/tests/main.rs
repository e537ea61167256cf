//! Tests of the scanners and of the note tree, as one program.

mod common;
mod edges;
mod incoming_scanner;
mod note_tree;
mod scanner;
mod sent;
mod trial;
