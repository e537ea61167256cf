//! Storage types of field elements in memory: [`Pair`] for the kernels, [`Single`] for everything else. Both hold
//! tight elements.

use core::marker::PhantomData;

use crate::field::element::Element;
use crate::lanes::lane::One;
use crate::lanes::modulus::{LIMB_BITS, LIMB_MASK, LIMBS, Modulus};
use crate::lanes::two::Two;

/// Two elements of the same field, 72 bytes: word j holds limb j of element 0 (low half) and of element 1.
#[derive(Copy, Clone, Debug)]
#[repr(transparent)]
pub struct Pair<M> {
    words: [u64; LIMBS],
    field: PhantomData<M>,
}

/// One element, 36 bytes, in Montgomery form.
#[derive(Copy, Clone, Debug)]
#[repr(transparent)]
pub struct Single<M> {
    limbs: [u32; LIMBS],
    field: PhantomData<M>,
}

impl<M: Modulus> Pair<M> {
    /// Zero, zero.
    pub const ZERO: Self = Self {
        words: [0; LIMBS],
        field: PhantomData,
    };

    /// Both elements.
    #[inline(always)]
    pub fn new(first: &Single<M>, second: &Single<M>) -> Self {
        let words = core::array::from_fn(|j| {
            u64::from(first.limbs[j]) | (u64::from(second.limbs[j]) << 32)
        });
        Self {
            words,
            field: PhantomData,
        }
    }

    /// Into registers.
    #[inline(always)]
    pub fn load(&self) -> Element<M, Two> {
        Element::from_limbs(core::array::from_fn(|j| Two::load(&self.words[j])))
    }

    /// From registers; the element must be tight.
    #[inline(always)]
    pub fn store(&mut self, element: &Element<M, Two>) {
        for j in 0..LIMBS {
            element.limbs[j].store(&mut self.words[j]);
        }
    }

    /// From registers; the element must be tight.
    #[inline(always)]
    pub fn from_element(element: &Element<M, Two>) -> Self {
        let mut out = Self::ZERO;
        out.store(element);
        out
    }

    /// Word j holds limb j of element 0 in its low half, of element 1 in its high half.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[u64; LIMBS] {
        &self.words
    }

    /// From words as [`Pair::words`] gives them.
    #[inline(always)]
    pub(crate) fn from_words(words: [u64; LIMBS]) -> Self {
        Self {
            words,
            field: PhantomData,
        }
    }

    /// Element 0 or 1.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> Single<M> {
        let shift = 32 * (lane & 1);
        Single {
            limbs: core::array::from_fn(|j| (self.words[j] >> shift) as u32),
            field: PhantomData,
        }
    }

    /// False only if neither element is zero: a cheap test before the exact one.
    #[inline(always)]
    pub fn may_be_zero(&self) -> bool {
        // Zero has two tight forms, 0 and m; both have limbs 5 to 7 zero, which other elements rarely have.
        let middle = self.words[5] | self.words[6] | self.words[7];
        middle as u32 == 0 || middle >> 32 == 0
    }

    /// Replaces element 0 or 1.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, value: &Single<M>) {
        let shift = 32 * (lane & 1);
        for j in 0..LIMBS {
            self.words[j] =
                (self.words[j] & !(0xffff_ffff << shift)) | (u64::from(value.limbs[j]) << shift);
        }
    }
}

impl<M: Modulus> Single<M> {
    /// Zero.
    pub const ZERO: Self = Self {
        limbs: [0; LIMBS],
        field: PhantomData,
    };
    /// One.
    pub const ONE: Self = Self {
        limbs: M::R,
        field: PhantomData,
    };

    /// From limbs in Montgomery form; they must be tight.
    #[inline(always)]
    pub const fn from_limbs(limbs: [u32; LIMBS]) -> Self {
        Self {
            limbs,
            field: PhantomData,
        }
    }

    /// The limbs, in Montgomery form.
    #[inline(always)]
    pub fn limbs(&self) -> &[u32; LIMBS] {
        &self.limbs
    }

    /// Into registers.
    #[inline(always)]
    pub fn load(&self) -> Element<M, One> {
        Element::from_limbs(core::array::from_fn(|j| One(u64::from(self.limbs[j]))))
    }

