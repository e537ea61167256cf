//! Work that a pruning proof shows twice (specification consensus 7.10, “Comparing”).
//!
//! A natively mined header is also the witness of the header that its coinbase commits to (section 6): one solution, two valid blocks.
//! Both stay in the graph, as for every node, or whoever mined such a pair could make honest proofs invalid. The second one adds nothing
//! where work is compared.

use std::collections::HashMap;

use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;
use svc_dag::level_dag::LevelScores;

/// What a judged header says of its work.
#[derive(Clone, Copy, Debug)]
pub struct Solved {
    /// The block.
    pub block: Hash32,
    /// Its compact target.
    pub bits: u32,
    /// The header of the parent network that did the work; `None` where it was done on the block's own.
    pub by: Option<Hash32>,
}

/// By level, level 0 first: the blocks whose solution stands for another block too, and what each adds to work there.
#[derive(Clone, Debug, Default)]
pub struct RepeatedWork(Vec<HashMap<Hash32, U256>>);

impl RepeatedWork {
    /// Finds them. Of the blocks of one solution the natively mined one is the first; `work` is what a block of a level and of some
    /// bits adds.
    pub fn find(judged: &[Solved], levels: &[LevelScores], work: impl Fn(u8, u32) -> U256) -> Self {
        let mut merged: Vec<(Hash32, Solved)> = Vec::new();
        let mut owners = HashMap::new();
        for solved in judged {
            match solved.by {
                Some(parent) => merged.push((parent, *solved)),
                None => {
                    owners.insert(solved.block, solved.block);
                }
            }
        }
        merged.sort_unstable_by_key(|(_, solved)| solved.block);
        let mut repeated = Vec::new();
        for (parent, solved) in merged {
            if *owners.entry(parent).or_insert(solved.block) != solved.block {
                repeated.push(solved);
            }
        }
        let of_level = |(number, level): (u8, &LevelScores)| {
            let held = repeated
                .iter()
                .filter(|solved| level.blocks.contains_key(&solved.block));
            held.map(|solved| (solved.block, work(number, solved.bits)))
                .collect()
        };
        Self((0..=u8::MAX).zip(levels).map(of_level).collect())
    }

    /// What such blocks add to a level above a sum of blue work there. It counts those that are not blue as well, so it may be more than
    /// they added, and is never less.
    pub fn above(&self, number: usize, level: &LevelScores, blue_work: U256) -> U256 {
        let Some(repeated) = self.0.get(number) else {
            return U256::zero();
        };
        let is_above = |block: &Hash32| {
            let score = level.blocks.get(block);
            score.is_some_and(|score| score.blue_work >= blue_work)
        };
        let works = repeated.iter().filter(|(block, _)| is_above(block));
        works.fold(U256::zero(), |sum, (_, work)| sum.saturating_add(*work))
    }
}

#[cfg(test)]
mod tests {
    use svc_dag::level_dag::LevelScore;

    use super::*;

    fn hash(number: u8) -> Hash32 {
        Hash32([number; 32])
    }

    fn level(blocks: &[u8]) -> LevelScores {
        let scores = (1..).zip(blocks).map(|(work, block)| {
            let score = LevelScore {
                selected_parent: Hash32::ORIGIN,
                blue_score: 0,
                blue_work: U256::from(work),
            };
            (hash(*block), score)
        });
        LevelScores {
            tip: hash(blocks[blocks.len() - 1]),
            blocks: scores.collect(),
        }
    }

    fn solved(block: u8, by: Option<u8>) -> Solved {
        Solved {
            block: hash(block),
            bits: u32::from(block),
            by: by.map(hash),
        }
    }

    fn found(judged: &[Solved], levels: &[LevelScores]) -> Vec<u64> {
        let work = |level: u8, bits: u32| U256::from(1_000 * u64::from(level) + u64::from(bits));
        let repeated = RepeatedWork::find(judged, levels, work);
        let all = levels.iter().enumerate();
        all.map(|(number, level)| repeated.above(number, level, U256::zero()).low_u64())
            .collect()
    }

    #[test]
    fn a_block_mined_on_another_block_of_the_proof_adds_nothing() {
        let levels = [level(&[1, 2, 3, 4]), level(&[2, 3]), level(&[4])];
        // 3 was mined on 2, and 4 on a header of the parent network alone.
        let judged = [
            solved(1, None),
            solved(2, None),
            solved(3, Some(2)),
            solved(4, Some(9)),
        ];
        assert_eq!(found(&judged, &levels), [3, 1_003, 0]);
    }

    #[test]
    fn of_two_blocks_of_one_parent_header_one_adds() {
        let levels = [level(&[3, 4])];
        let judged = [solved(4, Some(9)), solved(3, Some(9))];
        assert_eq!(found(&judged, &levels), [4]);
    }

    #[test]
    fn a_block_that_has_another_solution_itself_is_no_repetition() {
        let levels = [level(&[3, 4])];
        assert_eq!(
            found(&[solved(3, Some(9)), solved(4, Some(3))], &levels),
            [0]
        );
    }

    #[test]
    fn what_lies_below_is_left_out() {
        let scores = level(&[2, 3, 4]);
        let judged = [solved(2, None), solved(3, Some(2)), solved(4, Some(2))];
        let levels = [scores];
        let repeated = RepeatedWork::find(&judged, &levels, |_, _| U256::from(10));
        let above = |work: u64| repeated.above(0, &levels[0], U256::from(work)).low_u64();
        assert_eq!([above(1), above(2), above(3), above(4)], [20, 20, 10, 0]);
    }
}
