//! Constant factors of expressions: field elements that can be compared and ordered.

use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::PallasBase;
use svc_kernels::program::MAX_FACTOR;

/// A field value by its canonical little-endian bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Factor([u8; 32]);

impl Factor {
    /// From a field value.
    pub fn new(value: &Single<PallasBase>) -> Self {
        Self(value.to_bytes())
    }

    /// From canonical bytes; none for others.
    pub fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        Single::<PallasBase>::from_bytes(bytes).map(|_| Self(*bytes))
    }

    /// From a small number.
    pub fn small(value: i64) -> Self {
        let size = Single::from_u64(value.unsigned_abs());
        Self::new(&if value < 0 { size.neg() } else { size })
    }

    /// The field value.
    pub fn value(&self) -> Single<PallasBase> {
        Single::from_bytes(&self.0).unwrap_or(Single::ZERO)
    }

    /// Sum.
    pub fn add(&self, other: &Self) -> Self {
        Self::new(&self.value().add(&other.value()))
    }

    /// Product.
    pub fn mul(&self, other: &Self) -> Self {
        Self::new(&self.value().mul(&other.value()))
    }

    /// Negation.
    pub fn neg(&self) -> Self {
        Self::new(&self.value().neg())
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0 == [0; 32]
    }

    /// The number itself if it, or its negation, is small enough to multiply limbs with.
    pub fn as_small(&self) -> Option<i32> {
        let number = |bytes: &[u8; 32]| {
            let (low, high) = bytes.split_at(4);
            let mut word = [0u8; 4];
            word.copy_from_slice(low);
            let value = u32::from_le_bytes(word);
            (high.iter().all(|byte| *byte == 0) && value <= MAX_FACTOR).then_some(value as i32)
        };
        number(&self.0).or_else(|| number(&self.neg().0).map(|value| -value))
    }

    /// Whether the negation is the smaller number.
    pub fn is_negative(&self) -> bool {
        let reversed = |factor: &Self| factor.0.iter().rev().copied().collect::<Vec<u8>>();
        reversed(&self.neg()) < reversed(self)
    }
}
