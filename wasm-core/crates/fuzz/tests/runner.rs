//! The runner finds what it is there to find, and shows nothing else.

use std::hint::black_box;

use svc_chance::chance::Chance;
use svc_fuzz::mutator::Mutator;
use svc_fuzz::runner::{Finding, Plan, Report, fuzz};
use svc_fuzz::target::{NONE, Outcome, Target};

const PLAN: Plan = Plan {
    is_full: false,
    seed: 3,
    inputs: 3_000,
};

fn peak_of(run: &mut dyn FnMut()) -> u64 {
    allocation_counter::measure(run).bytes_max
}

fn run(target: &Target) -> Result<Report, Finding> {
    fuzz(target, PLAN, peak_of)
}

fn seeds() -> Vec<Vec<u8>> {
    vec![b"length\x04four".to_vec()]
}

fn taken_if(holds: bool) -> Outcome {
    if holds { Outcome::Taken } else { NONE }
}

/// A length and so many bytes.
fn sound(bytes: &[u8]) -> Outcome {
    taken_if(bytes.len() > 6 && usize::from(bytes[6]) == bytes.len() - 7)
}

#[test]
fn a_sound_decoder_is_passed_and_both_outcomes_are_counted() {
    let report = run(&Target::new("test/sound", seeds, sound)).unwrap();
    assert_eq!(report.outcomes.values().sum::<u64>(), PLAN.inputs);
    assert!(report.outcomes.keys().eq([Outcome::Taken, NONE].iter()));
}

#[test]
fn a_length_that_is_believed_is_found() {
    let believing = |bytes: &[u8]| {
        let Some(length) = bytes.get(6) else {
            return NONE;
        };
        taken_if(bytes[7..7 + usize::from(*length)].len() + 7 == bytes.len())
    };
    let finding = run(&Target::new("test/believing", seeds, believing)).unwrap_err();
    assert!(
        finding.what.starts_with("panic: range end index"),
        "{finding}"
    );
}

#[test]
fn memory_without_a_bound_is_found() {
    let reserving = |bytes: &[u8]| {
        let length = bytes.get(4..8).map_or(0, |word| {
            u32::from_le_bytes([word[0], word[1], word[2], word[3]])
        });
        black_box(Vec::<u8>::with_capacity(length as usize % (1 << 26)));
        sound(bytes)
    };
    let small = |bytes: &[u8]| {
        black_box(Vec::<u8>::with_capacity(16 * bytes.len()));
        sound(bytes)
    };
    let finding =
        run(&Target::new("test/reserving", seeds, reserving).room(1 << 12, 16)).unwrap_err();
    assert!(finding.what.contains("bytes allocated"), "{finding}");
    assert!(run(&Target::new("test/small", seeds, small)).is_ok());
}

#[test]
fn a_target_that_shows_nothing_is_found() {
    let all = |_: &[u8]| Outcome::Taken;
    assert!(run(&Target::new("test/all", seeds, all)).is_err());
    let only_seeds = |bytes: &[u8]| taken_if(bytes == seeds()[0]);
    assert!(run(&Target::new("test/no-seeds", Vec::new, sound)).is_err());
    let nothing = |_: &[u8]| NONE;
    assert!(run(&Target::new("test/nothing", seeds, nothing)).is_err());
    assert!(run(&Target::new("test/nothing-at-all", seeds, nothing).never()).is_ok());
    assert!(run(&Target::new("test/pinned", seeds, only_seeds).pinned()).is_ok());
}

#[test]
fn inputs_follow_from_the_seed_and_differ() {
    let inputs = |seed: u64| -> Vec<Vec<u8>> {
        let mut mutator = Mutator::new(Chance::for_name(seed, "name"), seeds(), true);
        (0..500).map(|_| mutator.next_input()).collect()
    };
    assert_eq!(inputs(1), inputs(1));
    assert_ne!(inputs(1), inputs(2));
    let mut different = inputs(1);
    different.sort();
    different.dedup();
    assert!(different.len() > 400, "{}", different.len());
    assert!(different.iter().all(|input| input.len() <= 2 * 11 + 1_024));
}
