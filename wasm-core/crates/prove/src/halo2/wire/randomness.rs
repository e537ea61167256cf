//! Deterministic randomness of one proof: a ChaCha20 stream from one seed, addressed by draw.
//!
//! A draw is one field element from one 64-byte block, so draw d is block d of the stream and any worker can make
//! its own draws. The table of draws is in [`crate::halo2`].

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use svc_circuit::shape::{
    ADVICE_COLUMNS, BLINDING_FACTORS, LOG_ROWS, LOOKUPS, PERMUTATION_PRODUCTS, QUOTIENT_PIECES,
    ROWS, UNUSABLE_ROWS,
};
use svc_circuit::transcript::from_wide_bytes;
use svc_shielded::secret::Secret32;
use zeroize::Zeroize;

use crate::halo2::Fp;

/// Bytes of the stream that make one field element.
const DRAW_BYTES: usize = 64;

/// Draws for the witness columns of an action: last rows, then blinds.
const WITNESS: usize = ADVICE_COLUMNS * (UNUSABLE_ROWS + 1);
/// Draws for one permuted lookup: last rows of inputs and of table, a blind for each.
const PERMUTED: usize = 2 * (UNUSABLE_ROWS + 1);
/// Draws for one product: its last rows and its blind.
const PRODUCT: usize = BLINDING_FACTORS + 1;
/// Draws of an action in each of the four phases that draw per action.
const PHASES: [usize; 4] = [
    WITNESS,
    LOOKUPS * PERMUTED,
    PERMUTATION_PRODUCTS * PRODUCT,
    LOOKUPS * PRODUCT,
];

/// Elements drawn for a proof; overwritten when dropped, and not printed: with them a commitment tells what it is of.
pub struct Drawn(Vec<Fp>);

impl core::ops::Deref for Drawn {
    type Target = [Fp];

    fn deref(&self) -> &[Fp] {
        &self.0
    }
}

impl Drop for Drawn {
    fn drop(&mut self) {
        self.0.fill(Fp::ZERO);
        core::hint::black_box(&mut self.0);
    }
}

impl core::fmt::Debug for Drawn {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("Drawn(..)")
    }
}

/// The draws of a proof over a given number of actions.
#[derive(Debug)]
pub struct Draws {
    seed: Secret32,
    actions: usize,
}

impl Draws {
    /// From 32 bytes that are used for this one proof.
    pub fn new(seed: Secret32, actions: usize) -> Self {
        Self { seed, actions }
    }

    /// Actions of the proof.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// The last rows of a witness column.
    pub fn witness_rows(&self, action: usize, column: usize) -> Drawn {
        let first = self.position(0, action) + column * UNUSABLE_ROWS;
        self.draw(first, UNUSABLE_ROWS)
    }

    /// The blinds of the witness columns.
    pub fn witness_blinds(&self, action: usize) -> Drawn {
        let first = self.position(0, action) + ADVICE_COLUMNS * UNUSABLE_ROWS;
        self.draw(first, ADVICE_COLUMNS)
    }

    /// A permuted lookup: last rows of the inputs, last rows of the table, blind of the inputs, blind of the table.
    pub fn permuted(&self, action: usize, lookup: usize) -> Drawn {
        self.draw(self.position(1, action) + lookup * PERMUTED, PERMUTED)
    }

    /// A permutation product: its last rows, then its blind.
    pub fn permutation_product(&self, action: usize, set: usize) -> Drawn {
        self.draw(self.position(2, action) + set * PRODUCT, PRODUCT)
    }

    /// A lookup product: its last rows, then its blind.
    pub fn lookup_product(&self, action: usize, lookup: usize) -> Drawn {
        self.draw(self.position(3, action) + lookup * PRODUCT, PRODUCT)
    }

    /// The random polynomial of the vanishing argument: its coefficients.
    pub fn random_polynomial(&self) -> Drawn {
        self.draw(self.common(0), ROWS)
    }

    /// The blind of the random polynomial.
    pub fn random_blind(&self) -> Fp {
        self.one(self.common(ROWS))
    }

