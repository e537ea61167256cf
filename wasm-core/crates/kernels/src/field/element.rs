//! Montgomery arithmetic on field elements in registers: nine limbs of 29 bits, radix 2²⁶¹, lazy reduction.
//!
//! Two numbers describe an element in flight: the size of its limbs and the size of its value. *Tight* means limbs
//! below 2²⁹ and value below 2m; everything that is stored is tight. Products accept more (see [`Element::mul`]) and
//! give a tight result, so sums and differences between products need no reduction of their own.

use core::marker::PhantomData;

use crate::lanes::lane::Lane;

use crate::lanes::lane::One;
use crate::lanes::modulus::{LIMB_BITS, LIMB_MASK, LIMBS, Modulus};

/// Adds products of limbs to a column. Spelled out because a loop over computed indices is not unrolled.
macro_rules! column {
    ($L:ident, $column:expr, $($a:ident * $b:ident),+) => {{
        let mut sum = $column;
        $( sum = $L::add_wide(sum, $L::mul($a, $b)); )+
        $column = sum;
    }};
}

/// One row of the reduction: adds the multiple of the modulus that clears column `i`, and carries it on.
macro_rules! fold_row {
    ($L:ident, $m:ident, $t:ident, $i:literal) => {{
        let wide = $L::negated_low_wide($t[$i]);
        let digit = $L::narrow(wide);
        // t + digit has 29 zero bits, so its quotient by 2²⁹ is that of t rounded up.
        let rounded = $L::add_wide($t[$i], $L::splat_wide(LIMB_MASK as u64));
        let carry = $L::shr_wide::<LIMB_BITS>(rounded);
        let first = digit.mul($m[0]);
        $t[$i + 1] = $L::add_wide($L::add_wide($t[$i + 1], carry), first);
        $t[$i + 2] = $L::add_wide($t[$i + 2], digit.mul($m[1]));
        $t[$i + 3] = $L::add_wide($t[$i + 3], digit.mul($m[2]));
        $t[$i + 4] = $L::add_wide($t[$i + 4], digit.mul($m[3]));
        $t[$i + 8] = $L::add_wide($t[$i + 8], $L::shl_wide::<22>(wide));
    }};
}

/// One element (`L` = [`One`]) or two independent ones (`L` = [`crate::lanes::two::Two`]) of the field `M`.
#[derive(Copy, Clone, Debug)]
pub struct Element<M, L> {
    /// Limb j has weight 2^(29 j).
    pub limbs: [L; LIMBS],
    field: PhantomData<M>,
}

/// The sums of products that one Montgomery reduction turns into an element.
///
/// A column holds 2⁶⁴; a product of limbs of a and b bits adds 2^(a+b) to at most nine columns. After `terms`
/// products of tight elements (at most [`Products::MAX_TIGHT`]) the columns must be reduced or spread.
#[derive(Copy, Clone)]
pub struct Products<M, L: Lane> {
    columns: [L::Wide; 2 * LIMBS],
    field: PhantomData<M>,
}

/// Multiples of the modulus written so that no limb can borrow when a value is subtracted.
const fn borrow_proof(modulus: &[u32; LIMBS], multiple: u32, lent: u32) -> [u32; LIMBS] {
    // Limb j lends 2²⁹·lent to limb j−1 and gets as much from limb j+1.
    let mut out = [0u32; LIMBS];
    let mut carry = 0u64;
    let mut j = 0;
    while j < LIMBS {
        let sum = modulus[j] as u64 * multiple as u64 + carry;
        out[j] = if j == LIMBS - 1 {
            sum as u32
        } else {
            (sum as u32) & LIMB_MASK
        };
        carry = sum >> LIMB_BITS;
        j += 1;
    }
    let mut j = 0;
    while j < LIMBS {
        if j < LIMBS - 1 {
            out[j] += lent << LIMB_BITS;
        }
        if j > 0 {
            out[j] -= lent;
        }
        j += 1;
    }
    out
}

impl<M: Modulus, L: Lane> Element<M, L> {
    const FOUR_M: [u32; LIMBS] = borrow_proof(&M::LIMBS, 4, 1);
    const EIGHT_M: [u32; LIMBS] = borrow_proof(&M::LIMBS, 8, 2);
    /// Bias that keeps the low limbs of [`Element::tighten`] positive: 2⁴⁴ lent to each limb by the next.
    const LENT: u32 = 44;

