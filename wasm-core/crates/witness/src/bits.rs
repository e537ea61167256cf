//! Bit decomposition of a field element: the integer that stands for it, cut into ranges of bits.

use core::ops::Range;

use zeroize::Zeroize;

use crate::sheet::Fp;

/// Bits of a word.
const WORD: usize = 64;

/// An integer below 2²⁵⁶, mostly the least non-negative one of a field element; overwritten when dropped. Bits count from
/// zero, lowest first; those from 256 on are zero.
#[derive(Debug)]
pub struct Bits([u64; 4]);

impl Bits {
    /// The integer of an element.
    pub fn of(value: &Fp) -> Self {
        Self(value.to_words())
    }

    /// An integer in little-endian words.
    pub fn of_words(words: [u64; 4]) -> Self {
        Self(words)
    }

    /// The integer shifted down: ⌊value / 2^bit⌋ as a field element, reduced.
    pub fn above(&self, bit: usize) -> Fp {
        let mut words = self.shifted(bit);
        let value = Fp::from_words(&words);
        words.zeroize();
        value
    }

    /// The bits of a range, the first one lowest, as a field element.
    pub fn range(&self, range: Range<usize>) -> Fp {
        let mut words = self.shifted(range.start);
        for (i, word) in words.iter_mut().enumerate() {
            *word &= low_mask(range.len().saturating_sub(WORD * i));
        }
        let value = Fp::from_words(&words);
        words.zeroize();
        value
    }

    /// The bits of a range as an integer; bits of it past the 64th are left out.
    pub fn small(&self, range: Range<usize>) -> u64 {
        let (word, shift) = (range.start / WORD, range.start % WORD);
        let low = self.0.get(word).map_or(0, |low| low >> shift);
        let high = match (self.0.get(word + 1), shift) {
            (Some(high), 1..) => high << (WORD - shift),
            _ => 0,
        };
        (low | high) & low_mask(range.len())
    }

    fn shifted(&self, bit: usize) -> [u64; 4] {
        core::array::from_fn(|i| {
            let start = bit + WORD * i;
            self.small(start..start + WORD)
        })
    }
}

impl Drop for Bits {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// A word of which the lowest `bits` bits are set.
fn low_mask(bits: usize) -> u64 {
    if bits < WORD {
        (1 << bits) - 1
    } else {
        u64::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2 to a power.
    fn two_to(power: u64) -> Fp {
        Fp::from_u64(2).pow(&[power, 0, 0, 0])
    }

    #[test]
    fn ranges_put_the_integer_together_again() {
        let value = Fp::from_u64(0x1234_5678_9abc_def1).pow(&[77, 0, 0, 0]);
        let bits = Bits::of(&value);
        for cuts in [
            &[0, 255][..],
            &[0, 1, 64, 65, 128, 254, 255],
            &[0, 250, 255],
        ] {
            let sum = cuts.windows(2).fold(Fp::ZERO, |sum, cut| {
                sum.add(&bits.range(cut[0]..cut[1]).mul(&two_to(cut[0] as u64)))
            });
            assert!(sum == value);
        }
    }

    #[test]
    fn a_shift_drops_the_low_bits() {
        let value = Fp::ONE.neg();
        let bits = Bits::of(&value);
        for bit in [0, 1, 10, 63, 64, 65, 127, 192, 254] {
            let above = bits.above(bit).mul(&two_to(bit as u64));
            assert!(above.add(&bits.range(0..bit)) == value);
        }
        assert!(bits.above(255).is_zero() && bits.above(256).is_zero());
        assert!(bits.above(1000).is_zero());
    }

    #[test]
    fn small_ranges_are_integers() {
        let bits = Bits::of(&Fp::from_words(&[u64::MAX, 5, 0, 1 << 61]));
        assert_eq!(bits.small(0..64), u64::MAX);
        assert_eq!(bits.small(60..70), 0b0101_1111);
        assert_eq!(bits.small(253..263), 1);
        assert_eq!(bits.small(300..310), 0);
        assert_eq!(bits.small(7..7), 0);
    }
}
