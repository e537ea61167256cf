//! Modular arithmetic of MuHash: integers modulo 2^3072 - 1103717, for [`crate::muhash`] only.

/// Bytes of a value.
pub(crate) const LEN: usize = 384;
const LIMBS: usize = LEN / 8;
/// Bits of a short limb: 110 products of two of them add up within 64 bits.
const SHORT_BITS: usize = 28;
const SHORT_MASK: u64 = (1 << SHORT_BITS) - 1;
const SHORT_LIMBS: usize = (8 * LEN).div_ceil(SHORT_BITS);
/// 2^3072 minus the modulus.
const DEFICIT: u64 = 1_103_717;

/// A number below 2^3072, limbs little endian; reduced after every multiplication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Uint3072([u64; LIMBS]);

impl Uint3072 {
    pub(crate) const ONE: Self = {
        let mut limbs = [0; LIMBS];
        limbs[0] = 1;
        Self(limbs)
    };

    pub(crate) fn from_bytes(bytes: &[u8; LEN]) -> Self {
        let mut limbs = [0; LIMBS];
        for (limb, chunk) in limbs.iter_mut().zip(bytes.as_chunks().0) {
            *limb = u64::from_le_bytes(*chunk);
        }
        Self(limbs)
    }

    pub(crate) fn to_bytes(&self) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        for (chunk, limb) in bytes.as_chunks_mut().0.iter_mut().zip(&self.0) {
            *chunk = limb.to_le_bytes();
        }
        bytes
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.iter().all(|limb| *limb == 0)
    }

    /// Whether the value is below the modulus.
    pub(crate) fn is_reduced(&self) -> bool {
        let [lowest, others @ ..] = &self.0;
        *lowest < DEFICIT.wrapping_neg() || others.iter().any(|limb| *limb != u64::MAX)
    }

    /// The value modulo the modulus; one subtraction is enough, as 2^3072 is below its double.
    pub(crate) fn reduced(mut self) -> Self {
        if !self.is_reduced() {
            self.add_small(u128::from(DEFICIT));
        }
        self
    }

    /// The product modulo the modulus.
    pub(crate) fn multiply(&self, other: &Self) -> Self {
        let product = self.wide_product(other);
        // 2^3072 ≡ DEFICIT, so the high half folds onto the low one.
        let mut low = [0; LIMBS];
        let mut carry = 0_u128;
        let halves = product.split_at(LIMBS);
        for (limb, (lower, upper)) in low.iter_mut().zip(halves.0.iter().zip(halves.1)) {
            carry += u128::from(*lower);
            carry += u128::from(*upper) * u128::from(DEFICIT);
            *limb = carry as u64;
            carry >>= 64;
        }
        // The carry is at most DEFICIT; folding it may carry once more, by 1.
        let mut result = Self(low);
        while carry > 0 {
            carry = u128::from(result.add_small(carry * u128::from(DEFICIT)));
        }
        result.reduced()
    }

    /// Schoolbook multiplication by columns of short limbs. A column holds at most 110 products of 56 bits, which fit 64 bits
    /// together, so nothing is carried between them. That suits WebAssembly, which has no 128-bit products.
    fn wide_product(&self, other: &Self) -> [u64; 2 * LIMBS] {
        let left = self.short_limbs();
        let mut turned = other.short_limbs();
        turned.reverse();
        let mut product = [0; 2 * LIMBS];
        let mut carry = 0_u64;
        for column in 0..2 * SHORT_LIMBS {
            let from = (column + 1).saturating_sub(SHORT_LIMBS);
            let to = SHORT_LIMBS.min(column + 1);
            let shift = (SHORT_LIMBS - 1).saturating_sub(column);
            let left = left.get(from..to).unwrap_or_default();
            let right = turned.get(shift..).unwrap_or_default();
            // The carry is below 2^35, so the sum stays below 2^63.
            let sum = carry + dot(left, right);
            add_bits(&mut product, column * SHORT_BITS, sum & SHORT_MASK);
            carry = sum >> SHORT_BITS;
        }
        product
    }

    /// The number in limbs of 28 bits.
    fn short_limbs(&self) -> [u32; SHORT_LIMBS] {
        let mut limbs = [0; SHORT_LIMBS];
        for (place, limb) in limbs.iter_mut().enumerate() {
            let (word, offset) = (place * SHORT_BITS / 64, place * SHORT_BITS % 64);
            let low = self.0.get(word).copied().unwrap_or(0);
            let high = self.0.get(word + 1).copied().unwrap_or(0);
            let both = u128::from(low) | (u128::from(high) << 64);
            *limb = ((both >> offset) as u64 & SHORT_MASK) as u32;
        }
        limbs
    }

    /// Adds a number below 2^65 and returns the carry out of 3072 bits.
    fn add_small(&mut self, addend: u128) -> u64 {
        let mut carry = addend;
        for limb in &mut self.0 {
            if carry == 0 {
                break;
            }
            carry += u128::from(*limb);
            *limb = carry as u64;
            carry >>= 64;
        }
        carry as u64
    }
}

/// Sum of the products of two rows of at most 110 short limbs, the longer one cut. Eight sums side by side, so that a compiler
/// uses the lanes there are. None overflows (see `wide_product`), and to check that would cost the lanes.
fn dot(left: &[u32], right: &[u32]) -> u64 {
    let product = |a: &u32, b: &u32| u64::from(*a).wrapping_mul(u64::from(*b));
    let (eights, rest) = left.as_chunks::<8>();
    let mut sums = [0_u64; 8];
    for (a, b) in eights.iter().zip(right.as_chunks::<8>().0) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum = sum.wrapping_add(product(a, b));
        }
    }
    let tail = right.get(left.len() - rest.len()..).unwrap_or_default();
    let last = rest.iter().zip(tail).map(|(a, b)| product(a, b));
    sums.into_iter().chain(last).fold(0, u64::wrapping_add)
}

/// Puts a short limb at a bit where nothing stands yet.
fn add_bits(words: &mut [u64; 2 * LIMBS], bit: usize, limb: u64) {
    let (word, offset) = (bit / 64, bit % 64);
    let wide = u128::from(limb) << offset;
    if let Some(place) = words.get_mut(word) {
        *place |= wide as u64;
    }
    if let Some(place) = words.get_mut(word + 1) {
        *place |= (wide >> 64) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The greatest value below the modulus, which is -1.
    fn minus_one() -> Uint3072 {
        let mut limbs = [u64::MAX; LIMBS];
        limbs[0] = DEFICIT.wrapping_neg() - 1;
        Uint3072(limbs)
    }

    #[test]
    fn the_longest_factors_give_what_algebra_says() {
        assert_eq!(minus_one().multiply(&minus_one()), Uint3072::ONE);
        assert_eq!(minus_one().multiply(&Uint3072::ONE), minus_one());
        // A factor above the modulus stands for the number below it: 2^3072 - 1 is DEFICIT - 1.
        let longest = Uint3072([u64::MAX; LIMBS]);
        let mut expected = [0; LIMBS];
        expected[0] = (DEFICIT - 1) * (DEFICIT - 1);
        assert_eq!(longest.multiply(&longest), Uint3072(expected));
    }
}
