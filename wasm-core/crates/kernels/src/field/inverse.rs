//! Modular inversion: one element by division steps, many (Montgomery's trick) by one inversion and three products
//! each.
//!
//! The single inversion follows Bernstein and Yang's division steps in their variable-time form: thirty steps at a
//! time are done on the low words of f and g and then applied to the whole numbers as one 2×2 matrix. Its time
//! depends on the value, so it is used where values are public or where only this machine could measure.

use crate::field::element::Element;
use crate::field::stored::{Pair, Single};
use crate::lanes::lane::One;
use crate::lanes::modulus::{LIMB_BITS, Modulus};

const WORD: u32 = 30;
const WORD_MASK: i32 = (1 << WORD) - 1;
const WORDS: usize = 9;

/// A signed number in nine words of 30 bits; the top word carries the sign.
type Signed = [i32; WORDS];

/// The matrix of thirty division steps, times 2³⁰.
struct Steps {
    u: i32,
    v: i32,
    q: i32,
    r: i32,
}

/// −(2i+1)⁻¹ mod 256.
const NEGATED_INVERSES: [u8; 128] = {
    let mut table = [0u8; 128];
    let mut i = 0;
    while i < 128 {
        let odd = 2 * i as u8 + 1;
        // Newton: each step doubles the number of right bits.
        let mut inverse = odd;
        let mut step = 0;
        while step < 3 {
            inverse = inverse.wrapping_mul(2u8.wrapping_sub(odd.wrapping_mul(inverse)));
            step += 1;
        }
        table[i] = inverse.wrapping_neg();
        i += 1;
    }
    table
};

/// The inverse of an element; zero for zero. Variable time.
pub fn invert<M: Modulus>(value: &Single<M>) -> Single<M> {
    let modulus = words_of_limbs(&M::LIMBS);
    let (mut f, mut g) = (modulus, words_of_limbs(&value.load().tighten().canonical()));
    let (mut d, mut e) = ([0; WORDS], [0; WORDS]);
    e[0] = 1;
    let mut eta = -1;
    let mut used = WORDS;
    while g[..used].iter().any(|word| *word != 0) {
        let steps;
        (eta, steps) = thirty_steps(eta, f[0], g[0]);
        update_cofactors(&mut d, &mut e, &steps, &modulus);
        update_numbers(&mut f[..used], &mut g[..used], &steps);
        used = shrink(&mut f, &mut g, used);
    }
    let inverse = normalize(d, f[used - 1] < 0, &modulus);
    // The input was a·R, so this is a⁻¹·R⁻¹; two products by R² bring it to a⁻¹·R.
    let r2 = Element::<M, One>::splat(&M::R2);
    let plain =
        Element::<M, One>::from_limbs(limbs_of_words(&inverse).map(|limb| One(u64::from(limb))));
    Single::from_element(&plain.mul(&r2).mul(&r2))
}

/// Inverts every element in place; a zero stays zero and does not disturb the others. Variable time.
pub fn batch_invert<M: Modulus>(values: &mut [Pair<M>]) {
    let one = Pair::new(&Single::ONE, &Single::ONE);
    let zeros = |pair: &Pair<M>| [pair.get(0).is_zero(), pair.get(1).is_zero()];
    let mut product = one;
    let mut prefixes = Vec::with_capacity(values.len());
    for value in values.iter_mut() {
        prefixes.push(product);
        let next = product.load().mul(&value.load());
        let next = Pair::from_element(&next);
        // A zero would spoil all that follows: step over it.
        if next.may_be_zero() {
            let is_zero = zeros(value);
            for (lane, is_zero) in is_zero.into_iter().enumerate() {
                if !is_zero {
                    product.set(lane, &next.get(lane));
                }
            }
        } else {
            product = next;
        }
    }
    let mut inverse = Pair::new(&Single::ZERO, &Single::ZERO);
    // Both lanes share one inversion.
    let (low, high) = (product.get(0), product.get(1));
    let both = invert(&low.mul(&high));
    inverse.set(0, &both.mul(&high));
    inverse.set(1, &both.mul(&low));
    for (value, prefix) in values.iter_mut().zip(&prefixes).rev() {
        let result = Pair::from_element(&inverse.load().mul(&prefix.load()));
        let next = Pair::from_element(&inverse.load().mul(&value.load()));
        if next.may_be_zero() {
            let is_zero = zeros(value);
            for (lane, is_zero) in is_zero.into_iter().enumerate() {
                if is_zero {
                    value.set(lane, &Single::ZERO);
                } else {
                    value.set(lane, &result.get(lane));
                    inverse.set(lane, &next.get(lane));
                }
            }
        } else {
            *value = result;
            inverse = next;
        }
    }
    // They tell as much as the values do.
    prefixes.fill(Pair::ZERO);
    core::hint::black_box(&mut prefixes);
}

fn words_of_limbs(limbs: &[u32; 9]) -> Signed {
    let mut words = [0i32; WORDS];
    for (j, limb) in limbs.iter().enumerate() {
        let bit = LIMB_BITS as usize * j;
        let (word, shift) = (bit / WORD as usize, bit % WORD as usize);
        let wide = u64::from(*limb) << shift;
        words[word] |= (wide as i32) & WORD_MASK;
        if word + 1 < WORDS {
            words[word + 1] |= (wide >> WORD) as i32;
        }
    }
    words
}

fn limbs_of_words(words: &Signed) -> [u32; 9] {
    let mut limbs = [0u32; 9];
    for (j, limb) in limbs.iter_mut().enumerate() {
        let bit = LIMB_BITS as usize * j;
        let (word, shift) = (bit / WORD as usize, bit % WORD as usize);
        let mut wide = words[word] as u64 >> shift;
        if word + 1 < WORDS {
            wide |= (words[word + 1] as u64) << (WORD as usize - shift);
        }
        *limb = (wide as u32) & ((1 << LIMB_BITS) - 1);
    }
    limbs
}