    /// From limbs as they are.
    #[inline(always)]
    pub fn from_limbs(limbs: [L; LIMBS]) -> Self {
        Self {
            limbs,
            field: PhantomData,
        }
    }

    /// The same element in every lane.
    #[inline(always)]
    pub fn splat(limbs: &[u32; LIMBS]) -> Self {
        Self::from_limbs(core::array::from_fn(|j| L::splat(limbs[j])))
    }

    /// Zero.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::splat(&[0; LIMBS])
    }

    /// One in Montgomery form.
    #[inline(always)]
    pub fn one() -> Self {
        Self::splat(&M::R)
    }

    /// Sum without carry or reduction: limb and value sizes add.
    #[inline(always)]
    pub fn add(&self, other: &Self) -> Self {
        Self::from_limbs(core::array::from_fn(|j| self.limbs[j].add(other.limbs[j])))
    }

    /// `self` + 4m − `other` for a tight `other`: adds at most 1.5 · 2³⁰ to a limb and 4m to the value.
    #[inline(always)]
    pub fn sub(&self, other: &Self) -> Self {
        Self::from_limbs(core::array::from_fn(|j| {
            self.limbs[j]
                .add(L::splat(Self::FOUR_M[j]))
                .sub(other.limbs[j])
        }))
    }

    /// `self` + 8m − `other` for `other` a sum of two tight elements.
    #[inline(always)]
    pub fn sub_sum(&self, other: &Self) -> Self {
        Self::from_limbs(core::array::from_fn(|j| {
            self.limbs[j]
                .add(L::splat(Self::EIGHT_M[j]))
                .sub(other.limbs[j])
        }))
    }

    /// 4m − `self` for a tight `self`.
    #[inline(always)]
    pub fn neg(&self) -> Self {
        Self::zero().sub(self)
    }

    /// The same value with limbs below 2²⁹ (the top limb takes what is left). Limbs may be up to 2³² − 8.
    #[inline(always)]
    pub fn carry(&self) -> Self {
        let mut limbs = self.limbs.map(L::opaque);
        for j in 0..LIMBS - 1 {
            let over = limbs[j].shr::<LIMB_BITS>();
            limbs[j] = limbs[j].and(LIMB_MASK);
            limbs[j + 1] = limbs[j + 1].add(over);
        }
        Self::from_limbs(limbs)
    }

    /// The tight element of the same residue: value below 2m, limbs below 2²⁹. Limbs may be up to 2³² − 8.
    ///
    /// With v = h·2²⁵⁴ + r and m = 2²⁵⁴ + e: v − h·m + m = r + m − h·e, which lies in (0, 2m) while h·e < m.
    #[cfg_attr(target_family = "wasm", inline(always))]
    #[cfg_attr(not(target_family = "wasm"), inline(never))]
    pub fn tighten(&self) -> Self {
        let mut limbs = self.carry().limbs;
        let high = limbs[LIMBS - 1].shr::<22>();
        limbs[LIMBS - 1] = limbs[LIMBS - 1]
            .and((1 << 22) - 1)
            .add(L::splat(M::LIMBS[LIMBS - 1]));
        let mut carry = L::zero_wide();
        for (j, limb) in limbs.iter_mut().enumerate().take(5) {
            let lent = (1u64 << Self::LENT)
                - if j == 0 {
                    0
                } else {
                    1 << (Self::LENT - LIMB_BITS)
                };
            let start = L::splat_wide(u64::from(M::LIMBS[j]) + lent);
            let sum = L::add_wide(L::add_wide(limb.widen(), start), carry);
            let sum = L::sub_wide(sum, high.opaque().mul(L::constant(&M::LIMBS[j])));
            *limb = L::low_limb(sum);
            carry = L::shr_wide::<LIMB_BITS>(sum);
        }
        // Limb 5 pays back what was lent to limb 4; what is left of the carry is −1, 0 or 1.
        let sum = L::add_wide(limbs[5].widen(), carry);
        let sum = L::add_wide(
            sum,
            L::splat_wide((1 << LIMB_BITS) - (1 << (Self::LENT - LIMB_BITS))),
        );
        limbs[5] = L::low_limb(sum);
        let mut carry = L::shr_wide::<LIMB_BITS>(sum);
        for limb in limbs.iter_mut().take(LIMBS - 1).skip(6) {
            let sum = L::add_wide(
                L::add_wide(limb.widen(), carry),
                L::splat_wide(u64::from(LIMB_MASK)),
            );
            *limb = L::low_limb(sum);
            carry = L::shr_wide::<LIMB_BITS>(sum);
        }
        let top = L::add_wide(limbs[LIMBS - 1].widen(), carry);
        limbs[LIMBS - 1] = L::narrow(L::sub_wide(top, L::splat_wide(1)));
        Self::from_limbs(limbs)
    }

    /// Montgomery product, tight.
    ///
    /// Needs limbs below 2³¹, of a and b bits with a + b ≤ 60, and values with v·w ≤ 64 m²; the result is below 1.5 m.
    #[cfg_attr(target_family = "wasm", inline(always))]
    #[cfg_attr(not(target_family = "wasm"), inline(never))]
    pub fn mul(&self, other: &Self) -> Self {
        let mut products = Products::zero();
        products.add(self, other);
        products.reduce()
    }

    /// Montgomery square; limbs up to 2³⁰, value up to 8m.
    #[cfg_attr(target_family = "wasm", inline(always))]
    #[cfg_attr(not(target_family = "wasm"), inline(never))]
    pub fn square(&self) -> Self {
        self.square_products().reduce()
    }

    /// The unreduced square.
    #[inline(always)]
    pub(crate) fn square_products(&self) -> Products<M, L> {
        let [a0, a1, a2, a3, a4, a5, a6, a7, a8] = self.limbs.map(L::opaque);
        let d1 = a1.add(a1).opaque();
        let d2 = a2.add(a2).opaque();
        let d3 = a3.add(a3).opaque();
        let d4 = a4.add(a4).opaque();
        let d5 = a5.add(a5).opaque();
        let d6 = a6.add(a6).opaque();
        let d7 = a7.add(a7).opaque();
        let d8 = a8.add(a8).opaque();
        let mut columns = [L::zero_wide(); 2 * LIMBS];
        let t = &mut columns;
        column!(L, t[0], a0 * a0);
        column!(L, t[1], a0 * d1);
        column!(L, t[2], a0 * d2, a1 * a1);
        column!(L, t[3], a0 * d3, a1 * d2);
        column!(L, t[4], a0 * d4, a1 * d3, a2 * a2);
        column!(L, t[5], a0 * d5, a1 * d4, a2 * d3);
        column!(L, t[6], a0 * d6, a1 * d5, a2 * d4, a3 * a3);
        column!(L, t[7], a0 * d7, a1 * d6, a2 * d5, a3 * d4);
        column!(L, t[8], a0 * d8, a1 * d7, a2 * d6, a3 * d5, a4 * a4);
        column!(L, t[9], a1 * d8, a2 * d7, a3 * d6, a4 * d5);
        column!(L, t[10], a2 * d8, a3 * d7, a4 * d6, a5 * a5);
        column!(L, t[11], a3 * d8, a4 * d7, a5 * d6);
        column!(L, t[12], a4 * d8, a5 * d7, a6 * a6);
        column!(L, t[13], a5 * d8, a6 * d7);
        column!(L, t[14], a6 * d8, a7 * a7);
        column!(L, t[15], a7 * d8);
        column!(L, t[16], a8 * a8);
        Products {
            columns,
            field: PhantomData,
        }
    }

    /// `self` · 2²⁶¹⁻¹: leaves Montgomery form; tight but not canonical.
    #[cfg_attr(target_family = "wasm", inline(always))]
    #[cfg_attr(not(target_family = "wasm"), inline(never))]
    pub fn unmont(&self) -> Self {
        let mut products = Products::zero();
        for j in 0..LIMBS {
            products.columns[j] = self.limbs[j].widen();
        }
        products.reduce()
    }
}

