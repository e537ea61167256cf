//! Fuzz targets of proving: the messages between coordinator and shards of a proof, and the inputs of a witness.

use svc_codec::reader::Reader;
use svc_kernels::curve::{Affine, Vesta};
use svc_prove::halo2::arguments::inner_product::RoundTerms;
use svc_prove::halo2::shard::action_input::ActionInput;
use svc_prove::halo2::shard::task::Task;
use svc_prove::halo2::shard::{answers, task};
use svc_prove::halo2::wire::points;
use svc_prove::halo2::wire::share::Share;
use svc_prove::halo2::{Column, Fp, Polynomial};
use svc_shielded::secret::Secret32;

use crate::target::{Outcome, Target, refused, strict};
use crate::targets::chain::{whole, written};

/// The file with the circuit.
pub(crate) const ASSETS: &[u8] = include_bytes!("../../../../assets/action-circuit.bin");

/// The targets of this area.
pub(crate) const TARGETS: &[Target] = &[
    Target::new("proving/tasks", early_messages, tasks),
    Target::new("proving/tasks-with-polynomials", late_messages, tasks).weight(100),
    Target::new("proving/action-input", inputs, input),
    Target::new("proving/scalar", scalars, scalar),
    Target::new("proving/point", points, point),
    Target::new("proving/column", columns, column).weight(50),
    Target::new("proving/answer-sum", points, sum),
    Target::new("proving/answer-generators", generators, joined).room(1 << 14, 16),
    Target::new("proving/answer-cosets", cosets, added)
        .room(1 << 21, 16)
        .weight(100),
];

fn value(seed: u64) -> Fp {
    Fp::from_u64(seed + 3).invert()
}

fn polynomial(seed: u64) -> Polynomial {
    let values: Vec<Fp> = (0..2_048)
        .map(|i| Fp::from_u64(seed + i).square())
        .collect();
    Polynomial::from_values(&values)
}

fn encoded(tasks: &[Task]) -> Vec<u8> {
    task::encode(tasks).to_vec()
}

fn early_messages() -> Vec<Vec<u8>> {
    let mut all = vec![first_message(), witness_message()];
    all.extend(opening_messages());
    all
}

/// Begins a proof and makes its witness.
fn first_message() -> Vec<u8> {
    let share = Share {
        action: 5,
        part: 1,
        parts: 3,
    };
    let begin = Task::Begin {
        seed: Secret32::new([7; 32]),
        actions: 38,
    };
    let inputs = inputs().into_iter();
    let inputs = inputs.filter_map(|bytes| ActionInput::from_bytes(bytes).ok());
    let witness = inputs.map(|input| Task::Witness { share, input });
    encoded(&core::iter::once(begin).chain(witness).collect::<Vec<_>>())
}

/// Everything up to the quotient.
fn witness_message() -> Vec<u8> {
    let (theta, beta, gamma) = (value(10), value(6), value(7));
    let units = vec![(0, 1), (7, 37)];
    encoded(&[
        Task::Lookups { action: 1, theta },
        Task::Products {
            action: 2,
            beta,
            gamma,
        },
        Task::Random { part: 0, parts: 2 },
        Task::Quotient { y: theta, units },
        Task::Sums,
    ])
}

fn opening_messages() -> [Vec<u8>; 2] {
    let (x, parts) = (value(10), 4);
    let terms = Some(RoundTerms {
        values: [value(1), value(2)],
        blinds: [value(3), value(4)],
    });
    let (fold, evaluate) = (vec![2], vec![0, 4]);
    let generators = vec![Affine::<Vesta>::generator(), Affine::IDENTITY];
    let evaluations = [
        Task::Evaluate {
            actions: evaluate,
            x,
        },
        Task::EvaluateFixed { x, part: 3, parts },
        Task::Fold {
            x1: x,
            actions: fold,
            part: 0,
            parts,
        },
    ];
    let argument = [
        Task::Challenge { u: x, inverse: x },
        Task::Round { terms },
        Task::Round { terms: None },
        Task::FoldGenerators,
        Task::SetGenerators { generators },
        Task::End,
    ];
    [encoded(&evaluations), encoded(&argument)]
}

