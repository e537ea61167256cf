//! The inner product argument that opens one polynomial at one point (upstream's `poly::commitment::create_proof`).
//!
//! The generators are not folded round by round. After j rounds, generator i of the folded basis is the sum over m of
//! S_j\[m\] times the original generator i + m·n/2ʲ, where S_0 = \[1\] and S_(j+1)\[2m + c\] = S_j\[m\]·u_jᶜ. So the two
//! commitments of a round are sums over the original basis, for which there are tables: each original generator
//! belongs to exactly one of them, with a product of S_j and the folded polynomial as its scalar. After
//! [`SWITCH_ROUND`] rounds the few generators left are computed, all from the same scalars, and the other rounds go on
//! from these.

use svc_circuit::shape::LOG_ROWS;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_kernels::column::{Coefficients, ROWS};
use svc_kernels::curve::{Affine, Point, Vesta};
use svc_kernels::fixed_bases::FixedBases;
use svc_kernels::inverse::invert;
use svc_kernels::modulus::{LIMB_BITS, PallasBase};
use svc_kernels::shared_scalars::sums_of_shared_scalars;
use svc_kernels::stored::Pair;
use svc_kernels::variable_msm::msm;

use crate::engine::polynomial::{
    Polynomial, Value, dot, evaluate, linear_combination, power_pairs,
};

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

/// What one more sum over part of the basis costs, counted in terms: its buckets are reduced once more.
const SUM_AS_TERMS: usize = 80;

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
        let argument = InnerProduct {
            polynomial: masked.pairs().to_vec(),
            powers: power_pairs(&self.point),
            z: *z,
            blind: self.mask_blind.mul(xi).add(&self.blind),
            random: [Value::ZERO; 2],
        };
        masked.clear();
        argument
    }
}

impl Drop for Masked {
    fn drop(&mut self) {
        self.polynomial.clear();
        self.mask.clear();
    }
}

/// The argument as the side sees it that talks to the transcript.
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

/// One worker's share of the rounds.
#[derive(Clone, Debug)]
pub struct RoundShare {
    polynomial: Vec<Pair<PallasBase>>,
    /// S_j, both lanes alike, out of Montgomery form: a product with the polynomial is then a plain scalar.
    factors: Vec<Pair<PallasBase>>,
    /// The basis that S_0 is about: empty for the original one.
    generators: Vec<Affine<Vesta>>,
    part: usize,
    parts: usize,
}

impl RoundShare {
    /// Share `part` of `parts` for the masked polynomial.
    pub fn new(polynomial: &Polynomial, part: usize, parts: usize) -> Self {
        Self {
            polynomial: polynomial.pairs().to_vec(),
            factors: vec![plain_one()],
            generators: Vec::new(),
            part,
            parts: parts.max(1),
        }
    }

    /// What this share adds to the round's left and right commitment. Exactly one share must be given the terms.
    pub fn commit(
        &self,
        tables: &FixedBases<Vesta>,
        terms: Option<&RoundTerms>,
    ) -> [Point<Vesta>; 2] {
        let ranges = split(self.basis() / 2, self.part, self.parts);
        core::array::from_fn(|side| {
            let mut scalars = self.scalars(side, ranges[side]);
            let extra =
                terms.map(|terms| [terms.blinds[side].to_words(), terms.values[side].to_words()]);
            let point = if self.generators.is_empty() {
                scalars.extend(extra.unwrap_or_default());
                tables.msm(&scalars)
            } else {
                self.commit_without_tables(&scalars, tables, extra)
            };
            clear_scalars(&mut scalars);
            point
        })
    }

    /// Ends a round with its challenge and the challenge's inverse.
    pub fn challenge(&mut self, u: &Value, inverse: &Value) {
        fold(&mut self.polynomial, inverse);
        let u = Pair::new(u, u).load();
        self.factors = core::mem::take(&mut self.factors)
            .into_iter()
            .flat_map(|factor| [factor, Pair::from_element(&factor.load().mul(&u))])
            .collect();
    }

    /// This share of the generators that are left, in order; the shares one behind the other are all of them.
    pub fn fold_generators(&self, tables: &FixedBases<Vesta>) -> Vec<Affine<Vesta>> {
        let left = ROWS / self.factors.len();
        let [from, to] = even_share(left, self.part, self.parts);
        let scalars: Vec<Scalar> = self
            .factors
            .iter()
            .map(|factor| words_of_plain(factor)[0])
            .collect();
        sums_of_shared_scalars(tables, &scalars, left, from..to)
    }

    /// Goes on from the generators that are left. Errors: `codec/not-canonical` for a wrong number of them.
    pub fn set_generators(&mut self, generators: Vec<Affine<Vesta>>) -> Result<(), SvcError> {
        let expected = ROWS / self.factors.len();
        if !self.generators.is_empty() || generators.len() != expected {
            return Err(SvcError::new(Code::CodecNotCanonical).with("what", "generators"));
        }
        self.generators = generators;
        self.factors = vec![plain_one()];
        Ok(())
    }

    /// Bases of the sums: original generators, or those that were left.
    fn basis(&self) -> usize {
        if self.generators.is_empty() {
            ROWS
        } else {
            self.generators.len()
        }
    }

