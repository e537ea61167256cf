//! WebAssembly SIMD128 implementation of two elements per register: limbs in the two low 32-bit lanes, sums in 64-bit
//! lanes.

#![allow(unsafe_code)]

use core::arch::wasm32::{
    i32x4_add, i32x4_neg, i32x4_shuffle, i32x4_sub, i64x2_add, i64x2_neg, i64x2_shl, i64x2_sub,
    u8x16_avgr, u32x4_shr, u32x4_splat, u64x2_extend_low_u32x4, u64x2_extmul_low_u32x4,
    u64x2_extract_lane, u64x2_shr, u64x2_splat, v128, v128_and, v128_load, v128_load32_zero,
    v128_load64_zero, v128_store64_lane, v128_xor,
};

use crate::lanes::lane::Lane;
use crate::lanes::modulus::{LIMB_MASK, LIMBS};

/// The same limb of two independent elements, in 32-bit lanes 0 and 1; lanes 2 and 3 hold nothing of use.
#[derive(Copy, Clone, Debug)]
pub struct Two(v128);

impl Two {
    /// A limb of element 0 in the low half, of element 1 in the high half.
    #[inline(always)]
    pub fn load(stored: &u64) -> Self {
        // SAFETY: the reference is valid for the eight bytes that are read.
        Self(unsafe { v128_load64_zero(core::ptr::from_ref(stored)) })
    }

    /// The inverse of [`Two::load`].
    #[inline(always)]
    pub fn store(self, stored: &mut u64) {
        // SAFETY: the reference is valid for the eight bytes that are written.
        unsafe { v128_store64_lane::<0>(self.0, core::ptr::from_mut(stored)) }
    }

    /// Both limbs, element 0 first.
    #[inline(always)]
    pub fn split(self) -> [u32; 2] {
        let both = u64x2_extract_lane::<0>(self.0);
        [both as u32, (both >> 32) as u32]
    }

    /// The nine limbs of two elements that lie apart in memory.
    #[inline(always)]
    pub fn gather(first: &[u32; LIMBS], second: &[u32; LIMBS]) -> [Self; LIMBS] {
        let four = |limbs: &[u32; LIMBS], at: usize| {
            // SAFETY: `at` is 0 or 4, so the 16 bytes lie inside the nine limbs; the load needs no alignment.
            unsafe { v128_load(limbs.as_ptr().add(at).cast()) }
        };
        let (a, b) = (four(first, 0), four(second, 0));
        let (c, d) = (four(first, 4), four(second, 4));
        let (ab, cd) = (
            i32x4_shuffle::<0, 4, 1, 5>(a, b),
            i32x4_shuffle::<0, 4, 1, 5>(c, d),
        );
        let (ab_high, cd_high) = (
            i32x4_shuffle::<2, 6, 3, 7>(a, b),
            i32x4_shuffle::<2, 6, 3, 7>(c, d),
        );
        let upper = |both: v128| i32x4_shuffle::<2, 3, 2, 3>(both, both);
        // SAFETY: limb 8 is the last of the nine.
        let (a8, b8) = unsafe {
            (
                v128_load32_zero(first.as_ptr().add(8)),
                v128_load32_zero(second.as_ptr().add(8)),
            )
        };
        let last = i32x4_shuffle::<0, 4, 1, 5>(a8, b8);
        [
            ab,
            upper(ab),
            ab_high,
            upper(ab_high),
            cd,
            upper(cd),
            cd_high,
            upper(cd_high),
            last,
        ]
        .map(Self)
    }

    /// The same choice for all limbs of an element, for [`Two::add_signed`].
    #[inline(always)]
    pub fn signs(negative: [bool; 2]) -> Self {
        let low = u64::from(negative[0]) | (u64::from(negative[1]) << 32);
        Self(i32x4_neg(u64x2_splat(low)))
    }

    /// `self` + `other`, or `self` − `other` where `signs` is negative; the caller keeps the result in 0..2³².
    #[inline(always)]
    pub fn add_signed(self, other: Self, signs: Self) -> Self {
        Self(i32x4_add(
            self.0,
            i32x4_sub(v128_xor(other.0, signs.0), signs.0),
        ))
    }

    /// The limbs exchanged.
    #[inline(always)]
    pub fn swap(self) -> Self {
        Self(i32x4_shuffle::<1, 0, 1, 0>(self.0, self.0))
    }
}

impl Lane for Two {
    type Wide = v128;
    const WIDTH: usize = 2;

    #[inline(always)]
    fn splat(limb: u32) -> Self {
        Self(u32x4_splat(limb))
    }
    #[inline(always)]
    fn zero_wide() -> v128 {
        u64x2_splat(0)
    }
    #[inline(always)]
    fn splat_wide(sum: u64) -> v128 {
        u64x2_splat(sum)
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(i32x4_add(self.0, other.0))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(i32x4_sub(self.0, other.0))
    }
    #[inline(always)]
    fn and(self, mask: u32) -> Self {
        Self(v128_and(self.0, u32x4_splat(mask)))
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> Self {
        Self(u32x4_shr(self.0, BITS))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> v128 {
        u64x2_extmul_low_u32x4(self.0, other.0)
    }
    #[inline(always)]
    fn widen(self) -> v128 {
        u64x2_extend_low_u32x4(self.0)
    }
    #[inline(always)]
    fn add_wide(a: v128, b: v128) -> v128 {
        i64x2_add(a, b)
    }
    #[inline(always)]
    fn sub_wide(a: v128, b: v128) -> v128 {
        i64x2_sub(a, b)
    }
    #[inline(always)]
    fn shr_wide<const BITS: u32>(a: v128) -> v128 {
        u64x2_shr(a, BITS)
    }
    #[inline(always)]
    fn shl_wide<const BITS: u32>(a: v128) -> v128 {
        i64x2_shl(a, BITS)
    }
    #[inline(always)]
    fn opaque(self) -> Self {
        // The mean of x and x is x. LLVM knows the widening product only as "extend both, multiply"; where it sees
        // how an operand was made it moves the extension there and is left with the slow 64-bit product.
        Self(u8x16_avgr(self.0, self.0))
    }
    #[inline(always)]
    fn constant(limb: &'static u32) -> Self {
        // SAFETY: a shared reference may be read; volatile only keeps the value from being folded.
        Self::splat(unsafe { core::ptr::read_volatile(limb) }).opaque()
    }
    #[inline(always)]
    fn low_limb(a: v128) -> Self {
        let low = Self::low_wide(a);
        Self(i32x4_shuffle::<0, 2, 0, 2>(low, low))
    }
    #[inline(always)]
    fn low_wide(a: v128) -> v128 {
        v128_and(a, u64x2_splat(LIMB_MASK as u64))
    }
    #[inline(always)]
    fn negated_low_wide(a: v128) -> v128 {
        Self::low_wide(i64x2_neg(a))
    }
    #[inline(always)]
    fn narrow(a: v128) -> Self {
        Self(i32x4_shuffle::<0, 2, 0, 2>(a, a)).opaque()
    }
}
