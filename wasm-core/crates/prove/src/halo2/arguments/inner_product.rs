//! Inner product argument, which opens one polynomial at one point (upstream's `poly::commitment::create_proof`).
//!
//! The generators are not folded round by round. After j rounds, generator i of the folded basis is the sum over m of
//! S_j\[m\] times the original generator i + m·n/2ʲ, where S_0 = \[1\] and S_(j+1)\[2m + c\] = S_j\[m\]·u_jᶜ. So the two
//! commitments of a round are sums over the original basis, for which there are tables: each original generator
//! belongs to exactly one of them, with a product of S_j and the folded polynomial as its scalar. After
//! [`SWITCH_ROUND`] rounds the few generators left are computed, all from the same scalars, and the other rounds go on
//! from these.

use svc_circuit::shape::LOG_ROWS;
use svc_kernels::curve::{Point, Vesta};
use svc_kernels::fft::column::{Coefficients, ROWS};
use svc_kernels::field::inverse::invert;
use svc_kernels::field::stored::Pair;
use svc_kernels::lanes::modulus::{LIMB_BITS, PallasBase};
use svc_kernels::msm::fixed_bases::FixedBases;

use crate::halo2::polynomials::polynomial::Polynomial;

use crate::halo2::polynomials::polynomial::Value;

use crate::halo2::polynomials::polynomial::dot;

use crate::halo2::polynomials::polynomial::evaluate;

use crate::halo2::polynomials::polynomial::linear_combination;

use crate::halo2::polynomials::polynomial::power_pairs;

/// Index of the blinding base w behind the generators g.
pub const BLINDING_BASE: usize = ROWS;
/// Index of the base u of the values.
pub const VALUE_BASE: usize = ROWS + 1;
/// The bases of the argument: g, w, u.
pub const BASES: usize = ROWS + 2;
/// Rounds of the argument.
pub const ROUNDS: usize = LOG_ROWS;
/// Rounds over the original basis. Each costs a sum over all of it; an earlier switch leaves more generators to
/// compute and longer sums without tables.
pub const SWITCH_ROUND: usize = 4;

/// A canonical scalar for a sum of points.
pub type Scalar = [u64; 4];

/// The polynomial to be opened and the random one that masks it, before the argument's first challenge.
#[derive(Clone, Debug)]
pub struct Masked {
    polynomial: Polynomial,
    blind: Value,
    mask: Polynomial,
    mask_blind: Value,
    point: Value,
    mask_value: Value,
}

impl Masked {
    /// From the polynomial and a random mask, each with the blind of its commitment, and the point x₃.
    ///
    /// The argument uses the mask less its value at the point.
    pub fn new(opened: (Polynomial, Value), mask: (Polynomial, Value), point: Value) -> Self {
        let mask_value = evaluate(&mask.0, &point);
        Self {
            polynomial: opened.0,
            blind: opened.1,
            mask: mask.0,
            mask_blind: mask.1,
            point,
            mask_value,
        }
    }

    /// The random mask's value at the point: its commitment less this many times generator 0 is the proof's.
    pub fn mask_value(&self) -> Value {
        self.mask_value
    }

    /// Starts the argument with the challenges ξ and z.
    pub fn argue(self, xi: &Value, z: &Value) -> InnerProduct {
        let value = evaluate(&self.polynomial, &self.point).add(&self.mask_value.mul(xi));
        let mut masked = linear_combination(&[(&self.mask, *xi), (&self.polynomial, Value::ONE)]);
        masked.set(0, &masked.get(0).sub(&value));
        InnerProduct {
            polynomial: masked.pairs().to_vec(),
            powers: power_pairs(&self.point),
            z: *z,
            blind: self.mask_blind.mul(xi).add(&self.blind),
            random: [Value::ZERO; 2],
        }
    }
}

/// The argument on the side of the coordinator, which holds the transcript.
#[derive(Clone, Debug)]
pub struct InnerProduct {
    polynomial: Vec<Pair<PallasBase>>,
    powers: Vec<Pair<PallasBase>>,
    z: Value,
    blind: Value,
    random: [Value; 2],
}

/// The scalars of the bases u and w in a round's two commitments.
#[derive(Clone, Copy, Debug)]
pub struct RoundTerms {
    /// Of u, left and right.
    pub values: [Value; 2],
    /// Of w, left and right.
    pub blinds: [Value; 2],
}

