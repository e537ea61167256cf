//! Our prover against upstream's: with the same randomness both write the same bytes, whatever the number of
//! workers; and a false witness gives no proof.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::{Arc, LazyLock};
use std::time::Instant;

use orchard::Proof;
use orchard::bundle::Flags;
use orchard::circuit::{Circuit, Instance, ProvingKey, VerifyingKey};
use orchard::pczt;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use svc_circuit::assets::Assets;
use svc_circuit::mapping::delta;
use svc_circuit::shape::{INSTANCE_ROWS, USABLE_ROWS};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_prove::halo2::arguments::lookup::FoldedTable;
use svc_prove::halo2::arguments::permutation::PermutationRound;
use svc_prove::halo2::arguments::prepared::Prepared;
use svc_prove::halo2::coordinator::payment_prover::PaymentProver;
use svc_prove::halo2::coordinator::proof_state::CoordinatorKeys;
use svc_prove::halo2::coordinator::{Coordinator, Step};
use svc_prove::halo2::polynomials::row_expression::Columns;
use svc_prove::halo2::shard::Shard;
use svc_prove::halo2::shard::action_input::ActionInput;
use svc_prove::halo2::shard::witness::Witness;
use svc_prove::halo2::wire::randomness::Draws;
use svc_prove::halo2::wire::wiped::Wiped;
use svc_prove::halo2::{Column, Fp};
use svc_prove::plan::read_plan;
use svc_prove::progress::Stage;
use svc_shielded::bundle::{Bundle, BundleFormat};
use svc_shielded::secret::Secret32;
use svc_shielded::signing::payment_check::Terms;
use svc_shielded::signing::signer::{SigningRequest, check_and_sign};
use svc_shielded::verify::{CIRCUIT, Verifier};

use crate::support::{Wallet, intended, plan, seed, upstream};

static UPSTREAM: LazyLock<(ProvingKey, VerifyingKey)> = LazyLock::new(|| {
    let key = ProvingKey::build(CIRCUIT);
    let verifying = key.verifying_key();
    (key, verifying)
});

struct Keyed {
    keys: Arc<CoordinatorKeys>,
    prepared: Arc<Prepared>,
}

fn assets() -> Assets {
    let bytes = std::fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../assets/action-circuit.bin"
    ))
    .unwrap();
    Assets::decode(&bytes).unwrap()
}

static KEYED: LazyLock<Keyed> = LazyLock::new(|| {
    let assets = assets();
    let begin = Instant::now();
    let keyed = Keyed {
        keys: Arc::new(CoordinatorKeys::new(&assets).unwrap()),
        prepared: Arc::new(Prepared::build(&assets).unwrap()),
    };
    println!("prepared in {:?}", begin.elapsed());
    keyed
});

/// Three actions of a prepared bundle.
static BUNDLE: LazyLock<pczt::Bundle> = LazyLock::new(|| {
    let wallet = Wallet::new("simnet", 100_000);
    let outputs = [intended(600, b"one"), intended(700, b"two")];
    let request = read_plan(&plan(&wallet, &outputs, 1_000).to_string()).unwrap();
    let bundle = request.build(&mut ChaCha20Rng::from_seed([3; 32])).unwrap();
    assert_eq!(bundle.actions().len(), 3);
    bundle
});

fn inputs(actions: usize) -> Vec<ActionInput> {
    let mut inputs = ActionInput::of_bundle(&BUNDLE).unwrap();
    inputs.truncate(actions);
    inputs
}

fn instances(actions: usize) -> Vec<Instance> {
    let instance = |action: &pczt::Action| {
        Instance::from_parts(
            *BUNDLE.anchor(),
            action.cv_net().clone(),
            *action.spend().nullifier(),
            action.spend().rk().clone(),
            *action.output().cmx(),
            *BUNDLE.flags(),
        )
    };
    BUNDLE
        .actions()
        .iter()
        .take(actions)
        .map(|action| instance(action).unwrap())
        .collect()
}

