//! Portable two-lane implementation, where there is no WebAssembly SIMD: two elements as a pair of words.

use crate::lanes::lane::Lane;
use crate::lanes::modulus::LIMBS;

const MASK: u64 = crate::lanes::modulus::LIMB_MASK as u64;

/// The bits of a lane.
const LANE: u64 = 0xffff_ffff;

/// The same limb of two independent elements.
#[derive(Copy, Clone, Debug)]
pub struct Two([u64; 2]);

impl Two {
    /// A limb of element 0 in the low half, of element 1 in the high half.
    #[inline(always)]
    pub fn load(stored: &u64) -> Self {
        Self([stored & 0xffff_ffff, stored >> 32])
    }

    /// The inverse of [`Two::load`].
    #[inline(always)]
    pub fn store(self, stored: &mut u64) {
        *stored = self.0[0] | (self.0[1] << 32);
    }

    /// Both limbs, element 0 first.
    #[inline(always)]
    pub fn split(self) -> [u32; 2] {
        [self.0[0] as u32, self.0[1] as u32]
    }

    /// The nine limbs of two elements that lie apart in memory.
    #[inline(always)]
    pub fn gather(first: &[u32; LIMBS], second: &[u32; LIMBS]) -> [Self; LIMBS] {
        core::array::from_fn(|j| Self([u64::from(first[j]), u64::from(second[j])]))
    }

    /// The same choice for all limbs of an element, for [`Two::add_signed`].
    #[inline(always)]
    pub fn signs(negative: [bool; 2]) -> Self {
        Self(negative.map(|negative| if negative { 0xffff_ffff } else { 0 }))
    }

    /// `self` + `other`, or `self` − `other` where `signs` is negative; the caller keeps the result in 0..2³².
    #[inline(always)]
    pub fn add_signed(self, other: Self, signs: Self) -> Self {
        Self(core::array::from_fn(|lane| {
            let signed = (other.0[lane] ^ signs.0[lane]).wrapping_sub(signs.0[lane]);
            self.0[lane].wrapping_add(signed) & 0xffff_ffff
        }))
    }

    /// The limbs exchanged.
    #[inline(always)]
    pub fn swap(self) -> Self {
        Self([self.0[1], self.0[0]])
    }
}

impl Lane for Two {
    type Wide = [u64; 2];
    const WIDTH: usize = 2;

    #[inline(always)]
    fn splat(limb: u32) -> Self {
        Self([u64::from(limb); 2])
    }
    #[inline(always)]
    fn zero_wide() -> [u64; 2] {
        [0; 2]
    }
    #[inline(always)]
    fn splat_wide(sum: u64) -> [u64; 2] {
        [sum; 2]
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // Wraps at 32 bits as the SIMD lanes do, so that a limb that grew too large shows in native tests, too.
        Self([
            (self.0[0] + other.0[0]) & LANE,
            (self.0[1] + other.0[1]) & LANE,
        ])
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self([
            self.0[0].wrapping_sub(other.0[0]) & LANE,
            self.0[1].wrapping_sub(other.0[1]) & LANE,
        ])
    }
    #[inline(always)]
    fn and(self, mask: u32) -> Self {
        Self([self.0[0] & u64::from(mask), self.0[1] & u64::from(mask)])
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> Self {
        Self([self.0[0] >> BITS, self.0[1] >> BITS])
    }
    #[inline(always)]
    fn mul(self, other: Self) -> [u64; 2] {
        [
            self.0[0].wrapping_mul(other.0[0]),
            self.0[1].wrapping_mul(other.0[1]),
        ]
    }
    #[inline(always)]
    fn widen(self) -> [u64; 2] {
        self.0
    }
    #[inline(always)]
    fn add_wide(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
        [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])]
    }
    #[inline(always)]
    fn sub_wide(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
        [a[0].wrapping_sub(b[0]), a[1].wrapping_sub(b[1])]
    }
    #[inline(always)]
    fn shr_wide<const BITS: u32>(a: [u64; 2]) -> [u64; 2] {
        [a[0] >> BITS, a[1] >> BITS]
    }
    #[inline(always)]
    fn shl_wide<const BITS: u32>(a: [u64; 2]) -> [u64; 2] {
        [a[0] << BITS, a[1] << BITS]
    }
    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
    #[inline(always)]
    fn constant(limb: &'static u32) -> Self {
        Self::splat(*limb)
    }
    #[inline(always)]
    fn low_limb(a: [u64; 2]) -> Self {
        Self([a[0] & MASK, a[1] & MASK])
    }
    #[inline(always)]
    fn low_wide(a: [u64; 2]) -> [u64; 2] {
        [a[0] & MASK, a[1] & MASK]
    }
    #[inline(always)]
    fn negated_low_wide(a: [u64; 2]) -> [u64; 2] {
        [a[0].wrapping_neg() & MASK, a[1].wrapping_neg() & MASK]
    }
    #[inline(always)]
    fn narrow(a: [u64; 2]) -> Self {
        Self([a[0] & 0xffff_ffff, a[1] & 0xffff_ffff])
    }
}
