//! Carry propagation of a pair of sums in memory, one limb each in the two halves of a word.

use crate::lanes::modulus::{LIMB_BITS, LIMB_MASK, LIMBS};

/// Every limb but the top one cut to 29 bits, what is above added to the next: limbs below 2²⁹ + 8.
#[inline(always)]
pub(crate) fn carried(words: &[u64; LIMBS]) -> [u64; LIMBS] {
    const LOW: u64 = LIMB_MASK as u64 | (LIMB_MASK as u64) << 32;
    const HIGH: u64 = 7 | 7 << 32;
    core::array::from_fn(|j| {
        let own = if j < LIMBS - 1 {
            words[j] & LOW
        } else {
            words[j]
        };
        if j > 0 {
            own + ((words[j - 1] >> LIMB_BITS) & HIGH)
        } else {
            own
        }
    })
}
