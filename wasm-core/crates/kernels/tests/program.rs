//! Programs against the same sums with one value at a time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_kernels::field::stored::{Pair, Single};
use svc_kernels::lanes::modulus::PallasBase;
use svc_kernels::program::run::{Frame, Scratch};
use svc_kernels::program::{Instruction, Layout, MAX_SUM, Operand, Program, Sum};

use crate::split_mix::SplitMix;

type F = Single<PallasBase>;

const COLUMNS: usize = 5;
const SCALARS: usize = 3;
const STEPS: usize = 60;
const ROWS: usize = 7;

struct Random(SplitMix);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        (self.0.next() % limit as u64) as usize
    }

    /// Any value, often one next to the modulus or to zero.
    fn value(&mut self) -> F {
        match self.below(4) {
            0 => F::from_u64(self.0.next() & 3).neg(),
            1 => F::from_u64(self.0.next() & 3),
            _ => F::from_words(&core::array::from_fn(|_| self.0.next())),
        }
    }
}

/// Any operand that has a value.
fn pick(random: &mut Random, sizes: &[u32]) -> Operand {
    random.below(sizes.len()) as Operand
}

/// A sum of operands within the limit, and the size of its value.
fn random_sum(random: &mut Random, sizes: &[u32], limit: usize) -> (Sum, u32) {
    let mut sum = Sum::default();
    let (mut weight, mut size) = (0, 0);
    while weight < 1 + random.below(limit) {
        let operand = pick(random, sizes);
        size += sizes[usize::from(operand)];
        if weight + 2 <= limit && random.below(2) == 0 {
            sum.subtracted.push(operand);
            sum.lift += sizes[usize::from(operand)] as u8;
            weight += 2;
        } else {
            sum.added.push(operand);
            weight += 1;
        }
    }
    sum.lift += 1;
    (sum, size + 1)
}

/// Any instruction over the operands with a value, and the size of its result.
fn instruction(random: &mut Random, target: Operand, sizes: &[u32]) -> (Instruction, u32) {
    match random.below(3) {
        0 => {
            let terms: Vec<(Operand, Operand)> = (0..1 + random.below(20))
                .map(|_| (pick(random, sizes), pick(random, sizes)))
                .collect();
            let square: u32 = terms
                .iter()
                .map(|(a, b)| sizes[usize::from(*a)] * sizes[usize::from(*b)])
                .sum();
            let (sum, size) = if random.below(2) == 0 {
                (Sum::default(), 0)
            } else {
                random_sum(random, sizes, MAX_SUM - 1)
            };
            (
                Instruction::Products { target, terms, sum },
                if size > 0 {
                    2
                } else {
                    square.div_ceil(128) + 1
                },
            )
        }
        1 => {
            let (sum, size) = random_sum(random, sizes, MAX_SUM);
            (Instruction::Linear { target, sum }, size)
        }
        _ => {
            let terms: Vec<(i32, Operand)> = (0..1 + random.below(6))
                .map(|_| {
                    (
                        random.below(1 << 17) as i32 - (1 << 16),
                        pick(random, sizes),
                    )
                })
                .collect();
            let lift = terms
                .iter()
                .map(|(f, o)| f.unsigned_abs() * sizes[usize::from(*o)] + 1)
                .sum::<u32>()
                + 2;
            (
                Instruction::Scaled {
                    target,
                    terms,
                    lift,
                },
                2,
            )
        }
    }
}

/// A program of random steps; every step has a register of its own and all are made tight outputs at the end.
fn program(random: &mut Random) -> Program {
    let literals: Vec<F> = (0..3).map(|_| random.value()).collect();
    let layout = Layout {
        columns: COLUMNS,
        scalars: SCALARS,
        literals,
        registers: STEPS,
        outputs: STEPS,
    };
    let first = layout.first_register();
    let mut sizes = vec![2u32; first];
    let mut code = Vec::new();
    for step in 0..STEPS {
        let target = (first + step) as Operand;
        let (instruction, size) = instruction(random, target, &sizes);
        // Keeps values small as a compiler would.
        if size > 24 {
            code.push(Instruction::Scaled {
                target,
                terms: vec![(1, 0)],
                lift: 2,
            });
            sizes.push(2);
        } else {
            code.push(instruction);
            sizes.push(size);
        }
    }
    for step in 0..STEPS {
        let target = (first + STEPS + step) as Operand;
        code.push(Instruction::Scaled {
            target,
            terms: vec![(1, (first + step) as Operand)],
            lift: 2,
        });
    }
    Program::new(layout, code).unwrap()
}

fn plain(program: &Program, inputs: &[F], operands: usize) -> Vec<F> {
    let mut values = inputs.to_vec();
    values.resize(operands, F::ZERO);
    let total = |values: &[F], sum: &Sum| {
        let added = sum
            .added
            .iter()
            .fold(F::ZERO, |total, o| total.add(&values[usize::from(*o)]));
        sum.subtracted
            .iter()
            .fold(added, |total, o| total.sub(&values[usize::from(*o)]))
    };
    for instruction in program.code() {
        let value = match instruction {
            Instruction::Products { terms, sum, .. } => {
                terms.iter().fold(total(&values, sum), |total, (a, b)| {
                    total.add(&values[usize::from(*a)].mul(&values[usize::from(*b)]))
                })
            }
            Instruction::Linear { sum, .. } => total(&values, sum),
            Instruction::Scaled { terms, .. } => {
                terms.iter().fold(F::ZERO, |total, (factor, o)| {
                    let size =
                        F::from_u64(u64::from(factor.unsigned_abs())).mul(&values[usize::from(*o)]);
                    if *factor < 0 {
                        total.sub(&size)
                    } else {
                        total.add(&size)
                    }
                })
            }
        };
        values[usize::from(instruction.target())] = value;
    }
    values
}

