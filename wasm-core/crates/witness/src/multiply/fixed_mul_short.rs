//! Fixed-base multiplication chip for a signed scalar of 64 bits.

use svc_kernels::curve::{Affine, Pallas};

use crate::add::{self, Y_P};
use crate::bits::Bits;
use crate::multiply::fixed_mul::{Halves, U, WINDOW, digits, windows};
use crate::running_sum;
use crate::sheet::{Fp, Sheet};
use crate::tables::{Base, SHORT_WINDOWS, WINDOW_BITS, WindowTables};

/// ±magnitude · base for a base with short scalars. Two regions.
pub fn short(
    sheet: &mut Sheet<'_>,
    tables: &WindowTables,
    base: Base,
    magnitude: u64,
    negative: bool,
) -> Affine<Pallas> {
    let digits = digits::<SHORT_WINDOWS>(&Bits::of_words([magnitude, 0, 0, 0]));
    let scalar = Fp::from_u64(magnitude);
    let mut region = sheet.region();
    let sums = running_sum::fill(&mut region, WINDOW, 0, &scalar, WINDOW_BITS, SHORT_WINDOWS);
    let halves = windows(&mut region, tables, base, digits.as_slice());
    let halves = Halves::or_refuse(halves, sheet);

    let mut region = sheet.region();
    let mut product = add::fill(&mut region, 0, &halves.last, &halves.rest);
    let mut sign = Fp::ONE;
    if negative {
        sign = sign.neg();
        product = product.neg();
    }
    region.set(WINDOW, 1, &sign);
    // The last digit, which must be a bit.
    region.set(U, 1, &sums[SHORT_WINDOWS - 1]);
    region.set(Y_P, 1, &product.y);
    product
}