impl InnerProduct {
    /// The masked polynomial, for the workers; complete only before the first challenge.
    pub fn polynomial(&self) -> Polynomial {
        Coefficients::from_pairs(self.polynomial.clone()).unwrap_or_else(Coefficients::zero)
    }

    /// The scalars this round adds to what the generators give; `random` blinds left and right.
    pub fn terms(&mut self, random: [Value; 2]) -> RoundTerms {
        self.random = random;
        let (p, b) = (&self.polynomial, &self.powers);
        let [left, right] = match p.len() / 2 {
            0 => [p[0].get(1).mul(&b[0].get(0)), p[0].get(0).mul(&b[0].get(1))],
            half => [dot(&p[half..], &b[..half]), dot(&p[..half], &b[half..])],
        };
        RoundTerms {
            values: [left.mul(&self.z), right.mul(&self.z)],
            blinds: random,
        }
    }

    /// Ends a round with its challenge and gives the challenge's inverse.
    pub fn challenge(&mut self, u: &Value) -> Value {
        let inverse = invert(u);
        fold(&mut self.polynomial, &inverse);
        fold(&mut self.powers, u);
        self.blind = self
            .blind
            .add(&self.random[0].mul(&inverse))
            .add(&self.random[1].mul(u));
        inverse
    }

    /// After the last round: the folded polynomial's one coefficient and the blind, the proof's last two scalars.
    pub fn finish(&self) -> [Value; 2] {
        [self.polynomial[0].get(0), self.blind]
    }
}

impl Drop for InnerProduct {
    fn drop(&mut self) {
        clear(&mut self.polynomial);
    }
}

/// Share `part` of `parts` of a commitment over g; exactly one share must be given the blind.
pub fn commit_share(
    bases: &FixedBases<Vesta>,
    polynomial: &Polynomial,
    blind: Option<&Value>,
    share: (usize, usize),
) -> Point<Vesta> {
    let (part, parts) = share;
    let [from, to] = even_share(ROWS, part, parts.max(1));
    let mut scalars = vec![[0; 4]; BASES];
    for (index, pair) in polynomial.pairs()[from / 2..to / 2].iter().enumerate() {
        let plain = Pair::from_element(&pair.load().unmont());
        let [first, second] = words_of_plain(&plain);
        scalars[from + 2 * index] = first;
        scalars[from + 2 * index + 1] = second;
    }
    if let Some(blind) = blind {
        scalars[BLINDING_BASE] = blind.to_words();
    }
    let point = bases.msm(&scalars);
    clear_scalars(&mut scalars);
    point
}

/// Folds the upper half of a vector onto the lower, times a factor.
pub(super) fn fold(values: &mut Vec<Pair<PallasBase>>, factor: &Value) {
    let half = values.len() / 2;
    if half == 0 {
        let folded = values[0].get(0).add(&values[0].get(1).mul(factor));
        values[0] = Pair::new(&folded, &Value::ZERO);
        return;
    }
    let factor = Pair::new(factor, factor).load();
    let (low, high) = values.split_at_mut(half);
    for (low, high) in low.iter_mut().zip(high) {
        let sum = low.load().add(&high.load().mul(&factor)).tighten();
        low.store(&sum);
        *high = Pair::ZERO;
    }
    values.truncate(half);
}

/// An even range of `0..terms`, about one of `parts` equal ones; the shares cover it without overlap.
pub(super) fn even_share(terms: usize, part: usize, parts: usize) -> [usize; 2] {
    let pairs = terms / 2;
    [2 * (pairs * part / parts), 2 * (pairs * (part + 1) / parts)]
}

/// Two elements out of Montgomery form as canonical words.
pub(super) fn words_of_plain(pair: &Pair<PallasBase>) -> [Scalar; 2] {
    core::array::from_fn(|lane| {
        let limbs = pair.get(lane).load().canonical();
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
    })
}

pub(super) fn clear(values: &mut [Pair<PallasBase>]) {
    values.fill(Pair::ZERO);
    core::hint::black_box(values);
}

pub(super) fn clear_scalars(scalars: &mut [Scalar]) {
    scalars.fill([0; 4]);
    core::hint::black_box(scalars);
}
