//! Program execution: runs a [`Program`] over a block of rows.

#![allow(unsafe_code)]

use crate::field::element::Element;
use crate::field::stored::Pair;
use crate::lanes::carry::carried;
use crate::lanes::lane::Lane;
use crate::lanes::modulus::{LIMB_BITS, LIMBS, Modulus, PallasBase};
use crate::lanes::two::Two;
use crate::program::place::{Place, Places, lift, wide_lift};
use crate::program::products::{Addend, product, product_sum, products, products_sum, square};
use crate::program::{Instruction, Operand, Program, Sum};

type Cell = Pair<PallasBase>;
type Register = Element<PallasBase, Two>;

/// The data that a program works on: one block of rows.
pub struct Frame<'a, 'b> {
    /// The block of every column, all at least as long as the block.
    pub columns: &'a [&'a [Cell]],
    /// The scalars, the same value in both lanes.
    pub scalars: &'a [Cell],
    /// Where the block of every output goes.
    pub outputs: &'a mut [&'b mut [Cell]],
}

/// Memory of a program between blocks: its registers and literals.
pub struct Scratch {
    length: usize,
    registers: Vec<Cell>,
    literals: Vec<Cell>,
    terms: Vec<(Place, Place)>,
}

impl Scratch {
    /// For blocks of at most `length` rows.
    pub fn new(program: &Program, length: usize) -> Self {
        Self {
            length,
            registers: vec![Pair::ZERO; program.registers * length],
            literals: program
                .literals
                .iter()
                .map(|value| Pair::new(value, value))
                .collect(),
            terms: Vec::new(),
        }
    }