/// The limbs in three blocks of three, as operands of products.
#[inline(always)]
fn blocks<M: Modulus, L: Lane>(a: &Element<M, L>) -> [[L; 3]; 3] {
    let [a0, a1, a2, a3, a4, a5, a6, a7, a8] = a.limbs.map(L::opaque);
    [[a0, a1, a2], [a3, a4, a5], [a6, a7, a8]]
}

/// The five columns of a product of three limbs by three.
#[inline(always)]
pub(crate) fn block_product<L: Lane>(a: &[L; 3], b: &[L; 3]) -> [L::Wide; 5] {
    let ([a0, a1, a2], [b0, b1, b2]) = (*a, *b);
    [
        a0.mul(b0),
        L::add_wide(a0.mul(b1), a1.mul(b0)),
        L::add_wide(L::add_wide(a0.mul(b2), a1.mul(b1)), a2.mul(b0)),
        L::add_wide(a1.mul(b2), a2.mul(b1)),
        a2.mul(b2),
    ]
}

/// The columns of a·b + c·d.
#[inline(always)]
fn both<L: Lane>(a: &[L; 3], b: &[L; 3], c: &[L; 3], d: &[L; 3]) -> [L::Wide; 5] {
    let (first, second) = (block_product::<L>(a, b), block_product::<L>(c, d));
    core::array::from_fn(|k| L::add_wide(first[k], second[k]))
}

