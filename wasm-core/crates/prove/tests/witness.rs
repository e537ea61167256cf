//! Our witness against upstream's synthesis, for the actions of prepared payments: spends, dummies, change.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::LazyLock;

use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use svc_circuit::assets::Assets;
use svc_circuit::shape::{INSTANCE_ROWS, ROWS, USABLE_ROWS};
use svc_codec::code::Code;
use svc_prove::halo2::shard::action_input::ActionInput;
use svc_prove::halo2::shard::witness::Witness;
use svc_prove::halo2::wire::randomness::Draws;
use svc_prove::plan::read_plan;
use svc_shielded::secret::Secret32;
use svc_shielded::signing::payment_check::IntendedPayment;
use svc_witness::chips::Chips;

use crate::support::{Wallet, intended, plan, upstream};

static ASSETS: LazyLock<(Assets, Chips)> = LazyLock::new(|| {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../assets/action-circuit.bin"
    );
    let assets = Assets::decode(&std::fs::read(path).unwrap()).unwrap();
    let chips = Chips::new(&assets).unwrap();
    (assets, chips)
});

/// The actions of a payment out of one note.
fn actions(value: u64, outputs: &[IntendedPayment], fee: u64, seed: u8) -> Vec<ActionInput> {
    let wallet = Wallet::new("simnet", value);
    let request = read_plan(&plan(&wallet, outputs, fee).to_string()).unwrap();
    let bundle = request
        .build(&mut ChaCha20Rng::from_seed([seed; 32]))
        .unwrap();
    ActionInput::of_bundle(&bundle).unwrap()
}

fn witness(input: &ActionInput, draws: &Draws, index: usize) -> Witness {
    let (assets, chips) = &*ASSETS;
    Witness::of(chips, &assets.fixed, input, draws, index).unwrap()
}

fn compare(inputs: &[ActionInput]) {
    let draws = Draws::new(Secret32::new([1; 32]), inputs.len());
    for (index, input) in inputs.iter().enumerate() {
        let ours = witness(input, &draws, index);
        let values = input.instance().unwrap();
        let theirs = upstream::witness_columns(&upstream::circuit(input), &values);
        for (column, (ours, theirs)) in ours.advice.iter().zip(&theirs).enumerate() {
            let differs = (0..USABLE_ROWS).find(|row| ours.get(*row) != theirs.get(*row));
            assert_eq!(differs, None, "action {index}, column {column}");
            let random = draws.witness_rows(index, column);
            for (row, value) in (USABLE_ROWS..ROWS).zip(random.iter()) {
                assert!(ours.get(row) == *value, "blinding rows");
            }
        }
        for (row, value) in values.iter().enumerate() {
            assert!(ours.instance.get(row) == *value);
        }
        assert!((INSTANCE_ROWS..ROWS).all(|row| ours.instance.get(row).is_zero()));
    }
}

#[test]
fn a_payment_with_change_has_upstreams_witness() {
    let inputs = actions(
        100_000,
        &[intended(600, b"one"), intended(700, b"two")],
        1_000,
        3,
    );
    assert_eq!(inputs.len(), 3);
    compare(&inputs);
}

#[test]
fn a_payment_of_everything_has_upstreams_witness() {
    // No change: the other output is a dummy of no value.
    compare(&actions(5_000, &[intended(4_000, b"all")], 1_000, 4));
}

/// An input with some of its bytes replaced.
fn spoilt(input: &ActionInput, at: usize, with: &[u8]) -> ActionInput {
    let mut bytes = input.as_bytes().to_vec();
    bytes[at..at + with.len()].copy_from_slice(with);
    ActionInput::from_bytes(bytes).unwrap()
}

#[test]
fn bytes_that_are_no_inputs_are_refused() {
    let input = actions(5_000, &[intended(4_000, b"all")], 1_000, 5).remove(0);
    let draws = Draws::new(Secret32::new([1; 32]), 1);
    let (assets, chips) = &*ASSETS;
    // Viewing key; transmission key; rho; the first sibling; the new transmission key; randomizer; trapdoor; anchor.
    let transmission = 96 + 11;
    let path = 96 + 43 + 8 + 32 + 32 + 4;
    let output = path + 32 * 32;
    let alpha = output + 43 + 8 + 32;
    let places = [
        0,
        32,
        64,
        transmission,
        transmission + 40,
        path,
        output + 11,
        alpha,
        alpha + 32,
        alpha + 64,
    ];
    for at in places {
        let spoilt = spoilt(&input, at, &[0xff; 32]);
        let error = Witness::of(chips, &assets.fixed, &spoilt, &draws, 0).unwrap_err();
        assert_eq!(error.code, Code::ProveFailed, "bytes at {at}");
    }
    // A diversifier of another address, and the identity for a transmission key.
    for (at, with) in [(96, vec![0x55; 11]), (output + 11, vec![0; 32])] {
        let spoilt = spoilt(&input, at, &with);
        let error = Witness::of(chips, &assets.fixed, &spoilt, &draws, 0).unwrap_err();
        assert_eq!(error.code, Code::ProveFailed, "bytes at {at}");
    }
}
