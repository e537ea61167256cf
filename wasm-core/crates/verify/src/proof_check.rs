//! Proof verification against the verifying key: from bytes to equations, and the check of their weighted sum.

use svc_circuit::assets::Assets;
use svc_circuit::shape::{GATES, INSTANCE_ROWS, ROWS};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_kernels::curve::{Affine, Vesta};
use svc_kernels::msm::fixed_bases::FixedBases;

use crate::argument_values::{ArgumentContext, RowValues};
use crate::challenges::Challenges;
use crate::combined_check::{FIXED_BASES, holds};
use crate::constraint_values::ConstraintValues;
use crate::domain_values::{DomainValues, Value};
use crate::evaluations::Evaluations;
use crate::instance_commitments::InstanceBases;
use crate::point_sets::PointSets;
use crate::proof_elements::{PointPlaces, ProofElements};
use crate::proof_terms::{Inverses, ProofTerms, TermInputs};

/// Public inputs of one action.
pub type Instance = [Value; INSTANCE_ROWS];

/// The verifying key with everything that can be computed ahead.
pub struct ProofCheck {
    digest: Value,
    constraints: ConstraintValues,
    domain: DomainValues,
    sets: PointSets,
    instances: InstanceBases,
    bases: FixedBases<Vesta>,
}

impl ProofCheck {
    /// Builds the tables of the circuit's bases from those of its bases of coefficients, W and U.
    ///
    /// # Errors
    /// `prove/assets-damaged` for a circuit of another shape.
    pub fn new(assets: &Assets, coefficients: &FixedBases<Vesta>) -> Result<Self, SvcError> {
        let lagrange = assets
            .g_lagrange
            .first_chunk()
            .ok_or_else(|| damaged("Lagrange bases"))?;
        let others = [
            &assets.fixed_commitments[..],
            &assets.permutation_commitments,
            lagrange,
        ]
        .concat();
        if coefficients.len() != ROWS + 2 || coefficients.len() + others.len() != FIXED_BASES {
            return Err(damaged("number of bases"));
        }
        let domain = DomainValues::new();
        Ok(Self {
            digest: assets.digest,
            constraints: ConstraintValues::new(&assets.constraints)
                .ok_or_else(|| damaged("constraints"))?,
            sets: PointSets::new(&domain),
            instances: InstanceBases::new(lagrange, &assets.w),
            domain,
            bases: coefficients.extended(&others),
        })
    }

    /// The equations of many proofs, each with the public inputs of its actions; none for one that cannot be read.
    pub fn terms(&self, proofs: &[(&[u8], &[Instance])]) -> Vec<Option<ProofTerms>> {
        let actions: Vec<&Instance> = proofs
            .iter()
            .flat_map(|(_, instances)| instances.iter())
            .collect();
        let commitments = self.instances.commit(&actions);
        let split: Vec<_> = proofs
            .iter()
            .map(|(proof, instances)| ProofElements::split(proof, instances.len()))
            .collect();
        let encodings: Vec<[u8; 32]> = split
            .iter()
            .flatten()
            .flat_map(|elements| elements.points.iter().map(|bytes| **bytes))
            .collect();
        let points = Affine::<Vesta>::decompress_each(&encodings);
        let (mut points, mut commitments) = (points.as_slice(), commitments.as_slice());
        let mut terms = Vec::with_capacity(proofs.len());
        for ((_, instances), elements) in proofs.iter().zip(&split) {
            let own_commitments;
            (own_commitments, commitments) = commitments.split_at(instances.len());
            let Some(elements) = elements else {
                terms.push(None);
                continue;
            };
            let own_points;
            (own_points, points) = points.split_at(elements.points.len());
            terms.push(self.proof_terms(elements, own_points, instances, own_commitments));
        }
        terms
    }

    fn proof_terms(
        &self,
        elements: &ProofElements<'_>,
        points: &[Option<Affine<Vesta>>],
        instances: &[Instance],
        commitments: &[Affine<Vesta>],
    ) -> Option<ProofTerms> {
        let points = points.iter().copied().collect::<Option<Vec<_>>>()?;
        let evaluations = Evaluations::decode(&elements.scalars, instances.len())?;
        let places = PointPlaces {
            actions: instances.len(),
        };
        // The transcript takes in no identity, so neither a proof nor a commitment may hold one.
        let is_identity = points.iter().chain(commitments).any(Affine::is_identity);
        if is_identity || points.len() != places.count() {
            return None;
        }
        let challenges = Challenges::draw(&self.digest, commitments, &points, elements);
        let inverses = Inverses::new(&self.domain, &self.sets, &challenges)?;
        let quotient = self.quotient(&challenges, &evaluations, &inverses);
        let inputs = TermInputs {
            sets: &self.sets,
            instances,
            challenges: &challenges,
            evaluations: &evaluations,
            inverses: &inverses,
            quotient,
        };
        Some(ProofTerms::new(&inputs, points))
    }

    /// What the quotient polynomial must be at x: all constraints joined by powers of y, over xⁿ − 1.
    fn quotient(
        &self,
        challenges: &Challenges,
        evaluations: &Evaluations,
        inverses: &Inverses,
    ) -> Value {
        let vanishing = inverses.x_to_rows.sub(&Value::ONE);
        let context = ArgumentContext {
            domain: &self.domain,
            challenges,
            evaluations,
            rows: RowValues::new(&self.domain, &vanishing, &inverses.ends),
        };
        let past_gates = (0..GATES).fold(Value::ONE, |power, _| power.mul(&challenges.y));
        let mut sum = Value::ZERO;
        let constraints = self.constraints.evaluate(challenges, evaluations);
        for (action, values) in constraints.iter().enumerate() {
            sum = sum.mul(&past_gates).add(&values.gates);
            sum = context.fold(sum, action, &values.lookups);
        }
        sum.mul(&inverses.vanishing)
    }

    /// Whether the weighted sum of equations holds.
    pub fn holds(&self, weighted: &[(&ProofTerms, Value)]) -> bool {
        holds(&self.bases, weighted)
    }
}

fn damaged(reason: &str) -> SvcError {
    SvcError::new(Code::ProveAssetsDamaged).with("reason", reason)
}
