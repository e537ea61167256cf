//! State of a proof at the coordinator: the transcript, the challenges drawn from it, and what the shards' answers
//! add up to.

use svc_circuit::assets::Assets;
use svc_circuit::proof_writer::ProofWriter;
use svc_circuit::shape::{
    ADVICE_COLUMNS, ADVICE_QUERIES, FIXED_COLUMNS, LOOKUP_EVALUATIONS, LOOKUPS,
    PERMUTATION_COLUMNS, PERMUTATION_EVALUATIONS, PERMUTATION_PRODUCTS, QUOTIENT_PIECES,
    SCALARS_PER_ACTION,
};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_kernels::curve::{Affine, Point, Vesta};
use svc_kernels::fft::Domain;
use svc_kernels::fft::column::ROWS;

use crate::halo2::arguments::inner_product::InnerProduct;

use crate::halo2::arguments::inner_product::Masked;

use crate::halo2::arguments::inner_product::RoundTerms;
use crate::halo2::arguments::opening::{
    CommonPolynomial, Folded, OpeningPlan, fold_final, quotient_polynomial,
};
use crate::halo2::polynomials::polynomial::{evaluate, linear_combination, powers_of};
use crate::halo2::wire::randomness::Draws;
use crate::halo2::{Column, Fp, Polynomial};

/// Points an action adds to the proof before the first scalar, its instance commitment in front.
pub const ACTION_POINTS: usize = WITNESS_POINTS + LOOKUP_POINTS + PRODUCT_POINTS;
/// The instance commitment and those of the witness columns.
pub const WITNESS_POINTS: usize = 1 + ADVICE_COLUMNS;
/// Inputs and table of each lookup.
pub const LOOKUP_POINTS: usize = 2 * LOOKUPS;
/// Permutation products and lookup products.
pub const PRODUCT_POINTS: usize = PERMUTATION_PRODUCTS + LOOKUPS;
/// Evaluations of keys: fixed columns, then permutation columns.
pub const COMMON_SCALARS: usize = FIXED_COLUMNS + PERMUTATION_COLUMNS;

/// The coordinator's keys: what it needs of the circuit.
#[derive(Debug)]
pub struct CoordinatorKeys {
    domain: Domain,
    plan: OpeningPlan,
    digest: Fp,
    first_base: Affine<Vesta>,
}

impl CoordinatorKeys {
    /// From the circuit's assets. Error: `prove/assets-damaged` if there are no bases.
    pub fn new(assets: &Assets) -> Result<Self, SvcError> {
        let missing = || SvcError::new(Code::ProveAssetsDamaged).with("reason", "no bases");
        let first_base = assets.g.first().copied().ok_or_else(missing)?;
        Ok(Self {
            domain: Domain::new(),
            plan: OpeningPlan::new(),
            digest: assets.digest,
            first_base,
        })
    }
}

/// The challenges up to the opening; zero until they are drawn.
#[derive(Debug)]
pub struct ProofChallenges {
    /// Folds the expressions of lookups.
    pub theta: Fp,
    /// First of the products.
    pub beta: Fp,
    /// Second of the products.
    pub gamma: Fp,
    /// Folds constraints.
    pub y: Fp,
    /// Where polynomials are evaluated.
    pub x: Fp,
    /// Folds polynomials of a set of points.
    pub x1: Fp,
    /// Folds sets of points.
    pub x2: Fp,
}

/// The proof so far.
#[derive(Debug)]
pub struct ProofState {
    proof: ProofWriter,
    draws: Draws,
    /// The challenges so far.
    pub challenges: ProofChallenges,
    /// Points of each action, in the order of [`ACTION_POINTS`].
    pub points: Vec<[Affine<Vesta>; ACTION_POINTS]>,
    random: Polynomial,
    pieces: Vec<Polynomial>,
    opening: Option<(Polynomial, Folded)>,
    argument: Option<InnerProduct>,
}

