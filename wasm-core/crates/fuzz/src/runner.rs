//! Fuzz runner: runs a target with many inputs that follow from a seed.

use core::fmt;
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use svc_codec::hex;

use crate::mutator::Mutator;
use crate::target::{Outcome, Takes, Target};
use svc_chance::chance::Chance;

/// Bytes of an input that a finding prints.
const MAX_SHOWN: usize = 4_096;

/// Inputs that every target gets, whatever its weight.
const MIN_INPUTS: u64 = 40;
/// Inputs after which a target must have taken one, if it takes others than its seeds.
const TELLING_INPUTS: u64 = 1_000;

/// Runs a function and gives the most bytes that were allocated at once in its thread meanwhile.
pub type Measure = fn(&mut dyn FnMut()) -> u64;

/// How many inputs, from which seed.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Everything follows from it and the target's name.
    pub seed: u64,
    /// Inputs of a target of weight 1.
    pub inputs: u64,
    /// Slow decoders get as many inputs as quick ones.
    pub is_full: bool,
}

/// What a run saw.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How often each outcome came.
    pub outcomes: BTreeMap<Outcome, u64>,
    /// The most bytes allocated at once.
    pub peak: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "peak {}", self.peak)?;
        for (outcome, count) in &self.outcomes {
            match outcome {
                Outcome::Taken => write!(formatter, ", taken {count}")?,
                Outcome::Refused(code) => write!(formatter, ", {code} {count}")?,
            }
        }
        Ok(())
    }
}

/// A broken promise.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The target.
    pub target: &'static str,
    /// The seed of the run.
    pub seed: u64,
    /// What was wrong.
    pub what: String,
    /// The input.
    pub input: Vec<u8>,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = &self.input[..self.input.len().min(MAX_SHOWN)];
        let cut = if shown.len() < self.input.len() {
            "..."
        } else {
            ""
        };
        write!(
            formatter,
            "{} (seed {}): {}\n  {} bytes: {}{cut}",
            self.target,
            self.seed,
            self.what,
            self.input.len(),
            hex::encode(shown)
        )
    }
}

/// Runs the seeds of a target and then as many changed inputs as the plan says.
///
/// # Errors
/// The first finding: a panic, more memory than the target's room, a seed that is not taken, or a target to which
/// nothing or everything is acceptable.
pub fn fuzz(target: &Target, plan: Plan, measure: Measure) -> Result<Report, Finding> {
    let seeds = (target.seeds)();
    let mut report = Report::default();
    let find = |what: String, input: &[u8]| Finding {
        target: target.name,
        seed: plan.seed,
        what,
        input: input.to_vec(),
    };
    if seeds.is_empty() {
        return Err(find("no seeds".into(), &[]));
    }
    for seed in &seeds {
        // Once before anything is measured: tables that are built on first use are nobody's input.
        for _ in 0..2 {
            let (outcome, _) = run(target, seed, measure).map_err(|what| find(what, seed))?;
            if (outcome == Outcome::Taken) == (target.takes == Takes::Nothing) {
                return Err(find(format!("a seed has the outcome {outcome:?}"), seed));
            }
        }
    }
    let chance = Chance::for_name(plan.seed, target.name);
    let mut mutator = Mutator::new(chance, seeds.clone(), target.is_text);
    let mut seen: BTreeSet<Outcome> = BTreeSet::from([Outcome::Taken]);
    let slowness = if plan.is_full { 1 } else { target.slowness };
    let inputs = (plan.inputs / (target.weight * slowness)).max(MIN_INPUTS.min(plan.inputs));
    for _ in 0..inputs {
        let mut input = mutator.next_input();
        if let Some(repair) = target.repair.filter(|_| mutator.wants_repair()) {
            repair(&mut input);
        }
        let (outcome, peak) = run(target, &input, measure).map_err(|what| find(what, &input))?;
        let room = target.room.fixed + target.room.per_byte * input.len();
        if peak > room as u64 {
            return Err(find(
                format!("{peak} bytes allocated, {room} allowed"),
                &input,
            ));
        }
        report.peak = report.peak.max(peak);
        *report.outcomes.entry(outcome).or_default() += 1;
        let is_new = seen.insert(outcome);
        if is_new || (outcome == Outcome::Taken && mutator.keeps_another()) {
            mutator.keep(input);
        }
    }
    let taken = report.outcomes.contains_key(&Outcome::Taken);
    let refused = report.outcomes.len() > usize::from(taken);
    let must_take = target.takes == Takes::Others && inputs >= TELLING_INPUTS;
    if !refused || (!taken && must_take) {
        return Err(find(format!("the inputs show nothing: {report}"), &[]));
    }
    Ok(report)
}

fn run(target: &Target, input: &[u8], measure: Measure) -> Result<(Outcome, u64), String> {
    let mut outcome = Err(String::from("the measure did not run it"));
    let peak = measure(&mut || {
        let caught = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
        outcome = caught.map_err(|payload| message_of(payload.as_ref()));
    });
    outcome.map(|outcome| (outcome, peak))
}

fn message_of(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied());
    format!("panic: {}", text.unwrap_or("without words"))
}
