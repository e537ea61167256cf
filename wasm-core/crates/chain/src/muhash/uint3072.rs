//! Modular arithmetic of MuHash: integers modulo 2^3072 - 1103717, for [`crate::muhash`] only.

/// Bytes of a value.
pub(crate) const LEN: usize = 384;
const LIMBS: usize = LEN / 8;
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

    /// Schoolbook multiplication: 2,304 limb products.
    fn wide_product(&self, other: &Self) -> [u64; 2 * LIMBS] {
        let mut product = [0; 2 * LIMBS];
        for (offset, left) in self.0.iter().enumerate() {
            let mut carry = 0_u128;
            let mut places = product.iter_mut().skip(offset);
            for (right, place) in other.0.iter().zip(places.by_ref()) {
                // (2^64 - 1)^2 + 2 · (2^64 - 1) is the largest 128-bit number: no overflow.
                carry += u128::from(*left) * u128::from(*right);
                carry += u128::from(*place);
                *place = carry as u64;
                carry >>= 64;
            }
            if let Some(above) = places.next() {
                *above = carry as u64;
            }
        }
        product
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