/// Thirty division steps on the low words; `eta` is minus the difference of degrees.
fn thirty_steps(mut eta: i32, f: i32, g: i32) -> (i32, Steps) {
    let (mut u, mut v, mut q, mut r) = (1u32, 0u32, 0u32, 1u32);
    let (mut f, mut g) = (f as u32, g as u32);
    let mut left = WORD;
    loop {
        let zeros = (g | (u32::MAX << left)).trailing_zeros();
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        eta -= zeros as i32;
        left -= zeros;
        if left == 0 {
            break;
        }
        if eta < 0 {
            eta = -eta;
            (f, g) = (g, f.wrapping_neg());
            (u, q) = (q, u.wrapping_neg());
            (v, r) = (r, v.wrapping_neg());
        }
        // As many low bits of g as the sign of eta allows, at most eight, are cleared by one multiple of f.
        let limit = (eta as u32 + 1).min(left).min(8);
        let mask = (1u32 << limit) - 1;
        let multiple = g.wrapping_mul(u32::from(NEGATED_INVERSES[(f >> 1) as usize & 127])) & mask;
        g = g.wrapping_add(f.wrapping_mul(multiple));
        q = q.wrapping_add(u.wrapping_mul(multiple));
        r = r.wrapping_add(v.wrapping_mul(multiple));
    }
    (
        eta,
        Steps {
            u: u as i32,
            v: v as i32,
            q: q as i32,
            r: r as i32,
        },
    )
}

/// (d, e) ← steps · (d, e) / 2³⁰ mod m, both kept in (−2m, m).
fn update_cofactors(d: &mut Signed, e: &mut Signed, steps: &Steps, modulus: &Signed) {
    let (signs_d, signs_e) = (d[WORDS - 1] >> 31, e[WORDS - 1] >> 31);
    let mut multiple_d = (steps.u & signs_d) + (steps.v & signs_e);
    let mut multiple_e = (steps.q & signs_d) + (steps.r & signs_e);
    let apply =
        |a: i32, b: i32, x: i32, y: i32| i64::from(a) * i64::from(x) + i64::from(b) * i64::from(y);
    let mut carry_d = apply(steps.u, steps.v, d[0], e[0]);
    let mut carry_e = apply(steps.q, steps.r, d[0], e[0]);
    // m is 1 modulo 2³⁰, so the multiple that clears the low word is its negation.
    multiple_d -= (carry_d as i32).wrapping_add(multiple_d) & WORD_MASK;
    multiple_e -= (carry_e as i32).wrapping_add(multiple_e) & WORD_MASK;
    carry_d += i64::from(modulus[0]) * i64::from(multiple_d);
    carry_e += i64::from(modulus[0]) * i64::from(multiple_e);
    carry_d >>= WORD;
    carry_e >>= WORD;
    for i in 1..WORDS {
        let word = i64::from(modulus[i]);
        carry_d += apply(steps.u, steps.v, d[i], e[i]) + word * i64::from(multiple_d);
        carry_e += apply(steps.q, steps.r, d[i], e[i]) + word * i64::from(multiple_e);
        d[i - 1] = carry_d as i32 & WORD_MASK;
        e[i - 1] = carry_e as i32 & WORD_MASK;
        carry_d >>= WORD;
        carry_e >>= WORD;
    }
    d[WORDS - 1] = carry_d as i32;
    e[WORDS - 1] = carry_e as i32;
}

/// (f, g) ← steps · (f, g) / 2³⁰, which is exact.
fn update_numbers(f: &mut [i32], g: &mut [i32], steps: &Steps) {
    let (mut carry_f, mut carry_g) = (0i64, 0i64);
    for i in 0..f.len() {
        let (x, y) = (i64::from(f[i]), i64::from(g[i]));
        carry_f += i64::from(steps.u) * x + i64::from(steps.v) * y;
        carry_g += i64::from(steps.q) * x + i64::from(steps.r) * y;
        if i > 0 {
            f[i - 1] = carry_f as i32 & WORD_MASK;
            g[i - 1] = carry_g as i32 & WORD_MASK;
        }
        carry_f >>= WORD;
        carry_g >>= WORD;
    }
    f[f.len() - 1] = carry_f as i32;
    let last = g.len() - 1;
    g[last] = carry_g as i32;
}

/// Drops the top word when it only repeats the sign of both numbers; returns the words in use.
fn shrink(f: &mut Signed, g: &mut Signed, used: usize) -> usize {
    let (top_f, top_g) = (f[used - 1], g[used - 1]);
    if used < 2 || top_f != top_f >> 31 || top_g != top_g >> 31 {
        return used;
    }
    f[used - 2] |= top_f << WORD;
    g[used - 2] |= top_g << WORD;
    used - 1
}

/// The residue in [0, m) of d, or of −d, for d in (−2m, m).
fn normalize(mut d: Signed, negate: bool, modulus: &Signed) -> Signed {
    add_if_negative(&mut d, modulus);
    if negate {
        for word in &mut d {
            *word = -*word;
        }
    }
    carry(&mut d);
    add_if_negative(&mut d, modulus);
    d
}

fn add_if_negative(d: &mut Signed, modulus: &Signed) {
    if d[WORDS - 1] < 0 {
        for (word, m) in d.iter_mut().zip(modulus) {
            *word += m;
        }
    }
    carry(d);
}

fn carry(d: &mut Signed) {
    for i in 0..WORDS - 1 {
        d[i + 1] += d[i] >> WORD;
        d[i] &= WORD_MASK;
    }
}
