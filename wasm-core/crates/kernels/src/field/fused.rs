//! Fused multiply-add of field elements: products with a sum taken into their reduction, so that one carry chain does
//! for both.

use crate::field::element::Element;

use crate::field::element::Products;
use crate::lanes::lane::Lane;
use crate::lanes::modulus::{LIMB_BITS, LIMB_MASK, LIMBS, Modulus};

/// More than the carries of the lower columns add to the top limb: a column of six products is below 2⁶², so the one above
/// gets less than 2³³ of it and passes on less than 2⁴ + 1.
const LATE_CARRY: u64 = 32;

/// What each of the five low limbs borrows from the next, so that none of them becomes negative.
const LENT: u32 = 44;

impl<M: Modulus, L: Lane> Element<M, L> {
    /// The tight element congruent to `self`·`other` + `addend`. The product is bounded as in [`Element::mul`]; the
    /// addend may have limbs below 2³² and a value below 32 m.
    #[inline(always)]
    pub fn mul_add(&self, other: &Self, addend: &Self) -> Self {
        let mut products = Products::zero();
        products.add(self, other);
        products.reduce_with(addend)
    }

    /// The tight element congruent to `self`² + `addend`, with the bounds of [`Element::square`] and
    /// [`Element::mul_add`].
    #[inline(always)]
    pub fn square_add(&self, addend: &Self) -> Self {
        self.square_products().reduce_with(addend)
    }
}

impl<M: Modulus, L: Lane> Products<M, L> {
    /// The tight element congruent to the sum divided by 2²⁶¹, plus `addend`.
    ///
    /// The sum is bounded as in [`Products::reduce`]; the addend may have limbs below 2³² and a value below 2¹⁰ m.
    /// As in [`Element::tighten`]: with v = h·2²⁵⁴ + r the result is r + m − h·(m − 2²⁵⁴). Here h is read off
    /// before the carries of the lower columns arrive, and taken as if they added [`LATE_CARRY`] to the top limb: so r
    /// may be negative by 2²³⁷, which the m makes up for, but never reaches 2²⁵⁴.
    #[inline(always)]
    pub(crate) fn reduce_with(self, addend: &Element<M, L>) -> Element<M, L> {
        let columns = self.fold();
        let mut sums: [L::Wide; LIMBS] =
            core::array::from_fn(|j| L::add_wide(columns[j], addend.limbs[j].widen()));
        // The product has nothing in the top column yet: it is all in the one before.
        let over = L::shr_wide::<LIMB_BITS>(sums[LIMBS - 2]);
        sums[LIMBS - 2] = L::sub_wide(sums[LIMBS - 2], L::shl_wide::<LIMB_BITS>(over));
        let top = L::add_wide(sums[LIMBS - 1], over);
        let multiple = L::shr_wide::<22>(L::add_wide(top, L::splat_wide(LATE_CARRY)));
        sums[LIMBS - 1] = L::sub_wide(top, L::shl_wide::<22>(multiple));
        let high = L::narrow(multiple);
        let mut limbs = [L::splat(0); LIMBS];
        let mut carry = L::zero_wide();
        for j in 0..LIMBS {
            // The modulus, what is borrowed from the next limb, and what the one before has borrowed.
            let constant = match j {
                0 => u64::from(M::LIMBS[0]) + (1 << LENT),
                1..5 => u64::from(M::LIMBS[j]) + (1 << LENT) - (1 << (LENT - LIMB_BITS)),
                5 => (1 << LIMB_BITS) - (1 << (LENT - LIMB_BITS)),
                8 => u64::from(M::LIMBS[8]) - 1,
                _ => u64::from(LIMB_MASK),
            };
            let mut sum = L::add_wide(L::add_wide(sums[j], L::splat_wide(constant)), carry);
            if j < 5 {
                sum = L::sub_wide(sum, high.mul(L::constant(&M::LIMBS[j])));
            }
            limbs[j] = L::low_limb(sum);
            carry = L::shr_wide::<LIMB_BITS>(sum);
        }
        Element::from_limbs(limbs)
    }
}
