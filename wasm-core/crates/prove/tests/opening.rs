//! The opening of many polynomials against upstream's: same randomness, same bytes, for any number of workers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::OnceLock;

use ff::{Field, PrimeField};
use group::Curve as _;
use halo2_proofs::arithmetic::eval_polynomial;
use halo2_proofs::poly::commitment::{Blind, Params};
use halo2_proofs::poly::multiopen::{self, ProverQuery, VerifierQuery};
use halo2_proofs::poly::{Coeff, EvaluationDomain, Polynomial as UpstreamPolynomial, Rotation};
use halo2_proofs::transcript::{Blake2bRead, Blake2bWrite, Challenge255};
use pasta_curves::arithmetic::CurveAffine;
use pasta_curves::{EqAffine, Fp};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use svc_circuit::proof_writer::ProofWriter;
use svc_circuit::shape::{
    ADVICE_COLUMNS, ADVICE_QUERIES, FIXED_COLUMNS, FIXED_QUERIES, LOG_ROWS, LOOKUPS,
    PERMUTATION_COLUMNS, PERMUTATION_PRODUCTS, ROWS,
};
use svc_kernels::curve::{Affine, Point, Vesta};
use svc_kernels::field::stored::Single;
use svc_kernels::msm::fixed_bases::FixedBases;
use svc_prove::halo2::arguments::inner_product::{
    InnerProduct, Masked, SWITCH_ROUND, commit_share,
};
use svc_prove::halo2::arguments::opening::{
    ActionPolynomial, CommonPolynomial, Folded, OpeningPlan, fold_final, quotient_polynomial,
};
use svc_prove::halo2::arguments::round_share::RoundShare;
use svc_prove::halo2::polynomials::polynomial::{
    Polynomial, Value, divide, evaluate, evaluate_many, linear_combination,
};

type Theirs = UpstreamPolynomial<Fp, Coeff>;

/// A polynomial in both forms, with the blind of its commitment.
struct Column {
    theirs: Theirs,
    ours: Polynomial,
    blind: Fp,
}

/// The polynomials of one action.
struct Action {
    instance: Column,
    advice: Vec<Column>,
    permutation: Vec<Column>,
    /// Product, permuted inputs, permuted table.
    lookups: Vec<[Column; 3]>,
}

/// The polynomials of a proof.
struct Instance {
    actions: Vec<Action>,
    fixed: Vec<Column>,
    sigmas: Vec<Column>,
    quotient: Column,
    random: Column,
    x: Fp,
}

fn params() -> &'static Params<EqAffine> {
    static PARAMS: OnceLock<Params<EqAffine>> = OnceLock::new();
    PARAMS.get_or_init(|| Params::new(LOG_ROWS as u32))
}

fn domain() -> EvaluationDomain<Fp> {
    EvaluationDomain::new(9, LOG_ROWS as u32)
}

/// Upstream's encoded parameters hold g, then g in the other basis, then w and u.
fn bases() -> &'static FixedBases<Vesta> {
    static BASES: OnceLock<FixedBases<Vesta>> = OnceLock::new();
    BASES.get_or_init(|| {
        let mut encoded = Vec::new();
        params().write(&mut encoded).unwrap();
        let mut points: Vec<Affine<Vesta>> = params().get_g().iter().map(affine).collect();
        for bytes in encoded[encoded.len() - 64..].chunks_exact(32) {
            points.push(Affine::from_bytes(bytes.try_into().unwrap()).unwrap());
        }
        FixedBases::build(&points)
    })
}

fn affine(point: &EqAffine) -> Affine<Vesta> {
    let coordinates = point.coordinates().unwrap();
    Affine {
        x: Single::from_bytes(&coordinates.x().to_repr()).unwrap(),
        y: Single::from_bytes(&coordinates.y().to_repr()).unwrap(),
    }
}

fn value(theirs: &Fp) -> Value {
    Value::from_bytes(&theirs.to_repr()).unwrap()
}

fn column(rng: &mut ChaCha20Rng, blind: Option<Fp>) -> Column {
    let theirs: Vec<Fp> = (0..ROWS).map(|_| Fp::random(&mut *rng)).collect();
    let ours: Vec<Value> = theirs.iter().map(value).collect();
    Column {
        ours: Polynomial::from_values(&ours),
        theirs: domain().coeff_from_vec(theirs),
        blind: blind.unwrap_or_else(|| Fp::random(&mut *rng)),
    }
}

