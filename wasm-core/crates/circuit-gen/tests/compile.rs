//! The compiled constraints against the constraints as upstream states them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::LazyLock;

use svc_circuit::constraints::{Constraints, Lookup};
use svc_circuit::expression::{Cells, Expression};
use svc_circuit::quotient_program::{
    ACTION_INPUTS, ActionInput, CHALLENGES, CONSTRAINTS_PER_ACTION, QuotientProgram, ROUND_INPUTS,
    RoundInput, action_input, round_input,
};
use svc_circuit::shape::{Column, PERMUTATION, PERMUTATION_CHUNK, PERMUTATION_PRODUCTS};
use svc_circuit_gen::compile::compile;
use svc_circuit_gen::pinned::Pinned;
use svc_circuit_gen::upstream::Upstream;
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::PallasBase;
use svc_kernels::program::Instruction;

type F = Single<PallasBase>;

/// Upstream's keys take seconds: made once for both tests.
static CONSTRAINTS: LazyLock<Constraints> = LazyLock::new(|| {
    let text = Upstream::build().unwrap().pinned_text();
    Pinned::parse(&text).unwrap().constraints
});

fn random(seed: u64) -> impl FnMut() -> F {
    println!("seed {seed}");
    let mut state = seed;
    move || {
        F::from_words(&core::array::from_fn(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }))
    }
}

/// Values at one point.
struct Point<'a> {
    shared: &'a [F; ROUND_INPUTS],
    action: &'a [F; ACTION_INPUTS],
}

impl Cells for Point<'_> {
    fn fixed(&self, column: usize, rotation: i32) -> F {
        assert_eq!(rotation, 0);
        self.round(RoundInput::Fixed(column))
    }
    fn advice(&self, column: usize, rotation: i32) -> F {
        self.own(ActionInput::Advice { column, rotation })
    }
    fn instance(&self, column: usize, rotation: i32) -> F {
        assert_eq!((column, rotation), (0, 0));
        self.own(ActionInput::Instance)
    }
}

impl Point<'_> {
    fn round(&self, input: RoundInput) -> F {
        self.shared[round_input(input).unwrap()]
    }

    fn own(&self, input: ActionInput) -> F {
        self.action[action_input(input).unwrap()]
    }

    /// All constraints in upstream's order.
    fn all(&self, constraints: &Constraints, [theta, beta, gamma, _]: &[F; CHALLENGES]) -> Vec<F> {
        let mut out: Vec<F> = constraints
            .gates
            .iter()
            .map(|gate| gate.evaluate(self))
            .collect();
        self.permutation(beta, gamma, &mut out);
        for (index, lookup) in constraints.lookups.iter().enumerate() {
            self.lookup(index, lookup, [theta, beta, gamma], &mut out);
        }
        assert_eq!(out.len(), CONSTRAINTS_PER_ACTION);
        out
    }

    fn active(&self) -> F {
        F::ONE
            .sub(&self.round(RoundInput::Last))
            .sub(&self.round(RoundInput::Blind))
    }

    fn permutation(&self, beta: &F, gamma: &F, out: &mut Vec<F>) {
        let z = |set, rotation| self.own(ActionInput::PermutationProduct { set, rotation });
        let (first, last) = (self.round(RoundInput::First), self.round(RoundInput::Last));
        out.push(F::ONE.sub(&z(0, 0)).mul(&first));
        let end = z(PERMUTATION_PRODUCTS - 1, 0);
        out.push(end.square().sub(&end).mul(&last));
        for set in 1..PERMUTATION_PRODUCTS {
            out.push(
                z(set, 0)
                    .sub(&self.own(ActionInput::PermutationEnd { set: set - 1 }))
                    .mul(&first),
            );
        }
        let delta = F::from_words(&[
            0x6a6ccd20dd7b9ba2,
            0xf5e4f3f13eee5636,
            0xbd455b7112a5049d,
            0x0a757d0f0006ab6c,
        ]);
        for (set, columns) in PERMUTATION.chunks(PERMUTATION_CHUNK).enumerate() {
            let (mut left, mut right) = (z(set, 1), z(set, 0));
            for (offset, column) in columns.iter().enumerate() {
                let index = set * PERMUTATION_CHUNK + offset;
                let value = match *column {
                    Column::Instance => self.own(ActionInput::Instance),
                    Column::Advice(column) => self.advice(column, 0),
                    Column::Fixed(column) => self.fixed(column, 0),
                }
                .add(gamma);
                left = left.mul(&value.add(&beta.mul(&self.round(RoundInput::Permutation(index)))));
                let name = delta
                    .pow(&[index as u64, 0, 0, 0])
                    .mul(beta)
                    .mul(&self.round(RoundInput::Point));
                right = right.mul(&value.add(&name));
            }
            out.push(left.sub(&right).mul(&self.active()));
        }
    }

    fn lookup(
        &self,
        lookup: usize,
        argument: &Lookup,
        [theta, beta, gamma]: [&F; 3],
        out: &mut Vec<F>,
    ) {
        let fold = |expressions: &[Expression]| {
            expressions.iter().fold(F::ZERO, |sum, part| {
                sum.mul(theta).add(&part.evaluate(self))
            })
        };
        let z = self.own(ActionInput::LookupProduct {
            lookup,
            rotation: 0,
        });
        let next = self.own(ActionInput::LookupProduct {
            lookup,
            rotation: 1,
        });
        let input = self.own(ActionInput::LookupInput {
            lookup,
            rotation: 0,
        });
        let before = self.own(ActionInput::LookupInput {
            lookup,
            rotation: -1,
        });
        let table = self.own(ActionInput::LookupTable { lookup });
        let (first, last) = (self.round(RoundInput::First), self.round(RoundInput::Last));
        out.push(F::ONE.sub(&z).mul(&first));
        out.push(z.square().sub(&z).mul(&last));
        let left = next.mul(&input.add(beta)).mul(&table.add(gamma));
        let right = z
            .mul(&fold(&argument.inputs).add(beta))
            .mul(&fold(&argument.table).add(gamma));
        out.push(left.sub(&right).mul(&self.active()));
        out.push(input.sub(&table).mul(&first));
        out.push(
            input
                .sub(&table)
                .mul(&input.sub(&before))
                .mul(&self.active()),
        );
    }
}