/// Blocks i and j added limb by limb.
#[inline(always)]
fn block_sum<L: Lane>(x: &[[L; 3]; 3], i: usize, j: usize) -> [L; 3] {
    [
        x[i][0].add(x[j][0]),
        x[i][1].add(x[j][1]),
        x[i][2].add(x[j][2]),
    ]
}

impl<M: Modulus, L: Lane> Products<M, L> {
    /// Products of tight elements that fit beside the reduction's own terms.
    pub const MAX_TIGHT: usize = 6;

    /// No terms.
    #[inline(always)]
    pub fn zero() -> Self {
        Self {
            columns: [L::zero_wide(); 2 * LIMBS],
            field: PhantomData,
        }
    }

    /// Adds a·b, unreduced: three-way Karatsuba over blocks of three limbs, 54 products of limbs instead of 81.
    ///
    /// With a = a₀ + a₁X + a₂X²: aᵢbⱼ + aⱼbᵢ = (aᵢ + aⱼ)(bᵢ + bⱼ) − aᵢbᵢ − aⱼbⱼ. Sums of limbs stay below 2³² and
    /// differences of columns are those of sums that fit 64 bits, so wrapping on the way does no harm.
    #[cfg_attr(target_family = "wasm", inline(always))]
    #[cfg_attr(not(target_family = "wasm"), inline(never))]
    pub fn add(&mut self, a: &Element<M, L>, b: &Element<M, L>) {
        let (a, b) = (blocks(a), blocks(b));
        let sums = |x: &[[L; 3]; 3], i: usize, j: usize| -> [L; 3] {
            [
                x[i][0].add(x[j][0]),
                x[i][1].add(x[j][1]),
                x[i][2].add(x[j][2]),
            ]
        };
        let d0 = block_product::<L>(&a[0], &b[0]);
        let d1 = block_product::<L>(&a[1], &b[1]);
        let d2 = block_product::<L>(&a[2], &b[2]);
        let m01 = block_product::<L>(&sums(&a, 0, 1), &sums(&b, 0, 1));
        let m02 = block_product::<L>(&sums(&a, 0, 2), &sums(&b, 0, 2));
        let m12 = block_product::<L>(&sums(&a, 1, 2), &sums(&b, 1, 2));
        self.join(&[d0, d1, d2], &[m01, m02, m12]);
    }

    /// Adds a·b + c·d, unreduced: as two times [`Products::add`], with the blocks joined once.
    #[cfg_attr(target_family = "wasm", inline(always))]
    #[cfg_attr(not(target_family = "wasm"), inline(never))]
    pub fn add_two(&mut self, [a, b]: [&Element<M, L>; 2], [c, d]: [&Element<M, L>; 2]) {
        let (a, b, c, d) = (blocks(a), blocks(b), blocks(c), blocks(d));
        let own = |i: usize| both::<L>(&a[i], &b[i], &c[i], &d[i]);
        let mixed = |i: usize, j: usize| {
            both::<L>(
                &block_sum(&a, i, j),
                &block_sum(&b, i, j),
                &block_sum(&c, i, j),
                &block_sum(&d, i, j),
            )
        };
        self.join(
            &[own(0), own(1), own(2)],
            &[mixed(0, 1), mixed(0, 2), mixed(1, 2)],
        );
    }

