//! FFTs over the field (NTT) between row values and coefficients, on the domain of 2048 rows and its eight cosets.
//!
//! A transform of 2048 values is two transforms of 1024 (even and odd coefficients, one per lane, in lockstep) and
//! one level that joins the lanes. The 1024 are five levels of radix 4. Between levels values stay unreduced:
//!
//! * a butterfly multiplies three of its four inputs, and a product of carried limbs takes values below 64 m when the
//!   other factor is canonical (limbs below 2²⁹, value below m), which every twiddle is;
//! * the fourth input is carried too: each level adds at most 9.5 m to it, so after five levels values are below
//!   2 m + 5 · 9.5 m < 50 m;
//! * the outputs of a butterfly have limbs below 2.5 · 2³⁰ (see `butterfly`).

pub mod column;

use crate::fft::column::Coefficients;

use crate::fft::column::PAIRS;

use crate::fft::column::ROWS;

use crate::fft::column::Rows;
use crate::field::element::Element;
use crate::field::stored::{Pair, Single};
use crate::lanes::carry::carried;
use crate::lanes::lane::Lane;
use crate::lanes::modulus::{LIMB_BITS, LIMB_MASK, LIMBS, Modulus, PallasBase};
use crate::lanes::two::Two;

/// Cosets of the domain that make up the extended domain.
pub const COSETS: usize = 8;
/// log₂ of the order of the largest power-of-two subgroup.
const TWO_ADICITY: u32 = 32;
/// log₂ of the size of the extended domain.
const EXTENDED_LOG: u32 = 14;
/// An element of order 2³², plain words.
const ROOT_OF_UNITY: [u64; 4] = [
    0xbdad6fabd87ea32f,
    0xea322bf2b7bb7584,
    0x362120830561f81a,
    0x2bce74deac30ebda,
];
/// The cube root of unity that shifts the extended domain off the rows, plain words.
const ZETA: [u64; 4] = [
    0x1dad5ebdfdfe4ab9,
    0x1d1f8bd237ad3149,
    0x2caad5dc57aab1b0,
    0x12ccca834acdba71,
];

type Field = PallasBase;
type Value = Single<Field>;
type Register = Element<Field, Two>;

/// Roots of unity of one transform on a coset g · ⟨ω⟩ (or on ⟨ω⁻¹⟩).
#[derive(Clone, Debug)]
struct Twiddles {
    /// For each level, block size L = 4, 16, … 1024, for k below L/4: t, t², t³ with t = g²^(1024/L) · ω²^(k·1024/L).
    levels: Vec<[Value; 3]>,
    /// For k below 512: g·ω^k and g·ω^(k+512).
    joins: Vec<Pair<Field>>,
    /// The fourth root of unity of the direction.
    quarter: Value,
}

/// The domain of 2048 rows with everything its transforms need, about 0.8 MB. Built once.
#[derive(Clone, Debug)]
pub struct Domain {
    omega: Value,
    omega_inverse: Value,
    extended_omega: Value,
    shifts: [Value; COSETS],
    shift_inverses: [Value; COSETS],
    vanishing_inverses: [Value; COSETS],
    inverse: Twiddles,
    cosets: Vec<Twiddles>,
    rows: Twiddles,
}

/// The residue with canonical limbs.
fn canonical(value: &Value) -> Value {
    Single::from_limbs(value.load().canonical())
}

/// `value` squared `times` times.
fn square_times(value: Value, times: u32) -> Value {
    (0..times).fold(value, |power, _| power.square())
}

impl Twiddles {
    fn new(shift: &Value, omega: &Value) -> Self {
        let mut levels = Vec::with_capacity(341);
        for level in 1..=5u32 {
            // The squared shift and the 1024th root, both to the power 1024/4^level.
            let spread = 10 - 2 * level;
            let step = square_times(*omega, spread + 1);
            let mut root = square_times(*shift, spread + 1);
            for _ in 0..1 << (2 * level - 2) {
                let square = root.square();
                levels.push([
                    canonical(&root),
                    canonical(&square),
                    canonical(&square.mul(&root)),
                ]);
                root = root.mul(&step);
            }
        }
        let half = square_times(*omega, 9);
        let mut joins = Vec::with_capacity(PAIRS / 2);
        let mut root = *shift;
        for _ in 0..PAIRS / 2 {
            joins.push(Pair::new(&canonical(&root), &canonical(&root.mul(&half))));
            root = root.mul(omega);
        }
        Self {
            levels,
            joins,
            quarter: canonical(&half),
        }
    }

