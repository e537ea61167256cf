//! Work budget of one engine call, which bounds how long it takes.

use svc_codec::limits::SEARCH_STEPS_PER_BLOCK;

/// What is left of one call's work. The last step may take more than is left, so every call takes one.
pub(crate) struct Budget {
    steps: usize,
}

impl Budget {
    /// Work for so many judged blocks, at least one.
    pub(crate) fn of_blocks(blocks: usize) -> Self {
        Self {
            steps: blocks.max(1).saturating_mul(SEARCH_STEPS_PER_BLOCK),
        }
    }

    /// Whether the call must end.
    pub(crate) fn is_spent(&self) -> bool {
        self.steps == 0
    }

    /// Counts a number of small steps.
    pub(crate) fn spend_steps(&mut self, steps: usize) {
        self.steps = self.steps.saturating_sub(steps);
    }

    /// Counts a judged, applied or reverted block.
    pub(crate) fn spend_block(&mut self) {
        self.spend_steps(SEARCH_STEPS_PER_BLOCK);
    }
}
