//! Commitments to notes and keys, and whole actions, against upstream's cells.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_circuit::shape::INSTANCE_ROWS;
use svc_codec::code::Code;
use svc_witness::action::witness;
use svc_witness::chips::Chips;
use svc_witness::hash::commit_ivk::commit_ivk;
use svc_witness::hash::note_commit::note_commit;
use svc_witness::hash::sinsemilla::Chip;
use svc_witness::inputs::Inputs;
use svc_witness::sheet::{Fp, Sheet};

use crate::common::{Recording, assets, ours, private, record, samples, starts};

fn chips() -> Chips {
    Chips::new(assets()).unwrap()
}

fn instance(sample: &samples::Sample) -> [Fp; INSTANCE_ROWS] {
    let values: Vec<Fp> = sample.instance.iter().map(ours).collect();
    values.try_into().unwrap()
}

/// The commitments of an action, each alone.
fn compare_commitments(recording: &Recording, chips: &Chips, inputs: &Inputs, is_internal: bool) {
    let notes = recording.regions_named("g★_d || pk★_d");
    let (old, new) = notes.split_at(notes.len() / 2);
    // The last region of the nullifier is the addition that gives it.
    let last = recording.regions_named("nf_old").pop().unwrap();
    let nullifier = recording.cell(last, 2, 1);
    for (regions, chip, note, rho) in [
        (old, Chip::Left, &inputs.spent, &inputs.rho),
        (new, Chip::Right, &inputs.created, &nullifier),
    ] {
        let mut sheet = Sheet::at(starts(), regions[0]);
        let commitment = note_commit(&mut sheet, chips, chip, note, rho);
        assert_eq!(sheet.next_region(), regions[0] + regions.len());
        recording.compare(&sheet, regions[0]);
        if chip == Chip::Left {
            assert!(commitment.x == recording.named(2, "x"));
        }
    }
    let regions = recording.regions_named("CommitIvk");
    let mut sheet = Sheet::at(starts(), regions[0]);
    let rivk = &inputs.rivk[usize::from(is_internal)];
    commit_ivk(&mut sheet, chips, &inputs.ak.x, &inputs.nk, rivk);
    assert_eq!(sheet.next_region(), regions[0] + regions.len());
    recording.compare(&sheet, regions[0]);
}

#[test]
fn commitments_have_upstreams_cells() {
    let chips = chips();
    for seed in 0..3 {
        let sample = samples::sample(seed);
        let recording = record(&sample.circuit, &sample.instance);
        let is_internal = sample.scope == orchard::keys::Scope::Internal;
        compare_commitments(&recording, &chips, &private::inputs(&sample), is_internal);
    }
}

#[test]
fn actions_have_upstreams_cells() {
    let chips = chips();
    for seed in 0..6 {
        let sample = samples::sample(seed);
        let recording = record(&sample.circuit, &sample.instance);
        let inputs = private::inputs(&sample);
        let columns = witness(&chips, &assets().fixed, &inputs, &instance(&sample)).unwrap();
        recording.compare_columns(&columns, 0..starts().len());
    }
}

#[test]
fn a_note_of_another_key_has_no_witness() {
    let chips = chips();
    let (sample, other) = (samples::sample(0), samples::sample(2));
    let instance = instance(&sample);
    let mut inputs = private::inputs(&sample);
    inputs.rivk = private::inputs(&other).rivk;
    let error = witness(&chips, &assets().fixed, &inputs, &instance).unwrap_err();
    assert_eq!(error.code, Code::ProveFailed);
}
