//! Shared constants of all witnesses: the circuit's layout and the tables of its fixed points.

use svc_circuit::assets::Assets;
use svc_codec::code::Code;
use svc_codec::error::SvcError;

use crate::hash::sinsemilla::Generators;
use crate::tables::WindowTables;

/// The circuit's layout and the tables of its fixed points.
#[derive(Debug)]
pub struct Chips {
    /// First rows of all regions ([`Assets::regions`]).
    pub starts: Vec<u16>,
    /// Points of the Sinsemilla hash.
    pub generators: Generators,
    /// Windows of the fixed bases.
    pub tables: WindowTables,
}

impl Chips {
    /// From the circuit's assets.
    ///
    /// # Errors
    /// `internal/unexpected` if the assets are of another circuit.
    pub fn new(assets: &Assets) -> Result<Self, SvcError> {
        Self::with_tables(assets, WindowTables::build(assets))
    }

    /// The same with tables that were built before, which takes longest.
    ///
    /// # Errors
    /// Those of [`Chips::new`].
    pub fn with_tables(assets: &Assets, tables: WindowTables) -> Result<Self, SvcError> {
        let generators = Generators::of(&assets.fixed);
        Ok(Self {
            starts: assets.regions.clone(),
            generators: generators.ok_or_else(|| {
                SvcError::new(Code::InternalUnexpected).with("message", "generators of a circuit")
            })?,
            tables,
        })
    }
}