fn upstream_proof(actions: usize, seed: [u8; 32]) -> Vec<u8> {
    let circuits: Vec<Circuit> = inputs(actions).iter().map(upstream::circuit).collect();
    let rng = ChaCha20Rng::from_seed(seed);
    let proof = Proof::create(&UPSTREAM.0, &circuits, &instances(actions), rng).unwrap();
    proof.as_ref().to_vec()
}

fn own_proof(
    inputs: Vec<ActionInput>,
    seed: [u8; 32],
    workers: usize,
) -> Result<Vec<u8>, SvcError> {
    let mut shards: Vec<Shard> = (0..workers)
        .map(|_| Shard::new(Arc::clone(&KEYED.prepared)))
        .collect();
    let keys = Arc::clone(&KEYED.keys);
    let mut coordinator = Coordinator::new(keys, inputs, Secret32::new(seed), workers)?;
    let (mut answers, mut reported) = (Vec::new(), 0.0);
    let mut begin = Instant::now();
    loop {
        let messages = match coordinator.next(&answers)? {
            Step::Done(proof) => return Ok(proof),
            Step::Tasks(messages) => messages,
        };
        let (phase, fraction) = coordinator.progress();
        assert!(
            fraction >= reported && fraction <= 1.0,
            "progress fell in {phase}"
        );
        reported = fraction;
        answers = Vec::new();
        let coordinating = begin.elapsed();
        begin = Instant::now();
        for (index, message) in messages.iter().enumerate() {
            // Of those that may move, another worker than planned takes every third.
            let moved = usize::from(coordinator.is_movable() && index >= workers && index % 3 == 0);
            answers.push(shards[(index + moved) % workers].run(message)?);
            coordinator.answered();
            let fraction = coordinator.progress().1;
            assert!(
                fraction >= reported && fraction <= 1.0,
                "progress fell in {phase}"
            );
            reported = fraction;
        }
        println!(
            "{phase}: {:?} in the shards after {coordinating:?}",
            begin.elapsed()
        );
        begin = Instant::now();
    }
}

/// One seed, one proof: ours with each number of workers, and upstream's, which upstream verifies.
fn compare(actions: usize, workers: &[usize]) {
    let seed = [actions as u8 + 40; 32];
    let expected = upstream_proof(actions, seed);
    for workers in workers {
        println!("{actions} actions, {workers} workers");
        let ours = own_proof(inputs(actions), seed, *workers).unwrap();
        let first = ours
            .chunks(32)
            .zip(expected.chunks(32))
            .position(|(a, b)| a != b);
        assert_eq!(
            first, None,
            "first element that differs, {actions} actions, {workers} workers"
        );
        assert_eq!(ours.len(), expected.len());
    }
    Proof::new(expected)
        .verify(&UPSTREAM.1, &instances(actions))
        .unwrap();
}

#[test]
fn one_seed_gives_upstreams_bytes_with_any_number_of_workers() {
    // Five are a group that lends and one worker more.
    compare(2, &[1, 3, 5]);
}

#[test]
#[ignore = "minutes: the same for more sizes"]
fn one_seed_gives_upstreams_bytes_for_all_small_sizes() {
    for actions in 1..=3 {
        compare(actions, &[1, 2, 3, 4, 6]);
    }
}

/// The inputs of one action with a public value replaced.
fn with_public_value(row: usize, value: u64) -> Vec<ActionInput> {
    let input = inputs(1).remove(0);
    let mut bytes = input.as_bytes().to_vec();
    let first = ActionInput::LEN - 32 * INSTANCE_ROWS + 32 * row;
    bytes[first..first + 32].fill(0);
    bytes[first..first + 8].copy_from_slice(&value.to_le_bytes());
    vec![ActionInput::from_bytes(bytes).unwrap()]
}