    /// Adds sums of products by their blocks: `own` the sums of aᵢbᵢ for i = 0, 1, 2, `mixed` those of
    /// (aᵢ + aⱼ)(bᵢ + bⱼ) for (i, j) = (0, 1), (0, 2), (1, 2). Columns of blocks may have wrapped around.
    #[inline(always)]
    pub(crate) fn join(&mut self, own: &[[L::Wide; 5]; 3], mixed: &[[L::Wide; 5]; 3]) {
        let ([d0, d1, d2], [m01, m02, m12]) = (own, mixed);
        let t = &mut self.columns;
        for k in 0..5 {
            let d01 = L::add_wide(d0[k], d1[k]);
            t[k] = L::add_wide(t[k], d0[k]);
            t[k + 3] = L::add_wide(t[k + 3], L::sub_wide(m01[k], d01));
            let outer = L::sub_wide(L::add_wide(m02[k], d1[k]), L::add_wide(d0[k], d2[k]));
            t[k + 6] = L::add_wide(t[k + 6], outer);
            t[k + 9] = L::add_wide(t[k + 9], L::sub_wide(m12[k], L::add_wide(d1[k], d2[k])));
            t[k + 12] = L::add_wide(t[k + 12], d2[k]);
        }
    }

    /// Carries every column into the next, so that more terms fit: columns fall below 2²⁹ + 2³⁵.
    #[cfg_attr(target_family = "wasm", inline(always))]
    #[cfg_attr(not(target_family = "wasm"), inline(never))]
    pub fn spread(&mut self) {
        let mut carry = L::zero_wide();
        for column in &mut self.columns {
            let sum = L::add_wide(*column, carry);
            *column = L::low_wide(sum);
            carry = L::shr_wide::<LIMB_BITS>(sum);
        }
        // The top column has no higher one: it keeps everything.
        let top = &mut self.columns[2 * LIMBS - 1];
        *top = L::add_wide(*top, L::shl_wide::<LIMB_BITS>(carry));
    }

    /// The tight element congruent to the sum divided by 2²⁶¹. The sum must be below 64 m².
    #[cfg_attr(target_family = "wasm", inline(always))]
    #[cfg_attr(not(target_family = "wasm"), inline(never))]
    pub fn reduce(self) -> Element<M, L> {
        let columns = self.fold();
        let mut limbs = [L::splat(0); LIMBS];
        let mut carry = L::zero_wide();
        for j in 0..LIMBS {
            let sum = L::add_wide(columns[j], carry);
            limbs[j] = L::low_limb(sum);
            carry = L::shr_wide::<LIMB_BITS>(sum);
        }
        Element::from_limbs(limbs)
    }

    /// The columns of the sum divided by 2²⁶¹, not carried.
    #[inline(always)]
    pub(crate) fn fold(mut self) -> [L::Wide; LIMBS] {
        let m: [L; 4] = core::array::from_fn(|j| L::constant(&M::LIMBS[j + 1]));
        let t = &mut self.columns;
        fold_row!(L, m, t, 0);
        fold_row!(L, m, t, 1);
        fold_row!(L, m, t, 2);
        fold_row!(L, m, t, 3);
        fold_row!(L, m, t, 4);
        fold_row!(L, m, t, 5);
        fold_row!(L, m, t, 6);
        fold_row!(L, m, t, 7);
        fold_row!(L, m, t, 8);
        core::array::from_fn(|j| t[LIMBS + j])
    }
}

impl<M: Modulus> Element<M, One> {
    /// The limbs of the least non-negative residue, for a tight element.
    #[inline]
    pub fn canonical(&self) -> [u32; LIMBS] {
        let limbs: [u32; LIMBS] = core::array::from_fn(|j| self.limbs[j].0 as u32);
        let mut less = [0u32; LIMBS];
        let mut borrow = 0i64;
        for j in 0..LIMBS {
            let difference = i64::from(limbs[j]) - i64::from(M::LIMBS[j]) + borrow;
            less[j] = (difference as u32) & LIMB_MASK;
            borrow = difference >> LIMB_BITS;
        }
        if borrow < 0 { limbs } else { less }
    }
}
