//! The circuit's gates on single rows.

use svc_circuit::expression::Cells;
use svc_circuit::shape::ROWS;
use svc_kernels::fft::column::Rows;
use svc_kernels::lanes::modulus::PallasBase;
use svc_witness::sheet::{Fp, Sheet};

use super::{Recording, assets};

struct Row<'a> {
    advice: &'a [Rows<PallasBase>],
    row: usize,
}

impl Row<'_> {
    fn rotated(&self, rotation: i32) -> usize {
        (self.row as i32 + rotation).rem_euclid(ROWS as i32) as usize
    }
}

impl Cells for Row<'_> {
    fn fixed(&self, column: usize, rotation: i32) -> Fp {
        assets().fixed[column].get(self.rotated(rotation))
    }

    fn advice(&self, column: usize, rotation: i32) -> Fp {
        self.advice[column].get(self.rotated(rotation))
    }

    fn instance(&self, _: usize, _: i32) -> Fp {
        panic!("no gate reads public values");
    }
}

impl Recording {
    /// Whether all gates hold on the rows of the regions that a sheet has filled from `first` on, with upstream's cells in
    /// all other regions.
    pub fn gates_hold(&self, sheet: &Sheet<'_>, first: usize) -> bool {
        let ours = sheet.columns().unwrap();
        let filled = first..sheet.next_region();
        let mut advice: Vec<_> = ours.iter().map(|_| Rows::zero()).collect();
        let mut rows = std::collections::BTreeSet::new();
        for ((column, row), cell) in &self.cells {
            let value = if filled.contains(&cell.region) {
                rows.insert(*row);
                ours[*column].get(*row)
            } else {
                cell.value
            };
            advice[*column].set(*row, &value);
        }
        let gates = &assets().constraints.gates;
        rows.into_iter().all(|row| {
            let cells = Row {
                advice: &advice,
                row,
            };
            gates.iter().all(|gate| gate.evaluate(&cells).is_zero())
        })
    }
}
