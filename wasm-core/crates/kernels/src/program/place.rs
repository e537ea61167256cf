//! Operand addressing of a running program, and the multiples of the modulus that its sums begin with.

#![allow(unsafe_code)]

use crate::field::element::Element;
use crate::field::stored::Pair;
use crate::lanes::modulus::{LIMB_BITS, LIMB_MASK, LIMBS, Modulus, PallasBase};
use crate::lanes::two::Two;
use crate::program::{Operand, Sum};

type Cell = Pair<PallasBase>;
type Register = Element<PallasBase, Two>;

/// Location of an operand: `step` is 1 for columns and 0 for one value for all rows.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) start: *const Cell,
    pub(crate) step: usize,
}

impl Place {
    /// The value on row `row` of the block.
    ///
    /// # Safety
    /// The place must be of the running frame or scratch, and `row` below the length of the block.
    #[inline(always)]
    pub(crate) unsafe fn load(self, row: usize) -> Register {
        // SAFETY: `start` points to `step`·length values at least (one if `step` is zero), as the caller promises.
        unsafe { (*self.start.add(row * self.step)).load() }
    }

    /// Whether both are the same value.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.start == other.start && self.step == other.step
    }

    /// The stored words of the value on row `row` of the block.
    ///
    /// # Safety
    /// As for [`Place::load`].
    #[inline(always)]
    pub(crate) unsafe fn words(self, row: usize) -> [u64; LIMBS] {
        // SAFETY: as for `load`.
        unsafe { *(*self.start.add(row * self.step)).words() }
    }
}

/// The places of all operands of one run.
pub(crate) struct Places {
    pub(crate) readable: Vec<Place>,
    pub(crate) writable: Vec<*mut Cell>,
    pub(crate) first_writable: usize,
    pub(crate) length: usize,
}

impl Places {
    pub(crate) fn read(&self, operand: Operand) -> Place {
        self.readable[usize::from(operand)]
    }

    pub(crate) fn write(&self, operand: Operand) -> *mut Cell {
        self.writable[usize::from(operand) - self.first_writable]
    }
}

/// The multiple of the modulus that a sum begins with, so that nothing is borrowed when its values are subtracted.
pub(crate) fn lift(sum: &Sum) -> [u64; LIMBS] {
    let lent = if sum.subtracted.is_empty() {
        0
    } else {
        sum.subtracted.len() as u64 + 1
    };
    wide_lift(u32::from(sum.lift), lent)
}

/// `multiple`·m with 2²⁹·`lent` lent to every limb by the next one. What is subtracted has limbs below 2²⁹ + 8, so one
/// more is lent than limbs are subtracted.
pub(crate) fn wide_lift(multiple: u32, lent: u64) -> [u64; LIMBS] {
    let mut carry = 0u64;
    core::array::from_fn(|j| {
        let sum = u64::from(PallasBase::LIMBS[j]) * u64::from(multiple) + carry;
        carry = sum >> LIMB_BITS;
        let borrowed = if j > 0 { lent } else { 0 };
        if j < LIMBS - 1 {
            (sum & u64::from(LIMB_MASK)) + (lent << LIMB_BITS) - borrowed
        } else {
            sum.wrapping_sub(borrowed)
        }
    })
}
