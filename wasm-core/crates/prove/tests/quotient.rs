//! The quotient on cosets against the constraints at single points.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_circuit::assets::Assets;
use svc_circuit::quotient_program::{
    ACTION_INPUTS, ActionInput, QuotientProgram, ROUND_INPUTS, action_query,
};
use svc_circuit::shape::{BLINDING_FACTORS, ROWS, USABLE_ROWS};
use svc_kernels::fft::Domain;
use svc_prove::halo2::polynomials::quotient::{
    ActionPolynomials, CONSTRAINTS_PER_ACTION, Challenges, QuotientKey, QuotientRound,
};
use svc_prove::halo2::{Column, Fp, Polynomial};

fn program() -> QuotientProgram {
    Assets::decode(include_bytes!("../../../assets/action-circuit.bin"))
        .unwrap()
        .program
}

struct Source(u64);

impl Source {
    fn value(&mut self) -> Fp {
        Fp::from_words(&core::array::from_fn(|_| {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }))
    }

    fn polynomials(&mut self, count: usize) -> Vec<Polynomial> {
        (0..count)
            .map(|_| Polynomial::from_values(&core::array::from_fn::<_, ROWS, _>(|_| self.value())))
            .collect()
    }
}

fn evaluate(polynomial: &Polynomial, point: &Fp) -> Fp {
    (0..ROWS).rev().fold(Fp::ZERO, |sum, index| {
        sum.mul(point).add(&polynomial.get(index))
    })
}

/// Instance, advice, permutation, lookup inputs, tables, products.
struct Action([Vec<Polynomial>; 6]);

impl Action {
    fn new(source: &mut Source) -> Self {
        Self([1, 10, 3, 3, 3, 3].map(|count| source.polynomials(count)))
    }

    fn polynomials(&self) -> ActionPolynomials<'_> {
        let [
            instance,
            advice,
            permutation,
            lookup_inputs,
            lookup_tables,
            lookup_products,
        ] = &self.0;
        let instance = &instance[0];
        ActionPolynomials {
            instance,
            advice,
            permutation,
            lookup_inputs,
            lookup_tables,
            lookup_products,
        }
    }

    fn at(&self, domain: &Domain, point: &Fp) -> [Fp; ACTION_INPUTS] {
        core::array::from_fn(|index| {
            let (group, column, rotation) = match action_query(index).unwrap() {
                ActionInput::Instance => (0, 0, 0),
                ActionInput::Advice { column, rotation } => (1, column, rotation),
                ActionInput::PermutationProduct { set, rotation } => (2, set, rotation),
                ActionInput::PermutationEnd { set } => (2, set, -6),
                ActionInput::LookupInput { lookup, rotation } => (3, lookup, rotation),
                ActionInput::LookupTable { lookup } => (4, lookup, 0),
                ActionInput::LookupProduct { lookup, rotation } => (5, lookup, rotation),
            };
            evaluate(&self.0[group][column], &domain.rotate(point, rotation))
        })
    }
}

fn shared_at(
    domain: &Domain,
    fixed: &[Polynomial],
    sigma: &[Polynomial],
    point: &Fp,
) -> [Fp; ROUND_INPUTS] {
    let ones = |rows: core::ops::Range<usize>| {
        let mut column = Column::zero();
        rows.for_each(|row| column.set(row, &Fp::ONE));
        evaluate(&domain.rows_to_coefficients(&column), point)
    };
    let mut values: Vec<Fp> = fixed
        .iter()
        .chain(sigma)
        .map(|column| evaluate(column, point))
        .collect();
    values.extend([
        *point,
        ones(0..1),
        ones(USABLE_ROWS..USABLE_ROWS + 1),
        ones(ROWS - BLINDING_FACTORS..ROWS),
    ]);
    values.try_into().unwrap()
}

#[test]
fn cosets_hold_the_folded_constraints() {
    let seed = 20;
    println!("seed {seed}");
    let mut source = Source(seed);
    let (program, domain) = (program(), Domain::new());
    let (fixed, sigma) = (source.polynomials(29), source.polynomials(15));
    let key = QuotientKey::new(program.clone(), &domain, &fixed, &sigma).unwrap();
    let challenges = Challenges {
        theta: source.value(),
        beta: source.value(),
        gamma: source.value(),
        y: source.value(),
    };
    let actions = [Action::new(&mut source), Action::new(&mut source)];
    let weights = [
        challenges.y.pow(&[CONSTRAINTS_PER_ACTION as u64, 0, 0, 0]),
        Fp::ONE,
    ];
    for coset in [0, 5, 7] {
        let round = QuotientRound::new(&key, &domain, &challenges, coset).unwrap();
        let mut sum = Column::zero();
        for (action, weight) in actions.iter().zip(&weights).rev() {
            round
                .accumulate(&key, &domain, &action.polynomials(), weight, &mut sum)
                .unwrap();
        }
        for row in [0, 1, 5, 1023, 1024, 1500, 2047] {
            let point = domain.rotate(&domain.shift(coset), row);
            let shared = shared_at(&domain, &fixed, &sigma, &point);
            let inputs: Vec<_> = actions
                .iter()
                .map(|action| action.at(&domain, &point))
                .collect();
            let all = [
                challenges.theta,
                challenges.beta,
                challenges.gamma,
                challenges.y,
            ];
            let expected = program.at_point(&all, &shared, &inputs).unwrap();
            let vanishing = point.pow(&[ROWS as u64, 0, 0, 0]).sub(&Fp::ONE);
            assert!(
                sum.get(row as usize).mul(&vanishing) == expected,
                "coset {coset}, row {row}"
            );
        }
    }
}

#[test]
fn too_few_columns_are_refused() {
    let mut source = Source(3);
    let domain = Domain::new();
    let (fixed, sigma) = (source.polynomials(28), source.polynomials(15));
    assert!(QuotientKey::new(program(), &domain, &fixed, &sigma).is_err());
}