    /// Overwrites what was computed.
    pub fn clear(&mut self) {
        self.registers.fill(Pair::ZERO);
        core::hint::black_box(&mut self.registers);
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Program {
    /// Runs the program on `length` rows. False, and nothing done, if the frame or scratch does not fit.
    pub fn run(&self, length: usize, frame: &mut Frame<'_, '_>, scratch: &mut Scratch) -> bool {
        let fits = frame.columns.len() == self.columns
            && frame.scalars.len() == self.scalars
            && frame.outputs.len() == self.outputs
            && frame.columns.iter().all(|column| column.len() >= length)
            && frame.outputs.iter().all(|output| output.len() >= length)
            && length <= scratch.length
            && scratch.registers.len() == self.registers * scratch.length
            && scratch.literals.len() == self.literals.len();
        if !fits || length == 0 {
            return fits;
        }
        let places = self.places(length, frame, scratch);
        let mut terms = core::mem::take(&mut scratch.terms);
        for instruction in &self.code {
            // SAFETY: every place is of a slice that was checked above to hold `length` values (one for scalars and
            // literals), none of which is used in another way until this function returns; `Program::new` checked
            // that every operand exists and every target is a register or an output.
            unsafe { step(instruction, &places, &mut terms) };
        }
        terms.clear();
        scratch.terms = terms;
        true
    }

    fn places(&self, length: usize, frame: &mut Frame<'_, '_>, scratch: &mut Scratch) -> Places {
        let first_writable = self.columns + self.scalars + self.literals.len();
        let mut readable = Vec::with_capacity(first_writable + self.registers + self.outputs);
        readable.extend(frame.columns.iter().map(|column| Place {
            start: column.as_ptr(),
            step: 1,
        }));
        let scalars = frame.scalars.iter().chain(&scratch.literals);
        readable.extend(scalars.map(|scalar| Place {
            start: core::ptr::from_ref(scalar),
            step: 0,
        }));
        let mut writable: Vec<*mut Cell> = Vec::with_capacity(self.registers + self.outputs);
        // Not zero, as it is at least the length of this run.
        writable.extend(
            scratch
                .registers
                .chunks_exact_mut(scratch.length)
                .map(|block| block.as_mut_ptr()),
        );
        writable.extend(frame.outputs.iter_mut().map(|output| output.as_mut_ptr()));
        readable.extend(writable.iter().map(|start| Place {
            start: *start,
            step: 1,
        }));
        Places {
            readable,
            writable,
            first_writable,
            length,
        }
    }
}

/// Runs one instruction.
///
/// # Safety
/// All operands must exist in `places`, and all places be valid for `places.length` rows and not be borrowed.
unsafe fn step(instruction: &Instruction, places: &Places, terms: &mut Vec<(Place, Place)>) {
    match instruction {
        Instruction::Products {
            target,
            terms: factors,
            sum,
        } => {
            terms.clear();
            terms.extend(
                factors
                    .iter()
                    .map(|(a, b)| (places.read(*a), places.read(*b))),
            );
            let target = places.write(*target);
            // SAFETY: as promised by the caller.
            unsafe {
                let addend = Addend::new(sum, places);
                match (terms.as_slice(), addend) {
                    ([(a, b)], None) if a.is(b) => square(*a, target, places.length),
                    ([(a, b)], None) => product(*a, *b, target, places.length),
                    ([(a, b)], Some(addend)) => product_sum(*a, *b, &addend, target, places.length),
                    (many, None) => products(many, target, places.length),
                    (many, Some(addend)) => products_sum(many, &addend, target, places.length),
                }
            }
        }
        Instruction::Linear { target, sum } => {
            // SAFETY: as promised by the caller.
            unsafe { linear(sum, places, places.write(*target)) }
        }
        Instruction::Scaled {
            target,
            terms,
            lift,
        } => {
            // SAFETY: as promised by the caller.
            unsafe { scaled(terms, *lift, places, places.write(*target)) }
        }
    }
}

/// Sums on stored words: as no limb leaves its half of a word, one 64-bit operation serves both lanes.
///
/// # Safety
/// See [`step`].
#[inline(never)]
unsafe fn linear(sum: &Sum, places: &Places, target: *mut Cell) {
    let start = lift(sum).map(|limb| limb | (limb << 32));
    let read = |operand: &Operand| places.read(*operand);
    let added: Vec<Place> = sum.added.iter().map(read).collect();
    let subtracted: Vec<Place> = sum.subtracted.iter().map(read).collect();
    for row in 0..places.length {
        let mut words = start;
        // SAFETY: `row` is below the length all places have.
        unsafe {
            for place in &added {
                let more = place.words(row);
                words = core::array::from_fn(|j| words[j].wrapping_add(more[j]));
            }
            for place in &subtracted {
                let less = place.words(row);
                words = core::array::from_fn(|j| words[j].wrapping_sub(less[j]));
            }
            *target.add(row) = Pair::from_words(carried(&words));
        }
    }
}

/// # Safety
/// See [`step`].
#[inline(never)]
unsafe fn scaled(terms: &[(i32, Operand)], multiple: u32, places: &Places, target: *mut Cell) {
    let negative = terms.iter().filter(|(factor, _)| *factor < 0);
    let lent: u64 = negative
        .map(|(factor, _)| u64::from(factor.unsigned_abs()))
        .sum();
    let start = wide_lift(multiple, if lent > 0 { lent + 1 } else { 0 }).map(Two::splat_wide);
    let terms: Vec<(i32, Two, Place)> = terms
        .iter()
        .map(|(factor, operand)| {
            (
                *factor,
                Two::splat(factor.unsigned_abs()).opaque(),
                places.read(*operand),
            )
        })
        .collect();
    for row in 0..places.length {
        let mut sums = start;
        for (factor, size, place) in &terms {
            // SAFETY: `row` is below the length all places have.
            let value = unsafe { place.load(row) };
            for (sum, limb) in sums.iter_mut().zip(value.limbs) {
                let product = limb.opaque().mul(*size);
                *sum = if *factor < 0 {
                    Two::sub_wide(*sum, product)
                } else {
                    Two::add_wide(*sum, product)
                };
            }
        }
        // SAFETY: `row` is below the length all places have.
        unsafe { (*target.add(row)).store(&tighten(sums)) };
    }
}

/// The tight element of Σ sums\[j\]·2^(29 j), every sum below 2⁶², the value below 2³⁰ m.
///
/// With v = h·2²⁵⁴ + r and m = 2²⁵⁴ + e: v − h·m + m = r + m − h·e, which lies in (0, 2m) while h·e < m.
#[inline(always)]
fn tighten(sums: [<Two as Lane>::Wide; LIMBS]) -> Register {
    /// What each of the low limbs borrows from the next, as a power of two: more than h times any limb of m.
    const LENT: u32 = 60;
    const PAID: u64 = 1 << (LENT - LIMB_BITS);
    let mut limbs = [Two::splat(0); LIMBS];
    let mut carry = Two::zero_wide();
    for j in 0..LIMBS - 1 {
        let sum = Two::add_wide(sums[j], carry);
        limbs[j] = Two::low_limb(sum);
        carry = Two::shr_wide::<LIMB_BITS>(sum);
    }
    let top = Two::add_wide(sums[LIMBS - 1], carry);
    let high = Two::narrow(Two::shr_wide::<22>(top)).opaque();
    limbs[LIMBS - 1] = Two::low_limb(top)
        .and((1 << 22) - 1)
        .add(Two::splat(PallasBase::LIMBS[LIMBS - 1]));
    let mut carry = Two::zero_wide();
    for (j, limb) in limbs.iter_mut().enumerate() {
        // Limbs 0 to 4 borrow, limbs 1 to 5 pay back; above them the carry is −1, 0 or 1, so one limb is lent on.
        let start = match j {
            0 => u64::from(PallasBase::LIMBS[j]) + (1 << LENT),
            1..=4 => u64::from(PallasBase::LIMBS[j]) + (1 << LENT) - PAID,
            5 => (1u64 << LIMB_BITS).wrapping_sub(PAID),
            6 | 7 => (1 << LIMB_BITS) - 1,
            _ => 0u64.wrapping_sub(1),
        };
        let mut sum = Two::add_wide(Two::add_wide(limb.widen(), Two::splat_wide(start)), carry);
        if j < 5 {
            sum = Two::sub_wide(sum, high.mul(Two::constant(&PallasBase::LIMBS[j])));
        }
        *limb = if j + 1 < LIMBS {
            Two::low_limb(sum)
        } else {
            Two::narrow(sum)
        };
        carry = Two::shr_wide::<LIMB_BITS>(sum);
    }
    Element::from_limbs(limbs)
}
