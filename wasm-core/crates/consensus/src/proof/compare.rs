//! Comparison of two pruning proofs by the work that they show (specification consensus 7.10, “Comparing”).

use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;
use svc_codec::limits::OWN_WORK_DIVISOR;
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

/// Whether the challenger is better than what is held locally. The lowest level that is long enough and shares a block with
/// the local proof decides: the challenger needs strictly more work above that block. Where no level is such, a local side
/// that never left genesis has its whole work above it, judged block by block: the challenger must show at least half of
/// that, see [`OWN_WORK_DIVISOR`]. Other proofs without a common block compare by where they are long enough: more work
/// makes more blocks of a high level.
pub fn is_better(challenger: Claim<'_>, local: Claim<'_>) -> bool {
    let full = challenger.proof.full_score;
    let pairs = || challenger.proof.levels.iter().zip(&local.proof.levels);
    for (number, (theirs, ours)) in pairs().enumerate() {
        if tip_score(theirs).is_none_or(|tip| tip.blue_score < full) {
            continue;
        }
        if let Some(common) = common_block(theirs, ours) {
            let total = |claim: Claim<'_>, level: &LevelScores| {
                let below = level.blocks.get(&common)?.blue_work;
                let shown = tip_score(level)?.blue_work.saturating_sub(below);
                let twice = claim.proof.repeated.above(number, level, below);
                Some(
                    shown
                        .saturating_sub(twice)
                        .saturating_add(claim.period_work),
                )
            };
            return total(challenger, theirs) > total(local, ours);
        }
    }
    if local.proof.is_genesis {
        let shown = challenger.proof.shown_work;
        let needed = local.period_work / U256::from(OWN_WORK_DIVISOR);
        return shown.saturating_add(challenger.period_work) >= needed;
    }
    pairs().any(|(theirs, ours)| {
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

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::proof::repeated_work::{MergeMined, RepeatedWork};

    const FULL: u64 = 4;

    /// A chain of blocks named by numbers, the first the root; each adds `work`.
    fn level(blocks: &[u8], work: u64) -> LevelScores {
        let mut scores = HashMap::new();
        let mut selected_parent = Hash32::ORIGIN;
        for (score, block) in (0..).zip(blocks) {
            let hash = Hash32([*block; 32]);
            let score = LevelScore {
                selected_parent,
                blue_score: score,
                blue_work: U256::from(score * work),
            };
            scores.insert(hash, score);
            selected_parent = hash;
        }
        LevelScores {
            tip: selected_parent,
            blocks: scores,
        }
    }

    fn view(levels: Vec<LevelScores>) -> ProofView {
        ProofView {
            pruning_point: levels[0].tip,
            blue_work: U256::zero(),
            shown_work: U256::zero(),
            is_genesis: false,
            levels,
            full_score: FULL,
            block_levels: HashMap::new(),
            by_witness: HashSet::new(),
            repeated: RepeatedWork::default(),
        }
    }

    fn claim(proof: &ProofView, work: u64) -> Claim<'_> {
        Claim {
            proof,
            period_work: U256::from(work),
        }
    }

    #[test]
    fn work_above_the_last_common_block_decides() {
        let local = view(vec![level(&[1, 2, 3, 4, 5, 6], 10)]);
        // Five blocks above block 2 against four.
        let longer = view(vec![level(&[1, 2, 13, 14, 15, 16, 17], 10)]);
        assert!(is_better(claim(&longer, 0), claim(&local, 0)));
        assert!(!is_better(claim(&local, 0), claim(&longer, 0)));
        assert!(!is_better(claim(&longer, 0), claim(&local, 10)));
        assert!(is_better(claim(&longer, 1), claim(&local, 10)));
        // Where a level begins says nothing: its root may lie lower and its sums be larger.
        let deeper = view(vec![level(&[31, 32, 33, 34, 1, 2, 3, 4, 5, 6], 10)]);
        assert!(!is_better(claim(&deeper, 0), claim(&local, 0)));
        assert!(!is_better(claim(&local, 0), claim(&deeper, 0)));
        assert!(is_better(claim(&deeper, 1), claim(&local, 0)));
    }

    /// A block that was mined on another block of the proof adds nothing, on either side.
    #[test]
    fn a_solution_counts_once() {
        let mut local = view(vec![level(&[1, 2, 3, 4, 5, 6], 10)]);
        let mut longer = view(vec![level(&[1, 2, 13, 14, 15, 16, 17], 10)]);
        assert!(is_better(claim(&longer, 0), claim(&local, 0)));
        let twice = |view: &ProofView, block: u8, by: u8| {
            let (block, by) = (Hash32([block; 32]), Hash32([by; 32]));
            let merged = vec![MergeMined { block, bits: 0, by }];
            RepeatedWork::find(
                merged,
                &view.levels,
                |hash| *hash == by,
                |_, _| U256::from(10),
            )
        };
        longer.repeated = twice(&longer, 15, 14);
        assert!(!is_better(claim(&longer, 0), claim(&local, 0)));
        local.repeated = twice(&local, 5, 4);
        assert!(is_better(claim(&longer, 0), claim(&local, 0)));
    }

    #[test]
    fn the_lowest_level_that_is_long_enough_decides() {
        let (short, full) = (level(&[1, 2], 1_000), level(&[1, 2, 3, 4, 5], 10));
        let (low, high) = (
            level(&[1, 22, 23, 24, 25, 26], 10),
            level(&[1, 22, 23, 24, 25], 10),
        );
        // Level 0 of the challenger is short, so its work there does not count.
        let challenger = view(vec![short.clone(), low.clone(), high.clone()]);
        let local = view(vec![full.clone(), full.clone(), full.clone()]);
        assert!(is_better(claim(&challenger, 0), claim(&local, 0)));
        // Level 1 alone decides, whatever level 2 says.
        let local = view(vec![full.clone(), level(&[1, 2, 3, 4, 5, 6, 7], 10), short]);
        assert!(!is_better(claim(&challenger, 0), claim(&local, 0)));
    }

    #[test]
    fn without_a_common_block_the_reach_decides() {
        let (long, short) = (level(&[1, 2, 3, 4, 5], 10), level(&[1, 2, 3, 4], 10));
        let (other_long, other_short) = (
            level(&[11, 12, 13, 14, 15], 10),
            level(&[11, 12, 13, 14], 10),
        );
        let high = view(vec![
            other_long.clone(),
            other_long.clone(),
            other_short.clone(),
        ]);
        let low = view(vec![long.clone(), short.clone(), short.clone()]);
        assert!(is_better(claim(&high, 0), claim(&low, 0)));
        assert!(!is_better(claim(&low, 0), claim(&high, 0)));
        // Equal reach is not enough, however much is claimed.
        let same = view(vec![other_long, other_short.clone(), other_short]);
        assert!(!is_better(claim(&same, 1_000), claim(&low, 0)));
        let mut genesis = view(vec![short.clone(), short.clone(), short]);
        genesis.is_genesis = true;
        assert!(is_better(claim(&same, 0), claim(&genesis, 0)));
        // What was mined from genesis counts in full, and against it only what is shown: not what is claimed.
        let mut cheap = same.clone();
        cheap.blue_work = U256::one() << 190;
        cheap.shown_work = U256::from(400);
        assert!(is_better(claim(&cheap, 100), claim(&genesis, 1_001)));
        assert!(!is_better(claim(&cheap, 100), claim(&genesis, 1_002)));
    }
}
