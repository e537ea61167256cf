//! Gate regions: regions that hold only the cells of a gate.

use crate::sheet::{Fp, Sheet};

/// Writes the rows of a region, each from column `first` on. Cells between others that the gate leaves out are zero.
pub fn rows(sheet: &mut Sheet<'_>, first: usize, rows: &[&[Fp]]) {
    let mut region = sheet.region();
    for (offset, row) in rows.iter().enumerate() {
        for (i, value) in row.iter().enumerate() {
            region.set(first + i, offset, value);
        }
    }
}