    /// The twiddles of the level with blocks of 4 · `quarter` pairs.
    fn level(&self, quarter: usize) -> &[[Value; 3]] {
        // Sizes of the levels before: 1 + 4 + … + quarter/4 = (quarter − 1)/3.
        &self.levels[(quarter - 1) / 3..][..quarter]
    }
}

#[inline(always)]
fn splat(value: &Value) -> Register {
    Element::splat(value.limbs())
}

/// Four-point transform of x0, t1, t2, t3 (in order of the index in the subsequence), `quarter` = √−1.
///
/// Needs t1, t2, t3 tight and x0 with carried limbs. Sizes of the limbs of the outputs: 2³¹, 2³¹, 2.5·2³⁰, 2³¹; the
/// values are at most that of x0 plus 9.5 m.
#[inline(always)]
fn butterfly(
    x0: &Register,
    t1: &Register,
    t2: &Register,
    t3: &Register,
    quarter: &Register,
) -> [Register; 4] {
    let odd_sum = t1.add(t3);
    let turned = t1.sub(t3).mul(quarter);
    let even_sum = x0.add(t2);
    [
        even_sum.add(&odd_sum),
        x0.sub(t2).add(&turned),
        even_sum.sub_sum(&odd_sum),
        x0.sub_sum(&t2.add(&turned)),
    ]
}

/// (a0, b0) and (a1, b1) from (a0, a1) and (b0, b1); undoes itself.
#[inline(always)]
fn transpose(a: &Pair<Field>, b: &Pair<Field>) -> (Pair<Field>, Pair<Field>) {
    (
        Pair::new(&a.get(0), &b.get(0)),
        Pair::new(&a.get(1), &b.get(1)),
    )
}

/// The tight element of the residue divided by 2¹¹; limbs may be up to 2³² − 1, the value up to 2048 m.
///
/// The multiple of m that clears the low 11 bits has the factor −v mod 2¹¹, because m is 1 modulo 2³²; the quotient
/// is below (2048 m + 2047 m)/2048 < 2m.
#[inline(always)]
fn divide_by_rows(value: &Register) -> Register {
    const BITS: u32 = 11;
    let v = &value.limbs;
    let digit = Two::negated_low_limb(v[0].widen())
        .and((1 << BITS) - 1)
        .opaque();
    let mut limbs = *v;
    let first = Two::add_wide(v[0].widen(), digit.widen());
    let mut carry = Two::shr_wide::<BITS>(first);
    for j in 1..LIMBS {
        let mut sum = v[j].widen();
        if j < 5 {
            sum = Two::add_wide(sum, digit.mul(Two::constant(&Field::LIMBS[j])));
        }
        if j == LIMBS - 1 {
            sum = Two::add_wide(sum, Two::shl_wide::<22>(digit.widen()));
        }
        let joined = Two::add_wide(carry, Two::shl_wide::<{ LIMB_BITS - BITS }>(sum));
        limbs[j - 1] = Two::low_limb(joined);
        carry = Two::shr_wide::<LIMB_BITS>(joined);
    }
    limbs[LIMBS - 1] = Two::narrow(carry);
    Element::from_limbs(limbs)
}

/// The reversal of four base-4 digits.
const fn reversed(index: usize) -> usize {
    ((index & 3) << 6) | ((index & 12) << 2) | ((index & 48) >> 2) | (index >> 6)
}

/// `pairs`\[k\] times `twiddles`\[k\]\[`which`\]. A loop of its own: with one product in it all its sums stay in registers.
#[inline(never)]
fn scale(pairs: &mut [Pair<Field>], twiddles: &[[Value; 3]], which: usize) {
    for (pair, twiddle) in pairs.iter_mut().zip(twiddles) {
        let scaled = pair.load().carry().mul(&splat(&twiddle[which]));
        pair.store(&scaled);
    }
}

