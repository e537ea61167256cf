//! Proof parser: splits a proof into its 32-byte elements, points apart from scalars, and where each of them is.

use svc_circuit::shape::{
    ADVICE_COLUMNS, ELEMENT_BYTES, LOG_ROWS, LOOKUPS, PERMUTATION_PRODUCTS, QUOTIENT_PIECES,
    proof_len, proof_runs,
};

/// The elements of one proof, still encoded, in proof order.
#[derive(Clone, Debug)]
pub struct ProofElements<'a> {
    /// 22 per action and 33 more.
    pub points: Vec<&'a [u8; ELEMENT_BYTES]>,
    /// 49 per action and 52 more.
    pub scalars: Vec<&'a [u8; ELEMENT_BYTES]>,
}

impl<'a> ProofElements<'a> {
    /// Takes a proof for `actions` actions apart; none unless it has its one possible length.
    pub fn split(proof: &'a [u8], actions: usize) -> Option<Self> {
        if proof_len(actions) != Some(proof.len()) {
            return None;
        }
        let (elements, _) = proof.as_chunks::<ELEMENT_BYTES>();
        let mut split = Self {
            points: Vec::new(),
            scalars: Vec::new(),
        };
        let mut elements = elements.iter();
        for run in proof_runs(actions)? {
            let target = if run.points {
                &mut split.points
            } else {
                &mut split.scalars
            };
            target.extend(elements.by_ref().take(run.count));
        }
        Some(split)
    }
}

/// Where the points of a proof for so many actions are.
#[derive(Clone, Copy, Debug)]
pub struct PointPlaces {
    /// Actions.
    pub actions: usize,
}

impl PointPlaces {
    /// The commitment of a witness column.
    pub fn advice(&self, action: usize, column: usize) -> usize {
        action * ADVICE_COLUMNS + column
    }

    /// The permuted input of a lookup; the permuted table follows it.
    pub fn lookup_input(&self, action: usize, lookup: usize) -> usize {
        self.actions * ADVICE_COLUMNS + 2 * (action * LOOKUPS + lookup)
    }

    /// A product of the permutation argument.
    pub fn permutation_product(&self, action: usize, product: usize) -> usize {
        self.actions * (ADVICE_COLUMNS + 2 * LOOKUPS) + action * PERMUTATION_PRODUCTS + product
    }

    /// The product of a lookup.
    pub fn lookup_product(&self, action: usize, lookup: usize) -> usize {
        self.actions * (ADVICE_COLUMNS + 2 * LOOKUPS + PERMUTATION_PRODUCTS)
            + action * LOOKUPS
            + lookup
    }

    /// The random polynomial of the vanishing argument.
    pub fn random(&self) -> usize {
        self.actions * (ADVICE_COLUMNS + 3 * LOOKUPS + PERMUTATION_PRODUCTS)
    }

    /// The first piece of the quotient; the others follow.
    pub fn quotient(&self) -> usize {
        self.random() + 1
    }

    /// q′ of the joint opening.
    pub fn opening(&self) -> usize {
        self.quotient() + QUOTIENT_PIECES
    }

    /// s of the inner product argument.
    pub fn mask(&self) -> usize {
        self.opening() + 1
    }

    /// L of a round of the inner product argument; R follows it.
    pub fn round(&self, round: usize) -> usize {
        self.mask() + 1 + 2 * round
    }

    /// All points.
    pub fn count(&self) -> usize {
        self.round(LOG_ROWS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_counted_and_in_order() {
        for actions in [1, 2, 12] {
            let proof: Vec<u8> = (0..2720 + 2272 * actions)
                .map(|byte| (byte / ELEMENT_BYTES) as u8)
                .collect();
            let split = ProofElements::split(&proof, actions).unwrap();
            let places = PointPlaces { actions };
            assert_eq!(split.points.len(), 22 * actions + 33);
            assert_eq!(split.scalars.len(), 49 * actions + 52);
            assert_eq!(places.count(), split.points.len());
            assert_eq!(places.random(), 22 * actions);
            let scalars_before = 49 * actions + 45;
            let opening = places.opening();
            assert_eq!(split.points[opening][0], (opening + scalars_before) as u8);
            assert_eq!(
                split.points[opening + 1][0],
                (opening + 1 + scalars_before + 5) as u8
            );
            assert!(ProofElements::split(&proof[1..], actions).is_none());
            assert!(ProofElements::split(&proof, actions + 1).is_none());
        }
        assert!(ProofElements::split(&[], usize::MAX).is_none());
    }
}
