//! Tests of the block graph against definitions over whole sets and against recorded chains, as one program.

mod depths_rule;
mod ghostdag_rule;
mod level_dag;
mod parents_rule;
mod reachability;
mod reachability_delete;
mod recorded_chains;
mod support;
mod windows_rule;