fn instance(seed: u64, actions: usize) -> Instance {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let rng = &mut rng;
    let public = Some(Blind::default().0);
    let columns = |rng: &mut ChaCha20Rng, count: usize, blind: Option<Fp>| -> Vec<Column> {
        (0..count).map(|_| column(rng, blind)).collect()
    };
    Instance {
        actions: (0..actions)
            .map(|_| Action {
                instance: column(rng, public),
                advice: columns(rng, ADVICE_COLUMNS, None),
                permutation: columns(rng, PERMUTATION_PRODUCTS, None),
                lookups: (0..LOOKUPS)
                    .map(|_| core::array::from_fn(|_| column(rng, None)))
                    .collect(),
            })
            .collect(),
        fixed: columns(rng, FIXED_COLUMNS, public),
        sigmas: columns(rng, PERMUTATION_COLUMNS, public),
        quotient: column(rng, None),
        random: column(rng, None),
        x: Fp::random(rng),
    }
}

/// Upstream's queries (`plonk::create_proof`): columns and rotations.
fn queries(instance: &Instance) -> Vec<(&Column, i32)> {
    let mut queries = Vec::new();
    for action in &instance.actions {
        queries.push((&action.instance, 0));
        queries.extend(
            ADVICE_QUERIES
                .iter()
                .map(|query| (&action.advice[query.column], query.rotation)),
        );
        for product in &action.permutation {
            queries.extend([(product, 0), (product, 1)]);
        }
        queries.extend(
            action
                .permutation
                .iter()
                .rev()
                .skip(1)
                .map(|product| (product, -6)),
        );
        for [product, input, table] in &action.lookups {
            queries.extend([
                (product, 0),
                (input, 0),
                (table, 0),
                (input, -1),
                (product, 1),
            ]);
        }
    }
    queries.extend(
        FIXED_QUERIES
            .iter()
            .map(|column| (&instance.fixed[*column], 0)),
    );
    queries.extend(instance.sigmas.iter().map(|column| (column, 0)));
    queries.extend([(&instance.quotient, 0), (&instance.random, 0)]);
    queries
}

fn upstream_proof(instance: &Instance, seed: u64) -> Vec<u8> {
    let domain = domain();
    let mut transcript = Blake2bWrite::<_, EqAffine, Challenge255<_>>::init(vec![]);
    let queries: Vec<_> = queries(instance)
        .into_iter()
        .map(|(column, rotation)| ProverQuery {
            point: domain.rotate_omega(instance.x, Rotation(rotation)),
            poly: &column.theirs,
            blind: Blind(column.blind),
        })
        .collect();
    multiopen::create_proof(
        params(),
        ChaCha20Rng::seed_from_u64(seed),
        &mut transcript,
        queries,
    )
    .unwrap();
    transcript.finalize()
}

/// The queries as upstream's verifier gets them: index into the commitments, rotation, value.
struct Openings {
    commitments: Vec<EqAffine>,
    queries: Vec<(usize, Fp, Fp)>,
}

fn openings(instance: &Instance) -> Openings {
    let domain = domain();
    let mut columns: Vec<&Column> = Vec::new();
    let mut indexed = Vec::new();
    for (column, rotation) in queries(instance) {
        let known = columns
            .iter()
            .position(|known| core::ptr::eq(*known, column));
        let index = known.unwrap_or_else(|| {
            columns.push(column);
            columns.len() - 1
        });
        let point = domain.rotate_omega(instance.x, Rotation(rotation));
        indexed.push((index, point, eval_polynomial(&column.theirs, point)));
    }
    let commit = |column: &&Column| {
        params()
            .commit(&column.theirs, Blind(column.blind))
            .to_affine()
    };
    Openings {
        commitments: columns.iter().map(commit).collect(),
        queries: indexed,
    }
}

fn upstream_accepts(openings: &Openings, proof: &[u8]) -> bool {
    let queries: Vec<_> = openings
        .queries
        .iter()
        .map(|(index, point, value)| {
            VerifierQuery::new_commitment(&openings.commitments[*index], *point, *value)
        })
        .collect();
    let mut transcript = Blake2bRead::<_, EqAffine, Challenge255<_>>::init(proof);
    let Ok(guard) =
        multiopen::verify_proof(params(), &mut transcript, queries, params().empty_msm())
    else {
        return false;
    };
    guard.use_challenges().eval()
}

