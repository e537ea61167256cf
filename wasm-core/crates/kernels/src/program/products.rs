//! Multiplication instructions of a program: products, and sums of products, over a block of rows.

#![allow(unsafe_code)]

use crate::field::element::Element;

use crate::field::element::Products;
use crate::field::stored::Pair;
use crate::lanes::lane::Lane;
use crate::lanes::modulus::{LIMBS, PallasBase};
use crate::lanes::two::Two;
use crate::program::place::{Place, Places, lift};
use crate::program::{Operand, Sum};

type Cell = Pair<PallasBase>;
type Register = Element<PallasBase, Two>;

/// Products that are added up before their columns must be spread.
const TERMS_PER_SPREAD: usize = Products::<PallasBase, Two>::MAX_TIGHT;
/// Bytes between two touches of memory.
const LINE_BYTES: usize = 64;

/// # Safety
/// All places and `target` must be of the running frame or scratch and hold `length` values.
#[inline(never)]
pub(crate) unsafe fn product(a: Place, b: Place, target: *mut Cell, length: usize) {
    for row in 0..length {
        // SAFETY: `row` is below the length all places have.
        unsafe {
            let value = a.load(row).mul(&b.load(row));
            (*target.add(row)).store(&value);
        }
    }
}

/// # Safety
/// All places and `target` must be of the running frame or scratch and hold `length` values.
#[inline(never)]
pub(crate) unsafe fn square(a: Place, target: *mut Cell, length: usize) {
    for row in 0..length {
        // SAFETY: `row` is below the length all places have.
        unsafe {
            let value = a.load(row).square();
            (*target.add(row)).store(&value);
        }
    }
}

/// # Safety
/// All places and `target` must be of the running frame or scratch and hold `length` values.
#[inline(never)]
pub(crate) unsafe fn product_sum(
    a: Place,
    b: Place,
    addend: &Addend,
    target: *mut Cell,
    length: usize,
) {
    for row in 0..length {
        // SAFETY: `row` is below the length all places have.
        unsafe {
            let value = a.load(row).mul_add(&b.load(row), &addend.load(row));
            (*target.add(row)).store(&value);
        }
    }
}

/// # Safety
/// All places and `target` must be of the running frame or scratch and hold `length` values.
#[inline(never)]
pub(crate) unsafe fn products(terms: &[(Place, Place)], target: *mut Cell, length: usize) {
    // SAFETY: as promised by the caller; `row` is below the length all places have.
    unsafe {
        touch_all(terms, length);
        for row in 0..length {
            // Read before the target is borrowed: it may be among the terms.
            let value = sum_of_products(terms, row).reduce();
            (*target.add(row)).store(&value);
        }
    }
}

/// # Safety
/// All places and `target` must be of the running frame or scratch and hold `length` values.
#[inline(never)]
pub(crate) unsafe fn products_sum(
    terms: &[(Place, Place)],
    addend: &Addend,
    target: *mut Cell,
    length: usize,
) {
    // SAFETY: as promised by the caller; `row` is below the length all places have.
    unsafe {
        touch_all(terms, length);
        for row in 0..length {
            let value = sum_of_products(terms, row).reduce_with(&addend.load(row));
            (*target.add(row)).store(&value);
        }
    }
}

/// # Safety
/// As for [`Place::load`].
#[inline(always)]
unsafe fn sum_of_products(terms: &[(Place, Place)], row: usize) -> Products<PallasBase, Two> {
    let mut sum = Products::zero();
    for (index, chunk) in terms.chunks(TERMS_PER_SPREAD).enumerate() {
        if index > 0 {
            sum.spread();
        }
        let mut pairs = chunk.chunks_exact(2);
        for pair in &mut pairs {
            let [(a, b), (c, d)] = [pair[0], pair[1]];
            // SAFETY: as promised by the caller.
            unsafe {
                sum.add_two([&a.load(row), &b.load(row)], [&c.load(row), &d.load(row)]);
            }
        }
        for (a, b) in pairs.remainder() {
            // SAFETY: as promised by the caller.
            unsafe { sum.add(&a.load(row), &b.load(row)) };
        }
    }
    sum
}

/// What is added to products.
pub(crate) struct Addend {
    start: [u32; LIMBS],
    added: Vec<Place>,
    subtracted: Vec<Place>,
}

impl Addend {
    /// None if there is nothing to add.
    pub(crate) fn new(sum: &Sum, places: &Places) -> Option<Self> {
        if sum.added.is_empty() && sum.subtracted.is_empty() {
            return None;
        }
        let read = |operand: &Operand| places.read(*operand);
        Some(Self {
            // At most five limbs' worth: below 2³².
            start: lift(sum).map(|limb| limb as u32),
            added: sum.added.iter().map(read).collect(),
            subtracted: sum.subtracted.iter().map(read).collect(),
        })
    }

    /// Its value on row `row` of the block.
    ///
    /// # Safety
    /// As for [`Place::load`].
    #[inline(always)]
    pub(crate) unsafe fn load(&self, row: usize) -> Register {
        let mut sum = Register::splat(&self.start);
        for place in &self.added {
            // SAFETY: as promised by the caller.
            let more = unsafe { place.load(row) };
            sum = sum.add(&more);
        }
        for place in &self.subtracted {
            // SAFETY: as promised by the caller.
            let less = unsafe { place.load(row) };
            sum = Element::from_limbs(core::array::from_fn(|j| sum.limbs[j].sub(less.limbs[j])));
        }
        sum
    }
}

/// # Safety
/// All places and `target` must be of the running frame or scratch and hold `length` values.
#[inline(always)]
unsafe fn touch_all(terms: &[(Place, Place)], length: usize) {
    for (a, b) in terms {
        // SAFETY: as promised by the caller.
        unsafe {
            touch(*a, length);
            touch(*b, length);
        }
    }
}

/// Brings a block near: the sums run across many columns at once, which no prefetcher follows.
///
/// # Safety
/// All places and `target` must be of the running frame or scratch and hold `length` values.
#[inline(always)]
unsafe fn touch(place: Place, length: usize) {
    let bytes = place.step * length * size_of::<Cell>();
    let start = place.start.cast::<u8>();
    for offset in (0..bytes).step_by(LINE_BYTES) {
        // SAFETY: `offset` is below the bytes of the block.
        core::hint::black_box(unsafe { start.add(offset).read() });
    }
}