#[test]
fn random_programs() {
    for seed in 0..200 {
        println!("seed {seed}");
        let mut random = Random(SplitMix(seed));
        let program = program(&mut random);
        let bytes = program.to_bytes();
        let read = Program::from_bytes(&bytes).unwrap();
        assert_eq!(read.to_bytes(), bytes);
        let columns: Vec<Vec<Pair<PallasBase>>> = (0..COLUMNS)
            .map(|_| {
                (0..ROWS)
                    .map(|_| Pair::new(&random.value(), &random.value()))
                    .collect()
            })
            .collect();
        let scalars: Vec<F> = (0..SCALARS).map(|_| random.value()).collect();
        let mut outputs = vec![vec![Pair::ZERO; ROWS]; STEPS];
        let inputs: Vec<&[Pair<PallasBase>]> = columns.iter().map(Vec::as_slice).collect();
        let pairs: Vec<Pair<PallasBase>> = scalars
            .iter()
            .map(|value| Pair::new(value, value))
            .collect();
        let mut places: Vec<&mut [Pair<PallasBase>]> =
            outputs.iter_mut().map(Vec::as_mut_slice).collect();
        let mut frame = Frame {
            columns: &inputs,
            scalars: &pairs,
            outputs: &mut places,
        };
        assert!(read.run(ROWS, &mut frame, &mut Scratch::new(&read, ROWS + 1)));
        for row in 0..ROWS {
            for lane in 0..2 {
                let mut values: Vec<F> =
                    columns.iter().map(|column| column[row].get(lane)).collect();
                values.extend_from_slice(&scalars);
                values.extend(literals(&bytes));
                let first = values.len();
                let expected = plain(&program, &values, first + 2 * STEPS);
                for step in 0..STEPS {
                    assert!(
                        outputs[step][row].get(lane) == expected[first + STEPS + step],
                        "row {row}, step {step}"
                    );
                }
            }
        }
    }
}

/// The literals from a program's bytes: after five counts, 32 bytes each.
fn literals(bytes: &[u8]) -> Vec<F> {
    bytes[10..]
        .chunks_exact(32)
        .take(3)
        .map(|chunk| F::from_bytes(chunk.try_into().unwrap()).unwrap())
        .collect()
}

#[test]
fn unsound_programs_are_refused() {
    let layout = || Layout {
        columns: 1,
        scalars: 0,
        literals: vec![],
        registers: 1,
        outputs: 1,
    };
    let copy = |target, from| Instruction::Linear {
        target,
        sum: Sum {
            added: vec![from],
            subtracted: vec![],
            lift: 0,
        },
    };
    assert!(Program::new(layout(), vec![copy(2, 0)]).is_some());
    assert!(
        Program::new(layout(), vec![copy(1, 0)]).is_none(),
        "an output is not written"
    );
    assert!(
        Program::new(layout(), vec![copy(2, 1)]).is_none(),
        "a register is read before it is written"
    );
    assert!(
        Program::new(layout(), vec![copy(0, 0), copy(2, 0)]).is_none(),
        "a column is written"
    );
    assert!(
        Program::new(layout(), vec![copy(2, 3)]).is_none(),
        "no such operand"
    );
    assert!(
        Program::new(layout(), vec![copy(3, 0), copy(2, 0)]).is_none(),
        "no such target"
    );
    let many = Sum {
        added: vec![0; MAX_SUM + 1],
        subtracted: vec![],
        lift: 0,
    };
    assert!(
        Program::new(
            layout(),
            vec![Instruction::Linear {
                target: 2,
                sum: many
            }]
        )
        .is_none()
    );
    let program = Program::new(layout(), vec![copy(1, 0), copy(2, 1)]).unwrap();
    let mut scratch = Scratch::new(&program, 4);
    let short = [Pair::ZERO; 3];
    let mut output = [Pair::ZERO; 4];
    let mut frame = Frame {
        columns: &[&short],
        scalars: &[],
        outputs: &mut [&mut output],
    };
    assert!(
        !program.run(4, &mut frame, &mut scratch),
        "a column is too short"
    );
    assert!(program.run(3, &mut frame, &mut scratch));
}

/// What a program says about the sizes of its values is taken on trust: where it is wrong the values are, and no more.
#[test]
fn wrong_sizes_give_values_of_some_kind() {
    for seed in 0..60 {
        println!("seed {seed}");
        let mut random = Random(SplitMix(1_000 + seed));
        let mut bytes = program(&mut random).to_bytes();
        let mut runs = 0;
        for _ in 0..40 {
            let place = random.below(bytes.len());
            let before = bytes[place];
            bytes[place] ^= 1 << random.below(8);
            let Some(damaged) = Program::from_bytes(&bytes) else {
                bytes[place] = before;
                continue;
            };
            let columns = vec![[Pair::new(&random.value(), &random.value())]; damaged.columns()];
            let scalars = vec![columns.first().map_or(Pair::ZERO, |c| c[0]); damaged.scalars()];
            let mut outputs = vec![[Pair::ZERO]; damaged.outputs()];
            let columns: Vec<&[Pair<PallasBase>]> = columns.iter().map(|c| &c[..]).collect();
            let mut outputs: Vec<&mut [Pair<PallasBase>]> =
                outputs.iter_mut().map(|o| &mut o[..]).collect();
            let mut frame = Frame {
                columns: &columns,
                scalars: &scalars,
                outputs: &mut outputs,
            };
            assert!(damaged.run(1, &mut frame, &mut Scratch::new(&damaged, 1)));
            assert!(damaged.run(0, &mut frame, &mut Scratch::new(&damaged, 0)));
            runs += 1;
        }
        assert!(runs > 0);
    }
}
