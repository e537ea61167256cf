//! Precomputed tables of the prover, which take most of a start, and the form in which they are cached between
//! starts.

use std::sync::Arc;

use svc_circuit::assets::Assets;
use svc_circuit::commitment_tables::CommitmentTables;
use svc_circuit::table_pins::{COEFFICIENT_TABLE_PIN, ROW_TABLE_PIN, RUN_TABLE_PIN};
use svc_codec::hex;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_witness::tables::{WINDOW_TABLE_PIN, WindowTables};

/// Most bytes of stored commitment tables: they have 9.8 million.
const MAX_COMMITMENTS_LEN: usize = 1 << 24;

/// The tables of the commitment bases, and the windows of the circuit's own fixed bases. Public; 11 MB.
#[derive(Debug)]
pub struct ProvingTables {
    /// Bases of columns and of polynomials.
    pub commitments: Arc<CommitmentTables>,
    /// Windows for the witness.
    pub windows: WindowTables,
}

impl ProvingTables {
    /// Builds the tables.
    pub fn build(assets: &Assets) -> Self {
        Self {
            commitments: Arc::new(CommitmentTables::build(assets)),
            windows: WindowTables::build(assets),
        }
    }

    /// The stored form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let commitments = self.commitments.to_bytes();
        let mut writer = Writer::new();
        writer
            .u32(commitments.len() as u32)
            .bytes(&commitments)
            .bytes(&self.windows.to_bytes());
        writer.into_vec()
    }

    /// Reads the stored form; none for any other bytes than those this version stores: their hashes are part of the
    /// program.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let length = reader.count_u32(MAX_COMMITMENTS_LEN, 1).ok()?;
        let commitments = reader.take(length).ok()?;
        let windows = reader.take(reader.remaining()).ok()?;
        // The short ones first: they are dropped at no cost if the others are not those.
        let windows = WindowTables::from_bytes(windows)?;
        Some(Self {
            commitments: Arc::new(CommitmentTables::from_bytes(commitments)?),
            windows,
        })
    }

    /// Changes whenever any stored table does; for the names that tables are stored under.
    pub fn tag() -> String {
        [
            COEFFICIENT_TABLE_PIN,
            ROW_TABLE_PIN,
            RUN_TABLE_PIN,
            WINDOW_TABLE_PIN,
        ]
        .map(|pin| hex::encode(&pin[..4]))
        .concat()
    }
}