    fn commit_without_tables(
        &self,
        scalars: &[Scalar],
        tables: &FixedBases<Vesta>,
        extra: Option<[Scalar; 2]>,
    ) -> Point<Vesta> {
        let blinding_and_value = tables
            .bases()
            .iter()
            .skip(BLINDING_BASE)
            .zip(extra.iter().flatten());
        let used = self
            .generators
            .iter()
            .zip(scalars)
            .filter(|(_, scalar)| **scalar != [0; 4]);
        let (points, mut scalars): (Vec<Affine<Vesta>>, Vec<Scalar>) =
            used.chain(blinding_and_value).unzip();
        let point = msm(&scalars, &points);
        clear_scalars(&mut scalars);
        point
    }

    /// The scalars of one commitment for the terms in a range; left is side 0.
    ///
    /// Term o = m·half + i of side s belongs to base (2m + s)·half + i. Left takes the upper half of the polynomial.
    fn scalars(&self, side: usize, range: [usize; 2]) -> Vec<Scalar> {
        let half = self.basis() / 2 / self.factors.len();
        let mut scalars = Vec::with_capacity(self.basis() + 2);
        scalars.resize(self.basis(), [0; 4]);
        for term in (range[0]..range[1]).step_by(2) {
            let (m, i) = (term / half, term % half);
            let product = if half == 1 {
                let coefficient = self.polynomial[0].get(1 - side);
                let factors = Pair::new(&self.factors[m].get(0), &self.factors[m + 1].get(0));
                factors
                    .load()
                    .mul(&Pair::new(&coefficient, &coefficient).load())
            } else {
                self.factors[m]
                    .load()
                    .mul(&self.polynomial[((1 - side) * half + i) / 2].load())
            };
            let [first, second] = words_of_plain(&Pair::from_element(&product));
            let base = (2 * m + side) * half + i;
            scalars[base] = first;
            scalars[if half == 1 { base + 2 } else { base + 1 }] = second;
        }
        scalars
    }
}

impl Drop for RoundShare {
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
fn fold(values: &mut Vec<Pair<PallasBase>>, factor: &Value) {
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

/// The terms of the left and of the right commitment one share takes, each of `terms`.
///
/// The left terms are dealt to the first shares, the right ones to the last; with an odd number of shares the one in
/// the middle has both kinds and pays for two sets of buckets, so it gets fewer terms.
fn split(terms: usize, part: usize, parts: usize) -> [[usize; 2]; 2] {
    if parts == 1 {
        return [[0, terms]; 2];
    }
    if parts.is_multiple_of(2) {
        let half = parts / 2;
        let own = even_share(terms, part % half, half);
        return if part < half {
            [own, [0, 0]]
        } else {
            [[0, 0], own]
        };
    }
    let half = parts / 2;
    let outer = ((2 * terms + SUM_AS_TERMS) / parts).min(terms / half) & !1;
    let middle = terms - outer * half;
    // Shares are taken from both ends towards the middle.
    let own = |part: usize| [part * outer, (part + 1) * outer];
    if part < half {
        [own(part), [0, 0]]
    } else if part == half {
        [[terms - middle, terms]; 2]
    } else {
        [[0, 0], own(parts - 1 - part)]
    }
}

/// An even range of `0..terms`, about one of `parts` equal ones; the shares cover it without overlap.
fn even_share(terms: usize, part: usize, parts: usize) -> [usize; 2] {
    let pairs = terms / 2;
    [2 * (pairs * part / parts), 2 * (pairs * (part + 1) / parts)]
}

/// Two elements out of Montgomery form as canonical words.
fn words_of_plain(pair: &Pair<PallasBase>) -> [Scalar; 2] {
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

/// One out of Montgomery form.
fn plain_one() -> Pair<PallasBase> {
    let one = Value::from_element(&Value::ONE.load().unmont());
    Pair::new(&one, &one)
}

fn clear(values: &mut [Pair<PallasBase>]) {
    values.fill(Pair::ZERO);
    core::hint::black_box(values);
}

fn clear_scalars(scalars: &mut [Scalar]) {
    scalars.fill([0; 4]);
    core::hint::black_box(scalars);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_belongs_to_one_share() {
        for terms in [ROWS / 2, 32, 2] {
            for parts in 1..=17 {
                for side in 0..2 {
                    let mut taken = vec![0; terms];
                    for part in 0..parts {
                        let [from, to] = split(terms, part, parts)[side];
                        assert!(from % 2 == 0 && to % 2 == 0, "pairs stay together");
                        taken
                            .iter_mut()
                            .take(to)
                            .skip(from)
                            .for_each(|count| *count += 1);
                    }
                    assert!(
                        taken.iter().all(|count| *count == 1),
                        "{terms} terms, {parts} parts"
                    );
                }
            }
        }
    }

    #[test]
    fn an_odd_share_takes_less_of_both_sides() {
        let [left, right] = split(ROWS / 2, 1, 3);
        let outer = split(ROWS / 2, 0, 3)[0];
        assert_eq!(left, right);
        assert!(2 * (left[1] - left[0]) < outer[1] - outer[0]);
    }

    #[test]
    fn a_wrong_number_of_generators_is_refused() {
        let mut share = RoundShare::new(&Polynomial::zero(), 0, 1);
        for _ in 0..SWITCH_ROUND {
            share.challenge(&Value::ONE, &Value::ONE);
        }
        let expected = ROWS >> SWITCH_ROUND;
        for wrong in [0, expected - 1, expected + 1] {
            assert!(
                share
                    .set_generators(vec![Affine::generator(); wrong])
                    .is_err()
            );
        }
        assert!(
            share
                .set_generators(vec![Affine::generator(); expected])
                .is_ok()
        );
        assert!(
            share
                .set_generators(vec![Affine::generator(); expected])
                .is_err()
        );
    }
}