/// One level of radix 4 in place: blocks of 4 · `quarter` pairs.
fn level(pairs: &mut [Pair<Field>], quarter: usize, twiddles: &Twiddles) {
    let roots = twiddles.level(quarter);
    for block in pairs.chunks_exact_mut(4 * quarter) {
        let (low, high) = block.split_at_mut(2 * quarter);
        let (a0, a1) = low.split_at_mut(quarter);
        let (a2, a3) = high.split_at_mut(quarter);
        scale(a1, roots, 0);
        scale(a2, roots, 1);
        scale(a3, roots, 2);
        butterflies([a0, a1, a2, a3], &twiddles.quarter);
    }
}

/// Four-point transforms in place of the k-th pairs of four slices: [`butterfly`], with the sums on stored words. As
/// no limb leaves its half of a word, one 64-bit operation serves both lanes.
#[inline(never)]
fn butterflies([a0, a1, a2, a3]: [&mut [Pair<Field>]; 4], quarter: &Value) {
    let turn = splat(quarter);
    for ((p0, p1), (p2, p3)) in a0.iter_mut().zip(a1).zip(a2.iter_mut().zip(a3)) {
        let (x0, t1, t2, t3) = (carried(p0.words()), *p1.words(), *p2.words(), *p3.words());
        let difference: [u64; LIMBS] = core::array::from_fn(|j| t1[j] + FOUR[j] - t3[j]);
        let turned = *Pair::from_element(&Pair::from_words(difference).load().mul(&turn)).words();
        *p0 = Pair::from_words(core::array::from_fn(|j| x0[j] + t2[j] + t1[j] + t3[j]));
        *p1 = Pair::from_words(core::array::from_fn(|j| {
            x0[j] + FOUR[j] - t2[j] + turned[j]
        }));
        *p2 = Pair::from_words(core::array::from_fn(|j| {
            x0[j] + t2[j] + EIGHT[j] - t1[j] - t3[j]
        }));
        *p3 = Pair::from_words(core::array::from_fn(|j| {
            x0[j] + EIGHT[j] - t2[j] - turned[j]
        }));
    }
}

/// 4m with one lent from limb to limb, in both halves: nothing borrows when a tight value is subtracted.
const FOUR: [u64; LIMBS] = lifted(4, 1);
/// 8m with two lent, for the sum of two tight values.
const EIGHT: [u64; LIMBS] = lifted(8, 2);

const fn lifted(multiple: u64, lent: u64) -> [u64; LIMBS] {
    let mut out = [0; LIMBS];
    let mut carry = 0;
    let mut j = 0;
    while j < LIMBS {
        let sum = Field::LIMBS[j] as u64 * multiple + carry;
        carry = sum >> LIMB_BITS;
        let mut limb = sum;
        if j < LIMBS - 1 {
            limb = (sum & LIMB_MASK as u64) + (lent << LIMB_BITS);
        }
        if j > 0 {
            limb -= lent;
        }
        out[j] = limb | (limb << 32);
        j += 1;
    }
    out
}

/// Joins the lanes of `a` = (E, O) at row k and `b` at row k + 512, both loose: rows k and k + 1024 into `a`.
#[inline(always)]
fn join(a: &mut Pair<Field>, b: &mut Pair<Field>, twiddle: &Pair<Field>) {
    let (even, odd) = transpose(a, b);
    let even = even.load();
    let odd = odd.load().carry().mul(&twiddle.load());
    let low = Pair::from_element(&even.add(&odd).tighten());
    let high = Pair::from_element(&even.sub(&odd).tighten());
    (*a, *b) = transpose(&low, &high);
}

/// The inverse of [`join`] for tight values, up to a factor of two.
#[inline(always)]
fn part(a: &Pair<Field>, b: &Pair<Field>, twiddle: &Pair<Field>) -> (Pair<Field>, Pair<Field>) {
    let (low, high) = transpose(a, b);
    let (low, high) = (low.load(), high.load());
    let even = Pair::from_element(&low.add(&high).tighten());
    let odd = Pair::from_element(&low.sub(&high).mul(&twiddle.load()));
    transpose(&even, &odd)
}

