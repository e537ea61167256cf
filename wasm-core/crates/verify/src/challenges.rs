//! Fiat-Shamir challenges of one proof: everything the transcript says, without any arithmetic on the values.

use svc_circuit::shape::{
    ADVICE_COLUMNS, LOG_ROWS, LOOKUPS, PERMUTATION_PRODUCTS, POINT_SETS, QUOTIENT_PIECES,
};
use svc_circuit::transcript::Transcript;
use svc_kernels::curve::{Affine, Vesta};

use crate::domain_values::Value;
use crate::proof_elements::ProofElements;

/// The challenges in the order in which they are drawn.
#[derive(Clone, Debug)]
pub struct Challenges {
    /// Joins the columns of a lookup.
    pub theta: Value,
    /// Permutation and lookups: factor of the position.
    pub beta: Value,
    /// Permutation and lookups: shift.
    pub gamma: Value,
    /// Joins the constraints.
    pub y: Value,
    /// Where the polynomials are evaluated.
    pub x: Value,
    /// Joins the polynomials of a point set.
    pub x1: Value,
    /// Joins the quotients of the point sets.
    pub x2: Value,
    /// Where the joined polynomials are opened.
    pub x3: Value,
    /// Joins the point sets.
    pub x4: Value,
    /// Factor of the mask s.
    pub xi: Value,
    /// Factor of the inner product.
    pub z: Value,
    /// One per round of the inner product argument.
    pub rounds: [Value; LOG_ROWS],
    /// A digest of the whole proof and its public inputs.
    pub digest: [u8; 32],
}

/// Reads a proof in order.
struct Reading<'a> {
    transcript: Transcript,
    points: core::slice::Iter<'a, Affine<Vesta>>,
    scalars: core::slice::Iter<'a, &'a [u8; 32]>,
}

impl Reading<'_> {
    fn points(&mut self, count: usize) {
        for point in self.points.by_ref().take(count) {
            self.transcript.common_point(point);
        }
    }

    fn scalars(&mut self, count: usize) {
        for scalar in self.scalars.by_ref().take(count) {
            self.transcript.common_scalar_bytes(scalar);
        }
    }
}

impl Challenges {
    /// Runs the transcript of a proof whose elements have been decoded to `points` and found canonical. No point
    /// may be the identity.
    pub fn draw(
        key_digest: &Value,
        instances: &[Affine<Vesta>],
        points: &[Affine<Vesta>],
        elements: &ProofElements<'_>,
    ) -> Self {
        let actions = instances.len();
        let mut reading = Reading {
            transcript: Transcript::new(),
            points: points.iter(),
            scalars: elements.scalars.iter(),
        };
        reading.transcript.common_scalar(key_digest);
        for instance in instances {
            reading.transcript.common_point(instance);
        }
        reading.points(actions * ADVICE_COLUMNS);
        let theta = reading.transcript.squeeze();
        reading.points(actions * 2 * LOOKUPS);
        let beta = reading.transcript.squeeze();
        let gamma = reading.transcript.squeeze();
        reading.points(actions * (PERMUTATION_PRODUCTS + LOOKUPS) + 1);
        let y = reading.transcript.squeeze();
        reading.points(QUOTIENT_PIECES);
        let x = reading.transcript.squeeze();
        reading.scalars(elements.scalars.len() - POINT_SETS - 2);
        let x1 = reading.transcript.squeeze();
        let x2 = reading.transcript.squeeze();
        reading.points(1);
        let x3 = reading.transcript.squeeze();
        reading.scalars(POINT_SETS);
        let x4 = reading.transcript.squeeze();
        reading.points(1);
        let xi = reading.transcript.squeeze();
        let z = reading.transcript.squeeze();
        let rounds = core::array::from_fn(|_| {
            reading.points(2);
            reading.transcript.squeeze()
        });
        reading.scalars(2);
        let digest = reading.transcript.squeeze().to_bytes();
        Self {
            theta,
            beta,
            gamma,
            y,
            x,
            x1,
            x2,
            x3,
            x4,
            xi,
            z,
            rounds,
            digest,
        }
    }
}
