//! Copy constraints (the permutation σ): which cells of the permutation's columns are copies of each other.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_kernels::fft::column::Rows;
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::PallasBase;

use crate::shape::{PERMUTATION_COLUMNS, ROWS};

/// Cells of all columns of the permutation.
const CELLS: usize = PERMUTATION_COLUMNS * ROWS;

/// A permutation of the cells whose cycles are the sets of equal cells. A cell is its column's place in the
/// permutation times [`ROWS`] plus its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    next: Vec<u16>,
}

impl Mapping {
    /// No copies.
    pub fn identity() -> Self {
        Self {
            next: (0..CELLS).map(|cell| cell as u16).collect(),
        }
    }

    /// Makes two cells, each a place of a column and a row, equal, and with them their sets. Places outside the
    /// columns are ignored.
    ///
    /// Exchanging the successors of two cells joins their cycles if those differ; within one cycle it would split
    /// it, so then nothing is done.
    pub fn join(&mut self, left: (usize, usize), right: (usize, usize)) {
        let (Some(left), Some(right)) = (cell(left), cell(right)) else {
            return;
        };
        let mut other = left;
        loop {
            if other == right {
                return;
            }
            other = usize::from(self.next[other]);
            if other == left {
                break;
            }
        }
        self.next.swap(left, right);
    }

    /// The cell after a cell, flat.
    pub fn next(&self, column: usize, row: usize) -> Option<usize> {
        cell((column, row)).map(|cell| usize::from(self.next[cell]))
    }

    /// The cells after those of a column, in the order of its rows, flat; empty for a column there is not.
    pub fn column(&self, column: usize) -> &[u16] {
        self.next.chunks_exact(ROWS).nth(column).unwrap_or(&[])
    }

    /// The values of all permutation columns: cell (column, row) is known as δ^column · ω^row, and a column holds the
    /// names of its cells' successors.
    pub fn values(&self, omega: &Single<PallasBase>) -> Vec<Rows<PallasBase>> {
        let names = cell_names(omega);
        self.next
            .chunks_exact(ROWS)
            .map(|column| {
                let mut values = Rows::zero();
                for (row, next) in column.iter().enumerate() {
                    values.set(row, &names[usize::from(*next)]);
                }
                values
            })
            .collect()
    }

    /// The cycles longer than one: their number, then of each its length and its cells in order, the lowest first.
    pub fn encode(&self, writer: &mut Writer) {
        let mut seen = vec![false; CELLS];
        let mut cycles: Vec<Vec<u16>> = Vec::new();
        for start in 0..CELLS {
            let mut cycle = Vec::new();
            let mut cell = start;
            while !seen[cell] {
                seen[cell] = true;
                cycle.push(cell as u16);
                cell = usize::from(self.next[cell]);
            }
            if cycle.len() > 1 {
                cycles.push(cycle);
            }
        }
        writer.u16(cycles.len() as u16);
        for cycle in cycles {
            writer.u16(cycle.len() as u16);
            for cell in cycle {
                writer.u16(cell);
            }
        }
    }

    /// What [`Mapping::encode`] wrote.
    ///
    /// # Errors
    /// `codec/unexpected-end`, `codec/count-too-large`, `codec/not-canonical` for a cell that is none, comes twice or
    /// stands in another place than the encoder's.
    pub fn decode(reader: &mut Reader<'_>) -> Result<Self, SvcError> {
        let mut mapping = Self::identity();
        let mut last_first = None;
        for _ in 0..reader.count_u16(CELLS, 6)? {
            let count = reader.count_u16(CELLS, 2)?;
            let mut previous = None;
            let mut first = 0;
            for index in 0..count {
                let cell = usize::from(reader.u16()?);
                let fresh = mapping
                    .next
                    .get(cell)
                    .is_some_and(|next| usize::from(*next) == cell);
                if !fresh || (index > 0 && cell <= first) {
                    return Err(not_canonical());
                }
                match previous {
                    None => first = cell,
                    Some(previous) => mapping.next.swap(previous, cell),
                }
                previous = Some(cell);
            }
            if count < 2 || last_first.is_some_and(|last| first <= last) {
                return Err(not_canonical());
            }
            last_first = Some(first);
        }
        Ok(mapping)
    }
}

fn cell((column, row): (usize, usize)) -> Option<usize> {
    (column < PERMUTATION_COLUMNS && row < ROWS).then_some(column * ROWS + row)
}

fn not_canonical() -> SvcError {
    SvcError::new(Code::CodecNotCanonical).with("what", "permutation")
}

/// δ: generates the part of odd order of the multiplicative group, so that the sets δ^i·⟨ω⟩ are disjoint. It is the
/// group's generator 5 raised to 2³².
pub fn delta() -> Single<PallasBase> {
    let mut delta = Single::from_u64(5);
    for _ in 0..32 {
        delta = delta.square();
    }
    delta
}

/// The names of all cells: δ^column · ω^row.
fn cell_names(omega: &Single<PallasBase>) -> Vec<Single<PallasBase>> {
    let delta = delta();
    let mut names = Vec::with_capacity(CELLS);
    let mut column_name = Single::ONE;
    for _ in 0..PERMUTATION_COLUMNS {
        let mut name = column_name;
        for _ in 0..ROWS {
            names.push(name);
            name = name.mul(omega);
        }
        column_name = column_name.mul(&delta);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Mapping {
        let mut mapping = Mapping::identity();
        for step in 0..4000usize {
            let cell = |salt: usize| {
                let mixed = step.wrapping_mul(2_654_435_761).wrapping_add(salt * 40_503) >> 7;
                (mixed % PERMUTATION_COLUMNS, (mixed / 31) % 500)
            };
            mapping.join(cell(1), cell(2));
        }
        mapping
    }

    fn bytes(mapping: &Mapping) -> Vec<u8> {
        let mut writer = Writer::new();
        mapping.encode(&mut writer);
        writer.into_vec()
    }

    #[test]
    fn joining_makes_one_cycle_of_two_and_never_splits_one() {
        let mut mapping = Mapping::identity();
        mapping.join((0, 1), (2, 3));
        mapping.join((2, 3), (0, 1));
        mapping.join((0, 1), (0, 1));
        assert_eq!(mapping.next(0, 1), Some(2 * ROWS + 3));
        assert_eq!(mapping.next(2, 3), Some(1));
        mapping.join((5, 0), (2, 3));
        assert_eq!(mapping.next(5, 0), Some(1));
        assert_eq!(mapping.next(PERMUTATION_COLUMNS, 0), None);
        assert!(mapping.column(PERMUTATION_COLUMNS).is_empty());
    }

    #[test]
    fn encoding_goes_around() {
        for mapping in [Mapping::identity(), sample()] {
            let bytes = bytes(&mapping);
            let mut reader = Reader::new(&bytes);
            assert!(Mapping::decode(&mut reader).unwrap() == mapping);
            assert!(reader.finish().is_ok());
        }
    }

    #[test]
    fn damaged_bytes_give_an_error_or_another_permutation() {
        let mapping = sample();
        let good = bytes(&mapping);
        for position in (0..good.len()).step_by(7) {
            let mut bad = good.clone();
            bad[position] ^= 1 << (position % 8);
            let mut reader = Reader::new(&bad);
            let Ok(decoded) = Mapping::decode(&mut reader) else {
                continue;
            };
            if reader.finish().is_ok() {
                assert!(
                    decoded != mapping && bytes(&decoded) == bad,
                    "position {position}"
                );
            }
        }
    }
}