impl ProofState {
    /// An empty proof over as many actions as `draws` are for.
    pub fn new(keys: &CoordinatorKeys, draws: Draws) -> Self {
        let mut proof = ProofWriter::new();
        proof.transcript.common_scalar(&keys.digest);
        let zero = Fp::ZERO;
        let challenges = ProofChallenges {
            theta: zero,
            beta: zero,
            gamma: zero,
            y: zero,
            x: zero,
            x1: zero,
            x2: zero,
        };
        Self {
            proof,
            challenges,
            points: vec![[Affine::IDENTITY; ACTION_POINTS]; draws.actions()],
            random: Polynomial::from_values(&draws.random_polynomial()),
            draws,
            pieces: Vec::new(),
            opening: None,
            argument: None,
        }
    }

    /// After the witness commitments: θ.
    pub fn end_witness(&mut self) -> Result<(), SvcError> {
        for points in &self.points {
            self.proof.transcript.common_point(affine(&points[0])?);
        }
        self.write_points(1, ADVICE_COLUMNS)?;
        self.challenges.theta = self.squeeze();
        Ok(())
    }

    /// After the lookups' commitments: β, γ.
    pub fn end_lookups(&mut self) -> Result<(), SvcError> {
        self.write_points(WITNESS_POINTS, LOOKUP_POINTS)?;
        self.challenges.beta = self.squeeze();
        self.challenges.gamma = self.squeeze();
        Ok(())
    }

    /// After the products' commitments and that of the random polynomial: y.
    pub fn end_products(&mut self, random: &Point<Vesta>) -> Result<(), SvcError> {
        let first = WITNESS_POINTS + LOOKUP_POINTS;
        self.write_points(first, PERMUTATION_PRODUCTS)?;
        self.write_points(first + PERMUTATION_PRODUCTS, LOOKUPS)?;
        self.write_point(&random.to_affine())?;
        self.challenges.y = self.squeeze();
        Ok(())
    }

    /// The pieces of the quotient polynomial from its values on the cosets, each with its blind.
    pub fn divide(
        &mut self,
        keys: &CoordinatorKeys,
        sums: [Column; QUOTIENT_PIECES],
    ) -> Vec<(Polynomial, Fp)> {
        self.pieces = keys.domain.cosets_to_coefficients(sums).into();
        self.pieces
            .iter()
            .cloned()
            .zip(self.draws.quotient_blinds().iter().copied())
            .collect()
    }

    /// After the pieces' commitments: x.
    pub fn end_pieces(&mut self, points: &[Affine<Vesta>]) -> Result<(), SvcError> {
        for point in points {
            self.write_point(point)?;
        }
        self.challenges.x = self.squeeze();
        Ok(())
    }

    /// After the evaluations, those of the actions and those of the keys: x₁, x₂.
    ///
    /// Every action has [`SCALARS_PER_ACTION`], the keys have [`COMMON_SCALARS`].
    pub fn end_evaluations(&mut self, actions: &[Vec<Fp>], common: &[Fp]) {
        let runs = [
            1,
            ADVICE_QUERIES.len(),
            PERMUTATION_EVALUATIONS,
            LOOKUPS * LOOKUP_EVALUATIONS,
        ];
        debug_assert_eq!(
            runs.iter().sum::<usize>(),
            SCALARS_PER_ACTION,
            "scalars of an action"
        );
        let mut first = 0;
        for (index, run) in runs.into_iter().enumerate() {
            if index == 2 {
                let (fixed, sigma) = common.split_at(FIXED_COLUMNS.min(common.len()));
                let random = evaluate(&self.random, &self.challenges.x);
                for value in fixed.iter().chain([&random]).chain(sigma) {
                    self.proof.scalar(value);
                }
            }
            for value in actions
                .iter()
                .flat_map(|values| values.iter().skip(first).take(run))
            {
                self.proof.scalar(value);
            }
            first += run;
        }
        self.challenges.x1 = self.squeeze();
        self.challenges.x2 = self.squeeze();
    }

