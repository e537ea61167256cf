//! Runs a [`Program`] over a block of rows.

#![allow(unsafe_code)]

use crate::element::{Element, Products};
use crate::lane::Lane;
use crate::modulus::{LIMB_BITS, LIMB_MASK, LIMBS, Modulus, PallasBase};
use crate::program::{Instruction, Operand, Program, Sum};
use crate::stored::Pair;
use crate::two::Two;

type Cell = Pair<PallasBase>;
type Register = Element<PallasBase, Two>;

/// Products that are added up before their columns must be spread.
const TERMS_PER_SPREAD: usize = Products::<PallasBase, Two>::MAX_TIGHT;
/// Bytes between two touches of memory.
const LINE_BYTES: usize = 64;

/// What a program works on: one block of rows.
pub struct Frame<'a, 'b> {
    /// The block of every column, all at least as long as the block.
    pub columns: &'a [&'a [Cell]],
    /// The scalars, the same value in both lanes.
    pub scalars: &'a [Cell],
    /// Where the block of every output goes.
    pub outputs: &'a mut [&'b mut [Cell]],
}

/// Where an operand is: `step` is 1 for columns and 0 for one value for all rows.
#[derive(Clone, Copy)]
struct Place {
    start: *const Cell,
    step: usize,
}

impl Place {
    /// The value on row `row` of the block.
    ///
    /// # Safety
    /// The place must be of the running frame or scratch, and `row` below the length of the block.
    #[inline(always)]
    unsafe fn load(self, row: usize) -> Register {
        // SAFETY: `start` points to `step`·length values at least (one if `step` is zero), as the caller promises.
        unsafe { (*self.start.add(row * self.step)).load() }
    }

    /// The stored words of the value on row `row` of the block.
    ///
    /// # Safety
    /// As for [`Place::load`].
    #[inline(always)]
    unsafe fn words(self, row: usize) -> [u64; LIMBS] {
        // SAFETY: as for `load`.
        unsafe { *(*self.start.add(row * self.step)).words() }
    }
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

/// The places of all operands of one run.
struct Places {
    readable: Vec<Place>,
    writable: Vec<*mut Cell>,
    first_writable: usize,
    length: usize,
}

impl Places {
    fn read(&self, operand: Operand) -> Place {
        self.readable[usize::from(operand)]
    }

    fn write(&self, operand: Operand) -> *mut Cell {
        self.writable[usize::from(operand) - self.first_writable]
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
        if !fits {
            return false;
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
        if scratch.length > 0 {
            writable.extend(
                scratch
                    .registers
                    .chunks_exact_mut(scratch.length)
                    .map(|block| block.as_mut_ptr()),
            );
        }
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
                match terms.as_slice() {
                    [(a, b)] if a.start == b.start && a.step == b.step => {
                        square(*a, target, places.length)
                    }
                    [(a, b)] => product(*a, *b, target, places.length),
                    many => products(many, target, places.length),
                }
                if !sum.added.is_empty() || !sum.subtracted.is_empty() {
                    let first = Place {
                        start: target,
                        step: 1,
                    };
                    linear(sum, Some(first), places, target);
                }
            }
        }
        Instruction::Linear { target, sum } => {
            // SAFETY: as promised by the caller.
            unsafe { linear(sum, None, places, places.write(*target)) }
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

/// # Safety
/// See [`step`].
#[inline(never)]
unsafe fn product(a: Place, b: Place, target: *mut Cell, length: usize) {
    for row in 0..length {
        // SAFETY: `row` is below the length all places have.
        unsafe {
            let value = a.load(row).mul(&b.load(row));
            (*target.add(row)).store(&value);
        }
    }
}

/// # Safety
/// See [`step`].
#[inline(never)]
unsafe fn square(a: Place, target: *mut Cell, length: usize) {
    for row in 0..length {
        // SAFETY: `row` is below the length all places have.
        unsafe {
            let value = a.load(row).square();
            (*target.add(row)).store(&value);
        }
    }
}

/// # Safety
/// See [`step`].
#[inline(never)]
unsafe fn products(terms: &[(Place, Place)], target: *mut Cell, length: usize) {
    for (a, b) in terms {
        // SAFETY: as promised by the caller.
        unsafe {
            touch(*a, length);
            touch(*b, length);
        }
    }
    for row in 0..length {
        let mut sum = Products::zero();
        for (index, chunk) in terms.chunks(TERMS_PER_SPREAD).enumerate() {
            if index > 0 {
                sum.spread();
            }
            for (a, b) in chunk {
                // SAFETY: `row` is below the length all places have.
                unsafe { sum.add(&a.load(row), &b.load(row)) };
            }
        }
        // SAFETY: `row` is below the length all places have.
        unsafe { (*target.add(row)).store(&sum.reduce()) };
    }
}

/// Brings a block near: the sums run across many columns at once, which no prefetcher follows.
///
/// # Safety
/// See [`step`].
#[inline(always)]
unsafe fn touch(place: Place, length: usize) {
    let bytes = place.step * length * size_of::<Cell>();
    let start = place.start.cast::<u8>();
    for offset in (0..bytes).step_by(LINE_BYTES) {
        // SAFETY: `offset` is below the bytes of the block.
        core::hint::black_box(unsafe { start.add(offset).read() });
    }
}

/// Sums on stored words: as no limb leaves its half of a word, one 64-bit operation serves both lanes.
///
/// # Safety
/// See [`step`].
#[inline(never)]
unsafe fn linear(sum: &Sum, first: Option<Place>, places: &Places, target: *mut Cell) {
    let lent = if sum.subtracted.is_empty() {
        0
    } else {
        sum.subtracted.len() as u64 + 1
    };
    let start = wide_lift(u32::from(sum.lift), lent).map(|limb| limb | (limb << 32));
    let read = |operand: &Operand| places.read(*operand);
    let added: Vec<Place> = first
        .into_iter()
        .chain(sum.added.iter().map(read))
        .collect();
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

/// Every limb but the top one cut to 29 bits, what is above added to the next: limbs below 2²⁹ + 8.
#[inline(always)]
pub(crate) fn carried(words: &[u64; LIMBS]) -> [u64; LIMBS] {
    const LOW: u64 = LIMB_MASK as u64 | (LIMB_MASK as u64) << 32;
    const HIGH: u64 = 7 | 7 << 32;
    core::array::from_fn(|j| {
        let own = if j < LIMBS - 1 {
            words[j] & LOW
        } else {
            words[j]
        };
        if j > 0 {
            own + ((words[j - 1] >> LIMB_BITS) & HIGH)
        } else {
            own
        }
    })
}

/// `multiple`·m with 2²⁹·`lent` lent to every limb by the next one. What is subtracted has limbs below 2²⁹ + 8, so one
/// more is lent than limbs are subtracted.
fn wide_lift(multiple: u32, lent: u64) -> [u64; LIMBS] {
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
