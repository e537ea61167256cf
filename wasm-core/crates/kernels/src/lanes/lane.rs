//! Lane abstraction over registers that hold a limb of one value, or of two (SIMD).
//!
//! [`One`] holds a limb of one element, [`Two`](crate::lanes::two::Two) the same limb of two independent elements.
//! Every kernel is written once over [`Lane`]; the WebAssembly build maps `Two` to plain SIMD128, every other build
//! to a pair of words.

/// A limb (at most 32 bits) of one or two elements, and the 64-bit sums made of products of limbs.
pub trait Lane: Copy + Send + Sync + 'static {
    /// 64-bit accumulators, one per element.
    type Wide: Copy;
    /// Elements side by side.
    const WIDTH: usize;

    /// The same limb for every element.
    fn splat(limb: u32) -> Self;
    /// Zero accumulators.
    fn zero_wide() -> Self::Wide;
    /// The same 64-bit sum for every element.
    fn splat_wide(sum: u64) -> Self::Wide;
    /// 32-bit sum without carry: the caller keeps limbs below 2³².
    fn add(self, other: Self) -> Self;
    /// 32-bit difference: the caller keeps every limb of `self` at least that of `other`.
    fn sub(self, other: Self) -> Self;
    /// `self` & mask.
    fn and(self, mask: u32) -> Self;
    /// Logical shift right of each limb.
    fn shr<const BITS: u32>(self) -> Self;
    /// The 64-bit product of two limbs.
    fn mul(self, other: Self) -> Self::Wide;
    /// The limb as a 64-bit sum.
    fn widen(self) -> Self::Wide;
    /// Sum of accumulators.
    fn add_wide(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Difference of accumulators; the caller keeps `a` at least `b`.
    fn sub_wide(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Logical shift right of each accumulator.
    fn shr_wide<const BITS: u32>(a: Self::Wide) -> Self::Wide;
    /// Shift left of each accumulator.
    fn shl_wide<const BITS: u32>(a: Self::Wide) -> Self::Wide;
    /// The same limb, in a form that the compiler cannot take apart: operands of many products go through it once.
    fn opaque(self) -> Self;
    /// A constant limb as an operand of products; opaque, too.
    fn constant(limb: &'static u32) -> Self;
    /// The low 29 bits of each accumulator as a limb.
    fn low_limb(a: Self::Wide) -> Self;
    /// The low 29 bits of each accumulator, as an accumulator.
    fn low_wide(a: Self::Wide) -> Self::Wide;
    /// The low 29 bits of the negated accumulator: the quotient digit of a row.
    fn negated_low_wide(a: Self::Wide) -> Self::Wide;
    /// [`Lane::negated_low_wide`] as a limb.
    fn negated_low_limb(a: Self::Wide) -> Self {
        Self::narrow(Self::negated_low_wide(a))
    }
    /// The low 32 bits of each accumulator as a limb.
    fn narrow(a: Self::Wide) -> Self;
}

/// One element: a limb in a 64-bit word.
#[derive(Copy, Clone, Debug)]
pub struct One(pub u64);

const MASK: u64 = super::modulus::LIMB_MASK as u64;

impl Lane for One {
    type Wide = u64;
    const WIDTH: usize = 1;

    #[inline(always)]
    fn splat(limb: u32) -> Self {
        Self(u64::from(limb))
    }
    #[inline(always)]
    fn zero_wide() -> u64 {
        0
    }
    #[inline(always)]
    fn splat_wide(sum: u64) -> u64 {
        sum
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
    #[inline(always)]
    fn and(self, mask: u32) -> Self {
        Self(self.0 & u64::from(mask))
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> Self {
        Self(self.0 >> BITS)
    }
    #[inline(always)]
    fn mul(self, other: Self) -> u64 {
        self.0.wrapping_mul(other.0)
    }
    #[inline(always)]
    fn widen(self) -> u64 {
        self.0
    }
    #[inline(always)]
    fn add_wide(a: u64, b: u64) -> u64 {
        a.wrapping_add(b)
    }
    #[inline(always)]
    fn sub_wide(a: u64, b: u64) -> u64 {
        a.wrapping_sub(b)
    }
    #[inline(always)]
    fn shr_wide<const BITS: u32>(a: u64) -> u64 {
        a >> BITS
    }
    #[inline(always)]
    fn shl_wide<const BITS: u32>(a: u64) -> u64 {
        a << BITS
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
    fn low_limb(a: u64) -> Self {
        Self(a & MASK)
    }
    #[inline(always)]
    fn low_wide(a: u64) -> u64 {
        a & MASK
    }
    #[inline(always)]
    fn negated_low_wide(a: u64) -> u64 {
        a.wrapping_neg() & MASK
    }
    #[inline(always)]
    fn narrow(a: u64) -> Self {
        Self(a & 0xffff_ffff)
    }
}
