//! Variable-base scalar multiplication chip: a secret point by an element of the circuit's field.
//!
//! With q = 2²⁵⁴ + t the order of the group and k = α + t: α·B = 2²⁵⁴·B + k·B. Reading a set bit of k as +1 and a clear
//! one as −1, and starting with 2·B, double-and-add over bits 254 to 1 and a correction for bit 0 give just that. The
//! sums over bits 254 to 4 are never exceptional and go without complete addition, in two halves side by side.

use core::ops::Range;

use svc_kernels::curve::{Affine, Pallas};
use svc_kernels::lanes::modulus::{Modulus, PallasScalar};
use zeroize::Zeroize;

use crate::add::{self, X_P, Y_P};
use crate::bits::Bits;
use crate::multiply::double_add::chain;
use crate::multiply::sum_chain::Points;
use crate::range_check;
use crate::sheet::{Fp, Region, Sheet};

/// Bits of k.
const BITS: usize = 255;
/// Bits of the first and of the second half.
const HALVES: [usize; 2] = [125, 126];
/// Bits with complete addition, without the last.
const COMPLETE_BITS: usize = 3;
/// The row above the halves: their start values.
const START: usize = 1;
/// The row of the first complete addition after the halves.
const COMPLETE: usize = START + HALVES[1] + 2;
/// The row of the correction for the last bit.
const LAST: usize = COMPLETE + 2 * COMPLETE_BITS;
/// The column of the running sum beside complete additions.
const Z_COMPLETE: usize = 9;
/// Columns of the overflow check.
const OVERFLOW: [usize; 3] = [6, 7, 8];
/// Words of ten bits in 130 bits.
const WORDS_OF_130: usize = 13;

/// Columns of a half.
struct Half {
    z: usize,
    x: usize,
    lambda_1: usize,
    lambda_2: usize,
}

const HIGH: Half = Half {
    z: 9,
    x: 3,
    lambda_1: 4,
    lambda_2: 5,
};
const LOW: Half = Half {
    z: 6,
    x: 7,
    lambda_1: 8,
    lambda_2: 2,
};

/// k = α + t as an integer, below 2²⁵⁵.
struct Scalar(Bits);

impl Scalar {
    fn of(alpha: &Fp) -> Self {
        let mut words = alpha.to_words();
        let [low, high, ..] = PallasScalar::WORDS;
        let mut carry = false;
        for (word, t) in words.iter_mut().zip([low, high, 0, 0]) {
            let (sum, first) = word.overflowing_add(t);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            *word = sum;
            carry = first || second;
        }
        let scalar = Self(Bits::of_words(words));
        words.zeroize();
        scalar
    }

    fn bit(&self, bit: usize) -> bool {
        self.0.small(bit..bit + 1) == 1
    }

    /// ⌊k / 2^bit⌋, reduced: the running sum after the bit.
    fn above(&self, bit: usize) -> Fp {
        self.0.above(bit)
    }
}

/// α · base. Four regions. There is no witness for the identity.
pub fn mul(sheet: &mut Sheet<'_>, base: &Affine<Pallas>, alpha: &Fp) -> Affine<Pallas> {
    let k = Scalar::of(alpha);
    let product = multiply(&mut sheet.region(), base, &k);
    if product.is_none() {
        sheet.refuse("an undefined sum of a multiplication");
    }
    overflow(sheet, alpha, &k);
    product.unwrap_or(Affine::IDENTITY)
}

fn multiply(region: &mut Region<'_>, base: &Affine<Pallas>, k: &Scalar) -> Option<Affine<Pallas>> {
    let mut sum = add::fill(region, 0, base, base);
    let mut bit = BITS;
    for (columns, count) in [HIGH, LOW].iter().zip(HALVES) {
        sum = half(region, columns, base, k, bit - count..bit, &sum)?;
        bit -= count;
    }
    region.set(Z_COMPLETE, COMPLETE, &k.above(bit));
    for step in 0..COMPLETE_BITS {
        let row = COMPLETE + 2 * step;
        bit -= 1;
        region.set(Z_COMPLETE, row + 1, &base.y);
        region.set(Z_COMPLETE, row + 2, &k.above(bit));
        let addend = signed(base, k.bit(bit));
        let next = add::fill(region, row, &addend, &sum);
        sum = add::fill(region, row + 1, &sum, &next);
    }
    region.set(Z_COMPLETE, LAST + 1, &k.above(0));
    region.set(X_P, LAST + 1, &base.x);
    region.set(Y_P, LAST + 1, &base.y);
    let correction = if k.bit(0) {
        Affine::IDENTITY
    } else {
        base.neg()
    };
    Some(add::fill(region, LAST, &correction, &sum))
}

/// Double-and-add over a range of bits, the highest first.
fn half(
    region: &mut Region<'_>,
    columns: &Half,
    base: &Affine<Pallas>,
    k: &Scalar,
    bits: Range<usize>,
    start: &Affine<Pallas>,
) -> Option<Affine<Pallas>> {
    region.set(columns.z, START, &k.above(bits.end));
    region.set(columns.lambda_1, START, &start.y);
    region.set(columns.x, START + 1, &start.x);
    let mut addends = Points::with_capacity(bits.len());
    for bit in bits.clone().rev() {
        addends.push(signed(base, k.bit(bit)));
    }
    let chain = chain(start, &addends)?;
    for (index, step) in chain.steps.iter().enumerate() {
        let row = START + 1 + index;
        region.set(columns.z, row, &k.above(bits.end - 1 - index));
        region.set(X_P, row, &base.x);
        region.set(Y_P, row, &base.y);
        region.set(columns.lambda_1, row, &step.lambda_1);
        region.set(columns.lambda_2, row, &step.lambda_2);
        region.set(columns.x, row + 1, &step.x);
    }
    region.set(columns.lambda_1, START + 1 + chain.steps.len(), &chain.y);
    let last = chain.steps.last()?;
    Some(Affine {
        x: last.x,
        y: chain.y,
    })
}

fn signed(base: &Affine<Pallas>, bit: bool) -> Affine<Pallas> {
    if bit { *base } else { base.neg() }
}

/// The check that k is α + t and not α + t − p: with s = α + k₂₅₄·2¹³⁰, what s has above its lowest 130 bits decides
/// together with bits 254 to 130 of k.
fn overflow(sheet: &mut Sheet<'_>, alpha: &Fp, k: &Scalar) {
    let [first, second, third] = OVERFLOW;
    let top = k.above(BITS - 1);
    let s = if k.bit(BITS - 1) {
        alpha.add(&Fp::from_words(&[0, 0, 1 << 2, 0]))
    } else {
        *alpha
    };
    sheet.region().set(first, 0, &s);
    let words = range_check::words(sheet, &s, WORDS_OF_130);
    let above = k.above(130);
    let mut region = sheet.region();
    region.set(first, 0, &k.above(0));
    region.set(first, 1, &above);
    region.set(first, 2, &above.invert());
    region.set(second, 0, &top);
    region.set(second, 1, alpha);
    region.set(second, 2, &words[WORDS_OF_130]);
    region.set(third, 1, &s);
}