fn describe(name: &str, program: &svc_kernels::program::Program) {
    let (mut single, mut squares, mut deferred, mut sums, mut linear, mut scaled, mut factors) =
        (0, 0, 0, 0, 0, 0, 0);
    for instruction in program.code() {
        match instruction {
            Instruction::Products { terms, .. } if terms.len() == 1 => {
                if terms[0].0 == terms[0].1 {
                    squares += 1
                } else {
                    single += 1
                }
            }
            Instruction::Products { terms, .. } => {
                sums += 1;
                deferred += terms.len();
            }
            Instruction::Linear { .. } => linear += 1,
            Instruction::Scaled { terms, .. } => {
                scaled += 1;
                factors += terms.len();
            }
        }
    }
    println!(
        "{name}: {} instructions, {single} products, {squares} squares, {sums} sums of {deferred} products, {linear} linear, \
         {scaled} scaled of {factors}; {} registers, {} outputs, {} bytes",
        program.code().len(),
        program.registers(),
        program.outputs(),
        program.to_bytes().len(),
    );
}

#[test]
fn compiled_programs_give_the_folded_constraints() {
    let constraints = &*CONSTRAINTS;
    let compiled = compile(constraints).unwrap();
    describe("scalars", compiled.scalars());
    describe("selectors", compiled.selectors());
    describe("round", compiled.round());
    describe("action", compiled.action());
    let bytes = compiled.to_bytes();
    let program = QuotientProgram::from_bytes(&bytes).unwrap();
    assert_eq!(program.to_bytes(), bytes);
    assert_eq!(
        compile(constraints).unwrap().to_bytes(),
        bytes,
        "compiling twice gives the same bytes"
    );

    let mut next = random(7);
    for actions in [1, 2, 3] {
        let challenges: [F; CHALLENGES] = core::array::from_fn(|_| next());
        let shared: [F; ROUND_INPUTS] = core::array::from_fn(|_| next());
        let inputs: Vec<[F; ACTION_INPUTS]> = (0..actions)
            .map(|_| core::array::from_fn(|_| next()))
            .collect();
        let mut expected = F::ZERO;
        for action in &inputs {
            for value in (Point {
                shared: &shared,
                action,
            })
            .all(constraints, &challenges)
            {
                expected = expected.mul(&challenges[3]).add(&value);
            }
        }
        assert!(
            program.at_point(&challenges, &shared, &inputs).unwrap() == expected,
            "{actions} actions"
        );
    }
}

#[test]
fn damaged_programs_are_refused_or_harmless() {
    let bytes = compile(&CONSTRAINTS).unwrap().to_bytes();
    assert!(QuotientProgram::from_bytes(&bytes[..bytes.len() - 1]).is_none());
    let mut state = 5u64;
    for _ in 0..200 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mut damaged = bytes.clone();
        let place = (state >> 20) as usize % damaged.len();
        damaged[place] ^= 1 << (state >> 60 & 7);
        if let Some(program) = QuotientProgram::from_bytes(&damaged) {
            let shared = [F::ONE; ROUND_INPUTS];
            let _ = program.at_point(&[F::ONE; CHALLENGES], &shared, &[[F::ONE; ACTION_INPUTS]]);
        }
    }
}
