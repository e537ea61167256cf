//! Running-sum decomposition of a field element into words of equal size.
//!
//! z₀ is the element and zᵢ₊₁ = (zᵢ − kᵢ)/2^K for its words k₀, k₁, …, which makes zᵢ the element's integer shifted down
//! by K·i bits. What the constraints want of the last sum does not change the cells.

use crate::bits::Bits;
use crate::sheet::{Fp, Region};
use crate::values::Values;

/// Writes z₀ to z_`count` for words of `width` bits down a column from `offset`, and returns them.
pub fn fill(
    region: &mut Region<'_>,
    column: usize,
    offset: usize,
    element: &Fp,
    width: usize,
    count: usize,
) -> Values {
    let bits = Bits::of(element);
    let mut sums = Vec::with_capacity(count + 1);
    for i in 0..=count {
        let sum = bits.above(width * i);
        region.set(column, offset + i, &sum);
        sums.push(sum);
    }
    sums.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Sheet;

    #[test]
    fn sums_obey_their_recurrence() {
        let element = Fp::from_u64(3).pow(&[1 << 40, 0, 0, 0]);
        let mut sheet = Sheet::new(&[4]);
        let sums = fill(&mut sheet.region(), 2, 1, &element, 3, 85);
        let columns = sheet.finish().unwrap();
        assert!(sums.len() == 86 && sums[0] == element && sums[85].is_zero());
        for (i, pair) in sums.windows(2).enumerate() {
            let word = pair[0].sub(&pair[1].mul(&Fp::from_u64(8)));
            assert!(word.to_words()[1..] == [0; 3] && word.to_words()[0] < 8);
            assert!(columns[2].get(5 + i) == pair[0]);
        }
    }
}