/// Folds as `workers` workers would: actions dealt in turn, fixed columns and sigmas likewise.
fn folded(instance: &Instance, plan: &OpeningPlan, x1: &Value, workers: usize) -> Folded {
    let mut total = plan
        .fold_common(x1, |which| {
            match which {
                CommonPolynomial::Quotient => Some(&instance.quotient),
                CommonPolynomial::Random => Some(&instance.random),
                _ => None,
            }
            .map(|column| (&column.ours, value(&column.blind)))
        })
        .unwrap();
    let count = instance.actions.len();
    // The last worker first: shares add up in any order.
    for worker in (0..workers).rev() {
        let mine: Vec<usize> = (0..count)
            .filter(|index| index % workers == worker)
            .collect();
        let actions = plan.fold_actions(x1, count, &mine, |index, which| {
            let action = &instance.actions[index];
            let column = match which {
                ActionPolynomial::Instance => return Ok((&action.instance.ours, Value::ZERO)),
                ActionPolynomial::Advice(column) => &action.advice[column],
                ActionPolynomial::PermutationProduct(product) => &action.permutation[product],
                ActionPolynomial::LookupProduct(lookup) => &action.lookups[lookup][0],
                ActionPolynomial::LookupInput(lookup) => &action.lookups[lookup][1],
                ActionPolynomial::LookupTable(lookup) => &action.lookups[lookup][2],
            };
            Ok((&column.ours, value(&column.blind)))
        });
        total.add(&actions.unwrap());
        let common = plan.fold_common(x1, |which| {
            let column = match which {
                CommonPolynomial::Fixed(index) if index % workers == worker => {
                    &instance.fixed[index]
                }
                CommonPolynomial::Sigma(index) if index % workers == worker => {
                    &instance.sigmas[index]
                }
                _ => return None,
            };
            Some((&column.ours, Value::ZERO))
        });
        total.add(&common.unwrap());
    }
    total
}

/// The sum of the workers' shares.
fn sum(shares: impl Iterator<Item = Point<Vesta>>) -> Point<Vesta> {
    shares.fold(Point::identity(), |sum, share| sum.add(&share))
}

fn write(proof: &mut ProofWriter, point: &Point<Vesta>) {
    proof.point(&point.to_affine());
}

/// The eleven rounds, their commitments shared by the workers.
fn run_rounds(
    proof: &mut ProofWriter,
    argument: &mut InnerProduct,
    workers: usize,
    draw: &mut impl FnMut() -> Value,
) {
    let polynomial = argument.polynomial();
    let mut shares: Vec<RoundShare> = (0..workers)
        .map(|worker| RoundShare::new(&polynomial, worker, workers))
        .collect();
    for round in 0..LOG_ROWS {
        if round == SWITCH_ROUND {
            let generators: Vec<_> = shares
                .iter()
                .flat_map(|share| share.fold_generators(bases()).unwrap())
                .collect();
            shares
                .iter_mut()
                .for_each(|share| share.set_generators(generators.clone()).unwrap());
        }
        let terms = argument.terms([draw(), draw()]);
        let parts: Vec<_> = shares
            .iter()
            .enumerate()
            .map(|(worker, share)| {
                share
                    .commit(bases(), (worker + 1 == workers).then_some(&terms))
                    .unwrap()
            })
            .collect();
        for side in 0..2 {
            write(proof, &sum(parts.iter().map(|part| part[side])));
        }
        let u = proof.transcript.squeeze();
        let inverse = argument.challenge(&u);
        shares
            .iter_mut()
            .for_each(|share| share.challenge(&u, &inverse).unwrap());
    }
}

