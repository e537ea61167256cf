//! Pruning (specification consensus 7.9, 7.2, 16; shielded 14; decision record 15): the pruning point follows the chain,
//! and in small steps everything below it goes that no rule, no question and no later proof needs.

pub mod deletion;
pub mod fate;
pub mod kept;
pub mod plan;
pub mod pruner;
pub mod record;
pub mod survey;
