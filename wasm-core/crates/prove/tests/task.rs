//! The messages between coordinator and shards: they go around, and no bytes at all do harm.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use svc_kernels::curve::{Affine, Vesta};
use svc_prove::halo2::arguments::inner_product::RoundTerms;
use svc_prove::halo2::polynomials::of_action::POLYNOMIALS_BYTES;
use svc_prove::halo2::shard::action_input::ActionInput;
use svc_prove::halo2::shard::task::{Task, decode, encode};
use svc_prove::halo2::wire::share::Share;
use svc_prove::halo2::wire::wiped::Wiped;
use svc_prove::halo2::{Fp, Polynomial};
use svc_shielded::secret::Secret32;

fn scalar(seed: u64) -> Fp {
    Fp::from_u64(seed + 3).invert()
}

fn polynomial(seed: u64) -> Polynomial {
    let values: Vec<Fp> = (0..2048)
        .map(|i| Fp::from_u64(seed).add(&Fp::from_u64(i)).square())
        .collect();
    Polynomial::from_values(&values)
}

/// One of each, few to a message as the coordinator does.
fn messages() -> Vec<Vec<Task>> {
    early_messages()
        .into_iter()
        .chain(late_messages())
        .collect()
}

fn early_messages() -> Vec<Vec<Task>> {
    let share = Share {
        action: 5,
        part: 1,
        parts: 3,
    };
    let input = ActionInput::from_bytes((0..ActionInput::LEN).map(|i| i as u8).collect()).unwrap();
    vec![
        vec![
            Task::Begin {
                seed: Secret32::new([7; 32]),
                actions: 38,
            },
            Task::Witness { share, input },
        ],
        vec![
            Task::Lookups {
                action: 1,
                theta: scalar(5),
            },
            Task::Products {
                action: 2,
                beta: scalar(6),
                gamma: scalar(7),
            },
            Task::Random { part: 0, parts: 2 },
        ],
        vec![
            Task::Lend { action: 3 },
            Task::Borrow {
                action: 4,
                polynomials: Arc::new(Wiped::new(vec![5; POLYNOMIALS_BYTES])),
            },
            Task::Quotient {
                y: scalar(8),
                units: vec![(0, 1), (7, 37)],
            },
            Task::Sums,
        ],
    ]
}

fn late_messages() -> Vec<Vec<Task>> {
    let terms = RoundTerms {
        values: [scalar(1), scalar(2)],
        blinds: [scalar(3), scalar(4)],
    };
    let generators = vec![Affine::<Vesta>::generator(), Affine::IDENTITY];
    vec![
        vec![Task::Commit {
            pieces: vec![(polynomial(1), scalar(9))],
        }],
        vec![
            Task::Evaluate {
                actions: vec![0, 4],
                x: scalar(10),
            },
            Task::EvaluateFixed {
                x: scalar(10),
                part: 3,
                parts: 4,
            },
            Task::Fold {
                x1: scalar(11),
                actions: vec![2],
                part: 0,
                parts: 1,
            },
        ],
        vec![Task::Opening {
            polynomial: polynomial(2),
            part: 0,
            parts: 1,
        }],
        vec![
            Task::Argue {
                polynomial: polynomial(3),
                part: 1,
                parts: 2,
            },
            Task::Round { terms: Some(terms) },
        ],
        vec![
            Task::Challenge {
                u: scalar(12),
                inverse: scalar(13),
            },
            Task::Round { terms: None },
        ],
        vec![
            Task::FoldGenerators,
            Task::SetGenerators { generators },
            Task::End,
        ],
    ]
}

#[test]
fn messages_go_around() {
    for tasks in messages() {
        let bytes = encode(&tasks);
        let again = encode(&decode(&bytes).unwrap());
        assert!(*bytes == *again, "{tasks:?}");
    }
}

#[test]
fn cut_and_longer_messages_are_refused() {
    for tasks in messages() {
        let bytes = encode(&tasks);
        let step = (bytes.len() / 300).max(1);
        for length in (0..bytes.len()).step_by(step) {
            assert!(
                decode(&bytes[..length]).is_err(),
                "{length} of {}",
                bytes.len()
            );
        }
        assert!(decode(&[&bytes[..], &[0]].concat()).is_err());
    }
}

#[test]
fn a_damaged_byte_is_refused_or_read_as_what_it_says() {
    for tasks in messages() {
        let good = encode(&tasks);
        let step = (good.len() / 500).max(1);
        for position in (0..good.len()).step_by(step) {
            let mut bad = good.to_vec();
            bad[position] ^= 1 << (position % 8);
            if let Ok(decoded) = decode(&bad) {
                assert!(*encode(&decoded) == bad, "byte {position} of {tasks:?}");
            }
        }
    }
}
