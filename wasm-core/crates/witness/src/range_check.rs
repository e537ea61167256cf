//! Range check chip by lookups of words of ten bits. Every check is one region.

use core::ops::Range;

use svc_kernels::lanes::modulus::Modulus;

use svc_kernels::lanes::modulus::PallasBase;

use crate::bits::Bits;
use crate::running_sum;
use crate::sheet::{Fp, Sheet};
use crate::values::Values;

/// Bits of a word of the lookup table.
pub const WORD_BITS: usize = 10;
/// The column that range checks use.
const COLUMN: usize = 9;

/// Decomposes an element into its lowest `count` words: running sums z₀ to z_`count`. The cells are the same whether the
/// element is copied or witnessed, and whether or not the last sum must be zero.
pub fn words(sheet: &mut Sheet<'_>, element: &Fp, count: usize) -> Values {
    running_sum::fill(&mut sheet.region(), COLUMN, 0, element, WORD_BITS, count)
}

/// Checks that an element has at most `bits` ≤ 10 bits: the element, the element shifted up to ten bits, and 2^−bits. The
/// cells are the same whether the element is copied or witnessed.
pub fn short(sheet: &mut Sheet<'_>, element: &Fp, bits: usize) {
    let mut region = sheet.region();
    let shift = Fp::from_u64(1 << WORD_BITS.saturating_sub(bits));
    region.set(COLUMN, 0, element);
    region.set(COLUMN, 1, &element.mul(&shift));
    region.set(COLUMN, 2, &inverse_power_of_two(bits));
}

/// Cuts a range of at most ten bits out of an integer, checks its size, and returns it.
pub fn short_of(sheet: &mut Sheet<'_>, integer: &Bits, range: Range<usize>) -> Fp {
    let bits = range.len();
    let part = integer.range(range);
    short(sheet, &part, bits);
    part
}

/// 2^−bits for at most 32 bits. With m − 1 = 2³²·t: 2^bits · (m − 1)/2^bits = −1.
fn inverse_power_of_two(bits: usize) -> Fp {
    let [low, rest @ ..] = PallasBase::WORDS;
    let less_one = Fp::from_words(&[low - 1, rest[0], rest[1], rest[2]]);
    Bits::of(&less_one).above(bits).neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_have_inverses() {
        for bits in 0..=32 {
            let product = inverse_power_of_two(bits).mul(&Fp::from_u64(1 << bits));
            assert!(product == Fp::ONE, "{bits} bits");
        }
    }

    #[test]
    fn a_short_check_shifts_up_to_a_word() {
        let mut sheet = Sheet::new(&[9]);
        let integer = Bits::of(&Fp::from_u64(0b1101_1010));
        let part = short_of(&mut sheet, &integer, 3..7);
        let columns = sheet.finish().unwrap();
        assert!(part == Fp::from_u64(0b1011));
        assert!(columns[COLUMN].get(9) == part);
        assert!(columns[COLUMN].get(10) == Fp::from_u64(0b1011 << 6));
        assert!(columns[COLUMN].get(11).mul(&Fp::from_u64(16)) == Fp::ONE);
    }
}