    /// q′ from what the shards have folded.
    pub fn open(
        &mut self,
        keys: &CoordinatorKeys,
        mut folded: Folded,
    ) -> Result<Polynomial, SvcError> {
        let x_to_rows = self.challenges.x.pow(&[ROWS as u64, 0, 0, 0]);
        let powers = powers_of(&x_to_rows, QUOTIENT_PIECES);
        let terms: Vec<(&Polynomial, Fp)> =
            self.pieces.iter().zip(powers.iter().copied()).collect();
        let quotient = linear_combination(&terms);
        let blinds = self.draws.quotient_blinds();
        let blind = blinds
            .iter()
            .zip(&powers)
            .fold(Fp::ZERO, |sum, (blind, power)| sum.add(&blind.mul(power)));
        let random_blind = self.draws.random_blind();
        folded.add(
            &keys
                .plan
                .fold_common(&self.challenges.x1, |which| match which {
                    CommonPolynomial::Quotient => Some((&quotient, blind)),
                    CommonPolynomial::Random => Some((&self.random, random_blind)),
                    CommonPolynomial::Fixed(_) | CommonPolynomial::Sigma(_) => None,
                })?,
        );
        let points = keys.plan.points(&self.challenges.x, &keys.domain.omega());
        let quotient = quotient_polynomial(&folded.polynomials, &points, &self.challenges.x2);
        self.opening = Some((quotient.clone(), folded));
        Ok(quotient)
    }

    /// After the commitments of q′ and of the random mask: the masked polynomial of the inner product argument.
    pub fn argue(
        &mut self,
        keys: &CoordinatorKeys,
        quotient: &Point<Vesta>,
        mask: &Point<Vesta>,
    ) -> Result<Polynomial, SvcError> {
        let (polynomial, folded) = self.opening.take().ok_or_else(out_of_order)?;
        self.write_point(&quotient.to_affine())?;
        let x3 = self.squeeze();
        for value in folded.evaluations(&x3) {
            self.proof.scalar(&value);
        }
        let x4 = self.squeeze();
        let opened = fold_final((&polynomial, self.draws.opening_blind()), &folded, &x4);
        let random = (
            Polynomial::from_values(&self.draws.mask()),
            self.draws.mask_blind(),
        );
        let masked = Masked::new(opened, random, x3);
        // The mask must vanish at x₃: its value there goes off its lowest coefficient.
        let excess = keys
            .first_base
            .to_point()
            .mul(&masked.mask_value().neg().to_words());
        self.write_point(&mask.add(&excess).to_affine())?;
        let xi = self.squeeze();
        let z = self.squeeze();
        let argument = masked.argue(&xi, &z);
        let polynomial = argument.polynomial();
        self.argument = Some(argument);
        Ok(polynomial)
    }

    /// What a round's commitments hold beside the sums over the generators.
    pub fn round_terms(&mut self, round: usize) -> Result<RoundTerms, SvcError> {
        let blinds = self.draws.round_blinds(round);
        Ok(self
            .argument
            .as_mut()
            .ok_or_else(out_of_order)?
            .terms(blinds))
    }

    /// After a round's commitments: its challenge and the inverse.
    pub fn end_round(&mut self, sides: &[Point<Vesta>; 2]) -> Result<[Fp; 2], SvcError> {
        for side in sides {
            self.write_point(&side.to_affine())?;
        }
        let u = self.squeeze();
        let inverse = self
            .argument
            .as_mut()
            .ok_or_else(out_of_order)?
            .challenge(&u);
        Ok([u, inverse])
    }

    /// The proof, after the last round.
    pub fn finish(&mut self) -> Result<Vec<u8>, SvcError> {
        let argument = self.argument.take().ok_or_else(out_of_order)?;
        for scalar in argument.finish() {
            self.proof.scalar(&scalar);
        }
        Ok(core::mem::take(&mut self.proof).into_bytes())
    }

    fn squeeze(&mut self) -> Fp {
        self.proof.transcript.squeeze()
    }

    /// Of every action, `count` points from `first` on.
    fn write_points(&mut self, first: usize, count: usize) -> Result<(), SvcError> {
        for action in 0..self.points.len() {
            for index in first..first + count {
                let point = self.points[action][index];
                self.write_point(&point)?;
            }
        }
        Ok(())
    }

    fn write_point(&mut self, point: &Affine<Vesta>) -> Result<(), SvcError> {
        self.proof.point(affine(point)?);
        Ok(())
    }
}

/// The point, unless it is the identity, which no transcript takes.
fn affine(point: &Affine<Vesta>) -> Result<&Affine<Vesta>, SvcError> {
    if point.is_identity() {
        return Err(SvcError::new(Code::ProveFailed).with("reason", "a commitment is the identity"));
    }
    Ok(point)
}

fn out_of_order() -> SvcError {
    SvcError::new(Code::InternalUnexpected).with("message", "a step of a proof out of order")
}
