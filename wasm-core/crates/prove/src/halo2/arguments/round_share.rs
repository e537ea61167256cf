//! One worker's share of the rounds of the inner product argument ([`crate::halo2::arguments::inner_product`]).

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_kernels::curve::{Affine, Point, Vesta};
use svc_kernels::fft::column::ROWS;
use svc_kernels::field::stored::Pair;
use svc_kernels::lanes::modulus::PallasBase;
use svc_kernels::msm::fixed_bases::FixedBases;
use svc_kernels::msm::shared_scalars::sums_of_shared_scalars;
use svc_kernels::msm::variable_msm::msm;

use crate::halo2::arguments::inner_product::BLINDING_BASE;

use crate::halo2::arguments::inner_product::ROUNDS;

use crate::halo2::arguments::inner_product::RoundTerms;

use crate::halo2::arguments::inner_product::Scalar;

use crate::halo2::arguments::inner_product::clear;

use crate::halo2::arguments::inner_product::clear_scalars;

use crate::halo2::arguments::inner_product::even_share;

use crate::halo2::arguments::inner_product::fold;

use crate::halo2::arguments::inner_product::words_of_plain;
use crate::halo2::polynomials::polynomial::{Polynomial, Value};

/// What one more sum over part of the basis costs, counted in terms: its buckets are reduced once more.
const SUM_AS_TERMS: usize = 80;

/// One worker's share of the rounds.
#[derive(Clone, Debug)]
pub struct RoundShare {
    polynomial: Vec<Pair<PallasBase>>,
    /// S_j, both lanes alike, out of Montgomery form: a product with the polynomial is then a plain scalar.
    factors: Vec<Pair<PallasBase>>,
    /// The basis that S_0 is about: empty for the original one.
    generators: Vec<Affine<Vesta>>,
    rounds: usize,
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
            rounds: 0,
            part,
            parts: parts.max(1),
        }
    }

    /// What this share adds to the round's left and right commitment. Exactly one share must be given the terms.
    /// Errors: `internal/unexpected` after the last round.
    pub fn commit(
        &self,
        tables: &FixedBases<Vesta>,
        terms: Option<&RoundTerms>,
    ) -> Result<[Point<Vesta>; 2], SvcError> {
        self.check_open()?;
        let ranges = split(self.basis() / 2, self.part, self.parts);
        Ok(core::array::from_fn(|side| {
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
        }))
    }

    /// Ends a round with its challenge and the challenge's inverse. Errors: `internal/unexpected` after the last round.
    pub fn challenge(&mut self, u: &Value, inverse: &Value) -> Result<(), SvcError> {
        self.check_open()?;
        self.rounds += 1;
        fold(&mut self.polynomial, inverse);
        let u = Pair::new(u, u).load();
        self.factors = core::mem::take(&mut self.factors)
            .into_iter()
            .flat_map(|factor| [factor, Pair::from_element(&factor.load().mul(&u))])
            .collect();
        Ok(())
    }

    /// This share of the generators that are left, in order; the shares one behind the other are all of them.
    /// Errors: `internal/unexpected` after the last round, and when the generators have been folded already.
    pub fn fold_generators(
        &self,
        tables: &FixedBases<Vesta>,
    ) -> Result<Vec<Affine<Vesta>>, SvcError> {
        self.check_open()?;
        if !self.generators.is_empty() {
            return Err(out_of_order());
        }
        let left = ROWS / self.factors.len();
        let [from, to] = even_share(left, self.part, self.parts);
        let scalars: Vec<Scalar> = self
            .factors
            .iter()
            .map(|factor| words_of_plain(factor)[0])
            .collect();
        Ok(sums_of_shared_scalars(tables, &scalars, left, from..to))
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

    /// Every round doubles the factors and halves what is left: after the last there is nothing to halve.
    fn check_open(&self) -> Result<(), SvcError> {
        if self.rounds < ROUNDS {
            Ok(())
        } else {
            Err(out_of_order())
        }
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

/// One out of Montgomery form.
fn plain_one() -> Pair<PallasBase> {
    let one = Value::from_element(&Value::ONE.load().unmont());
    Pair::new(&one, &one)
}

fn out_of_order() -> SvcError {
    SvcError::new(Code::InternalUnexpected).with("message", "a round of an argument out of order")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halo2::arguments::inner_product::SWITCH_ROUND;

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
            share.challenge(&Value::ONE, &Value::ONE).unwrap();
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