/// Values of the polynomial on the coset of `twiddles`.
fn forward(from: &[Pair<Field>], to: &mut [Pair<Field>], twiddles: &Twiddles) {
    for (k, out) in to.chunks_exact_mut(4).enumerate() {
        for (j, pair) in out.iter_mut().enumerate() {
            *pair = from[reversed(k) + 256 * j];
        }
    }
    for quarter in [1, 4, 16, 64, 256] {
        level(to, quarter, twiddles);
    }
    let (low, high) = to.split_at_mut(PAIRS / 2);
    for ((a, b), twiddle) in low.iter_mut().zip(high).zip(&twiddles.joins) {
        join(a, b, twiddle);
    }
}

/// Coefficients of the polynomial with the values `from` on the rows.
fn backward(from: &[Pair<Field>], to: &mut [Pair<Field>], twiddles: &Twiddles) {
    let turn = splat(&twiddles.quarter);
    for (k, out) in to.chunks_exact_mut(4).enumerate() {
        let r = reversed(k);
        let (x0, x2) = part(&from[r], &from[r + 512], &twiddles.joins[r]);
        let (x1, x3) = part(&from[r + 256], &from[r + 768], &twiddles.joins[r + 256]);
        let values = butterfly(&x0.load(), &x1.load(), &x2.load(), &x3.load(), &turn);
        for (pair, value) in out.iter_mut().zip(values) {
            pair.store(&value);
        }
    }
    for quarter in [4, 16, 64, 256] {
        level(to, quarter, twiddles);
    }
    for pair in to {
        let divided = divide_by_rows(&pair.load());
        pair.store(&divided);
    }
}

impl Default for Domain {
    fn default() -> Self {
        Self::new()
    }
}

impl Domain {
    /// Computes all tables.
    pub fn new() -> Self {
        let extended_omega = square_times(
            Single::from_words(&ROOT_OF_UNITY),
            TWO_ADICITY - EXTENDED_LOG,
        );
        let omega = square_times(extended_omega, 3);
        let omega_inverse = omega.invert();
        let mut shift = Single::from_words(&ZETA);
        let mut shifts = [shift; COSETS];
        for slot in &mut shifts {
            *slot = shift;
            shift = shift.mul(&extended_omega);
        }
        Self {
            omega,
            omega_inverse,
            extended_omega,
            shifts,
            shift_inverses: shifts.map(|shift| shift.invert()),
            vanishing_inverses: shifts
                .map(|shift| square_times(shift, 11).sub(&Single::ONE).invert()),
            inverse: Twiddles::new(&Single::ONE, &omega_inverse),
            cosets: shifts
                .iter()
                .map(|shift| Twiddles::new(shift, &omega))
                .collect(),
            rows: Twiddles::new(&Single::ONE, &omega),
        }
    }

    /// ω, the generator of the rows.
    pub fn omega(&self) -> Value {
        self.omega
    }

    /// ω⁻¹.
    pub fn omega_inverse(&self) -> Value {
        self.omega_inverse
    }

    /// The generator of order 2¹⁴ of the extended domain; its eighth power is ω.
    pub fn extended_omega(&self) -> Value {
        self.extended_omega
    }

    /// The factor g of coset `coset` (below [`COSETS`]): its point at row r is g·ω^r.
    pub fn shift(&self, coset: usize) -> Value {
        self.shifts[coset]
    }

    /// 1/(X²⁰⁴⁸ − 1), which is the same on every point of coset `coset`.
    pub fn vanishing_inverse(&self, coset: usize) -> Value {
        self.vanishing_inverses[coset]
    }

    /// `point` · ω^`rotation`.
    pub fn rotate(&self, point: &Value, rotation: i32) -> Value {
        let root = if rotation < 0 {
            &self.omega_inverse
        } else {
            &self.omega
        };
        point.mul(&root.pow(&[u64::from(rotation.unsigned_abs()), 0, 0, 0]))
    }