#[test]
fn a_value_that_breaks_a_constraint_gives_no_proof_that_verifies() {
    // What the action does is declared forbidden: no copy breaks, but a constraint does.
    let (enable_spend, enable_output) = (7, 8);
    let action = &BUNDLE.actions()[0];
    let spends = action.spend().value().unwrap().inner() > 0;
    let row = if spends { enable_spend } else { enable_output };
    let proof = own_proof(with_public_value(row, 0), [8; 32], 1).unwrap();
    let flags = if spends {
        Flags::SPENDS_DISABLED
    } else {
        Flags::OUTPUTS_DISABLED
    };
    let instance = |flags| {
        Instance::from_parts(
            *BUNDLE.anchor(),
            action.cv_net().clone(),
            *action.spend().nullifier(),
            action.spend().rk().clone(),
            *action.output().cmx(),
            flags,
        )
    };
    for flags in [flags, *BUNDLE.flags()] {
        let verdict = Proof::new(proof.clone()).verify(&UPSTREAM.1, &[instance(flags).unwrap()]);
        assert!(verdict.is_err());
    }
}

#[test]
fn a_wrong_sibling_gives_no_proof_that_verifies() {
    // Where the path of a real spend leads is tied to the anchor by a gate alone.
    let (position, siblings) = (96 + 115, 96 + 115 + 4);
    let spend = BUNDLE
        .actions()
        .iter()
        .position(|action| action.spend().value().unwrap().inner() > 0)
        .unwrap();
    let prove = |change: usize| {
        let mut bytes = inputs(spend + 1).remove(spend).as_bytes().to_vec();
        bytes[change] ^= 1;
        own_proof(vec![ActionInput::from_bytes(bytes).unwrap()], [10; 32], 1)
    };
    let instance = || instances(spend + 1).remove(spend);
    for change in [position, siblings, siblings + 32 * 31] {
        let proof = Proof::new(prove(change).unwrap());
        assert!(
            proof.verify(&UPSTREAM.1, &[instance()]).is_err(),
            "byte {change}"
        );
    }
}

#[test]
fn a_value_that_is_not_the_copy_it_must_be_is_refused() {
    let (nullifier, commitment) = (3, 6);
    for row in [nullifier, commitment] {
        let error = own_proof(with_public_value(row, 77), [9; 32], 1).unwrap_err();
        assert_eq!(error.code, Code::ProveFailed);
    }
}

#[test]
fn a_flipped_witness_cell_is_refused() {
    let draws = Draws::new(Secret32::new([4; 32]), 1);
    let keys = &KEYED.prepared;
    let [theta, beta, gamma] = [11, 12, 13].map(|seed| Fp::from_u64(seed).invert());
    let input = inputs(1).remove(0);
    let tables: Vec<FoldedTable> = {
        let columns = Columns {
            fixed: &keys.fixed,
            advice: &[],
            instance: &Column::zero(),
        };
        keys.lookups
            .iter()
            .map(|lookup| FoldedTable::new(lookup, &columns, &theta))
            .collect()
    };
    let permutation = PermutationRound::new(&keys.sigma, &keys.domain.omega(), &beta, &gamma);
    let check = |flip: Option<(usize, usize)>| -> Result<(), SvcError> {
        let witness = Witness::of(&keys.chips, &keys.fixed, &input, &draws, 0).unwrap();
        let (mut advice, instance) = (witness.advice, witness.instance);
        if let Some((column, row)) = flip {
            let value = advice[column].get(row).add(&Fp::ONE);
            advice[column].set(row, &value);
        }
        let columns = Columns {
            fixed: &keys.fixed,
            advice: &advice,
            instance: &instance,
        };
        for (index, (lookup, table)) in keys.lookups.iter().zip(&tables).enumerate() {
            let permuted = table.permute(lookup, &columns, &theta, &draws.permuted(0, index))?;
            table.product(&permuted, &beta, &gamma, &draws.lookup_product(0, index))?;
        }
        let sets: Vec<_> = (0..3)
            .map(|set| draws.permutation_product(0, set))
            .collect();
        permutation.products(&columns, &sets).map(|_| ())
    };
    check(None).unwrap();
    // A cell that is copied: the first in the columns whose successor is another cell.
    // In the permutation, column 1 is witness column 0; the name of its row r is δ·ωʳ.
    let omega = keys.domain.omega();
    let name = |row: usize| delta().mul(&omega.pow(&[row as u64, 0, 0, 0]));
    let copied = (0..USABLE_ROWS)
        .find(|row| keys.sigma[1].get(*row) != name(*row))
        .unwrap();
    assert!(check(Some((0, copied))).is_err());
}

