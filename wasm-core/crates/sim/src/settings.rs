//! Settings and report of a simulation run.

use core::fmt;
use std::collections::BTreeSet;

use svc_chain::profile::Profile;

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Everything follows from it.
    pub seed: u64,
    /// Rules of the network.
    pub profile: Profile,
    /// Nodes, each of which mines.
    pub miners: usize,
    /// Blocks to mine, those of ill will included.
    pub blocks: usize,
    /// Share of blocks of ill will, in thousandths.
    pub adversary_permille: u64,
    /// Whether blocks carry payments.
    pub payments: bool,
    /// Mean time between blocks, milliseconds.
    pub interval_ms: u64,
    /// Blocks between two quiet points, at which everybody knows everything.
    pub quiet_every: usize,
    /// Longest partition, in mean block intervals; 0 for none.
    pub longest_partition: u64,
    /// Failures of a store at a random operation.
    pub kills: usize,
    /// Whether proof of work is done; then the mean interval follows from the work of a block and a hash rate that
    /// changes at quiet points, equal to `interval_ms` at the least work and the least rate.
    pub real_work: bool,
    /// Whether all nodes but the first delete what lies below their pruning points, each in steps of another size.
    pub pruning: bool,
}

impl Settings {
    /// A run with everything in it but failures.
    pub fn new(seed: u64, profile: Profile) -> Self {
        Self {
            seed,
            profile,
            miners: 3,
            blocks: 300,
            adversary_permille: 100,
            payments: true,
            interval_ms: 1_000,
            quiet_every: 100,
            longest_partition: 60,
            kills: 0,
            real_work: false,
            pruning: true,
        }
    }
}

/// The report of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Blocks made.
    pub blocks: usize,
    /// Blocks every node refused.
    pub refused: usize,
    /// Blocks that may be merged and never be on a chain.
    pub never_chain: usize,
    /// Codes of the refusals.
    pub codes: BTreeSet<&'static str>,
    /// Length of the selected chain at the end.
    pub chain: u64,
    /// DAA score of its last block.
    pub daa_score: u64,
    /// Red blocks over the mergesets of that chain.
    pub reds: usize,
    /// Mergesets of it that hold reds and no blue but the selected parent.
    pub only_reds: usize,
    /// Largest mergeset of it, with the selected parent.
    pub widest_mergeset: usize,
    /// Most tips at once on any node.
    pub most_tips: usize,
    /// Payments applied on that chain.
    pub applied: usize,
    /// Payments dropped on that chain.
    pub dropped: usize,
    /// Partitions of the network.
    pub partitions: usize,
    /// Longest rollback of any node, chain blocks.
    pub deepest_reorg: usize,
    /// Failures of a store.
    pub kills: usize,
    /// Quiet points at which all nodes agreed.
    pub quiet_points: usize,
    /// Comparisons of a chain block between two nodes.
    pub comparisons: usize,
    /// Different pruning points named by the chain's headers.
    pub pruning_points: usize,
    /// Pruning points at which all nodes agreed.
    pub pruning_steps: u64,
    /// Blocks of which a node deleted something, over all nodes.
    pub pruned: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "blocks {}, refused {}, never on a chain {}, chain {}",
            self.blocks, self.refused, self.never_chain, self.chain
        )?;
        writeln!(
            formatter,
            "reds {}, mergesets of reds only {}, widest mergeset {}, most tips {}",
            self.reds, self.only_reds, self.widest_mergeset, self.most_tips
        )?;
        writeln!(
            formatter,
            "payments applied {}, dropped {}; partitions {}, deepest reorganisation {}, kills {}",
            self.applied, self.dropped, self.partitions, self.deepest_reorg, self.kills
        )?;
        writeln!(
            formatter,
            "quiet points {}, chain blocks compared {}, pruning points {}, passed {}, deletions {}",
            self.quiet_points,
            self.comparisons,
            self.pruning_points,
            self.pruning_steps,
            self.pruned
        )?;
        let codes: Vec<&str> = self.codes.iter().copied().collect();
        write!(formatter, "refusals {}", codes.join(" "))
    }
}
