//! Steps of a check: what was compared, and how it came out.

use std::fmt::Display;

use serde::Serialize;
use svc_codec::error::SvcError;

/// How one step came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// Recomputed, and the same.
    Ok,
    /// Recomputed, and another.
    Differs,
    /// Nothing that is here commits to it.
    NotProvable,
}

/// One step. What it found and expected is text for people: hashes, numbers, codes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The block that it is about: the role it has in the check.
    pub subject: &'static str,
    /// Name of the step.
    pub step: &'static str,
    /// How it came out.
    pub outcome: Outcome,
    /// What had to be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What was there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// Why it cannot be proven, or how it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
}

/// The only step of a check whose claim does not decode.
pub fn unreadable(error: &SvcError) -> Vec<Step> {
    let mut steps = Steps::about("proof");
    steps.differs("form", "a proof", error.code.as_str());
    steps.into_list()
}

/// The steps of one check, in the order in which they were taken.
#[derive(Debug, Default)]
pub struct Steps {
    list: Vec<Step>,
    subject: &'static str,
}

impl Steps {
    /// No step yet; the first ones are about `subject`.
    pub fn about(subject: &'static str) -> Self {
        Self {
            list: Vec::new(),
            subject,
        }
    }

    /// What follows is about another subject.
    pub fn turn_to(&mut self, subject: &'static str) {
        self.subject = subject;
    }

    /// Compares; whether both are the same.
    pub fn same<T: PartialEq + Display>(
        &mut self,
        step: &'static str,
        expected: &T,
        found: &T,
    ) -> bool {
        if expected == found {
            self.ok(step, found);
        } else {
            self.differs(step, expected, found);
        }
        expected == found
    }

    /// It holds.
    pub fn ok(&mut self, step: &'static str, found: impl Display) {
        self.push(step, Outcome::Ok, None, Some(found.to_string()), None);
    }

    /// It holds, in the way that `reason` names.
    pub fn ok_as(&mut self, step: &'static str, found: impl Display, reason: &'static str) {
        let found = Some(found.to_string());
        self.push(step, Outcome::Ok, None, found, Some(reason));
    }

    /// It does not hold.
    pub fn differs(&mut self, step: &'static str, expected: impl Display, found: impl Display) {
        let (expected, found) = (Some(expected.to_string()), Some(found.to_string()));
        self.push(step, Outcome::Differs, expected, found, None);
    }

    /// Nothing here can show it, for this reason.
    pub fn not_provable(&mut self, step: &'static str, reason: &'static str) {
        self.push(step, Outcome::NotProvable, None, None, Some(reason));
    }

    /// The steps.
    pub fn into_list(self) -> Vec<Step> {
        self.list
    }

    fn push(
        &mut self,
        step: &'static str,
        outcome: Outcome,
        expected: Option<String>,
        found: Option<String>,
        reason: Option<&'static str>,
    ) {
        self.list.push(Step {
            subject: self.subject,
            step,
            outcome,
            expected,
            found,
            reason,
        });
    }
}