    /// From registers; the element must be tight.
    #[inline(always)]
    pub fn from_element(element: &Element<M, One>) -> Self {
        Self {
            limbs: core::array::from_fn(|j| element.limbs[j].0 as u32),
            field: PhantomData,
        }
    }

    /// From an integer below 2²⁵⁶ in four little-endian words, reduced.
    pub fn from_words(words: &[u64; 4]) -> Self {
        let plain = Element::<M, One>::from_limbs(core::array::from_fn(|j| {
            let bit = LIMB_BITS as usize * j;
            let (word, shift) = (bit / 64, bit % 64);
            let mut value = words[word] >> shift;
            if shift > 64 - LIMB_BITS as usize && word < 3 {
                value |= words[word + 1] << (64 - shift);
            }
            One(value & u64::from(LIMB_MASK))
        }));
        Self::from_element(&plain.mul(&Element::splat(&M::R2)))
    }

    /// From 32 little-endian bytes; none unless the integer is below the modulus.
    pub fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        let words = words_of(bytes);
        let mut borrow = false;
        for (word, limit) in words.iter().zip(&M::WORDS) {
            let (less, under) = word.overflowing_sub(*limit);
            borrow = under || less.overflowing_sub(u64::from(borrow)).1;
        }
        borrow.then(|| Self::from_words(&words))
    }

    /// From a small integer.
    pub fn from_u64(value: u64) -> Self {
        Self::from_words(&[value, 0, 0, 0])
    }

    /// The least non-negative residue in limbs, out of Montgomery form.
    pub fn to_limbs(&self) -> [u32; LIMBS] {
        self.load().unmont().canonical()
    }

    /// The least non-negative residue in four little-endian words.
    pub fn to_words(&self) -> [u64; 4] {
        let limbs = self.to_limbs();
        let mut words = [0u64; 4];
        for (j, limb) in limbs.iter().enumerate() {
            let bit = LIMB_BITS as usize * j;
            let (word, shift) = (bit / 64, bit % 64);
            words[word] |= u64::from(*limb) << shift;
            if shift > 64 - LIMB_BITS as usize && word < 3 {
                words[word + 1] |= u64::from(*limb) >> (64 - shift);
            }
        }
        words
    }

    /// The least non-negative residue in 32 little-endian bytes.
    pub fn to_bytes(&self) -> [u8; 32] {
        let mut bytes = [0u8; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(self.to_words()) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Whether the residue is zero.
    pub fn is_zero(&self) -> bool {
        self.load().canonical() == [0; LIMBS]
    }

    /// Sum.
    #[inline(never)]
    pub fn add(&self, other: &Self) -> Self {
        Self::from_element(&self.load().add(&other.load()).tighten())
    }

    /// Difference.
    #[inline(never)]
    pub fn sub(&self, other: &Self) -> Self {
        Self::from_element(&self.load().sub(&other.load()).tighten())
    }

    /// Negation.
    #[inline]
    pub fn neg(&self) -> Self {
        Self::ZERO.sub(self)
    }

    /// Product.
    #[inline(never)]
    pub fn mul(&self, other: &Self) -> Self {
        Self::from_element(&self.load().mul(&other.load()))
    }

    /// Square.
    #[inline(never)]
    pub fn square(&self) -> Self {
        Self::from_element(&self.load().square())
    }

    /// Power by a public exponent of four little-endian words.
    pub fn pow(&self, exponent: &[u64; 4]) -> Self {
        let base = self.load();
        let mut result = Element::<M, One>::one();
        for word in exponent.iter().rev() {
            for bit in (0..64).rev() {
                result = result.square();
                if (word >> bit) & 1 == 1 {
                    result = result.mul(&base);
                }
            }
        }
        Self::from_element(&result)
    }

    /// Inverse; zero for zero. Variable time.
    pub fn invert(&self) -> Self {
        crate::field::inverse::invert(self)
    }
}

impl<M: Modulus> PartialEq for Single<M> {
    /// Equality of residues.
    fn eq(&self, other: &Self) -> bool {
        self.load().canonical() == other.load().canonical()
    }
}

impl<M: Modulus> Eq for Single<M> {}

fn words_of(bytes: &[u8; 32]) -> [u64; 4] {
    let mut words = [0u64; 4];
    for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        let mut eight = [0u8; 8];
        eight.copy_from_slice(chunk);
        *word = u64::from_le_bytes(eight);
    }
    words
}
