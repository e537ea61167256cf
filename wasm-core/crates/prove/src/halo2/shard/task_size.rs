//! Size bounds of encoded tasks and answers. Writers begin with that room: memory that a growing message leaves
//! behind would not be overwritten.

use svc_circuit::shape::{POINT_SETS, QUOTIENT_PIECES};

use crate::halo2::polynomials::of_action::POLYNOMIALS_BYTES;
use crate::halo2::shard::action_input::ActionInput;
use crate::halo2::shard::task::Task;
use crate::halo2::wire::points::{COLUMN_BYTES, POINT_BYTES};

/// A task without lists, and what stands before a list.
const SMALL: usize = 192;

/// At least the bytes of a task in a message.
pub fn task_size(task: &Task) -> usize {
    SMALL
        + match task {
            Task::Witness { .. } => ActionInput::LEN,
            Task::Borrow { polynomials, .. } => polynomials.len(),
            Task::Quotient { units, .. } => 3 * units.len(),
            Task::Commit { pieces } => pieces.len() * (COLUMN_BYTES + 32),
            Task::Evaluate { actions, .. } | Task::Fold { actions, .. } => 2 * actions.len(),
            Task::Opening { .. } | Task::Argue { .. } => COLUMN_BYTES,
            Task::SetGenerators { generators } => generators.len() * POINT_BYTES,
            _ => 0,
        }
}

/// At least the bytes of an answer that holds columns; no bound for others, which are short and public in the end.
pub fn answer_size(task: &Task) -> usize {
    match task {
        Task::Lend { .. } => POLYNOMIALS_BYTES,
        Task::Sums => 1 + QUOTIENT_PIECES * COLUMN_BYTES,
        Task::Fold { .. } => POINT_SETS * (COLUMN_BYTES + 32),
        _ => 0,
    }
}
