//! Canonicity check of a bit decomposition: the bound that makes the bits of a field element those of its least
//! integer.
//!
//! The modulus is 2²⁵⁴ + t with t < 2¹²⁶. Where bit 254 is set the bits below it must be less than t, so they fit 130 (or
//! 140) bits, and so do they plus 2¹³⁰ − t (2¹⁴⁰ − t). The circuit shows the latter in every case and demands its
//! bound only where bit 254 is set.

use svc_kernels::lanes::modulus::Modulus;

use svc_kernels::lanes::modulus::PallasBase;

use crate::range_check::{self, WORD_BITS};
use crate::sheet::{Fp, Sheet};

/// The bound values that the gates of canonicity compare.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The low bits plus 2^(10·words) − t.
    pub shifted: Fp,
    /// What is left of it above its words: zero if the bound holds.
    pub rest: Fp,
}

/// Adds 2^(10·words) − t to the low bits of an element, for 13 or 14 words.
pub fn shifted(low: &Fp, words: usize) -> Fp {
    let [t_0, t_1, _, _] = PallasBase::WORDS;
    let power = Fp::from_words(&[0, 0, 1 << (WORD_BITS * words - 128), 0]);
    low.add(&power).sub(&Fp::from_words(&[t_0, t_1, 0, 0]))
}

/// Decomposes the shifted low bits in a region of their own.
pub fn bound(sheet: &mut Sheet<'_>, low: &Fp, words: usize) -> Bound {
    let shifted = shifted(low, words);
    let sums = range_check::words(sheet, &shifted, words);
    Bound {
        shifted,
        rest: sums.get(words).copied().unwrap_or(Fp::ZERO),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_below_t_keeps_its_bound() {
        let [t_0, t_1, _, high] = PallasBase::WORDS;
        assert_eq!(high, 1 << 62);
        let t = Fp::from_words(&[t_0, t_1, 0, 0]);
        for words in [13, 14] {
            for (low, fits) in [(Fp::ZERO, true), (t.sub(&Fp::ONE), true), (t, false)] {
                let mut sheet = Sheet::new(&[100]);
                let bound = bound(&mut sheet, &low, words);
                assert_eq!(bound.rest.is_zero(), fits);
                assert!(sheet.finish().unwrap()[9].get(100) == bound.shifted);
            }
        }
    }
}
