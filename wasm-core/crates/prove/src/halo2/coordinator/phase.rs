//! Phases of a proof, in order.

use svc_circuit::shape::LOG_ROWS;

use crate::halo2::arguments::inner_product::SWITCH_ROUND;

/// The phase of a proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Phase {
    /// Nothing is asked yet.
    Start,
    /// Witness columns, action by action.
    Witness,
    /// Permuted lookups.
    Lookups,
    /// Products, and what is lent.
    Products,
    /// Constraints on cosets.
    Quotient,
    /// What they add up to.
    Sums,
    /// Commitments of the quotient.
    Pieces,
    /// Values of all polynomials.
    Evaluations,
    /// Polynomials folded by their points.
    Fold,
    /// Their quotients, and the mask.
    Opening,
    /// A round of the inner product argument.
    Argument(usize),
    /// Between two rounds the generators are folded.
    Generators,
    /// The shards forget the proof.
    End,
    /// The proof is handed out.
    Done,
    /// Something was wrong: whatever comes now is refused, so that no blind is used under two challenges.
    Failed,
}

impl Phase {
    /// The phase's name and how much of the whole proof is done, 0 to 1, with this part of the phase.
    pub fn progress(self, part: f64) -> (&'static str, f64) {
        let (name, begin, end) = self.span();
        (name, begin + (end - begin) * part)
    }

    /// Name, begin and end; shares of the time on one worker with two actions.
    fn span(self) -> (&'static str, f64, f64) {
        let round = |round: usize| 0.90 + 0.10 * round as f64 / LOG_ROWS as f64;
        match self {
            Self::Start | Self::Witness => ("witness", 0.0, 0.14),
            Self::Lookups => ("lookups", 0.14, 0.19),
            Self::Products => ("products", 0.19, 0.30),
            Self::Quotient => ("quotient", 0.30, 0.78),
            Self::Sums => ("quotient", 0.78, 0.78),
            Self::Pieces => ("pieces", 0.78, 0.86),
            Self::Evaluations => ("evaluations", 0.86, 0.87),
            Self::Fold => ("opening", 0.87, 0.88),
            Self::Opening => ("opening", 0.88, 0.90),
            Self::Argument(index) => ("argument", round(index), round(index + 1)),
            Self::Generators => ("argument", round(SWITCH_ROUND), round(SWITCH_ROUND)),
            Self::End | Self::Done | Self::Failed => ("argument", 1.0, 1.0),
        }
    }
}