fn our_proof(instance: &Instance, seed: u64, workers: usize) -> Vec<u8> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut draw = || value(&Fp::random(&mut rng));
    let mut proof = ProofWriter::new();
    let plan = OpeningPlan::new();
    let x1 = proof.transcript.squeeze();
    let x2 = proof.transcript.squeeze();
    let folded = folded(instance, &plan, &x1, workers);
    let points = plan.points(&value(&instance.x), &value(&domain().get_omega()));
    let quotient = quotient_polynomial(&folded.polynomials, &points, &x2);
    let quotient_blind = draw();
    let mask: Vec<Value> = (0..ROWS).map(|_| draw()).collect();
    let mask = Polynomial::from_values(&mask);
    let mask_blind = draw();
    let commit = |polynomial: &Polynomial, blind: &Value| {
        sum((0..workers).map(|worker| {
            commit_share(
                bases(),
                polynomial,
                (worker == 0).then_some(blind),
                (worker, workers),
            )
        }))
    };
    write(&mut proof, &commit(&quotient, &quotient_blind));
    let mask_commitment = commit(&mask, &mask_blind);
    let x3 = proof.transcript.squeeze();
    folded
        .evaluations(&x3)
        .iter()
        .for_each(|evaluation| proof.scalar(evaluation));
    let x4 = proof.transcript.squeeze();
    let opened = fold_final((&quotient, quotient_blind), &folded, &x4);
    let masked = Masked::new(opened, (mask, mask_blind), x3);
    let first = affine(&params().get_g()[0]).to_point();
    let shift = first.mul(&masked.mask_value().to_words());
    write(&mut proof, &mask_commitment.add(&shift.neg()));
    let xi = proof.transcript.squeeze();
    let z = proof.transcript.squeeze();
    let mut argument = masked.argue(&xi, &z);
    run_rounds(&mut proof, &mut argument, workers, &mut draw);
    argument
        .finish()
        .iter()
        .for_each(|scalar| proof.scalar(scalar));
    proof.into_bytes()
}

#[test]
fn proofs_equal_upstreams_for_any_number_of_workers() {
    for (seed, actions, workers) in [(71, 1, [1, 2, 3]), (72, 3, [1, 5, 8])] {
        println!("seed {seed}");
        let instance = instance(seed, actions);
        let expected = upstream_proof(&instance, seed + 1000);
        for workers in workers {
            assert_eq!(
                our_proof(&instance, seed + 1000, workers),
                expected,
                "{workers} workers"
            );
        }
    }
}

#[test]
fn upstream_accepts_our_proofs_and_no_damaged_ones() {
    let seed = 74;
    println!("seed {seed}");
    let instance = instance(seed, 1);
    let openings = openings(&instance);
    let mut proof = our_proof(&instance, seed, 2);
    assert!(upstream_accepts(&openings, &proof));
    for position in [40, 100, proof.len() - 40] {
        proof[position] ^= 1;
        assert!(!upstream_accepts(&openings, &proof), "byte {position}");
        proof[position] ^= 1;
    }
}

#[test]
fn polynomials_evaluate_combine_and_divide_like_upstreams() {
    let seed = 73;
    println!("seed {seed}");
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let columns: Vec<Column> = (0..40).map(|_| column(&mut rng, None)).collect();
    for point in [Fp::random(&mut rng), Fp::ZERO, Fp::ONE, -Fp::ONE] {
        let expected: Vec<Value> = columns
            .iter()
            .take(3)
            .map(|column| value(&eval_polynomial(&column.theirs, point)))
            .collect();
        let ours: Vec<&Polynomial> = columns.iter().take(3).map(|column| &column.ours).collect();
        assert!(evaluate_many(&ours, &value(&point)) == expected);
        assert!(evaluate(ours[0], &value(&point)) == expected[0]);
        let quotient = halo2_proofs::arithmetic::kate_division(&columns[0].theirs[..], point);
        let ours = divide(&columns[0].ours, &value(&point));
        assert!((0..ROWS - 1).all(|index| ours.get(index) == value(&quotient[index])));
        assert!(ours.get(ROWS - 1).is_zero());
    }
    for count in [0, 1, 5, 6, 7, 12, 15, 16, 17, 33, 40] {
        let weights: Vec<Fp> = (0..count).map(|_| Fp::random(&mut rng)).collect();
        let terms: Vec<(&Polynomial, Value)> = columns
            .iter()
            .zip(&weights)
            .map(|(column, weight)| (&column.ours, value(weight)))
            .collect();
        let ours = linear_combination(&terms);
        for index in [0, 1, 2, 1023, 1024, 2047] {
            let expected: Fp = columns
                .iter()
                .zip(&weights)
                .map(|(column, weight)| column.theirs[index] * weight)
                .sum();
            assert!(
                ours.get(index) == value(&expected),
                "{count} terms, coefficient {index}"
            );
        }
    }
}
