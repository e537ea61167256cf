//! Work that a pruning proof shows twice (specification consensus 7.10, “Comparing”; ADR 62).
//!
//! A natively mined header is also the witness of the header that its coinbase commits to (section 6): one solution, two valid blocks.
//! Both stay in the graph, as for every node, or whoever mined such a pair could make honest proofs invalid. The second one adds nothing
//! where work is compared.

use std::collections::HashMap;

use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;
use svc_dag::level_dag::LevelScores;

/// A judged header that was merge-mined.
#[derive(Clone, Copy, Debug)]
pub struct MergeMined {
    /// The block.
    pub block: Hash32,
    /// Its compact target.
    pub bits: u32,
    /// The header of the parent network that did the work.
    pub by: Hash32,
}

/// By level, level 0 first: the blocks whose solution stands for another block too, and what each adds to work there.
#[derive(Clone, Debug, Default)]
pub struct RepeatedWork(Vec<HashMap<Hash32, U256>>);

impl RepeatedWork {
    /// Finds them among the merge-mined headers of a proof. Of the blocks of one solution the natively mined one is the first.
    /// `is_native`: the proof has that block, mined on its own; `work`: what a block of a level and of some bits adds.
    pub fn find(
        mut merged: Vec<MergeMined>,
        levels: &[LevelScores],
        is_native: impl Fn(&Hash32) -> bool,
        work: impl Fn(u8, u32) -> U256,
    ) -> Self {
        merged.sort_unstable_by_key(|header| header.block);
        let mut firsts = HashMap::new();
        merged.retain(|header| {
            is_native(&header.by)
                || *firsts.entry(header.by).or_insert(header.block) != header.block
        });
        let of_level = |(number, level): (u8, &LevelScores)| {
            let held = merged
                .iter()
                .filter(|header| level.blocks.contains_key(&header.block));
            held.map(|header| (header.block, work(number, header.bits)))
                .collect()
        };
        Self((0..=u8::MAX).zip(levels).map(of_level).collect())
    }

    /// Work that such blocks add to a level above a sum of blue work there. It counts those that are not blue as well, so it may be more than
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

    fn merged(block: u8, by: u8) -> MergeMined {
        MergeMined {
            block: hash(block),
            bits: u32::from(block),
            by: hash(by),
        }
    }

    fn found(judged: &[MergeMined], native: &[u8], levels: &[LevelScores]) -> Vec<u64> {
        let work = |level: u8, bits: u32| U256::from(1_000 * u64::from(level) + u64::from(bits));
        let is_native = |block: &Hash32| native.contains(&block.0[0]);
        let repeated = RepeatedWork::find(judged.to_vec(), levels, is_native, work);
        let all = levels.iter().enumerate();
        all.map(|(number, level)| repeated.above(number, level, U256::zero()).low_u64())
            .collect()
    }

    #[test]
    fn a_block_mined_on_another_block_of_the_proof_adds_nothing() {
        let levels = [level(&[1, 2, 3, 4]), level(&[2, 3]), level(&[4])];
        // 3 was mined on 2, and 4 on a header of the parent network alone.
        let judged = [merged(3, 2), merged(4, 9)];
        assert_eq!(found(&judged, &[1, 2], &levels), [3, 1_003, 0]);
    }

    #[test]
    fn of_two_blocks_of_one_parent_header_one_adds() {
        let levels = [level(&[3, 4])];
        let judged = [merged(4, 9), merged(3, 9)];
        assert_eq!(found(&judged, &[], &levels), [4]);
    }

    #[test]
    fn a_block_that_has_another_solution_itself_is_no_repetition() {
        let levels = [level(&[3, 4])];
        assert_eq!(found(&[merged(3, 9), merged(4, 3)], &[], &levels), [0]);
    }

    #[test]
    fn what_lies_below_is_left_out() {
        let levels = [level(&[2, 3, 4])];
        let judged = vec![merged(3, 2), merged(4, 2)];
        let is_two = |block: &Hash32| *block == hash(2);
        let repeated = RepeatedWork::find(judged, &levels, is_two, |_, _| U256::from(10));
        let above = |work: u64| repeated.above(0, &levels[0], U256::from(work)).low_u64();
        assert_eq!([above(1), above(2), above(3), above(4)], [20, 20, 10, 0]);
    }
}
