//! Grand product columns: the heart of the permutation and lookup arguments.

use svc_kernels::fft::column::PAIRS;
use svc_kernels::field::stored::Pair;

use crate::halo2::{Column, Fp};

/// The column whose row r holds `first` times the fractions of the rows before r.
///
/// The halves of the column run side by side in the two lanes; then the second half is multiplied by what the first
/// ends with.
pub fn running_product(fractions: &Column, first: &Fp) -> Column {
    let mut out = Column::zero();
    let mut product = Pair::new(first, &Fp::ONE).load();
    for (pair, fraction) in out.pairs_mut().iter_mut().zip(fractions.pairs()) {
        pair.store(&product);
        product = product.mul(&fraction.load());
    }
    let half = Pair::from_element(&product).get(0);
    let factor = Pair::new(&Fp::ONE, &half).load();
    for pair in out.pairs_mut().iter_mut().take(PAIRS) {
        let value = pair.load().mul(&factor);
        pair.store(&value);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use svc_kernels::fft::column::ROWS;

    #[test]
    fn equals_the_product_row_by_row() {
        let mut fractions = Column::zero();
        for row in 0..ROWS {
            fractions.set(row, &Fp::from_u64(3 + row as u64).invert());
        }
        let mut expected = Fp::from_u64(77);
        let product = running_product(&fractions, &expected);
        for row in 0..ROWS {
            assert!(product.get(row) == expected, "row {row}");
            expected = expected.mul(&fractions.get(row));
        }
    }
}
