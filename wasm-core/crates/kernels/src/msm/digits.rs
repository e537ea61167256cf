//! Scalar recoding into signed digits, whole or in two halves by the endomorphism.

use crate::curve::Curve;
use crate::lanes::modulus::Modulus;

/// An integer below 2¹²⁸ in magnitude.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Half {
    /// Whether it is negative.
    pub negative: bool,
    /// Its magnitude.
    pub magnitude: u128,
}

/// Signed digits of an integer below 2²⁵⁵ in windows of `bits` (2 to 31), lowest first; they lie in
/// −2^(bits − 1)..2^(bits − 1). The digits must have room for one more bit than the integer.
#[inline]
pub fn recode(scalar: &[u64; 4], bits: u32, digits: &mut [i32]) {
    // Half a digit is added in every window at once, and taken away from the unsigned digits.
    let mut words = [scalar[0], scalar[1], scalar[2], scalar[3], 0, 0];
    let mut offset = [0u64; 6];
    for w in 0..digits.len() as u32 {
        let at = (bits * w + bits - 1) as usize;
        if let Some(word) = offset.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
    }
    let mut carry = false;
    for (word, offset) in words.iter_mut().zip(&offset) {
        let (sum, over) = word.overflowing_add(*offset);
        let (sum, again) = sum.overflowing_add(u64::from(carry));
        *word = sum;
        carry = over || again;
    }
    let (mask, half) = ((1u64 << bits) - 1, 1i32 << (bits - 1));
    for (w, digit) in digits.iter_mut().enumerate() {
        let at = bits as usize * w;
        let (word, shift) = (at / 64, at % 64);
        let low = words.get(word).copied().unwrap_or(0);
        let high = words.get(word + 1).copied().unwrap_or(0);
        // The double shift keeps a shift by 64 out.
        let value = (low >> shift) | ((high << 1) << (63 - shift));
        *digit = (value & mask) as i32 - half;
    }
}

/// The representative of least magnitude of a canonical scalar, and whether its sign was changed.
#[inline]
pub fn balance<M: Modulus>(scalar: &[u64; 4]) -> ([u64; 4], bool) {
    // The modulus is 2²⁵⁴ + e: a scalar with bit 253 set is above half of it, up to e, which does not matter.
    if scalar[3] >> 61 == 0 {
        (*scalar, false)
    } else {
        (subtract(&M::WORDS, scalar).0, true)
    }
}

/// a − b modulo 2²⁵⁶, and whether it borrowed.
#[inline]
pub fn subtract(a: &[u64; 4], b: &[u64; 4]) -> ([u64; 4], bool) {
    let mut out = [0u64; 4];
    let mut borrow = false;
    for i in 0..4 {
        let (difference, under) = a[i].overflowing_sub(b[i]);
        let (difference, again) = difference.overflowing_sub(u64::from(borrow));
        out[i] = difference;
        borrow = under || again;
    }
    (out, borrow)
}

/// a + b modulo 2²⁵⁶.
#[inline]
pub fn add(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let mut out = [0u64; 4];
    let mut carry = false;
    for i in 0..4 {
        let (sum, over) = a[i].overflowing_add(b[i]);
        let (sum, again) = sum.overflowing_add(u64::from(carry));
        out[i] = sum;
        carry = over || again;
    }
    out
}

/// Two halves k₁, k₂ of a canonical scalar k = k₁ + k₂·λ.
pub fn split<C: Curve>(scalar: &[u64; 4]) -> [Half; 2] {
    let lattice = &C::LATTICE;
    let c1 = rounded_product(scalar, &lattice.g1);
    let c2 = rounded_product(scalar, &lattice.g2);
    let terms = [
        (c1, lattice.n11),
        (c2, lattice.n21),
        (c2, lattice.n22),
        (c1, lattice.n12),
    ];
    let [a, b, c, d] = terms.map(|(c, n)| product(c, n));
    [
        half(&subtract(&subtract(scalar, &a).0, &b).0),
        half(&subtract(&c, &d).0),
    ]
}

/// From two's complement.
fn half(words: &[u64; 4]) -> Half {
    let negative = words[3] >> 63 == 1;
    let words = if negative {
        subtract(&[0; 4], words).0
    } else {
        *words
    };
    Half {
        negative,
        magnitude: u128::from(words[0]) | (u128::from(words[1]) << 64),
    }
}

/// round(k·g / 2²⁵⁶) for g below 2¹³⁰.
fn rounded_product(k: &[u64; 4], g: &[u64; 3]) -> u128 {
    let mut columns = [0u64; 7];
    for (i, a) in k.iter().enumerate() {
        let mut carry = 0u128;
        for (j, b) in g.iter().enumerate() {
            carry += u128::from(*a) * u128::from(*b) + u128::from(columns[i + j]);
            columns[i + j] = carry as u64;
            carry >>= 64;
        }
        columns[i + 3] = carry as u64;
    }
    let up = u128::from(columns[3] >> 63);
    (u128::from(columns[4]) | (u128::from(columns[5]) << 64)) + up
}

/// a·b, 256 bits.
fn product(a: u128, b: u128) -> [u64; 4] {
    let (a, b) = ([a as u64, (a >> 64) as u64], [b as u64, (b >> 64) as u64]);
    let mut out = [0u64; 4];
    for i in 0..2 {
        let mut carry = 0u128;
        for j in 0..2 {
            carry += u128::from(a[i]) * u128::from(b[j]) + u128::from(out[i + j]);
            out[i + j] = carry as u64;
            carry >>= 64;
        }
        out[i + 2] = carry as u64;
    }
    out
}
