//! Matrix step of the proof of work: the 64 × 64 matrix of nibbles (specification consensus 4, steps 3, 4, 6 and 7).

use svc_codec::hash32::Hash32;

use crate::xoshiro::Xoshiro256PlusPlus;

/// Rows and columns.
pub(crate) const SIZE: usize = 64;

/// Below this a pivot counts as zero.
const EPSILON: f64 = 1e-9;

/// A matrix of full rank with entries 0 to 15.
pub(crate) struct Matrix([[u8; SIZE]; SIZE]);

impl Matrix {
    /// Draws matrices from one generator until one has full rank; nearly always the first.
    pub(crate) fn generate(seed: &Hash32) -> Self {
        let mut generator = Xoshiro256PlusPlus::from_hash(seed);
        loop {
            let candidate = Self::draw(&mut generator);
            if candidate.rank() == SIZE || generator.is_stuck() {
                return candidate;
            }
        }
    }

    /// One matrix, row by row: sixteen entries from each 64-bit number, low nibble first.
    fn draw(generator: &mut Xoshiro256PlusPlus) -> Self {
        let mut rows = [[0; SIZE]; SIZE];
        for row in &mut rows {
            for group in row.chunks_mut(16) {
                let mut word = generator.next();
                for entry in group {
                    *entry = (word & 15) as u8;
                    word >>= 4;
                }
            }
        }
        Self(rows)
    }

    /// Rank over the reals, by elimination in IEEE double precision. The order of operations
    /// is consensus: another one could round differently near the threshold.
    fn rank(&self) -> usize {
        let mut cells = self.0.map(|row| row.map(f64::from));
        let mut used = [false; SIZE];
        let mut rank = 0;
        for column in 0..SIZE {
            let pivot = (0..SIZE).find(|row| !used[*row] && cells[*row][column].abs() > EPSILON);
            let Some(pivot) = pivot else { continue };
            rank += 1;
            used[pivot] = true;
            eliminate(&mut cells, pivot, column);
        }
        rank
    }

    /// Matrix times the 64 nibbles of `inner` (high nibble first), each product cut to its top
    /// four of 14 bits, packed two to a byte.
    pub(crate) fn multiply(&self, inner: &[u8; 32]) -> [u8; 32] {
        let mut vector = [0_u16; SIZE];
        for (pair, byte) in vector.as_chunks_mut::<2>().0.iter_mut().zip(inner) {
            *pair = [u16::from(byte >> 4), u16::from(byte & 15)];
        }
        let mut packed = [0; 32];
        for (byte, rows) in packed.iter_mut().zip(self.0.as_chunks::<2>().0) {
            let [high, low] = rows.each_ref().map(|row| dot(row, &vector) >> 10);
            *byte = (high << 4 | low) as u8;
        }
        packed
    }

    /// All entries, row by row.
    #[cfg(test)]
    pub(crate) fn entries(&self) -> impl Iterator<Item = u8> {
        self.0.iter().flatten().copied()
    }
}

/// Divides the rest of the pivot row by the pivot and clears the column from all other rows.
fn eliminate(cells: &mut [[f64; SIZE]; SIZE], pivot: usize, column: usize) {
    let divisor = cells[pivot][column];
    for cell in &mut cells[pivot][column + 1..] {
        *cell /= divisor;
    }
    let pivot_row = cells[pivot];
    for (index, row) in cells.iter_mut().enumerate() {
        let factor = row[column];
        if index == pivot || factor.abs() <= EPSILON {
            continue;
        }
        for (cell, above) in row[column + 1..].iter_mut().zip(&pivot_row[column + 1..]) {
            *cell -= above * factor;
        }
    }
}

/// At most 64 · 15 · 15 = 14,400.
fn dot(row: &[u8; SIZE], vector: &[u16; SIZE]) -> u16 {
    row.iter()
        .zip(vector)
        .map(|(entry, nibble)| u16::from(*entry) * nibble)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_row_lowers_the_rank() {
        let mut matrix = Matrix::generate(&Hash32([0x2a; 32]));
        assert_eq!(matrix.rank(), SIZE);
        matrix.0[5] = matrix.0[40];
        assert_eq!(matrix.rank(), SIZE - 1);
        matrix.0 = [[0; SIZE]; SIZE];
        assert_eq!(matrix.rank(), 0);
    }

    #[test]
    fn the_zero_seed_does_not_hang() {
        assert!(
            Matrix::generate(&Hash32::ZERO)
                .entries()
                .all(|entry| entry == 0)
        );
    }
}
