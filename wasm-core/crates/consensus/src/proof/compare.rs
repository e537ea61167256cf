//! Which of two proofs shows more work (specification consensus 7.10, last paragraph but one).

use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;
use svc_dag::level_dag::{LevelScore, LevelScores};

use crate::proof::validate::ProofView;

/// A proof with the work that is claimed to lie above its pruning point: blue work of the tip less that of the pruning
/// point.
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// The proof, which holds.
    pub proof: &'a ProofView,
    /// Work above the pruning point, which nothing proves yet.
    pub period_work: U256,
}

/// Whether the challenger shows strictly more work than what is held locally. The lowest level that is long enough and
/// shares a block with the local proof decides by the work above that block. Proofs without a common block at any such
/// level compare by where they are long enough: more work makes more blocks of a high level.
pub fn is_better(challenger: Claim<'_>, local: Claim<'_>) -> bool {
    let full = challenger.proof.full_score;
    let pairs = || challenger.proof.levels.iter().zip(&local.proof.levels);
    for (theirs, ours) in pairs() {
        if tip_score(theirs).is_none_or(|tip| tip.blue_score < full) {
            continue;
        }
        if let Some(common) = common_block(theirs, ours) {
            let total = |level: &LevelScores, period: U256| {
                work_above(level, &common).map(|work| work.saturating_add(period))
            };
            return total(theirs, challenger.period_work) > total(ours, local.period_work);
        }
    }
    local.proof.is_genesis
        || pairs().any(|(theirs, ours)| {
            tip_score(theirs).is_some_and(|tip| tip.blue_score >= full)
                && tip_score(ours).is_none_or(|tip| tip.blue_score < full)
        })
}

fn tip_score(level: &LevelScores) -> Option<&LevelScore> {
    level.blocks.get(&level.tip)
}

/// The greatest block of a level's selected chain that another graph of the level holds too.
fn common_block(level: &LevelScores, other: &LevelScores) -> Option<Hash32> {
    let mut at = level.tip;
    loop {
        if other.blocks.contains_key(&at) {
            return Some(at);
        }
        at = level.blocks.get(&at)?.selected_parent;
    }
}

/// Work of a level's tip above one of its blocks.
fn work_above(level: &LevelScores, block: &Hash32) -> Option<U256> {
    let below = level.blocks.get(block)?.blue_work;
    Some(tip_score(level)?.blue_work.saturating_sub(below))
}
