//! Messages of the right form at the wrong time: shards and coordinators refuse them, whatever they are.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::{Arc, LazyLock};

use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use svc_circuit::assets::Assets;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_prove::halo2::arguments::inner_product::{ROUNDS, SWITCH_ROUND};
use svc_prove::halo2::arguments::prepared::Prepared;
use svc_prove::halo2::coordinator::proof_state::CoordinatorKeys;
use svc_prove::halo2::coordinator::{Coordinator, Step};
use svc_prove::halo2::polynomials::of_action::POLYNOMIALS_BYTES;
use svc_prove::halo2::shard::Shard;
use svc_prove::halo2::shard::action_input::ActionInput;
use svc_prove::halo2::shard::task::{Task, encode};
use svc_prove::halo2::wire::wiped::Wiped;
use svc_prove::halo2::{Fp, Polynomial};
use svc_prove::plan::read_plan;
use svc_shielded::secret::Secret32;

use crate::support::{Wallet, intended, plan};

fn assets() -> Assets {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../assets/action-circuit.bin"
    );
    Assets::decode(&std::fs::read(path).unwrap()).unwrap()
}

static PREPARED: LazyLock<Arc<Prepared>> =
    LazyLock::new(|| Arc::new(Prepared::build(&assets()).unwrap()));

/// A shard in the middle of an inner product argument.
fn arguing() -> Shard {
    let mut shard = Shard::new(Arc::clone(&PREPARED));
    let seed = Secret32::new([1; 32]);
    let values: Vec<Fp> = (0..2048).map(|i| Fp::from_u64(i + 1).square()).collect();
    let argue = Task::Argue {
        polynomial: Polynomial::from_values(&values),
        part: 0,
        parts: 1,
    };
    shard
        .run(&encode(&[Task::Begin { seed, actions: 1 }, argue]))
        .unwrap();
    shard
}

fn challenge() -> Task {
    let u = Fp::from_u64(5);
    Task::Challenge {
        u,
        inverse: u.invert(),
    }
}

fn run(shard: &mut Shard, task: Task) -> Result<Wiped, SvcError> {
    shard.run(&encode(&[task]))
}

#[test]
fn an_argument_has_no_more_rounds_than_there_are() {
    let mut shard = arguing();
    for round in 0..ROUNDS {
        run(&mut shard, Task::Round { terms: None }).unwrap();
        run(&mut shard, challenge()).unwrap_or_else(|error| panic!("round {round}: {error}"));
    }
    for late in [
        challenge(),
        Task::Round { terms: None },
        Task::FoldGenerators,
    ] {
        let mut shard = arguing();
        for _ in 0..ROUNDS {
            run(&mut shard, challenge()).unwrap();
        }
        let error = run(&mut shard, late).unwrap_err();
        assert_eq!(error.code, Code::InternalUnexpected);
        // The proof is forgotten: nothing is left that further messages could grow.
        assert!(run(&mut shard, challenge()).is_err());
    }
}

#[test]
fn generators_are_folded_once() {
    let mut shard = arguing();
    for _ in 0..SWITCH_ROUND {
        run(&mut shard, challenge()).unwrap();
    }
    let points = run(&mut shard, Task::FoldGenerators).unwrap();
    let generators = points
        .as_chunks::<64>()
        .0
        .iter()
        .map(|point| {
            let coordinate = |bytes: &[u8]| Fp2::from_bytes(&bytes.try_into().unwrap()).unwrap();
            svc_kernels::curve::Affine {
                x: coordinate(&point[..32]),
                y: coordinate(&point[32..]),
            }
        })
        .collect();
    run(&mut shard, Task::SetGenerators { generators }).unwrap();
    run(&mut shard, Task::Round { terms: None }).unwrap();
    assert!(run(&mut shard, Task::FoldGenerators).is_err());
}

#[test]
fn nothing_is_lent_before_it_is_made_and_nothing_broken_is_borrowed() {
    let mut shard = Shard::new(Arc::clone(&PREPARED));
    let begin = || Task::Begin {
        seed: Secret32::new([1; 32]),
        actions: 2,
    };
    run(&mut shard, begin()).unwrap();
    assert!(run(&mut shard, Task::Lend { action: 0 }).is_err());
    run(&mut shard, begin()).unwrap();
    let polynomials = Arc::new(Wiped::new(vec![0xff; POLYNOMIALS_BYTES]));
    let borrow = Task::Borrow {
        action: 1,
        polynomials,
    };
    let error = run(&mut shard, borrow).unwrap_err();
    assert_eq!(error.code, Code::CodecNotCanonical);
}

type Fp2 = svc_kernels::field::stored::Single<svc_kernels::lanes::modulus::PallasScalar>;

#[test]
fn a_proof_with_an_error_does_not_go_on() {
    let wallet = Wallet::new("simnet", 100_000);
    let request = read_plan(&plan(&wallet, &[intended(600, b"one")], 1_000).to_string()).unwrap();
    let bundle = request.build(&mut ChaCha20Rng::from_seed([3; 32])).unwrap();
    let inputs = ActionInput::of_bundle(&bundle).unwrap();
    let keys = Arc::new(CoordinatorKeys::new(&assets()).unwrap());
    let mut coordinator = Coordinator::new(keys, inputs, Secret32::new([2; 32]), 1).unwrap();
    let Step::Tasks(messages) = coordinator.next(&[]).unwrap() else {
        panic!("a proof out of nothing")
    };
    let answer = Shard::new(Arc::clone(&PREPARED)).run(&messages[0]).unwrap();
    let cut = Wiped::new(answer[..answer.len() - 1].to_vec());
    assert!(coordinator.next(&[cut]).is_err());
    // The right answer comes too late: the same blinds would stand for two answers.
    let error = coordinator.next(&[answer]).unwrap_err();
    assert_eq!(error.code, Code::InternalUnexpected);
}