fn late_messages() -> Vec<Vec<u8>> {
    let pieces = vec![(polynomial(1), value(9))];
    vec![
        encoded(&[Task::Commit { pieces }]),
        encoded(&[Task::Opening {
            polynomial: polynomial(2),
            part: 0,
            parts: 1,
        }]),
        encoded(&[Task::Argue {
            polynomial: polynomial(3),
            part: 1,
            parts: 2,
        }]),
    ]
}

fn tasks(bytes: &[u8]) -> Outcome {
    strict(bytes, task::decode(bytes), |tasks| encoded(tasks))
}

/// One whose bytes are a count and one that is a key, notes and a path, as far as their form goes.
fn inputs() -> Vec<Vec<u8>> {
    let counted = (0..ActionInput::LEN).map(|byte| byte as u8).collect();
    let small = vec![0; ActionInput::LEN];
    vec![counted, small, plausible_input()]
}

/// The viewing key and the address of a wallet stand where they belong; all other fields are small numbers.
fn plausible_input() -> Vec<u8> {
    let mut bytes = vec![0; ActionInput::LEN];
    let seed = Secret32::new([7; 32]);
    let Ok(fvk) = svc_shielded::keys::full_viewing_key(&seed) else {
        return bytes;
    };
    let Ok(address) = svc_shielded::keys::address_at(&fvk, 0) else {
        return bytes;
    };
    let created = 96 + 115 + 4 + 32 * 32;
    for (place, part) in [(0, &fvk[..]), (96, &address[..]), (created, &address[..])] {
        bytes[place..place + part.len()].copy_from_slice(part);
    }
    bytes
}

fn input(bytes: &[u8]) -> Outcome {
    let input = ActionInput::from_bytes(bytes.to_vec());
    strict(bytes, input, |input| {
        if let Err(error) = input.instance() {
            refused(&error);
        }
        if let Err(error) = input.private_inputs() {
            refused(&error);
        }
        input.as_bytes().to_vec()
    })
}

fn scalars() -> Vec<Vec<u8>> {
    vec![value(1).to_bytes().to_vec(), vec![0; 32]]
}

fn scalar(bytes: &[u8]) -> Outcome {
    strict(bytes, whole(bytes, points::read_scalar), |scalar| {
        scalar.to_bytes().to_vec()
    })
}

fn points() -> Vec<Vec<u8>> {
    [Affine::<Vesta>::generator(), Affine::IDENTITY]
        .iter()
        .map(|point| written(|writer| points::write_affine(writer, core::slice::from_ref(point))))
        .collect()
}

fn point(bytes: &[u8]) -> Outcome {
    strict(bytes, whole(bytes, points::read_point), |point| {
        written(|writer| points::write_affine(writer, core::slice::from_ref(point)))
    })
}

fn columns() -> Vec<Vec<u8>> {
    let values: Vec<Fp> = (0..2_048).map(|i| Fp::from_u64(i).square()).collect();
    let column = Column::from_values(&values);
    vec![written(|writer| points::write_column(writer, &column))]
}

fn column(bytes: &[u8]) -> Outcome {
    strict(bytes, whole(bytes, points::read_column), |column| {
        written(|writer| points::write_column(writer, column))
    })
}

fn sum(bytes: &[u8]) -> Outcome {
    let mut answers = [Reader::new(bytes), Reader::new(bytes)];
    match answers::added(&mut answers) {
        Ok(_) => Outcome::Taken,
        Err(error) => refused(&error),
    }
}

fn generators() -> Vec<Vec<u8>> {
    vec![points().concat(), points().concat().repeat(20), Vec::new()]
}

fn joined(bytes: &[u8]) -> Outcome {
    match answers::joined_generators(&mut [Reader::new(bytes)]) {
        Ok(generators) => {
            assert!(generators.len() <= bytes.len() / 64, "generators");
            Outcome::Taken
        }
        Err(error) => refused(&error),
    }
}

fn cosets() -> Vec<Vec<u8>> {
    let columns = columns().concat();
    vec![vec![0], [&[0b100][..], &columns].concat()]
}

fn added(bytes: &[u8]) -> Outcome {
    match answers::added_sums(&mut [Reader::new(bytes), Reader::new(bytes)]) {
        Ok(_) => Outcome::Taken,
        Err(error) => refused(&error),
    }
}
