//! Code generation for scalars: the program that computes the constants of a proof from its challenges.

use std::collections::{BTreeMap, HashMap};

use svc_circuit::quotient_program::CHALLENGES;

use crate::factor::Factor;
use crate::program_builder::{ProgramBuilder, Source};

/// A polynomial in the challenges: exponents to factors.
pub type Scalar = BTreeMap<[usize; CHALLENGES], Factor>;

/// The program so far; its outputs are the constants.
#[derive(Debug, Default)]
pub struct ScalarCode {
    /// The program.
    pub builder: ProgramBuilder,
    powers: HashMap<(usize, usize), Source>,
    monomials: HashMap<[usize; CHALLENGES], Source>,
    numbers: HashMap<Scalar, usize>,
}

impl ScalarCode {
    /// The number of a constant.
    pub fn number(&mut self, scalar: &Scalar) -> usize {
        if let Some(number) = self.numbers.get(scalar) {
            return *number;
        }
        let mut products = Vec::new();
        let mut values = Vec::new();
        for (powers, factor) in scalar {
            let monomial = self.monomial(powers);
            match factor.as_small() {
                Some(small) => values.push((small, monomial)),
                None => products.push((monomial, self.builder.literal(factor))),
            }
        }
        // A sum takes in only so much beside products.
        let source = if products.is_empty() {
            self.builder.combine(vec![], values)
        } else if values.is_empty() {
            self.builder.combine(products, vec![])
        } else {
            let rest = self.builder.combine(vec![], values);
            self.builder.combine(products, vec![(1, rest)])
        };
        let number = self.builder.output(source);
        self.numbers.insert(scalar.clone(), number);
        number
    }

    fn monomial(&mut self, powers: &[usize; CHALLENGES]) -> Source {
        if let Some(source) = self.monomials.get(powers) {
            return *source;
        }
        let mut product: Option<Source> = None;
        for (challenge, power) in powers.iter().enumerate().filter(|(_, power)| **power > 0) {
            let factor = self.power(challenge, *power);
            product = Some(match product {
                Some(known) => self.builder.product(known, factor),
                None => factor,
            });
        }
        let source = product.unwrap_or_else(|| self.builder.literal(&Factor::small(1)));
        self.monomials.insert(*powers, source);
        source
    }

    fn power(&mut self, challenge: usize, power: usize) -> Source {
        let base = Source::Column(challenge);
        let mut source = base;
        for exponent in 2..=power {
            source = match self.powers.get(&(challenge, exponent)) {
                Some(known) => *known,
                None => {
                    let next = self.builder.product(source, base);
                    self.powers.insert((challenge, exponent), next);
                    next
                }
            };
        }
        source
    }
}
