//! Byte readers and writers, hashes and error codes, which all other crates build on, and the scan record, which the
//! engine writes and wallets read.
//!
//! Nothing here knows a rule of the chain. A [`reader::Reader`] never panics and never
//! allocates more than the bytes in front of it justify; every failure is a
//! [`error::SvcError`] with a code from `wasm-core/codes.json`.

pub mod cbor;
pub mod code;
pub mod error;
pub mod hash32;
pub mod hashers;
pub mod hex;
pub mod id_map;
pub mod limits;
pub mod reader;
pub mod scan_record;
pub mod writer;
