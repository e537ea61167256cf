//! Progress reports of upstream's prover.
//!
//! Upstream's prover has no callback, but it draws randomness at every step: blinding of each column, of the
//! vanishing argument, of the opening at the end. The number of draws follows from the number of actions, so
//! counting them shows where the prover is. During the quotient polynomial, more than half of the time, nothing
//! is drawn and nothing can be reported.

use core::convert::Infallible;

use rand::{Rng, TryCryptoRng, TryRng};

/// Draws for the witness columns of one action.
const WITNESS_DRAWS: u64 = 560;
/// Draws for one action until the quotient polynomial begins, those of the witness included.
const ACTION_DRAWS: u64 = 1_184;
/// Draws for the vanishing argument.
const VANISHING_DRAWS: u64 = 16_392;
/// Draws after the quotient polynomial.
const OPENING_DRAWS: u64 = 16_640;

/// Shares of the time, measured with two to five actions: witness columns, permutation and vanishing argument,
/// quotient polynomial, opening.
const WITNESS_SHARE: f64 = 0.15;
const ARGUMENTS_SHARE: f64 = 0.15;
const QUOTIENT_SHARE: f64 = 0.60;
const OPENING_SHARE: f64 = 0.10;
/// The smallest step worth a call.
const STEP: f64 = 0.01;

/// The stages of a proof: building, then proving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Notes, ciphertexts and commitments of the actions.
    Building,
    /// The proof, nearly all of the time.
    Proving,
}

impl Stage {
    /// The name that callers see.
    pub fn name(self) -> &'static str {
        match self {
            Self::Building => "building",
            Self::Proving => "proving",
        }
    }
}

/// Receives a stage and how much of it is done, 0 to 1, never falling within a stage.
pub type Progress<'a> = &'a mut dyn FnMut(Stage, f64);

/// A generator that reports the prover's progress from what is drawn of it.
pub struct ProofRng<'a, R> {
    inner: R,
    actions: u64,
    draws: u64,
    reported: f64,
    progress: Progress<'a>,
}

impl<'a, R: Rng> ProofRng<'a, R> {
    /// Wraps `inner` for one proof over `actions` actions.
    pub fn new(inner: R, actions: usize, progress: Progress<'a>) -> Self {
        Self {
            inner,
            actions: actions as u64,
            draws: 0,
            reported: 0.0,
            progress,
        }
    }

    fn count(&mut self) {
        self.draws += 1;
        let done = fraction(self.draws, self.actions);
        if done >= self.reported + STEP && done < 1.0 {
            self.reported = done;
            (self.progress)(Stage::Proving, done);
        }
    }
}

/// The share of the time that has passed at the given draw of a proof.
fn fraction(draws: u64, actions: u64) -> f64 {
    let witness = WITNESS_DRAWS * actions;
    let before_quotient = ACTION_DRAWS * actions + VANISHING_DRAWS;
    let part = |from: u64, length: u64| {
        (draws.saturating_sub(from) as f64 / length.max(1) as f64).min(1.0)
    };
    if draws <= witness {
        WITNESS_SHARE * part(0, witness)
    } else if draws <= before_quotient {
        WITNESS_SHARE + ARGUMENTS_SHARE * part(witness, before_quotient - witness)
    } else {
        let before = WITNESS_SHARE + ARGUMENTS_SHARE + QUOTIENT_SHARE;
        before + OPENING_SHARE * part(before_quotient, OPENING_DRAWS)
    }
}

impl<R: Rng> TryRng for ProofRng<'_, R> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.count();
        Ok(self.inner.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.count();
        Ok(self.inner.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.count();
        self.inner.fill_bytes(bytes);
        Ok(())
    }
}

impl<R: Rng + TryCryptoRng> TryCryptoRng for ProofRng<'_, R> {}