    /// The polynomial with these values on the rows.
    pub fn rows_to_coefficients(&self, rows: &Rows<Field>) -> Coefficients<Field> {
        let mut out = Coefficients::zero();
        backward(rows.pairs(), out.pairs_mut(), &self.inverse);
        out
    }

    /// Values on the rows.
    pub fn coefficients_to_rows(&self, coefficients: &Coefficients<Field>) -> Rows<Field> {
        let mut out = Rows::zero();
        forward(coefficients.pairs(), out.pairs_mut(), &self.rows);
        out
    }

    /// Values on coset `coset` (below [`COSETS`]).
    pub fn coefficients_to_coset(
        &self,
        coefficients: &Coefficients<Field>,
        coset: usize,
    ) -> Rows<Field> {
        let mut out = Rows::zero();
        self.coefficients_to_coset_into(coefficients, coset, &mut out);
        out
    }

    /// [`Domain::coefficients_to_coset`] into a column that is there already.
    pub fn coefficients_to_coset_into(
        &self,
        coefficients: &Coefficients<Field>,
        coset: usize,
        out: &mut Rows<Field>,
    ) {
        self.coefficients_to_coset_pairs(coefficients, coset, out.pairs_mut());
    }

    /// [`Domain::coefficients_to_coset`] into [`PAIRS`] pairs, laid out as in [`Rows`]; does nothing to any other number.
    pub fn coefficients_to_coset_pairs(
        &self,
        coefficients: &Coefficients<Field>,
        coset: usize,
        out: &mut [Pair<Field>],
    ) {
        if out.len() == PAIRS {
            forward(coefficients.pairs(), out, &self.cosets[coset]);
        }
    }

    /// The polynomial of degree below 8 · 2048 with these values on the cosets, cut into eight, low part first.
    ///
    /// With g the shift of coset j and u = ω' ^2048 (ω' the extended root): the coefficients on coset j divided by
    /// g^i are Σ_m c\[i + 2048 m\] · (ζ²⁰⁴⁸·u^j)^m, so an eight-point inverse transform over j gives c·ζ^(2048 m).
    pub fn cosets_to_coefficients(
        &self,
        cosets: [Rows<Field>; COSETS],
    ) -> [Coefficients<Field>; COSETS] {
        let mut columns = cosets.map(|rows| self.rows_to_coefficients(&rows));
        for (column, inverse) in columns.iter_mut().zip(&self.shift_inverses) {
            scale_by_powers(column, inverse);
        }
        let weights = self.join_weights();
        for index in 0..PAIRS {
            let values: [Register; COSETS] =
                core::array::from_fn(|j| columns[j].pairs()[index].load());
            for (column, row) in columns.iter_mut().zip(&weights) {
                let mut sum = Element::zero();
                for (value, weight) in values.iter().zip(row) {
                    sum = sum.add(&value.mul(&splat(weight))).tighten();
                }
                column.pairs_mut()[index].store(&sum);
            }
        }
        columns
    }

    /// Row m, column j: (ζ²⁰⁴⁸·u^j)^−m / 8.
    fn join_weights(&self) -> [[Value; COSETS]; COSETS] {
        let eighth = Single::from_u64(COSETS as u64).invert();
        let mut weights = [[eighth; COSETS]; COSETS];
        for (j, inverse) in self.shift_inverses.iter().enumerate() {
            let step = square_times(*inverse, 11);
            for m in 1..COSETS {
                weights[m][j] = weights[m - 1][j].mul(&step);
            }
        }
        weights
    }
}

/// Coefficient i times `factor`^i.
fn scale_by_powers(column: &mut Coefficients<Field>, factor: &Value) {
    let step = factor.square();
    let step = Pair::new(&step, &step).load();
    let mut power = Pair::new(&Single::ONE, factor).load();
    for pair in column.pairs_mut() {
        let scaled = pair.load().mul(&power);
        pair.store(&scaled);
        power = power.mul(&step);
    }
}

const _: () = assert!(ROWS == 2048, "five levels of radix 4 and one of radix 2");
