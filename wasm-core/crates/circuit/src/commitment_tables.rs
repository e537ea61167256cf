//! Precomputed tables of the Pedersen commitment bases of prover and verifier, and the form in which they are cached
//! between starts.
//!
//! They follow from the circuit's assets, which takes most of a start. Stored ones are only taken when their hash is
//! the one this version was built with: whoever can write to where they are kept can cost a start time, and nothing
//! else.

use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_kernels::curve::Vesta;
use svc_kernels::msm::fixed_bases::{FixedBases, SortedBases};

use crate::assets::{Assets, pin_of};
use crate::table_pins::{COEFFICIENT_TABLE_PIN, ROW_TABLE_PIN, RUN_TABLE_PIN};

/// Most bytes of one stored table: they have 3.3 million.
const MAX_TABLE_LEN: usize = 1 << 23;

/// The tables that a prover commits with; 10 MB.
pub struct CommitmentTables {
    /// Bases of coefficients, then W, then U.
    pub coefficients: FixedBases<Vesta>,
    /// Bases of rows, then W.
    pub rows: FixedBases<Vesta>,
    /// The same for columns with runs of equal values.
    pub runs: SortedBases<Vesta>,
}

impl CommitmentTables {
    /// Builds the tables.
    pub fn build(assets: &Assets) -> Self {
        let rows = [&assets.g_lagrange[..], &[assets.w]].concat();
        Self {
            coefficients: build_coefficient_table(assets),
            rows: FixedBases::build(&rows),
            runs: SortedBases::build(&rows),
        }
    }

    /// The stored form: each table behind its length.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        for table in self.stored() {
            writer.u32(table.len() as u32).bytes(&table);
        }
        writer.into_vec()
    }

    /// Reads the stored form; none for any other bytes than those this version stores.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let tables = Self {
            coefficients: read_table(&mut reader, &COEFFICIENT_TABLE_PIN)?,
            rows: read_table(&mut reader, &ROW_TABLE_PIN)?,
            runs: SortedBases::from_prefixes(read_table(&mut reader, &RUN_TABLE_PIN)?),
        };
        reader.finish().ok()?;
        Some(tables)
    }

    /// The hashes that the stored tables must have: coefficients, rows, runs.
    pub fn pins(&self) -> [[u8; 32]; 3] {
        self.stored().map(|table| pin_of(&table))
    }

    fn stored(&self) -> [Vec<u8>; 3] {
        [&self.coefficients, &self.rows, self.runs.prefixes()].map(FixedBases::to_bytes)
    }
}

impl core::fmt::Debug for CommitmentTables {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("CommitmentTables(..)")
    }
}

/// Builds [`CommitmentTables::coefficients`] by itself.
pub fn build_coefficient_table(assets: &Assets) -> FixedBases<Vesta> {
    FixedBases::build(&[&assets.g[..], &[assets.w, assets.u]].concat())
}

/// Reads [`CommitmentTables::coefficients`] by itself, as [`FixedBases::to_bytes`] stores it; none for any other bytes
/// than those this version stores.
pub fn read_coefficient_table(bytes: &[u8]) -> Option<FixedBases<Vesta>> {
    pinned_table(bytes, &COEFFICIENT_TABLE_PIN)
}

fn read_table(reader: &mut Reader<'_>, pin: &[u8; 32]) -> Option<FixedBases<Vesta>> {
    let length = reader.count_u32(MAX_TABLE_LEN, 1).ok()?;
    pinned_table(reader.take(length).ok()?, pin)
}

fn pinned_table(bytes: &[u8], pin: &[u8; 32]) -> Option<FixedBases<Vesta>> {
    if pin_of(bytes) != *pin {
        return None;
    }
    FixedBases::from_bytes(bytes)
}
