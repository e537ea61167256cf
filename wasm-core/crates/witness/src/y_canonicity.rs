//! Parity check of an ordinate: its lowest bit is the one that the point's encoding names.

use crate::bits::Bits;
use crate::canonicity::bound;
use crate::gate;
use crate::range_check::{self, short_of};
use crate::sheet::{Fp, Sheet};

/// The first column of the gate.
const FIRST_COLUMN: usize = 5;
/// Words of the ordinate below bit 250.
const LOW_WORDS: usize = 25;

/// Shows the bits of an ordinate and that they are those of its least integer; returns the lowest.
///
/// The parts are bit 0, bits 1..10, 10..250, 250..254 and bit 254; the first three together are called j.
pub fn lowest_bit(sheet: &mut Sheet<'_>, y: &Fp) -> Fp {
    let bits = Bits::of(y);
    let lowest = bits.range(0..1);
    let k_0 = short_of(sheet, &bits, 1..10);
    let k_2 = short_of(sheet, &bits, 250..254);
    let k_3 = bits.range(254..255);
    let j = bits.range(0..250);
    let sums = range_check::words(sheet, &j, LOW_WORDS);
    let sum = |word: usize| sums.get(word).copied().unwrap_or(Fp::ZERO);
    let bound = bound(sheet, &j, 13);
    gate::rows(
        sheet,
        FIRST_COLUMN,
        &[
            &[*y, lowest, k_0, k_2, k_3],
            &[j, sum(1), sum(13), bound.shifted, bound.rest],
        ],
    );
    lowest
}