#[test]
fn a_new_proof_drops_the_one_before_and_garbage_is_refused() {
    let mut shard = Shard::new(Arc::clone(&KEYED.prepared));
    let keys = || Arc::clone(&KEYED.keys);
    let begin = || Coordinator::new(keys(), inputs(1), Secret32::new([6; 32]), 1).unwrap();
    let first = |coordinator: &mut Coordinator| match coordinator.next(&[]).unwrap() {
        Step::Tasks(mut messages) => messages.remove(0),
        Step::Done(_) => panic!("a proof out of nothing"),
    };
    let message = first(&mut begin());
    let answer = shard.run(&message).unwrap();
    assert!(*shard.run(&message).unwrap() == *answer);
    assert!(shard.run(&message[..message.len() - 1]).is_err());
    // The refused message ended the proof.
    let mut coordinator = begin();
    first(&mut coordinator);
    let Step::Tasks(second) = coordinator.next(&[answer]).unwrap() else {
        panic!("done too early")
    };
    assert_eq!(
        shard.run(&second[0]).unwrap_err().code,
        Code::InternalUnexpected
    );
    assert!(coordinator.next(&[Wiped::new(Vec::new())]).is_err());
    assert!(Coordinator::new(keys(), Vec::new(), Secret32::new([6; 32]), 1).is_err());
    assert!(Coordinator::new(keys(), inputs(1), Secret32::new([6; 32]), 0).is_err());
}

#[test]
fn a_payment_proved_by_our_prover_is_valid() {
    let wallet = Wallet::new("simnet", 50_000);
    let outputs = [intended(600, b"for you")];
    let request = read_plan(&plan(&wallet, &outputs, 1_000).to_string()).unwrap();
    let mut prover = PaymentProver::new(assets()).unwrap();
    let mut reports = Vec::new();
    let mut payment = prover
        .prove(&request, &mut |stage, done| reports.push((stage, done)))
        .unwrap();
    assert_eq!(reports.first(), Some(&(Stage::Building, 0.0)));
    assert_eq!(reports.last(), Some(&(Stage::Proving, 1.0)));
    let proving: Vec<f64> = reports.iter().skip(2).map(|(_, done)| *done).collect();
    assert!(
        proving.windows(2).all(|pair| pair[0] <= pair[1]),
        "{proving:?}"
    );
    let bundle = payment.bundle().encode();
    let signing = SigningRequest {
        profile: &wallet.profile,
        daa_score: 50,
        terms: Terms {
            payments: &outputs,
            fee: 1_000,
            max_fee: None,
            recoverable: Some(false),
        },
        bundle: &bundle,
        may_lack_proof: false,
        disclosure: payment.disclosure(),
        alphas: payment.alphas(),
        claimed_sighash: None,
    };
    let signatures = check_and_sign(&seed(7), &signing).unwrap();
    let transaction = payment.finalize(&signatures).unwrap();
    let bundle = Bundle::decode(&transaction.payload, BundleFormat::NamedAnchor).unwrap();
    let verifier = Verifier::from_key(UPSTREAM.0.verifying_key()).unwrap();
    verifier.verify(&bundle, &payment.sighash()).unwrap();
}
