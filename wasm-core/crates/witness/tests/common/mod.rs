//! Upstream's synthesis of an action, recorded cell by cell, and comparison of a sheet with it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod gates;
pub mod private;
pub mod samples;

use std::ops::Deref;
use std::sync::OnceLock;

use orchard::circuit::Circuit;
use pasta_curves::pallas;
use svc_circuit::assets::Assets;
use svc_circuit::shape::{ADVICE_COLUMNS, USABLE_ROWS};
use svc_circuit_gen::recording;
use svc_kernels::fft::column::Rows;
use svc_kernels::lanes::modulus::PallasBase;
use svc_witness::sheet::{Fp, Sheet};

/// What upstream assigned.
pub struct Recording(recording::Recording);

impl Deref for Recording {
    type Target = recording::Recording;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// Runs upstream's synthesis. `instance` holds the public values.
pub fn record(circuit: &Circuit, instance: &[pallas::Base]) -> Recording {
    Recording(recording::Recording::of(circuit, instance).unwrap())
}

/// The checked-in assets.
pub fn assets() -> &'static Assets {
    static ASSETS: OnceLock<Assets> = OnceLock::new();
    ASSETS.get_or_init(|| {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../assets/action-circuit.bin"
        );
        Assets::decode(&std::fs::read(path).unwrap()).unwrap()
    })
}

/// The first rows of all regions.
pub fn starts() -> &'static [u16] {
    &assets().regions
}

impl Recording {
    /// Numbers of the regions whose full name contains a text.
    pub fn regions_named(&self, text: &str) -> Vec<usize> {
        let named = self.regions.iter().enumerate();
        named
            .filter(|(_, name)| name.contains(text))
            .map(|(region, _)| region)
            .collect()
    }

    /// A cell of a region by its column and its offset.
    pub fn cell(&self, region: usize, column: usize, offset: usize) -> Fp {
        let row = usize::from(starts()[region]) + offset;
        let cell = self.cells.get(&(column, row));
        cell.unwrap_or_else(|| panic!("no cell at column {column}, row {row}"))
            .value
    }

    /// The first cell of a region (by column, then row) with a name.
    pub fn named(&self, region: usize, name: &str) -> Fp {
        let mut cells = self.cells.values();
        cells
            .find(|cell| cell.region == region && cell.name == name)
            .unwrap_or_else(|| panic!("no cell {name} in region {region}"))
            .value
    }

    /// Compares all cells of the regions a sheet has filled, from `first` on, with upstream's: every cell that upstream
    /// assigned there has its value, and the sheet is zero elsewhere.
    pub fn compare(&self, sheet: &Sheet<'_>, first: usize) {
        self.compare_columns(sheet.columns().unwrap(), first..sheet.next_region());
    }

    /// The same for columns in which the regions of a range are filled in.
    pub fn compare_columns(&self, columns: &[Rows<PallasBase>], filled: core::ops::Range<usize>) {
        let mut wrong = Vec::new();
        assert_eq!(columns.len(), ADVICE_COLUMNS);
        for (column, rows) in columns.iter().enumerate() {
            for row in 0..USABLE_ROWS {
                let ours = rows.get(row);
                let cell = self.cells.get(&(column, row));
                let cell = cell.filter(|cell| filled.contains(&cell.region));
                if ours != cell.map_or(Fp::ZERO, |cell| cell.value) {
                    let place = cell.map_or(usize::MAX, |cell| cell.region);
                    wrong.push((place, row, column, ours));
                }
            }
        }
        wrong.sort_by_key(|(region, row, column, _)| (*region, *row, *column));
        for (_, row, column, ours) in wrong.iter().take(20) {
            self.report(*column, *row, ours, &filled);
        }
        assert!(wrong.is_empty(), "{} cells differ", wrong.len());
    }

    fn report(&self, column: usize, row: usize, ours: &Fp, filled: &core::ops::Range<usize>) {
        let Some(cell) = self.cells.get(&(column, row)) else {
            println!(
                "column {column}, row {row}: {}, no cell upstream",
                hex(ours)
            );
            return;
        };
        let start = starts()[cell.region];
        println!(
            "region {} ({}){}, cell {}: column {column}, offset {}\n  ours     {}\n  upstream {}",
            cell.region,
            self.regions[cell.region],
            if filled.contains(&cell.region) {
                ""
            } else {
                " NOT OF THESE"
            },
            cell.name,
            row as isize - start as isize,
            hex(ours),
            hex(&cell.value),
        );
    }
}

/// Big-endian hexadecimal.
pub fn hex(value: &Fp) -> String {
    let bytes = value.to_bytes();
    bytes
        .iter()
        .rev()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Upstream's element as ours.
pub fn ours(value: &pallas::Base) -> Fp {
    Fp::from_bytes(&ff::PrimeField::to_repr(value)).unwrap()
}
