//! Fixed-base multiplication chip for an element of the circuit's field.

use svc_kernels::curve::{Affine, Pallas};
use svc_kernels::lanes::modulus::{Modulus, PallasBase};

use crate::add;
use crate::bits::Bits;
use crate::multiply::fixed_mul::{Halves, WINDOW, digits, windows};
use crate::sheet::{Fp, Sheet};
use crate::tables::{Base, WINDOW_BITS, WINDOWS, WindowTables};
use crate::{range_check, running_sum};

/// Columns of the canonicity check.
const CANONICITY: [usize; 3] = [6, 7, 8];
/// Words of ten bits in 130 bits.
const WORDS_OF_130: usize = 13;

/// α · base for a base with full scalars, and the check that the digits are those of α and not of α + p. Four regions.
pub fn base_field(
    sheet: &mut Sheet<'_>,
    tables: &WindowTables,
    base: Base,
    alpha: &Fp,
) -> Affine<Pallas> {
    let bits = Bits::of(alpha);
    let digits = digits::<WINDOWS>(&bits);
    let mut region = sheet.region();
    let sums = running_sum::fill(&mut region, WINDOW, 0, alpha, WINDOW_BITS, WINDOWS);
    let halves = windows(&mut region, tables, base, digits.as_slice());
    let halves = Halves::or_refuse(halves, sheet);
    let product = add::complete(sheet, &halves.last, &halves.rest);
    canonicity(sheet, alpha, &bits, &sums);
    product
}

/// With p = 2²⁵⁴ + t: if bit 254 of α is set, its lowest 252 bits α₀ must be below t < 2¹³⁰, which α₀ + 2¹³⁰ − t shows.
fn canonicity(sheet: &mut Sheet<'_>, alpha: &Fp, bits: &Bits, sums: &[Fp]) {
    let alpha_0 = bits.range(0..252);
    let [low, high, ..] = PallasBase::WORDS;
    let shifted = alpha_0
        .add(&Fp::from_words(&[0, 0, 1 << 2, 0]))
        .sub(&Fp::from_words(&[low, high, 0, 0]));
    let words = range_check::words(sheet, &shifted, WORDS_OF_130);

    let [first, second, third] = CANONICITY;
    let mut region = sheet.region();
    region.set(first, 0, alpha);
    region.set(third, 0, &sums[84]);
    region.set(first, 1, &shifted);
    region.set(second, 1, &bits.range(252..254));
    region.set(third, 1, &bits.range(254..255));
    region.set(first, 2, &words[WORDS_OF_130]);
    region.set(second, 2, &sums[44]);
    region.set(third, 2, &sums[43]);
}