    /// The blinds of the pieces of the quotient polynomial.
    pub fn quotient_blinds(&self) -> Drawn {
        self.draw(self.common(ROWS + 1), QUOTIENT_PIECES)
    }

    /// The blind of q′ of the multi-opening.
    pub fn opening_blind(&self) -> Fp {
        self.one(self.common(ROWS + 1 + QUOTIENT_PIECES))
    }

    /// The mask polynomial of the inner product argument, before it is given its root: its coefficients.
    pub fn mask(&self) -> Drawn {
        self.draw(self.common(ROWS + 2 + QUOTIENT_PIECES), ROWS)
    }

    /// The blind of the mask.
    pub fn mask_blind(&self) -> Fp {
        self.one(self.common(2 * ROWS + 2 + QUOTIENT_PIECES))
    }

    /// The blinds of L and R of a round of the inner product argument.
    pub fn round_blinds(&self, round: usize) -> [Fp; 2] {
        debug_assert!(round < LOG_ROWS, "a round beyond the last");
        let first = self.common(2 * ROWS + 3 + QUOTIENT_PIECES) + 2 * round;
        [self.one(first), self.one(first + 1)]
    }

    /// The first draw of an action in one of the phases of [`PHASES`].
    fn position(&self, phase: usize, action: usize) -> usize {
        let before: usize = PHASES.iter().take(phase).sum();
        self.actions * before + action * PHASES[phase]
    }

    /// A draw after those of the actions.
    fn common(&self, offset: usize) -> usize {
        self.actions * PHASES.iter().sum::<usize>() + offset
    }

    fn one(&self, position: usize) -> Fp {
        self.draw(position, 1).first().copied().unwrap_or(Fp::ZERO)
    }

    fn draw(&self, first: usize, count: usize) -> Drawn {
        let mut stream = ChaCha20::new(self.seed.expose().into(), &[0; 12].into());
        stream.seek((first * DRAW_BYTES) as u64);
        let mut block = [0u8; DRAW_BYTES];
        // One allocation: growing would leave copies behind.
        let mut elements = Drawn(Vec::with_capacity(count));
        for _ in 0..count {
            block.fill(0);
            stream.apply_keystream(&mut block);
            elements.0.push(from_wide_bytes(&block));
        }
        block.zeroize();
        elements
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ff::{Field, PrimeField};
    use rand::SeedableRng;
    use rand::rngs::ChaCha20Rng;

    #[test]
    fn draws_follow_upstreams_generator_in_its_order() {
        let (actions, seed) = (3, [0x5a; 32]);
        let draws = Draws::new(Secret32::new(seed), actions);
        let mut ordered = Vec::new();
        for action in 0..actions {
            for column in 0..ADVICE_COLUMNS {
                ordered.extend_from_slice(&draws.witness_rows(action, column));
            }
            ordered.extend_from_slice(&draws.witness_blinds(action));
        }
        let each = |f: &dyn Fn(usize, usize) -> Drawn, ordered: &mut Vec<Fp>| {
            for action in 0..actions {
                for index in 0..3 {
                    ordered.extend_from_slice(&f(action, index));
                }
            }
        };
        each(&|action, index| draws.permuted(action, index), &mut ordered);
        each(
            &|action, index| draws.permutation_product(action, index),
            &mut ordered,
        );
        each(
            &|action, index| draws.lookup_product(action, index),
            &mut ordered,
        );
        ordered.extend_from_slice(&draws.random_polynomial());
        ordered.push(draws.random_blind());
        ordered.extend_from_slice(&draws.quotient_blinds());
        ordered.push(draws.opening_blind());
        ordered.extend_from_slice(&draws.mask());
        ordered.push(draws.mask_blind());
        for round in 0..LOG_ROWS {
            ordered.extend(draws.round_blinds(round));
        }
        assert_eq!(ordered.len(), 148 * actions + 2 * ROWS + 33);
        let mut rng = ChaCha20Rng::from_seed(seed);
        for (position, ours) in ordered.iter().enumerate() {
            let theirs = pasta_curves::Fp::random(&mut rng);
            assert_eq!(ours.to_bytes(), theirs.to_repr(), "draw {position}");
        }
    }
}
